"""A package as an app has it, which takes the three targets for apps and turns the server off."""

import json
import os
import pathlib
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
            dependencies: ["ScreenModel", "ScreenDiff", "ScreenWire"].map {{ .product(name: $0, package: "relist") }}
        ),
    ]
)
"""


class AppTest(unittest.TestCase):
    def test_it_resolves_no_package_of_the_server(self):
        swift = os.environ["SWIFT"]
        words = [swift] if shutil.which(swift) else shlex.split(swift)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "Package.swift").write_text(MANIFEST)
            (pathlib.Path(folder) / "Sources/App").mkdir(parents=True)
            (pathlib.Path(folder) / "Sources/App/App.swift").write_text("import ScreenModel\nimport ScreenDiff\nimport ScreenWire\n")
            command = [*words, "package", "--package-path", folder, "show-dependencies", "--format", "json"]
            shown = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=300).stdout
            fetched = list((pathlib.Path(folder) / ".build/checkouts").iterdir())
        [relist] = json.loads(shown)["dependencies"]
        self.assertEqual((relist["name"], relist["dependencies"], fetched), ("relist", [], []))
