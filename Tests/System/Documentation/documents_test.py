"""Tests that the pages of the documentation agree with the program, its packages, and each other."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

import pages
from serving import ServerTest


class DocumentsTest(unittest.TestCase):
    def test_each_code_block_of_the_pages_names_a_known_language(self):
        known = {"console", "swift", "js", "json", "nginx", "text", "ts"}
        for block in pages.all_blocks():
            self.assertIn(block.language, known, block.place)

    def test_each_link_points_to_an_existing_file_and_heading(self):
        for page in pages.PAGES:
            for link in pages.links(page):
                path, _, anchor = link.partition("#")
                target = page.parent / path if path else page
                self.assertTrue(target.exists(), f"{page}: {link}")
                if anchor:
                    self.assertIn(anchor, pages.anchors(target), f"{page}: {link}")

    def test_the_readme_has_at_most_150_lines_and_links_to_each_page(self):
        self.assertLessEqual(len(pages.README.read_text().splitlines()), 150)
        for page in pages.PAGES[1:]:
            if page.name != "README.md":
                self.assertIn(str(page.relative_to(pages.ROOT)), pages.links(pages.README))

    def test_the_table_of_targets_lists_the_dependencies_of_the_package(self):
        command = [*shlex.split(os.environ.get("SWIFT", "swift")), "package", "dump-package", "--package-path", pages.ROOT]
        package = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout)
        built = {
            target["name"]: {dependency.get("product", [None, None])[1] or next(iter(dependency.values()))[0] for dependency in target["dependencies"]}
            for target in package["targets"] if target["type"] != "test" and not (target.get("path") or "").startswith("Tests/")
        }
        rows = re.findall(r"(?m)^\| (`\w+`(?:, `\w+`)*) \| [^|]* \| ([^|]*) ?\|$", (pages.ROOT / "CONTRIBUTING.md").read_text())
        listed = {name: set(re.findall(r"[\w.-]+", imports)) for names, imports in rows for name in re.findall(r"\w+", names)}
        self.assertEqual(listed, built)

    def test_each_swift_snippet_of_the_readme_is_copied_from_the_example(self):
        snippets = pages.blocks(pages.README, "swift")
        self.assertGreater(len(snippets), 1)
        for block in snippets:
            self.assertTrue(pages.is_of_the_example(block), block.place)

    def test_each_json_example_of_the_documentation_can_be_parsed(self):
        for block in pages.all_blocks("json"):
            json.loads(block.text)

    def test_the_pages_show_the_nginx_configurations_that_the_tests_use(self):
        blocks = pages.all_blocks("nginx")
        for block, file in zip(blocks, ["nginx.conf", "caching.conf"], strict=True):
            text = (pages.ROOT / "Deploy" / file).read_text().replace("ORIGIN", "8080").replace("FOLDER", "/var/cache/nginx")
            tested = [line.strip() for line in text.splitlines()]
            for line in block.text.splitlines():
                self.assertIn(line.strip(), tested, f"{block.place}: {line}")

    def test_the_table_of_flags_lists_the_flags_of_the_program(self):
        said = subprocess.run([os.environ["RELIST"], "serve", "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
        table = re.findall(r"(?m)^\| `--([\w-]+)` \| `(\w+)` \| ([^|]*)\|", (pages.ROOT / "Documentation/Operations.md").read_text())
        self.assertEqual({f"--{name}" for name, _, _ in table}, set(re.findall(r"--[\w-]+(?= <)", said.partition("OPTIONS:")[2])))
        text = " ".join(said.split())
        for name, variable, default in table:
            self.assertEqual(variable, "RELIST_" + name.upper().replace("-", "_"))
            if default.strip():
                self.assertRegex(text, rf"--{name} [^-]*(-[^-][^-]*)*\(default: {re.escape(default.strip())}\)")

    def test_javascript_examples_parse_and_import_names_that_are_exported(self):
        public = pages.ROOT / "Public"
        for block in pages.all_blocks("js"):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "snippet.mjs"
                file.write_text(block.text)
                subprocess.run(["node", "--check", file], check=True, timeout=60)
            for line in block.text.splitlines():
                if not line.startswith("import "):
                    continue
                names, _, module = line.removeprefix("import { ").partition(" } from ")
                source = (public / module.strip("';")).read_text()
                for name in names.split(", "):
                    self.assertRegex(source, rf"export .*\b{name}\b", block.place)


class ScreensTest(ServerTest):
    """Tests of the first screen in `Screens.md`, on the program whose code the page shows."""

    program = os.environ["SCREENS"]

    def test_the_program_of_the_documentation_serves_the_planets_screen(self):
        planets = self.document("/screens/planets?limit=5")
        self.assertEqual(planets["title"], "Planets")
        self.assertEqual([(section["id"], len(section["cells"])) for section in planets["sections"]], [("inner", 4), ("outer", 1)])
        self.assertEqual(planets["sections"][1]["cells"], [{"id": "Jupiter", "type": "planet", "name": "Jupiter"}])
        self.stop()


if __name__ == "__main__":
    unittest.main()
