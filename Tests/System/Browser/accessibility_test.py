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

    def test_the_link_to_the_list_leaves_an_earlier_version(self):
        self.open("settings")
        self.rename("Skipped")
        self.one("#older").send_keys(Keys.ENTER)
        self.wait_for_state("past")
        self.one("#skip").send_keys(Keys.ENTER)
        self.assertEqual(self.js("return document.activeElement.id"), "list")
        self.wait_for_state("live")

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
        header = self.texts("#list .header .title")[0]
        headers = [properties["level"] for role, name, properties in self.nodes() if role == "heading" and name == header]
        self.assertEqual(headers, [2, 3], "the sections of a phone are below its title")

    def test_english_posts_are_marked_as_english_in_all_languages(self):
        self.open("posts?locale=fr")
        texts = "return [...document.querySelectorAll('#list [data-type=post] .row > *')].map((node) => node.closest('[lang]').lang)"
        self.assertEqual(set(self.js(texts)), {"en"})
        self.assertEqual(self.js("return document.getElementById('title').closest('[lang]').lang"), "fr")

    def test_the_chart_and_the_state_of_the_connection_have_system_colours_if_colours_are_forced(self):
        for theme in ["light", "dark"]:
            self.look(theme=theme)
            self.open("settings")
            features = [{"name": "forced-colors", "value": "active"}, {"name": "prefers-color-scheme", "value": theme}]
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            shown = self.js("""
                const [text, highlight] = ['CanvasText', 'Highlight'].map((color) => {
                  const node = document.body.appendChild(document.createElement('p'));
                  node.style.cssText = `forced-color-adjust: none; color: ${color}`;
                  return getComputedStyle(node).color;
                });
                const [whole, sent] = document.querySelectorAll('.chart polyline');
                const dot = getComputedStyle(document.getElementById('connection'), '::before').backgroundColor;
                return [getComputedStyle(whole).stroke === text, getComputedStyle(sent).stroke === highlight, dot === text];
            """)
            self.assertEqual(shown, [True] * 3, theme)

    def test_a_sheet_is_not_modal_and_the_phone_behind_it_is_inert(self):
        self.look(width=1440)
        self.open("settings")
        self.press("firstName")
        self.one("#sheet input")
        self.assertEqual(self.js("return ['bar', 'scroll', 'notice'].map((id) => document.getElementById(id).inert)"), [True] * 3)
        self.assertEqual([properties.get("modal", False) for role, _, properties in self.nodes() if role == "dialog"], [False])
        self.js("document.querySelector('#sheet .cancel').click()")
        self.assertEqual(self.js("return ['bar', 'scroll', 'notice'].map((id) => document.getElementById(id).inert)"), [False] * 3)

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

    def test_a_notice_never_covers_the_focus(self):
        for width, height in [(390, 844), (320, 256)]:
            with self.subTest(width=width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                # The focus is on the last button that is completely visible.
                self.js("document.getElementById('skip').focus()")
                self.js("document.getElementById('list').focus()")
                self.js("""
                    const all = [...document.querySelectorAll('#list .more')];
                    all[8].scrollIntoView({ block: 'end' });
                    const edge = Math.min(document.getElementById('scroll').getBoundingClientRect().bottom,
                      document.getElementById('panes').getBoundingClientRect().top);
                    all.findLast((one) => one.getBoundingClientRect().bottom <= edge).focus({ preventScroll: true, focusVisible: true });
                """)
                self.assertGreaterEqual(self.focused(), 32)
                self.perform_in_contract("reschedule", delivery="5034-1", day="2018-07-17")
                self.wait(lambda: self.one("#notice").is_displayed(), "the notice")
                self.assertGreaterEqual(self.focused(), 32, "when the notice appears")
                for _ in range(12):
                    self.press_tab()
                    if not self.js("return document.getElementById('list').contains(document.activeElement)"):
                        break
                    self.assertTrue(self.one("#notice").is_displayed(), "the change waits until the focus has left the list")
                    self.assertGreaterEqual(self.focused(), 32)
                self.perform_in_contract("reschedule", delivery="5034-1", day="2018-07-16")

    def test_changes_wait_while_the_focus_moves_from_row_to_row_and_to_their_notice(self):
        self.open("deliveries")
        self.js("document.querySelector('#list button').focus({ focusVisible: true })")
        before = self.ids()
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-15")
        self.wait(lambda: "held until you press Escape or leave the row" in self.text("#notice-text"), "the change to wait")
        self.press_tab()
        self.assertEqual((self.ids(), self.one("#notice").is_displayed()), (before, True))
        last = self.all("#list button")[-1]
        self.js("arguments[0].focus({ focusVisible: true })", last)
        self.press_tab()
        self.assertEqual(self.js("return document.activeElement.id"), "notice-act")
        self.assertEqual(self.ids(), before)
        self.press_tab(8)
        self.assertEqual((self.ids(), self.one("#notice").is_displayed()), (before, True))
        self.press_tab()
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait(lambda: self.ids() != before, "the change")
        self.assertTrue(self.js("return document.activeElement === arguments[0]", last), "the focus returns to its row")
        self.server.perform("deliveries", "restore")

    def test_a_link_in_each_phone_skips_its_list(self):
        for width, height in [(1440, 900), (390, 844), (320, 256)]:
            with self.subTest(width=width):
                self.look(width=width, height=height)
                self.open("deliveries?contract=240500-000")
                self.wait_for_phones(2 if width == 1440 else 1)
                phones = len(self.all(".device"))
                for phone in range(1, phones + 1):
                    self.js("document.querySelector(arguments[0]).focus({ focusVisible: true })", f".device:nth-child({phone}) .pause")
                    second = [("Skip to phone 2", "phone-2")] if phone < phones else []
                    for text, target in [*second, ("Skip to Network", "inspector")]:
                        self.press_tab()
                        link = self.browser.switch_to.active_element
                        self.assertEqual(link.text, text)
                        self.assertGreater(link.rect["height"], 20)
                        link.send_keys(Keys.ENTER)
                        self.assertEqual(self.js("return document.activeElement.id"), target)
                        if target != "inspector":
                            self.js("arguments[0].focus()", link)
                    self.assertTrue(self.one("#exchanges").is_displayed())
                    self.one("#skip").send_keys(Keys.ENTER)
                    self.assertTrue(self.one("#list").is_displayed(), "the link to the list shows the list again")
                if width < 896:
                    self.assertLessEqual(self.rect("#panes")["bottom"], height, "the buttons of the panes are always in the window")

    def test_the_escape_key_leaves_a_large_list_for_the_link_that_skips_the_list(self):
        self.look(width=1440)
        self.open("deliveries?contract=240500-000")
        self.wait_for_phones(2)
        for phone, text in [(1, "Skip to phone 2"), (2, "Skip to Network")]:
            self.js("[...document.querySelectorAll(arguments[0])].at(20).focus()", f".device:nth-child({phone}) .list .more")
            self.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
            self.assertEqual(self.browser.switch_to.active_element.text, text)
            self.assertTrue(self.js("return document.activeElement.closest(arguments[0]) !== null", f".device:nth-child({phone})"))

    def test_the_heading_has_a_visible_focus_in_a_new_view_and_the_opened_link_has_it_afterwards(self):
        for width in [1280, 390]:
            self.look(width=width, height=844)
            self.open("artist")
            self.js("document.querySelector('[data-type=album]:nth-of-type(2) a').focus()")
            opened = self.js("return document.activeElement.closest('.cell').dataset.id")
            self.browser.switch_to.active_element.send_keys(Keys.ENTER)
            self.wait(lambda: "album=" in self.browser.current_url, "the album")
            self.wait(lambda: self.js("return document.activeElement.id") == "title", "the focus on the heading of the album")
            self.assertGreater(self.focused(), 20)
            self.assertGreater(self.rect("#title")["width"], 100)
            self.browser.back()
            self.wait(lambda: "album=" not in self.browser.current_url, "the artist")
            self.wait(lambda: self.js("return document.activeElement.closest('.cell')?.dataset.id") == opened, "the focus on the album")
            self.assertGreater(self.focused(), 40)

    def test_the_first_new_row_has_the_focus_after_show_more(self):
        self.look(width=390, height=844)
        self.open("posts")
        self.one("#skip").send_keys(Keys.ENTER)
        count = len(self.all("[data-type=post]"))
        self.js("document.querySelector('#list .footer .row').focus({ focusVisible: true })")
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        rows = "return [...document.querySelectorAll('[data-type=post]')].indexOf(document.activeElement)"
        self.wait(lambda: self.js(rows) == count, "the focus on the first new row")
        self.assertGreater(self.focused(), 32)

    def test_back_to_live_moves_the_focus_to_the_list_which_has_a_name_and_an_outline(self):
        self.open("settings")
        self.rename("Earlier")
        self.one("#older").send_keys(Keys.ENTER)
        self.wait(lambda: self.one("#notice-act").is_displayed(), "the notice")
        self.one("#notice-act").send_keys(Keys.ENTER)
        self.assertEqual(self.js("return document.activeElement.id"), "list")
        self.assertEqual(self.js("return document.activeElement.getAttribute('aria-label')"), self.text("#title"))
        self.assertEqual(self.js("return getComputedStyle(document.activeElement).outlineStyle"), "solid")

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


class AnnouncingTest(BrowserTest):
    """Tests of the texts that screen readers speak without a focus."""

    def listen(self):
        self.js("window.heard = []; new MutationObserver(() => heard.push(document.getElementById('announcer').textContent))"
                ".observe(document.getElementById('announcer'), { childList: true })")

    def heard(self):
        return self.js("return heard")

    def test_changes_are_announced_while_a_narrow_window_shows_the_inspector(self):
        self.look(width=390, height=844)
        self.open("settings")
        self.one('#panes [value="inspector"]').click()
        self.server.perform("settings", "rename", firstName="Aloud")
        self.wait_for_text("#announcer", "First name changed")
        self.assertTrue(self.js("return document.getElementById('announcer').checkVisibility()"))

    def test_a_search_is_announced_by_its_title_and_the_number_of_rows(self):
        self.open("mountains")
        self.listen()
        self.one("#query input").send_keys("mont")
        self.wait(lambda: any(text.startswith("Mountains: ") for text in self.heard()), "the result")
        count = len(self.all("#list .cell"))
        self.wait(lambda: self.heard()[-1] == f"Mountains: {count} rows", "the number of rows")
        self.assertNotIn("removed", str(self.heard()))

    def test_a_screen_that_changes_continually_is_announced_once_until_the_user_acts(self):
        self.open("wifi")
        self.listen()
        scans = "return document.getElementById('versions').max - 1"
        first = self.js(scans)
        self.wait(lambda: self.js(scans) >= first + 7, "seven scans, which take longer than the pause between two announcements")
        self.assertLessEqual(len(self.heard()), 1)
        self.js("document.body.click()")
        before = len(self.heard())
        self.wait(lambda: len(self.heard()) > before, "an announcement after an act")

    def test_the_difference_between_an_artist_and_an_album_is_not_announced(self):
        self.open("artist")
        self.listen()
        self.js("document.querySelector('[data-type=album] a').focus()")
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait(lambda: self.js("return document.activeElement.id") == "title", "the focus on the heading of the album")
        self.js("document.querySelector('#edits .edit').click()")
        self.wait(lambda: self.heard(), "an announcement of the next view")
        self.assertRegex(self.heard()[-1], r"^.+: \d+ rows$")
        self.assertNotIn("added", str(self.heard()))

    def test_the_captions_of_the_tour_are_announced(self):
        self.open("deliveries")
        live = "return [...document.querySelectorAll('#edits [aria-live]')].map((node) => [node.ariaLive, node.parentElement.className])"
        self.assertEqual(self.js(live), [["polite", "caption"]], "the button of the caption is not part of the text")

    def test_only_the_first_phone_announces_a_change_outside_of_the_viewport(self):
        self.look(width=1440)
        self.open("deliveries?contract=240500-000")
        self.wait_for_phones(2)
        *_, (_, [delivery, *_]), (day, _) = self.ids()
        body = {"input": {"delivery": delivery, "day": day}}
        self.server.ask("POST", "/screens/deliveries/actions/reschedule?contract=240500-000", body=body)
        self.wait(lambda: len(self.all(".notice[data-kind=elsewhere]")) == 2, "both notices")
        live = self.js("return [...document.querySelectorAll('.notice [role=status]')].map((node) => node.getAttribute('aria-live'))")
        self.assertEqual(live, [None, "off"])

    def test_the_region_of_a_notice_exists_before_its_text_and_has_no_buttons(self):
        self.open("settings")
        self.assertFalse(self.one("#notice").is_displayed())
        self.assertTrue(self.js("return document.querySelector('#notice [role=status]').checkVisibility()"))
        self.assertEqual(self.all("[role=status] button, [aria-live] button"), [])
