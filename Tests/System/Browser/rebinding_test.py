"""Tests of DNS rebinding. The host name of a foreign site resolves to this machine, so the browser treats the server as a part of the
foreign site."""

from driving.browser import BrowserTest


class DNSRebindingTest(BrowserTest):
    """Tests that a foreign page can read no data and perform no actions."""

    # Each request is rejected with 421.
    expects_failed_requests = True

    def setUp(self):
        super().setUp()
        # A foreign page would not have the content security policy of this server, so the policy is disabled.
        self.browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.setBypassCSP", {"enabled": False})
        self.browser.get(f"http://evil.example:{self.server.port}/")
        self.assertEqual(self.js("return location.hostname"), "evil.example")

    def ask(self, path, body=None):
        """Returns the status and the text of a response."""
        return self.run_module("""
            const [path, body] = given;
            const options = body && { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
            const response = await fetch(path, options ?? {});
            return [response.status, await response.text()];
        """, path, body)

    def assert_rejected(self, path, body=None):
        status, text = self.ask(path, body)
        self.assertEqual(status, 421, f"{path} {text}")
        self.assertIn("urn:relist:problem:misdirected", text)

    def test_requests_from_a_page_of_another_host_are_rejected(self):
        for path in ["/", "/page.js", "/screens", "/screens/settings", "/screens/settings/changes", "/openapi.json", "/healthz", "/metrics"]:
            self.assert_rejected(path)
        self.assert_rejected("/screens/settings/actions/rename", '{"input":{"firstName":"Pwned"}}')
        self.assertNotIn("Pwned", str(self.server.get("/screens/settings")))

    def test_a_stream_requested_by_a_page_of_another_host_is_rejected(self):
        state = self.run_module("""
            const source = new EventSource('/screens/mountains/changes');
            return await new Promise((resolve) => {
                source.addEventListener('snapshot', () => resolve('open'));
                source.onerror = () => resolve(source.readyState === EventSource.CLOSED ? 'refused' : 'lost');
            });
        """)
        self.assertEqual(state, "refused")
