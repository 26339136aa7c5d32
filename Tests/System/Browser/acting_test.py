"""What a user can do with a screen."""

from selenium.webdriver.common.keys import Keys

from driving.browser import BrowserTest
from driving.stranger import Stranger
from serving import Server


class SettingsTest(BrowserTest):
    """Editing a form."""

    def test_a_name_is_edited(self):
        self.open("settings")
        self.cell("firstName").find_element("css selector", "button").click()
        field = self.one("#sheet input")
        self.assertEqual(self.js("return document.activeElement === arguments[0]", field), True)
        field.clear()
        field.send_keys("Chloé", Keys.ENTER)
        self.wait_for_text('[data-id="firstName"] .value', "Chloé")
        self.wait(lambda: not self.all("#sheet:not([hidden])"), "the sheet to close")
        self.assertEqual(self.js("return document.activeElement.closest('.cell')?.dataset.id"), "firstName")
        self.wait_for_text("#announcer", "1 field changed")

    def test_an_error_stands_at_its_field_until_it_is_mended(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.cell("email").find_element("css selector", "button").click()
        field = self.one("#sheet input")
        field.clear()
        field.send_keys("nobody", Keys.ENTER)
        self.wait_for_text("#sheet .field .error", " ")
        self.assertEqual(field.get_attribute("aria-invalid"), "true")
        described = self.js("return document.getElementById(arguments[0].getAttribute('aria-describedby')).textContent", field)
        self.assertEqual(described, self.text("#sheet .field .error"))
        field.clear()
        field.send_keys("ada@hodor.hodor", Keys.ENTER)
        self.wait_for_text('[data-id="email"] .value', "ada@hodor.hodor")
        self.wait(lambda: not self.all("#sheet:not([hidden])"), "the sheet to close")

    def test_an_account_is_connected_at_once(self):
        self.open("settings")
        self.assertEqual(len(self.all('[data-type="invitation"]')), 1)
        self.cell("connect").find_element("css selector", "button").click()
        self.wait(lambda: not self.all('#list [data-type="invitation"]'), "the invitation to go")

    def test_a_sheet_is_left_with_the_escape_key(self):
        self.open("settings")
        opener = self.cell("familyName").find_element("css selector", "button")
        opener.click()
        self.assertTrue(self.one("#scroll").get_property("inert"))
        self.one("#sheet input").send_keys(Keys.ESCAPE)
        self.assertFalse(self.one("#sheet").is_displayed())
        self.assertTrue(self.js("return document.activeElement === arguments[0]", opener))
        self.assertFalse(self.one("#scroll").get_property("inert"))

    def test_a_form_that_is_being_filled_in_survives_changes_behind_it(self):
        self.open("settings")
        self.cell("familyName").find_element("css selector", "button").click()
        field = self.one("#sheet input")
        field.send_keys("Half a na")
        self.server.perform("settings", "rename", firstName="Grace")
        self.wait_for_text('[data-id="firstName"] .value', "Grace")
        self.assertEqual(field.get_property("value"), "Half a na")
        self.assertTrue(self.js("return document.activeElement === arguments[0]", field))

    def test_the_layout_is_a_choice_that_moves_cells(self):
        self.open("settings")
        email = self.cell("email")
        self.one('#query [value="merged"]').find_element("xpath", "..").click()
        self.wait(lambda: [section for section, _ in self.ids()] == ["userInfo"], "one section")
        self.assertEqual(self.cell("email"), email)
        self.assertIn("layout=merged", self.browser.current_url)


class DeliveriesTest(BrowserTest):
    """Weighing, scheduling and cancelling."""

    def choose(self, identifier, title):
        self.cell(identifier).find_element("css selector", ".more").click()
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
        self.wait_for_text("#announcer", "1 delivery moved")

    def test_a_weight_changes_cell_day_and_contract(self):
        self.open("deliveries")
        total = self.text('[data-id="delivered"] .value')
        self.choose("7561-1", "Weigh")
        self.fill(Weight="4000")
        self.wait_for_text('[data-id="7561-1"] .value', "4.000")
        self.assertNotEqual(self.text('[data-id="delivered"] .value'), total)

    def test_a_rule_that_is_broken_is_told_at_its_field(self):
        self.expects_failed_requests = True
        self.open("deliveries")
        self.choose("7534-1", "Weigh")
        self.fill(Weight="90000")
        self.wait(lambda: self.text("#sheet .field .error").strip(), "the error")
        self.assertEqual(self.all('#sheet [aria-invalid="true"]'), [self.js("return document.activeElement")])

    def test_a_large_contract_is_scheduled_to(self):
        self.open("deliveries?contract=240500-000")
        self.cell("schedule").find_element("css selector", "button").click()
        before = self.js("return document.querySelectorAll('#list .cell').length")
        self.fill(Weight="1000")
        self.wait(lambda: self.js("return document.querySelectorAll('#list .cell').length") == before + 1, "another cell")


class SearchTest(BrowserTest):
    """A letter at a time."""

    def test_each_letter_is_a_changeset(self):
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

    def test_what_was_typed_fast_ends_as_the_last_letter_says(self):
        self.open("mountains")
        self.one("#query input[type=search]").send_keys("matterhorn")
        self.wait(lambda: [len(cells) for _, cells in self.ids()] == [1], "one mountain")
        self.assertTrue(self.browser.current_url.endswith("q=matterhorn&locale=en"))

    def test_a_link_leads_to_a_screen_and_back(self):
        self.open("artist")
        title = self.text("#title")
        album = self.one('[data-type="album"] a')
        album.click()
        self.wait(lambda: self.text("#title") != title, "the album")
        self.assertIn("album=", self.browser.current_url)
        self.browser.back()
        self.wait(lambda: self.text("#title") == title, "the artist")

    def test_a_link_to_where_one_came_from_leads_back_to_what_was_being_read(self):
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

    def test_more_is_loaded_at_the_end(self):
        self.open("posts")
        count = len(self.all('[data-type="post"]'))
        self.one('.footer[data-type="more"] .row').click()
        self.wait(lambda: len(self.all('[data-type="post"]')) > count, "more posts")
        self.assertFalse(self.one("#back").is_displayed())


class UpstreamTest(BrowserTest):
    """Posts that come from elsewhere."""

    @classmethod
    def start_server(cls):
        cls.upstream = Stranger().start()
        cls.addClassCleanup(cls.upstream.remove)
        return Server("--posts-upstream", cls.upstream.origin).start()

    def test_what_could_not_be_loaded_is_tried_again(self):
        self.open("posts")
        self.wait_for_text('.footer[data-type="failure"]', "Try again")
        posts = [{"userId": 1, "id": number, "title": f"Post {number}", "body": "Text"} for number in range(1, 4)]
        self.upstream.answers["GET", "/posts"] = (200, posts)
        self.one('.footer[data-type="failure"] button').click()
        self.wait(lambda: len(self.all('[data-type="post"]')) == 3, "the posts")
        self.wait(lambda: not self.all('.footer[data-type="failure"]'), "the failure to go")


class WiFiTest(BrowserTest):
    """A screen that changes by itself."""

    def test_networks_change_while_one_looks_and_stay_the_same_nodes(self):
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

    def test_the_switch_is_a_switch(self):
        self.open("wifi")
        switch = self.one('[role="switch"]')
        self.assertEqual(switch.get_attribute("aria-checked"), "true")
        switch.send_keys(Keys.SPACE)
        self.wait(lambda: self.ids() == [["power", ["power"]]], "the networks to go")
        self.assertEqual(switch.get_attribute("aria-checked"), "false")
        switch.send_keys(Keys.SPACE)
        self.wait(lambda: len(self.ids()) > 1, "the networks to come back")
