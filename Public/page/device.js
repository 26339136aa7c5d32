import { Client } from '../relist/client.js';
import { ListView } from '../relist/render.js';
import { isShownInPhone, ParameterForm } from './addressing.js';
import { Phone } from './phone.js';
import { phrases, sentence } from './phrases.js';
import './renderers.js';
import { Showing } from './showing.js';

/**
 * What a device asks of the page that it is on.
 *
 * @typedef {object} Page
 * @property {import('../relist/client.js').TokenSource} token
 * @property {() => void} onRefused it has to be said who asks
 * @property {() => object | undefined} described the screen that is shown, as the server describes it
 * @property {(link: {screen: string, parameters?: object}) => string | undefined} href
 * @property {(link: object, isFooter: boolean) => void} visit
 * @property {() => {text: string, href: string} | undefined} wayBack
 * @property {(changed: Object<string, string | undefined>) => void} change parameters
 * @property {(exchange: import('../relist/client.js').Exchange, device: Device) => void} onExchange
 * @property {(taken: import('../relist/client.js').Taken, device: Device) => void} onTaken
 * @property {(text: string) => void} tell those who do not see it
 * @property {(taken: import('../relist/client.js').Taken, stage: number) => void} onStage
 * @property {() => void} onPresent somebody wants to look at the present again
 * @property {(title: string) => void} onTitle
 * @property {() => void} onShown a list is there
 * @property {() => void} onWidth another width was sent
 * @property {(device: Device) => void} closeOtherSheets
 */

/** One phone with a client of its own. */
export class Device {
  /** 1 for the one that everything else on the page is about. */
  number;
  node;
  phone;
  client;
  list;
  showing;
  #page;
  #form;
  #view;
  #toldWidth;
  #back;
  #observer = new ResizeObserver(() => this.#resize());
  #acting;
  #loading;

  /**
   * @param {HTMLTemplateElement} template
   * @param {number} number
   * @param {Page} page
   * @param {typeof fetch} fetch
   */
  constructor(template, number, page, fetch) {
    this.number = number;
    this.#page = page;
    this.node = template.content.firstElementChild.cloneNode(true);
    const part = (name) => this.node.querySelector(`[data-ui="${name}"]`);
    if (number === 1) for (const one of this.node.querySelectorAll('[data-ui]')) one.id = one.dataset.ui;
    else part('title').setAttribute('role', 'presentation');
    this.part = part;
    this.phone = new Phone(part, {
      onPresent: () => page.onPresent(), onShow: () => this.showing.show(), onLook: (id) => this.list.reveal(id),
      onPause: () => this.pause(!this.showing.isPaused),
    });
    this.list = new ListView(part('list'), {
      scroller: part('scroll'), href: page.href, onChoose: (choice, source) => this.#choose(choice, source),
      more: (locale) => phrases(locale).more,
    });
    this.showing = new Showing(this.list, {
      onShown: (snapshot, shown) => this.#shown(snapshot, shown), onStage: page.onStage,
      onWaiting: (waiting) => this.phone.say({ waiting }),
    });
    this.client = new Client({
      live: true, fetch, token: page.token, onExchange: (exchange) => page.onExchange(exchange, this), onTaken: (taken) => this.#take(taken),
      onState: (connection, error) => {
        this.phone.say({ connection });
        if (error?.exchange?.status === 401) page.onRefused();
        else if (error && this.list.snapshot) this.complain(error);
      },
    });
    this.#form = new ParameterForm(part('query'), page.change);
    part('back').addEventListener('click', (event) => this.#goBack(event));
    this.#watchTouches(part('list'));
    this.#observer.observe(part('scroll'));
  }

  /**
   * Comes to show a view.
   *
   * @param {{screen: string, parameters: Object<string, string>, locale: string}} view
   * @param {{scrollTop?: number, title: string}} options
   * @returns {Promise<void>}
   * @throws {import('../relist/client.js').ClientError} of the first attempt
   */
  async show(view, { scrollTop, title }) {
    if (view.screen !== this.#view?.screen) this.#leave(title);
    this.#view = view;
    this.phone.locale = view.locale;
    this.showing.options = { locale: view.locale, scrollTop };
    this.showForm(view.parameters);
    try {
      await this.showing.during(this.client.show(view.screen, { ...this.#withWidth(view.parameters), locale: view.locale }));
    } finally {
      this.#showHeld(view);
    }
    // What is said now is of something else.
    if (this.#view !== view) return;
    this.#form.complain(new Map());
    this.phone.say({ problem: undefined });
    this.list.relink();
  }

  /** Nothing new comes for a screen that was left for one that failed; its list is shown again. */
  #showHeld({ screen }) {
    const { held } = this.client;
    const isMissing = this.list.snapshot === undefined && this.#view?.screen === screen;
    if (isMissing && held?.screen === screen) this.showing.take({ outcome: 'replace', after: held });
  }

  /** @param {Object<string, string>} values of the parameters */
  showForm(values) {
    const parameters = (this.#page.described()?.parameters ?? []).filter(isShownInPhone);
    this.#form.show(parameters, values, this.phone.phrases);
  }

  /** Says what is wrong with parameters at their controls. @param {Map<string, string>} errors by name */
  complainOfParameters(errors) {
    this.#form.complain(errors);
  }

  /** Of a question: that it could not be asked is over when the server is there again. */
  complain(error, retry) {
    this.#complain(sentence(error, this.phone.phrases), retry, error.reason === 'unreachable');
  }

  /** Of an action: it waits to be sent again, also when the server is there. */
  #complainOfAction(error, retry) {
    const said = this.phone.phrases;
    this.#complain(error.reason === 'unreachable' ? said.unheard : sentence(error, said), retry, false);
  }

  #complain(text, retry, isPassing) {
    this.phone.say({ problem: { text, act: retry && { text: this.phone.phrases.retry, perform: retry }, isPassing } });
  }

  /** @returns {Object<string, string>} the parameters as they were sent */
  get sentParameters() {
    return this.client.view?.parameters ?? {};
  }

  /** @param {boolean} isPaused whether what others change waits */
  pause(isPaused) {
    this.showing.pause(isPaused);
    this.phone.say({ isPaused });
  }

  /** Performs an action for which nothing has to be asked, of the view that is shown or of another. @returns {Promise<boolean>} whether it was done */
  perform(name, input, view) {
    return this.#act((acting) => acting.perform(name, input, view));
  }

  /** Asks for what is missing, and performs an action. @param {object} action @param {HTMLElement} source gets the focus back */
  begin(action, source) {
    this.#act((acting) => acting.choose({ view: { type: action.name, title: action.title ?? action.name }, action }, source));
  }

  /** Somebody went back. @returns {boolean} whether that only closed a sheet */
  handlesBack() {
    return this.sheet?.handlesBack() ?? false;
  }

  remove() {
    this.sheet?.close();
    this.#observer.disconnect();
    this.client.close();
    this.node.remove();
  }

  #choose(choice, source) {
    if (choice.link) return this.#page.visit(choice.link, choice.isFooter);
    return this.#act((acting) => acting.choose(choice, source));
  }

  /** Gets ready to be acted on: a server that is out of reach by then could not bring what it takes. */
  async prepare() {
    this.#acting = await this.#load();
  }

  /** At once, where all is there: who opens a sheet expects the keyboard with it. */
  #act(deed) {
    this.#page.closeOtherSheets(this);
    return this.#acting ? deed(this.#acting) : this.#load().then(deed);
  }

  #load() {
    this.#loading ??= Promise.all([import('./acting/acting.js'), import('./acting/sheet.js'), loadStyle('styles/sheet.css')]).then(([{ Acting }, { Sheet }]) => {
      this.sheet = new Sheet(this.part('sheet'), [this.part('bar'), this.part('scroll')], () => this.#view?.locale, () => this.phone.say({}));
      const describe = (name) => this.#page.described()?.actions?.find((action) => action.name === name);
      const { client, showing } = this;
      const acted = { get view() { return client.view; }, perform: (...deed) => showing.during(client.perform(...deed)) };
      return new Acting(acted, this.sheet, describe, (error, retry) => this.#complainOfAction(error, retry), () => this.phone.phrases);
    });
    return this.#loading;
  }

  #take(taken) {
    this.#page.onTaken(taken, this);
    const isNew = ['apply', 'replace'].includes(taken.outcome);
    if (isNew && taken.after.screen === this.#view?.screen) this.showing.take(taken);
  }

  #shown(snapshot, shown) {
    const title = snapshot.title || this.#page.described()?.title || snapshot.screen;
    this.#showBack(snapshot);
    this.phone.show(snapshot, title);
    const text = this.phone.told(shown);
    if (this.number !== 1) return;
    if (text) this.#page.tell(text);
    this.#page.onTitle(title);
    this.#page.onShown();
  }

