import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import './browser.mjs';
import { phrases, sentence } from '../../Public/page/phrases.js';
import { controlKind } from '../../Public/page/addressing.js';
import { apply, play } from '../../Public/relist/changeset.js';
import { normalSnapshot } from '../../Public/relist/changeset.js';
import { Client } from '../../Public/relist/client.js';
import { explain } from '../../Public/page/inspecting/explanation.js';
import { phrases as inspectorPhrases } from '../../Public/page/inspecting/phrases.js';

// What the server answers, as the Swift tests pin it. In it versions are called by the names of fixtures.
const folder = new URL('../Fixtures/Wire/', import.meta.url);
const texts = new Map(readdirSync(folder).map((name) => [name.replace('.json', ''), readFileSync(new URL(name, folder), 'utf8')]));
const documents = [...texts].map(([name, text]) => ({ name, text, document: JSON.parse(text) }));
const ofKind = (kind) => documents.filter(({ document }) => document.kind === kind);
const named = (name) => documents.find((one) => one.name === name)?.document;
const { screens, locales } = named('screens');

/** A client of a server that gives these answers in turn. */
function clientOf(...answers) {
  const next = ({ text, status = 200 }) => new Response(text, {
    status, headers: { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json' },
  });
  return new Client({ fetch: async () => next(answers.shift()) });
}

test('there are documents of each kind on disk', () => {
  assert.ok(ofKind('snapshot').length > 5 && ofKind('changeset').length > 2);
  assert.ok(documents.filter(({ name }) => name.startsWith('problem-')).length > 10);
});

for (const { name, text, document } of ofKind('snapshot')) {
  test(`${name} is held as it is`, async () => {
    const client = clientOf({ text });
    await client.show(document.screen);
    assert.deepEqual(client.held, document);
    assert.deepEqual(normalSnapshot(document), document);
  });

  test(`${name} offers what its screen declares`, () => {
    const screen = screens.find((one) => one.name === document.screen);
    const views = document.sections.flatMap(({ header, footer, cells, supplementary = [] }) => (
      [header, footer, ...cells, ...supplementary.map(({ view }) => view)].filter(Boolean)
    ));
    for (const action of views.flatMap((view) => [view.action, ...(view.actions ?? [])].filter(Boolean))) {
      const declared = screen.actions.find((one) => one.name === action.name);
      assert.ok(declared, `${action.name} is no action of ${screen.name}`);
      const fields = declared.input.map((field) => field.name);
      for (const field of Object.keys(action.input ?? {})) assert.ok(fields.includes(field), `${action.name} takes no ${field}`);
    }
    for (const { link } of views.filter((view) => view.link)) {
      const target = screens.find((one) => one.name === link.screen);
      assert.ok(target, `there is no screen ${link.screen}`);
      const parameters = target.parameters.map((parameter) => parameter.name);
      for (const parameter of Object.keys(link.parameters ?? {})) assert.ok(parameters.includes(parameter), `${link.screen} takes no ${parameter}`);
    }
  });
}

for (const { name, text, document } of ofKind('changeset')) {
  test(`${name} leads from one snapshot to the other`, async () => {
    const source = named(document.from);
    const target = named(document.version);
    const client = clientOf({ text: texts.get(document.from) }, { text });
    await client.show(document.screen);
    await client.show(document.screen);
    assert.deepEqual(client.held, apply(source, document));
    assert.deepEqual([client.held.version, client.held.title], [document.version, document.title ?? source.title]);
    if (target) assert.deepEqual(client.held, target);
  });

  test(`each operation of ${name} is explained`, () => {
    const source = named(document.from);
    const lines = explain(play(source, document).steps, inspectorPhrases('en')).flatMap((stage) => stage.lines);
    assert.equal(lines.length, document.stages.flatMap((stage) => Object.values(stage).flat(1)).length);
    for (const line of lines) assert.doesNotMatch(line.text, /undefined|\[object/);
  });
}

test('a changeset whose both sides are on disk is among them', () => {
  assert.ok(ofKind('changeset').some(({ document }) => named(document.from) && named(document.version)));
});

for (const { name, text, document } of documents.filter((one) => one.name.startsWith('problem-'))) {
  test(`${name} is told as what it is`, async () => {
    await assert.rejects(clientOf({ text, status: document.status }).show('letters'), (error) => {
      assert.deepEqual([error.reason, error.exchange.document], ['problem', document]);
      const details = document.errors?.map(({ detail }) => detail) ?? [document.detail];
      assert.equal(error.errors.length, document.errors?.length ?? 0);
      for (const detail of details) assert.ok(sentence(error, phrases('en')).includes(detail));
      return true;
    });
  });
}

test('each parameter of each screen has a control', () => {
  assert.ok(locales.length > 1);
  for (const parameter of screens.flatMap((screen) => screen.parameters)) {
    assert.match(controlKind(parameter), /^(choice|values|integer|number|date|search|text)$/);
    assert.ok(parameter.description && parameter.shape, parameter.name);
  }
});
