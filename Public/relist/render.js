import { element } from './elements.js';
import { FocusKeeper, existing, isSame, reuse, place, stationary } from './render/dom.js';
import { Registry, register, registry as standard } from './render/registry.js';
import { RowFiller, RowNode, SectionNode } from './render/rows.js';
import { Viewport, isMotionReduced } from './render/viewport.js';

export { Registry, register };
export { setParts } from './elements.js';
export { nameOf, rowOf, viewMembers, words } from './render/registry.js';

/** The maximum number of cells of a list that is filled at once. */
const large = 400;

/**
 * @typedef {import('./protocol.js').Cell} Cell
 * @typedef {import('./protocol.js').Link} Link
 * @typedef {import('./protocol.js').Section} Section
 * @typedef {import('./protocol.js').Snapshot} Snapshot
 * @typedef {import('./protocol.js').Stage} Stage
 * @typedef {import('./protocol.js').View} View
 * @typedef {import('./changeset.js').Step} Step
 * @typedef {import('./render/rows.js').Choice} Choice
 * @typedef {import('./render/viewport.js').Verb} Verb
 */

/**
 * The difference between two lists, by the ids of cells and sections. A cell that moved and changed is in both `moved` and `updated`.
 *
 * @typedef {object} Difference
 * @property {Map<string, Cell>} inserted
 * @property {Map<string, Cell>} deleted
 * @property {Map<string, Cell>} moved
 * @property {Map<string, Cell>} updated
 * @property {Set<string>} insertedSections
 * @property {Set<string>} deletedSections
 * @property {Set<string>} movedSections
 * @property {Set<string>} updatedHeaders sections whose header existed and changed
 * @property {Set<string>} updatedFooters
 */

/** @typedef {Difference & {outOfSight: import('./render/viewport.js').OutOfSight}} Shown a difference that a list shows */

/**
 * Shows a screen as a list and animates its changesets.
 *
 * Each section and each cell has one node. A cell keeps its node, even when it moves to another section.
 *
 * @example
 * register('silo', { configure: (element, cell) => setParts(element, { title: cell.name, value: cell.level }) });
 * const list = new ListView(root, { scroller, href: ({ screen }) => `#${screen}`, onSelect: ({ action }) => perform(action) });
 * list.render(snapshot);
 * list.play(play(list.snapshot, changeset));
 */
export class ListView {
  #root;
  #ghosts = element('div', 'ghosts');
  #viewport;
  #speed = 1;
  /**
   * The animations. Until they are loaded, changes show without them.
   *
   * @type {import('./render/motion.js').Motion | undefined}
   */
  #motion;
  #isLoadingMotion = false;
  #filling = new RowFiller();
  /** @type {import('./render/rows.js').RowContext} */
  #context;
  /** @type {string | undefined} */
  #locale;
  /** @type {Snapshot | undefined} */
  #snapshot;
  /** @type {Map<string, SectionNode>} */
  #sections = new Map();
  /** @type {Map<string, RowNode>} */
  #cells = new Map();

