"""Tests of texts with hostile or unusual content."""

from driving.browser import StageTest

HOSTILE = {
    "markup": "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script></span><b>&amp;&lt;",
    "emoji": "👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🇫🇷e\u0301\U0001F3D4",
    "right to left": "\u202eevil\u202c שלום مرحبا 12",
    "long": "x" * 10_000,
    "spaces": "a\n\n   b\t\u00a0\u2028c\u0000d",
    "prototype": "__proto__",
}


class HostileTextsTest(StageTest):
    """Tests that any text is shown as text and not interpreted as markup."""

    def test_a_hostile_text_is_shown_as_text_in_every_part_of_a_list(self):
        for name, text in HOSTILE.items():
            with self.subTest(name):
                found = self.on_stage("""
                    const [text] = given;
                    const badge = { kind: 'badge', cell: text, view: { type: text, text } };
                    const link = { screen: text, parameters: { [text]: text } };
                    const actions = [{ name: text, title: text }];
                    const one = { id: text, type: text, title: text, value: text, detail: text, link, actions, [text]: text };
                    const [header, footer] = [{ type: text, title: text }, { type: text, text }];
                    await stage.snapshot([{ id: text, header, cells: [one], footer, supplementary: [badge] }]);
                    const places = ['.header .title', '.cell .title', '.cell .value', '.cell .detail', '.footer .title',
                        '.badge .title', '.act'];
                    const texts = places.map((selector) => stage.root.querySelector(selector).textContent);
                    const all = [...stage.root.querySelectorAll('*')];
                    const strange = all.map((node) => node.localName).filter((name) => ['img', 'script', 'b'].includes(name));
                    const wide = all.filter((node) => node.getBoundingClientRect().right > innerWidth + 1)
                        .map((node) => `${node.className} in ${node.parentElement.className}`);
                    return { texts: [...new Set(texts)], strange, wide, hit: window.hit ?? null, order: stage.order() };
                """, text)
                self.assertEqual(found["texts"], [text])
                self.assertEqual((found["strange"], found["wide"], found["hit"]), ([], [], None))

    def test_the_name_of_a_user_is_shown_as_text(self):
        for name in [HOSTILE["markup"][:100], HOSTILE["emoji"], HOSTILE["right to left"]]:
            with self.subTest(name):
                self.server.perform("settings", "rename", firstName=name)
                self.wait(lambda: self.text('[data-id="firstName"] .value') == name, "the name")
                self.assertEqual(self.all("#list img, #list script, #inspector img, #inspector script"), [])
                self.assertIsNone(self.js("return window.hit ?? null"))

    def test_a_long_screen_name_in_the_address_is_shortened(self):
        self.expects_failed_requests = True
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/#/{'a' * 20_000}")
        self.wait_for_text("#notice-text", f"“{'a' * 59}…”")
        self.assertEqual(self.text("#title"), f"{'a' * 59}…")

    def test_a_screen_name_in_the_address_is_shown_as_text(self):
        self.expects_failed_requests = True
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/#/%3Cimg%20src=x%20onerror=window.hit=1%3E?q=%3Cb%3E")
        self.wait(lambda: self.text("#notice-text"), "the problem")
        self.assertEqual(self.all("#phone img, #phone b"), [])
        self.assertIsNone(self.js("return window.hit ?? null"))
