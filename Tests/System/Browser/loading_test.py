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
