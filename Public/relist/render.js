import { difference } from './render/difference.js';
import { Attention, element, keep, place } from './render/dom.js';
import { Filling } from './render/filling.js';
import { Motion } from './render/motion.js';
import { register, registry as standard } from './render/registry.js';
import { RowNode, SectionNode } from './render/rows.js';

export { register };
export { setParts } from './render/dom.js';

/**
 * Shows snapshots as a list that moves from each to the next.
 *
 * Nodes are keyed by the ids of sections and cells: a cell has one node for as long as it is there,
 * also when it moves to another section, and nothing touches the nodes of what did not change.
 *
 * @example
 * register('silo', { configure: (element, cell) => setParts(element, { title: cell.name, value: cell.level }) });
 * const list = new ListView(root, { scroller, href: ({ screen }) => `#${screen}`, onChoose: ({ action }) => perform(action) });
 * list.render(snapshot);
 */
export class ListView {
  #root;
  #motion;
  #filling = new Filling();
  #context;
  #locale;
  #snapshot;
  #sections = new Map();
  #cells = new Map();

  /**
   * @param {HTMLElement} root
   * @param {object} options
   * @param {HTMLElement} options.scroller what scrolls the list
   * @param {(link: {screen: string, parameters?: object}) => string | undefined} options.href the address
   *   that a link leads to, or undefined where it leads nowhere
   * @param {(choice: import('./render/rows.js').Choice, element: HTMLElement) => void} options.onChoose
   *   a link, an action, or that there are several to choose from
   * @param {import('./render/registry.js').Registry=} options.registry
   * @param {((locale: string | undefined) => string)=} options.more names the button behind which several actions are
   */
  constructor(root, { scroller, href, onChoose, registry = standard, more = () => 'More' }) {
    this.#root = root;
    const ghosts = element('div', 'ghosts');
    ghosts.inert = true;
    ghosts.setAttribute('aria-hidden', 'true');
    root.before(ghosts);
    this.#motion = new Motion(scroller, ghosts);
    this.#context = {
      registry, href, choices: new WeakMap(), more: () => more(this.#locale),
      fill: (row, view) => this.#filling.fill(row, () => row.show(view, this.#context)),
    };
    root.addEventListener('click', (event) => {
      const chosen = event.target.closest('a, button');
      const choice = this.#context.choices.get(chosen);
      if (!choice || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onChoose(choice, chosen);
    });
  }

  /** @returns {import('./changeset.js').Snapshot | undefined} what is shown */
  get snapshot() {
    return this.#snapshot;
  }

  /**
   * @param {import('./changeset.js').Snapshot} snapshot
   * @param {{locale?: string, scrollTop?: number}} options where to look, if not where one looks now
   * @returns {import('./render/difference.js').Difference | undefined} what changed of what is shown; undefined
   *   where another screen was shown before, or none
   */
  render(snapshot, { locale, scrollTop } = {}) {
    this.#locale = locale;
    if (snapshot.screen !== this.#snapshot?.screen) this.clear();
    const change = this.#snapshot && difference(this.#snapshot.sections, snapshot.sections);
    const attention = new Attention(this.#root);
    if (change) this.#motion.begin(this.#leaves());
    this.#show(snapshot);
    if (change) this.#motion.play(this.#verbs(change), scrollTop);
    else if (scrollTop !== undefined) this.#motion.scroll(scrollTop);
    attention.restore();
    return change && this.#shown(change);
  }

  clear() {
    this.#motion.clear();
    this.#filling.clear();
    this.#snapshot = undefined;
    this.#sections = new Map();
    this.#cells = new Map();
    this.#root.replaceChildren();
  }

  /** Makes cells and sections stand out, and no others. @param {{cells: string[], sections: string[]}} ids */
  highlight({ cells, sections }) {
    for (const node of this.#root.querySelectorAll('.highlit')) node.classList.remove('highlit');
    const nodes = [...cells.map((id) => this.#cells.get(id)), ...sections.map((id) => this.#sections.get(id))].filter(Boolean);
    for (const { node } of nodes) node.classList.add('highlit');
    nodes[0]?.node.scrollIntoView({ block: 'nearest' });
  }

  #show(snapshot) {
    this.#snapshot = snapshot;
    this.#root.classList.toggle('collection', snapshot.layout === 'collection');
    const models = snapshot.sections.flatMap(({ cells }) => cells);
    const cells = keep(this.#cells, models, ({ id }) => id, (id) => cellNode(id));
    const sections = keep(this.#sections, snapshot.sections, ({ id }) => id, () => new SectionNode());
    this.#root.classList.toggle('large', models.length > 400);
    this.#filling.begin(models.length > 400 ? this.#seen() : undefined);
    place(this.#root, [...sections.values()].map(({ node }) => node));
    for (const section of snapshot.sections) sections.get(section.id).show(section, cells, this.#context);
    this.#cells = cells;
    this.#sections = sections;
  }

  /** What is to be seen of a large list: these rows are filled before anything else. */
  #seen() {
    const seen = this.#motion.seen([...this.#cells.values()].map(({ node }) => node));
    return (row) => seen.has(row.node);
  }

  /** All that moves by itself, with the verbs that a change has for it. */
  #verbs({ inserted, moved, updated: changed, insertedSections, movedSections, updatedHeaders, updatedFooters }) {
    const verbs = new Map();
    const add = (node, ...named) => verbs.set(node, new Set(named.filter(Boolean)));
    for (const [id, section] of this.#sections) {
      const move = movedSections.has(id) && 'move';
      for (const node of section.views()) {
        const updated = node.tagName === 'HEADER' ? updatedHeaders : updatedFooters;
        add(node, move, insertedSections.has(id) && 'insert', updated.has(id) && 'update');
      }
      for (const node of section.node.querySelectorAll('.cell')) {
        const cell = node.dataset.id;
        add(node, move, inserted.has(cell) && 'insert', moved.has(cell) && 'move', changed.has(cell) && 'update');
      }
    }
    return verbs;
  }

  /** The same without cells of which nothing is shown, and with what is shown of the others. */
  #shown(change) {
    const { registry } = this.#context;
    const shown = (cells) => new Map([...cells].map(([id, cell]) => [id, registry.shown(cell)]).filter(([, cell]) => cell));
    const [inserted, deleted, moved, updated] = [change.inserted, change.deleted, change.moved, change.updated].map(shown);
    return { ...change, inserted, deleted, moved, updated };
  }

  #leaves() {
    return [...this.#sections.values()].flatMap((section) => [...section.views(), ...section.node.querySelectorAll('.cell')]);
  }
}

function cellNode(id) {
  const row = new RowNode('li', 'cell');
  row.node.dataset.id = id;
  return row;
}
