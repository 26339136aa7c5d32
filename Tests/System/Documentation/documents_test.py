"""That what the documents show is what there is."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pages
from serving import ServerTest


class DocumentsTest(unittest.TestCase):
    def test_each_block_says_its_language(self):
        known = {"console", "swift", "js", "json", "nginx", "text"}
        for block in pages.all_blocks():
            self.assertIn(block.language, known, block.place)

    def test_each_link_leads_to_a_file(self):
        for page in pages.PAGES:
            for link in pages.links(page):
                path, _, _ = link.partition("#")
                self.assertTrue(path == "" or (page.parent / path).exists(), f"{page}: {link}")

    def test_the_readme_is_read_in_a_minute_and_leads_to_each_page(self):
        readme = pages.PAGES[0]
        self.assertLess(len(readme.read_text().splitlines()), 150)
        for page in pages.PAGES[1:]:
            self.assertIn(f"Documentation/{page.name}", pages.links(readme))

    def test_the_code_of_the_readme_is_that_of_the_example(self):
        snippets = pages.blocks(pages.PAGES[0], "swift")
        self.assertGreater(len(snippets), 1)
        for block in snippets:
            self.assertTrue(pages.is_of_the_example(block), block.place)

    def test_json_is_json(self):
        for block in pages.all_blocks("json"):
            json.loads(block.text)

    def test_the_proxy_is_told_what_it_is_tested_with(self):
        blocks = pages.all_blocks("nginx")
        for block, file in zip(blocks, ["nginx.conf", "caching.conf"], strict=True):
            text = (pages.ROOT / "Deploy" / file).read_text().replace("ORIGIN", "8080").replace("FOLDER", "/var/cache/nginx")
            tested = [line.strip() for line in text.splitlines()]
            for line in block.text.splitlines():
                self.assertIn(line.strip(), tested, f"{block.place}: {line}")

    def test_the_flags_are_those_that_the_program_has(self):
        said = subprocess.run([os.environ["RELIST"], "serve", "--help"], capture_output=True, text=True, check=True, timeout=60).stdout
        table = re.findall(r"(?m)^\| `--([\w-]+)` \| `(\w+)` \| ([^|]*)\|", (pages.ROOT / "Documentation/Operations.md").read_text())
        self.assertEqual({f"--{name}" for name, _, _ in table}, set(re.findall(r"--[\w-]+(?= <)", said.partition("OPTIONS:")[2])))
        text = " ".join(said.split())
        for name, variable, default in table:
            self.assertEqual(variable, "RELIST_" + name.upper().replace("-", "_"))
            if default.strip():
                self.assertRegex(text, rf"--{name} [^-]*(-[^-][^-]*)*\(default: {re.escape(default.strip())}\)")

    def test_a_module_for_the_browser_is_one_and_imports_what_there_is(self):
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
    """The screen that `Screens.md` begins with, served by the program that it shows."""

    program = os.environ["SCREENS"]

    def test_the_planets_are_served(self):
        planets = self.document("/screens/planets?limit=5")
        self.assertEqual(planets["title"], "Planets")
        self.assertEqual([(section["id"], len(section["cells"])) for section in planets["sections"]], [("inner", 4), ("outer", 1)])
        self.assertEqual(planets["sections"][1]["cells"], [{"id": "Jupiter", "type": "planet", "name": "Jupiter"}])
        self.stop()


if __name__ == "__main__":
    unittest.main()
