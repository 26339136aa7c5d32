import { shellQuoted } from '../inspecting/detail.js';
import { viewMembers } from '../../relist/render.js';

/**
 * Code in one language that shows a screen or performs an action.
 *
 * @typedef {{name: string, code: string}} Lines
 *
 * @typedef {object} Shown the screen to show, or the action to perform
 * @property {string} base the URL below which the service is
 * @property {string} screen
 * @property {Object<string, string>} parameters
 * @property {import('../../relist/changeset.js').Snapshot} snapshot
 * @property {{name: string, input: object, version?: string}=} action with the version that the client held
 * @property {boolean=} isSignedIn whether requests need a token
 */

/** Returns the expression for the token in Swift. */
const swiftToken = ({ isSignedIn }) => (isSignedIn ? 'ProcessInfo.processInfo.environment["TOKEN"]' : 'nil');

const javaScriptLibrary = `// The library is the folder Public/relist of the repository. If this page has another origin than the server:
//   relist serve --allow-origin https://app.example.com
`;

const swiftPackage = `// In Package.swift, beside a copy of the repository:
//   .package(path: "../relist", traits: [])
//   .product(name: "ScreenClient", package: "relist")
`;

/** The comments that say where the library for each language is. */
const sources = {
  SwiftUI: swiftPackage, UIKit: swiftPackage, JavaScript: javaScriptLibrary, Python: '', curl: '',
};

/**
 * Returns code that shows a screen: in an app, on a page, in a program, and with curl. If there is an action, the code performs the action.
 *
 * @param {Shown} shown
 * @returns {Lines[]}
 */
export function linesOf(shown) {
  const writers = shown.action ? performing : showing;
  return Object.entries(writers).map(([name, write]) => ({ name, code: sources[name] + write(shown) }));
}

const showing = { SwiftUI: swiftUI, UIKit: uiKit, JavaScript: javaScript, Python: python, curl };

const performing = {
  SwiftUI: ({ screen, parameters, action: { name, input } }) => `import ScreenClient
import SwiftUI

struct ${capitalized(name)}Button: View {
    let action: LiveAction

    init(client: ScreenClient) {
        action = client.screen(${quoted(screen)}${swiftParameters(parameters)}).action(${quoted(name)})
    }

    var body: some View {
        Button(${quoted(name)}) {
            Task { try await action(${literal(input, swiftWords)}) }
        }
        .disabled(!action.isEnabled)
    }
}`,
  UIKit: ({ base, screen, parameters, isSignedIn, action: { name, input } }) => `import Foundation
import ScreenClient
import UIKit

final class ${capitalized(name)}Controller: UIViewController {
    private let client = ScreenClient(base: URL(string: ${quoted(base)})!, token: { ${swiftToken({ isSignedIn })} })

    func perform() async throws {
        let screen = client.screen(${quoted(screen)}${swiftParameters(parameters)})
        try await screen.action(${quoted(name)})(${literal(input, swiftWords)})
    }
}`,
  JavaScript: ({ base, screen, parameters, isSignedIn, action: { name, input } }) => `import { Client } from './relist/client.js';

const client = new Client({ base: ${JSON.stringify(base)}${isSignedIn ? `, ${javaScriptToken}` : ''} });
await client.show(${JSON.stringify(screen)}${javaScriptParameters(parameters)});
await client.perform(${JSON.stringify(name)}, ${JSON.stringify(input)});`,
  Python: ({ base, screen, parameters, isSignedIn, action: { name, ...body } }) => `${pythonRequests(base, isSignedIn)}


changes = ask(${JSON.stringify(pathOf(screen, actionPath(name), parameters))}, ${literal(body, pythonWords)})
print(changes["kind"], changes["version"])`,
  curl({ base, screen, parameters, isSignedIn, action: { name, ...body } }) {
    const url = base + pathOf(screen, actionPath(name), parameters);
    const json = shellQuoted(JSON.stringify(body));
    return `curl ${curlToken(isSignedIn)}-H 'Content-Type: application/json' -d ${json} ${shellQuoted(url)}`;
  },
};

