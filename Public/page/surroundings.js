import { element, pushButton } from '../relist/elements.js';
import { Announcer } from './announcing.js';
import { Transport } from './breaking/transport.js';
import { Demonstration } from './demonstrating/demonstration.js';
import { phrases } from './inspecting/phrases.js';
import { Inspector } from './inspecting/inspector.js';

/** The inspector, the edits and the fault switches around the phones. They are loaded after the first list is shown. */
export class Surroundings {
  #page;
  announcer;
  inspector;
  demonstration;
  #code;
  /** The fold with code for clients. */
  #using;
  #usageView;
  /** The link of the current screen. */
  #current;
  #shown = {};
  /** Shows the state of the last used fault, in the language of the page. */
  #showFault = () => {};
  /** The simulated network, once the user uses a fault switch. */
  #transport;

  /** @param {object} page functions of the page */
  constructor(page) {
    this.#page = page;
    const part = (id) => document.getElementById(id);
    this.announcer = new Announcer(part('announcer'), () => page.address().locale);
    for (const name of ['keydown', 'pointerdown', 'click']) window.addEventListener(name, () => this.announcer.act(), { capture: true });
    const totals = { sent: part('sent'), instead: part('instead'), bars: part('bars'), ticks: document.querySelector('#counter .ticks') };
    this.inspector = new Inspector(part('inspector'), totals, { devices: page.devices, secrets: () => secretsOf(page.catalog()) });
    this.demonstration = new Demonstration(part('edits'), {
      ...page, device: () => page.devices()[0], inspector: () => this.inspector, openUsage: () => this.#openUsage(),
    });
    const narrow = matchMedia('(max-width: 40rem)');
    narrow.addEventListener('change', () => arrange(narrow.matches));
    arrange(narrow.matches);
    for (const bar of [part('navigation'), part('edits')]) {
      // A click must not move its own target.
      bar.addEventListener('focusin', ({ target }) => target.matches(':focus-visible') && center(target, bar));
    }
    part('inspector').append(this.#breaking());
    part('inspector').querySelector('.detail').before(this.#using = this.#usage(), this.#code = this.#coding());
  }

  /** Updates everything after the screen or the language has changed. */
  show() {
    const { screen, locale } = this.#page.address();
    const navigation = document.getElementById('navigation');
    const current = navigation.querySelector('[aria-current]');
    if (current && current !== this.#current) center(current, navigation);
    this.#current = current;
    this.inspector.show(locale, screen);
    this.demonstration.show();
    this.#showCode();
    this.#showUsage();
    this.#showFault();
  }

  take(taken, device) {
    this.inspector.take(taken, device);
    if (device !== 1) return;
    this.demonstration.show();
    this.#showUsage();
    this.#fillCode();
  }

  get #phrases() {
    return phrases(this.#page.address().locale);
  }

  #coding() {
    const code = this.inspector.fold('code', 'code', [element('p', 'hint'), element('pre', 'swift')]);
    code.hidden = true;
    code.addEventListener('toggle', () => this.#fillCode());
    return code;
  }

  /** Builds the code for clients, and the commands that run the server. */
  #usage() {
    const { inspector } = this;
    const fold = inspector.fold('use', 'use', [
      inspector.named(element('h3'), 'run'),
      element('pre', 'code', '# in a copy of the repository\nmake run     # this server, with this page\nmake test'),
      inspector.named(element('p', 'hint'), 'useHint'), element('div', 'usage'),
      inspector.named(element('p', 'hint'), 'newHint'), element('pre', 'code', '.build/release/relist new Garden --relist .'),
      inspector.named(element('p', 'hint'), 'readHint'),
      element('pre', 'code', 'README.md\nDocumentation/Screens.md  Clients.md  Protocol.md  Operations.md'),
      inspector.named(element('p', 'hint'), 'requestsHint'),
      Object.assign(element('a', 'openapi', '/openapi.json'), { href: 'openapi.json', target: '_blank', rel: 'noopener' }),
      ...(isLoopback(location.hostname) ? [
        inspector.named(element('p', 'hint'), 'hostHint'),
        element('pre', 'code', '.build/release/relist serve --host 0.0.0.0 --authentication demo'),
      ] : [inspector.named(element('p', 'hint'), 'qrHint'), element('p', 'address')]),
    ]);
    fold.addEventListener('toggle', () => this.#showUsage());
    return fold;
  }

  /** Opens the code for clients, scrolls to it, and moves the focus to it. */
  async #openUsage() {
    document.querySelector('#panes [value="inspector"]').click();
    this.#using.open = true;
    this.#using.querySelector('summary').focus({ preventScroll: true });
    await this.#showUsage();
    this.#using.scrollIntoView();
  }

  async #showUsage() {
    const { held: snapshot, view } = this.#page.devices()[0].client;
    if (!this.#using.open || !snapshot || snapshot.screen !== view?.screen) return;
    const module = await import('./using/usage.js').catch(() => undefined);
    const usage = this.#using.querySelector('.usage');
    if (!module) return usage.replaceChildren(this.#phrases.missing);
    this.#usageView ??= new module.Usage(usage);
    const isSignedIn = this.#page.token() !== undefined;
    this.#usageView.show({ base: location.origin, screen: view.screen, parameters: view.parameters, snapshot, isSignedIn }, this.#phrases);
    return this.#showAddress();
  }

  /** Shows the address of the screen as a QR code, if other machines can reach it. */
  async #showAddress() {
    const address = this.#using.querySelector('.address');
    if (!address) return;
    const module = await import('./using/qr.js').catch(() => undefined);
    const { href } = location;
    const rows = module?.qrCode(href);
    address.replaceChildren(rows ? module.drawing(rows, href) : href);
  }

  #showCode() {
    const source = this.#page.described()?.example?.source;
    const texts = this.#phrases;
    this.#code.hidden = !source;
    this.#code.querySelector('.hint').textContent = texts.codeHint;
    if (this.#shown.source === source && this.#shown.texts === texts) return;
    this.#shown = { source, texts };
    this.#code.querySelector('pre').replaceChildren();
    this.#fillCode();
  }

  async #fillCode() {
    const shown = this.#shown;
    if (!this.#code.open || !shown.source || shown.isFilled) return;
    const token = this.#page.token();
    const answered = fetch(shown.source, token && { headers: { Authorization: `Bearer ${token}` } });
    const text = answered.then((answer) => (answer.ok ? answer.text() : ''));
    const [module, code] = await Promise.all([import('./coding/code.js'), text]).catch(() => []);
    if (shown !== this.#shown || shown.isFilled) return;
    shown.isFilled = module !== undefined;
    const nodes = module ? module.nodesOf(module.partsOf(code), shown.texts.lines) : [shown.texts.missing];
    this.#code.querySelector('pre').replaceChildren(...nodes);
  }

  /** Builds the switches for network faults. */
  #breaking() {
    const faults = element('div', 'faults', [this.inspector.named(element('p', 'hint'), 'faultsHint')]);
    const status = element('p', 'hint');
    status.setAttribute('role', 'status');
    let shown;
    const report = (fault, isActive) => {
      shown = [fault, isActive];
      this.#showFault();
    };
    this.#showFault = () => {
      const [fault, isActive] = shown ?? [];
      if (fault) status.textContent = this.#phrases.faultsNow[fault][Number(isActive)];
    };
    for (const [name, phrase] of [['isOffline', 'offline'], ['isSlow', 'slowNetwork']]) {
      const box = Object.assign(element('input'), { type: 'checkbox' });
      box.addEventListener('change', () => {
        this.#useTransport()[name] = box.checked;
        report(name, box.checked);
        for (const { client } of this.#page.devices()) client.retryNow();
      });
      faults.append(element('label', 'switch', [box, this.inspector.named(element('span'), phrase)]));
    }
    for (const [fault, phrase] of [['presentUnknownVersion', 'forget'], ['damageChangeset', 'damage']]) {
      const button = this.inspector.named(pushButton('', '', () => {
        const show = (isActive) => {
          button.setAttribute('aria-pressed', String(isActive));
          report(fault, isActive);
        };
        this.#useTransport()[fault](() => show(false));
        show(true);
      }), phrase);
      button.setAttribute('aria-pressed', 'false');
      faults.append(button);
    }
    faults.append(status);
    return this.inspector.fold('breaking', 'faults', [faults]);
  }

  #useTransport() {
    if (this.#transport) return this.#transport;
    this.#transport = new Transport(fetch);
    this.#page.sendWith(this.#transport.fetch);
    // The clients reconnect through the transport.
    for (const { client } of this.#page.devices()) client.dropConnection();
    return this.#transport;
  }
}

/** Gives the language and the edits their visible order in the document too, because the Tab key follows the document. */
function arrange(isNarrow) {
  const parts = ['#navigation', '.preferences', '#edits', '#devices'].map((selector) => document.querySelector(selector));
  const [navigation, preferences, edits, devices] = parts;
  const pairs = isNarrow ? [[preferences, navigation], [devices, edits]] : [[navigation, preferences], [edits, devices]];
  const { activeElement } = document;
  // The lists are not moved, because they would lose their scroll positions.
  for (const [first, second] of pairs) {
    if (first.nextElementSibling === second) continue;
    if (isNarrow) first.after(second);
    else second.before(first);
  }
  if (document.activeElement !== activeElement) activeElement.focus({ preventScroll: true });
}

/** Scrolls a bar to a control in it, and nothing around the bar. */
function center(control, bar) {
  const [inner, outer] = [control, bar].map((node) => node.getBoundingClientRect());
  bar.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

/** Returns whether other machines cannot reach a host by its name. @param {string} host */
function isLoopback(host) {
  return /^(?:localhost|127\..*|\[::1\])$/.test(host);
}

/** Returns the names of inputs that must not be displayed. */
function secretsOf(catalog) {
  const inputs = (catalog?.screens ?? []).flatMap(({ actions = [] }) => actions.flatMap(({ input = [] }) => input));
  return new Set(inputs.filter(({ format }) => format === 'password').map(({ name }) => name));
}
