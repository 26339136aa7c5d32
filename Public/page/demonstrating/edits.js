/**
 * A prepared edit of an example screen.
 *
 * @typedef {object} Edit
 * @property {string} name the key of the phrase on its button
 * @property {{name: string, input: object}=} action
 * @property {string=} cell the id of the cell that offers the action
 * @property {Object<string, string | undefined>=} parameters parameters to change; undefined removes one
 *
 * @typedef {import('../../relist/changeset.js').Snapshot} Snapshot
 */

const names = ['Ada', 'Grace', 'Émile', 'Zoë'];
const contracts = ['240189-000', '240500-000'];

/** The edits of each example screen. An edit that would change nothing is omitted. */
const edits = {
  settings: (snapshot, { layout }) => [
    rename(snapshot),
    action('connect', actionNamed(snapshot, 'connect')), action('disconnect', actionNamed(snapshot, 'disconnect')),
    layout === 'merged' ? { name: 'separate', parameters: { layout: undefined } } : { name: 'merge', parameters: { layout: 'merged' } },
  ],
  deliveries: (snapshot, { contract = contracts[0] }) => [
    move(snapshot), weigh(snapshot),
    { name: 'contract', parameters: { contract: other(contracts, contract, contracts[0]) } },
  ],
  posts: (snapshot, { limit = '20' }) => {
    const { link } = snapshot.sections.map(({ footer }) => footer).find((footer) => footer?.link) ?? {};
    return [
      link && { name: 'more', parameters: { limit: link.parameters.limit } },
      limit !== '20' && { name: 'fewer', parameters: { limit: undefined } },
    ];
  },
  mountains: (snapshot, { q, sort }) => [
    q ? { name: 'clear', parameters: { q: undefined } } : { name: 'search', parameters: { q: 'mont' } },
    sort === 'height' ? { name: 'name', parameters: { sort: undefined } } : { name: 'height', parameters: { sort: 'height' } },
  ],
  artist: (snapshot, { album, width }) => [
    { name: 'width', parameters: { width: width === '260' ? undefined : '260' } },
    album ? { name: 'artist', parameters: { album: undefined } } : albumOf(snapshot),
  ],
  wifi: (snapshot) => {
    const toggle = actionNamed(snapshot, 'toggle');
    return [action(toggle?.input.on ? 'on' : 'off', toggle), join(snapshot), action('forget', actionNamed(snapshot, 'forget'))];
  },
};

/**
 * Returns the prepared edits of a screen.
 *
 * @param {string} screen
 * @param {Snapshot} snapshot
 * @param {Object<string, string>} parameters the current parameters
 * @returns {Edit[]} empty if the screen is not an example
 */
export function editsOf(screen, snapshot, parameters) {
  return Object.hasOwn(edits, screen) ? edits[screen](snapshot, parameters).filter(Boolean) : [];
}

/**
 * Finds a different day for a delivery.
 *
 * @param {Snapshot} snapshot
 * @param {string=} id the delivery; by default, the last one of the first day, because its old and its new place are then side by side
 * @returns {{cell: string, delivery: string, from: string, to: string} | undefined} undefined if there is no such delivery or day
 */
export function moveOf(snapshot, id) {
  const [opens, closes] = cells(snapshot).find((cell) => cell.id === 'window')?.raw?.split('/') ?? [];
  const all = actions(snapshot).filter(({ name }) => name === 'reschedule');
  const isLast = ({ input }, index) => all[index + 1]?.input.day !== input.day;
  const found = all.find(id === undefined ? isLast : ({ input }) => input.delivery === id);
  if (!found || !opens) return undefined;
  const { cell, input: { delivery, day } } = found;
  const to = [dayAfter(day, 1), dayAfter(day, -1)].find((one) => opens <= one && one <= closes);
  return to && { cell, delivery, from: day, to };
}

function move(snapshot) {
  const { cell, delivery, to: day } = moveOf(snapshot) ?? {};
  return cell && { name: 'move', cell, action: { name: 'reschedule', input: { delivery, day } } };
}

/**
 * Returns an edit that changes a weight by 100 kg. A weight above 1000 kg is reduced, because an increase might exceed the contracted
 * total.
 */
function weigh(snapshot) {
  const found = actionNamed(snapshot, 'weigh');
  if (!found) return undefined;
  const { kilograms } = found.input;
  const changed = kilograms > 1000 ? kilograms - 100 : kilograms + 100;
  return action('weigh', found, { ...found.input, kilograms: changed });
}

function rename(snapshot) {
  const found = actionNamed(snapshot, 'rename', 'firstName');
  return action('rename', found, found && { firstName: other(names, found.input.firstName, names[0]) });
}

function join(snapshot) {
  const { id: cell, action: found } = cells(snapshot).find((one) => one.action?.name === 'join' && !one.isJoined) ?? {};
  return action('join', found && { ...found, cell }, { ...found?.input, password: 'correct horse' });
}

function albumOf(snapshot) {
  const link = cells(snapshot).find((cell) => cell.link?.parameters?.album)?.link;
  return link && { name: 'album', parameters: { album: link.parameters.album } };
}

function action(name, found, input = found?.input ?? {}) {
  return found && { name, cell: found.cell, action: { name: found.name, input } };
}

function actionNamed(snapshot, name, key) {
  return actions(snapshot).find((one) => one.name === name && (key === undefined || Object.hasOwn(one.input ?? {}, key)));
}

/** Returns the enabled actions of all views, with the id of the cell that offers each action. */
function actions({ sections }) {
  const views = sections.flatMap(({ header, footer, cells: all }) => [...all, header, footer].filter(Boolean));
  return views.flatMap(({ id: cell, action: own, actions: more = [] }) => (
    [own, ...more].filter((one) => one && !one.disabled).map((one) => ({ ...one, cell }))
  ));
}

function cells({ sections }) {
  return sections.flatMap((section) => section.cells);
}

/**
 * Returns the element that follows `one` in a list. If `one` is the last element or is not in the list, returns the first element. If the
 * list is empty, returns `standard`.
 */
function other(list, one, standard) {
  return list[(list.indexOf(one) + 1) % list.length] ?? standard;
}

function dayAfter(day, count) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}
