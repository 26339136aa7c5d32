import { formatAddress, isShownInPhone, LocaleChoice, ParameterForm, parseAddress, preferred } from './page/addressing.js';
import { Device } from './page/device.js';
import { watchStreams } from './page/inspecting/streams.js';
import { phrases, translate, translated } from './page/phrases.js';
import { ClientError } from './relist/client.js';
import { element, setAttribute, updateChildren } from './relist/render/dom.js';

const part = (id) => document.getElementById(id);

/** The minimum and the maximum pause in milliseconds before the list of screens is requested again. The pause doubles with each failure. */
const retryDelay = { minimum: 500, maximum: 30_000 };
/** The minimum time in milliseconds between two announcements to screen readers. */
const announcementInterval = 5000;

/** The server's screens in the requested language, the server's locales, and the locale that the user prefers. */
let catalog;
let address = { parameters: {} };
let nextDelay = retryDelay.minimum;
/** The scroll position to restore when the requested view is shown. */
let pendingScrollTop;
/** A Boolean value that indicates whether the page was opened without an address of a screen. */
const isFirstVisit = !location.hash && !location.search;
let lastAnnouncement = 0;
let pendingAnnouncement;
/** Reports of exchanges and documents that arrived before the inspector was loaded. */
let pendingReports = [];
let surroundings;
let isLoadingSurroundings = false;
/** The signed-in user, if the server has authentication. */
let account;
/** A connection that simulates network faults. It is created when the user first uses one of the fault switches. */
let transport;

const page = {
  described: () => catalog?.screens.find(({ name }) => name === address.screen),
  href: hrefOf,
  visit, change, announce, token,
  onUnauthorized: requireSignIn,
  wayBack: () => (depth() > 0 ? { text: phrases(address.locale).back, href: history.state.from ?? '#' } : undefined),
  onExchange(exchange, device) {
    const arrival = { time: performance.now(), isSignedIn: account?.token !== undefined };
    report((to) => to.inspector.add(exchange, device.number, arrival));
  },
  onDocument: (taken, device) => report((to) => to.take(taken, device.number)),
  onStage: (taken, stage) => surroundings?.inspector.showStage(taken, stage),
  onPresent: () => surroundings?.inspector.lookAtPresent(),
  onTitle(title) {
    document.title = `${title} – Relist`;
  },
  onShown() {
    loadSurroundings().catch((error) => console.error('The inspector could not be loaded', error));
  },
  onDrawn: (version, device) => surroundings?.inspector.drawn(version, device),
  onWidth: () => showForms(),
  closeOtherSheets(open) {
    for (const device of devices) if (device !== open) device.sheet?.close();
  },
};
const isWide = matchMedia('(min-width: 64rem)');
const devices = [addDevice(1)];
const [first] = devices;
const localeChoice = new LocaleChoice(part('locales'), (locale) => go({ ...address, locale }));
const form = new ParameterForm(part('parameters'), change);

function report(send) {
  if (surroundings) send(surroundings);
  else pendingReports.push(send);
}

function addDevice(number) {
  const send = watchStreams((...request) => (transport?.fetch ?? fetch)(...request), (exchange) => page.onExchange(exchange, device));
  const device = new Device(part('device'), number, page, send);
  part('devices').append(device.node);
  return device;
}

/** Adds a second phone if the window is wide enough. Removes the second phone if the window is too narrow. */
function updateDevices() {
  if (isWide.matches === devices.length > 1 || catalog === undefined) return;
  if (!isWide.matches) return devices.pop().remove();
  devices.push(addDevice(2));
  devices[1].prepare();
  showFrame();
  return page.described() && show(devices[1]).catch(fail);
}

/** Loads the inspector, the buttons that edit a screen, and the switches for network faults, after the first list is shown. */
async function loadSurroundings() {
  if (isLoadingSurroundings) return;
  isLoadingSurroundings = true;
  const [{ Surroundings }, { Transport }] = await Promise.all([import('./page/surroundings.js'), import('./page/breaking/transport.js')]);
  const useTransport = () => {
    if (transport) return transport;
    transport = new Transport(fetch);
    // Dropping the open connections makes the clients reconnect through `transport`.
    callClients('dropConnection');
    return transport;
  };
  // The style sheet of the inspector and the modules for actions are loaded before the inspector is shown, so that the layout does not
  // shift.
  await Promise.all([Surroundings.prepare(), ...devices.map((device) => device.prepare())]);
  surroundings = new Surroundings({
    devices: () => devices, catalog: () => catalog, address: () => address, described: page.described, transport: useTransport, change,
    go: (screen, parameters) => go({ screen, parameters, locale: address.locale }),
    fetch: (path) => fetch(path, account?.token && { headers: { Authorization: `Bearer ${account.token}` } }),
  });
  for (const send of pendingReports.splice(0)) send(surroundings);
  surroundings.show();
  updateDevices();
  if (isFirstVisit) surroundings.demonstration.start();
}

