import { choicesOf, controlKind } from '../addressing.js';
import { askedFields } from './fields.js';

/**
 * Picks something that a user could do now: an action with made-up input, or other parameters.
 *
 * @typedef {{kind: 'action', name: string, input: object} | {kind: 'parameters', parameters: object}} Edit
 *
 * @param {import('../../relist/changeset.js').Snapshot} snapshot
 * @param {{parameters?: object[], actions?: object[]}} screen as the server describes it
 * @param {Object<string, string>} parameters as they are
 * @param {() => number} random from 0 up to 1
 * @returns {Edit | undefined} undefined where nothing can be done
 */
export function randomEdit(snapshot, screen, parameters, random) {
  const offered = actionsOf(snapshot).filter(({ name }) => (screen.actions ?? []).some((action) => action.name === name));
  const tunable = (screen.parameters ?? []).filter((parameter) => isTunable(parameter) && parameter.name !== 'width');
  const isAction = offered.length > 0 && (tunable.length === 0 || random() < 0.7);
  if (isAction) return action(pick(offered, random), screen.actions, random);
  return tunable.length > 0 ? tune(pick(tunable, random), snapshot, parameters, random) : undefined;
}

function action({ name, input = {} }, descriptions, random) {
  const fields = askedFields(descriptions.find((one) => one.name === name), input);
  const made = Object.fromEntries(fields.map((field) => [field.name, valueOf(field, input[field.name], random)]));
  return { kind: 'action', name, input: { ...input, ...made } };
}

function tune(parameter, snapshot, parameters, random) {
  const { name } = parameter;
  const makers = {
    search: () => lettersOf(snapshot, random),
    choice: () => pick(choicesOf(parameter), random),
    integer: () => String(5 * Math.ceil(random() * 12)),
  };
  const made = makers[controlKind(parameter)]();
  const { [name]: old, ...others } = parameters;
  return { kind: 'parameters', parameters: made === '' || made === old ? others : { ...others, [name]: made } };
}

function isTunable(parameter) {
  return ['search', 'choice', 'integer'].includes(controlKind(parameter));
}

const values = {
  text: (field, old, random) => pick(['Ada', 'Blaise', 'Chloé', 'Émile', 'Grace', 'Hodor', 'Zoë'], random),
  integer: (field, old, random) => near(field, old ?? field.minimum ?? 10, random),
  number: (field, old, random) => near(field, old ?? field.minimum ?? 10, random),
  boolean: (field, old) => old !== true,
  date: (field, old, random) => dayNear(old, random),
  choice: ({ choices = [] }, old, random) => pick(choices, random),
};

function valueOf(field, old, random) {
  if (field.type === 'text' && /mail/i.test(field.name)) return `${pick(['ada', 'grace', 'hodor'], random)}@hodor.hodor`;
  return (values[field.type] ?? values.text)(field, old, random);
}

/** Within a twentieth: so that rules about sums are not broken each time. */
function near({ minimum = 1, maximum = Infinity }, old, random) {
  return Math.round(Math.min(maximum, Math.max(minimum, old * (0.95 + random() / 10))));
}

function dayNear(old, random) {
  const day = new Date(typeof old === 'string' ? `${old}T00:00:00Z` : Date.now());
  day.setUTCDate(day.getUTCDate() + Math.ceil(random() * 5) * (random() < 0.5 ? -1 : 1));
  return day.toISOString().slice(0, 10);
}

function lettersOf({ sections }, random) {
  const names = sections.flatMap(({ cells }) => cells.flatMap(({ name, title }) => name ?? title ?? []));
  return random() < 0.3 || names.length === 0 ? '' : pick(names, random).slice(0, 1 + Math.floor(random() * 2)).toLowerCase();
}

function actionsOf({ sections }) {
  const views = sections.flatMap(({ header, footer, cells }) => [...cells, header, footer].filter(Boolean));
  return views.flatMap(({ action: own, actions = [] }) => [own, ...actions].filter((one) => one && !one.disabled));
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}
