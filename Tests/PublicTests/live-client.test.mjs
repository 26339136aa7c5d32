import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import './browser.mjs';
import { FakeServer } from './fake-server.mjs';
import { Watched } from './watched.mjs';

/** Returns a `fetch` that appends the text of streams to `log` before the client reads it. */
function recording(fetch, log) {
  const decoder = new TextDecoder();
  const record = (bytes, controller) => {
    log.text += decoder.decode(bytes);
    controller.enqueue(bytes);
  };
  return async (...request) => {
    const response = await fetch(...request);
    if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return response;
    return new Response(response.body.pipeThrough(new TransformStream({ transform: record })), response);
  };
}

function liveTest(name, body) {
  test(name, { timeout: 60_000 }, async () => {
    const server = await new FakeServer().start();
    const log = { text: '' };
    const watched = new Watched(recording(server.fetch, log));
    try {
      await body(server, watched, log);
    } finally {
      watched.client.close();
      await server.stop();
    }
  });
}

async function shown({ client }, server, letters = 'a') {
  server.set([...letters]);
  await client.show('letters');
}

async function followed(watched, server) {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
}

liveTest('a stream begins at the held version and delivers later changes', async (server, watched) => {
  await shown(watched, server);
  server.set(['a', 'b']);
  await watched.until(() => watched.letters === 'ab');
  server.set(['c']);
  await watched.until(() => watched.letters === 'c');
  assert.deepEqual(watched.states, ['asking', 'live']);
  assert.deepEqual(server.requests, ['GET /screens/letters', 'STREAM v2']);
});

liveTest('a view with other parameters is requested from the held version and then followed', async (server, watched) => {
  await followed(watched, server);
  server.set(['b']);
  await watched.client.show('letters', { q: 'b' });
  await watched.until(() => watched.state === 'live');
  await server.hasRequest(/STREAM/, 2);
  assert.match(server.requests[2], /^POST \/screens\/letters\/changes\?q=b \{"version":"v[23]"\}$/);
  assert.equal(server.requests[3], 'STREAM v3');
  assert.equal(watched.letters, 'b');
});

const stale = 'event: stale\ndata: {}\n\n';
const current = (version) => `event: current\nid: ${version}\ndata: {"version":"${version}"}\n\n`;

liveTest('the client is live only after the server has reported that the held version is current', async (server, watched) => {
  server.confirms = false;
  await shown(watched, server);
  await server.hasStreams(1);
  server.write(stale);
  await watched.until(() => watched.state === 'stale');
  server.write(current('v2'));
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(watched.states, ['asking', 'stale', 'live']);
});

liveTest('the client is stale after the event stale, until the server reports that the held version is current', async (server, watched) => {
  await followed(watched, server);
  server.write(stale);
  await watched.until(() => watched.state === 'stale');
  assert.equal(watched.letters, 'a');
  server.write(current('v2'));
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(watched.states, ['asking', 'live', 'stale', 'live']);
  assert.equal(server.requests.length, 2);
});

liveTest('a client whose server is silent for longer than between two comments is stale until a complete event or comment arrives', async (server, watched, log) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  // The client sets its timers after it has processed the data that it has.
  const processed = () => new Promise(setImmediate);
  const written = async (text) => {
    log.text = '';
    server.write(text);
    while (!log.text.endsWith(text)) await processed();
    await processed();
  };
  try {
    await followed(watched, server);
    await processed();
    mock.timers.tick(22_499);
    assert.equal(watched.state, 'live');
    mock.timers.tick(1);
    assert.equal(watched.state, 'stale');
    await written(':\n\n');
    assert.equal(watched.state, 'live');
    mock.timers.tick(22_500);
    assert.equal(watched.state, 'stale');
    // A part of an event does not say that the version is current.
    await written(stale.slice(0, 10));
    await written(stale.slice(10));
    assert.equal(watched.state, 'stale');
    mock.timers.tick(22_500);
    // After the event stale, a comment does not say so either.
    await written(':\n\n');
    assert.equal(watched.state, 'stale');
    server.write(current('v2'));
    await watched.until(() => watched.state === 'live');
    assert.deepEqual(watched.states, ['asking', 'live', 'stale', 'live', 'stale', 'live']);
  } finally {
    mock.timers.reset();
  }
});

