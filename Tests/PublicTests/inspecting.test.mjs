import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { curlOf, requestOf } from '../../Public/page/inspecting/detail.js';
import { sentText, sizeText, timeText } from '../../Public/page/inspecting/entry-list.js';
import { phrases } from '../../Public/page/inspecting/phrases.js';
import { lines } from '../../Public/page/inspecting/pretty.js';
import { measured } from '../../Public/page/inspecting/measuring.js';
import { bytesOf, compressedSize } from '../../Public/page/inspecting/sizes.js';
import { Timeline, requestsOf } from '../../Public/page/inspecting/timeline.js';
import { changesOf, lastOf } from '../../Public/page/inspecting/totals.js';
import { linesOf } from '../../Public/page/using/lines.js';
import { loadPhrases, phrases as pagePhrases, sentence } from '../../Public/page/phrases.js';
import { ClientError } from '../../Public/relist/client.js';

test('a curl command repeats an exchange and quotes its special characters', () => {
  const headers = { 'Content-Type': 'application/json' };
  const post = { method: 'POST', path: '/screens/s/changes?q=a%26b', headers, body: '{"version":"it\'s"}' };
  const line = `curl 'http://h:1/screens/s/changes?q=a%26b' -H 'Content-Type: application/json' -d '{"version":"it'\\''s"}'`;
  assert.equal(curlOf(post, 'http://h:1'), line);
  assert.equal(curlOf({ method: 'GET', path: '/screens', headers: {} }, 'http://h'), `curl 'http://h/screens'`);
  const headersOfStream = { Accept: 'text/event-stream' };
  const event = { method: 'GET', path: '/x?version=a&q=b', headers: headersOfStream, isEvent: true, document: { from: 'c' } };
  assert.equal(curlOf(event, ''), `curl '/x?version=c&q=b'`, 'the step that the event brought');
});

test('a curl command of an action asks for a document, under a new key each time', () => {
  const headers = { 'Idempotency-Key': 'k', Prefer: 'return=minimal' };
  const line = curlOf({ method: 'POST', path: '/screens/s/actions/a', headers, body: '{}' }, '');
  assert.equal(line, `curl '/screens/s/actions/a' -H "Idempotency-Key: $(openssl rand -hex 16)" -d '{}'`);
});

test('a curl command has a variable in place of the token', () => {
  const line = curlOf({ method: 'GET', path: '/screens', headers: {}, isSignedIn: true }, 'http://h');
  assert.equal(line, `curl 'http://h/screens' -H "Authorization: Bearer $TOKEN"`);
});

test('sizes and times are rounded and stay beside their units', () => {
  const sizes = (locale) => [0, 999, 1840, 12_400, 1_500_000].map((bytes) => sizeText(bytes, phrases(locale)));
  assert.deepEqual(sizes('en'), ['0\u00a0B', '999\u00a0B', '1.8\u00a0kB', '12\u00a0kB', '1.5\u00a0MB']);
  assert.deepEqual(sizes('fr'), ['0\u00a0o', '999\u00a0o', '1,8\u00a0ko', '12\u00a0ko', '1,5\u00a0Mo']);
  const times = (locale) => [0.2, 12.6, 1500].map((milliseconds) => timeText(milliseconds, phrases(locale)));
  assert.deepEqual(times('en'), ['<\u00a01\u00a0ms', '13\u00a0ms', '1.5\u00a0s']);
  assert.equal(times('fr').at(-1), '1,5\u00a0s');
  assert.equal(bytesOf({ a: 'é' }), 10);
});

test('French quotation marks and colons stay on the line of their text', async () => {
  await loadPhrases('fr');
  const { edits, inserted, named } = phrases('fr');
  const { noLocale, noScreen } = pagePhrases('fr');
  const texts = [noLocale('de'), noScreen('x'), named('Mon compte'), edits.search, inserted(named('a'), '')];
  assert.deepEqual(texts.filter((text) => /« | [»:;]/.test(text)), []);
});

