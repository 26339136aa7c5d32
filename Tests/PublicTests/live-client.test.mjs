import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';
import { FakeServer } from './fake-server.mjs';
import { Watched } from './watched.mjs';

function livingTest(name, body) {
  test(name, { timeout: 60_000 }, async () => {
    const server = await new FakeServer().start();
    const watched = new Watched(server.fetch);
    try {
      await body(server, watched);
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

livingTest('a stream begins at what is held and brings changes', async (server, watched) => {
  await shown(watched, server);
  server.set(['a', 'b']);
  await watched.until(() => watched.letters === 'ab');
  server.set(['c']);
  await watched.until(() => watched.letters === 'c');
  assert.deepEqual(watched.states, ['asking', 'live']);
  assert.deepEqual(server.asked, ['GET /screens/letters', 'STREAM v2']);
});

livingTest('other parameters are asked for from what is held, and then followed', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  server.set(['b']);
  await watched.client.show('letters', { q: 'b' });
  await watched.until(() => watched.state === 'live');
  await server.isAsked(/STREAM/, 2);
  assert.match(server.asked[2], /^POST \/screens\/letters\/changes\?q=b \{"version":"v[23]"\}$/);
  assert.equal(server.asked[3], 'STREAM v3');
  assert.equal(watched.letters, 'b');
});

livingTest('a stream that breaks is opened again from what is held', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  server.breakStreams();
  server.set(['a', 'b']);
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(watched.states, ['asking', 'live', 'reconnecting', 'live']);
  assert.deepEqual(server.asked.slice(1), ['STREAM v2', 'STREAM v2']);
  assert.deepEqual(watched.pauses, [100], 'the stream said how long to wait');
});

livingTest('a server that is gone is waited for, longer each time', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  const { port } = server;
  await server.stop();
  await watched.until(() => watched.state === 'reconnecting');
  await new Promise((resolve) => {
    const check = () => (watched.pauses.length >= 4 ? resolve() : setImmediate(check));
    check();
  });
  assert.deepEqual(watched.pauses.slice(0, 4), [100, 200, 400, 800]);
  await server.start(port);
  server.set(['z']);
  await watched.until(() => watched.letters === 'z');
  assert.equal(watched.state, 'live');
});

livingTest('a version that the server no longer knows is answered with a snapshot', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  const sections = [{ id: 's', cells: [{ id: 'x', type: 't' }] }];
  const other = { ...server.snapshot(), version: 'other', reason: 'unknown-version', sections };
  server.write(`event: snapshot\ndata: ${JSON.stringify(other)}\n\n`);
  await watched.until(() => watched.letters === 'x');
  assert.equal(watched.client.held.version, 'other');
});

livingTest('a changeset from another version makes the stream begin anew from what is held', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  server.write('event: changeset\ndata: {"kind":"changeset","screen":"letters","from":"v8","version":"v9","stages":[]}\n\n');
  await server.isAsked(/STREAM v2/, 2);
  server.set(['n']);
  await watched.until(() => watched.letters === 'n');
  assert.deepEqual(watched.pauses, [100], 'with a pause before it');
});

livingTest('a changeset that does not fit leads to a snapshot', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  const misfit = { kind: 'changeset', screen: 'letters', from: 'v2', version: 'v9', stages: [{ deleteSections: [5] }] };
  server.write(`event: changeset\ndata: ${JSON.stringify(misfit)}\n\n`);
  await server.isAsked(/^GET /, 2);
  await server.isAsked(/STREAM/, 2);
  assert.deepEqual(watched.misfits, ['out-of-bounds']);
  assert.equal(watched.letters, 'a');
});

livingTest('while a stream is open it alone brings what an action changed', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  await watched.client.perform('set', { letters: ['q'] });
  await watched.until(() => watched.letters === 'q');
  const asked = server.asked.at(-1);
  assert.match(asked, /^POST \/screens\/letters\/actions\/set \{"version":"v2","input":\{"letters":\["q"\]\}\} [0-9a-f]{32}$/);
  assert.equal(server.asked.length, 3);
});

