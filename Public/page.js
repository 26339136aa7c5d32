import { formatAddress, isShownInPhone, LocaleChoice, ParameterForm, parseAddress, preferred } from './page/addressing.js';
import { Device } from './page/device.js';
import { phrases, translate, translated } from './page/phrases.js';
import { ClientError } from './relist/client.js';
import { element, setAttribute } from './relist/render/dom.js';

const part = (id) => document.getElementById(id);

/** Milliseconds before a list of screens that could not be had is asked for again: twice as long each time. */
const pause = { least: 500, most: 30_000 };
/** Those who do not see it are told of changes at most so often. */
const breath = 5000;

/** What the server has, in the language that was asked for, and the language of a user who asked for none. */
let catalog;
let address = { parameters: {} };
let wait = pause.least;
/** Where the list is looked at when what was navigated to has come. */
let arrival;
/** Whether somebody has come without saying what to see. */
const isArrival = !location.hash && !location.search;
let lastTold = 0;
let untold;
/** What travelled before there was somebody to tell. */
let early = [];
let surroundings;
let isAsked = false;
/** Who asks, where the server wants to know. */
let account;
/** In the way to the server, when somebody wants to break it. */
let transport;

const page = {
  described: () => catalog?.screens.find(({ name }) => name === address.screen),
  href: hrefOf,
  visit, change, tell, token,
  onRefused: askWho,
  wayBack: () => (depth() > 0 ? { text: phrases(address.locale).back, href: history.state.from ?? '#' } : undefined),
  onExchange: (exchange, device) => inform('add', exchange, device.number),
  onTaken: (taken, device) => inform('take', taken, device.number),
  onStage: (taken, stage) => surroundings?.showStage(taken, stage),
  onPresent: () => surroundings?.lookAtPresent(),
  onTitle(title) {
    document.title = `${title} – Relist`;
  },
  onShown() {
    surround().catch((error) => console.error('What is around the phones could not be loaded', error));
  },
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

function inform(what, ...details) {
  if (surroundings) surroundings[what](...details);
  else early.push([what, ...details]);
}

function addDevice(number) {
  const device = new Device(part('device'), number, page, (...request) => (transport?.fetch ?? fetch)(...request));
  part('devices').append(device.node);
  return device;
}

/** Where there is room, a second phone follows the first. */
function fitDevices() {
  if (isWide.matches === devices.length > 1 || catalog === undefined) return;
  if (!isWide.matches) return devices.pop().remove();
  devices.push(addDevice(2));
  devices[1].prepare();
  showFrame();
  return page.described() && show(devices[1]).catch(fail);
}

/** Loads what is around the phones, once the first list is there. */
async function surround() {
  if (isAsked) return;
  isAsked = true;
  const [{ Surroundings }, { Transport }] = await Promise.all([import('./page/surroundings.js'), import('./page/breaking/transport.js')]);
  const useTransport = () => {
    if (transport) return transport;
    transport = new Transport(fetch);
    // Streams that were opened without it are opened anew.
    all('interrupt');
    return transport;
  };
  // What is there is shown with them, so that nothing moves when it comes.
  await Promise.all([Surroundings.prepare(), ...devices.map((device) => device.prepare())]);
  surroundings = new Surroundings({
    devices: () => devices, catalog: () => catalog, address: () => address, described: page.described, transport: useTransport, change,
    go: (screen) => go({ screen, parameters: {}, locale: address.locale }),
    fetch: (path) => fetch(path, account?.token && { headers: { Authorization: `Bearer ${account.token}` } }),
  });
  for (const [what, ...details] of early.splice(0)) surroundings[what](...details);
  surroundings.show();
  fitDevices();
  if (isArrival) surroundings.demonstrate();
}

/** Goes to another page of the browser's history; a link to where one came from is the way back. */
function visit(link, isFooter) {
  const next = addressOf(link);
  // A footer's link to its own screen makes the list longer; that is no step to come back from.
  if (isFooter && link.screen === address.screen) return go(next);
  const hash = formatAddress(next);
  const { from, ...state } = history.state ?? {};
  if (from === hash) return history.back();
  history.replaceState({ ...state, from, scrollTop: part('scroll').scrollTop }, '');
  history.pushState({ depth: depth() + 1, from: formatAddress(address) }, '', hash);
  arrival = 0;
  return follow();
}

function revisit({ state }) {
  // Of both sheets each has a say.
  if (devices.map((device) => device.handlesBack()).includes(true)) return undefined;
  arrival = state?.scrollTop ?? 0;
  return follow();
}

/** Changes parameters without a new entry in the browser's history: a letter is no page. */
function change(changed) {
  const all = Object.entries({ ...address.parameters, ...changed });
  return go({ ...address, parameters: Object.fromEntries(all.filter(([, value]) => value !== undefined)) });
}

function go(next) {
  const { sheet, ...state } = history.state ?? {};
  for (const device of devices) device.sheet?.yieldHistory();
  history.replaceState(state, '', formatAddress(next));
  return follow();
}

/** The token to ask with; where the server does not take it any more, somebody is asked for another. */
function token(refused) {
  if (refused?.token !== undefined && refused.token === account?.token) {
    account.expire();
    askWho();
    account.ask();
  }
  return account?.token;
}

/** Shows nothing of whoever it was, and asks who it is. */
function askWho() {
  const said = phrases(address.locale);
  const problem = { text: said.needsUser, act: { text: said.signIn, perform: () => account?.ask() } };
  for (const device of devices) {
    device.client.forget();
    device.showNothing(page.described()?.title ?? address.screen ?? '', { connection: 'still', problem });
  }
}

/** Where what is listed depends on who asks, one can say who it is. */
async function showAccount() {
  if (!catalog.takesTokens) return;
  const { Account } = await import('./page/signing-in/account.js');
  account ??= new Account(part('account'), () => address.locale, () => {
    catalog = undefined;
    for (const device of devices) device.client.forget();
    follow();
  });
  account.show();
}

/** Brings everything on the page to what the address says. */
async function follow() {
  const { locale = catalog?.standard, ...rest } = parseAddress(location);
  address = { ...rest, locale };
  const wanted = address;
  try {
    if (catalog === undefined || catalog.locale !== locale) await loadCatalog(locale, () => address === wanted);
    // Somebody wanted something else meanwhile.
    if (address !== wanted) return;
    address.locale = catalog.locale;
    address.screen ??= (catalog.screens.find(isLively) ?? catalog.screens[0])?.name;
    showFrame();
    if (page.described()) {
      await Promise.all(devices.map(show));
      form.complain(new Map());
    } else if (address.screen !== undefined) complainOfScreen();
    surroundings?.show();
  } catch (error) {
    if (address === wanted) fail(error);
  } finally {
    if (address === wanted) arrival = undefined;
  }
}

/** Of the examples the one that changes by itself is the one to arrive at. */
function isLively({ name, example }) {
  return example !== undefined && name === 'wifi';
}

/** A language that the server does not have leaves the page in one that it has, which is said. */
async function loadCatalog(wanted, isWanted) {
  const { screens, locales, takesTokens } = await first.client.catalog({ locale: wanted }).catch((error) => {
    if (!(error instanceof ClientError) || error.mayPass || wanted === undefined) throw error;
    return first.client.catalog({});
  });
  if (!isWanted()) return;
  wait = pause.least;
  const standard = preferred(locales, navigator.languages);
  const locale = wanted === undefined || !locales.includes(wanted) ? standard : wanted;
  catalog = { screens, locales, standard, locale, takesTokens };
  await showAccount();
  if (wanted === undefined || locales.includes(wanted)) return;
  localeChoice.complain(phrases(locale).noLocale(wanted));
  history.replaceState(history.state, '', formatAddress({ ...address, screen: address.screen ?? screens[0]?.name, locale }));
}

function show(device) {
  const { screen, parameters, locale } = address;
  const title = page.described().title ?? screen;
  return device.show({ screen, parameters, locale }, { scrollTop: arrival, title });
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

/** The parameters that stand beside the list, with those values that it was asked with. */
function showForms() {
  const parameters = (page.described()?.parameters ?? []).filter((parameter) => !isShownInPhone(parameter));
  form.show(parameters, { ...first.sentParameters, ...address.parameters }, phrases(address.locale));
}

/** The links stay as long as the screens are the same, and with them the focus. */
function showScreens(list) {
  while (list.children.length > catalog.screens.length) list.lastChild.remove();
  catalog.screens.forEach(({ name, title }, index) => {
    const link = list.children[index]?.firstChild ?? list.appendChild(element('li', '', [element('a')])).firstChild;
    if (link.textContent !== (title ?? name)) link.textContent = title ?? name;
    link.href = formatAddress({ screen: name, parameters: {}, locale: address.locale });
    const isNew = name === address.screen && !link.hasAttribute('aria-current');
    setAttribute(link, 'aria-current', name === address.screen && 'page');
    if (isNew) list.parentNode.scrollLeft = link.offsetLeft - (list.parentNode.clientWidth - link.offsetWidth) / 2;
  });
}

function fail(error) {
  if (!(error instanceof ClientError)) throw error;
  if (error.exchange.status === 401) return askWho();
  if (error.mayPass) {
    for (const device of devices) device.phone.say({ connection: 'reconnecting' });
    // Without the list of screens there is no view to follow yet.
    if (catalog === undefined || catalog.locale !== address.locale) {
      setTimeout(follow, wait + error.retryAfter);
      wait = Math.min(wait * 2, pause.most);
    }
    return;
  }
  const declared = (name) => page.described()?.parameters?.find((parameter) => parameter.name === name);
  const said = phrases(address.locale);
  const named = new Map(error.errors.filter(({ parameter }) => parameter).map(({ parameter, detail }) => (
    [parameter, translated(error, detail, declared(parameter), said)]
  )));
  form.complain(named);
  for (const device of devices) {
    device.complainOfParameters(named);
    device.complain(error, named.size > 0 ? undefined : follow);
  }
}

function complainOfScreen() {
  // There may be one for those who say who they are.
  if (account && account.token === undefined) return askWho();
  const said = phrases(address.locale);
  const { name, title = name } = catalog.screens[0];
  const act = { text: said.toFirst(title), perform: () => go({ screen: name, parameters: {}, locale: address.locale }) };
  const problem = { text: said.noScreen(address.screen), act };
  for (const device of devices) device.showNothing(address.screen, { connection: 'still', problem });
}

/** At most every few seconds, and then the newest. @param {string} text */
function tell(text) {
  const rest = lastTold + breath - Date.now();
  clearTimeout(untold);
  if (rest > 0) untold = setTimeout(tell, rest, text);
  else {
    part('announcer').textContent = text;
    lastTold = Date.now();
  }
}

/** A link to a screen that there is not leads nowhere, nor does one to where one is. */
function hrefOf(link) {
  const next = formatAddress(addressOf(link));
  return catalog.screens.some(({ name }) => name === link.screen) && next !== formatAddress(address) ? next : undefined;
}

function addressOf({ screen, parameters: { width, ...others } = {} }) {
  // What it was told itself, the page need not be told: it may become wider.
  const own = width === undefined || width === String(first.phone.width) ? {} : { width };
  const { revision } = screen === address.screen ? address.parameters : {};
  return { screen, parameters: { ...others, ...own, ...(revision && { revision }) }, locale: address.locale };
}

function depth() {
  return history.state?.depth ?? 0;
}

window.addEventListener('popstate', revisit);
// The address says which screen is shown, so it cannot say a place on the page.
part('skip').addEventListener('click', (event) => {
  event.preventDefault();
  part('list').focus();
});
document.addEventListener('visibilitychange', () => all(document.hidden ? 'pause' : 'resume'));
window.addEventListener('pagehide', () => all('pause'));
window.addEventListener('pageshow', () => all('resume'));
window.addEventListener('online', () => all('hurry'));
window.addEventListener('offline', () => all('interrupt'));

function all(deed) {
  for (const { client } of devices) client[deed]();
}

isWide.addEventListener('change', fitDevices);
follow();
