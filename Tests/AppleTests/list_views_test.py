"""Compiles code that Linux leaves out (the lock, the list views of UIKit and AppKit, and their documentation) against
declarations like Apple's."""

import pathlib
import subprocess
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).parents[2]
DECLARATIONS = pathlib.Path(__file__).parent / "Declarations"
# The settings of the compiler, as in the manifest.
FLAGS = ["-swift-version", "6", "-warnings-as-errors", "-package-name", "relist"]
for feature in ("ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"):
    FLAGS += ["-enable-upcoming-feature", feature]

CONTROLLER = """
import ScreenDiff
import ScreenModel
import UIKit

struct Day: Hashable, ContentEquatable, ReuseIdentifying {{
    var title = ""
    var reuseIdentifier: String {{ "day" }}
}}

final class DayView: UITableViewHeaderFooterView {{
    func show(_ header: Day) {{}}
}}

final class Controller: UIViewController {{
    let tableView = UITableView()
    var data = TableViewModel<Day, Int>()

    func show(_ changeset: StagedChangeset<TableViewModel<Day, Int>>) {{
{example}
    }}
}}
"""


class ListViewsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.modules = pathlib.Path(folder.name)
        cls.compiled = [cls.emit(name, [DECLARATIONS / f"{name}.swift"]) for name in ("UIKit", "AppKit", "os")]
        cls.compiled += [cls.emit(name, sorted((ROOT / "Sources" / name).rglob("*.swift"))) for name in ("ScreenModel", "ScreenDiff")]

    @classmethod
    def swiftc(cls, *arguments):
        """Runs the compiler and returns its output."""
        call = ["swiftc", *FLAGS, "-I", cls.modules, *arguments]
        return subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    @classmethod
    def emit(cls, name, files, *flags):
        return cls.swiftc("-emit-module", "-wmo", "-module-name", name, "-o", cls.modules / f"{name}.swiftmodule", *flags, *files)

    def controller(self, example):
        file = self.modules / "Controller.swift"
        file.write_text(CONTROLLER.format(example=example))
        return self.swiftc("-typecheck", file)

    def test_the_lock_and_the_list_views_compile(self):
        self.assertEqual(self.compiled, [""] * 5)

    def test_the_code_of_users_of_the_peers_compiles(self):
        self.assertEqual(self.swiftc("-typecheck", *sorted((ROOT / "Tests/ScreenDiffTests/Peers").glob("*.swift"))), "")

    def test_the_tests_of_models_compile_with_the_index_paths_of_uikit(self):
        tests = ROOT / "Tests/ScreenModelTests"
        self.assertEqual(self.swiftc("-typecheck", tests / "Examples.swift", *sorted((tests / "Models").glob("*.swift"))), "")

    def test_the_example_of_a_reload_compiles_in_a_view_controller(self):
        paragraphs = (ROOT / "Documentation/Peers.md").read_text().split("\n\n")
        example, = (one for one in paragraphs if one.startswith("    tableView.reload("))
        self.assertEqual(self.controller(textwrap.dedent(example)), "")

    def test_an_error_of_the_compiler_is_reported(self):
        self.assertIn("has no member 'sideways'", self.controller("tableView.reload(using: changeset, with: .sideways) { data = $0 }"))


if __name__ == "__main__":
    unittest.main()
