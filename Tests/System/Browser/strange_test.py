"""Tests of a screen that the page has no code for. The page derives everything from the documents of the server."""

from driving.browser import BrowserTest
from driving.scripted_server import ScriptedServer
from selenium.webdriver.common.keys import Keys

FIELDS = [
    {"name": "chore", "title": "Chore", "type": "text", "required": True, "source": "cell"},
    {"name": "name", "title": "Name", "type": "text", "limit": 20, "required": True, "source": "user"},
    {"name": "minutes", "title": "Minutes", "type": "integer", "minimum": 1, "maximum": 90, "required": True, "source": "user"},
    {"name": "litres", "title": "Litres", "type": "number", "required": False, "source": "user"},
    {"name": "isUrgent", "title": "Urgent", "type": "boolean", "required": False, "source": "user"},
    {"name": "day", "title": "Day", "type": "date", "required": False, "source": "user"},
    {"name": "who", "title": "Who", "type": "choice", "choices": ["Ada", "Grace"], "required": True, "source": "user"},
    {"name": "note", "title": "Note", "type": "text", "required": False, "source": "user"},
]
# The values that the cell provides. It has no value for the optional note.
GIVEN = {
    "chore": "c1", "name": "Water plants", "minutes": 5, "litres": 1.5, "isUrgent": False, "day": "2026-11-21", "who": "Grace",
}
CELL = {
    "id": "c1", "type": "chore", "name": "Water plants", "minutes": 5, "isDry": True,
    "action": {"name": "edit", "input": GIVEN},
    "actions": [
        {"name": "finish", "title": "Finish", "input": {"chore": "c1"}}, {"name": "skip", "title": "Skip", "disabled": True},
    ],
}
LINK = {"id": "c2", "type": "chore", "name": "Garden", "link": {"screen": "gardens", "parameters": {"bed": "3"}}}
SNAPSHOT = {
    "kind": "snapshot", "screen": "chores", "version": "v1", "layout": "table", "title": "Chores",
    "sections": [{"id": "today", "header": {"type": "when", "title": "Today"}, "cells": [CELL, LINK]}],
}
SCREENS = [
    {"name": "chores", "title": "Chores", "parameters": [], "actions": [
        {"name": "edit", "input": FIELDS}, {"name": "finish", "input": FIELDS[:1]}, {"name": "skip", "input": []},
    ]},
    {"name": "gardens", "title": "Gardens", "parameters": [{"name": "bed", "shape": "a text"}], "actions": []},
]


def changeset(*stages):
    return {"kind": "changeset", "screen": "chores", "from": "v1", "version": "v2", "stages": list(stages)}


class NoScreenTest(BrowserTest):
    """Tests of a server whose list of screens is empty."""

    expects_failed_requests = True

    @classmethod
    def start_server(cls):
        return ScriptedServer().start()

    def test_a_page_without_screens_says_so(self):
        self.server.answers = {("GET", "/screens"): (200, {"screens": []})}
        for address in ("", "#chores"):
            self.browser.get("about:blank")
            self.browser.get(f"{self.server.origin}/{address}")
            self.wait_for_text("#notice-text", "This server has no screens for you.")


