import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ActionRunner } from '../../Public/page/acting/acting.js';
import { phrases } from '../../Public/page/phrases.js';
import { ClientError } from '../../Public/relist/client.js';

/** A problem with which the service rejects an action. */
const rejection = { outcome: 'not-performed' };

function runnerOf(client, sheet = {}, description = undefined, onProblem = () => () => {}) {
  return new ActionRunner(client, sheet, () => description, onProblem, () => phrases('en'));
}

/**
 * Returns a runner, and a list of the idempotency keys that its client sends. The client receives the given statuses one after the other.
 * Problems with a 4xx status come from the service itself.
 */
function scriptedRunner(...statuses) {
  const keys = [];
  const client = {
    view: { screen: 'deliveries', parameters: {} },
    perform: async (name, input, { key }) => {
      keys.push(key);
      const status = statuses.shift() ?? 200;
      const document = status >= 400 && status < 500 ? rejection : undefined;
      if (status !== 200) throw new ClientError('problem', { method: 'POST', path: '/', status, document });
    },
  };
  return { keys, runner: runnerOf(client) };
}

test('an action whose outcome is unknown is repeated with its key, even after later rejections', async () => {
  const { keys, runner } = scriptedRunner(503, 404, 200, 200);
  for (let count = 0; count < 4; count += 1) await runner.perform('schedule', { kilograms: 1 });
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[0]);
});

test('the outcome of an action is unknown if a proxy rejects its request', async () => {
  const client = { view: { screen: 'deliveries', parameters: {} } };
  const runner = runnerOf(client);
  for (const status of [403, 404, 413, 422, 429, 502]) {
    const keys = [];
    client.perform = async (name, input, { key }) => {
      keys.push(key);
      throw new ClientError('problem', { method: 'POST', path: '/', status, document: { title: 'Blocked' } });
    };
    for (let count = 0; count < 2; count += 1) await runner.perform('schedule', { status });
    assert.equal(new Set(keys).size, 1, String(status));
  }
});

test('rejected actions do not evict actions whose outcome is unknown', async () => {
  const { keys, runner } = scriptedRunner(503, ...Array(40).fill(400));
  await runner.perform('schedule', { kilograms: 1 });
  for (let kilograms = 2; kilograms < 42; kilograms += 1) await runner.perform('schedule', { kilograms });
  await runner.perform('schedule', { kilograms: 1 });
  assert.equal(keys.at(-1), keys[0]);
  assert.equal(new Set(keys).size, 41);
});

/** Returns the keys of a client's requests, and a function that opens a form and returns its submission. The outcomes are unknown. */
function formRunner(error = new ClientError('unreachable', { method: 'POST', path: '/', status: 0 })) {
  const keys = [];
  const client = {
    view: { screen: 'deliveries', parameters: {} },
    async perform(name, input, { key }) {
      keys.push(key);
      throw error;
    },
  };
  let submit;
  const problems = [];
  const sheet = {
    update() {},
    form: (title, fields, values, source, onSubmit) => {
      submit = (written, closed = new AbortController().signal) => onSubmit(written, closed, () => {});
    },
  };
  const field = { name: 'kilograms', type: 'integer', required: true, source: 'user' };
  const runner = runnerOf(client, sheet, { input: [field] }, (text) => {
    problems.push(text);
    return () => {};
  });
  const open = () => {
    runner.choose({ view: { type: 'schedule' }, action: { name: 'schedule' } });
    return submit;
  };
  return { keys, open, problems };
}

test('the error of a form that was closed meanwhile is shown outside of it', async () => {
  const { open, problems } = formRunner();
  assert.equal(await open()({ kilograms: '1000' }, AbortSignal.abort()), undefined);
  assert.deepEqual(problems, ['No answer. Your change may not have been saved. Trying again is safe: the server saves it only once.']);
});

test('a rejection does not hide that an earlier request may have been performed', async () => {
  const problems = [];
  const statuses = [0, 403];
  const client = {
    view: {},
    async perform() {
      const status = statuses.shift();
      throw new ClientError(status ? 'problem' : 'unreachable', { method: 'POST', path: '/', status, document: rejection });
    },
  };
  const runner = runnerOf(client, {}, undefined, (text, retry) => {
    problems.push({ text, retry });
    return () => {};
  });
  await runner.perform('schedule', {});
  await problems[0].retry();
  assert.ok(problems[1].text.endsWith('Your change may not have been saved. Trying again is safe: the server saves it only once.'));
  assert.notEqual(problems[1].retry, undefined);
});

test('the same values are the same action in one form, and another action in another form', async () => {
  const { keys, open } = formRunner();
  for (const submit of [open(), open()]) {
    await submit({ kilograms: '1000' });
    await submit({ kilograms: '1000' });
  }
  assert.equal(keys[0], keys[1]);
  assert.notEqual(keys[1], keys[2]);
  assert.equal(keys[2], keys[3]);
});