  /** A list that leads back itself does so in the bar, above its title. */
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

  /** Shows nothing, and says why. @param {string} title @param {import('./phone.js').State} state */
  showNothing(title, state) {
    this.#leave(title);
    this.#view = undefined;
    this.client.leave();
    this.phone.say(state);
  }

  #leave(title) {
    this.sheet?.close();
    this.list.clear();
    this.showing.clear();
    this.phone.clear(title);
    if (this.number === 1) this.#page.onTitle(title);
  }

  /** A screen that wants to know how wide its frame is, is told. */
  #withWidth(parameters) {
    const wanted = this.#page.described()?.parameters?.find(({ name }) => name === 'width');
    this.#toldWidth = this.phone.width;
    if (!wanted || parameters.width !== undefined || !(this.#toldWidth > 0)) return parameters;
    return String(this.#toldWidth) === String(wanted.default) ? parameters : { ...parameters, width: String(this.#toldWidth) };
  }

  #resize() {
    const isWanted = this.#page.described()?.parameters?.some(({ name }) => name === 'width');
    // While the other pane is shown the list has no width.
    if (!isWanted || !(this.phone.width > 0) || this.phone.width === this.#toldWidth || !this.#view) return;
    const { screen, parameters, locale } = this.#view;
    const width = this.client.show(screen, { ...this.#withWidth(parameters), locale });
    this.showing.during(width).then(() => this.#page.onWidth(), () => {});
  }

  #watchTouches(list) {
    let isOver = false;
    let isFocused = false;
    const tell = () => this.showing.touch(isOver || isFocused);
    const over = (value) => () => {
      isOver = value;
      tell();
    };
    for (const name of ['pointerover', 'pointerdown']) list.addEventListener(name, over(true));
    for (const name of ['pointerleave', 'pointercancel']) list.addEventListener(name, over(false));
    list.addEventListener('focusin', ({ target }) => {
      isFocused = target !== list && target.matches(':focus-visible');
      tell();
    });
    list.addEventListener('focusout', () => {
      isFocused = false;
      tell();
    });
  }
}

const loaded = new Map();

/** Adds a style sheet that is only needed later. @param {string} href @returns {Promise<void>} resolves when it is there */
export function loadStyle(href) {
  if (!loaded.has(href)) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    // A sheet that cannot be had leaves plain what it would have styled.
    loaded.set(href, new Promise((resolve) => { link.onload = link.onerror = () => resolve(); }));
    document.head.append(link);
  }
  return loaded.get(href);
}
