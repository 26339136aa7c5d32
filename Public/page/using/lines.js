import { curlOf } from '../inspecting/detail.js';
import { capitalized, typesOf } from './types.js';

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

/** Returns the expression for the client in Swift. */
const swiftClient = ({ base, isSignedIn }) => (
  `ScreenClient(base: URL(string: ${quoted(base)})!, token: { ${isSignedIn ? 'ProcessInfo.processInfo.environment["TOKEN"]' : 'nil'} })`);

/** Returns the expression for the screen in Swift. */
const swiftScreen = ({ screen, parameters }, client = 'client') => `${client}.screen(${quoted(screen)}${swiftParameters(parameters)})`;

const swiftPackage = `// In Package.swift, beside a copy of the repository:
//   .package(path: "../relist", traits: [])
//   .product(name: "ScreenClient", package: "relist")
`;

/** The comments that say where the library for each language is. */
const sources = {
  SwiftUI: swiftPackage, UIKit: swiftPackage, JavaScript: '', Python: '', curl: '',
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
  SwiftUI: (shown) => `import ScreenClient
import SwiftUI

${swiftAction(shown)}

struct ${capitalized(shown.action.name)}Button: View {
    // The screen that the app shows: ${swiftScreen(shown)}
    let screen: LiveScreen
    @State private var problem: String?

    var body: some View {
        Button(${quoted(shown.action.name)}) { Task { problem = await perform${capitalized(shown.action.name)}(on: screen) } }
            .disabled(!screen.action(${quoted(shown.action.name)}).isEnabled)
        if let problem { Text(problem) }
    }
}`,
  UIKit: (shown) => `import Foundation
import ScreenClient
import UIKit

${swiftAction(shown)}

final class ${capitalized(shown.action.name)}Controller: UIViewController {
    private let client = ${swiftClient(shown)}
    private lazy var screen = ${swiftScreen(shown)}

    override func loadView() {
        let perform = UIAction(title: ${quoted(shown.action.name)}) { [screen] action in
            Task { (action.sender as? UIButton)?.configuration?.subtitle = await perform${capitalized(shown.action.name)}(on: screen) }
        }
        view = UIButton(configuration: .filled(), primaryAction: perform)
    }
}`,
  JavaScript: ({ base, screen, parameters, isSignedIn, action: { name, input } }) => `${javaScriptLibrary}
import { Client } from './relist/client.js';

const client = new Client({ base: ${JSON.stringify(base)}${isSignedIn ? `, ${javaScriptToken}` : ''} });

${javaScriptMessage}

try {
  await client.show(${JSON.stringify(screen)}${javaScriptParameters(parameters)});
  await client.perform(${JSON.stringify(name)}, ${JSON.stringify(input)});
} catch (error) {
  console.error(messageOf(error));
}`,
  Python: ({ base, screen, parameters, isSignedIn, action: { name, ...body } }) => `${pythonRequests(base, isSignedIn)}


changes = ask(${JSON.stringify(pathOf(screen, actionPath(name), parameters))}, ${literal(body, pythonWords)})
print(changes["kind"], changes["version"])`,
  curl({ base, screen, parameters, isSignedIn, action: { name, ...body } }) {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': '' };
    const path = pathOf(screen, actionPath(name), parameters);
    return curlOf({ method: 'POST', path, headers, body: JSON.stringify(body), isSignedIn }, base);
  },
};

/** Returns a Swift function that performs an action. */
function swiftAction({ action: { name, input } }) {
  return `/// Returns a text for the user if the action fails.
@MainActor
func perform${capitalized(name)}(on screen: LiveScreen) async -> String? {
    do {
        try await screen.action(${quoted(name)})(${literal(input, swiftWords)})
        return nil
    } catch {
        switch error {
        case .invalid(let problem): return problem.detail
        case .rejected: return "It was not performed."
        case .undecided: return "It is not known whether it was performed."
        case .disabled: return "It cannot be performed now."
        case .notStored: return "The device has no room."
        }
    }
}`;
}

