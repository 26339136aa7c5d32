"""A page in the browser."""

import os
import pathlib

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SCRIPTS = pathlib.Path(__file__).resolve().parent
# The time in seconds after which waiting for a condition fails.
TIMEOUT = int(os.environ.get("TIMEOUT", "60"))


def script(name):
    return (SCRIPTS / name).read_text()


class Page:
    """Functions that query a page and wait for it. A subclass provides a `browser` and a `server`."""

    def look(self, width=1000, height=900, theme="light", motion="no-preference"):
        """Sets the size of the window and the user's preferences. The page shows two phones if the width is at least 1,024."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": motion}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, address, is_live=True):
        """Opens a view, and waits until the view is shown and the stream of the view is open."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/#/{address}")
        self.wait(lambda: self.all("#list .cell, #list .footer"), f"{address} to be shown")
        self.wait(lambda: self.all("#exchanges li"), "the inspector")
        if is_live:
            self.wait_for_state("live")

    def wait(self, condition, what):
        """Waits for a condition and returns its value."""
        return WebDriverWait(self.browser, TIMEOUT, poll_frequency=0.05).until(lambda _: condition(), f"timed out waiting for {what}")

    def wait_for_state(self, state):
        self.wait(lambda: self.one("#connection").get_attribute("data-state") == state, f"the page to be {state}")

    def wait_for_text(self, selector, text):
        self.wait(lambda: text in self.text(selector), f"“{text}” in {selector}")

    def one(self, selector):
        """Waits for an element and returns the first that matches."""
        return self.wait(lambda: self.all(selector)[:1], selector)[0]

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """Returns the text content of all matching elements. The result is empty if no element matches."""
        return "\n".join(self.texts(selector))

    def texts(self, selector):
        return self.js("return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)", selector)

    def rect(self, selector):
        return self.js("const { left, top, right, bottom, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();"
                       "return { left, top, right, bottom, width, height };", selector)

    def cell(self, identifier):
        return self.one(f'#list .cell[data-id="{identifier}"]')

    def ids(self):
        """Returns the ids of the cells, by section."""
        return self.js("return [...document.querySelectorAll('#list .section')].map((section) => "
                       "[section.dataset.id, [...section.querySelectorAll('.cell')].map((cell) => cell.dataset.id)])")

    def js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def run_module(self, code, *arguments):
        """Runs code that may await and import modules of the page, and returns its result."""
        body = ("const [given, done] = [[...arguments].slice(0, -1), arguments[arguments.length - 1]];"
                f"(async () => {{ {code} }})().then((value) => done({{ value }}), (error) => done({{ error: error.stack }}));")
        outcome = self.browser.execute_async_script(body, *arguments)
        if "error" in outcome:
            raise AssertionError(outcome["error"])
        return outcome.get("value")

    def press(self, identifier, selector="button"):
        """Clicks a button of a cell."""
        self.cell(identifier).find_element(By.CSS_SELECTOR, selector).click()

    def wait_until_sheet_closes(self):
        self.wait(lambda: not self.all("#sheet:not([hidden])"), "the sheet to close")

    def wait_for_phones(self, count):
        live = "return [...document.querySelectorAll('.connection')].map(({ dataset }) => dataset.state === 'live')"
        self.wait(lambda: self.js(live) == [True] * count, f"{count} live phones")

    def perform_edit(self, title):
        """Performs a prepared edit of the shown screen."""
        self.js("[...document.querySelectorAll('#edits .edit')].find((edit) => edit.textContent === arguments[0]).click()", title)

    def rename(self, name):
        """Changes the name in the settings as another client, and waits until the page shows the new name."""
        self.server.perform("settings", "rename", firstName=name)
        self.wait_for_text('[data-id="firstName"] .value', name)
