import { play } from './changeset.js';
import { Attention, element, isSame, keep, place, staying } from './render/dom.js';
import { Motion } from './render/motion.js';
import { register, registry as standard } from './render/registry.js';
import { Filling, RowNode, SectionNode } from './render/rows.js';

export { register };
export { setParts } from './render/dom.js';

/** More cells than these are filled in pieces, and laid out where they are seen. */
const large = 400;

/**
 * What a change of a list comes to, for whoever animates or announces it. Cells and sections are
 * named by their ids. One that moved and changed is in both sets.
 *
 * @typedef {object} Difference
 * @property {Map<string, import('./changeset.js').Cell>} inserted
 * @property {Map<string, import('./changeset.js').Cell>} deleted
 * @property {Map<string, import('./changeset.js').Cell>} moved
 * @property {Map<string, import('./changeset.js').Cell>} updated
 * @property {Set<string>} insertedSections
 * @property {Set<string>} deletedSections
 * @property {Set<string>} movedSections
 * @property {Set<string>} updatedHeaders those of which the header was there and changed
 * @property {Set<string>} updatedFooters likewise
 *
 * @typedef {import('./changeset.js').Step} Step
 */

/**
 * What became of a list.
 *
 * @typedef {Difference & {outOfSight: import('./render/motion.js').OutOfSight}} Shown
 */

/**
 * Shows a screen as a list that moves as its changesets say.
 *
 * Nodes are keyed by the ids of sections and cells: a cell has one node for as long as it is there,
 * also when it moves to another section, and nothing touches the nodes of what did not change.
 *
 * @example
 * register('silo', { configure: (element, cell) => setParts(element, { title: cell.name, value: cell.level }) });
 * const list = new ListView(root, { scroller, href: ({ screen }) => `#${screen}`, onChoose: ({ action }) => perform(action) });
 * list.render(snapshot);
 * list.apply(changeset);
 */
