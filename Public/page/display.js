import { ClientError } from '../relist/client.js';
import { element, setAttribute, updateChildren } from '../relist/elements.js';
import { formatAddress } from './addressing.js';
import { isShownInPhone, LocaleChoice, ParameterForm } from './catalog.js';
import { phrases, translate, translated } from './phrases.js';

const part = (id) => document.getElementById(id);

/** Shows the view that the address names: on the phones, in the controls around the phones, and as an error. */
export class Display {
  #navigation;
  #catalog;
  #devices;
  #session;
  #reports;
  #announcer;
  #localeChoice;
  #form;

  /**
   * @param {object} page
   * @param {import('./addressing.js').Navigation} page.navigation
   * @param {import('./catalog.js').Catalog} page.catalog
   * @param {import('./device.js').Devices} page.devices
   * @param {Session} page.session
   * @param {import('./inspecting/reports.js').Reports} page.reports
   * @param {import('./phrases.js').Announcer} page.announcer
   */
  constructor({ navigation, catalog, devices, session, reports, announcer }) {
    this.#navigation = navigation;
    this.#catalog = catalog;
    this.#devices = devices;
    this.#session = session;
    this.#reports = reports;
    this.#announcer = announcer;
    this.#localeChoice = new LocaleChoice(part('locales'), (locale) => navigation.go({ ...navigation.address, locale }));
    this.#form = new ParameterForm(part('parameters'), (changed) => navigation.change(changed));
  }

  /** Shows the view that the address names. */
  async show() {
    const navigation = this.#navigation;
    const wanted = navigation.read(this.#catalog.loaded?.standard);
    const isWanted = () => navigation.address === wanted;
    try {
      if (!this.#catalog.isLoaded(wanted.locale)) await this.#loadCatalog(wanted.locale, isWanted);
      // If the user has navigated elsewhere while the list of screens was loading, the view is no longer wanted.
      if (!isWanted()) return;
      wanted.locale = this.#catalog.loaded.locale;
      wanted.screen ??= this.#catalog.firstScreen;
      this.#showFrame();
      if (this.#described) {
        await Promise.all(this.#devices.all.map((device) => this.#showOn(device)));
        this.#form.showErrors(new Map());
      } else if (wanted.screen !== undefined) this.#showMissingScreen();
      this.#reports.show();
    } catch (error) {
      if (isWanted()) this.#fail(error);
    } finally {
      if (isWanted()) navigation.scrollTop = undefined;
    }
  }

  /**
   * Shows another view and makes its title known to screen readers. If the focus is in a phone or nowhere, it moves to the title, because
   * the element with the focus is replaced. Otherwise, the title is announced.
   */
  async showNext() {
    const { activeElement } = document;
    const { all, first } = this.#devices;
    const device = all.find(({ node }) => node.contains(activeElement)) ?? (activeElement === document.body ? first : undefined);
    await this.show();
    // While the view was loading, the user may have gone to another control. A focus that is still in the list was kept by the list.
    const focused = document.activeElement;
    const isUnused = focused === activeElement || focused === document.body || device?.part('list').contains(focused);
    if (device && isUnused) device.part('title').focus({ preventScroll: true });
    else this.#announcer.announce(first.part('title').textContent);
  }

  /** Shows the view on a phone that was added. @param {import('./device.js').Device} device */
  async showAdded(device) {
    this.#showFrame();
    if (this.#described) await this.#showOn(device).catch((error) => this.#fail(error));
  }

  /** Shows the parameter controls outside of the phone, with the values that were sent to the server. */
  showForms() {
    const { parameters, locale } = this.#navigation.address;
    const shown = (this.#described?.parameters ?? []).filter((parameter) => !isShownInPhone(parameter));
    this.#form.show(shown, { ...this.#devices.first.client.view?.parameters, ...parameters }, phrases(locale));
  }

  /** Clears all phones and asks the user to sign in. */
  requireSignIn() {
    const { screen, locale } = this.#navigation.address;
    const texts = phrases(locale);
    const problem = { text: texts.needsUser, act: { text: texts.signIn, perform: () => this.#session.open() } };
    for (const device of this.#devices.all) {
      device.client.reset();
      device.showNothing(this.#described?.title ?? screen ?? '', { connection: 'idle', problem });
    }
  }

  get #described() {
    return this.#catalog.screen(this.#navigation.address.screen);
  }

  /** Loads the list of screens. If the server does not support the requested language, the user is informed. */
  async #loadCatalog(wanted, isWanted) {
    if (!await this.#catalog.load(wanted, isWanted)) return;
    const { screens, locales, locale, takesTokens } = this.#catalog.loaded;
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

  /** Shows the links to all screens. */
  #showScreens(list) {
    const { screen, locale } = this.#navigation.address;
    const create = () => element('li', '', [element('a')]);
    updateChildren(list, this.#catalog.loaded.screens, create, ({ firstChild: link }, { name, title }) => {
      if (link.textContent !== (title ?? name)) link.textContent = title ?? name;
      link.href = formatAddress({ screen: name, parameters: {}, locale });
      const isNew = name === screen && !link.hasAttribute('aria-current');
      setAttribute(link, 'aria-current', name === screen && 'page');
      if (isNew) list.parentNode.scrollLeft = link.offsetLeft - (list.parentNode.clientWidth - link.offsetWidth) / 2;
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
    // The clients request a view only after the list of screens is loaded, so they do not retry now. The page itself retries.
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
  }

  #showMissingScreen() {
    // The list does not contain the screen, but it may contain the screen after the user has signed in.
    if (this.#session.isSignedOut) return this.requireSignIn();
    const { screen, locale } = this.#navigation.address;
    const texts = phrases(locale);
    const { name, title = name } = this.#catalog.loaded.screens[0];
    const act = { text: texts.toFirst(title), perform: () => this.#navigation.go({ screen: name, parameters: {}, locale }) };
    const problem = { text: texts.noScreen(screen), act };
    for (const device of this.#devices.all) device.showNothing(screen, { connection: 'idle', problem });
    return undefined;
  }
}

/** The user's sign-in. The account is loaded if the server has authentication. */
export class Session {
  /** @type {import('./signing-in/account.js').Account | undefined} */
  #account;
  #button;
  #events;

  /**
   * @param {HTMLButtonElement} button
   * @param {object} events
   * @param {() => string | undefined} events.locale
   * @param {() => void} events.onSignedIn
   * @param {() => void} events.onRejected called after the server has rejected the token
   */
  constructor(button, events) {
    this.#button = button;
    this.#events = events;
  }

  /** A Boolean value that is true if the server has authentication and the user is not signed in. */
  get isSignedOut() {
    return this.#account !== undefined && this.#account.token === undefined;
  }

  /**
   * Returns the user's token. If the server has rejected the token, the user is asked to sign in again.
   *
   * @param {{token?: string}=} rejected
   * @returns {string | undefined}
   */
  token(rejected) {
    if (rejected?.token !== undefined && rejected.token === this.#account?.token) {
      this.#account.expire();
      this.#events.onRejected();
      this.#account.open();
    }
    return this.#account?.token;
  }

  /** Opens the dialog to sign in. */
  open() {
    this.#account?.open();
  }

  /** Shows the button to sign in. */
  async show() {
    const { Account } = await import('./signing-in/account.js');
    if (this.#account) {
      this.#account.show();
      return;
    }
    this.#account = new Account(this.#button, this.#events.locale, this.#events.onSignedIn);
    this.#account.show();
    this.#account.resume();
  }
}
