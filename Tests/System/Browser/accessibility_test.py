"""Tests that each screen is readable and operable."""

import os
import pathlib

from driving.browser import BrowserTest
from driving.page import script
from selenium.webdriver.common.keys import Keys

CONTRAST = script("accessibility.js")
CONTROLS = {"button", "link", "switch", "textbox", "searchbox", "combobox", "radio", "spinbutton", "slider", "checkbox", "Date"}

# The controls that the Tab key reaches. A group of radio buttons is one stop.
REACHABLE = """[...document.querySelectorAll('a[href], button:enabled, input:enabled, select:enabled')].filter((node) => (
    node.checkVisibility() && !node.closest('[inert]') && (node.type !== 'radio' || node.checked)
))"""


class AccessibilityTest(BrowserTest):
    """Tests of each screen, in light and dark mode."""

    def screens(self):
        for screen in self.server.get("/screens")["screens"]:
            for theme in ["light", "dark"]:
                with self.subTest(screen["name"], theme=theme):
                    self.look(theme=theme)
                    self.open(screen["name"])
                    yield screen

    def nodes(self):
        """Yields the role, the name and the properties of each node of the accessibility tree. Ignored nodes are omitted."""
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        for node in tree:
            if not node.get("ignored"):
                properties = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
                yield node["role"]["value"], node.get("name", {}).get("value", ""), properties

    def test_every_text_has_enough_contrast(self):
        for _ in self.screens():
            # The contrast is measured when no animation runs, because animations change colours and opacities.
            found = self.wait(lambda: self.js(f"{CONTRAST} return isAtRest() ? [faults()] : [];"), "the animations to end")
            self.assertEqual(found, [[]])

    def test_every_control_has_a_name(self):
        for _ in self.screens():
            nameless = [role for role, name, _ in self.nodes() if role in CONTROLS and not name.strip()]
            self.assertEqual(nameless, [])

    def test_the_accessibility_tree_of_a_screen_has_a_list_under_headings(self):
        for screen in self.screens():
            nodes = list(self.nodes())
            headings = [(name, properties.get("level")) for role, name, properties in nodes if role == "heading"]
            snapshot = self.server.get(f"/screens/{screen['name']}?locale=en")
            self.assertIn((snapshot["title"], 1), headings)
            roles = [role for role, _, _ in nodes]
            for role in ["main", "navigation", "complementary", "list", "listitem"]:
                self.assertIn(role, roles)

    def test_the_tab_key_reaches_every_control_and_shows_the_focus(self):
        self.open("settings")
        wanted = self.js(f"return {REACHABLE}.length")
        self.js("document.activeElement.blur(); window.reached = new Set()")
        for _ in range(wanted + 12):
            self.press_tab()
            outline = self.js("const node = document.activeElement; if (node === document.body) return null; reached.add(node);"
                              "const shown = node.type === 'radio' ? node.nextElementSibling : node;"
                              "return getComputedStyle(shown).outlineStyle")
            self.assertNotEqual(outline, "none", self.js("return document.activeElement.outerHTML"))
        self.assertEqual(self.js(f"return {REACHABLE}.filter((node) => !reached.has(node)).map((node) => node.outerHTML)"), [])

    def violations(self):
        """Returns the rules of axe that are broken, each with the first element that breaks it."""
        self.js(pathlib.Path(os.environ["AXE"]).read_text())
        return self.run_module("""
            // Contrasts have a test of their own, which knows colours that are mixed. `off` is a value of `autocomplete` for every
            // input by now, and Safari takes a list without bullets for none unless its role says so.
            const rules = Object.fromEntries(['color-contrast', 'autocomplete-valid', 'aria-allowed-role'].map((id) => [id, { enabled: false }]));
            const { violations } = await axe.run(document, { resultTypes: ['violations'], rules });
            return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} (${nodes.length})`);
        """)

    def test_each_screen_follows_the_rules_of_axe(self):
        found = {}
        for screen in self.screens():
            found[screen["name"]] = self.violations()
        self.assertEqual({name: broken for name, broken in found.items() if broken}, {})

    def test_two_phones_with_a_sheet_and_the_open_inspector_follow_the_rules_of_axe(self):
        self.look(width=1440)
        self.open("settings")
        self.wait(lambda: len(self.all(".device")) == 2, "two phones")
        self.js("for (const fold of document.querySelectorAll('details')) fold.open = true")
        self.wait(lambda: self.all("#code .open"), "the code")
        self.assertEqual(self.violations(), [])
        self.press("firstName")
        self.one("#sheet input")
        self.assertEqual(self.violations(), [])

    def test_the_first_link_that_the_tab_key_reaches_skips_to_the_list(self):
        self.open("settings")
        self.js("document.activeElement.blur()")
        self.press_tab()
        self.assertEqual(self.js("return document.activeElement.id"), "skip")
        self.assertGreater(self.js("return document.activeElement.getBoundingClientRect().height"), 20)
        self.one("#skip").click()
        self.assertEqual(self.js("return document.activeElement.id"), "list")
        self.assertIn("#/settings", self.browser.current_url)

    def press_tab(self):
        for kind in ["keyDown", "keyUp"]:
            key = {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
            self.browser.execute_cdp_cmd("Input.dispatchKeyEvent", key)

    def test_phones_and_their_buttons_are_named_and_lists_have_no_landmarks(self):
        self.look(width=1440)
        self.open("deliveries?contract=240500-000")
        self.wait(lambda: len(self.all(".phone")) == 2, "the second phone")
        found = [(role, name) for role, name, _ in self.nodes()]
        self.assertEqual([name for role, name in found if role == "group" and name.startswith("Phone")], ["Phone 1", "Phone 2"])
        self.assertEqual(sorted(name for _, name in found if name.startswith("Pause")), ["Pause changes, Phone 1", "Pause changes, Phone 2"])
        self.assertLess(len([role for role, _ in found if role == "region"]), 5)
        requests = [name for _, name in found if "GET " in name and "snapshot" in name]
        self.assertTrue(requests)
        for name in requests:
            self.assertRegex(name, r"^GET /screens/\S+ snapshot → ", "the parts of a name are apart")

    def test_every_group_has_a_name(self):
        for _ in self.screens():
            self.js("for (const fold of document.querySelectorAll('details')) fold.open = true")
            self.wait(lambda: self.all("#code .open") and self.all("#use input"), "the content of the folds")
            self.assertEqual([role for role, name, _ in self.nodes() if role in {"group", "region", "Details"} and not name.strip()], [])

    def test_each_landmark_and_the_chart_have_a_name_of_their_own(self):
        self.look(width=1440)
        self.open("deliveries")
        self.wait_for_phones(2)
        found = [(role, name) for role, name, _ in self.nodes()]
        landmarks = [name for role, name in found if role in {"main", "navigation", "complementary", "region", "form"}]
        self.assertEqual(len(landmarks), len(set(landmarks)), landmarks)
        self.assertTrue(all(name for role, name in found if role == "figure"))
        levels = [properties["level"] for role, name, properties in self.nodes() if role == "heading" and name == self.text("#title")]
        self.assertEqual(levels, [1, 2], "the second phone is below the first")

    def test_the_pause_button_keeps_its_name_while_it_is_pressed(self):
        self.open("settings")
        self.one("#pause").click()
        self.assertIn(("button", "Pause changes, Phone 1", "true"), [
            (role, name, properties.get("pressed")) for role, name, properties in self.nodes()])

    def test_the_edges_of_controls_and_bars_have_enough_contrast(self):
        edges = """
            return arguments[0].flatMap(([selector, property, thumb]) => [...document.querySelectorAll(selector)].map((node) => {
              const edge = over(colour(getComputedStyle(node)[property]), backdrop(node.parentElement));
              const others = [backdrop(node.parentElement), ...(thumb ? [colour(getComputedStyle(node, thumb).backgroundColor)] : [])];
              return [selector, Math.min(...others.map((other) => contrast(edge, other)))];
            }));
        """
        for theme in ["light", "dark"]:
            self.look(theme=theme)
            for screen, parts in [
                ("wifi", [["#list .cell:not(.on) .knob", "backgroundColor", "::after"]]),
                ("mountains", [["#query input[type=search]", "borderTopColor"]]),
                ("deliveries", [["#parameters :is(input, select)", "borderTopColor"], [".ratio .whole", "backgroundColor"]]),
            ]:
                self.open(screen)
                if screen == "wifi" and not self.all("#list .cell:not(.on) .knob"):
                    self.one("#list .knob").click()
                    self.one("#list .cell:not(.on) .knob")
                self.wait(lambda: self.js(f"{CONTRAST} return isAtRest();"), "the animations to end")
                found = self.js(CONTRAST + edges, parts)
                self.assertGreaterEqual(len(found), len(parts))
                self.assertEqual([one for one in found if one[1] < 3], [], theme)


class FocusTest(BrowserTest):
    """Tests that the focus is visible, and that it follows the user."""

    def press_tab(self, modifiers=0):
        for kind in ["keyDown", "keyUp"]:
            key = {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": modifiers}
            self.browser.execute_cdp_cmd("Input.dispatchKeyEvent", key)

    def focused(self):
        """Returns the part of the focus that is visible: its height, without what notices and the buttons of the panes cover."""
        return self.js("""
            const node = document.activeElement;
            const { top, bottom } = node.getBoundingClientRect();
            const scroll = document.getElementById('scroll');
            const frame = getComputedStyle(scroll).overflowY === 'auto' ? scroll.getBoundingClientRect() : { top: 0, bottom: innerHeight };
            const covers = [...document.querySelectorAll('#notice, #panes')].filter((one) => one.checkVisibility());
            const end = Math.min(frame.bottom, ...covers.map((one) => one.getBoundingClientRect().top).filter((edge) => edge > 0));
            return Math.min(bottom, end) - Math.max(top, frame.top);
        """)

    def perform_in_contract(self, action, **values):
        answer = self.server.ask("POST", f"/screens/deliveries/actions/{action}?contract=240500-000", body={"input": values})
        self.assertEqual(answer.status, 200)

    def test_a_link_in_each_phone_skips_its_list(self):
        for width, height in [(1440, 900), (390, 844), (320, 256)]:
            with self.subTest(width=width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                self.wait_for_phones(2 if width == 1440 else 1)
                for phone in range(1, len(self.all(".device")) + 1):
                    self.js("document.querySelector(arguments[0]).focus({ focusVisible: true })", f".device:nth-child({phone}) .pause")
                    self.press_tab()
                    link = self.browser.switch_to.active_element
                    self.assertEqual(link.text, "Skip to Network")
                    self.assertGreater(link.rect["height"], 20)
                    link.send_keys(Keys.ENTER)
                    self.assertEqual(self.js("return document.activeElement.id"), "inspector")
                    self.assertTrue(self.one("#exchanges").is_displayed())
                    self.one("#skip").send_keys(Keys.ENTER)
                    self.assertTrue(self.one("#list").is_displayed(), "the link to the list shows the list again")
                if width < 896:
                    self.assertLessEqual(self.rect("#panes")["bottom"], height, "the buttons of the panes are always in the window")

    def test_the_tab_key_follows_the_visible_order_in_a_narrow_window(self):
        self.look(width=390, height=844)
        self.open("posts")
        self.wait(lambda: self.all("#edits .edit"), "the edits")
        self.js("document.activeElement.blur(); document.getElementById('skip').focus()")
        places = {"locales": [], "screens": [], "parameters": [], "devices": [], "edits": [], "panes": []}
        for index in range(300):
            self.press_tab()
            place = self.js("return document.activeElement.closest(arguments[0])?.id", ", ".join(f"#{name}" for name in places))
            if place:
                places[place].append(index)
            if place == "panes":
                break
        names = list(places)
        for earlier, later in zip(names, names[1:]):
            self.assertLess(max(places[earlier]), min(places[later]), (earlier, later))