/** Opens the view that a link leads to, and adds a history entry. If the previous history entry is for the same view, goes back instead. */
function visit(link, isFooter) {
  const next = addressOf(link);
  // If a link in a footer leads to the shown screen, it only extends the list. Therefore no history entry is added.
  if (isFooter && link.screen === address.screen) return go(next);
  const hash = formatAddress(next);
  const { from, ...state } = history.state ?? {};
  if (from === hash) return history.back();
  history.replaceState({ ...state, from, scrollTop: part('scroll').scrollTop }, '');
  history.pushState({ depth: depth() + 1, from: formatAddress(address) }, '', hash);
  pendingScrollTop = 0;
  return showNextView();
}

function handlePopState({ state }) {
  // The sheets of both phones must handle the event, so `handleBack` is called on both before the results are checked.
  if (devices.map((device) => device.handleBack()).includes(true)) return undefined;
  pendingScrollTop = state?.scrollTop ?? 0;
  return showNextView();
}

/**
 * Shows another view and makes its title known to screen readers. If the focus is in a phone or nowhere, it moves to the title, because the
 * element with the focus is replaced. Otherwise, the title is announced.
 */
async function showNextView() {
  const { activeElement } = document;
  const device = devices.find(({ node }) => node.contains(activeElement)) ?? (activeElement === document.body ? first : undefined);
  await showAddress();
  // While the view was loading, the user may have gone to another control. A focus that is still in the list was kept by the list.
  const focused = document.activeElement;
  const isUnused = focused === activeElement || focused === document.body || device?.part('list').contains(focused);
  if (device && isUnused) device.part('title').focus({ preventScroll: true });
  else announce(first.part('title').textContent);
}

/** Changes parameters of the view. No history entry is added, because otherwise each typed letter would add one. */
function change(changed) {
  const all = Object.entries({ ...address.parameters, ...changed });
  return go({ ...address, parameters: Object.fromEntries(all.filter(([, value]) => value !== undefined)) });
}

function go(next) {
  const { sheet, ...state } = history.state ?? {};
  for (const device of devices) device.sheet?.releaseHistoryEntry();
  history.replaceState(state, '', formatAddress(next));
  return showAddress();
}

/** Returns the user's token. If the server has rejected the token, the user is asked to sign in again. */
function token(rejected) {
  if (rejected?.token !== undefined && rejected.token === account?.token) {
    account.expire();
    requireSignIn();
    account.open();
  }
  return account?.token;
}

/** Clears all phones and asks the user to sign in. */
function requireSignIn() {
  const texts = phrases(address.locale);
  const problem = { text: texts.needsUser, act: { text: texts.signIn, perform: () => account?.open() } };
  for (const device of devices) {
    device.client.reset();
    device.showNothing(page.described()?.title ?? address.screen ?? '', { connection: 'idle', problem });
  }
}

/** Shows the button to sign in, if the list of screens depends on the caller's token. */
async function showAccount() {
  if (!catalog.takesTokens) return;
  const { Account } = await import('./page/signing-in/account.js');
  if (account) return account.show();
  account = new Account(part('account'), () => address.locale, () => {
    catalog = undefined;
    for (const device of devices) device.client.reset();
    showAddress();
  });
  account.show();
  account.resume();
}

/** Shows the view that the address names. */
async function showAddress() {
  const { locale = catalog?.standard, ...rest } = parseAddress(location);
  address = { ...rest, locale };
  const wanted = address;
  try {
    if (catalog === undefined || catalog.locale !== locale) await loadCatalog(locale, () => address === wanted);
    // If the user has navigated elsewhere while the list of screens was loading, the view is no longer wanted.
    if (address !== wanted) return;
    address.locale = catalog.locale;
    address.screen ??= (catalog.screens.find(isPreferredFirst) ?? catalog.screens[0])?.name;
    showFrame();
    if (page.described()) {
      await Promise.all(devices.map(show));
      form.showErrors(new Map());
    } else if (address.screen !== undefined) showMissingScreen();
    surroundings?.show();
  } catch (error) {
    if (address === wanted) fail(error);
  } finally {
    if (address === wanted) pendingScrollTop = undefined;
  }
}

/**
 * Returns whether a screen is the default screen, which the page opens if the address names no screen. The default screen is the example
 * with which the tour begins.
 */
function isPreferredFirst({ name, example }) {
  return example !== undefined && name === 'deliveries';
}

/** Loads the list of screens. If the server does not support the requested language, another language is used and the user is informed. */
async function loadCatalog(wanted, isWanted) {
  const { screens, locales, takesTokens } = await first.client.catalog({ locale: wanted }).catch((error) => {
    if (!(error instanceof ClientError) || error.isTemporary || wanted === undefined) throw error;
    return first.client.catalog({});
  });
  if (!isWanted()) return;
  nextDelay = retryDelay.minimum;
  const standard = preferred(locales, navigator.languages);
  const locale = wanted === undefined || !locales.includes(wanted) ? standard : wanted;
  catalog = { screens, locales, standard, locale, takesTokens };
  await showAccount();
  if (wanted === undefined || locales.includes(wanted)) return;
  localeChoice.showError(phrases(locale).noLocale(wanted));
  history.replaceState(history.state, '', formatAddress({ ...address, screen: address.screen ?? screens[0]?.name, locale }));
}

