"""Tests of the demonstration: two phones, stages, edits, the tour, faults and code."""

import subprocess

from driving.browser import BrowserTest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from serving import Server


class DemonstrationTest(BrowserTest):
    """Tests of the page with one or two phones."""

    def value(self, identifier, phone=1):
        return self.text(f'.device:nth-child({phone}) .list [data-id="{identifier}"] .value')

    def notice(self):
        return self.text("#notice-text")

    def test_an_action_on_one_phone_is_shown_on_both_phones_and_is_one_entry_of_the_inspector(self):
        self.look(width=1440)
        self.open("settings")
        self.wait_for_phones(2)
        self.js("document.querySelector('.device:nth-child(2) .list [data-id=\"firstName\"] button').click()")
        self.js("document.querySelector('.device:nth-child(2) .sheet input').value = 'Both'")
        self.js("document.querySelector('.device:nth-child(2) .sheet .done').click()")
        for phone in [1, 2]:
            self.wait(lambda: self.value("firstName", phone) == "Both", f"phone {phone} to follow")
        # The action and the events on both phones are one entry.
        self.wait(lambda: "both phones" in self.text("#exchanges li:first-child .answer"), "one entry for both phones")
        self.wait(lambda: "POST" in self.text("#exchanges li:first-child"), "the action in the same entry")
        self.assertIn("EVENT", self.text("#exchanges li:first-child"))

    def test_the_stages_of_a_changeset_can_be_shown_one_by_one(self):
        self.open("settings?layout=merged")
        merged = self.ids()
        self.js("location.hash = '#/settings'")
        self.wait(lambda: len(self.ids()) == 2, "two sections")
        stages = len(self.all("#explanation .stage"))
        self.assertGreater(stages, 1)
        self.one("#stage-back").click()
        self.wait_for_text("#version", f"Stage {stages - 1} of {stages}")
        self.assertEqual(self.text("#connection"), f"Stage {stages - 1} of {stages}")
        self.assertEqual(self.text("#inspector output"), f"Stage {stages - 1} of {stages}", "the stage is announced")
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
        self.assertIn("Version", self.text("#inspector output"))
        self.server.perform("settings", "rename", firstName="Unheard")
        self.wait(lambda: self.text("#inspector output") == "", "a version that the user has not chosen")

    def test_an_operation_its_json_and_its_rows_are_highlighted_together(self):
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

    def test_changes_are_not_shown_while_the_pointer_is_on_the_list(self):
        self.open("deliveries")
        self.js("document.querySelector('#list .cell').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))")
        before = self.ids()
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-14")
        self.wait(lambda: self.notice() == "1 new change, held while your pointer is here", "the change to wait")
        self.assertEqual(self.ids(), before)
        self.js("document.querySelector('#list').dispatchEvent(new PointerEvent('pointerleave'))")
        self.wait(lambda: self.ids() != before, "the change")
        self.assertFalse(self.one("#notice").is_displayed())
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-12")

    def test_changes_wait_while_the_keyboard_focus_is_on_a_row_until_the_escape_key_is_pressed(self):
        self.open("deliveries")
        self.one("#skip").send_keys(Keys.ENTER)
        self.js("document.querySelector('#list').focus()")
        self.js("const focus = document.querySelector('#list .row[type=button], #list button'); focus.focus({ focusVisible: true })")
        before = self.ids()
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-15")
        self.wait(lambda: self.notice() == "1 new change, held until you press Escape or leave the row", "the change to wait")
        self.assertEqual(self.ids(), before)
        row = self.browser.switch_to.active_element
        row.send_keys(Keys.ESCAPE)
        self.wait(lambda: self.ids() != before, "the change")
        self.assertEqual(self.browser.switch_to.active_element, row)
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-12")

    def test_a_paused_page_shows_changes_only_after_it_is_resumed(self):
        self.open("wifi")
        self.one("#pause").click()
        self.assertEqual(self.text("#connection"), "Paused")
        networks = self.ids()
        self.wait(lambda: "held while the phone is paused" in self.notice(), "a scan to wait")
        self.assertEqual(self.ids(), networks)
        self.one("#pause").click()
        self.assertEqual(self.text("#connection"), "Live")
        self.wait(lambda: not self.one("#notice").is_displayed(), "the notice to disappear")

    def test_each_edit_of_each_example_changes_something_and_data_can_be_restored(self):
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
                    if index >= len(buttons) or buttons[index].text == "Restore the example data":
                        continue
                    buttons[index].click()
                    self.wait(lambda: self.js("return document.querySelector('#version').textContent") != version, f"edit {index} to change something")
                    self.assertFalse(self.js("return document.querySelector('#notice').dataset.kind === 'problem'"))
                if screen in ["settings", "deliveries", "wifi"]:
                    self.server.perform(screen, "restore")
                    if screen != "wifi":
                        self.assertEqual(self.server.get(f"/screens/{screen}")["sections"], first["sections"])

    def test_the_phones_show_the_row_that_an_edit_changes(self):
        self.look(width=1280, height=800)
        self.open("deliveries?contract=240500-000")
        self.wait_for_phones(2)
        [button] = [button for button in self.all("#edits .edit") if button.text == "Change one weight"]
        before = self.texts(".list .cell[data-type='delivery'] .value")
        self.js("for (const one of document.querySelectorAll('.scroll')) one.scrollTop = 20000")
        button.click()
        self.wait(lambda: self.texts(".list .cell[data-type='delivery'] .value") != before, "the other weight")
        changed = self.js("""
            return [...document.querySelectorAll('.phone')].map((phone) => {
              const frame = phone.querySelector('.scroll').getBoundingClientRect();
              const row = phone.querySelector('.cell[data-type="delivery"]').getBoundingClientRect();
              return [row.top >= frame.top && row.bottom <= frame.bottom, phone.querySelector('.notice').hidden];
            });
        """)
        self.assertEqual(changed, [[True, True]] * 2)

    def test_use_it_names_the_documents_and_leads_to_the_description_of_all_requests(self):
        self.open("mountains")
        self.js("document.getElementById('use').open = true")
        text = self.text("#use")
        self.assertIn("Documentation/Screens.md", text)
        link = self.js("return document.querySelector('#use .openapi').href")
        self.assertEqual(self.server.get(link.removeprefix(self.server.origin))["openapi"], "3.1.0")

    def test_the_lines_for_other_clients_show_the_screen(self):
        self.open("mountains?q=mont")
        self.js("document.getElementById('use').open = true")

        def code(language):
            self.wait(lambda: self.all(f"#use input[value='{language}']"), "the tabs")
            self.js(f"document.querySelector('#use input[value={language}]').click()")
            return self.js("return document.querySelector('#use .usage pre').textContent")

        shown = self.server.get("/screens/mountains?q=mont&locale=en")["version"]
        answer = subprocess.run(["sh", "-c", code("curl").split("\n# Each")[0]], capture_output=True, text=True, check=True)
        self.assertIn(shown, answer.stdout)
        self.assertIn('client.show("mountains", {"q":"mont","locale":"en"})', code("JavaScript"))

    def test_a_server_on_loopback_shows_the_command_that_lets_a_phone_reach_it(self):
        self.open("settings")
        self.js("document.getElementById('use').open = true")
        self.wait(lambda: self.all("#use .segments input"), "the lines")
        self.assertEqual((self.all("#use .qr"), "--host 0.0.0.0" in self.text("#use")), ([], True))

    def test_the_page_recovers_from_simulated_faults(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.js("document.getElementById('breaking').open = true")
        offline = self.one("#breaking .switch input")
        offline.click()
        self.assertEqual(self.text("#breaking [role=status]"), "The phones are offline.")
        self.wait_for_state("reconnecting")
        self.server.perform("settings", "rename", firstName="Away")
        self.wait(lambda: "attempts" in self.text("#exchanges li:first-child .failed"), "failed attempts")
        offline.click()
        self.wait(lambda: self.value("firstName") == "Away", "the missed change")
        forget, damage = self.all("#breaking button")
        forget.click()
        self.wait(lambda: "unknown-version" in self.text("#exchanges"), "a snapshot")
        self.assertIn("the stream ended", self.text("#exchanges li:nth-child(3) .failed"))
        self.assertIn("live again · snapshot", self.text("#exchanges li:nth-child(2)"))
        self.wait_for_state("live")
        damage.click()
        self.assertEqual(damage.get_attribute("aria-pressed"), "true")
        self.assertIn("will be damaged", self.text("#breaking [role=status]"))
        self.rename("Mended")
        self.assertEqual(damage.get_attribute("aria-pressed"), "false")
        self.assertIn("A change was damaged", self.text("#breaking [role=status]"))
        self.assertIn("does not fit", self.text("#exchanges"))

    def test_the_page_says_that_the_shown_data_is_the_example_data(self):
        self.server.perform("deliveries", "restore")
        self.open("deliveries")
        self.perform_edit("Restore the example data")
        self.wait_for_text("#edits .caption:not([hidden])", "This is the example data.")
        self.one("#edits .demonstration").click()
        self.wait_for_text("#edits .caption", "2,000 deliveries")
        self.one("#edits .demonstration").click()
        self.open("deliveries")
        self.perform_edit("Restore the example data")
        self.wait_for_text("#edits .caption:not([hidden])", "This is the example data.")
        self.perform_edit("Change one weight")
        self.wait(lambda: not self.all("#edits .caption:not([hidden])"), "the text to disappear")
        self.wait_for_text("#exchanges", "/actions/weigh")
        version = self.server.get("/screens/deliveries")["version"]
        self.perform_edit("Restore the example data")
        self.wait(lambda: self.server.get("/screens/deliveries")["version"] != version, "the data to be restored")
        self.wait_for_state("live")
        self.assertEqual(self.all("#edits .caption:not([hidden])"), [])

    def test_an_action_succeeds_after_a_simulated_fault(self):
        self.open("settings")
        self.js("document.getElementById('breaking').open = true")
        slow = self.all("#breaking .switch input")[1]
        slow.click()
        slow.click()
        self.wait_for_state("live")
        self.one("#edits .edit").click()
        self.wait(lambda: "actions/rename" in self.text("#exchanges"), "the action")
        self.wait(lambda: self.value("firstName") == "Ada", "the other name")
        self.assertNotIn("no response", self.text("#exchanges"))
        self.assertFalse(self.one("#notice").is_displayed())

    def test_some_parts_of_the_shown_source_code_are_folded_at_first(self):
        self.open("mountains")
        self.js("document.getElementById('code').open = true")
        self.wait(lambda: "func content(for request" in self.text("#code .open"), "the code")
        folded = self.all("#code details.folded")
        self.assertGreater(len(folded), 0)
        self.assertFalse(any(node.get_property("open") for node in folded))

    def test_the_page_is_completely_translated(self):
        self.look(width=1440)
        self.open("deliveries?locale=fr")
        self.wait_for_phones(2)
        self.server.perform("deliveries", "reschedule", delivery="7561-1", day="2018-07-16")
        self.wait(lambda: self.all("#explanation .line"), "the explanation")
        for part in ["breaking", "code"]:
            self.js("document.getElementById(arguments[0]).open = true", part)
        texts = self.js("return document.body.innerText.replace(document.getElementById('code').innerText, '')")
        for word in ["Live", "Version 1 of", "Timeline", "traffic", "Repeat", "faults", "Slow", "Offline", "moved", "Search", "Try", "Restore"]:
            self.assertNotIn(word, texts)
        labels = self.js("return [...document.querySelectorAll('[aria-label]')].map((node) => node.getAttribute('aria-label')).join('\\n')")
        for word in ["Screens", "Older", "Newer", "Pause changes", "Parameters", "More:"]:
            self.assertNotIn(word, labels)
        self.server.perform("deliveries", "restore")

    def test_the_verb_of_an_operation_does_not_overlap_the_text(self):
        for locale in ["en", "fr"]:
            with self.subTest(locale):
                self.open(f"mountains?locale={locale}")
                self.js("location.hash = arguments[0]", f"#/mountains?q=mont&locale={locale}")
                self.wait(lambda: self.all("#explanation .line[data-verb=delete]"), "the explanation")
                gaps = self.js("return [...document.querySelectorAll('#explanation .line')].map(({ firstChild, lastChild }) => {"
                               " const verb = document.createRange();"
                               " verb.selectNodeContents(firstChild);"
                               " return lastChild.getBoundingClientRect().left - verb.getBoundingClientRect().right; })")
                self.assertGreater(min(gaps), 0)

    def test_errors_of_the_protocol_are_translated(self):
        self.expects_failed_requests = True
        self.open("posts?locale=fr")
        self.js("location.hash = '#/posts?limit=0&locale=fr'")
        self.wait_for_text("#parameters .error", "Entrez un nombre entier de 1 à 1\u202f000.")
        self.open("deliveries?locale=fr")
        self.press("schedule")
        self.js("for (const input of document.querySelectorAll('#sheet input')) input.value = ''")
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet .error", "Entrez une date.")
        self.assertNotIn("must", self.text("#sheet"))

    def test_an_explanation_under_the_pointer_is_not_replaced(self):
        self.open("settings")
        self.server.perform("settings", "rename", firstName="Read")
        self.wait(lambda: "Read" in self.text("#explanation"), "the explanation")
        self.js("document.querySelector('#inspector .detail').dispatchEvent(new PointerEvent('pointerenter'))")
        self.rename("Newer")
        self.assertNotIn("Newer", self.text("#explanation"))
        self.js("document.querySelector('#inspector .detail').dispatchEvent(new PointerEvent('pointerleave'))")
        self.assertIn("Newer", self.text("#explanation"))

    def test_an_unknown_language_is_reported_and_replaced(self):
        self.expects_failed_requests = True
        self.open("settings?locale=de")
        self.assertIn("de", self.text("#locales .error"))
        self.assertTrue(self.browser.current_url.endswith("locale=en"))

    def test_a_contract_is_chosen_from_a_list(self):
        self.open("deliveries")
        select = self.one("#parameters select")
        self.assertEqual([option.text for option in select.find_elements(By.TAG_NAME, "option")][0], "ORGE PLANET")
        self.js("arguments[0].value = '240233-000'; arguments[0].dispatchEvent(new Event('input', { bubbles: true }))", select)
        self.wait_for_text("#title", "RUBISKO")
        self.assertIn("contract=240233-000", self.browser.current_url)

    def test_the_width_that_was_sent_to_the_server_is_shown_in_its_control(self):
        self.open("artist")
        sent = self.js("return new URLSearchParams(location.hash.split('?')[1] ?? '').get('width')")
        self.assertIsNone(sent)
        path = self.js("return [...document.querySelectorAll('#exchanges .path')].map((node) => node.textContent).find((path) => path.includes('/artist'))")
        self.assertIn(f"width={self.one('#parameters input[name=width]').get_property('value')}", path)
        self.look(width=375, height=812)
        self.open("artist")
        self.assertEqual(self.one("#parameters input[name=width]").get_property("value"), "343")

    def test_a_link_to_the_shown_view_is_inactive_until_another_view_is_shown(self):
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

    def test_the_tab_key_stays_in_a_sheet_and_the_back_button_closes_the_sheet(self):
        self.open("settings")
        self.press("firstName")
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

    def test_deleting_a_delivery_asks_for_confirmation(self):
        self.open("deliveries")
        self.press("7556-1", ".more")
        red = self.one("#sheet .destructive")
        self.assertEqual(red.text, "Delete delivery")
        red.click()
        self.wait(lambda: self.texts("#sheet .ends button") == ["Keep it", "Delete delivery"], "the question")
        self.assertEqual(self.text("#sheet .heading"), "Delete delivery 7556-1")
        self.one("#sheet .cancel").click()
        self.assertIn("7556-1", str(self.ids()))
        self.press("7556-1", ".more")
        self.one("#sheet .destructive").click()
        self.one("#sheet .done.destructive").click()
        self.wait(lambda: "7556-1" not in str(self.ids()), "the delivery to go")
        self.server.perform("deliveries", "restore")
        self.wait(lambda: "7556-1" in str(self.ids()), "the example data")

    def test_a_curl_command_contains_no_password(self):
        self.open("settings")
        self.press("password")
        self.one("#sheet input").send_keys("correct horse", Keys.ENTER)
        self.wait_until_sheet_closes()
        self.wait(lambda: any("changePassword" in path for path in self.texts("#exchanges .path")), "the action")
        self.js("[...document.querySelectorAll('#exchanges button')].find((node) => node.textContent.includes('changePassword')).click()")
        self.assertIn("changePassword", self.text("#curl"))
        self.assertNotIn("correct horse", self.text("body"))


class ReachableTest(BrowserTest):
    """Tests of a server that other machines reach by a name."""

    @classmethod
    def start_server(cls):
        return Server("--allow-host", "evil.example").start()

    def test_the_address_of_the_screen_is_shown_as_a_code_for_a_phone(self):
        self.browser.get(f"http://evil.example:{self.server.port}/#/settings")
        self.wait(lambda: self.all("#use"), "the page")
        self.js("document.getElementById('use').open = true")
        self.wait(lambda: self.all("#use .qr"), "the code")
        self.assertEqual(self.one("#use .qr").get_attribute("aria-label"), self.browser.current_url)
        self.assertEqual(self.all("#use .address ~ pre"), [])
