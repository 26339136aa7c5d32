"""Measures the page in a browser: `page.py ORIGIN`.

The first measurement is the duration of the longest task of the page with 2,000 cells. A browser reports tasks of 50 ms or more.
The second measurement is on a network with a latency of 150 ms and 1.6 Mbit/s. It is the time until the first list is shown, and the layout
shift during this time. Each measurement prints one row of the table.
"""

import sys

from driving.browser import browser
from driving.page import Page

MOST = 100
# The maximum milliseconds until the first list is shown, and the maximum cumulative layout shift (web.dev).
MOST_FIRST, MOST_SHIFT = 2000, 0.02
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
FAST = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
LARGE = "deliveries?contract=240500-000"
# The steps of the list: all cells in French, all cells in English, half of the cells deleted, and all cells again.
WAYS = [f"{LARGE}&locale=fr", f"{LARGE}&locale=en", f"{LARGE}&from=2018-08-15&locale=en", f"{LARGE}&locale=en"]
WATCH = """
    window.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
        .observe({ type: 'longtask', buffered: true });
"""


FIRST = """
    window.shift = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value; })
        .observe({ type: 'layout-shift', buffered: true });
    new MutationObserver((_, observer) => {
        if (!document.querySelector('#list .cell')) return;
        observer.disconnect();
        requestAnimationFrame(() => requestAnimationFrame(() => { window.first = performance.now(); }));
    }).observe(document, { childList: true, subtree: true });
"""


class Measurement(Page):
    """A page of a running server, which is measured in a browser."""

    def __init__(self, server):
        self.server = server
        self.browser = browser()

    def longest(self):
        """Opens the list, changes it in steps, and returns the longest task of each step in milliseconds."""
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        self.look()
        self.open(LARGE)
        return [self.settled(), *[self.go(way) for way in WAYS]]

    def first(self):
        """Returns the milliseconds until the first list is shown, and the layout shift. The network is slow, and nothing is cached."""
        for command, arguments in [("enable", {}), ("setCacheDisabled", {"cacheDisabled": True}), ("emulateNetworkConditions", SLOW)]:
            self.browser.execute_cdp_cmd(f"Network.{command}", arguments)
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FIRST})
        found = []
        for width in [390, 1440]:
            self.look(width=width, height=900)
            self.open("deliveries")
            found.append(self.js("return [window.first, window.shift]"))
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", FAST)
        return [max(values) for values in zip(*found)]

    def go(self, way):
        path = f"/screens/{way}".replace("?", "/changes?")
        count = self.text("#exchanges .path").count(path)
        self.js("location.hash = arguments[0]", f"#/{way}")
        self.wait(lambda: self.text("#exchanges .path").count(path) > count, "the changes")
        self.wait_for_state("live")
        return self.settled()

    def settled(self):
        """Waits until all rows are filled, nothing moves and the thread is idle. Returns the duration of the longest task until this
        moment."""
        self.wait(lambda: not self.js("return document.querySelector('#list .cell:empty')"), "all rows to be filled")
        return self.run_module("""
            await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})));
            await new Promise((resolve) => { requestIdleCallback(resolve); });
            return Math.max(0, ...tasks.splice(0));
        """)


class Running:
    """A server that the caller started."""

    def __init__(self, origin):
        self.origin = origin


def row(what, found, most, holds):
    print(f"{what:<62}{found:<50}{most:<11}{'holds' if holds else 'missed'}")


if __name__ == "__main__":
    page = Measurement(Running(sys.argv[1]))
    longest = page.longest()
    each = ", ".join(f"{one:.0f}" for one in longest)
    row("page, 2,000 cells shown, all changed, halved: longest task", f"{max(longest):.0f} ms ({each})", f"<= {MOST} ms", max(longest) <= MOST)
    first, shift = page.first()
    row("page, first list under 150 ms and 1.6 Mbit/s", f"{first / 1000:.1f} s", f"<= {MOST_FIRST / 1000:.0f} s", first <= MOST_FIRST)
    row("page, layout shift meanwhile", f"{shift:.3f}", f"< {MOST_SHIFT}", shift < MOST_SHIFT)
