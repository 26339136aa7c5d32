"""Tests of the actions of screens."""

from driving.browser import BrowserTest
from driving.scripted_server import ScriptedServer
from selenium.webdriver.common.keys import Keys
from serving import Server


class SettingsTest(BrowserTest):
    """Tests of the actions of the settings screen."""

    def test_a_name_that_is_edited_in_a_form_is_shown_and_announced(self):
        self.open("settings")
        self.press("firstName")
        field = self.one("#sheet input")
        self.assertEqual(self.js("return document.activeElement === arguments[0]", field), True)
        field.clear()
        field.send_keys("Chloé", Keys.ENTER)
        self.wait_for_text('[data-id="firstName"] .value', "Chloé")
        self.wait_until_sheet_closes()
        self.assertEqual(self.js("return document.activeElement.closest('.cell')?.dataset.id"), "firstName")
        self.wait_for_text("#announcer", "First name changed")

    def test_a_validation_error_stays_at_its_field_until_the_input_is_corrected(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.press("email")
        field = self.one("#sheet input")
        field.clear()
        field.send_keys("nobody", Keys.ENTER)
        self.wait_for_text("#sheet .field .error", " ")
        self.assertEqual(field.get_attribute("aria-invalid"), "true")
        described = self.js("return document.getElementById(arguments[0].getAttribute('aria-describedby').split(' ').at(-1)).textContent", field)
        self.assertEqual(described, self.text("#sheet .field .error"))
        field.clear()
        field.send_keys("ada@hodor.hodor", Keys.ENTER)
        self.wait_for_text('[data-id="email"] .value', "ada@hodor.hodor")
        self.wait_until_sheet_closes()

    def test_an_account_is_connected_without_a_form(self):
        self.open("settings")
        self.assertEqual(len(self.all('[data-type="invitation"]')), 1)
        self.press("connect")
        self.wait(lambda: not self.all('#list [data-type="invitation"]'), "the invitation to go")

    def test_the_escape_key_closes_a_sheet(self):
        self.open("settings")
        opener = self.cell("familyName").find_element("css selector", "button")
        opener.click()
        self.assertTrue(self.one("#scroll").get_property("inert"))
        self.one("#sheet input").send_keys(Keys.ESCAPE)
        self.assertFalse(self.one("#sheet").is_displayed())
        self.assertTrue(self.js("return document.activeElement === arguments[0]", opener))
        self.assertFalse(self.one("#scroll").get_property("inert"))

    def test_a_form_that_is_closed_while_its_change_is_saved_leaves_a_notice(self):
        self.open("settings")
        self.js("""
            const { fetch } = window;
            window.fetch = (url, options) => (options?.method === 'POST' ? new Promise(() => {}) : fetch(url, options));
        """)
        self.press("familyName")
        field = self.one("#sheet input")
        field.send_keys(Keys.ENTER)
        field.send_keys(Keys.ESCAPE)
        self.wait_for_text("#notice-text", "Your change is still being saved.")

    def test_a_form_keeps_its_input_while_the_list_changes(self):
        self.open("settings")
        self.press("familyName")
        field = self.one("#sheet input")
        field.send_keys("Half a na")
        self.rename("Grace")
        self.assertEqual(field.get_property("value"), "Half a na")
        self.assertTrue(self.js("return document.activeElement === arguments[0]", field))

    def test_changing_the_layout_moves_cells(self):
        self.open("settings")
        email = self.cell("email")
        self.one('#query [value="merged"]').find_element("xpath", "..").click()
        self.wait(lambda: [section for section, _ in self.ids()] == ["userInfo"], "one section")
        self.assertEqual(self.cell("email"), email)
        self.assertIn("layout=merged", self.browser.current_url)


class DeliveriesTest(BrowserTest):
    """Tests of the actions of the deliveries screen."""

    def choose(self, identifier, title):
        self.press(identifier, ".more")
        [choice] = [button for button in self.all("#sheet .choice") if button.text == title]
        choice.click()

    def fill(self, **values):
        for label, value in values.items():
            field = self.js("return [...document.querySelectorAll('#sheet .field')].find((field) => "
                            "field.textContent.startsWith(arguments[0])).querySelector('input')", label)
            self.js("arguments[0].value = arguments[1]", field, value)
        self.one("#sheet .done").click()

    def test_a_delivery_is_moved_to_another_day(self):
        self.open("deliveries")
        node = self.cell("7556-1")
        self.choose("7556-1", "Move to another day")
        self.fill(Day="2018-07-13")
        self.wait(lambda: ["2018-07-13", ["7556-1"]] in self.ids(), "the other day")
        self.assertEqual(self.cell("7556-1"), node)
        self.wait_for_text("#announcer", "7556-1 moved")

    def test_a_form_names_its_delivery_and_shows_current_values_except_in_edited_fields(self):
        self.open("deliveries")
        self.server.perform("deliveries", "weigh", delivery="7561-1", kilograms=3000)
        self.wait_for_text('[data-id="7561-1"] .value', "3.000")
        self.choose("7561-1", "Weigh")
        self.assertIn("7561-1", self.text("#sheet .heading"))
        field = self.one("#sheet input")
        self.assertEqual(field.get_property("value"), "3000")
        self.server.perform("deliveries", "weigh", delivery="7561-1", kilograms=3100)
        self.wait(lambda: field.get_property("value") == "3100", "the current weight")
        field.send_keys("3200")
        self.assertEqual(field.get_property("value"), "3200", "the value was still selected")
        self.server.perform("deliveries", "weigh", delivery="7561-1", kilograms=3300)
        self.wait_for_text('[data-id="7561-1"] .value', "3.300")
        self.assertEqual(field.get_property("value"), "3200")
        self.one("#sheet .done").click()
        self.wait_for_text('[data-id="7561-1"] .value', "3.200")

    def test_a_form_says_at_once_that_its_row_was_deleted(self):
        self.open("deliveries")
        self.choose("7556-1", "Weigh")
        self.assertEqual(self.text("#sheet .warning"), "")
        self.server.perform("deliveries", "cancel", delivery="7556-1")
        self.wait_for_text("#sheet .warning", "This row is no longer in the list.")
        self.server.perform("deliveries", "restore")
        self.wait(lambda: self.text("#sheet .warning") == "", "the row")

    def test_a_form_says_at_once_that_its_row_was_deleted_while_the_list_is_paused(self):
        self.open("deliveries")
        self.one("#pause").click()
        self.server.perform("deliveries", "cancel", delivery="7556-1")
        self.addCleanup(self.server.perform, "deliveries", "restore")
        self.wait_for_text("#notice", "held while the phone is paused")
        self.choose("7556-1", "Weigh")
        self.wait_for_text("#sheet .warning", "This row is no longer in the list.")

    def test_weighing_a_delivery_updates_its_cell_and_the_total_of_the_contract(self):
        self.open("deliveries")
        total = self.text('[data-id="delivered"] .value')
        self.choose("7561-1", "Weigh")
        self.fill(Weight="4000")
        self.wait_for_text('[data-id="7561-1"] .value', "4.000")
        self.assertNotEqual(self.text('[data-id="delivered"] .value'), total)

    def test_a_validation_error_is_shown_at_its_field(self):
        self.expects_failed_requests = True
        self.open("deliveries")
        self.choose("7534-1", "Weigh")
        self.fill(Weight="90000")
        self.wait(lambda: self.text("#sheet .field .error").strip(), "the error")
        self.assertEqual(self.all('#sheet [aria-invalid="true"]'), [self.js("return document.activeElement")])

    def test_a_delivery_is_scheduled_for_a_large_contract(self):
        self.open("deliveries?contract=240500-000")
        self.press("schedule")
        before = self.js("return document.querySelectorAll('#list .cell').length")
        self.fill(Weight="1000")
        self.wait(lambda: self.js("return document.querySelectorAll('#list .cell').length") == before + 1, "another cell")


class SearchTest(BrowserTest):
    """Tests of searches and of links between views."""

    def test_each_letter_typed_into_the_search_requests_a_changeset(self):
        self.open("mountains")
        before = self.js("return document.querySelectorAll('#list .cell').length")
        field = self.one("#query input[type=search]")
        for index, letter in enumerate("mont"):
            field.send_keys(letter)
            text = "mont"[:index + 1]
            self.wait(lambda: f"q={text}&" in self.text("#exchanges li:first-child .path"), "the question")
        self.wait(lambda: self.js("return document.querySelectorAll('#list .cell').length") < before, "fewer mountains")
        self.assertTrue(self.js("return document.activeElement === arguments[0]", field))
        self.wait_for_state("live")
        snapshots = [answer for answer in self.texts("#exchanges .answer") if "snapshot" in answer]
        self.assertEqual(len(snapshots), 1)

    def test_a_link_opens_a_view_and_the_back_button_returns_to_the_previous_view(self):
        self.open("artist")
        title = self.text("#title")
        album = self.one('[data-type="album"] a')
        album.click()
        self.wait(lambda: self.text("#title") != title, "the album")
        self.assertIn("album=", self.browser.current_url)
        self.browser.back()
        self.wait(lambda: self.text("#title") == title, "the artist")

    def test_a_link_to_the_previous_view_restores_the_scroll_position(self):
        self.open("artist")
        title = self.text("#title")
        self.js("[...document.querySelectorAll('[data-type=\"track\"]')].at(-1).scrollIntoView()")
        place = self.js("return document.getElementById('scroll').scrollTop")
        self.assertGreater(place, 0)
        self.js("[...document.querySelectorAll('[data-type=\"track\"] a')].at(-1).click()")
        self.wait(lambda: self.text("#title") != title, "the album")
        self.assertEqual(self.js("return document.getElementById('scroll').scrollTop"), 0)
        entries = self.js("return history.length")
        self.one('#back').click()
        self.wait(lambda: self.text("#title") == title, "the artist")
        self.assertEqual(self.js("return [document.getElementById('scroll').scrollTop, history.length]"), [place, entries])

    def test_more_posts_are_loaded_at_the_end_of_the_list(self):
        self.open("posts")
        count = len(self.all('[data-type="post"]'))
        self.one('.footer[data-type="more"] .row').click()
        self.wait(lambda: len(self.all('[data-type="post"]')) > count, "more posts")
        self.assertFalse(self.one("#back").is_displayed())


class FailingUpstreamTest(BrowserTest):
    """Tests of the posts screen whose upstream server fails."""

    @classmethod
    def start_server(cls):
        cls.upstream = ScriptedServer().start()
        cls.addClassCleanup(cls.upstream.remove)
        return Server("--posts-upstream", cls.upstream.origin).start()

    def test_a_failed_load_of_posts_can_be_repeated(self):
        self.open("posts")
        self.wait_for_text('.footer[data-type="failure"]', "Try again")
        posts = [{"userId": 1, "id": number, "title": f"Post {number}", "body": "Text"} for number in range(1, 4)]
        self.upstream.answers["GET", "/posts"] = (200, posts)
        self.one('.footer[data-type="failure"] button').click()
        self.wait(lambda: len(self.all('[data-type="post"]')) == 3, "the posts")
        self.wait(lambda: not self.all('.footer[data-type="failure"]'), "the failure to go")


class WiFiTest(BrowserTest):
    """Tests of the Wi-Fi screen, which changes automatically."""

    def test_rows_of_networks_keep_their_dom_nodes_and_the_focus_after_new_scans(self):
        self.open("wifi")
        self.js("""
            window.nodes = new Map([...document.querySelectorAll('#list .cell')].map((node) => [node.dataset.id, node]));
            document.querySelector('[data-id="atelier"] button').focus();
        """)
        before = self.text("#exchanges .method").count("EVENT")
        self.wait(lambda: self.text("#exchanges .method").count("EVENT") >= before + 2, "two scans")
        same = self.js("return [...document.querySelectorAll('#list .cell')].filter(({ dataset }) => nodes.has(dataset.id))"
                       ".every((node) => nodes.get(node.dataset.id) === node)")
        self.assertTrue(same)
        self.assertEqual(self.js("return document.activeElement.closest('.cell').dataset.id"), "atelier")

    def test_a_network_is_joined_with_a_password_and_forgotten(self):
        self.expects_failed_requests = True
        self.open("wifi")
        self.js("arguments[0].click()", self.cell("grange").find_element("css selector", "button"))
        field = self.one("#sheet input")
        self.assertEqual(field.get_attribute("type"), "password")
        field.send_keys("short", Keys.ENTER)
        self.wait_for_text("#sheet .error", "8")
        field.send_keys(" no more", Keys.ENTER)
        self.wait(lambda: ["joined", ["grange"]] in self.ids(), "the network to be joined")
        self.js("arguments[0].click()", self.cell("grange").find_element("css selector", ".act"))
        self.one("#sheet .destructive").click()
        self.wait(lambda: "joined" not in [section for section, _ in self.ids()], "the network to be forgotten")

    def test_the_wifi_switch_has_the_role_of_a_switch_for_screen_readers(self):
        self.open("wifi")
        switch = self.one('[role="switch"]')
        self.assertEqual(switch.get_attribute("aria-checked"), "true")
        switch.send_keys(Keys.SPACE)
        self.wait(lambda: self.ids() == [["power", ["power"]]], "the networks to go")
        self.assertEqual(switch.get_attribute("aria-checked"), "false")
        switch.send_keys(Keys.SPACE)
        self.wait(lambda: len(self.ids()) > 1, "the networks to come back")
