"""Tests of the JavaScript library as npm publishes it, on a page that has nothing else of Relist."""

import pathlib
import shutil
import subprocess
import tempfile

from driving.browser import BrowserTest
from serving import ROOT, Server, relist


class PackageTest(BrowserTest):
    """Tests of the example `Examples/Web`, in a folder with the packed library."""

    # The example has no icon.
    expects_failed_requests = True

    @classmethod
    def start_server(cls):
        folder = tempfile.mkdtemp(prefix="relist-web-")
        cls.addClassCleanup(shutil.rmtree, folder)
        page = pathlib.Path(folder, "page")
        shutil.copytree(ROOT / "Examples/Web", page)
        subprocess.run([ROOT / "Tests/Support/pack", page / "relist"], check=True)
        server = Server()
        server.program = [relist(), "serve", "--public", page]
        return server.start()

    def text(self):
        return self.js("return document.querySelector('#list')?.innerText ?? ''")

    def setUp(self):
        super().setUp()
        self.browser.get(self.server.origin)
        self.wait(lambda: "First name:" in self.text(), "the list")

    def test_a_page_of_a_team_shows_a_screen_and_its_changes(self):
        self.server.perform("settings", "rename", firstName="Ada")
        self.wait(lambda: "Ada" in self.text(), "the change")

    def test_list_css_is_all_that_a_list_needs(self):
        found = self.js("""
            const style = (selector) => getComputedStyle(document.querySelector(selector));
            return [style('.ghosts').position, style('.cell').backgroundColor, style('.cells').listStyleType, style('.row').display,
              document.querySelector('#scroll').getBoundingClientRect().width === document.querySelector('#scroll').scrollWidth];
        """)
        self.assertEqual(found, ["absolute", "rgb(255, 255, 255)", "none", "grid", True])

    def test_the_cells_of_a_collection_share_a_line(self):
        tops = self.run_module("""
            const { ListView } = await import('/relist/render.js');
            const root = document.querySelector('#list');
            const cells = ['1', '2'].map((id) => ({ id, type: 'tile', size: { width: 100, height: 50 } }));
            new ListView(root, { scroller: root.parentElement, href: () => undefined, onSelect: () => {} })
              .render({ kind: 'snapshot', screen: 'tiles', version: '1', layout: 'collection', sections: [{ id: 'all', cells }] });
            return [...root.querySelectorAll('.cell')].slice(-2).map((node) => node.getBoundingClientRect().top);
        """)
        self.assertEqual(tops[0], tops[1])
