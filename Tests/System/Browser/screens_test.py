"""Tests that each screen shows what the server sends."""

from urllib.parse import urlencode

from driving.browser import BrowserTest


def ids_of(snapshot):
    return [[section["id"], [cell["id"] for cell in section["cells"]]] for section in snapshot["sections"]]


class ScreensTest(BrowserTest):
    """Tests of all screens, in both languages, in narrow and wide windows."""

    def test_each_screen_shows_all_its_sections_and_cells(self):
        for screen in self.server.get("/screens")["screens"]:
            for locale in ["en", "fr"]:
                with self.subTest(screen["name"], locale=locale):
                    self.open(f"{screen['name']}?locale={locale}")
                    self.assert_shown(screen["name"], locale=locale)

    def test_the_link_of_a_screen_returns_to_the_parameters_that_were_shown(self):
        self.open("deliveries?contract=240500-000")
        self.js("[...document.querySelectorAll('#screens a')].find(({ textContent }) => textContent === 'Settings').click()")
        self.wait(lambda: self.all('#list [data-id="firstName"]'), "the settings")
        self.js("[...document.querySelectorAll('#screens a')].find(({ textContent }) => textContent === 'Deliveries').click()")
        self.wait(lambda: self.all('#list [data-id="5034-1"]'), "the contract")
        self.js("document.querySelector('#screens [aria-current]').click()")
        self.wait(lambda: not self.all('#list [data-id="5034-1"]'), "the default contract")

    def test_each_screen_fits_the_narrowest_window(self):
        for screen in self.server.get("/screens")["screens"]:
            with self.subTest(screen["name"]):
                self.look(width=320, height=640)
                self.open(screen["name"])
                self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 320)
                self.assertEqual(self.overflowing(), [])

    def test_the_computed_size_of_a_snapshot_is_its_size_on_the_wire(self):
        for screen in self.server.get("/screens")["screens"]:
            with self.subTest(screen["name"]):
                self.open(screen["name"])
                sizes = self.run_module("""
                    const { bytesOf } = await import('/page/inspecting/sizes.js');
                    const { normalSnapshot } = await import('/relist/changeset.js');
                    const sent = await (await fetch(`/screens/${given[0]}`)).text();
                    return [new TextEncoder().encode(sent).length, bytesOf(normalSnapshot(JSON.parse(sent)))];
                """, screen["name"])
                self.assertEqual(*sizes)

    def test_a_registered_renderer_is_used_and_a_failing_renderer_is_replaced_by_the_generic_one(self):
        self.open("settings")
        text = self.run_module("""
            const { ListView, register, setParts } = await import('/relist/render.js');
            register('silo', { configure: (element, cell) => setParts(element, { title: `Silo ${cell.number}` }) });
            register('broken', { configure() { throw new Error('on purpose'); } });
            const scroller = document.getElementById('scroll');
            const root = scroller.appendChild(document.createElement('div'));
            const error = console.error;
            console.error = () => {};
            const cells = [{ id: '1', type: 'silo', number: 7 }, { id: '2', type: 'broken', title: 'Plain' }];
            new ListView(root, { scroller, href: () => undefined, onSelect() {} })
              .render({ kind: 'snapshot', screen: 'x', version: '1', layout: 'table', sections: [{ id: 's', cells }] });
            console.error = error;
            return root.textContent;
        """)
        self.assertEqual(text, "Silo 7Plain")

    def assert_shown(self, name, **parameters):
        width = {"width": self.js("return document.getElementById('scroll').clientWidth")} if name == "artist" else {}
        path = f"/screens/{name}?{urlencode({**parameters, **width})}"
        snapshot = self.server.get(path)
        # A live screen may change between two requests.
        self.wait(lambda: self.ids() == ids_of(self.server.get(path)), f"{name} to be as the server says")
        self.assertEqual((self.text("#title"), self.browser.title), (snapshot["title"], f"{snapshot['title']} – Relist"))
        headers = [section["header"] for section in snapshot["sections"] if "header" in section]
        self.assertEqual(len(self.all("#list .header")), len(headers))
        badges = [badge for section in snapshot["sections"] for badge in section.get("supplementary", [])]
        self.assertEqual(len(self.all("#list .badge")), len(badges))

    def overflowing(self):
        """Returns the texts that are cut off or extend beyond the window."""
        return self.js("""
            return [...document.querySelectorAll('#phone *')].filter((node) => {
                const { clipPath, display } = getComputedStyle(node);
                if (!node.checkVisibility() || clipPath !== 'none') return false;
                if (node.children.length > 0 || !node.textContent.trim()) return false;
                const { left, right } = node.getBoundingClientRect();
                return right > innerWidth + 0.5 || left < -0.5 || node.scrollWidth > node.clientWidth + 1 && display !== 'inline';
            }).map((node) => node.outerHTML);
        """)