function swiftUI({ base, screen, parameters, isSignedIn, snapshot }) {
  const cell = typed(snapshot);
  return `import Foundation
import ScreenClient
import SwiftUI

${cell.declaration}

@MainActor
func makeClient() -> ScreenClient {
    let client = ScreenClient(base: URL(string: ${quoted(base)})!, token: { ${swiftToken({ isSignedIn })} })
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

function uiKit({ base, screen, parameters, isSignedIn, snapshot }) {
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
    private let client = ScreenClient(base: URL(string: ${quoted(base)})!, token: { ${swiftToken({ isSignedIn })} })
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

const javaScriptToken = "token: () => sessionStorage.getItem('token')";

function javaScript({ base, screen, parameters, isSignedIn }) {
  return `import { Client } from './relist/client.js';
import { ListView } from './relist/render.js';

const list = new ListView(document.querySelector('#list'), {
  scroller: document.querySelector('#scroll'),
  href: ({ screen }) => \`#\${screen}\`,
  onSelect: ({ action }) => action && client.perform(action.name, action.input),
});
const client = new Client({
  base: ${JSON.stringify(base)},
  live: true,${isSignedIn ? `\n  ${javaScriptToken},` : ''}
  onDocument: ({ outcome, after, steps }) => {
    if (outcome === 'apply') list.play({ snapshot: after, steps });
    if (outcome === 'replace') list.render(after);
  },
});
await client.show(${JSON.stringify(screen)}${javaScriptParameters(parameters)});`;
}

function python({ base, screen, parameters, isSignedIn }) {
  return `${pythonRequests(base, isSignedIn)}


snapshot = ask(${JSON.stringify(pathOf(screen, '', parameters))})
# Later: only what has changed since this version.
changes = ask(${JSON.stringify(pathOf(screen, '/changes', parameters))}, {"version": snapshot["version"]})
print(changes["kind"], changes["version"])`;
}

/** Returns Python code that defines a function for requests. */
function pythonRequests(base, isSignedIn) {
  const token = isSignedIn ? ', "Authorization": "Bearer " + os.environ["TOKEN"]' : '';
  return `import json${isSignedIn ? '\nimport os' : ''}
import urllib.request


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"${token}}
    request = urllib.request.Request(${JSON.stringify(base)} + path, data, headers)
    with urllib.request.urlopen(request) as response:
        return json.load(response)`;
}

function curl({ base, screen, parameters, isSignedIn, snapshot: { version } }) {
  const token = curlToken(isSignedIn);
  const since = version === undefined ? parameters : { ...parameters, version };
  return `# The whole screen
curl ${token}${shellQuoted(base + pathOf(screen, '', parameters))}
# Each change from now on, as an event
curl -N ${token}-H 'Accept: text/event-stream' ${shellQuoted(base + pathOf(screen, '/changes', since))}`;
}

/** Returns the option that sends the token in the shell variable `TOKEN`. */
function curlToken(isSignedIn) {
  return isSignedIn ? '-H "Authorization: Bearer $TOKEN" ' : '';
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
  const keys = [...new Set(cells.flatMap((cell) => Object.keys(cell)))];
  const names = keys.filter((name) => !viewMembers.includes(name) && /^[a-z]\w*$/i.test(name));
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

function actionPath(name) {
  return `/actions/${encodeURIComponent(name)}`;
}

function javaScriptParameters(parameters) {
  return Object.keys(parameters).length > 0 ? `, ${JSON.stringify(parameters)}` : '';
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
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `"${escaped}"`;
}

const swiftWords = { null: 'nil', true: 'true', false: 'false', quoted, object: (members) => `[${members || ':'}]` };
const pythonWords = { null: 'None', true: 'True', false: 'False', quoted: JSON.stringify, object: (members) => `{${members}}` };

/** Returns a JSON value as a literal of a language. @param {unknown} value @param {typeof swiftWords} words the words of the language */
function literal(value, words) {
  if (typeof value === 'string') return words.quoted(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, words)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return words[value] ?? String(value);
  return words.object(Object.entries(value).map(([name, one]) => `${words.quoted(name)}: ${literal(one, words)}`).join(', '));
}
