/** The form of a screen's parameters: one text field each, empty where the default holds. */
export class ParameterForm {
  #form;
  #fields = new Map();
  #onChange;

  /**
   * @param {HTMLFormElement} form
   * @param {(parameters: Object<string, string>) => void} onChange called with each letter
   */
  constructor(form, onChange) {
    this.#form = form;
    this.#onChange = onChange;
    form.addEventListener('input', () => this.#onChange(this.#values()));
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  /**
   * Keeps the fields, and with them the cursor, as long as the parameters have the same names.
   *
   * @param {{name: string, description?: string, shape?: unknown, default?: unknown}[]} parameters
   * @param {Object<string, string>} values
   */
  show(parameters, values) {
    const names = parameters.map(({ name }) => name);
    if (names.join('\n') !== [...this.#fields.keys()].join('\n')) {
      this.#fields = new Map(names.map((name) => [name, new Field(name)]));
      this.#form.replaceChildren(...[...this.#fields.values()].map(({ node }) => node));
    }
    for (const parameter of parameters) this.#fields.get(parameter.name).show(parameter, values[parameter.name] ?? '');
    this.#form.hidden = names.length === 0;
  }

  #values() {
    const filled = [...this.#fields].filter(([, { value }]) => value !== '');
    return Object.fromEntries(filled.map(([name, { value }]) => [name, value]));
  }
}

class Field {
  node = document.createElement('label');
  #input = document.createElement('input');
  #hint = document.createElement('small');

  constructor(name) {
    const caption = document.createElement('span');
    caption.textContent = name;
    this.#input.name = name;
    this.#input.autocomplete = 'off';
    this.#input.spellcheck = false;
    this.node.append(caption, this.#input, this.#hint);
  }

  get value() {
    return this.#input.value;
  }

  show({ description, shape, default: standard }, value) {
    if (this.#input.value !== value) this.#input.value = value;
    this.#input.placeholder = standard == null ? '' : String(standard);
    const shapeText = typeof shape === 'string' ? shape : shape && JSON.stringify(shape);
    this.#hint.textContent = [description, shapeText].filter(Boolean).join(' · ');
  }
}
