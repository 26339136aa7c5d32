import { setText } from './render/dom.js';

/**
 * Creates an element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string=} name its class
 * @param {string | Node[]=} content a string is set as text, never as markup
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, name, content = []) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (typeof content === 'string') node.textContent = content;
  else node.append(...content);
  return node;
}

/**
 * Creates a button that submits no form.
 *
 * @param {string} name its class
 * @param {string | Node[]=} content
 * @param {(() => void)=} onClick
 */
export function pushButton(name, content = '', onClick = undefined) {
  const node = element('button', name, content);
  node.type = 'button';
  if (onClick) node.addEventListener('click', onClick);
  return node;
}

/**
 * Gives a parent one child for each model. Children are reused by position, so that the focus stays.
 *
 * @template Model
 * @template {Element} Child
 * @param {Element} parent
 * @param {Model[]} models
 * @param {() => Child} create
 * @param {(child: Child, model: Model) => void} update
 */
export function updateChildren(parent, models, create, update) {
  while (parent.children.length > models.length) parent.lastChild?.remove();
  models.forEach((model, index) => {
    update(/** @type {Child | undefined} */ (parent.children[index]) ?? parent.appendChild(create()), model);
  });
}

/**
 * Gives an element one child for each part: a `span` with the name of the part as its class for a string, a `time` for a date, whose text
 * is kept current, a `span` with both for a list, and a node itself. Children are reused, so that the user's selection stays.
 *
 * @typedef {import('./protocol.js').LiveDate} LiveDate
 * @typedef {string | LiveDate | (string | LiveDate)[] | HTMLElement | SVGElement} Part
 * @param {Element} parent
 * @param {Object<string, Part | undefined | null | false>} parts by name, in order
 */
export function setParts(parent, parts) {
  const known = new Map([...parent.children].map((child) => [child.getAttribute('data-part'), child]));
  const shown = Object.entries(parts).filter(([, part]) => part !== undefined && part !== null && part !== false && part !== '');
  const nodes = /** @type {[string, Part][]} */ (shown).map(([name, part]) => partNode(name, part, known.get(name)));
  arrangeParts(parent, nodes);
}

/**
 * Returns the child of a row for a part. If there is none, it is created.
 *
 * @template {Element} Child
 * @param {Element} row
 * @param {string} name
 * @param {() => Child} make
 * @returns {Child}
 */
export function part(row, name, make) {
  const found = row.querySelector(`:scope > [data-part="${name}"]`);
  return /** @type {Child | null} */ (found) ?? make();
}

/**
 * Sets or removes an attribute.
 *
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | undefined | null} value `false`, `undefined` and `null` remove the attribute
 */
