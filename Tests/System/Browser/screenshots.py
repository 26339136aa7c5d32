"""Takes screenshots of the page: `screenshots.py FOLDER [SCENE…]`.

The screenshots show each screen in light and dark mode, in narrow and wide windows. They also show forms, menus, errors, an earlier
version, and an unreachable server. For each kind of change, a strip of frames shows its animation.
"""

import itertools
import pathlib
import sys

from driving.browser import browser
from driving.page import Page, script
from serving import Server

SIZES = {"320": (320, 640), "390": (390, 844), "1024": (1024, 768), "1440": (1440, 900)}
THEMES = ["light", "dark"]


class Screenshots(Page):
    """Takes screenshots of scenes, one after another, and stores them in a folder. Each scene starts with fresh example data."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.png"):
            old.unlink()
        self.browser = browser()

    def take_all(self, scenes):
        for scene, theme in itertools.product(scenes, THEMES):
            sizes, address, act = SCENES[scene]
            for size in sizes:
                self.server = Server(*OPTIONS.get(scene, [])).start()
                try:
                    self.look(*SIZES[size], theme=theme, motion="reduce")
                    self.open_whole(address)
                    if act:
                        act(self)
                    self.take(f"{scene}-{size}-{theme}")
                finally:
                    self.server.remove()

    def take_strips(self):
        """Takes a screenshot of each kind of change. It shows six frames of the animation side by side."""
        self.server = Server().start()
        try:
            for theme, (name, stages) in itertools.product(THEMES, STAGES.items()):
                self.look(width=1500, height=620, theme=theme)
                self.open("settings")
                self.run_module(STRIP, stages, FRAMES)
                self.browser.save_screenshot(str(self.folder / f"change-{name}-{theme}.png"))
                print(self.folder / f"change-{name}-{theme}.png")
        finally:
            self.server.remove()

    def open_whole(self, address):
        """Opens a view and waits for the inspector, the edits and all streams."""
        self.open(address)
        self.wait(lambda: self.all("#edits button"), "the edits")
        self.wait_for_phones(self.js("return matchMedia('(min-width: 64rem)').matches ? 2 : 1"))

    def take(self, name):
        self.run_module("""
            await document.fonts.ready;
            const ending = document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity);
            await Promise.all(ending.map((one) => one.finished));
        """)
        self.browser.save_screenshot(str(self.folder / f"{name}.png"))
        print(self.folder / f"{name}.png")

    def perform(self, screen, action, **values):
        """Performs an action as another client, and waits until the page shows the change."""
        count = self.js("return document.querySelectorAll('#exchanges li').length")
        self.server.perform(screen, action, **values)
        self.wait(lambda: self.js("return document.querySelectorAll('#exchanges li').length") > count, "the event")

    def rename(self):
        self.perform("settings", "rename", firstName="Chloé", familyName="Marchand")

    def weigh(self):
        self.perform("deliveries", "reschedule", delivery="7556-1", day="2018-07-13")
        self.perform("deliveries", "weigh", delivery="7561-1", kilograms=4320)

    def load_more(self):
        self.js("arguments[0].click()", self.one('#list [data-type="more"] .row'))
        self.wait(lambda: len(self.all('[data-type="post"]')) > 20, "more posts")

    def search(self):
        self.one("#query input[type=search]").send_keys("mont")
        self.wait(lambda: 0 < len(self.all("#list .cell")) < 50, "the results")

    def open_album(self):
        title = self.text("#title")
        self.js("arguments[0].click()", self.one('#list [data-type="album"] a'))
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
        self.wait(lambda: self.all("#sheet .destructive"), "the choices")

    def ask_whether(self):
        self.choose()
        self.one("#sheet .destructive").click()
        self.wait(lambda: self.all("#sheet .done.destructive"), "the question")

    def go_back(self):
        self.weigh()
        self.js("document.getElementById('older').click()")
        self.wait(lambda: self.one("#notice").is_displayed(), "an earlier version")

    def lose(self):
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.js("arguments[0].click()", self.cell("connect").find_element("css selector", "button"))
        self.wait_for_text("#notice-text", " ")

    def inspect(self):
        self.weigh()
        if self.one("#panes").is_displayed():
            self.one('#panes [value="inspector"]').click()
        self.js("for (const fold of document.querySelectorAll('.fold')) fold.open = true")
        self.wait(lambda: self.text(".swift").strip(), "the code")
        self.js("document.querySelector('#explanation .line').focus()")

    def enlarge(self):
        self.js("document.querySelector('#list').scrollIntoView()")


# No server listens on this port.
OPTIONS = {"failure": ["--posts-upstream", "http://127.0.0.1:9"]}
ALL, TWO = list(SIZES), ["390", "1440"]
SIZES["400 percent"] = (320, 180)
# The scenes by name. Each has its window sizes, its address, and a function that is called before the screenshot.
SCENES = {
    "settings": (ALL, "settings", Screenshots.rename),
    "deliveries": (ALL, "deliveries", Screenshots.weigh),
    "posts": (ALL, "posts", Screenshots.load_more),
    "mountains": (ALL, "mountains", Screenshots.search),
    "artist": (ALL, "artist", None),
    "wifi": (ALL, "wifi", Screenshots.join),
    "off": (["390"], "wifi", Screenshots.turn_off),
    "failure": (["390"], "posts", Screenshots.fail),
    "album": (TWO, "artist", Screenshots.open_album),
    "french": (["320", "1440"], "deliveries?locale=fr", Screenshots.weigh),
    "form": (TWO, "deliveries", Screenshots.ask_wrongly),
    "menu": (TWO, "deliveries", Screenshots.choose),
    "question": (TWO, "deliveries", Screenshots.ask_whether),
    "earlier": (TWO, "deliveries", Screenshots.go_back),
    "away": (TWO, "settings", Screenshots.lose),
    "inspector": (ALL, "deliveries", Screenshots.inspect),
    "large": (["1440"], "deliveries?contract=240500-000", None),
    "enlarged": (["400 percent"], "deliveries", Screenshots.enlarge),
}

# The operations of each kind of change, and the times of the frames in milliseconds.
STAGES = {
    "insert": [{"insertCells": [{"at": [0, 1], "cells": [{"id": "9", "type": "row", "title": "Inserted"}]}]}],
    "delete": [{"deleteCells": [[0, 1, 2]]}],
    "move": [{"moveCells": [[0, 0, 0, 3, 1]]}],
    "update": [{"updateCells": [{"at": [0, 1], "cell": {"id": "2", "type": "row", "title": "Cell 2", "value": "updated"}}]}],
    "move-across": [{"moveCells": [[0, 1, 1, 1, 1]]}],
    "section-in": [{"insertSections": [{"at": 1, "section": {
        "id": "n", "header": {"type": "h", "title": "New"}, "cells": [{"id": "9", "type": "row", "title": "Inserted"}]}}]}],
    "section-out": [{"moveCells": [[0, 0, 1, 0, 2]]}, {"deleteSections": [0]}],
    "section-move": [{"moveSections": [[1, 0]]}],
    "several-at-once": [
        {"updateCells": [{"at": [0, 3], "cell": {"id": "4", "type": "row", "title": "Cell 4", "value": "updated"}}]},
        {"deleteCells": [[0, 0, 1]], "insertCells": [{"at": [1, 0], "cells": [{"id": "9", "type": "row", "title": "Inserted"}]}],
         "moveCells": [[0, 3, 1, 1, 1]]},
    ],
}
FRAMES = [0, 60, 140, 240, 360, 600]

# Each frame is a separate list. Its animations are stopped at the time of the frame.
STRIP = f"""{script("stage.js")}
    const [stages, frames] = given;
    document.body.replaceChildren();
    Object.assign(document.body.style, {{ display: 'grid', gridTemplate: `1fr / repeat(${{frames.length}}, 1fr)`, gap: '1rem', padding: '1rem' }});
    const body = document.body;
    for (const time of frames) {{
      const frame = document.createElement('div');
      body.append(frame);
      const stage = new Stage(560, frame);
      const header = (title) => ({{ header: {{ type: 'h', title }} }});
      await stage.snapshot([section('a', ['1', '2', '3', '4'], header('A')), section('b', ['5', '6'], header('B'))]);
      stage.change(...stages);
      for (const animation of document.getAnimations()) {{
        if (!frame.contains(animation.effect.target)) continue;
        animation.pause();
        animation.currentTime = time;
      }}
    }}
"""

if __name__ == "__main__":
    folder, *named = sys.argv[1:]
    screenshots = Screenshots(folder)
    screenshots.take_all([scene for scene in SCENES if not named or scene in named])
    if not named or "strips" in named:
        screenshots.take_strips()
