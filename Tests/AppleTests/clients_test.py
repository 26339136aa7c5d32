"""Compiles `ScreenClient`, `ScreenTesting` and the examples for apps in the documentation against declarations like Apple's."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
DECLARATIONS = pathlib.Path(__file__).parent / "Declarations"
FLAGS = ["-swift-version", "6", "-warnings-as-errors"]
# The settings of the package, as in the manifest.
OWN = ["-package-name", "relist"]
for feature in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"):
    OWN += ["-enable-upcoming-feature", feature]
# The tests that put list views into windows.
WINDOWS = ROOT / "Tests/ScreenClientTests/ListViews/WindowTests.swift"
# A declaration of the app that the examples leave out.
ROW = "import SwiftUI\nstruct DeliveryRow: View {\n    let delivery: DeliveryCell\n    var body: some View { Text(delivery.weight) }\n}\n"

# An app that shows a screen through a diffable data source of UIKit.
DIFFABLE = """
import ScreenClient
import UIKit

final class DeliveriesController: UITableViewController {
    var dataSource: UITableViewDiffableDataSource<String, String>!
    var grid: UICollectionViewDiffableDataSource<String, String>!
    private var bindings: [ScreenBinding] = []

    func show(_ screen: LiveScreen) {
        bindings = [dataSource.bind(to: screen), grid.bind(to: screen)]
    }

    func show(_ update: ListUpdate, after shown: ListModel?) {
        dataSource.apply(NSDiffableDataSourceSnapshot(DiffablePlan(from: shown, to: update), shown: dataSource.snapshot()))
    }
}
"""


class CompilingTest(unittest.TestCase):
    """Compiles the targets for apps for a system with one framework of list views."""

    maxDiff = None
    views = "UIKit"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.modules = pathlib.Path(folder.name)
        # Code for Apple's systems asks whether there is a module of this name.
        (cls.modules / "empty.swift").write_text("")
        cls.compiled = [cls.emit("Darwin", [cls.modules / "empty.swift"], [])]
        cls.compiled += [cls.emit(name, [DECLARATIONS / f"{name}.swift"], []) for name in ("os", cls.views, "SwiftUI", "URLLoading", "Network")]
        for name in ("ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient", "ScreenTesting"):
            cls.compiled.append(cls.emit(name, [cls.source(file) for file in cls.files(name)], [*OWN, "-enable-testing"]))

    @classmethod
    def files(cls, target):
        """Returns the sources of a target. The transport for Linux is left out, because the compiler cannot leave it out here."""
        return [file for file in sorted((ROOT / "Sources" / target).rglob("*.swift")) if file.name != "CurlTransport.swift"]

    @classmethod
    def source(cls, file):
        """Returns a source that compiles here: Foundation has no `URLSession` on Linux."""
        if file.name != "URLSessionTransport.swift":
            return file
        copy = cls.modules / file.name
        copy.write_text(file.read_text().replace("public import Foundation", "import Foundation\npublic import URLLoading"))
        return copy

    @classmethod
    def swiftc(cls, *arguments):
        """Runs the compiler and returns its output."""
        call = ["swiftc", *FLAGS, "-I", cls.modules, *arguments]
        return subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    @classmethod
    def emit(cls, name, files, flags):
        return cls.swiftc("-emit-module", "-wmo", "-module-name", name, "-o", cls.modules / f"{name}.swiftmodule", *flags, *files)


class ClientsTest(CompilingTest):
    def test_the_client_compiles(self):
        self.assertEqual(self.compiled, [""] * 11)

    def test_no_target_for_apps_imports_another_target_or_package(self):
        toolchain = {"Foundation", "FoundationEssentials", "Observation", "Darwin", "Dispatch", "Glibc", "Network", "Synchronization",
            "os", "UIKit", "AppKit", "SwiftUI"}
        targets = {"ScreenModel", "ScreenDiff", "ScreenWire"}
        for target in (*sorted(targets), "ScreenClient", "ScreenTesting"):
            for file in self.files(target):
                found = re.findall(r"(?m)^\s*(?:@\w+ )*(?:\w+ )?import (?:(?:struct|enum|func|class|protocol) )?(\w+)", file.read_text())
                self.assertLessEqual(set(found), toolchain | targets | ({"ScreenClient"} if target == "ScreenTesting" else set()), file)

    def test_the_examples_for_apps_compile(self):
        for page, left_out in (("Clients", [ROW]), ("Migrating", [])):
            text = (ROOT / f"Documentation/{page}.md").read_text()
            examples = re.findall(r"(?ms)^```swift\n(.*?)^```$", text)
            self.assertTrue(any("import SwiftUI" in one for one in examples) and any("import UIKit" in one for one in examples))
            files = []
            for number, example in enumerate([*examples, *left_out]):
                files.append(self.modules / f"{page}{number}.swift")
                files[-1].write_text(example)
            self.assertEqual(self.swiftc("-typecheck", "-parse-as-library", *files), "", page)

    def test_the_lines_of_the_page_compile_for_each_screen_and_for_an_action(self):
        screens = sorted(path.name for path in (ROOT / "Tests/Fixtures/Wire").glob("*.json"))
        script = '''
            import { readFileSync } from 'node:fs';
            import { linesOf } from './Public/page/using/lines.js';
            const all = process.argv.slice(1).map((name) => JSON.parse(readFileSync(`Tests/Fixtures/Wire/${name}`, 'utf8')));
            const shown = all.filter(({ kind }) => kind === 'snapshot').map((snapshot) => (
              { base: 'http://127.0.0.1:8080', screen: snapshot.screen, parameters: { q: 'say "a"' }, snapshot }));
            const input = { text: 'say "a"\\n', on: true, none: null, empty: {}, list: [1, 1.5, { a: [] }] };
            const described = [...shown, { ...shown[0], action: { name: 'add-row', input } }];
            const lines = described.flatMap((one) => [one, { ...one, isSignedIn: true }]).flatMap(linesOf);
            console.log(JSON.stringify(lines.filter(({ name }) => name === 'UIKit' || name === 'SwiftUI')));
        '''
        lines = json.loads(subprocess.run(
            ["node", "--input-type=module", "--eval", script, *screens], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        self.assertGreater(len(lines), 10)
        for code in {one["code"] for one in lines}:
            file = self.modules / "Lines.swift"
            file.write_text(code)
            self.assertEqual(self.swiftc("-typecheck", "-parse-as-library", file), "", code)

    def test_diffable_data_sources_of_uikit_are_bound_to_a_screen(self):
        file = self.modules / "Diffable.swift"
        file.write_text(DIFFABLE)
        self.assertEqual(self.swiftc("-typecheck", "-parse-as-library", file), "")

    def test_the_tests_of_list_views_in_windows_compile(self):
        self.assertEqual(self.swiftc("-typecheck", *OWN, WINDOWS), "")


class MacClientsTest(CompilingTest):
    views = "AppKit"

    def test_the_client_and_the_tests_of_its_list_views_compile(self):
        self.assertEqual(self.compiled, [""] * 11)
        self.assertEqual(self.swiftc("-typecheck", *OWN, WINDOWS), "")


if __name__ == "__main__":
    unittest.main()
