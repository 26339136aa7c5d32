"""A page that stays open while its server or its network comes and goes."""

from driving.browser import BrowserTest


class ConnectionTest(BrowserTest):
    """It says that it is not current, and catches up by a changeset."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.be_online)
        self.renames = 0

    def be_online(self, is_online=True):
        self.browser.execute_cdp_cmd("Network.enable", {})
        conditions = {"offline": not is_online, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", conditions)

    def last_answers(self, count):
        return self.texts("#exchanges .exchange")[:count]

    def test_what_others_change_comes_by_itself(self):
        self.open("settings")
        node = self.cell("email")
        self.server.perform("settings", "rename", firstName="Ada")
        self.wait_for_text('[data-id="firstName"] .value', "Ada")
        [answer] = self.last_answers(1)
        self.assertTrue(answer.startswith("EVENT"), answer)
        self.assertIn("instead of", answer)
        self.assertEqual(self.cell("email"), node)

    def test_a_server_that_restarts_is_waited_for_and_caught_up_with(self):
        self.expects_failed_requests = True
        self.open("settings")
        node = self.cell("email")
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.assertIn("Reconnecting", self.text("#connection"))
        self.assertEqual(self.cell("email"), node)
        self.server.start()
        self.server.perform("settings", "rename", familyName="Restarted")
        self.wait_for_text('[data-id="familyName"] .value', "Restarted")
        self.wait_for_state("live")
        [answer] = self.last_answers(1)
        self.assertTrue(answer.startswith("EVENT"), answer)
        self.assertNotIn("snapshot", answer)
        self.assertEqual(self.cell("email"), node)

    def test_an_action_that_is_not_heard_is_tried_again_under_its_key(self):
        self.expects_failed_requests = True
        self.open("settings?layout=merged")
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.cell("connect").find_element("css selector", "button").click()
        self.wait_for_text("#notice-text", "did not hear it")
        self.assertTrue(self.one("#notice-act").is_displayed())
        self.server.start()
        self.wait_for_state("live")
        self.one("#notice-act").click()
        self.wait(lambda: not self.all('#list [data-type="invitation"]'), "the invitation to go")
        self.assertFalse(self.one("#notice").is_displayed())
        curls = self.run_module("""
            const found = [];
            for (const button of document.querySelectorAll('#exchanges button')) {
              if (!button.textContent.includes('/actions/connect')) continue;
              button.click();
              found.push(document.getElementById('curl').textContent.match(/Idempotency-Key: (\\w+)/)[1]);
            }
            return found;
        """)
        self.assertEqual(len(curls), 2)
        self.assertEqual(len(set(curls)), 1)

    def test_a_form_is_sent_again_after_a_server_that_was_away(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.cell("firstName").find_element("css selector", "button").click()
        self.js("arguments[0].value = 'Late'", self.one("#sheet input"))
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet .error", "out of reach")
        self.server.start()
        self.one("#sheet .done").click()
        self.wait_for_text('[data-id="firstName"] .value', "Late")

    def test_a_hidden_page_lets_go_of_its_stream_and_catches_up(self):
        self.open("settings")
        self.wait(lambda: self.server.metrics()["relist_followed_views"] == 1, "the stream to be the only one")
        self.browser.switch_to.new_window("tab")
        self.wait(self.nobody_follows, "the stream to be left")
        self.browser.close()
        [first] = self.browser.window_handles
        self.browser.switch_to.window(first)
        self.wait_for_text('[data-id="firstName"] .value', f"Unseen {self.renames}")
        self.wait_for_state("live")

    def nobody_follows(self):
        """A stream that was left is found when something is to be written to it: so there is something each time."""
        self.renames += 1
        self.server.perform("settings", "rename", firstName=f"Unseen {self.renames}")
        return self.server.metrics()["relist_followed_views"] == 0

    def test_offline_and_back(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.be_online(False)
        self.wait_for_state("reconnecting")
        self.server.perform("settings", "rename", firstName="Meanwhile")
        self.be_online()
        self.wait_for_state("live")
        self.wait_for_text('[data-id="firstName"] .value', "Meanwhile")
        self.assertNotIn("snapshot", self.last_answers(1)[0])

    def test_a_screen_that_is_come_back_to_while_the_server_is_away_is_shown_again(self):
        self.expects_failed_requests = True
        self.open("deliveries")
        before = self.ids()
        self.server.stop()
        self.wait_for_state("reconnecting")
        for screen in ["posts", "deliveries"]:
            self.js("location.hash = arguments[0]", f"#/{screen}")
            self.wait_for_text("#screens [aria-current]", screen.capitalize())
        self.assertEqual(self.ids(), before)
        self.server.start()
        self.wait_for_state("live")
        self.assertEqual(self.ids(), before)

    def test_a_page_that_is_opened_before_its_server_is_back_comes_up_by_itself(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.js("location.hash = '#/deliveries'")
        self.wait_for_text("#title", "Deliveries")
        self.server.start()
        self.wait_for_text("#title", "ORGE PLANET")
        self.wait_for_state("live")

    def test_a_question_that_is_wrong_is_told_at_its_parameter(self):
        self.expects_failed_requests = True
        self.open("deliveries")
        self.js("location.hash = '#/deliveries?from=yesterday'")
        self.wait_for_text("#parameters .error", "date")
        self.js("location.hash = '#/deliveries'")
        self.wait(lambda: not self.text("#parameters .error").strip(), "the error to go")
        self.wait_for_state("live")

    def test_a_screen_that_there_is_not_is_told(self):
        self.expects_failed_requests = True
        self.browser.get(f"{self.server.origin}/#/nothing")
        self.wait_for_text("#notice-text", "nothing")
        self.js("location.hash = '#/settings'")
        self.wait_for_text("#title", "Settings")
        self.assertFalse(self.one("#notice").is_displayed())