test('a form says that a change may not be saved if its outcome is unknown', async () => {
  const unsaved = 'Your change may not have been saved. Trying again is safe: the server saves it only once.';
  const textOf = async (reason, status, document) => {
    const error = new ClientError(reason, { method: 'POST', path: '/', status, document });
    return (await formRunner(error).open()({ kilograms: '1' })).rest.join();
  };
  assert.equal(await textOf('unreachable', 0), `No answer. ${unsaved}`);
  assert.equal(await textOf('problem', 502), `The server responded with status 502. ${unsaved}`);
  assert.ok((await textOf('unexpected', 200)).endsWith(unsaved));
  assert.equal(await textOf('problem', 503, { ...rejection, detail: 'Busy.' }), 'Busy.');
  assert.equal(await textOf('problem', 404), 'The server responded with status 404.');
});

/** Returns a runner for the actions of the given descriptions, the sheets that it opens, and the actions that it performs. */
function recordingRunner(...descriptions) {
  const [sheets, performed] = [[], []];
  const client = { view: {}, held: undefined, perform: async (name, input) => { performed.push({ name, input }); } };
  const sheet = {
    form: (heading, fields, values, source, submit) => sheets.push({ kind: 'form', heading, fields: fields.map(({ name }) => name), submit }),
    confirm: (heading, source, sure) => sheets.push({ kind: 'confirmation', heading, sure }),
    menu: (title, actions, source, choose) => {
      client.whileMenuIsOpen?.();
      choose(actions[0]);
    },
    update: (values, warning) => { sheets.at(-1).warning = warning; },
  };
  const describe = (name) => descriptions.find((one) => one.name === name);
  const runner = new ActionRunner(client, sheet, describe, () => () => {}, () => phrases('en'));
  return { client, sheets, performed, runner };
}

const reason = { name: 'reason', type: 'choice', choices: ['mistake', 'late'], required: true, source: 'user' };
const voiding = { name: 'void', title: 'Void', destructive: true };

for (const place of ['menu', 'button']) {
  test(`a destructive action with a required field is performed by one form, without a confirmation (${place})`, async () => {
    const { sheets, performed, runner } = recordingRunner({ name: 'void', input: [reason] });
    const chosen = place === 'menu' ? { actions: [voiding, voiding] } : { action: voiding };
    runner.choose({ view: { id: 'o1', type: 'order', title: 'Order 1' }, ...chosen });
    const [{ kind, heading, fields, submit }] = sheets;
    assert.deepEqual([kind, heading, fields], ['form', { action: 'Void', subject: 'Order 1', isDestructive: true }, ['reason']]);
    assert.deepEqual(performed, []);
    await submit({ reason: 'late' }, new AbortController().signal, () => {});
    assert.deepEqual(performed, [{ name: 'void', input: { reason: 'late' } }]);
    assert.equal(sheets.length, 1);
  });
}

test('a destructive action without fields is performed after a confirmation', () => {
  const { sheets, performed, runner } = recordingRunner({ name: 'void', input: [{ ...reason, required: false }] });
  runner.choose({ view: { id: 'o1', type: 'order', title: 'Order 1' }, action: voiding });
  assert.deepEqual([sheets[0].kind, sheets[0].heading.action, performed], ['confirmation', 'Void', []]);
  sheets[0].sure();
  assert.deepEqual(performed, [{ name: 'void', input: {} }]);
});

test('the sheet of an action names the action and its row, however the action is chosen', () => {
  const field = { name: 'count', type: 'integer', required: true, source: 'user' };
  const headings = (action, description, view = { id: 'd1', type: 'dish', name: 'Tomato soup' }) => {
    const { sheets, runner } = recordingRunner({ name: 'order', ...description });
    runner.choose({ view, action: { name: 'order', ...action } });
    return sheets.map(({ heading: { action: title, subject } }) => [title, subject]);
  };
  const titled = { title: 'Order dish', input: [field] };
  assert.deepEqual(headings({}, titled), [['Order dish', 'Tomato soup']]);
  assert.deepEqual(headings({ title: 'Order again' }, titled), [['Order again', 'Tomato soup']]);
  assert.deepEqual(headings({ destructive: true }, { title: 'Order dish' }), [['Order dish', 'Tomato soup']]);
  // Without a title, a row such as "First name" says what the form changes.
  assert.deepEqual(headings({}, { input: [field] }), [['Tomato soup', undefined]]);
  assert.deepEqual(headings({ destructive: true }, { input: [field] }), [['order', 'Tomato soup']]);
});