function show(device) {
  const { screen, parameters, locale } = address;
  const title = page.described().title ?? screen;
  return device.show({ screen, parameters, locale }, { scrollTop: pendingScrollTop, title });
}

function showFrame() {
  const { locale } = address;
  document.documentElement.lang = locale ?? 'en';
  translate(document, locale);
  localeChoice.show(catalog.locales, locale);
  showScreens(part('screens'));
  showForms();
  surroundings?.show();
  document.body.dataset.ready = '';
}

/** Shows the parameter controls outside of the phone, with the values that were sent to the server. */
function showForms() {
  const parameters = (page.described()?.parameters ?? []).filter((parameter) => !isShownInPhone(parameter));
  form.show(parameters, { ...first.client.view?.parameters, ...address.parameters }, phrases(address.locale));
}

/** Shows the links to all screens. */
function showScreens(list) {
  updateChildren(list, catalog.screens, () => element('li', '', [element('a')]), ({ firstChild: link }, { name, title }) => {
    if (link.textContent !== (title ?? name)) link.textContent = title ?? name;
    link.href = formatAddress({ screen: name, parameters: {}, locale: address.locale });
    const isNew = name === address.screen && !link.hasAttribute('aria-current');
    setAttribute(link, 'aria-current', name === address.screen && 'page');
    if (isNew) list.parentNode.scrollLeft = link.offsetLeft - (list.parentNode.clientWidth - link.offsetWidth) / 2;
  });
}

function fail(error) {
  if (!(error instanceof ClientError)) throw error;
  if (error.exchange.status === 401) return requireSignIn();
  if (error.isTemporary) {
    for (const device of devices) device.phone.update({ connection: 'reconnecting' });
    // The clients request a view only after the list of screens is loaded, so they do not retry now. The page itself retries.
    if (catalog === undefined || catalog.locale !== address.locale) {
      setTimeout(showAddress, nextDelay + error.retryAfter);
      nextDelay = Math.min(nextDelay * 2, retryDelay.maximum);
    }
    return;
  }
  const declared = (name) => page.described()?.parameters?.find((parameter) => parameter.name === name);
  const texts = phrases(address.locale);
  const named = new Map(error.errors.filter(({ parameter }) => parameter).map(({ parameter, detail }) => (
    [parameter, translated(error, detail, declared(parameter), texts)]
  )));
  form.showErrors(named);
  for (const device of devices) {
    device.form.showErrors(named);
    device.showError(error, named.size > 0 ? undefined : showAddress);
  }
}

function showMissingScreen() {
  // The list does not contain the screen, but it may contain the screen after the user has signed in.
  if (account && account.token === undefined) return requireSignIn();
  const texts = phrases(address.locale);
  const { name, title = name } = catalog.screens[0];
  const act = { text: texts.toFirst(title), perform: () => go({ screen: name, parameters: {}, locale: address.locale }) };
  const problem = { text: texts.noScreen(address.screen), act };
  for (const device of devices) device.showNothing(address.screen, { connection: 'idle', problem });
}

/** Announces a text to screen readers, at most once in five seconds. A newer text replaces a waiting text. @param {string} text */
function announce(text) {
  const rest = lastAnnouncement + announcementInterval - Date.now();
  clearTimeout(pendingAnnouncement);
  if (rest > 0) pendingAnnouncement = setTimeout(announce, rest, text);
  else {
    part('announcer').textContent = text;
    lastAnnouncement = Date.now();
  }
}

/** Returns the address of a link, or undefined if the screen does not exist or is already shown. */
function hrefOf(link) {
  const next = formatAddress(addressOf(link));
  return catalog.screens.some(({ name }) => name === link.screen) && next !== formatAddress(address) ? next : undefined;
}

function addressOf({ screen, parameters: { width, ...others } = {} }) {
  // The link may contain the width that the page has sent. This width is omitted, because it changes with the window.
  const own = width === undefined || width === String(first.phone.width) ? {} : { width };
  const { revision } = screen === address.screen ? address.parameters : {};
  return { screen, parameters: { ...others, ...own, ...(revision && { revision }) }, locale: address.locale };
}

function depth() {
  return history.state?.depth ?? 0;
}

window.addEventListener('popstate', handlePopState);
// The fragment of the address names the screen, so the link to `#list` is not followed. Instead, the focus is moved to the list.
part('skip').addEventListener('click', (event) => {
  event.preventDefault();
  part('list').focus();
});
document.addEventListener('visibilitychange', () => callClients(document.hidden ? 'pause' : 'resume'));
window.addEventListener('pagehide', () => callClients('pause'));
window.addEventListener('pageshow', () => callClients('resume'));
window.addEventListener('online', () => callClients('retryNow'));
window.addEventListener('offline', () => callClients('dropConnection'));

function callClients(method) {
  for (const { client } of devices) client[method]();
}

isWide.addEventListener('change', updateDevices);
showAddress();
