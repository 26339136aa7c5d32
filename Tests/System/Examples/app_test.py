"""Tests of an app that depends on the targets for apps, without the server."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
MANIFEST = f"""\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "app",
    dependencies: [.package(name: "relist", path: {json.dumps(str(ROOT))}, traits: [])],
    targets: [
        .target(
            name: "App",
            dependencies: ["ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient"].map {{ .product(name: $0, package: "relist") }}
        ),
    ]
)
"""
# The modules that an app links on Linux besides those of the toolchain. On other platforms it has no `HTTPClient`, and so no C.
LINKED = {"ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient", "HTTPClient"}


def words():
    """Returns the words of the compiler's command."""
    swift = os.environ["SWIFT"]
    return [swift] if shutil.which(swift) else shlex.split(swift)


class AppTest(unittest.TestCase):
    def test_an_app_that_depends_on_relist_fetches_no_dependency_of_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "Package.swift").write_text(MANIFEST)
            (pathlib.Path(folder) / "Sources/App").mkdir(parents=True)
            (pathlib.Path(folder) / "Sources/App/App.swift").write_text("import ScreenClient\n")
            command = [*words(), "package", "--package-path", folder, "show-dependencies", "--format", "json"]
            shown = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout
            fetched = list((pathlib.Path(folder) / ".build/checkouts").iterdir())
        [relist] = json.loads(shown)["dependencies"]
        self.assertEqual((relist["name"], relist["dependencies"], fetched), ("relist", [], []))

    def test_the_example_of_an_app_builds_the_targets_for_apps_and_nothing_of_the_server(self):
        built = ROOT / ".build/phone"
        self.assertEqual(list((built / "checkouts").glob("*")), [])
        modules = {file.stem for file in (built / "debug/Modules").glob("*.swiftmodule") if not file.stem.startswith("phonePackage")}
        self.assertEqual(modules, LINKED | {"Phone", "PhoneTests"})

    def test_only_the_transport_for_linux_needs_c(self):
        command = [*words(), "package", "--package-path", ROOT, "dump-package"]
        package = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout)
        targets = {target["name"]: {next(iter(one.values()))[0] for one in target["dependencies"]} for target in package["targets"]}
        apart = {"ScreenModel": set(), "ScreenDiff": {"ScreenModel"}, "ScreenWire": {"ScreenModel", "ScreenDiff"}}
        apart["ScreenTesting"] = {"ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient"}
        for name, dependencies in apart.items():
            self.assertEqual(targets[name], dependencies)
        self.assertEqual(targets["ScreenClient"], {"ScreenModel", "ScreenDiff", "ScreenWire", "HTTPClient"})
        manifest = (ROOT / "Package.swift").read_text()
        self.assertRegex(manifest, r"#if os\(Linux\)\s+\[\"HTTPClient\"\]\s+#else\s+\[\]\s+#endif")
        for file in (ROOT / "Sources/ScreenClient").rglob("*.swift"):
            text = file.read_text()
            if re.search(r"(?m)^(?:public )?import HTTPClient$", text):
                self.assertTrue(text.startswith("#if os(Linux)\n"), file)