test('a form says at once that its row was deleted while changes are held back', () => {
  const field = { name: 'count', type: 'integer', required: true, source: 'user' };
  const { client, sheets, runner } = recordingRunner({ name: 'order', input: [field] });
  const [cell, header] = [{ id: 'd1', type: 'dish' }, { id: 'menu', type: 'menu' }];
  const [before, after] = [{ sections: [{ header, cells: [cell] }] }, { sections: [{ header, cells: [] }] }];
  const open = (view, held) => {
    Object.assign(client, { shown: before, held });
    runner.choose({ view, action: { name: 'order' } });
    return sheets.at(-1).warning;
  };
  const deleted = 'This row is no longer in the list.';
  assert.equal(open(cell, after), deleted);
  client.held = before;
  runner.refresh();
  assert.equal(sheets.at(-1).warning, '');
  // A header is no cell although it has an id. Without a held snapshot, it is unknown whether the row was deleted.
  assert.deepEqual([open(header, after), open(cell, undefined), open(cell, before)], ['', '', '']);
  client.held = after;
  runner.refresh();
  assert.equal(sheets.at(-1).warning, deleted);
});

test('a form says that its row was deleted while the menu was open', () => {
  const field = { name: 'count', type: 'integer', required: true, source: 'user' };
  const { client, sheets, runner } = recordingRunner({ name: 'order', input: [field] });
  const cell = { id: 'd1', type: 'dish' };
  Object.assign(client, {
    shown: { sections: [{ cells: [cell] }] },
    whileMenuIsOpen() { client.shown = client.held = { sections: [{ cells: [] }] }; },
  });
  runner.choose({ view: cell, actions: [{ name: 'order' }, { name: 'order' }] });
  assert.equal(sheets.at(-1).warning, 'This row is no longer in the list.');
});

/** Returns a runner whose requests wait until the test sends their responses, and the notices that it shows. */
function manualRunner(sheet = {}, description = undefined) {
  const [keys, ends, notices] = [[], [], []];
  const client = {
    view: {},
    perform: (name, input, { key }) => new Promise((resolve, reject) => {
      keys.push(key);
      ends.push((status) => {
        if (status === 200) return resolve();
        const exchange = { method: 'POST', path: '/', status, document: rejection };
        return reject(new ClientError(status === 0 ? 'unreachable' : 'problem', exchange));
      });
    }),
  };
  const runner = runnerOf(client, sheet, description, (text, retry, isTemporary, kind) => {
    // Only a failure is a problem.
    assert.equal(kind, text === saving ? 'progress' : undefined);
    notices.push(text);
    return () => notices.splice(notices.indexOf(text), 1);
  });
  return { keys, ends, notices, runner };
}

const saving = 'Your change is still being saved.';

test('an action that takes longer than three seconds has a notice until it has ended', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { ends, notices, runner } = manualRunner();
  const slow = runner.perform('schedule', {});
  mock.timers.tick(2999);
  assert.deepEqual(notices, []);
  mock.timers.tick(1);
  assert.deepEqual(notices, [saving]);
  ends[0](200);
  await slow;
  assert.deepEqual(notices, []);
});

test('the missing response to an action without a cell is reported', async () => {
  const { ends, notices, runner } = manualRunner();
  runner.choose({ view: { type: 'refresh' }, action: { name: 'refresh' } });
  ends[0](0);
  await new Promise(setImmediate);
  assert.equal(notices.length, 1);
});

test('a missing response to a repetition is not reported if the action was performed meanwhile', async () => {
  const { ends, notices, runner } = manualRunner();
  const both = [runner.perform('schedule', {}), runner.perform('schedule', {})];
  ends[0](200);
  await both[0];
  ends[1](0);
  await both[1];
  assert.deepEqual(notices, []);
});

test('the notice of a slow action stays during other actions, and replaces no notice of an unknown outcome', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const { ends, notices, runner } = manualRunner();
  const slow = runner.perform('schedule', {});
  mock.timers.tick(2000);
  const failing = runner.perform('weigh', {});
  ends[1](0);
  await failing;
  const [unknown] = notices;
  mock.timers.tick(1000);
  assert.deepEqual(notices, [unknown]);
  const quick = runner.perform('rename', {});
  assert.deepEqual(notices, [saving]);
  ends[2](200);
  await quick;
  assert.deepEqual(notices, [saving]);
  ends[0](200);
  await slow;
  assert.deepEqual(notices, []);
});

