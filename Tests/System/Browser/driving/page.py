"""A page in the browser, and what one looks at it for."""

import os
import pathlib

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SCRIPTS = pathlib.Path(__file__).resolve().parent
# Who waits in vain fails after this many seconds; nobody waits for a time.
PATIENCE = int(os.environ.get("PATIENCE", "60"))


def script(name):
    return (SCRIPTS / name).read_text()


class Page:
    """Has a `browser` and a `server`."""

    def look(self, width=1000, height=900, theme="light", motion="no-preference"):
        """The window, and what the user prefers. There are two phones from 1,024 on."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": motion}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, address, is_live=True):
        """Opens a screen, and waits until it is there and its stream is open."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/#/{address}")
        self.wait(lambda: self.all("#list .cell, #list .footer"), f"{address} to be shown")
        self.wait(lambda: self.all("#exchanges li"), "what is around the phone")
        if is_live:
            self.wait_for_state("live")

    def wait(self, condition, what):
        """Returns what the condition gives in the end."""
        return WebDriverWait(self.browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition(), f"waited in vain for {what}")

    def wait_for_state(self, state):
        self.wait(lambda: self.one("#connection").get_attribute("data-state") == state, f"the page to be {state}")

    def wait_for_text(self, selector, text):
        self.wait(lambda: text in self.text(selector), f"“{text}” in {selector}")

    def one(self, selector):
        """The first that there is, once there is one: parts of the page are loaded when they are needed."""
        return self.wait(lambda: self.all(selector)[:1], selector)[0]

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Of all that there are, as it stands in the document; empty where there are none."""
        return "\n".join(self.texts(selector))

    def texts(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)", selector)

    def cell(self, identifier):
        return self.one(f'#list .cell[data-id="{identifier}"]')

    def ids(self):
        """Of the cells, section by section."""
        return self.js("return [...document.querySelectorAll('#list .section')].map((section) => "
                       "[section.dataset.id, [...section.querySelectorAll('.cell')].map((cell) => cell.dataset.id)])")

    def js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def run_module(self, code, *arguments):
        """Runs code that may await and import the page's modules; answers with what it returns."""
        body = ("const [given, done] = [[...arguments].slice(0, -1), arguments[arguments.length - 1]];"
                f"(async () => {{ {code} }})().then((value) => done({{ value }}), (error) => done({{ error: error.stack }}));")
        outcome = self.browser.execute_async_script(body, *arguments)
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome.get("value")
