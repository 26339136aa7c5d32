import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import './browser.mjs';
import { phrases, sentence } from '../../Public/page/phrases.js';
import { controlKind } from '../../Public/page/catalog.js';
import { apply, normalSnapshot } from '../../Public/relist/changeset.js';
import { Client } from '../../Public/relist/client.js';

// The Swift tests record these documents of the server. In each document, versions are replaced by readable names.
const folder = new URL('../Fixtures/Wire/', import.meta.url);
const texts = new Map(readdirSync(folder).map((name) => [name.replace('.json', ''), readFileSync(new URL(name, folder), 'utf8')]));
const documents = [...texts].map(([name, text]) => ({ name, text, document: JSON.parse(text) }));
const ofKind = (kind) => documents.filter(({ document }) => document.kind === kind);
const named = (name) => documents.find((one) => one.name === name)?.document;
const { screens, locales } = named('screens');

/** Returns a client whose server sends the given responses one after the other. */
function clientOf(...answers) {
  const next = ({ text, status = 200 }) => new Response(text, {
    status, headers: { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json' },
  });
  return new Client({ fetch: async () => next(answers.shift()) });
}

test('there are wire fixtures of each kind of document', () => {
  assert.ok(ofKind('snapshot').length > 5 && ofKind('changeset').length > 2);
  assert.ok(documents.filter(({ name }) => name.startsWith('problem-')).length > 10);
});

for (const { name, text, document } of ofKind('snapshot')) {
  test(`the client holds the snapshot ${name} unchanged`, async () => {
    const client = clientOf({ text });
    await client.show(document.screen);
    assert.deepEqual(client.held, document);
    assert.deepEqual(normalSnapshot(document), document);
  });

  test(`the snapshot ${name} uses only declared actions, screens and parameters`, () => {
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
  test(`a client that receives the changeset ${name} holds its target version`, async () => {
    const source = named(document.from);
    const target = named(document.version);
    const client = clientOf({ text: texts.get(document.from) }, { text });
    await client.show(document.screen);
    await client.show(document.screen);
    assert.deepEqual(client.held, apply(source, document));
    assert.deepEqual([client.held.version, client.held.title], [document.version, document.title ?? source.title]);
    if (target) assert.deepEqual(client.held, target);
  });
}

test('there is a changeset fixture from one snapshot fixture to another', () => {
  assert.ok(ofKind('changeset').some(({ document }) => named(document.from) && named(document.version)));
});

for (const { name, text, document } of documents.filter((one) => one.name.startsWith('problem-'))) {
  test(`the message about the problem ${name} contains the details of the problem`, async () => {
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