liveTest('a stale client is live after a change, and stale again after another event stale', async (server, watched) => {
  await followed(watched, server);
  server.write(stale);
  server.set(['b']);
  server.write(stale);
  await watched.until(() => watched.states.length === 5);
  assert.deepEqual(watched.states, ['asking', 'live', 'stale', 'live', 'stale']);
  assert.equal(watched.letters, 'b');
});

liveTest('if the server reports another version as current, the stream is reopened from the held version', async (server, watched) => {
  await followed(watched, server);
  server.write(current('v9'));
  await server.hasRequest(/STREAM v2/, 2);
  await watched.until(() => watched.states.length === 4);
  assert.deepEqual(watched.states, ['asking', 'live', 'reconnecting', 'live']);
});

liveTest('unknown events of a stream are ignored', async (server, watched) => {
  const exchanges = [];
  await followed(watched, server);
  watched.onExchange = (exchange) => exchanges.push(exchange.document.kind);
  server.write('event: other\ndata: {"kind":"snapshot"}\n\nevent: another\ndata: no JSON\n\ndata: {}\n\n');
  server.set(['b']);
  await watched.until(() => watched.letters === 'b');
  assert.deepEqual(exchanges, ['changeset']);
  assert.deepEqual(watched.states, ['asking', 'live']);
  assert.equal(server.requests.length, 2);
});

liveTest('while the client is stale, the changes of an action arrive only on the stream', async (server, watched) => {
  await followed(watched, server);
  server.write(stale);
  await watched.until(() => watched.state === 'stale');
  await watched.client.perform('set', { letters: ['q'] });
  await watched.until(() => watched.letters === 'q');
  assert.equal(server.requests.length, 3);
  assert.deepEqual(watched.kinds, ['snapshot', 'changeset']);
});

liveTest('a broken stream is reopened from the held version', async (server, watched) => {
  await followed(watched, server);
  server.breakStreams();
  server.set(['a', 'b']);
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(watched.states, ['asking', 'live', 'reconnecting', 'live']);
  assert.deepEqual(server.requests.slice(1), ['STREAM v2', 'STREAM v2']);
  assert.deepEqual(watched.pauses, [1000], 'the pause that the stream requests');
});

liveTest('the pauses between attempts grow while the server is down', async (server, watched) => {
  await followed(watched, server);
  const { port } = server;
  await server.stop();
  await watched.until(() => watched.state === 'reconnecting');
  await new Promise((resolve) => {
    const check = () => (watched.pauses.length >= 4 ? resolve() : setImmediate(check));
    check();
  });
  assert.deepEqual(watched.pauses.slice(0, 4), [1000, 2000, 4000, 8000]);
  await server.start(port);
  server.set(['z']);
  await watched.until(() => watched.letters === 'z');
  assert.equal(watched.state, 'live');
});

liveTest('a snapshot replaces a version that the server no longer knows', async (server, watched) => {
  await followed(watched, server);
  const sections = [{ id: 's', cells: [{ id: 'x', type: 't' }] }];
  const other = { ...server.snapshot(), version: 'other', reason: 'unknown-version', sections };
  server.write(`event: snapshot\ndata: ${JSON.stringify(other)}\n\n`);
  await watched.until(() => watched.letters === 'x');
  assert.equal(watched.client.held.version, 'other');
});

liveTest('after a snapshot of another screen, the stream is reopened from the held version', async (server, watched) => {
  await followed(watched, server);
  server.write(`event: snapshot\ndata: ${JSON.stringify({ ...server.snapshot(), screen: 'others', version: 'v9' })}\n\n`);
  await server.hasRequest(/STREAM v2/, 2);
  assert.equal(watched.client.held.screen, 'letters');
  assert.deepEqual(watched.kinds, ['snapshot']);
});