test('a French message about an error has the details that the server sent', async () => {
  await loadPhrases('fr');
  const document = { title: 'Bad Request', errors: [{ parameter: 'x', detail: 'There is no such parameter.' }] };
  const error = new ClientError('problem', { method: 'GET', path: '/', status: 400, language: 'en', document });
  assert.equal(sentence(error, pagePhrases('fr')), 'x\u00a0: There is no such parameter.');
});

test('a curl command contains no secrets', () => {
  const post = { method: 'POST', path: '/x', headers: {}, body: '{"version":"v","input":{"password":"correct horse","network":"n"}}' };
  const line = curlOf(post, '', new Set(['password']));
  assert.ok(!line.includes('correct horse'));
  assert.ok(line.includes('"network":"n"'));
});

test('the screen of an exchange has the parameters of its view without the version', () => {
  assert.deepEqual(requestOf({ method: 'GET', path: '/screens/a%20b?q=x%26y&locale=fr' }), { screen: 'a b', parameters: { q: 'x&y', locale: 'fr' } });
  assert.deepEqual(requestOf({ method: 'GET', path: '/screens/s/changes?version=v' }), { screen: 's', parameters: {} });
  assert.equal(requestOf({ method: 'GET', path: '/screens?locale=fr' }), undefined, 'the list of screens');
});

test('the action of an exchange has its input without secrets', () => {
  const post = { method: 'POST', path: '/screens/s/actions/a?q=x', body: '{"version":"v","input":{"password":"correct horse","on":true}}' };
  const action = { name: 'a', input: { password: '…', on: true }, version: 'v' };
  assert.deepEqual(requestOf(post, new Set(['password'])), { screen: 's', parameters: { q: 'x' }, action });
});

test('the lines for an action write its input in each language', () => {
  const action = { name: 'a', input: { text: 'it\'s\n"b"', on: true, none: null, empty: {}, list: [1] } };
  const all = linesOf({ base: 'http://h', screen: 's', parameters: { q: 'x' }, snapshot: { sections: [] }, action });
  const written = {
    SwiftUI: String.raw`["text": "it's\n\"b\"", "on": true, "none": nil, "empty": [:], "list": [1]]`,
    UIKit: String.raw`["text": "it's\n\"b\"", "on": true, "none": nil, "empty": [:], "list": [1]]`,
    JavaScript: JSON.stringify(action.input),
    Python: String.raw`{"text": "it's\n\"b\"", "on": True, "none": None, "empty": {}, "list": [1]}`,
    curl: JSON.stringify(action.input).replace("'", String.raw`'\''`),
  };
  assert.deepEqual(all.map(({ name }) => name), Object.keys(written));
  for (const { name, code } of all) assert.ok(code.includes(written[name]), code);
  assert.ok(all.find(({ name }) => name === 'JavaScript').code.includes('--allow-origin '));
  assert.ok(all.every(({ code }) => !code.includes('…')), 'no line has a placeholder');
});

test('the lines send the version that the client held, and the token of a user who is signed in', () => {
  const shown = { base: 'http://h', screen: 's', parameters: {}, snapshot: { version: 'v', sections: [] } };
  const codes = (more) => Object.fromEntries(linesOf({ ...shown, ...more }).map(({ name, code }) => [name, code]));
  const action = { name: 'a', input: {}, version: 'v' };
  const performing = codes({ action });
  assert.ok(performing.Python.includes('{"input": {}, "version": "v"}'), performing.Python);
  assert.ok(performing.curl.includes('{"input":{},"version":"v"}'), performing.curl);
  const path = '/screens/s/changes?version=v';
  const stream = curlOf({ method: 'GET', path, headers: { Accept: 'text/event-stream' } }, 'http://h');
  assert.equal(stream, `curl -N 'http://h${path}' -H 'Accept: text/event-stream'`);
  assert.ok(codes({}).curl.endsWith(stream), codes({}).curl);
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' };
  const post = { method: 'POST', path: '/screens/s/actions/a', headers, body: '{"input":{},"version":"v"}' };
  assert.equal(performing.curl, curlOf(post, 'http://h'), 'the command that the inspector shows');
  const words = { UIKit: 'environment["TOKEN"]', JavaScript: 'token: () =>', Python: 'os.environ["TOKEN"]', curl: 'Bearer $TOKEN' };
  for (const more of [{}, { action }]) {
    for (const [name, word] of Object.entries(words)) {
      assert.ok(!codes(more)[name].includes(word), name);
      assert.ok(codes({ ...more, isSignedIn: true })[name].includes(word), name);
    }
  }
});

