"""What the page shows and lets one try: two phones, stages, edits, a tour, faults, code."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from driving.browser import BrowserTest


class TellingTest(BrowserTest):
    """One screen on one or two phones."""

    def value(self, identifier, phone=1):
        return self.text(f'.device:nth-child({phone}) .list [data-id="{identifier}"] .value')

    def edit(self, title):
        self.wait(lambda: title in self.texts("#edits .edit"), title)
        [button] = [node for node in self.all("#edits .edit") if node.text == title]
        button.click()

    def lines(self):
        return len(self.all("#exchanges li"))

    def held(self):
        return self.js("return document.querySelector('#notice-text').textContent")

    def test_what_is_done_on_one_phone_shows_on_the_other_and_travels_once_to_each(self):
        self.look(width=1440)
        self.open("settings")
        self.wait(lambda: len(self.all(".device")) == 2 and self.text(".device:nth-child(2) .connection") == "Live", "two phones")
        self.js("document.querySelector('.device:nth-child(2) .list [data-id=\"firstName\"] button').click()")
        self.js("document.querySelector('.device:nth-child(2) .sheet input').value = 'Both'")
        self.js("document.querySelector('.device:nth-child(2) .sheet .done').click()")
        for phone in [1, 2]:
            self.wait(lambda: self.value("firstName", phone) == "Both", f"phone {phone} to follow")
        # The action and the events of both are one line.
        self.wait(lambda: "both phones" in self.text("#exchanges li:first-child .answer"), "both phones on one line")
        self.wait(lambda: "POST" in self.text("#exchanges li:first-child"), "the action on the same line")
        self.assertIn("EVENT", self.text("#exchanges li:first-child"))

    def test_all_that_was_sent_is_counted_against_whole_screens(self):
        self.open("settings")
        sent = self.run_module("""
            const files = performance.getEntriesByType('resource').filter(({ name }) => new URL(name).pathname.startsWith('/screens'));
            return files.filter(({ name }) => !name.includes('/changes')).reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0);
        """)
        self.assertEqual(self.text("#sent"), f"{sent / 1000:.1f} kB")
        self.server.perform("settings", "rename", firstName="Counted")
        self.wait(lambda: self.value("firstName") == "Counted", "the name")
        self.assertIn("instead of", self.text("#instead"))

    def test_a_change_is_gone_through_stage_by_stage(self):
        self.open("settings?layout=merged")
        merged = self.ids()
        self.js("location.hash = '#/settings'")
        self.wait(lambda: len(self.ids()) == 2, "two sections")
        stages = len(self.all("#explanation .stage"))
        self.assertGreater(stages, 1)
        self.one("#stage-back").click()
        self.wait_for_text("#version", f"Stage {stages - 1} of {stages}")
        self.assertEqual(self.text("#connection"), f"Stage {stages - 1} of {stages}")
        for _ in range(stages - 1):
            self.one("#stage-back").click()
        self.assertEqual(self.ids(), merged)
        self.assertEqual(self.js("return document.activeElement.id"), "stage-back")
        shown = []
        for stage in range(1, stages + 1):
            self.one("#stage-forward").click()
            self.wait_for_text("#version", f"Stage {stage} of {stages}")
            shown.append(self.ids())
        self.assertEqual([section for section, _ in shown[-1]], ["userInfo", "account"])
        self.assertEqual(len(self.all("#explanation .stage[aria-current]")), 1)
        self.one("#present").click()
        self.wait(lambda: self.text("#connection") == "Live", "the present")

    def test_an_operation_its_line_of_json_and_its_rows_light_up_together(self):
        self.open("settings")
        self.server.perform("settings", "rename", firstName="Lit")
        self.wait(lambda: self.all("#explanation .line[data-verb=update]"), "the explanation")
        self.js("document.getElementById('document-fold').open = true")
        for selector in ["#explanation .line", "#document .operation"]:
            self.js("document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))", selector)
            for part in ["#explanation .line", "#document .operation", '#list [data-id="firstName"]']:
                self.assertEqual(self.one(part).get_attribute("data-lit"), "update", f"{part} by {selector}")
            self.js("document.querySelector(arguments[0]).parentNode.closest('#explanation, #document').dispatchEvent(new PointerEvent('pointerleave'))", selector)
        self.assertEqual(self.all("[data-lit]"), [])

    def test_nothing_moves_under_a_finger_and_what_waits_is_told(self):
        self.open("deliveries")
        self.js("document.querySelector('#list .cell').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))")
        before = self.ids()
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-14")
        self.wait(lambda: self.held() == "1 change waits", "the change to wait")
        self.assertEqual(self.ids(), before)
        self.js("document.querySelector('#list').dispatchEvent(new PointerEvent('pointerleave'))")
        self.wait(lambda: self.ids() != before, "the change")
        self.assertFalse(self.one("#notice").is_displayed())
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-12")

    def test_a_row_that_the_keyboard_is_on_stays_until_it_is_left(self):
        self.open("deliveries")
        self.one("#skip").send_keys(Keys.ENTER)
        self.js("document.querySelector('#list').focus()")
        self.js("const focus = document.querySelector('#list .row[type=button], #list button'); focus.focus({ focusVisible: true })")
        before = self.ids()
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-15")
        self.wait(lambda: self.held() == "1 change waits", "the change to wait")
        self.assertEqual(self.ids(), before)
        self.one("#notice-act").click()
        self.wait(lambda: self.ids() != before, "the change")
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-12")

    def test_motion_can_be_paused(self):
        self.open("wifi")
        self.one("#pause").click()
        self.assertEqual(self.text("#connection"), "Paused")
        networks = self.ids()
        self.wait(lambda: "wait" in self.held(), "a scan to wait")
        self.assertEqual(self.ids(), networks)
        self.one("#pause").click()
        self.assertEqual(self.text("#connection"), "Live")
        self.wait(lambda: not self.one("#notice").is_displayed(), "nothing to wait")

    def test_the_past_is_never_called_live_and_the_explanation_follows_the_slider(self):
        self.open("settings")
        for name in ["One", "Two"]:
            self.server.perform("settings", "rename", firstName=name)
            self.wait(lambda: self.value("firstName") == name, name)
        self.one("#older").click()
        self.assertEqual(self.text("#connection"), "Version 2 of 3")
        self.assertIn("One", self.text("#explanation"))
        self.assertNotIn("Two", self.text("#explanation").split("→")[-1])
        self.assertEqual(self.text("#exchanges [aria-current] .answer"), self.text("#exchanges li:nth-child(2) .answer"))
        self.one("#notice-act").click()
        self.assertEqual(self.text("#connection"), "Live")
        self.assertIn("Two", self.text("#explanation"))
        self.assertNotEqual(self.js("return document.activeElement"), self.one("body"))

    def test_each_edit_of_each_example_changes_something_and_data_go_back(self):
        for screen in ["settings", "deliveries", "posts", "mountains", "artist", "wifi"]:
            with self.subTest(screen):
                if screen in ["settings", "deliveries", "wifi"]:
                    self.server.perform(screen, "restore")
                self.open(screen)
                self.wait(lambda: self.all("#edits .edit"), "edits")
                first = self.server.get(f"/screens/{screen}")
                for index in range(len(self.all("#edits .edit"))):
                    version = self.js("return document.querySelector('#version').textContent")
                    buttons = self.all("#edits .edit")
                    if index >= len(buttons) or buttons[index].text == "Back to the example data":
                        continue
                    buttons[index].click()
                    self.wait(lambda: self.js("return document.querySelector('#version').textContent") != version, f"edit {index} to change something")
                    self.assertFalse(self.js("return document.querySelector('#notice').dataset.kind === 'problem'"))
                if screen in ["settings", "deliveries", "wifi"]:
                    self.server.perform(screen, "restore")
                    if screen != "wifi":
                        self.assertEqual(self.server.get(f"/screens/{screen}")["sections"], first["sections"])

    def test_who_arrives_is_shown_around_until_they_touch_anything_and_the_data_are_as_they_were(self):
        before = self.server.get("/screens/deliveries")["version"]
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/")
        self.wait(lambda: "changes by itself" in self.text("#edits .caption"), "the tour")
        self.assertEqual(self.one("#edits .demonstration").text, "Stop the demonstration")
        self.wait(lambda: self.browser.current_url.endswith("q=mont&locale=en"), "the search")
        self.wait(lambda: "another day" in self.text("#edits .caption"), "the delivery to move")
        self.wait(lambda: self.server.get("/screens/deliveries")["version"] != before, "the delivery to have moved")
        self.one("body").send_keys(Keys.SHIFT)
        self.wait(lambda: self.one("#edits .demonstration").text == "Show me around", "the tour to stop")
        self.assertEqual(self.server.get("/screens/deliveries")["version"], before)

    def test_who_wants_no_motion_is_not_shown_around(self):
        self.look(motion="reduce")
        self.browser.get(f"{self.server.origin}/")
        self.wait(lambda: self.all("#edits .demonstration"), "the page")
        self.assertEqual(self.one("#edits .demonstration").text, "Show me around")

    def test_faults_can_be_switched_on_and_are_recovered_from(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.js("document.getElementById('breaking').open = true")
        offline = self.one("#breaking .switch input")
        offline.click()
        self.wait_for_state("reconnecting")
        self.server.perform("settings", "rename", firstName="Away")
        offline.click()
        self.wait(lambda: self.value("firstName") == "Away", "what happened meanwhile")
        forget, damage = self.all("#breaking button")
        forget.click()
        self.wait(lambda: "unknown-version" in self.text("#exchanges"), "a snapshot")
        self.wait_for_state("live")
        damage.click()
        self.server.perform("settings", "rename", firstName="Mended")
        self.wait(lambda: self.value("firstName") == "Mended", "the recovery")
        self.assertIn("does not fit", self.text("#exchanges"))

    def test_the_code_of_the_screen_stands_beside_it_folded(self):
        self.open("mountains")
        self.js("document.getElementById('code').open = true")
        self.wait(lambda: "func content(for request" in self.text("#code .open"), "the code")
        folded = self.all("#code details.folded")
        self.assertGreater(len(folded), 0)
        self.assertFalse(any(node.get_property("open") for node in folded))

    def test_all_is_french_where_french_is_asked_for(self):
        self.look(width=1440)
        self.open("deliveries?locale=fr")
        self.wait(lambda: len(self.all(".device")) == 2 and self.text(".device:nth-child(2) .connection") == "En direct", "two phones")
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-16")
        self.wait(lambda: self.all("#explanation .line"), "the explanation")
        for part in ["breaking", "code"]:
            self.js("document.getElementById(arguments[0]).open = true", part)
        said = self.js("return document.body.innerText.replace(document.getElementById('code').innerText, '')")
        for word in ["Live", "Version 1 of", "Timeline", "What", "Repeat", "Break", "Slow", "Offline", "moved", "Search", "Try", "Back"]:
            self.assertNotIn(word, said)
        labels = self.js("return [...document.querySelectorAll('[aria-label]')].map((node) => node.getAttribute('aria-label')).join('\\n')")
        for word in ["Screens", "Older", "Newer", "Pause changes", "Parameters", "More:"]:
            self.assertNotIn(word, labels)
        self.server.perform("deliveries", "restore")

    def test_what_the_protocol_refuses_is_said_in_the_language_of_the_page(self):
        self.expects_failed_requests = True
        self.open("posts?locale=fr")
        self.js("location.hash = '#/posts?limit=0&locale=fr'")
        self.wait_for_text("#parameters .error", "Ce doit être un nombre entier de 1 à 1000.")
        self.open("deliveries?locale=fr")
        self.cell("schedule").find_element("css selector", "button").click()
        self.js("for (const input of document.querySelectorAll('#sheet input')) input.value = ''")
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet .error", "Ce doit être une date.")
        self.assertNotIn("must", self.text("#sheet"))

    def test_an_explanation_that_is_being_read_is_not_taken_away(self):
        self.open("settings")
        self.server.perform("settings", "rename", firstName="Read")
        self.wait(lambda: "Read" in self.text("#explanation"), "the explanation")
        self.js("document.querySelector('#inspector .detail').dispatchEvent(new PointerEvent('pointerenter'))")
        self.server.perform("settings", "rename", firstName="Newer")
        self.wait(lambda: self.value("firstName") == "Newer", "the newer name")
        self.assertNotIn("Newer", self.text("#explanation"))
        self.js("document.querySelector('#inspector .detail').dispatchEvent(new PointerEvent('pointerleave'))")
        self.assertIn("Newer", self.text("#explanation"))

    def test_a_language_that_there_is_not_leaves_a_way_on(self):
        self.expects_failed_requests = True
        self.open("settings?locale=de")
        self.assertIn("de", self.text("#locales .error"))
        self.assertTrue(self.browser.current_url.endswith("locale=en"))

    def test_a_screen_that_there_is_not_leads_to_one_that_there_is(self):
        self.expects_failed_requests = True
        self.browser.get(f"{self.server.origin}/#/nothing")
        self.wait_for_text("#notice-text", "nothing")
        self.one("#notice-act").click()
        self.wait_for_text("#title", "Settings")

    def test_a_contract_is_chosen(self):
        self.open("deliveries")
        select = self.one("#parameters select")
        self.assertEqual([option.text for option in select.find_elements(By.TAG_NAME, "option")][0], "ORGE PLANET")
        self.js("arguments[0].value = '240233-000'; arguments[0].dispatchEvent(new Event('input', { bubbles: true }))", select)
        self.wait_for_text("#title", "RUBISKO")
        self.assertIn("contract=240233-000", self.browser.current_url)

    def test_the_width_that_is_sent_is_the_one_that_is_shown(self):
        self.open("artist")
        sent = self.js("return new URLSearchParams(location.hash.split('?')[1] ?? '').get('width')")
        self.assertIsNone(sent)
        path = self.js("return [...document.querySelectorAll('#exchanges .path')].map((node) => node.textContent).find((path) => path.includes('/artist'))")
        self.assertIn(f"width={self.one('#parameters input[name=width]').get_property('value')}", path)

    def test_a_link_to_where_one_is_leads_nowhere_and_does_again_elsewhere(self):
        links = "return [...document.querySelectorAll('#list [data-type=track]')].map((node) => node.querySelector('a') !== null)"
        self.open("artist?album=timetables")
        self.assertEqual(set(self.js(links)), {False})
        self.one("#back").click()
        self.wait(lambda: self.all("#list [data-type=artist]"), "the artist")
        self.wait(lambda: set(self.js(links)) == {True}, "links")
        self.js("document.querySelector('#list [data-id=track-timetables-1] a').click()")
        self.wait(lambda: not self.all("#list [data-type=artist]"), "the album")
        self.wait(lambda: set(self.js(links)) == {False}, "no links")
        self.assertEqual(self.js("return document.querySelector('#title').className"), "title unseen")

    def test_a_sheet_keeps_the_tab_key_and_is_closed_by_going_back(self):
        self.open("settings")
        self.cell("firstName").find_element("css selector", "button").click()
        self.one("#sheet input")
        reached = set()
        for keys in [Keys.TAB] * 4 + [Keys.SHIFT + Keys.TAB] * 4:
            self.browser.switch_to.active_element.send_keys(keys)
            self.assertTrue(self.js("return document.getElementById('sheet').contains(document.activeElement)"))
            reached.add(self.js("return document.activeElement.className || document.activeElement.tagName"))
        self.assertGreater(len(reached), 2)
        self.server.perform("settings", "rename", familyName="Meanwhile")
        self.wait(lambda: self.value("familyName") == "Meanwhile", "the change behind it")
        self.assertTrue(self.one("#scroll").get_property("inert"))
        address = self.browser.current_url
        self.browser.back()
        self.wait(lambda: not self.one("#sheet").is_displayed(), "the sheet to close")
        self.assertEqual(self.browser.current_url, address)

    def test_a_delivery_is_deleted_only_after_a_question(self):
        self.open("deliveries")
        self.cell("7556-1").find_element("css selector", ".more").click()
        red = self.one("#sheet .destructive")
        self.assertEqual(red.text, "Delete delivery")
        red.click()
        self.wait(lambda: self.texts("#sheet .ends button") == ["Keep it", "Delete delivery"], "the question")
        self.one("#sheet .cancel").click()
        self.assertIn("7556-1", str(self.ids()))
        self.cell("7556-1").find_element("css selector", ".more").click()
        self.one("#sheet .destructive").click()
        self.one("#sheet .done.destructive").click()
        self.wait(lambda: "7556-1" not in str(self.ids()), "the delivery to go")
        self.server.perform("deliveries", "restore")
        self.wait(lambda: "7556-1" in str(self.ids()), "the example data")

    def test_a_password_stands_in_no_line_for_a_shell(self):
        self.open("settings")
        self.cell("password").find_element("css selector", "button").click()
        self.one("#sheet input").send_keys("correct horse", Keys.ENTER)
        self.wait(lambda: not self.all("#sheet:not([hidden])"), "the sheet to close")
        self.wait(lambda: any("changePassword" in path for path in self.texts("#exchanges .path")), "the action")
        self.js("[...document.querySelectorAll('#exchanges button')].find((node) => node.textContent.includes('changePassword')).click()")
        self.assertIn("changePassword", self.text("#curl"))
        self.assertNotIn("correct horse", self.text("body"))