const cells = [{ id: 'x', type: 't' }];
for (const [name, sections] of Object.entries({
  'no sections': undefined, 'no section': [null], 'no cells': [{ id: 's' }], 'no cell': [{ id: 's', cells: [null] }],
  'no id': [{ id: 's', cells: [{ type: 't' }] }], 'no header': [{ id: 's', cells, header: 7 }],
  'a repeated id': [{ id: 's', cells: [...cells, ...cells] }],
})) {
  liveTest(`a snapshot that is malformed (${name}) is reported, and the held version stays`, async (server, watched) => {
    await followed(watched, server);
    server.write(`event: snapshot\ndata: ${JSON.stringify({ ...server.snapshot(), version: 'v9', sections })}\n\n`);
    await server.hasRequest(/STREAM v2/, 2);
    await watched.until(() => watched.states.length === 4);
    assert.deepEqual(watched.states, ['asking', 'live', 'reconnecting', 'live']);
    assert.deepEqual(watched.errors.map(({ reason, cause }) => [reason, cause.name]), [['unexpected', 'ChangesetError']]);
    assert.equal(watched.letters, 'a');
  });
}

liveTest('the media type of a stream is compared without its case and parameters', async (server, watched) => {
  server.streamType = 'Text/Event-Stream;charset=UTF-8';
  await followed(watched, server);
  assert.deepEqual(watched.states, ['asking', 'live']);
});

liveTest('after a changeset from another version, the stream is reopened from the held version', async (server, watched) => {
  await followed(watched, server);
  server.write('event: changeset\ndata: {"kind":"changeset","screen":"letters","from":"v8","version":"v9","stages":[]}\n\n');
  await server.hasRequest(/STREAM v2/, 2);
  server.set(['n']);
  await watched.until(() => watched.letters === 'n');
  assert.deepEqual(watched.pauses, [1000]);
});

liveTest('after a changeset that cannot be applied to the held snapshot, a snapshot is requested', async (server, watched) => {
  await followed(watched, server);
  const misfit = { kind: 'changeset', screen: 'letters', from: 'v2', version: 'v9', stages: [{ deleteSections: [5] }] };
  server.write(`event: changeset\ndata: ${JSON.stringify(misfit)}\n\n`);
  await server.hasRequest(/^GET /, 2);
  await server.hasRequest(/STREAM/, 2);
  assert.deepEqual(watched.misfits, ['out-of-bounds']);
  assert.equal(watched.letters, 'a');
});

liveTest('while a stream is open, the changes of an action arrive only on the stream', async (server, watched) => {
  await followed(watched, server);
  const responses = [];
  watched.onExchange = ({ method, status, text }) => method === 'POST' && responses.push([status, text]);
  await watched.client.perform('set', { letters: ['q'] });
  await watched.until(() => watched.letters === 'q');
  assert.match(server.requests.at(-1), /^POST \/screens\/letters\/actions\/set \{"version":"v2","input":\{"letters":\["q"\]\}\} [0-9a-f]{32}$/);
  assert.equal(server.requests.length, 3);
  assert.deepEqual(responses, [[204, '']]);
});

liveTest('an action whose response is lost fails, and its changes arrive on the stream', async (server, watched) => {
  await followed(watched, server);
  server.next = ['break'];
  await assert.rejects(watched.client.perform('set', { letters: ['q'] }), { reason: 'unreachable' });
  await watched.until(() => watched.letters === 'q');
});

liveTest('a request for a stream is not repeated if the server has no streams', async (server, watched) => {
  server.next = [undefined, 406];
  await shown(watched, server);
  await watched.until(() => watched.state === 'idle');
  assert.equal(watched.letters, 'a');
  await watched.client.perform('set', { letters: ['q'] });
  assert.equal(watched.letters, 'q', 'the response brings the change');
});