test('the lines that show a screen declare and register all types of its cells, headers and footers', () => {
  for (const name of ['deliveries-en', 'settings-en', 'artist-en', 'mountains-none-fr', 'wifi-fr', 'posts-limit-2']) {
    const snapshot = JSON.parse(readFileSync(new URL(`../Fixtures/Wire/${name}.json`, import.meta.url), 'utf8'));
    const lines = linesOf({ base: 'http://h', screen: snapshot.screen, parameters: {}, snapshot });
    const codes = Object.fromEntries(lines.map(({ name: language, code }) => [language, code]));
    for (const { header, footer, cells } of snapshot.sections) {
      const views = [...cells.map(({ type }) => [type, 'Cell', '']), header && [header.type, 'Header', ', for: .header'], footer && [footer.type, 'Footer', ', for: .footer']];
      for (const [type, role, place] of views.filter(Boolean)) {
        const swift = type.charAt(0).toUpperCase() + type.slice(1) + role;
        for (const language of ['SwiftUI', 'UIKit']) assert.ok(codes[language].includes(`struct ${swift}: Decodable`), `${name}: ${swift}`);
        assert.ok(codes.SwiftUI.includes(`registry.register(${swift}.self)`), codes.SwiftUI);
        assert.ok(codes.UIKit.includes(`views.register(${swift}.self, in: ${swift}View.self${place})`), codes.UIKit);
      }
    }
  }
});

