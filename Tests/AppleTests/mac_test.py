"""Tests the package without the server, as a Mac builds it, and the workflow that builds it there."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
APPS = {"ScreenModel", "ScreenDiff", "ScreenWire", "ScreenClient", "ScreenTesting"}
# The modules that tests may import: those of Apple's systems, of the toolchain and of the package. FoundationEssentials is on Linux only.
MODULES = APPS | {
    "Foundation", "Observation", "Synchronization", "Testing", "UIKit", "AppKit", "SeededRandom", "TestModels", "DocumentTexts",
    "FaultyTransport",
}


class MacTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            manifest = (ROOT / "Package.swift").read_text()
            (pathlib.Path(folder) / "Package.swift").write_text(manifest.replace("os(Linux)", "false"))
            (pathlib.Path(folder) / "Tests").mkdir()
            command = ["swift", "package", "dump-package", "--package-path", folder]
            environment = {**os.environ, "RELIST_TARGETS": "apps"}
            said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, env=environment).stdout
            cls.package = json.loads(said)
        cls.targets = {target["name"]: target for target in cls.package["targets"]}

    def test_the_package_on_a_mac_has_the_products_for_apps_and_their_tests(self):
        products = {product["name"] for product in self.package["products"]}
        self.assertEqual(products, {name for name in APPS if (ROOT / "Sources" / name).exists()})
        tests = {target["name"] for target in self.package["targets"] if target["type"] == "test"}
        self.assertEqual(tests, {f"{name}Tests" for name in products})

    def test_the_package_on_a_mac_needs_no_other_package_and_no_target_for_linux(self):
        self.assertEqual(self.package["dependencies"], [])
        for name, target in self.targets.items():
            needed = {dependency["byName"][0] for dependency in target["dependencies"]}
            self.assertLessEqual(needed, set(self.targets), name)

    def test_the_tests_on_a_mac_import_only_modules_of_the_mac_and_of_the_package(self):
        count = 0
        for name, target in self.targets.items():
            folder = ROOT / (target.get("path") or f"Tests/{name}")
            for file in folder.rglob("*.swift"):
                if file.relative_to(folder).parts[0] not in target["exclude"]:
                    imported = set(re.findall(r"(?m)^(?:@?\w+ )*import (?:struct |enum |class |func )?(\w+)", file.read_text()))
                    self.assertLessEqual(imported, MODULES, file)
                    count += 1
        self.assertGreater(count, 50)

    def test_the_workflow_builds_each_product_for_apps(self):
        workflow = (ROOT / ".github/workflows/apple.yml").read_text()
        built, = re.findall(r"for product in ([\w ]+);", workflow)
        self.assertEqual(set(built.split()), APPS)
        self.assertIn(f"-scheme {self.package['name']}-Package ", workflow)
        self.assertIn("RELIST_TARGETS: apps", workflow)


if __name__ == "__main__":
    unittest.main()
