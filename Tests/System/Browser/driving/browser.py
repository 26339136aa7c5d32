"""The browser that all tests share."""

import atexit
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from serving import Server

from .page import PATIENCE, Page

_browser = None


def browser():
    """Started once, and quit at the end."""
    global _browser
    if _browser is None:
        options = Options()
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en"]:
            options.add_argument(argument)
        # The name of a stranger, which leads to this machine.
        options.add_argument("--host-resolver-rules=MAP evil.example 127.0.0.1")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        _browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        _browser.set_script_timeout(PATIENCE)
        atexit.register(_browser.quit)
    return _browser


class BrowserTest(Page, unittest.TestCase):
    """A test of the page on a server of its class's own."""

    # What the console may say in a test in which the server is away.
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
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.look()

    def tearDown(self):
        said = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        if self.expects_failed_requests:
            said = [message for message in said if "Failed to load resource" not in message and "net::ERR" not in message]
        self.assertEqual(said, [], "the console complains")
