"""Tests of an open page whose server or network becomes unreachable."""

from driving.browser import BrowserTest


class ConnectionTest(BrowserTest):
    """Tests that the page shows the state of its connection, and catches up with a changeset when it is connected again."""

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

    def test_changes_by_other_clients_arrive_on_the_stream(self):
        self.open("settings")
        node = self.cell("email")
        self.rename("Ada")
        [answer] = self.last_answers(1)
        self.assertTrue(answer.startswith("EVENT"), answer)
        self.assertIn("instead of", answer)
        self.assertEqual(self.cell("email"), node)

    def test_the_page_catches_up_with_a_restarted_server(self):
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

    def test_an_action_without_a_response_is_repeated_with_its_key(self):
        self.expects_failed_requests = True
        self.open("settings?layout=merged")
        self.js("""
            const send = window.fetch;
            window.keys = [];
            window.fetch = (url, options) => {
              if (url.includes('/actions/connect')) window.keys.push(options.headers['Idempotency-Key']);
              return send(url, options);
            };
        """)
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.press("connect")
        self.wait_for_text("#notice-text", "No answer")
        self.assertTrue(self.one("#notice-act").is_displayed())
        self.server.start()
        self.wait_for_state("live")
        self.one("#notice-act").click()
        self.wait(lambda: not self.all('#list [data-type="invitation"]'), "the invitation to go")
        self.assertFalse(self.one("#notice").is_displayed())
        keys = self.js("return window.keys")
        self.assertEqual((len(keys), len(set(keys))), (2, 1))

    def test_an_action_without_a_response_is_performed_again_after_its_change_was_undone(self):
        self.open("wifi")
        # The response to the first action is lost.
        self.js("""
            const send = window.fetch;
            let isLost = false;
            window.keys = [];
            window.fetch = async (url, options) => {
              if (url.includes('/actions/')) {
                const edit = document.querySelector('#edits .edit');
                window.busy = edit.getAttribute('aria-busy');
                // A busy button does nothing.
                edit.click();
              }
              const response = await send(url, options);
              if (!url.includes('/actions/')) return response;
              window.keys.push(options.headers['Idempotency-Key']);
              if (!isLost) {
                isLost = true;
                throw new TypeError('lost');
              }
              return response;
            };
        """)
        for state, on in [("false", "on"), ("true", "off"), ("false", "on")]:
            self.one("#edits .edit").click()
            self.wait(lambda: self.text("#edits .edit:first-child") == f"Switch Wi-Fi {on}", f"the button “{on}”")
            self.wait(lambda: self.one('#list [role="switch"]').get_attribute("aria-checked") == state, "the switch")
            self.assertFalse(self.one("#notice").is_displayed())
            self.assertEqual(self.js("return window.busy"), "true")
        self.assertEqual(len(self.js("return [...new Set(window.keys)]")), 3)

    def test_a_long_outage_offers_to_connect_at_once(self):
        self.expects_failed_requests = True
        self.look(width=1440)
        self.open("settings")
        self.wait_for_phones(2)
        self.server.stop()
        self.wait(lambda: self.texts(".notice[data-kind=outage] [data-ui=notice-text]") == ["Can’t reach the server."] * 2, "the notices")
        self.server.start()
        # The phone may have become live automatically.
        self.js("document.querySelector('#notice:not([hidden]) #notice-act')?.click()")
        self.wait_for_phones(2)
        self.wait(lambda: not self.all(".notice:not([hidden])"), "the notices to disappear")

    def test_a_form_can_be_sent_when_the_server_is_reachable_again(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.press("firstName")
        self.js("arguments[0].value = 'Late'", self.one("#sheet input"))
        self.one("#sheet .done").click()
        self.wait_for_text("#sheet .error", "No answer. Your change may not have been saved.")
        self.server.start()
        self.one("#sheet .done").click()
        self.wait_for_text('[data-id="firstName"] .value', "Late")

    def test_a_hidden_page_closes_its_stream_and_catches_up(self):
        self.open("settings")
        self.wait(lambda: self.server.metrics()["relist_followed_views"] == 1, "one stream")
        self.browser.switch_to.new_window("tab")
        self.wait(self.no_stream_is_open, "the stream to close")
        self.browser.close()
        [first] = self.browser.window_handles
        self.browser.switch_to.window(first)
        self.wait_for_text('[data-id="firstName"] .value', f"Unseen {self.renames}")
        self.wait_for_state("live")

    def no_stream_is_open(self):
        """Changes a name, and returns whether the server has no open stream. The change is needed, because the server notices a closed
        stream only when it writes to the stream."""
        self.renames += 1
        self.server.perform("settings", "rename", firstName=f"Unseen {self.renames}")
        return self.server.metrics()["relist_followed_views"] == 0

    def test_the_page_reconnects_after_it_was_offline(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.be_online(False)
        self.wait_for_state("reconnecting")
        self.server.perform("settings", "rename", firstName="Meanwhile")
        self.be_online()
        self.wait_for_state("live")
        self.wait_for_text('[data-id="firstName"] .value', "Meanwhile")
        self.assertNotIn("snapshot", self.last_answers(1)[0])

    def test_the_loss_and_the_return_of_the_connection_are_announced_once(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.js("window.heard = []; new MutationObserver(() => heard.push(document.getElementById('announcer').textContent))"
                ".observe(document.getElementById('announcer'), { childList: true })")
        self.server.stop()
        self.wait_for_text("#announcer", "The connection is lost.")
        self.wait(lambda: "attempts" in self.text("#exchanges li:first-child"), "two failed attempts")
        self.server.start()
        self.wait_for_text("#announcer", "Live again")
        self.assertEqual(len(self.js("return heard")), 2)

    def test_a_loaded_screen_is_shown_while_the_server_is_down(self):
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

    def test_a_requested_screen_is_loaded_when_the_server_is_reachable_again(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.server.stop()
        self.wait_for_state("reconnecting")
        self.js("location.hash = '#/deliveries'")
        self.wait_for_text("#title", "Deliveries")
        self.server.start()
        self.wait_for_text("#title", "ORGE PLANET")
        self.wait_for_state("live")

    def test_a_screen_is_not_live_before_its_first_snapshot_arrives(self):
        self.open("settings")
        self.js("""
            const send = window.fetch;
            const isReleased = new Promise((resolve) => { window.release = resolve; });
            window.fetch = async (...request) => {
              if (request[0].startsWith('/screens/posts')) await isReleased;
              return send(...request);
            };
            location.hash = '#/posts';
        """)
        self.wait_for_text("#title", "Posts")
        self.assertEqual((self.ids(), self.text("#connection")), ([], "Loading"))
        self.js("window.release()")
        self.wait(self.ids, "the list")
        self.wait_for_state("live")

    def test_an_invalid_parameter_is_shown_at_its_control(self):
        self.expects_failed_requests = True
        self.open("deliveries")
        self.js("location.hash = '#/deliveries?from=yesterday'")
        self.wait_for_text("#parameters .error", "date")
        self.js("location.hash = '#/deliveries'")
        self.wait(lambda: not self.text("#parameters .error").strip(), "the error to go")
        self.wait_for_state("live")

    def test_the_inspector_and_the_second_phone_show_why_the_first_view_is_rejected(self):
        self.expects_failed_requests = True
        self.look(width=1440)
        for address, status, text in [("posts?limit=0", "400", "limit"), ("nothing", "", "nothing")]:
            with self.subTest(address):
                self.browser.get("about:blank")
                self.browser.get(f"{self.server.origin}/#/{address}")
                self.wait(lambda: len(self.all(".device")) == 2, "the second phone")
                self.wait(lambda text=text: all(text in notice for notice in self.texts(".notice")), "the notices")
                self.wait_for_text("#exchanges", status)

    def test_the_address_of_the_list_within_the_page_opens_the_first_screen(self):
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.origin}/#list")
        self.wait(lambda: self.all("#list .cell"), "the first screen")
        self.assertFalse(self.one("#notice").is_displayed())

    def test_an_unknown_screen_is_reported_and_another_screen_is_offered(self):
        self.expects_failed_requests = True
        self.browser.get(f"{self.server.origin}/#/nothing")
        self.wait_for_text("#notice-text", "nothing")
        self.one("#notice-act").click()
        self.wait_for_text("#title", "Settings")
        self.assertFalse(self.one("#notice").is_displayed())
