"""Tests of the files that the page loads before and after its first list."""

from driving.browser import BrowserTest


class LoadingTest(BrowserTest):
    """Tests that the first list needs few files, and that the page is right while later files are missing."""

    def setUp(self):
        super().setUp()
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Network.setCacheDisabled", {"cacheDisabled": False})
        self.addCleanup(self.block)

    def block(self, *files):
        """Makes the requests for files fail. Without a file, all requests succeed again."""
        self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [f"*/{file}" for file in files]})

    def run_before(self, code):
        """Runs code in each document before its own scripts."""
        added = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": code})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", added)

    def test_only_files_that_the_page_names_are_loaded_before_the_first_list(self):
        self.run_before("""
            new MutationObserver((_, observer) => {
              if (!document.querySelector('#list .cell')) return;
              observer.disconnect();
              const named = [...document.querySelectorAll('link, script')].map(({ href, src }) => href ?? src);
              window.others = performance.getEntriesByType('resource').map(({ name }) => name)
                .filter((name) => !new URL(name).pathname.startsWith('/screens') && !named.includes(name));
            }).observe(document, { childList: true, subtree: true });
        """)
        self.open("settings")
        self.assertEqual(self.js("return window.others"), [])

    def test_changes_show_without_the_module_for_animations(self):
        self.expects_failed_requests = True
        self.block("motion.js")
        self.open("settings")
        for name in ["First", "Second"]:
            self.server.perform("settings", "rename", firstName=name)
            self.wait_for_text('[data-id="firstName"] .value', name)
        self.block()
        self.server.perform("settings", "rename", firstName="Third")
        self.wait_for_text('[data-id="firstName"] .value', "Third")
        self.run_module("await import('/relist/render/motion.js')")
        self.server.perform("settings", "rename", firstName="Fourth")
        self.wait(lambda: self.js("return document.getAnimations().some(({ id }) => id === 'update')"), "an animation")

    def test_changes_arrive_without_the_module_for_streams_until_it_can_be_loaded(self):
        self.expects_failed_requests = True
        self.block("connecting.js")
        self.open("settings", is_live=False)
        self.wait_for_state("reconnecting")
        self.server.perform("settings", "rename", firstName="Late")
        self.wait_for_text('[data-id="firstName"] .value', "Late")
        self.assertEqual(self.one("#connection").get_attribute("data-state"), "reconnecting")
        self.block()
        self.wait_for_state("live")

    def test_snapshots_show_without_the_module_for_changesets(self):
        self.expects_failed_requests = True
        self.block("changeset.js")
        self.open("settings", is_live=False)
        self.server.perform("settings", "rename", firstName="Whole")
        self.wait_for_text('[data-id="firstName"] .value', "Whole")
        self.block()
        self.wait_for_state("live")

    def test_the_page_shows_no_english_text_before_the_french_one(self):
        self.run_before("""
            new MutationObserver((_, observer) => {
              if (document.body?.dataset.ready === undefined) return;
              observer.disconnect();
              window.first = document.getElementById('skip').textContent;
            }).observe(document, { attributes: true, childList: true, subtree: true });
        """)
        self.open("settings?locale=fr")
        self.assertEqual(self.js("return window.first"), "Aller à la liste")

    def test_the_page_is_english_if_the_french_texts_cannot_be_loaded(self):
        self.expects_failed_requests = True
        self.block("french.js")
        self.open("settings?locale=fr", is_live=False)
        self.assertEqual(self.text("#skip"), "Skip to the list")
        self.assertEqual(self.text("#title"), "Paramètres")
        self.block()
        self.server.perform("settings", "rename", firstName="Chloé")
        self.wait_for_text("#skip", "Aller à la liste")

    def test_an_action_whose_modules_could_not_be_loaded_is_performed_when_pressed_again(self):
        self.expects_failed_requests = True
        for missing in ["acting/*", "acting/fields.js", "styles/later.css"]:
            with self.subTest(missing):
                self.block(missing)
                self.open("settings")
                self.press("firstName")
                self.wait_for_text("#notice-text", "Can’t reach the server.")
                self.block()
                self.press("firstName")
                self.one("#sheet:not([hidden]) input")
                self.assertFalse(self.one("#notice").is_displayed())

    def open_without(self, *missing):
        """Opens the settings without files of the inspector, and waits until the page says so."""
        self.expects_failed_requests = True
        self.block(*missing)
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/#/settings")
        self.wait(lambda: self.one("#rest").is_displayed(), "the text")
        self.assertIn("The rest of the page could not be loaded.", self.text("#rest [role=alert]"))
        self.wait_for_state("live")
        self.block()

    def test_the_inspector_can_be_loaded_after_it_was_missing(self):
        self.look(width=1440)
        for missing in ["surroundings.js", "inspecting/timeline.js", "styles/inspector.css"]:
            with self.subTest(missing):
                self.open_without(missing)
                self.wait_for_phones(2)
                self.one("#rest button").click()
                self.wait(lambda: len(self.all("#exchanges li")) >= 2, "the first exchanges")
                self.assertEqual(self.all("#rest"), [])

    def test_code_that_could_not_be_loaded_is_shown_with_the_next_change(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.block("using/*", "coding/*")
        for fold in ["#code", "#use", "#lines-fold"]:
            self.js("document.querySelector(arguments[0]).open = true", fold)
            self.wait_for_text(fold, "This could not be loaded.")
        self.block()
        self.rename("Grace")
        self.wait_for_text("#code .swift", "struct Settings")
        for fold in ["#use", "#lines-fold"]:
            self.wait_for_text(f"{fold} .usage .code", "client")
            self.assertNotIn("could not be loaded", self.text(fold))

    def test_a_missing_inspector_is_loaded_with_the_next_change(self):
        self.open_without("surroundings.js")
        self.rename("Ada")
        self.wait_for_text("#exchanges", "EVENT")

    def test_a_missing_inspector_is_loaded_when_the_page_reconnects(self):
        self.open_without("surroundings.js")
        self.js("window.dispatchEvent(new Event('offline')); window.dispatchEvent(new Event('online'))")
        self.one("#exchanges li")

    def test_the_pane_of_a_missing_inspector_can_be_opened(self):
        self.look(width=400)
        self.expects_failed_requests = True
        self.block("surroundings.js")
        self.browser.get(f"{self.server.origin}/#/settings")
        self.wait(lambda: not self.one("#rest").get_property("hidden"), "the text")
        self.one('#panes [value="inspector"]').click()
        self.assertTrue(self.one("#rest").is_displayed())
