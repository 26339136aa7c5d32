import { formatAddress, parseAddress } from './address.js';
import { Client, ClientError } from './client.js';
import { ExchangePane } from './exchanges.js';
import { ParameterForm } from './parameters.js';
import { ListView } from './render.js';

const locales = ['en', 'fr'];
const part = (id) => document.getElementById(id);

let screens = [];
let screensLocale;
let address;

const exchanges = new ExchangePane(part('exchanges'), part('document'));
const list = new ListView(part('list'), (link) => (
  screens.some(({ name }) => name === link.screen)
    ? formatAddress({ screen: link.screen, parameters: link.parameters ?? {}, locale: address.locale })
    : undefined
));
const form = new ParameterForm(part('parameters'), (parameters) => go({ ...address, parameters }));
const client = new Client({
  onExchange: (exchange) => exchanges.add(exchange),
  onHeld: showSnapshot,
  onMisfit: ({ reason }) => exchanges.note(`did not fit: ${reason}`),
});

function showSnapshot(snapshot) {
  if (snapshot.screen !== address.screen) return;
  list.render(snapshot);
  const count = snapshot.sections.reduce((sum, { cells }) => sum + cells.length, 0);
  const title = snapshot.title || titleOf(snapshot.screen);
  part('title').textContent = title;
  part('state').textContent = [many(snapshot.sections.length, 'section'), many(count, 'cell'), `version ${snapshot.version}`].join(' · ');
  part('empty').hidden = snapshot.sections.length > 0;
  document.title = `${title} – Relist`;
}

function many(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function titleOf(name) {
  return screens.find((screen) => screen.name === name)?.title ?? name;
}

/** Changes what is shown without a new entry in the browser's history: a letter is no page. */
function go(next) {
  history.replaceState(null, '', formatAddress(next));
  follow();
}

/** Brings everything on the page to what the address says. */
async function follow() {
  const { locale = standardLocale(), ...rest } = parseAddress(location);
  const isOther = rest.screen !== address?.screen;
  address = { ...rest, locale };
  try {
    if (screensLocale !== locale) await loadScreens(locale);
    address.screen ??= screens[0]?.name;
    showFrame();
    if (isOther) clearList();
    await refresh();
  } catch (error) {
    complain(error);
  }
}

async function loadScreens(locale) {
  screens = await client.screens({ locale });
  screensLocale = locale;
}

async function refresh() {
  const { screen, parameters, locale } = address;
  if (screen === undefined) return;
  part('list').setAttribute('aria-busy', 'true');
  try {
    await client.show(screen, { ...parameters, locale });
    // Nothing new comes for a screen that was left for one that failed; its list is shown again.
    showSnapshot(client.held);
    part('problem').hidden = true;
  } finally {
    part('list').removeAttribute('aria-busy');
  }
}

function clearList() {
  list.clear();
  part('title').textContent = titleOf(address.screen);
  part('state').textContent = '';
  part('empty').hidden = true;
}

function showFrame() {
  part('screens').replaceChildren(...screens.map(screenItem));
  form.show(screens.find(({ name }) => name === address.screen)?.parameters ?? [], address.parameters);
  for (const input of part('locales').querySelectorAll('input')) input.checked = input.value === address.locale;
  part('list').lang = address.locale;
}

function screenItem({ name, title }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = formatAddress({ screen: name, parameters: {}, locale: address.locale });
  link.textContent = title ?? name;
  if (name === address.screen) link.setAttribute('aria-current', 'page');
  item.append(link);
  return item;
}

function complain(error) {
  if (!(error instanceof ClientError)) console.error(error);
  part('problem').textContent = explanation(error);
  part('problem').hidden = false;
}

/** @returns {string} for people; a problem brings its own words */
function explanation(error) {
  if (!(error instanceof ClientError)) return `The page failed: ${error.message}`;
  if (error.reason === 'unreachable') return 'The server is out of reach.';
  if (error.reason === 'unexpected') return 'The server answered with something else than a document of the protocol.';
  const { document: problem, status } = error.exchange;
  const errors = (problem?.errors ?? []).map(({ pointer, parameter, detail }) => `${parameter ?? pointer}: ${detail}`);
  return [problem?.detail ?? problem?.title ?? `The server answered with ${status}.`, ...errors].join('\n');
}

function standardLocale() {
  return locales.find((locale) => navigator.language.startsWith(locale)) ?? locales[0];
}

window.addEventListener('hashchange', follow);
part('refresh').addEventListener('click', () => (address ? refresh().catch(complain) : follow()));
part('locales').addEventListener('change', ({ target }) => go({ ...address, locale: target.value }));
follow();
