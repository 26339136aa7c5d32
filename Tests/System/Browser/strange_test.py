"""A screen that the page has never seen: everything is made of what its server says."""

from selenium.webdriver.common.keys import Keys

from driving.browser import BrowserTest
from driving.stranger import Stranger

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
# What the cell gives. It does not name the note, which is optional: so nobody is asked for one.
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


class StrangeTest(BrowserTest):
    """Its server has no streams, so the page says that it is not live."""

    expects_failed_requests = True

    @classmethod
    def start_server(cls):
        return Stranger().start()

    def setUp(self):
        super().setUp()
        self.server.asked.clear()
        self.server.answers = {("GET", "/screens"): (200, {"screens": SCREENS}), ("GET", "/screens/chores"): (200, SNAPSHOT)}
        self.open("chores", is_live=False)
        self.wait_for_state("still")

    def answer(self, action, document, status=200):
        self.server.answers["POST", f"/screens/chores/actions/{action}"] = (status, document)

    def sent(self):
        return [body["input"] for method, _, body in self.server.asked if method == "POST"]

    def control(self, title):
        return self.js("return [...document.querySelectorAll('#sheet .field')].find((field) => "
                       "field.querySelector('label').textContent === arguments[0]).querySelector('input, select')", title)

    def edit(self):
        self.cell("c1").find_element("css selector", "button.row").click()

    def test_a_revision_in_the_address_goes_with_each_request_and_link_to_the_same_screen(self):
        more = {"id": "c3", "type": "chore", "name": "More", "link": {"screen": "chores", "parameters": {"limit": "9"}}}
        section = {**SNAPSHOT["sections"][0], "cells": [CELL, LINK, more]}
        self.server.answers["GET", "/screens/chores"] = (200, {**SNAPSHOT, "sections": [section]})
        self.server.asked.clear()
        self.open("chores?revision=2", is_live=False)
        self.assertTrue(all("revision=2" in path for _, path, _ in self.server.asked if path.startswith("/screens/chores")))
        links = self.js("return [...document.querySelectorAll('#list a.row')].map((link) => link.getAttribute('href'))")
        self.assertEqual(links, ["#/gardens?bed=3", "#/chores?limit=9&revision=2"])

    def test_its_cells_look_decent(self):
        self.assertEqual(self.text('[data-id="c1"] .title'), "Water plants")
        self.assertEqual(self.text('[data-id="c1"] .facts'), "Minutes: 5 · Is dry: true")
        self.assertEqual(self.text(".header .title"), "Today")
        self.assertEqual(self.text("#connection"), "Not live")

    def test_a_form_has_a_control_for_each_field_that_is_asked_for(self):
        self.edit()
        labels = self.js("return [...document.querySelectorAll('#sheet label')].map((node) => node.textContent)")
        self.assertEqual(labels, ["Name", "Minutes", "Litres", "Urgent", "Day", "Who"])
        kinds = [self.control(label).get_property("type") for label in labels]
        self.assertEqual(kinds, ["text", "number", "number", "checkbox", "date", "select-one"])
        self.assertEqual(self.control("Name").get_attribute("maxlength"), "20")
        bounds = [self.control("Minutes").get_attribute(name) for name in ["min", "max"]]
        self.assertEqual(bounds, ["1", "90"])

    def test_what_is_sent_has_the_types_that_the_fields_have(self):
        self.answer("edit", changeset({"updateCells": [{"at": [0, 0], "cell": {**CELL, "name": "Plants"}}]}))
        self.edit()
        self.control("Urgent").click()
        self.js("arguments[0].value = 'Ada'", self.control("Who"))
        self.control("Minutes").clear()
        self.control("Minutes").send_keys("7")
        self.control("Name").clear()
        self.control("Name").send_keys("Plants", Keys.ENTER)
        self.wait_for_text('[data-id="c1"] .title', "Plants")
        self.assertEqual(self.sent(), [{**GIVEN, "name": "Plants", "minutes": 7, "isUrgent": True, "who": "Ada"}])

    def test_errors_stand_at_their_fields_and_the_rest_below(self):
        self.answer("edit", {"type": "about:blank", "title": "No", "status": 422, "errors": [
            {"pointer": "/input/minutes", "detail": "Too short."}, {"pointer": "/input/chore", "detail": "Gone."},
            {"detail": "Not today."},
        ]}, 422)
        self.edit()
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet", "Too short.")
        self.assertEqual(self.control("Minutes").get_attribute("aria-invalid"), "true")
        self.assertIsNone(self.control("Name").get_attribute("aria-invalid"))
        self.assertEqual(self.text('#sheet [role="alert"]'), "Gone.\nNot today.")

    def test_what_needs_no_question_is_done_at_once(self):
        self.answer("finish", changeset({"deleteCells": [[0, 0, 1]]}))
        self.cell("c1").find_element("css selector", ".more").click()
        finish, skip = self.all("#sheet .choice")
        self.assertEqual((finish.text, skip.text, skip.is_enabled()), ("Finish", "Skip", False))
        finish.click()
        self.wait(lambda: self.ids() == [["today", ["c2"]]], "the chore to go")
        self.assertEqual(self.sent(), [{"chore": "c1"}])
        self.wait_for_text("#announcer", "1 chore removed")

    def test_a_problem_without_a_field_is_a_quiet_banner(self):
        self.answer("finish", {"type": "about:blank", "title": "Busy", "status": 503, "detail": "Come back later."}, 503)
        self.cell("c1").find_element("css selector", ".more").click()
        self.one("#sheet .choice").click()
        self.wait_for_text("#notice-text", "Come back later.")
        self.answer("finish", changeset({"deleteCells": [[0, 0, 1]]}))
        self.one("#notice-act").click()
        self.wait(lambda: self.ids() == [["today", ["c2"]]], "the chore to go")
        self.assertFalse(self.one("#notice").is_displayed())

    def test_a_server_that_names_no_languages_is_asked_in_none(self):
        self.assertFalse(self.one("#locales").is_displayed())
        self.assertEqual([path for _, path, _ in self.server.asked if "locale" in path], [])

    def test_the_languages_are_those_of_the_server(self):
        self.server.answers["GET", "/screens"] = (200, {"screens": SCREENS, "locales": ["de", "it"]})
        self.open("chores", is_live=False)
        self.wait_for_text("#locales", "Deutsch")
        self.assertEqual(self.text("#locales label:has(:checked)"), "Deutsch")
        self.one('#locales [value="it"]').find_element("xpath", "..").click()
        self.wait(lambda: "locale=it" in self.browser.current_url, "the address")
        self.wait(lambda: any("/screens/chores/changes?locale=it" in path for _, path, _ in self.server.asked), "the question")
        self.wait_for_state("still")

    def test_a_link_leads_to_a_screen_with_its_parameters(self):
        sections = [{"id": "s", "cells": [{"id": "b", "type": "bed"}]}]
        garden = {**SNAPSHOT, "screen": "gardens", "title": "Bed 3", "sections": sections}
        self.server.answers["GET", "/screens/gardens"] = (200, garden)
        self.cell("c2").find_element("css selector", "a").click()
        self.wait_for_text("#title", "Bed 3")
        self.assertTrue(any(path.startswith("/screens/gardens?bed=3") for _, path, _ in self.server.asked))
        self.one("#back").click()
        self.wait_for_text("#title", "Chores")
