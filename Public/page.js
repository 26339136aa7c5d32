import { Acting, sentence } from './page/acting/acting.js';
import { randomEdit } from './page/acting/random-edit.js';
import { Sheet } from './page/acting/sheet.js';
import { controlKind, formatAddress, LocaleChoice, ParameterForm, parseAddress, preferred } from './page/addressing.js';
import { Inspector } from './page/inspecting/inspector.js';
import { Scrubber } from './page/inspecting/scrubber.js';
import { Phone } from './page/phone.js';
import { phrases } from './page/phrases.js';
import './page/renderers.js';
import { Client, ClientError } from './relist/client.js';
import { Backoff } from './relist/client/following.js';
import { ListView } from './relist/render.js';
import { words } from './relist/render/registry.js';

const part = (id) => document.getElementById(id);
const backoff = new Backoff();

/** What the server has, in the language that was asked for, and the language of a user who asked for none. */
let catalog;
let address = { parameters: {} };
let toldWidth;
/** Where the list is looked at when what was navigated to has come. */
let arrival;

const phone = new Phone(part);
const list = new ListView(part('list'), { scroller: part('scroll'), href: hrefOf, onChoose: choose, more: (locale) => phrases(locale).more });
const inspector = new Inspector({
  exchanges: part('exchanges'), explanation: part('explanation'), curl: part('curl'), copy: part('copy'),
  document: part('document'), sent: part('sent'), instead: part('instead'), share: part('share'),
}, (ids) => list.highlight(ids));
const scrubber = new Scrubber({
  range: part('versions'), back: part('older'), forward: part('newer'), live: part('present'), label: part('version'),
}, show);
const client = new Client({
  live: true,
  onExchange: (exchange) => inspector.add(exchange),
  onTaken: (taken) => inspector.take(taken),
  onHeld: (snapshot) => snapshot.screen === address.screen && scrubber.add(snapshot),
  onState: (state) => phone.say(state),
});
const sheet = new Sheet(part('sheet'), [part('bar'), part('scroll')], () => address.locale);
const acting = new Acting(client, sheet, (name) => described()?.actions?.find((action) => action.name === name), complain);
const localeChoice = new LocaleChoice(part('locales'), (locale) => go({ ...address, locale }));
const forms = [part('query'), part('parameters')].map((form) => new ParameterForm(form, change));

/** Shows a snapshot, of the present or of the past. */
function show(snapshot, isLive) {
  const change = list.render(snapshot, { locale: address.locale, scrollTop: arrival });
  arrival = undefined;
  phone.show(snapshot, { title: snapshot.title || titleOf(snapshot.screen), change, isLive });
}

function choose(choice, source) {
  if (!choice.link) return acting.choose(choice, source);
  const next = addressOf(choice.link);
  // A footer's link to its own screen makes the list longer; that is no step to come back from.
  if (choice.isFooter && choice.link.screen === address.screen) return go(next);
  return visit(formatAddress(next));
}

/** Goes to another page of the browser's history; a link to where one came from is the way back. */
function visit(hash) {
  const { from, ...state } = history.state ?? {};
  if (from === hash) return history.back();
  history.replaceState({ ...state, from, scrollTop: part('scroll').scrollTop }, '');
  history.pushState({ depth: depth() + 1, from: formatAddress(address) }, '', hash);
  arrival = 0;
  return follow();
}

function revisit({ state }) {
  arrival = state?.scrollTop ?? 0;
  return follow();
}

/** Changes parameters without a new entry in the browser's history: a letter is no page. */
function change(changed) {
  const all = Object.entries({ ...address.parameters, ...changed });
  return go({ ...address, parameters: Object.fromEntries(all.filter(([, value]) => value !== undefined)) });
}

function go(next) {
  history.replaceState(history.state, '', formatAddress(next));
  return follow();
}

/** Brings everything on the page to what the address says. */
async function follow() {
  const { locale = catalog?.standard, ...rest } = parseAddress(location);
  const isOther = rest.screen !== address.screen;
  address = { ...rest, locale };
  try {
    if (!isCatalogOf(locale)) await loadCatalog(locale);
    address.locale ??= catalog.standard;
    address.screen ??= catalog.screens[0]?.name;
    if (isOther) leave();
    showFrame();
    await refresh();
  } catch (error) {
    fail(error);
  } finally {
    arrival = undefined;
  }
}

