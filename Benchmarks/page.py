"""Measures how long the page keeps its thread, with 2,000 cells: `page.py ORIGIN`.

A browser calls a task long from 50 ms on, and says how long it was. Prints one row of the table.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests/BrowserTests"))

from driving.browser import browser  # noqa: E402
from driving.page import Page  # noqa: E402

MOST = 200
LARGE = "deliveries?contract=240500-000"
# Each leads from the list before it: whole, other words in every cell, half of it gone, and back again.
WAYS = [f"{LARGE}&locale=fr", f"{LARGE}&locale=en", f"{LARGE}&from=2018-08-15&locale=en", f"{LARGE}&locale=en"]
WATCH = """
    window.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask', buffered: true });
"""


class Measurement(Page):
    """The page on a server that runs already."""

    def __init__(self, server):
        self.server = server
        self.browser = browser()

    def longest(self):
        """Opens the list, changes it, and answers with the longest task of each step, in milliseconds."""
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        self.look()
        self.open(LARGE)
        return [self.settled(), *[self.go(way) for way in WAYS]]

    def go(self, way):
        path = f"/screens/{way}".replace("?", "/changes?")
        count = self.text("#exchanges .path").count(path)
        self.js("location.hash = arguments[0]", f"#/{way}")
        self.wait(lambda: self.text("#exchanges .path").count(path) > count, "the changes")
        self.wait_for_state("live")
        return self.settled()

    def settled(self):
        """The longest task until all rows are filled, nothing moves and the thread is idle."""
        self.wait(lambda: not self.js("return document.querySelector('#list .cell:empty')"), "all rows to be filled")
        return self.run_module("""
            await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
            await new Promise((resolve) => { requestIdleCallback(resolve); });
            return Math.max(0, ...tasks.splice(0));
        """)


class Running:
    """A server that somebody else started."""

    def __init__(self, origin):
        self.origin = origin


if __name__ == "__main__":
    longest = Measurement(Running(sys.argv[1])).longest()
    what = "page, 2,000 cells shown, all changed, halved: longest task"
    found = f"{max(longest):.0f} ms ({', '.join(f'{one:.0f}' for one in longest)})"
    print(f"{what:<62}{found:<50}{f'<= {MOST} ms':<11}{'holds' if max(longest) <= MOST else 'missed'}")