export function setAttribute(node, name, value) {
  if (value === undefined || value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

/**
 * @param {string} name
 * @param {Part} part
 * @param {Element=} known the existing child
 */
function partNode(name, part, known) {
  const node = isDate(part) ? dateNode(part, name, known)
    : typeof part === 'object' && !Array.isArray(part) ? part : textNode(name, part, known);
  node.dataset.part = name;
  return node;
}

/**
 * @param {string} name
 * @param {string | (string | LiveDate)[]} text
 * @param {Element=} known
 */
function textNode(name, text, known) {
  const node = known?.tagName === 'SPAN' ? /** @type {HTMLSpanElement} */ (known) : element('span', name);
  if (Array.isArray(text)) setParts(node, Object.fromEntries(text.map((one, index) => [`piece-${index}`, one])));
  else setText(node, String(text));
  return node;
}

/**
 * @param {Element} parent
 * @param {Element[]} nodes
 */
function arrangeParts(parent, nodes) {
  if (nodes.length === parent.childNodes.length && nodes.every((node, index) => node === parent.childNodes[index])) return;
  parent.replaceChildren(...nodes);
}

/*
 * The texts of dates, which change with time. All functions count in whole seconds since 1970.
 */

/**
 * @typedef {object} ShownDate
 * @property {LiveDate} date
 * @property {number} from the second at which the text was set
 * @property {number} until the second at which it changes
 */

const units = /** @type {const} */ ([['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]]);

/**
 * Returns whether a value of a view is a date.
 *
 * @param {unknown} value
 * @returns {value is LiveDate}
 */
export function isDate(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { $date } = /** @type {{$date?: unknown}} */ (value);
  return typeof $date === 'string' && !Number.isNaN(Date.parse($date));
}

/**
 * Returns the text of a date.
 *
 * @param {LiveDate} date
 * @param {number} now
 * @param {string=} language
 * @returns {string}
 */
export function dateText(date, now, language) {
  const since = now - secondOf(date);
  const seconds = Math.abs(since);
  if (date.style === 'timer') return timerText(seconds);
  if (date.style !== 'relative') return dateFormat(language, 'medium').format(secondOf(date) * 1000);
  const [unit, length] = unitOf(seconds);
  const count = Math.floor(seconds / length);
  // Only the automatic form has the word "now". For a day, it would have "yesterday", which may be wrong.
  return relativeFormat(language, since === 0 ? 'auto' : 'always').format(since > 0 ? -count : count, unit);
}

/**
 * Returns the second at which the text changes, or infinity.
 *
 * @param {LiveDate} date
 * @param {number} now
 */
export function nextChange(date, now) {
  const second = secondOf(date);
  if (date.style === 'timer') return now + 1;
  if (date.style !== 'relative') return Infinity;
  const [, length] = unitOf(Math.abs(now - second));
  const count = Math.floor(Math.abs(now - second) / length);
  return now < second ? second - count * length + 1 : second + (count + 1) * length;
}

/**
 * @param {LiveDate} date
 * @param {string} name
 * @param {Element=} known
 */
function dateNode(date, name, known) {
  const node = /** @type {HTMLElement} */ (known?.tagName === 'TIME' ? known : document.createElement('time'));
  if (node !== known) node.className = name;
  node.setAttribute('datetime', date.$date);
  ticker ??= new Ticker();
  ticker.show(node, date);
  return node;
}

/** @param {LiveDate} date */
function secondOf({ $date }) {
  return Math.floor(Date.parse($date) / 1000);
}

/** @param {number} seconds */
function unitOf(seconds) {
  return units.find(([, length]) => length <= seconds) ?? units[3];
}

/**
 * Returns a text such as `4:05` or `1:02:03`.
 *
 * @param {number} seconds
 */
function timerText(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const padded = (/** @type {number} */ number) => String(number).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${padded(minutes)}` : minutes}:${padded(seconds % 60)}`;
}

const relativeFormat = cached((language, /** @type {'auto' | 'always'} */ numeric) => (
  new Intl.RelativeTimeFormat(language, { style: 'short', numeric })));
const dateFormat = cached((language, /** @type {'medium' | 'long'} */ dateStyle) => (
  new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'short' })));

/**
 * Creates each format once. If the language is not valid, the browser's is used.
 *
 * @template Format
 * @template {string} Kind
 * @param {(language: string | undefined, kind: Kind) => Format} create
 */
function cached(create) {
  /** @type {Map<string, Format>} */
  const formats = new Map();
  return (/** @type {string | undefined} */ language, /** @type {Kind} */ kind) => {
    const key = `${kind} ${language}`;
    let format = formats.get(key);
    if (!format) {
      try {
        format = create(language, kind);
      } catch {
        format = create(undefined, kind);
      }
      formats.set(key, format);
    }
    return format;
  };
}

/** Keeps all dates current with one timer, which runs only while the document is visible. */
class Ticker {
  /**
   * Weak, so that removed nodes can be collected.
   *
   * @type {Set<WeakRef<HTMLElement>>}
   */
  #nodes = new Set();
  /** @type {WeakMap<HTMLElement, ShownDate>} */
  #shown = new WeakMap();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #due = Infinity;

  constructor() {
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#schedule(Infinity);
      else this.#tick();
    });
  }

  /**
   * @param {HTMLElement} node
   * @param {LiveDate} date
   */
  show(node, date) {
    if (!this.#shown.has(node)) this.#nodes.add(new WeakRef(node));
    const shown = { date, from: 0, until: 0 };
    this.#shown.set(node, shown);
    describe(node, date);
    this.#update(node, shown, now());
    if (shown.until < this.#due && !document.hidden) this.#schedule(shown.until);
  }

  #tick() {
    const second = now();
    let due = Infinity;
    for (const reference of this.#nodes) {
      const node = reference.deref();
      const shown = node && this.#shown.get(node);
      if (!node || !shown) {
        this.#nodes.delete(reference);
        continue;
      }
      // The clock may have been set back.
      if (shown.until <= second || second < shown.from) this.#update(node, shown, second);
      due = Math.min(due, shown.until);
    }
    this.#schedule(due);
  }

  /**
   * @param {HTMLElement} node
   * @param {ShownDate} shown
   * @param {number} second
   */
  #update(node, shown, second) {
    const text = dateText(shown.date, second, language());
    if (node.textContent !== text) node.textContent = text;
    shown.from = second;
    shown.until = nextChange(shown.date, second);
  }

  /** @param {number} due */
  #schedule(due) {
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = due === Infinity ? undefined : setTimeout(() => this.#tick(), Math.max(0, due * 1000 - Date.now()));
  }
}

/** @type {Ticker | undefined} */
let ticker;

function now() {
  return Math.floor(Date.now() / 1000);
}

function language() {
  return document.documentElement.lang || undefined;
}

/**
 * A name that changes each second would be announced again and again, so the name is the date and the time.
 *
 * @param {HTMLElement} node
 * @param {LiveDate} date
 */
function describe(node, date) {
  const isChanging = nextChange(date, now()) !== Infinity;
  if (isChanging) {
    node.setAttribute('role', 'timer');
    node.setAttribute('aria-label', dateFormat(language(), 'long').format(secondOf(date) * 1000));
  } else {
    node.removeAttribute('role');
    node.removeAttribute('aria-label');
  }
}
