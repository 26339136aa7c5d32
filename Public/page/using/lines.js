import { shellQuoted } from '../inspecting/detail.js';
import { viewMembers } from '../../relist/render.js';

/**
 * Code in one language that shows a screen.
 *
 * @typedef {{name: string, code: string}} Lines
 *
 * @typedef {object} Shown the screen to show
 * @property {string} base the URL below which the service is
 * @property {string} screen
 * @property {Object<string, string>} parameters
 * @property {import('../../relist/changeset.js').Snapshot} snapshot
 */

/**
 * Returns code that shows a screen: in an app, on a page, in a program, and with curl.
 *
 * @param {Shown} shown
 * @returns {Lines[]}
 */
export function linesOf(shown) {
  return [
    { name: 'SwiftUI', code: swiftUI(shown) }, { name: 'UIKit', code: uiKit(shown) }, { name: 'JavaScript', code: javaScript(shown) },
    { name: 'Python', code: python(shown) }, { name: 'curl', code: curl(shown) },
  ];
}

function swiftUI({ base, screen, parameters, snapshot }) {
  const cell = typed(snapshot);
  return `import Foundation
import ScreenClient
import SwiftUI

${cell.declaration}

@MainActor
func makeClient() -> ScreenClient {
    let client = ScreenClient(base: URL(string: ${quoted(base)})!, token: { nil })
    client.registry.register(${cell.name}.self)
    return client
}

struct ${capitalized(screen)}View: View {
    let screen: LiveScreen

    init(client: ScreenClient) {
        screen = client.screen(${quoted(screen)}${swiftParameters(parameters)})
    }

    var body: some View {
        ScreenList(screen) { cell in
            if let cell = cell.value(as: ${cell.name}.self) { Text(${cell.text}) }
        }
    }
}`;
}

function uiKit({ base, screen, parameters, snapshot }) {
  const cell = typed(snapshot);
  return `import Foundation
import ScreenClient
import UIKit

${cell.declaration}

final class ${cell.stem}View: UITableViewCell, Configurable {
    func configure(with cell: ${cell.name}) {
        var content = defaultContentConfiguration()
        content.text = ${cell.text}
        contentConfiguration = content
    }
}

final class ${capitalized(screen)}Controller: UITableViewController {
    private let client = ScreenClient(base: URL(string: ${quoted(base)})!, token: { nil })
    private var table: ScreenTable?

    override func viewDidLoad() {
        super.viewDidLoad()
        client.registry.register(${cell.name}.self)
        let views = CellViews(registry: client.registry)
        views.register(${cell.name}.self, in: ${cell.stem}View.self)
        let screen = client.screen(${quoted(screen)}${swiftParameters(parameters)})
        table = ScreenTable(tableView, showing: screen, in: views) { link in print("open \\(link.screen)") }
        Task { await screen.follow() }
    }
}`;
}

function javaScript({ base, screen, parameters }) {
  const more = Object.keys(parameters).length > 0 ? `, ${JSON.stringify(parameters)}` : '';
  return `import { Client } from './relist/client.js';
import { ListView } from './relist/render.js';

const list = new ListView(document.querySelector('#list'), {
  scroller: document.querySelector('#scroll'),
  href: ({ screen }) => \`#\${screen}\`,
  onSelect: ({ action }) => action && client.perform(action.name, action.input),
});
const client = new Client({
  base: ${JSON.stringify(base)},
  live: true,
  onDocument: ({ outcome, after, steps }) => {
    if (outcome === 'apply') list.play({ snapshot: after, steps });
    if (outcome === 'replace') list.render(after);
  },
});
await client.show(${JSON.stringify(screen)}${more});`;
}

function python({ base, screen, parameters }) {
  return `import json
import urllib.request


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(${JSON.stringify(base)} + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


snapshot = ask(${JSON.stringify(pathOf(screen, '', parameters))})
# Later: only what has changed since this version.
changes = ask(${JSON.stringify(pathOf(screen, '/changes', parameters))}, {"version": snapshot["version"]})
print(changes["kind"], changes["version"])`;
}

function curl({ base, screen, parameters }) {
  return `# The whole screen
curl ${shellQuoted(base + pathOf(screen, '', parameters))}
# Each change, as an event
curl -N -H 'Accept: text/event-stream' ${shellQuoted(base + pathOf(screen, '/changes', parameters))}`;
}

/**
 * Returns the declaration of a Swift type for the cells whose type is most frequent, and an expression for the text of such a cell.
 *
 * @param {import('../../relist/changeset.js').Snapshot} snapshot
 */
function typed({ sections }) {
  const all = sections.flatMap(({ cells }) => cells);
  const counts = new Map();
  for (const { type } of all) counts.set(type, (counts.get(type) ?? 0) + 1);
  const [type = 'row'] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const cells = all.filter((cell) => cell.type === type);
  const names = [...new Set(cells.flatMap((cell) => Object.keys(cell)))].filter((name) => !viewMembers.includes(name) && /^[a-z]\w*$/i.test(name));
  const members = names.flatMap((name) => {
    const kinds = new Set(cells.map((cell) => kindOf(cell[name])));
    const isOptional = kinds.delete('nil');
    if (kinds.has('Double')) kinds.delete('Int');
    const [kind] = kinds;
    return kinds.size === 1 && kind ? [{ name, kind, isOptional }] : [];
  });
  const [first] = members.filter(({ kind }) => kind === 'String');
  const stem = capitalized(type);
  return {
    stem, name: `${stem}Cell`,
    declaration: [
      `struct ${stem}Cell: Decodable, Sendable {`, '    let id: String',
      ...members.map(({ name, kind, isOptional }) => `    let ${name}: ${kind}${isOptional ? '?' : ''}`), '}',
    ].join('\n'),
    text: first ? `cell.${first.name}${first.isOptional ? ' ?? ""' : ''}` : 'cell.id',
  };
}

/** Returns the name of the Swift type of a value; an empty name if the value is an object or a list. */
function kindOf(value) {
  if (value === undefined || value === null) return 'nil';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Int' : 'Double';
  return { string: 'String', boolean: 'Bool' }[typeof value] ?? '';
}

function pathOf(screen, rest, parameters) {
  const query = String(new URLSearchParams(parameters));
  return `/screens/${encodeURIComponent(screen)}${rest}${query && `?${query}`}`;
}

function swiftParameters(parameters) {
  const pairs = Object.entries(parameters).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`);
  return pairs.length > 0 ? `, [${pairs.join(', ')}]` : '';
}

function capitalized(text) {
  return text.split(/[^a-z\d]+/i).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Quotes a text for Swift. */
function quoted(text) {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
