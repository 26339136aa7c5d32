// A list view that a test creates on the page. It records the nodes that a change touches.
const { ListView, register } = await import('/relist/render.js');
const { play } = await import('/relist/changeset.js');

class Stage {
  chosen = [];

  constructor(height = 600, place = document.body) {
    place.replaceChildren();
    this.scroller = place.appendChild(document.createElement('div'));
    this.scroller.className = 'scroll';
    this.scroller.style.setProperty('height', `${height}px`);
    this.root = this.scroller.appendChild(document.createElement('div'));
    this.list = new ListView(this.root, {
      scroller: this.scroller, href: () => undefined, onSelect: (choice) => this.chosen.push(choice),
    });
  }

  /** Shows a snapshot, and waits for the animations that the list loads after it. */
  async snapshot(sections, layout = 'table') {
    this.held = { kind: 'snapshot', screen: 'stage', version: 'v1', layout, sections };
    this.list.render(this.held);
    await import('/relist/render/motion.js');
  }

  /** Applies stages, and returns the order of the cells, the touched nodes, and the running animations. */
  change(...stages) {
    this.nodes = this.byId();
    const observer = new MutationObserver(() => {});
    observer.observe(this.root, { subtree: true, childList: true, attributes: true, characterData: true });
    const from = this.held.version;
    this.shown = this.list.play(play(this.held, { kind: 'changeset', screen: 'stage', from, version: `${from}'`, stages }));
    this.held = this.list.snapshot;
    this.touched = new Set(observer.takeRecords().flatMap((record) => this.#cellsOf(record)));
    return { order: this.order(), animations: this.animations(), same: this.same(), touched: [...this.touched].sort() };
  }

  #cellsOf({ type, target, addedNodes, removedNodes }) {
    const inside = target.closest?.('.cell') ?? target.parentElement?.closest('.cell');
    const own = type === 'childList' ? [...addedNodes, ...removedNodes].filter((node) => node.matches?.('.cell')) : [];
    return [...(inside ? [inside] : []), ...own].map((node) => node.dataset.id);
  }

  byId() {
    return new Map([...this.root.querySelectorAll('.cell')].map((node) => [node.dataset.id, node]));
  }

  order() {
    return [...this.root.querySelectorAll('.section')].map((section) => (
      [section.dataset.id, ...[...section.querySelectorAll('.cell')].map((node) => node.dataset.id)].join(' ')
    ));
  }

  /** Returns the ids of the cells that have the same nodes as before the last change. */
  same() {
    return [...this.byId()].filter(([id, node]) => this.nodes.get(id) === node).map(([id]) => id);
  }

  animations() {
    return document.getAnimations().filter(({ effect }) => this.scroller.contains(effect.target)).map(({ id, effect }) => {
      const cell = effect.target.closest('.cell');
      return `${id} ${cell ? cell.dataset.id : effect.target.closest('.header, .footer').className}`;
    }).sort();
  }

  async settled() {
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
    await new Promise((resolve) => { requestAnimationFrame(resolve); });
  }
}

const cell = (id, content = {}) => ({ id, type: 'row', title: `Cell ${id}`, ...content });
const section = (id, cells, views = {}) => (
  { id, cells: cells.map((one) => (typeof one === 'string' ? cell(one) : one)), ...views }
);