test('an app creates a screen once, follows it while it is visible, and reports the errors of an action', () => {
  const shown = { base: 'http://h', screen: 's', parameters: { q: 'x' }, snapshot: { sections: [] } };
  const [swiftUI, uiKit] = linesOf(shown).map(({ code }) => code);
  assert.ok(swiftUI.includes('@State private var screen = makeClient().screen("s", ["q": "x"])'), swiftUI);
  assert.match(uiKit, /viewWillAppear[^]* following = Task [^]*viewDidDisappear[^]* following\?\.cancel\(\)/);
  for (const code of [swiftUI, uiKit]) assert.ok(code.includes('report: { print($0) }'), code);
  const [button, controller] = linesOf({ ...shown, action: { name: 'a', input: {} } }).map(({ code }) => code);
  assert.ok(controller.includes('UIButton('), controller);
  for (const code of [button, controller]) assert.match(code, /catch \{[^]*case \.undecided: return "/);
  for (const code of [swiftUI, button]) assert.doesNotMatch(code, /init\(/);
});

test('the JavaScript lines name the field of an error, and the option that permits another origin', () => {
  const shown = { base: 'http://h', screen: 's', parameters: {}, snapshot: { sections: [] } };
  const exchange = { method: 'POST', path: '/x', status: 422 };
  const errors = [{ pointer: '/input/kilograms', detail: 'Too heavy.' }, { parameter: 'q', detail: 'Too long.' }, { detail: 'Broken.' }];
  const texts = {
    'kilograms: Too heavy.\nq: Too long.\nBroken.': new ClientError('problem', { ...exchange, document: { detail: 'Other.', errors } }),
    'Not permitted.': new ClientError('problem', { ...exchange, document: { detail: 'Not permitted.' } }),
    'problem: POST /x 422': new ClientError('problem', exchange),
    'No response. Is the server running, with --allow-origin http://app?': new ClientError('unreachable', { ...exchange, status: 0 }),
    'Not a number.': new RangeError('Not a number.'),
  };
  for (const more of [{}, { action: { name: 'a', input: {} } }]) {
    const { code } = linesOf({ ...shown, ...more }).find(({ name }) => name === 'JavaScript');
    const [declared] = /^function messageOf[^]*?^}$/m.exec(code);
    const messageOf = new Function('location', `${declared}; return messageOf;`)({ origin: 'http://app' });
    assert.deepEqual(Object.values(texts).map(messageOf), Object.keys(texts));
    assert.match(code, more.action ? /catch \(error\) {\n {2}console\.error\(messageOf\(error\)\);/ : /fail = \(error\) => report\(messageOf\(error\)\)/);
  }
});

test('the Python lines continue after responses that were cut', { timeout: 60_000 }, async (t) => {
  const document = JSON.stringify({ version: 'v', sections: [{ cells: [{ id: '1', type: 'a', title: 'Arrived' }] }] });
  const paths = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.setHeader('Content-Length', document.length);
    // All responses are cut, except the second one.
    if (paths.length === 2) response.end(document);
    else response.write(document.slice(0, 9), () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${server.address().port}`;
  const { code } = linesOf({ base, screen: 's', parameters: {}, snapshot: { sections: [] } }).find(({ name }) => name === 'Python');
  const program = spawn('python3', ['-c', `import time\ntime.sleep = lambda _: None\n${code}`], {
    env: { ...process.env, no_proxy: '*' }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => {
    program.kill();
    server.close();
    server.closeAllConnections();
  });
  const printed = [];
  for await (const line of createInterface({ input: program.stdout })) {
    printed.push(line.replace(/\(.*/, ''));
    if (printed.length === 4) break;
  }
  assert.deepEqual(printed, ['IncompleteRead', '1 Arrived', 'IncompleteRead', 'IncompleteRead']);
  assert.deepEqual(paths.slice(0, 3), ['/screens/s', '/screens/s', '/screens/s/changes?version=v']);
});

test('a type with a name that Swift does not derive is registered under its name', () => {
  const snapshot = { sections: [{ id: 'a', cells: [{ id: '1', type: 'add-row', title: 'x', count: 2 }] }] };
  const [{ code }, uiKit] = linesOf({ base: 'http://h', screen: 's', parameters: {}, snapshot });
  assert.ok(code.includes('registry.register(AddRowCell.self, as: "add-row")'), code);
  assert.ok(uiKit.code.includes('in: AddRowCellView.self, as: "add-row")'), uiKit.code);
});

const view = (version) => ({ kind: 'snapshot', screen: 's', version, sections: [] });
const event = (from, version) => ({ isEvent: true, method: 'GET', path: '/screens/s/changes', status: 200, bytes: 10, document: { kind: 'changeset', screen: 's', from, version, stages: [] } });
const applied = (exchange) => ({ exchange, outcome: 'apply', before: view(exchange.document.from), after: view(exchange.document.version) });
const action = (version = '1', status = 204, milliseconds = 50) => (
  { method: 'POST', path: '/screens/s/actions/a', status, bytes: 0, milliseconds, body: JSON.stringify({ version }) });
const phones = ({ entries }) => entries.map(({ parts }) => parts.map(({ exchange, device }) => `${exchange.method} ${device}`));

const arrival = { isSignedIn: true };
const received = (text, headers = {}, more = {}) => (
  { text, response: { url: 'http://h/x', headers: new Headers(headers) }, milliseconds: 40, ...more });

test('an exchange is measured when it arrives, and stays the same object', () => {
  const exchange = received('{"note":"é"}');
  assert.equal(measured(exchange, arrival), exchange);
  assert.deepEqual([exchange.bytes, exchange.replica, exchange.isSignedIn], [13, undefined, true]);
  assert.equal(measured({ text: '', status: 0, milliseconds: 1 }, arrival).bytes, 0, 'there was no response');
});

test('a response from the cache of the browser has no size', async (context) => {
  const timings = [{ startTime: 5, transferSize: 940, encodedBodySize: 640 }, { startTime: 60, transferSize: 300, encodedBodySize: 640 }];
  context.mock.method(performance, 'getEntriesByName', (url) => (url === 'http://h/x' ? timings : []));
  const [loaded, cached] = [45, 101].map((time) => measured({ ...received(JSON.stringify(view('1')), {}, whole('1')) }, { ...arrival, time }));
  assert.deepEqual([loaded.isCached, cached.isCached], [false, true]);
  const timeline = new Timeline();
  receive(timeline, cached, 'replace', 1, undefined);
  const [entry] = timeline.entries;
  assert.deepEqual(entry.plain, { sent: 0, whole: cached.bytes });
  await timeline.measure(entry);
  assert.equal(entry.compressed.sent, 0);
  assert.equal(sentText(cached, 0, phrases('en')), 'from the cache');
  assert.equal(sentText(loaded, loaded.bytes, phrases('en')), '60\u00a0B');
});

test('if Relist-Replica lists several replicas, the last one is the replica of the exchange', () => {
  assert.equal(measured(received('', { 'Relist-Replica': '127.0.0.1:1, 127.0.0.1:2' }), arrival).replica, '127.0.0.1:2');
});

test('an action and its change event form one timeline entry, whichever arrives first', () => {
  for (const order of [['action', 'event'], ['event', 'action']]) {
    const timeline = new Timeline();
    const change = event('1', '2');
    for (const [index, what] of order.entries()) timeline.add(what === 'event' ? change : action(), 1, 1000 + index);
    timeline.take(applied(change), 1);
    assert.equal(timeline.entries.length, 1, String(order));
  }
});

test('a failed action, or an action after a change, gets its own timeline entry', () => {
  const timeline = new Timeline();
  timeline.add(event('1', '2'), 1, 1000);
  timeline.add(action('2'), 1, 2000);
  timeline.add(action('2', 422), 1, 2100);
  assert.equal(timeline.entries.length, 3);
});

test('an action that changes nothing does not get the later change of another client', () => {
  const timeline = new Timeline();
  timeline.add(action('1'), 1, 1000);
  timeline.add(event('1', '2'), 1, 3900);
  timeline.add(action('2'), 1, 4100);
  timeline.add(event('2', '1'), 2, 4150);
  timeline.add(event('2', '3'), 2, 4200);
  assert.deepEqual(phones(timeline), [['POST 1'], ['GET 1'], ['POST 1'], ['GET 2'], ['GET 2']]);
});

test('only the first change since the version that an action names is its result', () => {
  const timeline = new Timeline();
  timeline.add(action('1'), 1, 1000);
  timeline.add(event('0', '1'), 1, 1010);
  timeline.add(event('1', '2'), 1, 1020);
  timeline.add(event('2', '3'), 1, 1030);
  assert.deepEqual(phones(timeline), [['GET 1'], ['POST 1', 'GET 1'], ['GET 1']]);
  timeline.add(event('3', '4'), 1, 2000);
  timeline.add(action('3'), 1, 2100);
  timeline.add(action('4', 204, 50), 1, 2120);
  assert.deepEqual(phones(timeline).slice(3), [['GET 1'], ['POST 1'], ['POST 1']], 'the change arrived before the request');
});

test('the change after two actions on one version is the result of the later action', () => {
  const timeline = new Timeline();
  timeline.add(action('1'), 1, 1000);
  timeline.add(action('1'), 1, 1100);
  timeline.add(event('1', '2'), 1, 1150);
  assert.deepEqual(timeline.entries.map(({ parts }) => parts.map(({ time }) => time)), [[1000], [1100, 1150]]);
});

test('the events that report a change to several phones belong to one timeline entry', () => {
  const timeline = new Timeline();
  const [first, second] = [event('1', '2'), event('1', '2')];
  timeline.add(first, 1, 1);
  timeline.take(applied(first), 1);
  timeline.add(second, 2, 2);
  timeline.take(applied(second), 2);
  assert.deepEqual(timeline.entries.map(({ parts }) => parts.map(({ device }) => device)), [[1, 2]]);
  assert.equal(timeline.entries[0].taken.exchange, first);
});

test('an action joins the timeline entry of its change even after another phone’s event', () => {
  const timeline = new Timeline();
  timeline.add(event('1', '2'), 1, 1000);
  timeline.add(action(), 2, 1010);
  timeline.add(event('1', '2'), 2, 1020);
  assert.deepEqual(timeline.entries.map(({ parts }) => parts.map(({ device }) => device)), [[1, 2, 2]]);
});

test('the sizes of a change are those of one document, however many phones received it', () => {
  const timeline = new Timeline();
  const whole = { method: 'GET', path: '/screens/s', status: 200, bytes: 300, document: view('1') };
  const first = timeline.add(whole, 1, 1);
  timeline.take({ exchange: whole, outcome: 'replace', after: view('1') }, 1);
  assert.deepEqual(first.plain, { sent: 300, whole: 300 });
  const change = event('1', '2');
  const entry = timeline.add(change, 1, 2);
  timeline.take(applied(change), 1);
  timeline.add({ ...event('1', '2'), bytes: 7 }, 2, 3);
  assert.deepEqual(entry.plain, { sent: change.bytes, whole: bytesOf(view('2')) });
});

test('both sizes of a comparison are measured with gzip, whatever coding the server has used', async () => {
  const text = JSON.stringify({ ...view('2'), title: 'delivery '.repeat(100) });
  assert.ok(await compressedSize(text) < text.length / 4);
  for (const isEvent of [false, true]) assert.equal(await compressedSize(text, isEvent), gzipSync(text).length, 'the size that a reader can measure');
  assert.equal(await compressedSize('{}'), 2, 'a text that compression does not make smaller');

  const timeline = new Timeline();
  const whole = { method: 'GET', path: '/screens/s', status: 200, bytes: text.length, text, document: view('1') };
  const first = timeline.add(whole, 1, 1);
  timeline.take({ exchange: whole, outcome: 'replace', after: view('1') }, 1);
  await timeline.measure(first);
  assert.deepEqual([first.plain, first.compressed], [{ sent: text.length, whole: text.length }, { sent: await compressedSize(text), whole: await compressedSize(text) }]);
  timeline.add({ ...action(), bytes: 400 }, 1, 1000);
  const change = { ...event('1', '2'), bytes: text.length, text };
  const entry = timeline.add(change, 1, 1020);
  timeline.take(applied(change), 1);
  await timeline.measure(entry);
  assert.equal(entry.compressed.sent, await compressedSize(text, true), 'the change without the action');
  assert.equal(entry.compressed.whole, bytesOf(view('2')), 'a small snapshot is not compressed');
});

test('sizes that were measured before the outcome was known are measured again', async () => {
  const timeline = new Timeline();
  const whole = { method: 'GET', path: '/screens/s', status: 200, bytes: 300, text: '', document: view('1') };
  const entry = timeline.add(whole, 1, 1);
  await timeline.measure(entry);
  timeline.take({ exchange: whole, outcome: 'replace', after: view('1') }, 1);
  assert.equal(entry.compressed, undefined);
});

/** Adds an exchange with an outcome to a timeline. */
function receive(timeline, exchange, outcome, device = 1, before = exchange.document.from) {
  const after = outcome === 'misfit' ? before : exchange.document.version;
  timeline.add(exchange, device, 1);
  timeline.take({ exchange, outcome, before: before && view(before), after: view(after) }, device);
}

const whole = (version, bytes) => ({ method: 'GET', path: '/screens/s', status: 200, bytes, document: view(version) });
const plainChanges = ({ entries }) => changesOf(entries, ({ plain }) => plain);

test('a snapshot that repeats the version and a change of another phone are no changes', () => {
  const timeline = new Timeline();
  receive(timeline, whole('1', 300), 'replace', 1, undefined);
  receive(timeline, whole('1', 300), 'replace', 1, '1');
  receive(timeline, whole('2', 310), 'replace', 1, '1');
  receive(timeline, event('1', '2'), 'apply', 2);
  assert.deepEqual(plainChanges(timeline), [{ sent: 310, whole: 310 }]);
});

test('a changeset that does not fit is counted with the snapshot that follows', () => {
  const timeline = new Timeline();
  receive(timeline, whole('1', 300), 'replace', 1, undefined);
  receive(timeline, { ...event('1', '2'), bytes: 355 }, 'misfit');
  receive(timeline, whole('2', 300), 'replace', 1, '1');
  assert.deepEqual(plainChanges(timeline), [{ sent: 655, whole: 300 }]);
});

test('a whole screen in another language is a first load, and a changeset to it is a change', () => {
  const timeline = new Timeline();
  const changes = { method: 'POST', path: '/screens/s/changes?locale=fr', status: 200, bytes: 280, document: { ...event('1', '2').document } };
  receive(timeline, { ...whole('1', 300), path: '/screens/s?locale=en' }, 'replace', 1, undefined);
  receive(timeline, changes, 'apply');
  receive(timeline, { ...event('2', '3'), path: '/screens/s/changes?locale=fr&version=2' }, 'apply');
  receive(timeline, { ...whole('4', 300), path: '/screens/s?locale=en' }, 'replace', 1, '3');
  assert.deepEqual(timeline.entries.map(({ isLoad }) => isLoad), [true, false, false, true]);
  assert.deepEqual(plainChanges(timeline).map(({ sent }) => sent), [280, 10]);
});

test('the changes of other users do not replace the change of the user’s own action', () => {
  const timeline = new Timeline();
  const shown = () => {
    const { entry, isKept } = lastOf(timeline.entries);
    return [entry.taken.after.version, isKept];
  };
  receive(timeline, whole('1', 300), 'replace', 1, undefined);
  receive(timeline, event('1', '2'), 'apply');
  assert.deepEqual(shown(), ['2', false], 'the user has not acted');
  timeline.add(action('2'), 1, 1);
  receive(timeline, event('2', '3'), 'apply');
  assert.deepEqual(shown(), ['3', false]);
  receive(timeline, event('3', '4'), 'apply');
  assert.deepEqual(shown(), ['3', true]);
  receive(timeline, whole('5', 300), 'replace', 1, '4');
  assert.deepEqual(shown(), ['5', false], 'a request for another view');
  assert.equal(lastOf([]), undefined);
});

test('totals say that older changes are not counted', () => {
  const texts = (locale, ...more) => [phrases(locale).sums(64, '1 B', '2 B', ...more), phrases(locale).versionOf(64, 64, ...more)];
  assert.deepEqual(texts('en'), ['64 changes: 1 B. As whole screens: 2 B.', 'Version 64 of 64']);
  assert.deepEqual(texts('en', true), ['The last 64 changes: 1 B. As whole screens: 2 B.', 'Version 64 of the last 64']);
  assert.deepEqual(texts('fr', true), [
    'Les 64 derniers changements\u00a0: 1 B. En écrans entiers\u00a0: 2 B.', 'Version 64 sur les 64 dernières',
  ]);
});

test('each version of a screen is listed once, and old entries are discarded', () => {
  const timeline = new Timeline();
  for (let version = 1; version < 300; version += 1) {
    const change = event(String(version), String(version + 1));
    timeline.add(change, 1, version);
    timeline.take(applied(change), 1);
  }
  assert.deepEqual([timeline.entries.length, timeline.isShortened, new Timeline().isShortened], [100, true, false]);
  assert.equal(timeline.versions('s').at(-1).taken.after.version, '300');
  assert.deepEqual(timeline.versions('t'), []);
});

test('the versions of a screen are those of the first phone', () => {
  const timeline = new Timeline();
  const whole = (version) => ({ method: 'GET', path: '/screens/s', status: 200, bytes: 300, document: view(version) });
  for (const [device, version] of [[1, '1'], [2, 'wide']]) {
    const exchange = whole(version);
    timeline.add(exchange, device, device);
    timeline.take({ exchange, outcome: 'replace', after: view(version) }, device);
  }
  assert.deepEqual(timeline.versions('s').map(({ taken }) => taken.after.version), ['1']);
});

test('consecutive failures of streams with the same status are one timeline entry', () => {
  const timeline = new Timeline();
  const failure = (status) => ({ method: 'GET', path: '/screens/s/changes', status, bytes: 0, isStream: true });
  for (const [index, status] of [200, 200, 0, 0, 0, 200].entries()) timeline.add(failure(status), 1 + index % 2, index);
  timeline.add({ ...failure(200), first: 'current' }, 1, 6);
  timeline.add({ ...failure(200), first: 'current' }, 2, 7);
  timeline.add({ ...failure(200), first: 'snapshot' }, 2, 8);
  assert.deepEqual(timeline.entries.map(({ parts }) => parts.length), [2, 3, 1, 2, 1], 'a stream that works again is no failure');
});

test('each request of an entry lists the replicas that responded', () => {
  const timeline = new Timeline();
  const change = (replica) => ({ ...event('1', '2'), replica });
  timeline.add({ ...action(), replica: 'a' }, 1, 1000);
  timeline.add(change('b'), 1, 1001);
  timeline.add(change('a'), 2, 1002);
  timeline.add(change('b'), 3, 1003);
  const requests = requestsOf(timeline.entries[0], ({ method }) => method);
  assert.deepEqual(requests.map(({ exchange, replicas }) => [exchange.method, replicas]), [['POST', ['a']], ['GET', ['b', 'a']]]);
  timeline.add(event('2', '3'), 1, 2000);
  assert.deepEqual(requestsOf(timeline.entries[1], ({ method }) => method).map(({ replicas }) => replicas), [[]]);
});

const pretty = (json) => lines(json).map(({ text }) => text).join('\n');

test('JSON is indented like the output of JSON.stringify', () => {
  for (const value of [{ a: [1, { b: null }], c: {}, d: [], e: [[]], f: 'x' }, [], {}, [[], {}], 'a', 1, { 'a:{': 'b,]"\\', c: '\n \\"' }]) {
    assert.equal(pretty(JSON.stringify(value)), JSON.stringify(value, null, 2));
  }
});

test('every digit of a number is kept when JSON is indented', () => {
  assert.equal(pretty('[12345678901234567890,1.50]'), '[\n  12345678901234567890,\n  1.50\n]');
});

test('a changeset that fits on one phone only is marked with the other phone', () => {
  const timeline = new Timeline();
  const [first, second] = [event('1', '2'), event('1', '2')];
  timeline.add(first, 1, 1000);
  timeline.add(second, 2, 1000);
  timeline.take(applied(first), 1);
  timeline.take({ exchange: second, outcome: 'misfit' }, 2);
  assert.deepEqual(timeline.entries.map(({ taken, misfit }) => [taken.outcome, misfit]), [['apply', 2]]);
});

test('the reason of a snapshot is translated', () => {
  const { causes, reasons } = phrases('fr');
  assert.deepEqual(Object.keys(causes), Object.keys(reasons));
});

test('a difference of sizes is a multiple with two digits', () => {
  assert.equal(phrases('en').times(827, 837_000), '1,000\u00a0times less');
  assert.equal(phrases('en').times(815, 2200), '2.7\u00a0times less');
  assert.equal(phrases('fr').times(815, 2200), '2,7\u00a0fois moins');
  assert.equal(phrases('en').times(815, 815), '');
});