  /**
   * @param {HTMLElement} root
   * @param {object} options
   * @param {HTMLElement} options.scroller scrolls the list
   * @param {(link: Link) => string | undefined} options.href returns the address of a link, or undefined if it opens nothing
   * @param {(choice: Choice, element: HTMLElement) => void} options.onSelect called with a selected link or action, or with several actions
   *   to choose from
   * @param {import('./render/registry.js').Registry=} options.registry
   * @param {((locale: string | undefined) => string)=} options.more returns the name of the button for several actions
   * @param {number=} options.level the level of the headings of sections
   */
  constructor(root, { scroller, href, onSelect, registry = standard, more = () => 'More', level = 2 }) {
    this.#root = root;
    root.classList.add('list');
    this.#ghosts.inert = true;
    this.#ghosts.setAttribute('aria-hidden', 'true');
    root.before(this.#ghosts);
    this.#viewport = new Viewport(scroller);
    this.#context = {
      registry, href, level, choices: new WeakMap(), more: () => more(this.#locale),
      fill: (row, view) => this.#filling.fill(row, () => row.show(view, this.#context)),
    };
    root.addEventListener('click', (event) => {
      const chosen = /** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest('a, button'));
      const choice = this.#context.choices.get(chosen);
      if (!choice || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onSelect(choice, chosen);
    });
  }

  /**
   * The shown snapshot.
   *
   * @returns {Snapshot | undefined}
   */
  get snapshot() {
    return this.#snapshot;
  }

  /**
   * The speed of animations.
   *
   * @param {number} speed 1 is normal, 0.2 is slow motion
   */
  set speed(speed) {
    this.#speed = speed;
  }

  /**
   * A promise that resolves when all animations have ended.
   *
   * @returns {Promise<void>}
   */
  get settled() {
    return this.#motion?.settled ?? Promise.resolve();
  }

  /**
   * Performs the stages of an applied changeset one after the other, like `performBatchUpdates`.
   *
   * @param {import('./changeset.js').Played} played the result of `play`, or `{ snapshot: after, steps }` of a `DocumentResult`
   * @param {{scrollTop?: number, locale?: string}} options `scrollTop` is the scroll position afterwards, by default the current one
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
   * Shows a snapshot. If the same screen is shown, the difference is animated.
   *
   * @param {Snapshot} snapshot
   * @param {{locale?: string, scrollTop?: number}} options
   * @returns {Shown | undefined} undefined if the list was empty or showed another screen
   */
  render(snapshot, { locale, scrollTop } = {}) {
    this.#locale = locale;
    if (snapshot.screen !== this.#snapshot?.screen) this.clear();
    if (this.#snapshot) {
      return this.#move(snapshot, difference(this.#snapshot.sections, snapshot.sections), scrollTop, () => this.#show(snapshot));
    }
    this.#fillFirst(snapshot);
    this.#show(snapshot);
    if (scrollTop !== undefined) this.#viewport.scroll(scrollTop);
    this.#loadMotion();
    return undefined;
  }

  clear() {
    this.#motion?.clear();
    this.#filling.clear();
    this.#snapshot = undefined;
    this.#sections = new Map();
    this.#cells = new Map();
    this.#root.replaceChildren();
  }

  /**
   * Highlights only the given cells and sections.
   *
   * @param {{cells: string[], sections: string[], verb?: string}} target `verb` is written to `data-lit` and sets the colour
   */
  highlight({ cells, sections, verb = '' }) {
    for (const node of this.#root.querySelectorAll('[data-lit]')) node.removeAttribute('data-lit');
    const named = [...cells.map((id) => this.#cells.get(id)), ...sections.map((id) => this.#sections.get(id))];
    const nodes = /** @type {(RowNode | SectionNode)[]} */ (named.filter(Boolean));
    for (const { node } of nodes) node.dataset.lit = verb;
    nodes[0]?.node.scrollIntoView({ block: 'nearest' });
  }

  /** Updates the links, because `href` may depend on the address of the page. */
  relink() {
    for (const row of this.#cells.values()) row.relink(this.#context);
  }

  /**
   * Scrolls to a change outside of the viewport.
   *
   * @param {string} id of `outOfSight`
   */
  reveal(id) {
    const behavior = isMotionReduced() ? 'auto' : 'smooth';
    const node = this.#cells.get(id)?.node;
    if (node) node.scrollIntoView({ block: 'center', behavior });
    else this.#viewport.reveal(id, behavior);
  }

  /**
   * @param {Snapshot} after
   * @param {Difference} change
   * @param {number | undefined} scrollTop
   * @param {() => void} perform
   */
  #move(after, change, scrollTop, perform) {
    const focus = new FocusKeeper(this.#root);
    this.#viewport.measure(this.#leaves());
    this.#fillFirst(after);
    perform();
    const verbs = this.#verbs(change);
    this.#motion?.stop();
    const outOfSight = this.#viewport.settle(verbs, scrollTop);
    this.#motion?.play(verbs, this.#speed);
    this.#loadMotion();
    focus.restore();
    return { ...this.#shown(change), outOfSight };
  }

  /** Loads the animations. If they cannot be loaded, the next change tries again. */
  async #loadMotion() {
    if (this.#motion || this.#isLoadingMotion) return;
    this.#isLoadingMotion = true;
    try {
      const { Motion } = await import('./render/motion.js');
      this.#motion = new Motion(this.#viewport, this.#ghosts);
    } catch {
      this.#isLoadingMotion = false;
    }
  }

  /** @param {Step} step */
  #perform(step) {
    const change = changeOf([step]);
    /** @type {Set<Element>} */
    const moving = new Set();
    for (const cell of change.updated.values()) this.#context.fill(existing(this.#cells, cell.id), cell);
    for (const id of change.deleted.keys()) {
      existing(this.#cells, id).node.remove();
      this.#cells.delete(id);
    }
    for (const cell of change.inserted.values()) moving.add(this.#insert(cell));
    for (const id of change.moved.keys()) moving.add(existing(this.#cells, id).node);
    this.#performOnSections(step, change);
    for (const [index, section] of step.after.entries()) this.#arrange(section, step.before[index], moving);
  }

  /**
   * Renders a section again if a stage has changed its content. A stage that inserts, deletes or moves sections changes no content.
   *
   * @param {Section} section
   * @param {Section | undefined} before the section with the same index before the stage
   * @param {Set<Element>} moving
   */
  #arrange(section, before, moving) {
    if (section === before || section.id !== before?.id) return;
    existing(this.#sections, section.id).show(section, this.#cells, this.#context, moving);
  }

  /**
   * @param {Step} step
   * @param {Difference} change
   */
  #performOnSections({ after }, { insertedSections, deletedSections, movedSections }) {
    if (insertedSections.size + deletedSections.size + movedSections.size === 0) return;
    for (const id of deletedSections) existing(this.#sections, id).node.remove();
    const moving = new Set([...movedSections].map((id) => existing(this.#sections, id).node));
    this.#sections = reuse(this.#sections, after, ({ id }) => id, () => new SectionNode());
    for (const section of after.filter(({ id }) => insertedSections.has(id))) {
      const added = existing(this.#sections, section.id);
      moving.add(added.node);
      added.show(section, this.#cells, this.#context);
    }
    place(this.#root, [...this.#sections.values()].map(({ node }) => node), moving);
  }

  /** @param {Cell} cell */
  #insert(cell) {
    const row = cellNode(cell.id);
    this.#cells.set(cell.id, row);
    this.#context.fill(row, cell);
    return row.node;
  }

  /** @param {Snapshot} snapshot */
  #show(snapshot) {
    this.#snapshot = snapshot;
    for (const node of [this.#root, this.#ghosts]) node.classList.toggle('collection', snapshot.layout === 'collection');
    const models = snapshot.sections.flatMap(({ cells }) => cells);
    const olds = this.#cells;
    this.#cells = reuse(olds, models, ({ id }) => id, (id) => cellNode(id));
    for (const [id, { node }] of olds) if (!this.#cells.has(id)) node.remove();
    const sections = reuse(this.#sections, snapshot.sections, ({ id }) => id, () => new SectionNode());
    place(this.#root, [...sections.values()].map(({ node }) => node));
    for (const section of snapshot.sections) {
      for (const cell of section.cells) this.#context.fill(existing(this.#cells, cell.id), cell);
      existing(sections, section.id).show(section, this.#cells, this.#context);
    }
    for (const [id, { node }] of this.#sections) if (!sections.has(id)) node.remove();
    this.#sections = sections;
  }

  /**
   * Prepares to fill rows. In a large list, the visible rows are filled first.
   *
   * @param {Snapshot} snapshot
   */
  #fillFirst({ sections }) {
    const count = sections.reduce((sum, { cells }) => sum + cells.length, 0);
    const seen = count > large ? this.#viewport.visible([...this.#cells.values()].map(({ node }) => node)) : undefined;
    this.#filling.begin(seen && ((row) => seen.has(row.node)));
  }

  /** @param {Difference} change */
  #verbs({ inserted, moved, updated: changed, insertedSections, movedSections, updatedHeaders, updatedFooters }) {
    /** @type {import('./render/viewport.js').Verbs} */
    const verbs = new Map();
    /**
     * @param {HTMLElement} node
     * @param {(Verb | false)[]} named
     */
    const add = (node, ...named) => verbs.set(node, new Set(/** @type {Verb[]} */ (named.filter(Boolean))));
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

  /**
   * Returns a difference without hidden cells, and with the fallbacks that are shown.
   *
   * @param {Difference} change
   */
  #shown(change) {
    const { registry } = this.#context;
    const shown = (/** @type {Map<string, Cell>} */ cells) => {
      /** @type {Map<string, Cell>} */
      const found = new Map();
      for (const [id, cell] of cells) {
        const view = registry.shown(cell);
        if (view) found.set(id, /** @type {Cell} */ (view));
      }
      return found;
    };
    const [inserted, deleted, moved, updated] = [change.inserted, change.deleted, change.moved, change.updated].map(shown);
    return { ...change, inserted, deleted, moved, updated };
  }

  #leaves() {
    return [...this.#sections.values()].flatMap((section) => section.leaves());
  }
}

/** @param {string} id */
function cellNode(id) {
  const row = new RowNode('li', 'cell');
  row.node.dataset.id = id;
  return row;
}

/**
 * The functions that add an operation to a `Difference`. A source is an index in the list before the stage.
 *
 * @type {{[Name in keyof Stage]-?: (operation: NonNullable<Stage[Name]>[number], change: Difference, step: Step) => void}}
 */
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
 * Returns the difference of steps.
 *
 * @param {Step[]} steps
 * @returns {Difference}
 */
export function changeOf(steps) {
  const change = none();
  for (const step of steps) {
    const stage = /** @type {[keyof Stage, never[]][]} */ (Object.entries(step.operations));
    for (const [verb, operations] of stage) {
      for (const operation of operations) verbs[verb](operation, change, step);
    }
  }
  return change;
}

/**
 * Returns the difference of snapshots without a changeset.
 *
 * @param {Section[]} before
 * @param {Section[]} after
 * @returns {Difference}
 */
export function difference(before, after) {
  const olds = new Map(before.map((section, index) => [section.id, { section, index }]));
  const ids = new Set(after.map(({ id }) => id));
  const stay = stationary(after.map(({ id }) => olds.get(id)?.index ?? -1));
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

/** @returns {Difference} */
function none() {
  const [inserted, deleted, moved, updated] = [new Map(), new Map(), new Map(), new Map()];
  return {
    inserted, deleted, moved, updated, insertedSections: new Set(), deletedSections: new Set(), movedSections: new Set(),
    updatedHeaders: new Set(), updatedFooters: new Set(),
  };
}

/**
 * @param {Map<string, Cell>} cells
 * @param {Cell[]} more
 */
function add(cells, more) {
  for (const cell of more) cells.set(cell.id, cell);
}

/**
 * @param {Section[]} sections
 * @param {number} section
 * @param {number} item
 * @param {number} count
 */
function run(sections, section, item, count) {
  return sections[section].cells.slice(item, item + count);
}

/**
 * Returns whether both views exist and differ.
 *
 * @param {View=} old
 * @param {View=} view
 */
function isOther(old, view) {
  return old !== undefined && view !== undefined && !isSame(old, view);
}

/**
 * @param {Section[]} before
 * @param {Section[]} after
 */
function cellsOf(before, after) {
  const olds = placesOf(before);
  const found = none();
  for (const { id, cells } of after) {
    const places = cells.map((cell) => {
      const old = olds.get(cell.id);
      return old?.section === id ? old.index : -1;
    });
    const stay = stationary(places);
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

/**
 * @param {Section[]} sections
 * @returns {Map<string, {section: string, index: number, cell: Cell}>}
 */
function placesOf(sections) {
  return new Map(sections.flatMap(({ id, cells }) => cells.map((cell, index) => [cell.id, { section: id, index, cell }])));
}

/**
 * @param {'header' | 'footer'} key
 * @param {Section[]} kept
 * @param {Map<string, {section: Section}>} olds
 */
function updatedViews(key, kept, olds) {
  return new Set(kept.filter((section) => isOther(existing(olds, section.id).section[key], section[key])).map(({ id }) => id));
}
