import { ClientError } from '../relist/client.js';
import { element, setAttribute, updateChildren } from '../relist/elements.js';
import { formatAddress } from './addressing.js';
import { loadStyle } from './device.js';
import { isShownInPhone, LocaleChoice, ParameterForm } from './catalog.js';
import { loadPhrases, phrases, translate, translated } from './phrases.js';

const part = (id) => document.getElementById(id);

/** Shows the view that the address names, on the phones and around them. */
export class Display {
  #navigation;
  #catalog;
  #devices;
  #session;
  #reports;
  #localeChoice;
  #form;
  /** The last parameters of each screen, to which its link returns. */
  #parameters = new Map();

  constructor({ navigation, catalog, devices, session, reports }) {
    this.#navigation = navigation;
    this.#catalog = catalog;
    this.#devices = devices;
    this.#session = session;
    this.#reports = reports;
    this.#localeChoice = new LocaleChoice(part('locales'), (locale) => navigation.go({ ...navigation.address, locale }));
    this.#form = new ParameterForm(part('parameters'), (changed) => navigation.change(changed));
  }

  async show() {
    const navigation = this.#navigation;
    const wanted = navigation.read(this.#catalog.loaded?.standard);
    const isWanted = () => navigation.address === wanted;
    try {
      if (!this.#catalog.isLoaded(wanted.locale)) await this.#loadCatalog(wanted.locale, isWanted);
      // The user may have navigated elsewhere.
      if (!isWanted()) return false;
      wanted.locale = this.#catalog.loaded.locale;
      if (!wanted.screen) Object.assign(wanted, this.#catalog.opening(wanted.parameters));
      this.#showFrame();
      if (this.#described) {
        await Promise.all(this.#devices.all.map((device) => this.#showOn(device)));
        this.#parameters.set(wanted.screen, wanted.parameters);
        // The width is known now.
        this.showForms();
        this.#form.showErrors(new Map());
      } else this.#showMissingScreen();
      this.#reports.show();
      return isWanted();
    } catch (error) {
      if (isWanted()) this.#fail(error);
      return false;
    } finally {
      if (isWanted()) navigation.scrollTop = undefined;
    }
  }

  /**
   * Shows another view and makes its title known to screen readers. A focus in a phone or nowhere moves to the title, because its element
   * is replaced, or to the link that the user has opened before. Otherwise the title is announced.
   *
   * @param {string=} opened the id of the cell with this link
   */
  async showNext(opened) {
    const { activeElement } = document;
    const { all, first } = this.#devices;
    const device = all.find(({ node }) => node.contains(activeElement)) ?? (activeElement === document.body ? first : undefined);
    const isShown = await this.show();
    // The user may have gone to another control meanwhile. A focus in the list was kept by the list.
    const focused = document.activeElement;
    const isUnused = focused === activeElement || focused === document.body || device?.part('list').contains(focused);
    if (device && isUnused) device.focus(opened);
    else if (isShown) this.#announce(first);
  }

  /** Shows the view after the user has changed its address, and announces it. */
  async showChanged() {
    if (await this.show()) this.#announce(this.#devices.first);
  }

  #announce({ list: { snapshot }, part: named }) {
    if (snapshot) this.#reports.announce('view', { title: named('title').textContent, sections: snapshot.sections });
  }

  async showAdded(device) {
    this.#showFrame();
    if (this.#described) await this.#showOn(device).catch((error) => this.#fail(error));
    else this.#showMissingScreen();
  }

  /** Shows the parameters outside of the phone, with the values that were sent. */
  showForms() {
    const { parameters, locale } = this.#navigation.address;
    const shown = (this.#described?.parameters ?? []).filter((parameter) => !isShownInPhone(parameter));
    this.#form.show(shown, { ...this.#devices.first.client.view?.parameters, ...parameters }, phrases(locale));
  }

  /** Loads the files that the first list does not need, and those that could not be loaded before. */
  loadRest() {
    if (!this.#catalog.loaded) return;
    this.#reports.load();
    if (this.#catalog.loaded.takesTokens) this.#session.show();
    loadPhrases(this.#navigation.address.locale).then((isNew) => isNew && this.show());
  }

  requireSignIn(reason = 'needsUser') {
    this.#parameters.clear();
    const texts = phrases(this.#navigation.address.locale);
    const problem = { text: texts[reason], act: { text: texts.signIn, perform: () => this.#session.open() } };
    for (const device of this.#devices.all) {
      device.client.reset();
      device.showNothing(this.#described?.title ?? this.#name, { connection: 'idle', problem });
    }
    this.loadRest();
  }

  /** The name of the screen, shortened to 60 characters. */
  get #name() {
    return (this.#navigation.address.screen ?? '').replace(/^(.{59})..+/su, '$1…');
  }

  get #described() {
    return this.#catalog.screen(this.#navigation.address.screen);
  }

  /** Loads the list of screens and the texts. Reports a language that the server does not support. */
  async #loadCatalog(wanted, isWanted) {
    const texts = loadPhrases(wanted ?? navigator.language);
    if (!await this.#catalog.load(wanted, isWanted).finally(() => texts)) return;
    const { screens, locales, locale, takesTokens } = this.#catalog.loaded;
    await loadPhrases(locale);
    if (takesTokens) await this.#session.show();
    if (wanted === undefined || locales.includes(wanted)) return;
    this.#localeChoice.showError(phrases(locale).noLocale(wanted));
    this.#navigation.correct({ screen: this.#navigation.address.screen ?? screens[0]?.name, locale });
  }

  #showOn(device) {
    const { address: { screen, parameters, locale }, scrollTop } = this.#navigation;
    return device.show({ screen, parameters, locale }, { scrollTop, title: this.#described.title ?? screen });
  }

  #showFrame() {
    const { locale } = this.#navigation.address;
    document.documentElement.lang = locale ?? 'en';
    translate(document, locale);
    this.#localeChoice.show(this.#catalog.loaded.locales, locale);
    this.#showScreens(part('screens'));
    this.showForms();
    this.#reports.show();
    document.body.dataset.ready = '';
  }

  #showScreens(list) {
    const { screen, locale } = this.#navigation.address;
    const create = () => element('li', '', [element('a')]);
    updateChildren(list, this.#catalog.loaded.screens, create, ({ firstChild: link }, { name, title }) => {
      if (link.textContent !== (title ?? name)) link.textContent = title ?? name;
      link.href = formatAddress({ screen: name, parameters: name === screen ? undefined : this.#parameters.get(name), locale });
      setAttribute(link, 'aria-current', name === screen && 'page');
    });
  }

  #fail(error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.exchange.status === 401) this.requireSignIn();
    else if (error.isTemporary) this.#retry(error);
    else this.#showError(error);
  }

  #retry({ retryAfter }) {
    for (const device of this.#devices.all) device.phone.update({ connection: 'reconnecting' });
    // Without the list of screens, the clients do not retry, so the page does.
    if (!this.#catalog.isLoaded(this.#navigation.address.locale)) this.#catalog.retry(() => this.show(), retryAfter);
  }

  #showError(error) {
    const declared = (name) => this.#described?.parameters?.find((parameter) => parameter.name === name);
    const texts = phrases(this.#navigation.address.locale);
    const named = new Map(error.errors.filter(({ parameter }) => parameter).map(({ parameter, detail }) => (
      [parameter, translated(error, detail, declared(parameter), texts)]
    )));
    this.#form.showErrors(named);
    for (const device of this.#devices.all) {
      device.form.showErrors(named);
      device.showError(error, named.size > 0 ? undefined : () => this.show());
    }
    this.loadRest();
  }

  #showMissingScreen() {
    // The list may contain the screen after the user has signed in.
    if (this.#session.isSignedOut) return this.requireSignIn();
    const { locale } = this.#navigation.address;
    const texts = phrases(locale);
    const first = this.#catalog.loaded.screens[0];
    const problem = first === undefined ? { text: texts.noScreens } : {
      text: texts.noScreen(this.#name),
      act: {
        text: texts.toFirst(first.title ?? first.name),
        perform: () => this.#navigation.go({ screen: first.name, parameters: {}, locale }),
      },
    };
    for (const device of this.#devices.all) device.showNothing(this.#name, { connection: 'idle', problem });
    return this.loadRest();
  }
}

/** The user's sign-in. The account is loaded if the server has authentication. */
export class Session {
  /** @type {import('./signing-in/account.js').Account | undefined} */
  #account;
  #isNeeded = false;
  #button;
  #events;

  /** @param {HTMLButtonElement} button @param {object} events the functions of `page.js` */
  constructor(button, events) {
    this.#button = button;
    this.#events = events;
  }

  /** A Boolean value that is true if the user must sign in. */
  get isSignedOut() {
    return this.#isNeeded && this.#account?.token === undefined;
  }

  /** Returns the token. If the server has rejected it, the user must sign in again. @param {{token?: string}=} rejected */
  token(rejected) {
    if (rejected?.token !== undefined && rejected.token === this.#account?.token) {
      this.#account.expire();
      this.#events.onRejected();
      this.#account.open();
    }
    return this.#account?.token;
  }

  async open() {
    await this.show();
    if (!this.#account) this.#events.onRejected('unreachable');
    else if (this.isSignedOut) this.#account.open();
  }

  /** Shows the account. If it could not be loaded, the next call loads it again. */
  async show() {
    this.#isNeeded = true;
    const module = await import('./signing-in/account.js').catch(() => undefined);
    const isNew = module && !this.#account;
    if (isNew) this.#account = new module.Account(this.#button, this.#events.locale, this.#events.onSignedIn);
    this.#account?.show();
    if (isNew) this.#account.resume();
  }
}

/**
 * Passes the reports of the phones to the inspector, which is loaded with the edits and the fault switches after the first list. Until
 * then, reports are kept.
 */
export class Reports {
  #page;
  #surroundings;
  #isLoading = false;
  /** The latest reports before the inspector was loaded. @type {((to: object) => void)[]} */
  #pending = [];
  /** Sends a request, through the simulated network once the user uses a fault switch. */
  #send = (...request) => fetch(...request);

  /** @param {object} page the functions of `page.js` */
  constructor(page) {
    this.#page = page;
    part('rest').querySelector('button').addEventListener('click', () => this.load());
  }

  /** Returns a `fetch` that reports failures of streams. @param {(exchange: object) => void} onFailure */
  fetch(onFailure) {
    const send = (...request) => this.#send(...request);
    return async (...request) => {
      if (request[1].headers.Accept !== 'text/event-stream') return send(...request);
      // The first stream is opened after the first list.
      const watching = await import('./inspecting/streams.js').catch(() => undefined);
      return watching ? watching.watchStreams(send, onFailure)(...request) : send(...request);
    };
  }

  add(exchange, device) {
    const arrival = { time: performance.now(), isSignedIn: this.#page.token() !== undefined };
    this.#report((to) => to.inspector.add(exchange, device, arrival));
  }

  take(taken, device) {
    this.#report((to) => to.take(taken, device));
  }

  /** Announces news of a kind to screen readers. @param {'change' | 'state' | 'view'} kind */
  announce(kind, news) {
    this.#report((to) => to.announcer[kind](news));
  }

  get inspector() {
    return this.#surroundings?.inspector;
  }

  show() {
    this.#surroundings?.show();
  }

  /** Loads the inspector. If this fails, the page says so, and the next call loads it again. */
  async load() {
    if (this.#surroundings || this.#isLoading) return;
    this.#isLoading = true;
    const devices = this.#page.devices();
    // The layout must not shift when the inspector is shown.
    const files = [import('./surroundings.js'), loadStyle('styles/inspector.css'), devices.prepare()];
    const [around] = await Promise.all(files).catch(() => []);
    this.#isLoading = false;
    part('rest').hidden = around !== undefined;
    // A tour that begins later would surprise the user.
    if (around) this.#start(around.Surroundings);
    else this.#page.isFirstVisit = false;
    devices.update();
    if (around && this.#page.isFirstVisit) this.#surroundings.demonstration.start();
  }

  #start(Surroundings) {
    part('rest').remove();
    this.#surroundings = new Surroundings({ ...this.#page.surroundings(), sendWith: (send) => { this.#send = send; } });
    for (const send of this.#pending.splice(0)) send(this.#surroundings);
    this.#surroundings.show();
  }

  #report(send) {
    if (this.#surroundings) send(this.#surroundings);
    else this.#pending = [...this.#pending.slice(-99), send];
  }
}