async function loadCatalog(locale) {
  const { screens, locales } = await client.catalog({ locale });
  const standard = preferred(locales, navigator.languages);
  catalog = { screens, locales, standard, locale: locale ?? standard };
  backoff.reset();
}

function isCatalogOf(locale) {
  return catalog !== undefined && catalog.locale === locale;
}

async function refresh() {
  const { screen, parameters, locale } = address;
  if (screen === undefined) return;
  scrubber.live();
  await client.show(screen, { ...withWidth(parameters), locale });
  phone.quiet();
  for (const form of forms) form.complain(new Map());
  // Nothing new comes for a screen that was left for one that failed; its list is shown again.
  if (list.snapshot === undefined && client.held.screen === address.screen) scrubber.add(client.held);
}

/** A screen that wants to know how wide its frame is, is told. */
function withWidth(parameters) {
  const wanted = described()?.parameters?.find(({ name }) => name === 'width');
  toldWidth = phone.width;
  if (!wanted || parameters.width !== undefined || String(toldWidth) === String(wanted.default)) return parameters;
  return { ...parameters, width: String(toldWidth) };
}

function resize() {
  const isWanted = described()?.parameters?.some(({ name }) => name === 'width');
  // While the other pane is shown the list has no width.
  if (isWanted && phone.width > 0 && phone.width !== toldWidth) refresh().catch(fail);
}

function leave() {
  sheet.close();
  list.clear();
  scrubber.clear();
  phone.clear(titleOf(address.screen));
}

function showFrame() {
  localeChoice.show(catalog.locales, address.locale);
  phone.showScreens(catalog.screens, address, (name) => formatAddress({ screen: name, parameters: {}, locale: address.locale }));
  phone.showBack(depth() > 0);
  const parameters = described()?.parameters ?? [];
  const isInPhone = (parameter) => ['search', 'choice'].includes(controlKind(parameter));
  const titleOfParameter = (name) => (name === 'q' ? phone.phrases.search : words(name));
  forms[0].show(parameters.filter(isInPhone), address.parameters, titleOfParameter);
  forms[1].show(parameters.filter((parameter) => !isInPhone(parameter)), address.parameters, titleOfParameter);
}

function fail(error) {
  if (!(error instanceof ClientError)) throw error;
  if (error.mayPass) {
    phone.say('reconnecting');
    // Without the list of screens there is no view to follow yet.
    if (!isCatalogOf(address.locale)) setTimeout(follow, backoff.next(error.retryAfter));
    return;
  }
  const named = new Map(error.errors.filter(({ parameter }) => parameter).map(({ parameter, detail }) => [parameter, detail]));
  for (const form of forms) form.complain(named);
  complain(error, named.size > 0 ? undefined : follow);
}

function complain(error, retry) {
  phone.complain(sentence(error), retry);
}

async function editAtRandom() {
  scrubber.live();
  const edit = client.held && randomEdit(client.held, described() ?? {}, address.parameters, Math.random);
  if (edit?.kind === 'action') await acting.perform(edit.name, edit.input);
  else if (edit) await go({ ...address, parameters: edit.parameters });
  else phone.complain('There is nothing that could be edited here.');
}

function described() {
  return catalog?.screens.find(({ name }) => name === address.screen);
}

function titleOf(name) {
  return catalog?.screens.find((screen) => screen.name === name)?.title ?? name;
}

function addressOf({ screen, parameters: { width, ...others } = {} }) {
  // What it was told itself, the page need not be told: it may become wider.
  const own = width === undefined || width === String(phone.width) ? {} : { width };
  const { revision } = screen === address.screen ? address.parameters : {};
  return { screen, parameters: { ...others, ...own, ...(revision && { revision }) }, locale: address.locale };
}

function hrefOf(link) {
  return catalog.screens.some(({ name }) => name === link.screen) ? formatAddress(addressOf(link)) : undefined;
}

function depth() {
  return history.state?.depth ?? 0;
}

window.addEventListener('popstate', revisit);
document.addEventListener('visibilitychange', () => (document.hidden ? client.pause() : client.resume()));
window.addEventListener('pagehide', () => client.pause());
window.addEventListener('pageshow', () => client.resume());
window.addEventListener('online', () => client.hurry());
window.addEventListener('offline', () => client.interrupt());
part('random').addEventListener('click', editAtRandom);
part('back').addEventListener('click', () => history.back());
part('live').addEventListener('click', () => scrubber.live());
new ResizeObserver(resize).observe(part('scroll'));
follow();