class UnknownScreenTest(BrowserTest):
    """Tests of an unknown screen on a server without streams. Without a stream, the page does not show changes automatically."""

    expects_failed_requests = True

    @classmethod
    def start_server(cls):
        return ScriptedServer().start()

    def setUp(self):
        super().setUp()
        self.server.requests.clear()
        self.server.answers = {("GET", "/screens"): (200, {"screens": SCREENS}), ("GET", "/screens/chores"): (200, SNAPSHOT)}
        self.open("chores", is_live=False)
        self.wait_for_state("idle")

    def answer(self, action, document, status=200):
        self.server.answers["POST", f"/screens/chores/actions/{action}"] = (status, document)

    def sent(self):
        return [body["input"] for method, _, body in self.server.requests if method == "POST"]

    def control(self, title):
        return self.js("return [...document.querySelectorAll('#sheet .field')].find((field) => "
                       "field.querySelector('label').textContent === arguments[0])?.querySelector('input, select')", title)

    def edit(self):
        self.press("c1", "button.row")

    def test_a_form_says_which_fields_are_required_and_between_which_bounds(self):
        self.edit()
        fields = self.js('''
            return [...document.querySelectorAll('#sheet .field')].map((field) => {
              const control = field.querySelector('input, select');
              const texts = control.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id).textContent);
              return [field.querySelector('label').textContent, control.required, texts.join('')];
            });
        ''')
        self.assertIn(["Minutes", True, "Enter a whole number from 1 to 90."], fields)
        self.assertIn(["Urgent", False, ""], fields)
        self.assertIn(["Name", False, ""], fields)

    def test_a_revision_is_sent_with_each_request_and_kept_in_links_to_the_same_screen(self):
        more = {"id": "c3", "type": "chore", "name": "More", "link": {"screen": "chores", "parameters": {"limit": "9"}}}
        section = {**SNAPSHOT["sections"][0], "cells": [CELL, LINK, more]}
        self.server.answers["GET", "/screens/chores"] = (200, {**SNAPSHOT, "sections": [section]})
        self.server.requests.clear()
        self.open("chores?revision=2", is_live=False)
        self.assertTrue(all("revision=2" in path for _, path, _ in self.server.requests if path.startswith("/screens/chores")))
        links = self.js("return [...document.querySelectorAll('#list a.row')].map((link) => link.getAttribute('href'))")
        self.assertEqual(links, ["#/gardens?bed=3", "#/chores?limit=9&revision=2"])

    def test_cells_of_unknown_types_have_generic_rows(self):
        self.assertEqual(self.text('[data-id="c1"] .title'), "Water plants")
        self.assertEqual(self.text('[data-id="c1"] .facts'), "Minutes: 5 · Is dry: true")
        self.assertEqual(self.text(".header .title"), "Today")
        self.assertEqual(self.text("#connection"), "Not live")

    def test_a_form_has_a_control_for_each_field(self):
        self.edit()
        labels = self.js("return [...document.querySelectorAll('#sheet label')].map((node) => node.textContent)")
        self.assertEqual(labels, ["Name", "Minutes", "Litres", "Urgent", "Day", "Who", "Note"])
        kinds = [self.control(label).get_property("type") for label in labels]
        self.assertEqual(kinds, ["text", "number", "number", "checkbox", "date", "select-one", "text"])
        self.assertEqual(self.control("Name").get_attribute("maxlength"), "20")
        bounds = [self.control("Minutes").get_attribute(name) for name in ["min", "max"]]
        self.assertEqual(bounds, ["1", "90"])

    def test_the_form_of_a_selected_row_is_named_after_its_action(self):
        self.edit()
        self.assertEqual(self.text("#sheet .heading"), "Water plants")
        described = {**SCREENS[0], "actions": [{"name": "edit", "title": "Edit chore", "input": FIELDS}]}
        self.server.answers["GET", "/screens"] = (200, {"screens": [described]})
        self.open("chores", is_live=False)
        self.wait_for_state("idle")
        self.edit()
        self.wait_for_text("#sheet .heading", "Edit chore Water plants")

    def test_input_is_sent_with_the_types_of_its_fields(self):
        self.answer("edit", changeset({"updateCells": [{"at": [0, 0], "cell": {**CELL, "name": "Plants"}}]}))
        self.edit()
        self.control("Urgent").click()
        self.js("arguments[0].value = 'Ada'", self.control("Who"))
        self.control("Minutes").clear()
        self.control("Minutes").send_keys("7")
        self.control("Name").clear()
        self.control("Name").send_keys("Plants", Keys.ENTER)
        self.wait_for_text('[data-id="c1"] .title', "Plants")
        self.assertEqual(self.sent(), [{**GIVEN, "name": "Plants", "minutes": 7, "isUrgent": True, "who": "Ada", "note": None}])

    def test_errors_of_fields_are_shown_at_the_fields_and_other_errors_below_the_form(self):
        self.answer("edit", {"type": "about:blank", "title": "No", "status": 422, "errors": [
            {"pointer": "/input/minutes", "detail": "Too short."}, {"pointer": "/input/chore", "detail": "Gone."},
            {"detail": "Not today."},
        ]}, 422)
        self.edit()
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet", "Too short.")
        self.assertEqual(self.control("Minutes").get_attribute("aria-invalid"), "true")
        self.assertIsNone(self.control("Name").get_attribute("aria-invalid"))
        self.assertEqual(self.text('#sheet form > [role="alert"]'), "Gone.\nNot today.")

    def test_an_action_without_fields_is_performed_at_once(self):
        self.answer("finish", changeset({"deleteCells": [[0, 0, 1]]}))
        self.press("c1", ".more")
        finish, skip = self.all("#sheet .choice")
        self.assertEqual((finish.text, skip.text, skip.is_enabled()), ("Finish", "Skip", False))
        finish.click()
        self.wait(lambda: self.ids() == [["today", ["c2"]]], "the chore to go")
        self.assertEqual(self.sent(), [{"chore": "c1"}])
        self.wait_for_text("#announcer", "Water plants removed")

    def test_a_destructive_action_with_a_required_field_is_confirmed_by_its_form(self):
        finish = {"name": "finish", "title": "Finish", "input": {"chore": "c1"}}
        drop = {"name": "drop", "title": "Drop chore", "input": {"chore": "c1"}, "destructive": True}
        reason = {"name": "reason", "title": "Reason", "type": "choice", "choices": ["done", "late"], "required": True, "source": "user"}
        note, who = ({"name": name, "title": name.title(), "type": "text", "required": False, "source": "user"} for name in ["note", "who"])
        described = {**SCREENS[0], "actions": [{"name": "drop", "input": [FIELDS[0], reason, note, who]}]}
        self.server.answers["GET", "/screens"] = (200, {"screens": [described]})
        self.answer("drop", {"type": "about:blank", "title": "No", "status": 422, "errors": [
            {"pointer": "/input/reason", "detail": "It is not late."},
        ]}, 422)
        for offers, opener, choice in [([drop], ".act", None), ([drop, finish], ".more", "#sheet .choice.destructive")]:
            with self.subTest(opener):
                cells = [{"id": "c1", "type": "chore", "name": "Water plants", "actions": offers}]
                self.server.answers["GET", "/screens/chores"] = (200, {**SNAPSHOT, "sections": [{"id": "today", "cells": cells}]})
                self.server.requests.clear()
                self.open("chores", is_live=False)
                self.wait_for_state("idle")
                self.press("c1", opener)
                if choice:
                    self.one(choice).click()
                self.js("arguments[0].value = 'late'", self.wait(lambda: self.control("Reason"), "the form"))
                self.assertEqual(self.text("#sheet .heading"), "Drop chore Water plants")
                self.control("Note").send_keys("dry", Keys.ENTER)
                self.assertEqual(self.browser.switch_to.active_element.text, "Drop chore")
                self.assertEqual(self.sent(), [])
                for _ in range(2):
                    self.assertEqual(self.texts("#sheet .ends button"), ["Keep it", "Drop chore"])
                    self.one("#sheet form .done.destructive").click()
                    self.wait_for_text("#sheet .field .error", "It is not late.")
                self.assertEqual(self.sent(), [{"chore": "c1", "reason": "late", "note": "dry", "who": None}] * 2)
        self.answer("drop", changeset({"deleteCells": [[0, 0, 1]]}))
        self.one("#sheet .done").click()
        self.wait_until_sheet_closes()
        self.wait(lambda: not self.all("#list .cell"), "the chore to go")

    def test_the_texts_of_a_row_do_not_overlap(self):
        order = {"name": "order", "title": "Sofort bestellen"}
        # A button does not fit beside a text in the narrow cells.
        kinds = [(343, {}), (343, {"action": order}), (343, {"actions": [order]}), (166, {}), (166, {"action": order})]
        cells = [{"id": f"d{index}", "type": "dish", "name": "Tomatensuppe", "price": "7,00\u00a0€",
                  "size": {"width": width, "height": 90}, **kind} for index, (width, kind) in enumerate(kinds)]
        for layout, width in [("collection", 1000), ("collection", 375), ("table", 1000), ("table", 375)]:
            with self.subTest(layout, width=width):
                snapshot = {**SNAPSHOT, "layout": layout, "sections": [{"id": "menu", "cells": cells}]}
                self.server.answers["GET", "/screens/chores"] = (200, snapshot)
                self.look(width=width)
                self.open("chores", is_live=False)
                self.wait(lambda: len(self.all("#list .cell .value")) == 5, "the cells")
                overlapping = self.js("""
                    const boxOf = (node) => {
                      const range = document.createRange();
                      range.selectNodeContents(node);
                      return range.getBoundingClientRect();
                    };
                    const areApart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
                    return [...document.querySelectorAll('#list .cell')].filter((cell) => {
                      const texts = [...cell.querySelectorAll('.title, .value, .act')].map(boxOf);
                      return texts.some((one, index) => texts.slice(index + 1).some((other) => !areApart(one, other)));
                    }).map(({ dataset }) => dataset.id);
                """)
                self.assertEqual(overlapping, [])

    def test_a_problem_without_a_field_is_shown_in_a_notice(self):
        self.answer("finish", {"type": "about:blank", "title": "Busy", "status": 503, "detail": "Come back later."}, 503)
        self.press("c1", ".more")
        self.one("#sheet .choice").click()
        self.wait_for_text("#notice-text", "Come back later.")
        self.answer("finish", changeset({"deleteCells": [[0, 0, 1]]}))
        self.one("#notice-act").click()
        self.wait(lambda: self.ids() == [["today", ["c2"]]], "the chore to go")
        self.assertFalse(self.one("#notice").is_displayed())

    def test_an_action_with_a_number_that_javascript_rounds_is_not_sent_and_the_user_sees_why(self):
        rounded = {**GIVEN, "chore": 9007199254740993}
        cells = [{**CELL, "action": {"name": "finish", "input": {"chore": 9007199254740993}}, "actions": []},
                 {**CELL, "id": "c3", "action": {"name": "edit", "input": rounded}, "actions": []}]
        self.server.answers["GET", "/screens/chores"] = (200, {**SNAPSHOT, "sections": [{**SNAPSHOT["sections"][0], "cells": cells}]})
        self.open("chores", is_live=False)
        self.wait_for_state("idle")
        self.press("c1", "button.row")
        self.wait_for_text("#notice-text", "too large")
        self.one("#notice-close").click()
        self.press("c3", "button.row")
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet .error", "too large")
        self.assertIsNone(self.one("#sheet form").get_attribute("aria-busy"))
        self.assertEqual(self.sent(), [])

    def test_no_locale_is_sent_to_a_server_without_languages(self):
        self.assertFalse(self.one("#locales").is_displayed())
        self.assertEqual([path for _, path, _ in self.server.requests if "locale" in path], [])

    def test_the_page_offers_the_languages_of_the_server(self):
        self.server.answers["GET", "/screens"] = (200, {"screens": SCREENS, "locales": ["de", "it"]})
        self.open("chores", is_live=False)
        self.wait_for_text("#locales", "Deutsch")
        self.assertEqual(self.text("#locales label:has(:checked)"), "Deutsch")
        self.one('#locales [value="it"]').find_element("xpath", "..").click()
        self.wait(lambda: "locale=it" in self.browser.current_url, "the address")
        self.wait(lambda: any("/screens/chores/changes?locale=it" in path for _, path, _ in self.server.requests), "the question")
        self.wait_for_state("idle")

    def test_a_link_opens_a_screen_with_its_parameters(self):
        sections = [{"id": "s", "cells": [{"id": "b", "type": "bed"}]}]
        garden = {**SNAPSHOT, "screen": "gardens", "title": "Bed 3", "sections": sections}
        self.server.answers["GET", "/screens/gardens"] = (200, garden)
        self.press("c2", "a")
        self.wait_for_text("#title", "Bed 3")
        self.assertTrue(any(path.startswith("/screens/gardens?bed=3") for _, path, _ in self.server.requests))
        self.one("#back").click()
        self.wait_for_text("#title", "Chores")
