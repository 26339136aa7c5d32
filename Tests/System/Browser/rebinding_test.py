"""A page of a stranger, whose name leads to this machine: DNS rebinding. For the browser it is of the same origin as the server."""

from driving.browser import BrowserTest
from serving import Server


class RebindingTest(BrowserTest):
    """The stranger's page reads nothing, and nothing that it sends is done."""

    # Each is refused with 421.
    expects_failed_requests = True
    options = ()

    @classmethod
    def start_server(cls):
        return Server(*cls.options).start()

    def setUp(self):
        super().setUp()
        # The stranger's page says itself what it may load.
        self.browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.setBypassCSP", {"enabled": False})
        self.browser.get(f"http://evil.example:{self.server.port}/")
        self.assertEqual(self.js("return location.hostname"), "evil.example")

    def ask(self, path, body=None):
        """The status and the text of what the page gets."""
        return self.run_module("""
            const [path, body] = given;
            const options = body && { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
            const response = await fetch(path, options ?? {});
            return [response.status, await response.text()];
        """, path, body)

    def assert_refused(self, path, body=None):
        status, text = self.ask(path, body)
        self.assertEqual(status, 421, f"{path} {text}")
        self.assertIn("urn:relist:problem:misdirected", text)

    def test_documents_files_and_actions_are_refused(self):
        for path in ["/", "/page.js", "/screens", "/screens/settings", "/screens/settings/changes", "/openapi.json", "/healthz", "/metrics"]:
            self.assert_refused(path)
        self.assert_refused("/screens/settings/actions/rename", '{"input":{"firstName":"Pwned"}}')
        self.assertNotIn("Pwned", str(self.server.get("/screens/settings")))

    def test_a_stream_is_refused(self):
        state = self.run_module("""
            const source = new EventSource('/screens/mountains/changes');
            return await new Promise((resolve) => {
                source.addEventListener('snapshot', () => resolve('open'));
                source.onerror = () => resolve(source.readyState === EventSource.CLOSED ? 'refused' : 'lost');
            });
        """)
        self.assertEqual(state, "refused")


class RebindingOfDevelopmentTest(RebindingTest):
    """The same where anyone can sign in."""

    options = ("--authentication", "development")

    def test_documents_files_and_actions_are_refused(self):
        for path in ["/development/users", "/screens", "/screens/mountains"]:
            self.assert_refused(path)