function swiftUI(shown) {
  const { screen, snapshot } = shown;
  const types = typesOf(snapshot);
  const cells = types.filter(({ role }) => role === 'cell');
  const rows = cells.map((type) => `            case .known(let cell as ${type.name}): Text(${swiftText(type, 'cell')})\n`);
  const titles = ['header', 'footer'].map((role) => swiftTitle(role, types.filter((type) => type.role === role))).filter(Boolean);
  return `import Foundation
import ScreenClient
import SwiftUI

${declarations(types)}

@MainActor
func makeClient() -> ScreenClient {
    let client = ${swiftClient(shown)}
${types.map((type) => `    client.registry.register(${type.name}.self${swiftName(type)})\n`).join('')}    return client
}

@main
struct ${capitalized(screen)}App: App {
    @State private var screen = ${swiftScreen(shown, 'makeClient()')}

    var body: some Scene {
        WindowGroup { ${capitalized(screen)}View(screen: screen) }
    }
}

struct ${capitalized(screen)}View: View {
    let screen: LiveScreen

    var body: some View {
        ScreenList(${['screen', ...titles, 'report: { print($0) }'].join(', ')}) { cell in
${rows.length > 0 ? `            switch cell.value {\n${rows.join('')}            default: Text(cell.id)\n            }` : '            Text(cell.id)'}
        }
    }
}`;
}

/** Returns the argument of `ScreenList` for the titles of headers or footers; an empty text if there are none. */
function swiftTitle(role, types) {
  const texts = types.filter(({ shown }) => shown.length > 0).map((type) => `$0.value(as: ${type.name}.self).map { ${swiftText(type, '$0')} }`);
  return texts.length > 0 ? `${role}: { ${texts.join(' ?? ')} }` : '';
}

function uiKit(shown) {
  const { screen, snapshot } = shown;
  const types = typesOf(snapshot);
  const baseOf = ({ role }) => (role === 'cell' ? 'Row' : 'Title');
  const used = [...new Set(types.map(baseOf))];
  const views = types.map((type) => `final class ${type.name}View: ${baseOf(type)}, Configurable {
    func configure(with content: ${type.name}) { show(${swiftText(type, 'content')}) }
}`);
  const registered = types.map((type) => {
    const role = type.role === 'cell' ? '' : `, for: .${type.role}`;
    return `        views.register(${type.name}.self, in: ${type.name}View.self${role}${swiftName(type)})\n`;
  });
  return `import Foundation
import ScreenClient
import UIKit

${declarations(types)}

${[...used.map((name) => swiftView(name, superclasses[name])), ...views].join('\n\n')}

final class ${capitalized(screen)}Controller: UITableViewController {
    private let client = ${swiftClient(shown)}
    private lazy var screen = ${swiftScreen(shown)}
    private var table: ScreenTable?
    private var following: Task<Void, Never>?

    override func viewDidLoad() {
        super.viewDidLoad()
        let views = CellViews(registry: client.registry)
${registered.join('')}        table = ScreenTable(tableView, showing: screen, in: views, report: { print($0) }) { link in print("open \\(link.screen)") }
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        following?.cancel()
        following = Task { [screen] in await screen.follow() }
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        following?.cancel()
    }
}`;
}

const superclasses = { Row: 'UITableViewCell', Title: 'UITableViewHeaderFooterView' };

/** Returns the declaration of a class of UIKit that shows a text. */
function swiftView(name, superclass) {
  return `class ${name}: ${superclass} {
    func show(_ text: String) {
        var content = defaultContentConfiguration()
        content.text = text
        contentConfiguration = content
    }
}`;
}

/** Returns the declarations of Swift types. */
function declarations(types) {
  const note = '// The types that the screen has now. It may have others, which its code on the server declares: register them in the same way.';
  return [note, ...types.map(declaration)].join('\n\n');
}

function declaration({ name, role, members }) {
  const lines = members.map((member) => `    let ${member.name}: ${member.kind}${member.isOptional ? '?' : ''}`);
  return [`struct ${name}: Decodable, Sendable {`, ...(role === 'cell' ? ['    let id: String'] : []), ...lines, '}'].join('\n');
}

/** Returns the argument with which a Swift type is registered; an empty text if the name of the Swift type states the name. */
function swiftName({ type, name }) {
  return /^[a-z]+(?:[A-Z][a-z]+)*$/.test(type) ? '' : `, as: ${quoted(type)}`;
}

/** Returns a Swift text with the title and the value of a content. @param {string} content the name of its variable */
function swiftText({ role, shown }, content) {
  const members = shown.filter(({ kind, isOptional }) => kind === 'String' || !isOptional).slice(0, 2)
    .map(({ name, isOptional }) => `\\(${content}.${name}${isOptional ? ' ?? ""' : ''})`);
  return members.length > 0 || role !== 'cell' ? `"${members.join(' ')}"` : `${content}.id`;
}

const javaScriptLibrary = `// The library is the folder Public/relist of the repository. A page of another origin needs a flag of the server:
//   --allow-origin https://app.example.com`;

