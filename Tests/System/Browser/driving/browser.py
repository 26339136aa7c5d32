"""The browser that all tests share."""

import atexit
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from serving import Server

from .page import TIMEOUT, Page, script

_browser = None


def browser():
    """Returns the browser. It is started once and closed at the end."""
    global _browser
    if _browser is None:
        options = Options()
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en"]:
            options.add_argument(argument)
        # A foreign host name that resolves to this machine.
        options.add_argument("--host-resolver-rules=MAP evil.example 127.0.0.1")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        _browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        _browser.set_script_timeout(TIMEOUT)
        atexit.register(_browser.quit)
    return _browser


class BrowserTest(Page, unittest.TestCase):
    """A test of the page. All tests of a class share one server."""

    # A test sets this to True if its server is unreachable or rejects requests, because the console logs failed requests.
    expects_failed_requests = False

    @classmethod
    def setUpClass(cls):
        cls.server = cls.start_server()
        cls.addClassCleanup(cls.server.remove)
        cls.browser = browser()

    @classmethod
    def start_server(cls):
        return Server().start()

    def setUp(self):
        # A test that has failed may have left the server stopped.
        if isinstance(self.server, Server) and self.server.process is None:
            self.server.start()
        self.browser.get("about:blank")
        # The page shows whether a list is from the cache.
        self.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
        self.browser.get_log("browser")
        self.look()

    def tearDown(self):
        messages = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        if self.expects_failed_requests:
            messages = [message for message in messages if "Failed to load resource" not in message and "net::ERR" not in message]
        self.assertEqual(messages, [], "errors in the console")


class StageTest(BrowserTest):
    """A test of a list view that the test creates. The list view replaces the page."""

    PRELUDE = ""

    def setUp(self):
        super().setUp()
        # The page must have finished loading before the list view replaces it.
        self.open("settings")

    def on_stage(self, code, *arguments):
        """Runs code as `Page.run_module` does. The code can use `stage`, a new list view."""
        return self.run_module(f"{script('stage.js')} const stage = new Stage(); {self.PRELUDE} {code}", *arguments)
