"""Takes pictures of the page, to be looked at: `screenshots.py FOLDER`.

Each screen in light and dark, narrow and wide, and what a screen does not show by itself: forms, menus,
errors, an earlier version, a server that is away.
"""

import itertools
import pathlib
import sys

from driving.browser import browser
from driving.page import Page
from driving.server import Server

SIZES = {"320": (320, 640), "375": (375, 812), "tall": (375, 2400), "768": (768, 1024), "1024": (1024, 768), "1440": (1440, 900)}
THEMES = ["light", "dark"]


class Screenshots(Page):
    """Photographs one scene after another into a folder. A scene begins on fresh example data."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.png"):
            old.unlink()
        self.browser = browser()

    def take_all(self):
        for scene, theme in itertools.product(SCENES, THEMES):
            sizes, address, act = SCENES[scene]
            for size in sizes:
                self.server = Server(*OPTIONS.get(scene, [])).start()
                try:
                    self.look(*SIZES[size], theme=theme, motion="reduce")
                    self.open(address)
                    if act:
                        act(self)
                    self.take(f"{scene}-{size}-{theme}")
                finally:
                    self.server.remove()

    def take(self, name):
        self.run_module("""
            await document.fonts.ready;
            const ending = document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity);
            await Promise.all(ending.map((one) => one.finished));
        """)
        self.browser.save_screenshot(str(self.folder / f"{name}.png"))
        print(self.folder / f"{name}.png")

    def perform(self, screen, action, **values):
        """What somebody else does, and the page shows."""
        count = self.js("return document.querySelectorAll('#exchanges li').length")
        self.server.perform(screen, action, **values)
        self.wait(lambda: self.js("return document.querySelectorAll('#exchanges li').length") > count, "the event")

    def rename(self):
        self.perform("settings", "rename", firstName="Chloé", familyName="Marchand")

    def weigh(self):
        self.perform("deliveries", "reschedule", delivery="7556-1", day="2018-07-13")
        self.perform("deliveries", "weigh", delivery="7561-1", kilograms=4320)

    def load_more(self):
        self.js("arguments[0].click()", self.one('.footer[data-type="more"] .row'))
        self.wait(lambda: len(self.all('[data-type="post"]')) > 20, "more posts")

    def search(self):
        for letter in "mont":
            self.one("#query input[type=search]").send_keys(letter)
        self.wait(lambda: "q=mont&" in self.text("#exchanges li:first-child .path"), "the last letter")
        self.wait_for_state("live")

    def open_album(self):
        title = self.text("#title")
        self.js("arguments[0].click()", self.one('[data-type="album"] a'))
        self.wait(lambda: self.text("#title") != title, "the album")

    def turn_on(self):
        self.js("arguments[0].click()", self.cell("power").find_element("css selector", "button"))
        self.wait(lambda: self.all('[data-type="network"]'), "networks")

    def join(self):
        if not self.all('[data-type="network"]'):
            self.turn_on()
        self.perform("wifi", "join", network="grange", password="12345678")

    def turn_off(self):
        self.perform("wifi", "toggle", on=False)
        self.wait(lambda: not self.all('[data-type="network"]'), "networks to go")

    def fail(self):
        self.wait(lambda: self.all('[data-type="failure"]'), "the failure")

    def ask_for_day(self):
        self.js("arguments[0].click()", self.one(".cell[data-id='schedule'] button"))

    def ask_wrongly(self):
        self.ask_for_day()
        self.one("#sheet input[type=number]").send_keys("90000")
        self.one("#sheet .done").click()
        self.wait(lambda: self.text("#sheet .error").strip(), "the error")

    def choose(self):
        self.js("arguments[0].click()", self.cell("7556-1").find_element("css selector", ".more"))

    def go_back(self):
        self.weigh()
        self.one("#older").click()
        self.wait(lambda: self.one("#notice").is_displayed(), "an earlier version")

    def lose(self):
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.js("arguments[0].click()", self.cell("connect").find_element("css selector", "button"))
        self.wait_for_text("#notice-text", " ")

    def inspect(self):
        self.weigh()
        self.one('#panes [value="inspector"]').click()


# Nothing listens there.
OPTIONS = {"failure": ["--posts-upstream", "http://127.0.0.1:9"]}
ALL, NARROW = list(SIZES), ["320", "375"]
# Name: where it is taken, the address, and what happens there first.
SCENES = {
    "settings": (ALL, "settings", Screenshots.rename),
    "deliveries": (ALL, "deliveries", Screenshots.weigh),
    "posts": (ALL, "posts", Screenshots.load_more),
    "mountains": (ALL, "mountains", Screenshots.search),
    "artist": (ALL, "artist", None),
    "wifi": (ALL, "wifi", Screenshots.join),
    "off": (["375"], "wifi", Screenshots.turn_off),
    "failure": (["375"], "posts", Screenshots.fail),
    "album": (["375", "1440"], "artist", Screenshots.open_album),
    "french": (["320", "1440"], "deliveries?locale=fr", Screenshots.weigh),
    "form": (["375", "1440"], "deliveries", Screenshots.ask_wrongly),
    "menu": (["375", "1440"], "deliveries", Screenshots.choose),
    "earlier": (["1440"], "deliveries", Screenshots.go_back),
    "away": (["375", "1440"], "settings", Screenshots.lose),
    "inspector": (NARROW, "deliveries", Screenshots.inspect),
    "large": (["1440"], "deliveries?contract=240500-000", None),
}

if __name__ == "__main__":
    Screenshots(sys.argv[1]).take_all()