test('a form says that its change is being saved, and a notice says so after the form is closed', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const [closed, shown] = [new AbortController(), []];
  let submitted;
  const form = (heading, fields, values, source, onSubmit) => {
    submitted = onSubmit({ kilograms: '1' }, closed.signal, (text) => shown.push(text));
  };
  const field = { name: 'kilograms', type: 'integer', required: true, source: 'user' };
  const { ends, notices, runner } = manualRunner({ form, update() {} }, { input: [field] });
  runner.choose({ view: { type: 'schedule' }, action: { name: 'schedule' } });
  mock.timers.tick(3000);
  assert.deepEqual([shown, notices], [[saving], []]);
  closed.abort();
  assert.deepEqual(notices, [saving]);
  ends[0](0);
  await submitted;
  assert.deepEqual(notices, ['No answer. Your change may not have been saved. Trying again is safe: the server saves it only once.']);
});

for (const status of [404, 422]) {
  test(`a response with status ${status} does not decide the outcome of an identical request in progress`, async () => {
    const { keys, ends, runner } = manualRunner();
    const both = [runner.perform('schedule', {}), runner.perform('schedule', {})];
    ends[1](status);
    await both[1];
    ends[0](0);
    await both[0];
    runner.perform('schedule', {});
    assert.equal(new Set(keys).size, 1);
  });
}

test('a failed request with an older key does not replace the key of a newer request', async () => {
  const { keys, ends, runner } = manualRunner();
  const both = [runner.perform('schedule', {}), runner.perform('schedule', {})];
  ends[0](200);
  await both[0];
  const again = runner.perform('schedule', {});
  ends[2](0);
  await again;
  ends[1](0);
  await both[1];
  runner.perform('schedule', {});
  assert.deepEqual([keys[1], keys[3]], [keys[0], keys[2]]);
  assert.notEqual(keys[2], keys[0]);
});

/** Returns a runner for a switch, and functions that press the switch and change its cell. Responses have the given statuses. */
function switchRunner(...statuses) {
  const [keys, notices] = [[], []];
  const client = {
    view: {},
    held: undefined,
    async perform(name, input, { key }) {
      keys.push(key);
      const status = statuses.shift() ?? 204;
      if (status === 204) return;
      throw new ClientError(status === 0 ? 'unreachable' : 'problem', { method: 'POST', path: '/', status, document: rejection });
    },
  };
  const change = (isOn, title = 'Wi-Fi') => {
    client.held = { sections: [{ cells: [{ id: 'switch', title, action: { name: 'toggle', input: { on: !isOn } } }] }] };
  };
  change(false);
  const runner = runnerOf(client, {}, undefined, (text, retry) => {
    const notice = { text, retry };
    notices.push(notice);
    return () => notices.splice(notices.indexOf(notice), 1);
  });
  const press = (on, cell) => runner.perform('toggle', { on }, undefined, cell);
  return { keys, notices, change, press, runner };
}

test('an action is a new one after another action', async () => {
  const { keys, notices, press } = switchRunner(0);
  await press(true);
  assert.equal(notices.length, 1);
  await press(false);
  assert.deepEqual(notices, []);
  await press(true);
  assert.equal(new Set(keys).size, 3);
});

test('an action whose outcome is unknown keeps its key and its notice until its cell shows the result', async () => {
  const { keys, notices, change, press, runner } = switchRunner(0, 0);
  await press(true, 'switch');
  runner.refresh();
  assert.equal(notices.length, 1);
  await press(true, 'switch');
  assert.equal(keys[1], keys[0]);
  assert.equal(notices.length, 1);
  change(true);
  runner.refresh();
  assert.deepEqual(notices, []);
  await press(true, 'switch');
  assert.notEqual(keys[2], keys[0]);
});

test('the notice of an action whose outcome is unknown stays if another user changes its cell', async () => {
  const { notices, change, press, runner } = switchRunner(0, 0);
  await press(true, 'switch');
  change(false, 'Wi-Fi 2');
  runner.refresh();
  assert.equal(notices.length, 1);
  const pressed = press(true, 'switch');
  change(false, 'Wi-Fi 3');
  await pressed;
  assert.equal(notices.length, 1);
});

test('a cell with the entered value shows the result of its form', async () => {
  const { notices, press, runner, change } = switchRunner(0);
  await press(false, 'switch');
  runner.refresh();
  assert.equal(notices.length, 1);
  change(true);
  runner.refresh();
  assert.deepEqual(notices, []);
});

test('a cell shows the result of a form although it leaves out the empty fields', async () => {
  const { notices, runner, change } = switchRunner(0);
  await runner.perform('toggle', { on: false, note: null }, undefined, 'switch');
  assert.equal(notices.length, 1);
  change(true);
  runner.refresh();
  assert.deepEqual(notices, []);
});

test('an action without a response is not reported if its cell shows the result', async () => {
  const { notices, change, press } = switchRunner(0, 422);
  const pressed = press(true, 'switch');
  change(true);
  await pressed;
  assert.deepEqual(notices, []);
  const rejected = press(false, 'switch');
  change(false);
  await rejected;
  assert.equal(notices.length, 1);
});