liveTest('a request to a draining server is repeated', async (server, watched) => {
  server.next = [undefined, 503, 503];
  await followed(watched, server);
  assert.deepEqual(watched.states, ['asking', 'reconnecting', 'live']);
  assert.equal(server.requests.length, 4);
});

liveTest('the first request for a screen is repeated after a temporary failure of the server', async (server, watched) => {
  server.next = [503];
  server.set(['a']);
  await assert.rejects(watched.client.show('letters'), { reason: 'problem' });
  await watched.until(() => watched.state === 'live');
  assert.equal(watched.letters, 'a');
});

liveTest('an invalid request is not repeated', async (server, watched) => {
  server.next = [400];
  await assert.rejects(watched.client.show('letters', { q: 7 }), { reason: 'problem' });
  assert.deepEqual(watched.states, ['asking', 'idle']);
  assert.equal(server.requests.length, 1);
});

liveTest('after dropConnection the stream is reopened, and a later retryNow has no effect', async (server, watched) => {
  await followed(watched, server);
  watched.client.dropConnection();
  await watched.until(() => watched.states.length === 4);
  watched.client.retryNow();
  assert.deepEqual(watched.states, ['asking', 'live', 'reconnecting', 'live']);
});

liveTest('a paused client has no stream, and catches up with a changeset', async (server, watched) => {
  await followed(watched, server);
  watched.client.pause();
  await server.hasStreams(0);
  server.set(['a', 'b']);
  watched.client.resume();
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(server.requests.slice(1), ['STREAM v2', 'STREAM v2']);
});

liveTest('a paused client is idle until it resumes', async (server, watched) => {
  await followed(watched, server);
  watched.client.pause();
  assert.equal(watched.state, 'idle');
  watched.client.resume();
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(watched.states, ['asking', 'live', 'idle', 'reconnecting', 'live']);
});

liveTest('a client that is paused during an action shows the changes of the action', async (server, watched) => {
  await followed(watched, server);
  const done = watched.client.perform('set', { letters: ['q'] });
  await server.hasRequest(/^POST/);
  watched.client.pause();
  await done;
  assert.equal(watched.letters, 'q');
  assert.equal(watched.state, 'idle');
});

liveTest('a view that is requested while paused is followed after resume', async (server, watched) => {
  watched.client.pause();
  await shown(watched, server);
  assert.equal(watched.state, 'idle');
  watched.client.resume();
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(server.requests, ['GET /screens/letters', 'STREAM v2']);
});

liveTest('the changes of an action arrive when a lost stream is reopened', async (server, watched) => {
  await followed(watched, server);
  const done = watched.client.perform('set', { letters: ['q'] });
  watched.client.dropConnection();
  await done;
  await watched.until(() => watched.letters === 'q');
});

liveTest('the pauses between attempts grow while each stream begins with another version', async (server, watched) => {
  const elsewhere = 'event: changeset\ndata: {"kind":"changeset","screen":"letters","from":"v8","version":"v9","stages":[]}\n\n';
  server.opening = elsewhere;
  await shown(watched, server);
  await server.hasRequest(/STREAM/, 6);
  assert.deepEqual(watched.pauses.slice(0, 5), [1000, 2000, 4000, 8000, 16_000]);
});

liveTest('a request that hangs delays neither the next screen nor an action', async (server, watched) => {
  await followed(watched, server);
  server.next = ['hang'];
  const hanging = watched.client.show('letters', { q: 'a' }).catch(() => {});
  await server.hasRequest(/q=a/);
  await watched.client.perform('set', { letters: ['q'] });
  await watched.client.show('others');
  assert.equal(watched.client.view.screen, 'others');
  await hanging;
});

liveTest('an error that a callback throws is reported and does not affect the client', async (server, watched) => {
  // Node.js has no `reportError`.
  const thrown = new Promise((resolve) => { globalThis.reportError = resolve; });
  watched.onExchange = () => {
    watched.onExchange = () => {};
    throw new Error('on purpose');
  };
  await shown(watched, server);
  assert.equal((await thrown).message, 'on purpose');
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(watched.states, ['asking', 'live']);
});