export class ListView {
  #root;
  #ghosts = element('div', 'ghosts');
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
    this.#ghosts.inert = true;
    this.#ghosts.setAttribute('aria-hidden', 'true');
    root.before(this.#ghosts);
    this.#motion = new Motion(scroller, this.#ghosts);
    this.#context = {
      registry, href, choices: new WeakMap(), more: () => more(this.#locale),
      fill: (row, view) => this.#filling.fill(row, () => row.show(view, this.#context)),
    };
    root.addEventListener('click', (event) => {
      const chosen = /** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest('a, button'));
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

  /** @param {number} speed how fast all moves: 1 as it should be, 0.2 to be watched */
  set speed(speed) {
    this.#motion.speed = speed;
  }

  /** @returns {Promise<void>} resolves when nothing of the list moves any more */
  get settled() {
    return this.#motion.settled;
  }

  /**
   * Performs the stages of a changeset, one after the other, as `performBatchUpdates` would: what its
   * operations name is touched, and nothing else.
   *
   * @param {import('./changeset.js').Changeset} changeset
   * @param {{scrollTop?: number, locale?: string}} options where to look afterwards, if not where one looks now
   * @returns {Shown}
   * @throws {import('./changeset.js').ChangesetError} where it does not fit what is shown; then nothing was touched
   */
  apply(changeset, options) {
    return this.play(play(this.#snapshot, changeset), options);
  }

  /**
   * Performs the steps of a changeset that a client has applied to what is shown: `list.play({ snapshot: after, steps })`.
   *
   * @param {import('./changeset.js').Played} played
   * @param {{scrollTop?: number, locale?: string}} options
   * @returns {Shown}
   */
  play({ snapshot, steps }, { scrollTop, locale = this.#locale } = {}) {
    this.#locale = locale;
    return this.#move(snapshot, changeOf(steps), scrollTop, () => {
      for (const step of steps) this.#perform(step);
      this.#snapshot = snapshot;
    });
  }

  /**
   * Shows a snapshot: the first one, one that came instead of a changeset, or one of the past.
   *
   * @param {import('./changeset.js').Snapshot} snapshot
   * @param {{locale?: string, scrollTop?: number}} options
   * @returns {Shown | undefined} undefined where another screen was shown before, or none
   */
  render(snapshot, { locale, scrollTop } = {}) {
    this.#locale = locale;
    if (snapshot.screen !== this.#snapshot?.screen) this.clear();
    if (this.#snapshot) {
      return this.#move(snapshot, difference(this.#snapshot.sections, snapshot.sections), scrollTop, () => this.#show(snapshot));
    }
    this.#fillFirst(snapshot);
    this.#show(snapshot);
    if (scrollTop !== undefined) this.#motion.scroll(scrollTop);
    return undefined;
  }

  clear() {
    this.#motion.clear();
    this.#filling.clear();
    this.#snapshot = undefined;
    this.#sections = new Map();
    this.#cells = new Map();
    this.#root.replaceChildren();
  }

  /**
   * Makes cells and sections stand out, and no others.
   *
   * @param {{cells: string[], sections: string[], verb?: string}} what the verb is written to `data-lit`, for its colour
   */
  highlight({ cells, sections, verb = '' }) {
    for (const node of this.#root.querySelectorAll('[data-lit]')) node.removeAttribute('data-lit');
    const nodes = [...cells.map((id) => this.#cells.get(id)), ...sections.map((id) => this.#sections.get(id))].filter(Boolean);
    for (const { node } of nodes) node.dataset.lit = verb;
    nodes[0]?.node.scrollIntoView({ block: 'nearest' });
  }

  /** The addresses of links may be others now: where one is has changed. */
  relink() {
    for (const row of this.#cells.values()) row.relink(this.#context);
  }

  /** Brings into view where something changed out of sight. @param {string} id of `outOfSight` */
  reveal(id) {
    const behavior = this.#motion.isReduced ? 'auto' : 'smooth';
    const node = this.#cells.get(id)?.node;
    if (node) node.scrollIntoView({ block: 'center', behavior });
    else this.#motion.reveal(id, behavior);
  }

  /** Changes the list, and shows it moving to where it has come. */
  #move(after, change, scrollTop, perform) {
    const attention = new Attention(this.#root);
    this.#motion.begin(this.#leaves());
    this.#fillFirst(after);
    perform();
    const outOfSight = this.#motion.play(this.#verbs(change), scrollTop);
    attention.restore();
    return { ...this.#shown(change), outOfSight };
  }

  #perform(stage) {
    const change = changeOf([stage]);
    const moving = new Set();
    for (const cell of change.updated.values()) this.#context.fill(this.#cells.get(cell.id), cell);
    for (const id of change.deleted.keys()) {
      this.#cells.get(id).node.remove();
      this.#cells.delete(id);
    }
    for (const cell of change.inserted.values()) moving.add(this.#insert(cell));
    for (const id of change.moved.keys()) moving.add(this.#cells.get(id).node);
    this.#performOnSections(stage, change);
    for (const [index, section] of stage.after.entries()) this.#arrange(section, stage.before[index], moving);
  }

  /** Places of a stage that moves sections are not those before: no section of it has other cells. */
  #arrange(section, before, moving) {
    if (section === before || section.id !== before?.id) return;
    this.#sections.get(section.id).show(section, this.#cells, this.#context, moving);
  }

  #performOnSections({ after }, { insertedSections, deletedSections, movedSections }) {
    if (insertedSections.size + deletedSections.size + movedSections.size === 0) return;
    for (const id of deletedSections) this.#sections.get(id).node.remove();
    const moving = new Set([...movedSections].map((id) => this.#sections.get(id).node));
    this.#sections = keep(this.#sections, after, ({ id }) => id, () => new SectionNode());
    for (const section of after.filter(({ id }) => insertedSections.has(id))) {
      const added = this.#sections.get(section.id);
      moving.add(added.node);
      added.show(section, this.#cells, this.#context);
    }
    place(this.#root, [...this.#sections.values()].map(({ node }) => node), moving);
  }

  #insert(cell) {
    const row = cellNode(cell.id);
    this.#cells.set(cell.id, row);
    this.#context.fill(row, cell);
    return row.node;
  }

  #show(snapshot) {
    this.#snapshot = snapshot;
    for (const node of [this.#root, this.#ghosts]) node.classList.toggle('collection', snapshot.layout === 'collection');
    const models = snapshot.sections.flatMap(({ cells }) => cells);
    const olds = this.#cells;
    this.#cells = keep(olds, models, ({ id }) => id, (id) => cellNode(id));
    for (const [id, { node }] of olds) if (!this.#cells.has(id)) node.remove();
    const sections = keep(this.#sections, snapshot.sections, ({ id }) => id, () => new SectionNode());
    place(this.#root, [...sections.values()].map(({ node }) => node));
    for (const section of snapshot.sections) {
      for (const cell of section.cells) this.#context.fill(this.#cells.get(cell.id), cell);
      sections.get(section.id).show(section, this.#cells, this.#context);
    }
    for (const [id, { node }] of this.#sections) if (!sections.has(id)) node.remove();
    this.#sections = sections;
  }

  /** Of a large list what is to be seen is filled before anything else. */
  #fillFirst({ sections }) {
    const isLarge = sections.reduce((count, { cells }) => count + cells.length, 0) > large;
    this.#root.classList.toggle('large', isLarge);
    const seen = isLarge && this.#motion.seen([...this.#cells.values()].map(({ node }) => node));
    this.#filling.begin(isLarge ? (row) => seen.has(row.node) : undefined);
  }

  /** All that moves by itself, with the verbs that a change has for it. */
  #verbs({ inserted, moved, updated: changed, insertedSections, movedSections, updatedHeaders, updatedFooters }) {
    const verbs = new Map();
    const add = (node, ...named) => verbs.set(node, new Set(named.filter(Boolean)));
    for (const [id, section] of this.#sections) {
      const move = movedSections.has(id) && 'move';
      for (const node of section.leaves()) {
        const cell = node.dataset.id;
        const updated = node.tagName === 'HEADER' ? updatedHeaders : updatedFooters;
        if (cell === undefined) add(node, move, insertedSections.has(id) && 'insert', updated.has(id) && 'update');
        else add(node, move, inserted.has(cell) && 'insert', moved.has(cell) && 'move', changed.has(cell) && 'update');
      }
    }
    return verbs;
  }

  /** The same without cells of which nothing is shown, and with what is shown of the others. */
  #shown(change) {
    const { registry } = this.#context;
    const shown = (cells) => {
      const found = new Map();
      for (const [id, cell] of cells) if (registry.shown(cell)) found.set(id, registry.shown(cell));
      return found;
    };
    const [inserted, deleted, moved, updated] = [change.inserted, change.deleted, change.moved, change.updated].map(shown);
    return { ...change, inserted, deleted, moved, updated };
  }

  #leaves() {
    return [...this.#sections.values()].flatMap((section) => section.leaves());
  }
}

function cellNode(id) {
  const row = new RowNode('li', 'cell');
  row.node.dataset.id = id;
  return row;
}

/** What each operation of a stage adds. Places of sources count in the list before. */
const verbs = {
  updateCells: ({ cell }, change) => add(change.updated, [cell]),
  insertCells: ({ cells }, change) => add(change.inserted, cells),
  deleteCells: ([section, item, count], change, { before }) => add(change.deleted, run(before, section, item, count)),
  moveCells: ([section, item, , , count], change, { before }) => add(change.moved, run(before, section, item, count)),
  insertSections({ section }, change) {
    change.insertedSections.add(section.id);
    add(change.inserted, section.cells);
  },
  deleteSections(place, change, { before }) {
    change.deletedSections.add(before[place].id);
    add(change.deleted, before[place].cells);
  },
  moveSections: ([from], change, { before }) => change.movedSections.add(before[from].id),
  updateSections({ at }, change, { before, after }) {
    const { id } = before[at];
    if (isOther(before[at].header, after[at].header)) change.updatedHeaders.add(id);
    if (isOther(before[at].footer, after[at].footer)) change.updatedFooters.add(id);
  },
};

/**
 * What the stages of a changeset do, as its operations say.
 *
 * @param {Step[]} steps from `changeset.js`
 * @returns {Difference}
 */
export function changeOf(steps) {
  const change = none();
  for (const step of steps) {
    for (const [verb, operations] of Object.entries(step.operations)) {
      for (const operation of operations) verbs[verb](operation, change, step);
    }
  }
  return change;
}

/**
 * What lies between two snapshots of which nobody says how the one became the other.
 *
 * @param {import('./changeset.js').Section[]} before
 * @param {import('./changeset.js').Section[]} after
 * @returns {Difference}
 */
export function difference(before, after) {
  const olds = new Map(before.map((section, index) => [section.id, { section, index }]));
  const ids = new Set(after.map(({ id }) => id));
  const stay = staying(after.map(({ id }) => olds.get(id)?.index ?? -1));
  const kept = after.filter(({ id }) => olds.has(id));
  return {
    ...cellsOf(before, after),
    insertedSections: new Set(after.filter(({ id }) => !olds.has(id)).map(({ id }) => id)),
    deletedSections: new Set(before.filter(({ id }) => !ids.has(id)).map(({ id }) => id)),
    movedSections: new Set(after.filter(({ id }, index) => olds.has(id) && !stay.has(index)).map(({ id }) => id)),
    updatedHeaders: updatedViews('header', kept, olds),
    updatedFooters: updatedViews('footer', kept, olds),
  };
}

function none() {
  const [inserted, deleted, moved, updated] = [new Map(), new Map(), new Map(), new Map()];
  return {
    inserted, deleted, moved, updated, insertedSections: new Set(), deletedSections: new Set(), movedSections: new Set(),
    updatedHeaders: new Set(), updatedFooters: new Set(),
  };
}

function add(cells, more) {
  for (const cell of more) cells.set(cell.id, cell);
}

function run(sections, section, item, count) {
  return sections[section].cells.slice(item, item + count);
}

function isOther(old, view) {
  return old !== undefined && view !== undefined && !isSame(old, view);
}

function cellsOf(before, after) {
  const olds = placesOf(before);
  const found = none();
  for (const { id, cells } of after) {
    const places = cells.map((cell) => (olds.get(cell.id)?.section === id ? olds.get(cell.id).index : -1));
    const stay = staying(places);
    cells.forEach((cell, index) => {
      const old = olds.get(cell.id);
      if (!old) found.inserted.set(cell.id, cell);
      else if (!stay.has(index)) found.moved.set(cell.id, cell);
      if (old && !isSame(old.cell, cell)) found.updated.set(cell.id, cell);
      olds.delete(cell.id);
    });
  }
  for (const [id, { cell }] of olds) found.deleted.set(id, cell);
  return found;
}

function placesOf(sections) {
  return new Map(sections.flatMap(({ id, cells }) => cells.map((cell, index) => [cell.id, { section: id, index, cell }])));
}

function updatedViews(key, kept, olds) {
  return new Set(kept.filter((section) => isOther(olds.get(section.id).section[key], section[key])).map(({ id }) => id));
}