livingTest('an action whose answer was lost is told, and its changes come by the stream', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  server.next = ['break'];
  await assert.rejects(watched.client.perform('set', { letters: ['q'] }), { reason: 'unreachable' });
  await watched.until(() => watched.letters === 'q');
});

livingTest('a server without streams is asked no more', async (server, watched) => {
  server.next = [undefined, 406];
  await shown(watched, server);
  await watched.until(() => watched.state === 'still');
  assert.equal(watched.letters, 'a');
  await watched.client.perform('set', { letters: ['q'] });
  assert.equal(watched.letters, 'q', 'the answer brings the change');
});

livingTest('a server that drains is tried again', async (server, watched) => {
  server.next = [undefined, 503, 503];
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(watched.states, ['asking', 'reconnecting', 'live']);
  assert.equal(server.asked.length, 4);
});

livingTest('a first question that failed is asked again', async (server, watched) => {
  server.next = [503];
  server.set(['a']);
  await assert.rejects(watched.client.show('letters'), { reason: 'problem' });
  await watched.until(() => watched.state === 'live');
  assert.equal(watched.letters, 'a');
});

livingTest('a question that is wrong is not asked again', async (server, watched) => {
  server.next = [400];
  await assert.rejects(watched.client.show('letters', { q: 7 }), { reason: 'problem' });
  assert.deepEqual(watched.states, ['asking', 'still']);
  assert.equal(server.asked.length, 1);
});

livingTest('a connection that is known to be dead is dropped, and a pause can be cut short', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  watched.client.interrupt();
  await watched.until(() => watched.states.length === 4);
  watched.client.hurry();
  assert.deepEqual(watched.states, ['asking', 'live', 'reconnecting', 'live']);
});

livingTest('a page that is hidden holds no stream, and catches up by a changeset', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  watched.client.pause();
  await server.hasStreams(0);
  server.set(['a', 'b']);
  watched.client.resume();
  await watched.until(() => watched.letters === 'ab');
  assert.deepEqual(server.asked.slice(1), ['STREAM v2', 'STREAM v2']);
});

livingTest('what is asked for while hidden is followed when it is seen', async (server, watched) => {
  watched.client.pause();
  await shown(watched, server);
  watched.client.resume();
  await watched.until(() => watched.state === 'live');
  assert.deepEqual(server.asked, ['GET /screens/letters', 'STREAM v2']);
});

livingTest('while a stream is open an action asks for no answer', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  const answers = [];
  watched.onExchange = ({ method, status, bytes }) => method === 'POST' && answers.push([status, bytes]);
  await watched.client.perform('set', { letters: ['q'] });
  await watched.until(() => watched.letters === 'q');
  assert.deepEqual(answers, [[204, 0]]);
});

livingTest('a stream that is lost under an action brings what it did when it is back', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  const done = watched.client.perform('set', { letters: ['q'] });
  watched.client.interrupt();
  await done;
  await watched.until(() => watched.letters === 'q');
});

livingTest('a server whose streams begin elsewhere is asked more and more seldom', async (server, watched) => {
  const elsewhere = 'event: changeset\ndata: {"kind":"changeset","screen":"letters","from":"v8","version":"v9","stages":[]}\n\n';
  server.opening = elsewhere;
  await shown(watched, server);
  await server.isAsked(/STREAM/, 6);
  assert.deepEqual(watched.pauses.slice(0, 5), [100, 200, 400, 800, 1600]);
});

livingTest('a request that hangs holds neither the next screen nor an action', async (server, watched) => {
  await shown(watched, server);
  await watched.until(() => watched.state === 'live');
  server.next = ['hang'];
  const hanging = watched.client.show('letters', { q: 'a' }).catch(() => {});
  await server.isAsked(/q=a/);
  await watched.client.perform('set', { letters: ['q'] });
  await watched.client.show('others');
  assert.equal(watched.client.view.screen, 'others');
  await hanging;
});

livingTest('what a callback throws reaches whoever looks for it, and stops nothing', async (server, watched) => {
  // Browsers have it; Node has not.
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
