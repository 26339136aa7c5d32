import { Client } from '../relist/client.js';
import { ListView } from '../relist/render.js';
import { isShownInPhone, ParameterForm } from './catalog.js';
import { Phone } from './phone.js';
import { phrases, sentence } from './phrases.js';
import { Showing } from './showing.js';

/** A phone with a client. */
export class Device {
  /** The inspector and the edits refer to phone 1. */
  number;
  node;
  phone;
  client;
  list;
  showing;
  form;
  #page;
  #view;
  #sentWidth;
  #back;
  #observer = new ResizeObserver(() => this.#resize());
  #actions;
  #focusing;
  #outage;
  /** The number of views that the user has requested. Their differences are not changes. */
  #requests = 0;

  /**
   * @param {HTMLTemplateElement} template
   * @param {number} number
   * @param {object} page the functions of `page.js`
   */
  constructor(template, number, page) {
    this.number = number;
    this.#page = page;
    this.node = template.content.firstElementChild.cloneNode(true);
    const part = (name) => this.node.querySelector(`[data-ui="${name}"]`);
    if (number === 1) for (const one of this.node.querySelectorAll('[data-ui]')) one.id = one.dataset.ui;
    else part('title').setAttribute('aria-level', '2');
    this.part = part;
    part('name').id = `phone-${number}`;
    this.node.setAttribute('aria-labelledby', part('name').id);
    this.phone = new Phone(part, number, {
      onPresent: () => page.onPresent(), onShow: () => this.showing.show(), onLook: (id) => this.list.reveal(id),
      onPause: () => this.pause(!this.showing.isPaused),
      onConnection: (state) => number === 1 && page.announce('state', state),
      onNotice: (notice) => this.#focusing?.reveal(notice),
      onNoticeLeft: () => (this.#focusing?.row ?? part('list')).focus({ preventScroll: true }),
    });
    this.list = new ListView(part('list'), {
      scroller: part('scroll'), href: page.href, onSelect: (choice, source) => this.#choose(choice, source),
      more: (locale) => phrases(locale).more, level: number + 1,
    });
    this.showing = new Showing(this.list, {
      onShown: (snapshot, shown) => this.#shown(snapshot, shown), onStage: page.onStage,
      onWaiting: (waiting) => this.phone.update({ waiting, holder: this.#focusing?.holder }),
    });
    this.client = new Client({
      live: true, fetch: page.fetch((exchange) => page.onExchange(exchange, this)), token: page.token,
      onExchange: (exchange) => page.onExchange(exchange, this),
      onDocument: (taken) => this.#take(taken),
      onState: (connection, error) => {
        this.phone.update({ connection });
        this.#outage?.note(connection);
        if (connection === 'live') page.onShown();
        if (error?.exchange?.status === 401) page.onUnauthorized();
        else if (error && this.list.snapshot) this.showError(error);
      },
    });
    this.form = new ParameterForm(part('query'), page.change);
    part('back').addEventListener('click', (event) => this.#goBack(event));
    this.#observer.observe(part('scroll'));
  }

  async show(view, { scrollTop, title }) {
    if (view.screen !== this.#view?.screen) this.#clear(title);
    this.leavePast();
    this.#view = view;
    this.phone.locale = view.locale;
    this.showing.options = { locale: view.locale, scrollTop };
    this.form.show((this.#page.described()?.parameters ?? []).filter(isShownInPhone), view.parameters, this.phone.phrases);
    this.#requests += 1;
    try {
      await this.showing.during(this.client.show(view.screen, { ...this.#withWidth(view.parameters), locale: view.locale }));
    } finally {
      this.#requests -= 1;
      this.#showHeld(view);
    }
    // The user may have navigated elsewhere.
    if (this.#view !== view) return;
    this.form.showErrors(new Map());
    this.phone.update({ problem: undefined });
    this.list.relink();
  }

  /** Shows the held snapshot again after another screen could not be loaded. */
  #showHeld({ screen }) {
    const { held } = this.client;
    const isMissing = this.list.snapshot === undefined && this.#view?.screen === screen;
    if (isMissing && held?.screen === screen) this.showing.take({ outcome: 'replace', after: held });
  }

  /** Shows why a view could not be loaded. The notice of a temporary failure disappears when a stream opens. */
  showError(error, retry) {
    this.#showProblem(sentence(error, this.phone.phrases), retry, error.isTemporary);
  }

  /** Returns a function that removes the notice. */
  #showProblem(text, retry, isTemporary, kind) {
    const problem = { text, act: retry && { text: this.phone.phrases.retry, perform: retry }, isTemporary, kind };
    this.phone.update({ problem });
    return () => this.phone.remove(problem);
  }

  pause(isPaused) {
    this.showing.pause(isPaused);
    this.phone.update({ isPaused });
  }

  /** Performs an action without a form, as `ActionRunner.perform` does. @returns {Promise<boolean>} whether it succeeded */
  perform(...request) {
    return this.#act((actions) => actions.perform(...request));
  }

  /** @param {object} action @param {HTMLElement} source receives the focus afterwards */
  begin(action, source) {
    this.#act((actions) => actions.choose({ view: { type: action.name, title: action.title ?? action.name }, action }, source));
  }

  handleBack() {
    return this.sheet?.handleBack() ?? false;
  }

  remove() {
    this.sheet?.close();
    this.#observer.disconnect();
    this.client.close();
    this.node.remove();
  }

  #choose(choice, source) {
    if (choice.link) {
      const visit = (opened) => this.#page.visit(choice.link, choice.isFooter, opened);
      return this.#focusing ? this.#focusing.follow(source, visit) : visit();
    }
    return this.#act((actions) => actions.choose(choice, source));
  }

  /** Moves the focus to the link of a cell, or to the title. @param {string=} opened the id of the cell */
  focus(opened = '') {
    (this.part('list').querySelector(`[data-id="${CSS.escape(opened)}"] > a`) ?? this.part('title')).focus();
  }

  /** Loads the modules for actions and for the focus. @returns {Promise<boolean>} false if they could not be loaded */
  async prepare() {
    const modules = [import('./acting/acting.js'), import('./acting/sheet.js'), import('./focusing.js'), import('./outage.js')];
    const files = [...modules, loadStyle('styles/later.css')];
    const [acting, sheet, focusing, outage] = await Promise.all(files).catch(() => []);
    if (acting) {
      this.#actions ??= this.#createActions(acting, sheet);
      this.#focusing ??= new focusing.Focusing(this);
      this.#outage ??= new outage.Outage(this.client, this.phone);
    }
    return this.#actions !== undefined;
  }

  /**
   * Calls a function with the action runner, at once if possible, because a mobile browser opens the keyboard only within the user's
   * gesture.
   */
  #act(body) {
    this.#page.closeOtherSheets(this);
    this.leavePast();
    return this.#actions ? body(this.#actions) : this.#loadAndAct(body, this.client.view);
  }

  async #loadAndAct(body, view) {
    const isLoaded = await this.prepare();
    // The action belongs to the view that was shown.
    if (this.client.view !== view) return false;
    if (isLoaded) this.phone.update({ problem: undefined });
    else this.#showProblem(this.phone.phrases.unreachable, () => this.#act(body));
    return isLoaded && body(this.#actions);
  }

  /** The user must see the result of a request. */
  leavePast() {
    if (this.showing.isPast) this.#page.onPresent();
  }

  #createActions({ ActionRunner }, { Sheet }) {
    const { client, showing, list, part } = this;
    const behind = ['bar', 'scroll', 'notice'].map(part);
    this.sheet = new Sheet(part('sheet'), behind, () => this.#view?.locale, () => this.phone.update({}));
    const describe = (name) => this.#page.described()?.actions?.find((action) => action.name === name);
    const performer = {
      get view() { return client.view; }, get held() { return client.held; }, get shown() { return list.snapshot; },
      perform: (...request) => showing.during(client.perform(...request)),
    };
    return new ActionRunner(performer, this.sheet, describe, (...problem) => this.#showProblem(...problem), () => this.phone.phrases);
  }

  #take(taken) {
    this.#page.onDocument(taken, this);
    const isNew = ['apply', 'replace'].includes(taken.outcome);
    if (!isNew || taken.after.screen !== this.#view?.screen) return;
    this.showing.take(taken);
    // The time of a change that was held back is not the time of its transmission.
    if (this.list.snapshot === taken.after) requestAnimationFrame(() => this.#page.onDrawn(taken.after.version, this.number));
    this.#actions?.refresh();
  }

  #shown(snapshot, shown) {
    const title = snapshot.title || this.#page.described()?.title || snapshot.screen;
    this.#showBack(snapshot);
    this.phone.show(snapshot, title);
    if (shown) this.phone.showOutOfSight(shown);
    this.#page.onShown();
    if (this.number !== 1) return;
    if (shown && this.#requests === 0) this.#page.announce('change', shown);
    this.#page.onTitle(title);
  }

  /** Shows the link to the previous view in the bar, or the link back in the first header. */
  #showBack({ sections: [first] }) {
    const { link, title } = first?.header?.type === 'back' ? first.header : {};
    const href = link && this.#page.href(link);
    this.#back = href ? { text: title, href, link } : this.#page.wayBack();
    this.phone.showBack(this.#back);
  }

  #goBack(event) {
    event.preventDefault();
    if (this.#back?.link) this.#page.visit(this.#back.link, false);
    else history.back();
  }

  showNothing(title, state) {
    this.#clear(title);
    this.#view = undefined;
    this.client.unfollow();
    this.phone.update(state);
  }

  #clear(title) {
    this.sheet?.close();
    this.list.clear();
    this.showing.clear();
    this.phone.clear(title);
    if (this.number === 1) this.#page.onTitle(title);
  }

  /** Adds the width of the list, if the screen has a parameter `width`. */
  #withWidth(parameters) {
    const wanted = this.#page.described()?.parameters?.find(({ name }) => name === 'width');
    this.#sentWidth = this.phone.width;
    if (!wanted || parameters.width !== undefined || !(this.#sentWidth > 0)) return parameters;
    return String(this.#sentWidth) === String(wanted.default) ? parameters : { ...parameters, width: String(this.#sentWidth) };
  }

  #resize() {
    const isWanted = this.#page.described()?.parameters?.some(({ name }) => name === 'width');
    // The list has no width while a narrow window shows the inspector.
    if (!isWanted || !(this.phone.width > 0) || this.phone.width === this.#sentWidth || !this.#view) return;
    const { screen, parameters, locale } = this.#view;
    const width = this.client.show(screen, { ...this.#withWidth(parameters), locale });
    this.showing.during(width).then(() => this.#page.onWidth(), () => {});
  }
}

/** The phones of the page: two in a wide window. */
export class Devices {
  /** @type {Device[]} */
  all = [];
  #template;
  #parent;
  #page;
  #isWide = matchMedia('(min-width: 64rem)');

  constructor(template, parent, page) {
    this.#template = template;
    this.#parent = parent;
    this.#page = page;
    this.#add();
    document.addEventListener('visibilitychange', () => this.callClients(document.hidden ? 'pause' : 'resume'));
    const methods = { pagehide: 'pause', pageshow: 'resume', online: 'retryNow', offline: 'dropConnection' };
    for (const [event, method] of Object.entries(methods)) window.addEventListener(event, () => this.callClients(method));
    this.#isWide.addEventListener('change', () => this.update());
  }

  get first() {
    return this.all[0];
  }

  update() {
    if (this.#isWide.matches === this.all.length > 1 || !this.#page.isReady()) return;
    if (!this.#isWide.matches) {
      this.all.pop().remove();
      return;
    }
    const second = this.#add();
    second.prepare();
    this.#page.onAdded(second);
  }

  async prepare() {
    await Promise.all(this.all.map((device) => device.prepare()));
  }

  /** @param {'pause' | 'resume' | 'retryNow' | 'dropConnection' | 'reset'} method */
  callClients(method) {
    for (const { client } of this.all) client[method]();
  }

  closeOtherSheets(open) {
    for (const device of this.all) if (device !== open) device.sheet?.close();
  }

  /** Makes all sheets give up their history entries, because the address is replaced. */
  releaseHistoryEntries() {
    for (const device of this.all) device.sheet?.releaseHistoryEntry();
  }

  handleBack() {
    return this.all.map((device) => device.handleBack()).includes(true);
  }

  #add() {
    const device = new Device(this.#template, this.all.length + 1, this.#page);
    this.#parent.append(device.node);
    this.all.push(device);
    return device;
  }
}

const loaded = new Map();

/** Loads a style sheet once. If this fails, the next call loads it again. @param {string} href */
export function loadStyle(href) {
  if (!loaded.has(href)) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    loaded.set(href, new Promise((resolve, reject) => { Object.assign(link, { onload: resolve, onerror: reject }); }));
    loaded.get(href).catch(() => {
      loaded.delete(href);
      link.remove();
    });
    document.head.append(link);
  }
  return loaded.get(href);
}
