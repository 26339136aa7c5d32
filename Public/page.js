import { Navigation } from './page/addressing.js';
import { Catalog } from './page/catalog.js';
import { Devices } from './page/device.js';
import { Display, Reports, Session } from './page/display.js';
import { phrases } from './page/phrases.js';

const part = (id) => document.getElementById(id);
const described = () => catalog.screen(navigation.address.screen);
const change = (changed) => navigation.change(changed);

const reports = new Reports({
  isFirstVisit: !location.hash && !location.search,
  devices: () => devices,
  token: () => session.token(),
  surroundings: () => ({
    described, change, token: () => session.token(),
    devices: () => devices.all, catalog: () => catalog.loaded, address: () => navigation.address,
    go: (screen, parameters) => navigation.go({ screen, parameters, locale: navigation.address.locale }),
  }),
});

const devices = new Devices(part('device'), part('devices'), {
  described, change,
  href: (link) => navigation.hrefOf(link),
  visit: (...choice) => navigation.visit(...choice),
  wayBack: () => navigation.previous && { text: phrases(navigation.address.locale).back, href: navigation.previous },
  token: (rejected) => session.token(rejected),
  fetch: (onFailure) => reports.fetch(onFailure),
  announce: (kind, news) => reports.announce(kind, news),
  closeOtherSheets: (open) => devices.closeOtherSheets(open),
  isReady: () => catalog.loaded !== undefined,
  onAdded: (device) => display.showAdded(device),
  onUnauthorized: () => display.requireSignIn(),
  onExchange: (exchange, device) => reports.add(exchange, device.number),
  onDocument: (taken, device) => reports.take(taken, device.number),
  onStage: (taken, stage) => reports.inspector?.showStage(taken, stage),
  onPresent: () => reports.inspector?.lookAtPresent(),
  onDrawn: (version, device) => reports.inspector?.drawn(version, device),
  onWidth: () => display.showForms(),
  onShown: () => display.loadRest(),
  onTitle(title) {
    document.title = `${title} – Relist`;
  },
});

const catalog = new Catalog(devices.first.client);

const session = new Session(part('account'), {
  locale: () => navigation.address.locale,
  onRejected: (reason) => display.requireSignIn(reason),
  onSignedIn() {
    catalog.clear();
    devices.callClients('reset');
    display.show();
  },
});

const navigation = new Navigation({
  devices: () => devices,
  screen: (name) => catalog.screen(name),
  show: () => display.show(),
  showChanged: () => display.showChanged(),
  showNext: (opened) => display.showNext(opened),
});

const display = new Display({ navigation, catalog, devices, session, reports });

// The fragment of the address names the screen, so links that skip a part are not followed. Instead, the focus is moved.
document.addEventListener('click', (event) => {
  const { hash } = event.target.closest('.skip') ?? {};
  if (!hash) return;
  event.preventDefault();
  part('panes').children[hash === '#inspector' ? 1 : 0].click();
  // The list of an earlier version is inert.
  if (hash === '#list') devices.first.leavePast();
  document.querySelector(hash).focus();
});

part('panes').addEventListener('click', ({ target }) => {
  if (target.value) document.body.dataset.pane = target.value;
  for (const button of part('panes').children) button.setAttribute('aria-pressed', String(button.value === document.body.dataset.pane));
});

display.show();