/** The declaration of a function in JavaScript that returns a text about an error. */
const javaScriptMessage = `function messageOf({ reason, errors = [], exchange, message }) {
  if (reason === 'unreachable') return \`No response. Is the server running, with --allow-origin \${location.origin}?\`;
  const fields = errors.map(({ pointer, parameter = pointer?.replace('/input/', ''), detail }) => (
    parameter ? \`\${parameter}: \${detail}\` : detail));
  return fields.join('\\n') || (exchange?.document?.detail ?? message);
}`;

const javaScriptToken = "token: () => sessionStorage.getItem('token')";

function javaScript({ base, screen, parameters, isSignedIn, snapshot }) {
  const [example] = typesOf(snapshot).filter(({ shown }) => shown.length > 0).map(({ type, shown }) => {
    const parts = shown.map(({ part, name }) => `${part}: view.${name}`);
    return `
// Rows have a generic form. To give a type a form of your own, import \`register\` and \`setParts\` too:
//   register(${JSON.stringify(type)}, { configure: (row, view) => setParts(row, { ${parts.join(', ')} }) });
`;
  });
  return `// A file app.js of an empty page: <!doctype html><script type="module" src="app.js"></script>
${javaScriptLibrary}
import { Client } from './relist/client.js';
import { ListView } from './relist/render.js';

document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: './relist/list.css' }));
document.body.innerHTML = '<p id="problem" role="alert"></p><main id="scroll"><div id="list"></div></main>';
${example ?? ''}
${javaScriptMessage}

const report = (text) => { document.querySelector('#problem').textContent = text; };
const fail = (error) => report(messageOf(error));
const list = new ListView(document.querySelector('#list'), {
  scroller: document.querySelector('#scroll'),
  href: ({ screen }) => \`#\${screen}\`,
  onSelect({ link, action, actions }) {
    report('');
    if (link) return client.show(link.screen, link.parameters).catch(fail);
    // The input is that of the row. A page of your own asks for other values with a form.
    const offered = (actions ?? []).filter(({ disabled }) => !disabled);
    const titles = offered.map(({ title }, index) => \`\${index + 1}. \${title}\`);
    const chosen = action ?? offered[prompt(titles.join('\\n'), '') - 1];
    if (!chosen || (chosen.destructive && !confirm(chosen.title))) return undefined;
    return client.perform(chosen.name, chosen.input).catch(fail);
  },
});
const client = new Client({
  base: ${JSON.stringify(base)},
  live: true,${isSignedIn ? `\n  ${javaScriptToken},` : ''}
  onDocument: ({ outcome, after, steps }) => {
    if (outcome === 'apply') list.play({ snapshot: after, steps });
    if (outcome === 'replace') list.render(after);
  },
});
client.show(${JSON.stringify(screen)}${javaScriptParameters(parameters)}).catch(fail);`;
}

function python({ base, screen, parameters, isSignedIn }) {
  const changes = JSON.stringify(pathOf(screen, '/changes', { ...parameters, version: '' }));
  return `${pythonRequests(base, isSignedIn, ['http.client', 'time'])}


def show(snapshot):
    for section in snapshot["sections"]:
        for cell in section["cells"]:
            print(*(text for name, text in cell.items() if isinstance(text, str) and name != "type"), flush=True)


while True:
    try:
        snapshot = ask(${JSON.stringify(pathOf(screen, '', parameters))})
        show(snapshot)
        # The server responds when there is a change, or after 30 seconds. The response has the stages that lead to the new version
        # (Documentation/Protocol.md). This program loads the screen again instead.
        while ask(${changes} + snapshot["version"], Prefer="wait=30")["version"] == snapshot["version"]:
            time.sleep(1)
    except (OSError, http.client.HTTPException) as error:
        print(error, flush=True)
        time.sleep(5)`;
}

/** Returns Python code that defines a function for requests, and imports further modules. */
function pythonRequests(base, isSignedIn, more = []) {
  const token = isSignedIn ? ', "Authorization": "Bearer " + os.environ["TOKEN"]' : '';
  const modules = ['json', ...(isSignedIn ? ['os'] : []), ...more].sort();
  return `${modules.map((module) => `import ${module}\n`).join('')}import urllib.request


def ask(path, body=None, **headers):
    data = None if body is None else json.dumps(body).encode()
    headers |= {"Content-Type": "application/json"${token}}
    request = urllib.request.Request(${JSON.stringify(base)} + path, data, headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)`;
}

function curl({ base, screen, parameters, isSignedIn, snapshot: { version } }) {
  const since = version === undefined ? parameters : { ...parameters, version };
  const command = (path, headers) => curlOf({ method: 'GET', path, headers, isSignedIn }, base);
  return `# The whole screen
${command(pathOf(screen, '', parameters))}
# Each change from now on, as an event
${command(pathOf(screen, '/changes', since), { Accept: 'text/event-stream' })}`;
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
