"""Tests of the inspector."""

import json
import math
import re
import shutil
import subprocess

from driving.browser import BrowserTest
from selenium.webdriver.common.keys import Keys
from serving import ROOT, Server


class InspectorTest(BrowserTest):
    """Tests of exchanges, their explanations, and earlier versions."""

    def size_of_settings(self):
        return len(self.run_module("return await (await fetch('/screens/settings?locale=en')).text()").encode())

    def test_the_size_of_the_last_change_stands_beside_the_size_of_the_whole_screen(self):
        self.look(width=1440)
        self.open("settings")
        self.assertEqual(self.text("#counter .sum").strip(), f"First load: {self.size_of_settings() / 1000:.1f}\u00a0kB. The whole screen, uncompressed.")
        self.perform_edit("Change the name")
        self.wait_for_text("#counter", "Last change")
        answer = self.text("#exchanges li:first-child .answer")
        self.assertRegex(answer, r"^\w{6} → \w{6} · \d+\u00a0B instead of 1\.\d\u00a0kB, 3\.\d\u00a0times less · \d\d:\d\d:\d\d · both phones$")
        one = re.search(r"(\d+\u00a0B) instead of (.*?\u00a0kB)", answer)
        self.assertEqual(one[2], f"{self.size_of_settings() / 1000:.1f}\u00a0kB")
        self.wait(lambda: "Phone 2" in self.text("#counter .sum"), "the second phone")
        self.assertRegex(
            self.text("#counter .sum"),
            rf"^Last change: {one[1]}\. The whole screen: {one[2]}, uncompressed\. Phone 2 showed the change [\d.]+\u00a0m?s after the action\.$")

    def test_a_change_that_the_second_phone_has_held_back_has_no_delay(self):
        self.look(width=1440)
        self.open("settings")
        self.wait_for_phones(2)
        pause = self.all(".pause")[1]
        pause.click()
        self.perform_edit("Change the name")
        self.wait_for_text(".device:nth-child(2) .notice", "held")
        pause.click()
        self.wait(lambda: not self.all(".device:nth-child(2) .notice:not([hidden])"), "the change on the second phone")
        self.run_module("await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));")
        self.assertNotIn("Phone 2", self.text("#counter .sum"))

    def test_the_bars_of_a_change_have_a_labelled_logarithmic_scale(self):
        self.look(width=1440)
        self.open("settings")
        self.rename("Scale")
        self.wait_for_text("#counter", "Last change")
        sent = int(re.search(r"(\d+)\u00a0B", self.text("#counter .sum"))[1])
        for place in ["#counter", "#inspector .log"]:
            bars, ticks = self.js("""
                const place = document.querySelector(arguments[0]);
                const bar = place.querySelector('.ratio').getBoundingClientRect();
                const share = (x) => (x - bar.left) / bar.width;
                return [
                  ['sent', 'whole'].map((name) => share(place.querySelector(`.ratio .${name}`).getBoundingClientRect().right)),
                  [...place.querySelectorAll('.ticks span:not(.times)')].map((tick) => [tick.textContent, share(tick.getBoundingClientRect().left)]),
                ];
            """, place)
            for share, size in zip(bars, [sent, self.size_of_settings()]):
                self.assertAlmostEqual(share, math.log10(size) / 7, 2, place)
            self.assertEqual([text for text, _ in ticks], ["1\u00a0B", "1\u00a0kB", "1\u00a0MB"])
            for (_, share), exponent in zip(ticks, [0, 3, 6]):
                self.assertAlmostEqual(share, exponent / 7, 2, place)

    def test_a_list_from_the_cache_of_the_browser_is_not_counted(self):
        for text in ["First load: 1", "Loaded from the cache."]:
            self.open("settings?layout=merged")
            self.wait_for_text("#sent", text)
        self.assertIn("from the cache", self.text("#exchanges"))

    def test_a_change_that_needs_a_snapshot_says_so(self):
        self.open("artist")
        self.assertIn("First load", self.text("#counter"))
        self.perform_edit("Change the width")
        self.wait_for_text("#counter", "Last change")
        self.wait_for_text("#instead", "The whole screen, uncompressed.")

    def test_a_screen_in_another_language_is_a_first_load(self):
        self.open("settings")
        self.rename("Change")
        self.wait_for_text("#sent", "Last change")
        self.js("location.hash = '#/settings?locale=fr'")
        self.wait_for_text("#sent", "Premier chargement")
        self.wait_for_text(".chart figcaption", "1 changement")

    def test_the_headline_keeps_the_change_of_the_users_own_action(self):
        self.open("settings")
        self.perform_edit("Change the name")
        self.wait_for_text("#sent", "Last change")
        self.wait_for_text("#exchanges li:first-child", "/actions/rename")
        own = self.text("#sent").split(": ")[1]
        self.rename("Another user has a much longer name")
        self.wait_for_text("#sent", "Your last change")
        self.assertEqual(self.text("#sent").split(": ")[1], own)

    def test_the_sizes_of_a_screen_disappear_if_another_screen_cannot_be_loaded(self):
        self.expects_failed_requests = True
        self.open("settings")
        self.rename("Shown")
        self.wait_for_text("#sent", "Last change")
        self.server.stop()
        self.addCleanup(self.server.start)
        self.js("location.hash = '#/mountains'")
        self.wait(lambda: self.text("#counter .sum").strip() == "", "the sizes to disappear")

    def test_the_chart_sums_the_changes_of_one_phone(self):
        self.look(width=1440)
        self.open("settings")
        self.assertEqual(self.text(".chart figcaption"), "No changes yet")
        whole = 0
        for count, name in enumerate(["One", "Two"], 1):
            self.rename(name)
            whole += self.size_of_settings()
            self.wait(lambda count=count: self.text(".chart figcaption").startswith(f"{count} change"), "the change")
        self.assertRegex(self.text(".chart figcaption"), rf"^2 changes: \d+\u00a0B\. As whole screens: {whole / 1000:.1f}\u00a0kB\.$")
        heights = {name: [float(pair.split(",")[1]) for pair in self.js(f"return document.querySelector('.chart .{name}').getAttribute('points')").split()]
                   for name in ["sent", "whole"]}
        self.assertEqual((len(heights["whole"]), heights["whole"][0], heights["whole"][-1], heights["sent"][-1] > 20), (3, 40, 0, True))

    def test_an_unknown_version_is_not_counted_as_a_change(self):
        self.look(width=1440)
        self.open("settings")
        self.wait_for_phones(2)
        self.js("[...document.querySelectorAll('#breaking button')].find(({ textContent }) => textContent.includes('unknown')).click()")
        self.wait_for_text("#exchanges", "unknown-version")
        self.wait_for_phones(2)
        self.rename("Known")
        self.wait_for_text(".chart figcaption", "1 change:")

    def test_the_last_100_changes_are_called_so(self):
        self.open("settings")
        for count in range(101):
            self.rename(f"Name {count}")
        self.wait_for_text(".chart figcaption", "The last 100 changes:")
        self.assertEqual(self.text("#version"), "Version 100 of the last 100")

    def test_a_switch_shows_the_sizes_with_compression(self):
        self.open("settings")
        self.rename("Compressed")
        plain = self.text("#exchanges li:first-child .answer")
        self.wait(lambda: re.fullmatch(r"gzip: [\d.]+×", self.text("#counter .gzip")), "the ratio with compression")
        self.js("document.querySelector('#compressed').click()")
        self.wait(lambda: self.text("#exchanges li:first-child .answer") != plain, "smaller sizes")
        sizes = [[float(size) for size in re.findall(r"([\d.]+)\u00a0k?B", text)] for text in [plain, self.text("#exchanges li:first-child .answer")]]
        self.assertLess(sizes[1][0], sizes[0][0], "the changeset")
        self.assertIn(", gzip, measured here.", self.text("#counter .sum"))
        self.assertEqual(self.text("#counter .gzip"), "")
        self.js("document.querySelector('#compressed').click()")
        self.assertEqual(self.text("#exchanges li:first-child .answer"), plain)

    def test_chromium_reads_compressed_streams_as_they_arrive(self):
        self.open("settings")
        fetched = self.run_module("""
            const response = await fetch('/screens/mountains/changes', { headers: { Accept: 'text/event-stream' } });
            const reader = response.body.getReader();
            let text = '';
            while (!text.includes('event: snapshot')) text += new TextDecoder().decode((await reader.read()).value);
            await reader.cancel();
            return [response.headers.get('Content-Encoding'), text.split('\\n')[0].split(':')[0]];
        """)
        self.assertEqual(fetched, ["gzip", "retry"])
        event = self.run_module("""
            const source = new EventSource('/screens/mountains/changes?version=none');
            const { lastEventId, data } = await new Promise((receive) => source.addEventListener('snapshot', receive, { once: true }));
            source.close();
            return [lastEventId, JSON.parse(data).version];
        """)
        self.assertEqual(event[0], event[1])

    def test_each_operation_is_explained_and_highlights_its_cell(self):
        self.open("settings?layout=merged")
        self.js("location.hash = '#/settings'")
        self.wait(lambda: len(self.ids()) == 2, "two sections")
        self.wait(lambda: self.all("#explanation .line[data-verb=move]"), "the explanation")
        lines = self.js("return [...document.querySelectorAll('#explanation .line .text')].map((node) => node.textContent)")
        self.assertTrue(any("“My account”: a section" in line for line in lines), lines)
        self.assertTrue(any("moved from “My information” to “My account”" in line for line in lines), lines)
        self.js("arguments[0].focus()", self.one("#explanation .line[data-verb=move]"))
        highlit = self.js("return [...document.querySelectorAll('[data-lit]')].map((node) => node.dataset.id)")
        self.assertIn("email", highlit)
        self.js("document.activeElement.blur()")
        self.assertEqual(self.all("[data-lit]"), [])

    def test_the_document_is_shown_as_it_was_sent(self):
        self.open("settings")
        self.rename("Document")
        document = json.loads(self.text("#document"))
        self.assertEqual((document["kind"], document["stages"][0]["updateCells"][0]["cell"]["value"]), ("changeset", "Document"))

    def test_the_curl_command_repeats_an_exchange(self):
        self.open("settings")
        self.js("location.hash = '#/settings?layout=merged'")
        self.wait(lambda: len(self.ids()) == 1, "one section")
        line = self.text("#curl")
        self.assertIn("/screens/settings/changes?layout=merged", line)
        command = ["bash", "-c", line.replace("curl", "curl -sS --fail", 1)]
        repeated = subprocess.run(command, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(repeated.stdout), json.loads(self.text("#document")))

    def test_the_curl_command_of_an_action_returns_the_changes_of_the_action(self):
        self.open("settings")
        self.press("firstName")
        self.one("#sheet input").send_keys("Repeated", Keys.ENTER)
        self.wait_until_sheet_closes()
        self.wait_for_text('[data-id="firstName"] .value', "Repeated")
        line = self.text("#curl")
        self.assertIn("/actions/rename", line)
        command = ["bash", "-c", line.replace("curl", "curl -sS --fail", 1)]
        document = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        self.assertIn("Repeated", json.dumps(document["stages"]))

    def lines(self, language):
        self.wait(lambda: self.all(f"#lines-fold input[value='{language}']"), "the tabs")
        self.js(f"document.querySelector('#lines-fold input[value={language}]').click()")
        return self.js("return document.querySelector('#lines-fold pre').textContent")

    def test_the_lines_for_clients_perform_the_action_of_an_exchange(self):
        self.open("settings?layout=merged")
        self.press("firstName")
        self.one("#sheet input").send_keys("Again", Keys.ENTER)
        self.wait_until_sheet_closes()
        self.wait_for_text('[data-id="firstName"] .value', "Again")
        self.wait(lambda: "/actions/rename" in self.text("#curl"), "the action")
        modules = "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/using/usage.js')).length"
        self.assertEqual(self.js(modules), 0)
        self.js("document.getElementById('lines-fold').open = true")
        self.assertIn('await client.perform("rename", {"firstName":"Again"});', self.lines("JavaScript"))
        self.assertEqual(self.js(modules), 1)
        commands = [["python3", "-c", self.lines("Python")], ["sh", "-c", self.lines("curl")]]
        # The inspector shows the new change, so the commands are read before it.
        self.server.perform("settings", "rename", firstName="Other")
        for command in commands:
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            self.assertRegex(answer.stdout, "changeset|snapshot")
        self.wait_for_text('[data-id="firstName"] .value', "Again")

    def test_the_lines_for_clients_show_the_screen_of_the_selected_exchange(self):
        self.open("settings")
        self.js("document.getElementById('lines-fold').open = true")
        self.assertIn('client.show("settings", {"locale":"en"}).catch(fail);', self.lines("JavaScript"))
        self.js("location.hash = '#/settings?layout=merged'")
        self.wait(lambda: '"layout":"merged"' in self.lines("JavaScript"), "the parameters")

    def lines_of_screen(self, language):
        self.js("document.getElementById('use').open = true")
        self.one(f"#use input[value='{language}']")
        self.js("document.querySelector(arguments[0]).click()", f"#use input[value='{language}']")
        return self.js("return document.querySelector('#use .usage pre').textContent")

    def test_the_javascript_lines_show_the_screen_in_an_empty_page_and_perform_its_actions(self):
        self.open("settings")
        server = Server()
        self.addCleanup(server.remove)
        public = server.folder / "Public"
        shutil.copytree(ROOT / "Public", public)
        server.program[-1] = public
        server.start()
        lines = self.lines_of_screen("JavaScript").replace(self.server.origin, server.origin)
        (public / "pasted.js").write_text(lines)
        (public / "pasted.html").write_text('<!doctype html><link rel="icon" href="icon.svg"><script type="module" src="pasted.js"></script>')
        self.browser.get(f"{server.origin}/pasted.html")
        self.wait_for_text('[data-id="firstName"] .title', "First name")
        self.wait(lambda: self.js("return getComputedStyle(document.querySelector('.cells')).listStyleType") == "none", "list.css")
        server.perform("settings", "rename", firstName="Pasted")
        self.wait_for_text('[data-id="firstName"] .value', "Pasted")
        self.js("document.querySelector('[data-id=connect] button').click()")
        self.wait_for_text("#list", "Disconnect")
        server.stop()
        self.expects_failed_requests = True
        self.js("document.querySelector('[data-id=firstName] button').click()")
        self.wait_for_text("#problem", "No response. Is the server running")

    def test_the_python_lines_print_each_change(self):
        self.open("settings")
        self.rename("Loop")
        process = subprocess.Popen(["python3", "-c", self.lines_of_screen("Python")], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for name in ["Loop", "Looped"]:
            self.server.perform("settings", "rename", firstName=name)
            self.assertTrue(any(name in line.split() for line in process.stdout), name)

    def test_a_selected_entry_stays_selected_while_events_arrive(self):
        self.open("settings")
        self.rename("Read")
        self.rename("Newer")
        self.one("#exchanges li:nth-child(2) button").click()
        self.wait_for_text('#list [data-id="firstName"] .value', "Read")
        self.server.perform("settings", "rename", firstName="Newest")
        self.wait(lambda: len(self.all("#exchanges li")) == 5, "the newest")
        self.assertEqual(self.all("#exchanges [aria-current]"), [self.one("#exchanges li:nth-child(3) button")])
        self.assertIn("Read", self.text("#explanation"))
        self.assertEqual(self.text('#list [data-id="firstName"] .value'), "Read")
        self.one("#exchanges li:first-child button").click()
        self.wait_for_text('#list [data-id="firstName"] .value', "Newest")
        self.rename("Last")
        self.assertIn("Last", self.text("#explanation"))

    def test_an_action_and_its_event_are_one_entry_of_the_inspector(self):
        self.open("settings")
        self.press("firstName")
        self.one("#sheet input").send_keys("Once", Keys.ENTER)
        self.wait_until_sheet_closes()
        self.wait_for_text('[data-id="firstName"] .value', "Once")
        # The three entries are the action with its event, the snapshot, and the list of screens.
        self.assertEqual(len(self.all("#exchanges li")), 3)
        self.assertEqual(len(self.all("#exchanges li:first-child .request")), 2)
        self.assertEqual(self.text("#version"), "Version 2 of 2")

    def test_an_action_that_changes_nothing_does_not_replace_the_explanation_of_the_last_change(self):
        self.open("settings")
        self.rename("Same")
        explanation = self.text("#explanation")
        self.press("firstName")
        self.one("#sheet input").send_keys(Keys.ENTER)
        self.wait_until_sheet_closes()
        self.wait(lambda: "actions/rename" in self.text("#exchanges li:first-child"), "the action")
        self.assertEqual(self.text("#explanation"), explanation)
        self.assertIn("EVENT", self.text("#exchanges [aria-current]"))
        self.one("#exchanges li:first-child button").click()
        self.assertIn("The action was performed.", self.text("#explanation"))

    def test_the_inspector_shows_the_replica_that_responded_to_each_request(self):
        self.open("settings")
        self.assertEqual(self.all("#exchanges .replica"), [])
        texts = self.run_module("""
            const { Client } = await import('./relist/client.js');
            const { EntryList } = await import('./page/inspecting/entry-list.js');
            const { measured } = await import('./page/inspecting/measuring.js');
            const { phrases } = await import('./page/inspecting/phrases.js');
            const { Timeline } = await import('./page/inspecting/timeline.js');
            const [list, timeline] = [document.createElement('ol'), new Timeline()];
            const entries = new EntryList(list, () => {}, () => phrases('en'));
            const throughBalancer = async (...request) => {
              const { body, headers, status } = await fetch(...request);
              return new Response(body, { status, headers: { ...Object.fromEntries(headers), 'Relist-Replica': '10.0.0.1:8080' } });
            };
            const onExchange = (exchange) => entries.show(timeline.add(measured(exchange, {}), 1, Date.now()), timeline.entries);
            await new Client({ fetch: throughBalancer, onExchange }).show('settings');
            return [...list.querySelectorAll('.request')].map((node) => [...node.children].map(({ textContent }) => textContent));
        """)
        self.assertEqual(texts, [["GET", "/screens/settings", "by 10.0.0.1:8080"]])

    def test_the_value_of_the_slider_is_the_number_of_the_version(self):
        self.open("settings")
        for name in ["First", "Second", "Third"]:
            self.rename(name)
        slider = self.one("#versions")
        self.assertGreaterEqual(slider.rect["height"], 24)
        slider.send_keys(Keys.ARROW_LEFT)
        self.wait_for_text("#version", "Version 3 of 4")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "Version 3 of 4")
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        self.assertEqual([node["value"]["value"] for node in tree if node.get("role", {}).get("value") == "slider"], [3])

    def test_earlier_versions_can_be_shown_while_new_ones_arrive(self):
        self.open("settings")
        first = self.text('[data-id="firstName"] .value')
        self.rename("One")
        self.rename("Two")
        self.one("#older").click()
        self.wait_for_text('[data-id="firstName"] .value', "One")
        self.assertTrue(self.one("#scroll").get_property("inert"))
        self.assertEqual((self.text("#version"), self.text("#connection")), ("Version 2 of 3", "Version 2 of 3"))
        self.assertIn("One", self.text("#explanation"))
        self.assertNotIn("Two", self.text("#explanation").split("→")[-1])
        self.assertEqual(self.text("#exchanges [aria-current] .answer"), self.text("#exchanges li:nth-child(2) .answer"))
        self.one("#older").click()
        self.wait(lambda: self.text('[data-id="firstName"] .value') == first, "the first version")
        self.server.perform("settings", "rename", firstName="Three")
        self.wait_for_text("#version", "of 4")
        self.assertEqual(self.text('[data-id="firstName"] .value'), first)
        self.one("#notice-act").click()
        self.wait_for_text('[data-id="firstName"] .value', "Three")
        self.assertEqual(self.text("#connection"), "Live")
        self.assertNotEqual(self.js("return document.activeElement"), self.one("body"))
        self.assertFalse(self.one("#scroll").get_property("inert"))
        self.assertFalse(self.one("#notice").is_displayed())

    def test_an_entry_of_the_second_phone_does_not_change_the_version_of_the_first_phone(self):
        self.look(width=1440)
        self.open("settings")
        self.wait_for_phones(2)
        self.wait(lambda: "phone 2" in self.text("#exchanges"), "an entry of the second phone")
        first = self.text('#list [data-id="firstName"] .value')
        self.rename("Phones")
        self.one("#older").click()
        self.wait(lambda: self.text('#list [data-id="firstName"] .value') == first, "the first version")
        self.js("[...document.querySelectorAll('#exchanges button')].find((node) => node.textContent.includes('phone 2')).click()")
        self.assertIn("phone 2", self.text("#exchanges [aria-current]"))
        self.assertEqual(self.text('#list [data-id="firstName"] .value'), first)
        self.assertEqual((self.text("#version"), self.text("#connection")), ("Version 1 of 2", "Version 1 of 2"))

    def test_an_edit_ends_the_display_of_an_earlier_version(self):
        self.open("settings")
        self.rename("Grace")
        self.rename("Earlier")
        self.one("#older").click()
        self.wait_for_text('[data-id="firstName"] .value', "Grace")
        self.one("#edits .edit").click()
        self.wait_for_text('[data-id="firstName"] .value', "Ada")
        self.wait_for_state("live")
        self.assertEqual(self.text("#version"), "Version 4 of 4")
        self.assertFalse(self.one("#notice").is_displayed())
        self.one("#older").click()
        self.wait_for_text('[data-id="firstName"] .value', "Earlier")
        self.js("location.hash = '#/settings?layout=merged'")
        self.wait(lambda: len(self.ids()) == 1, "one section")
        self.wait_for_state("live")

    def test_a_narrow_window_shows_either_the_phone_or_the_inspector(self):
        self.look(width=390, height=800)
        self.open("settings")
        self.assertFalse(self.one("#inspector").is_displayed())
        self.one('#panes [value="inspector"]').click()
        self.assertTrue(self.one("#inspector").is_displayed())
        self.assertFalse(self.one("#phone").is_displayed())
        self.assertEqual(self.one('#panes [value="inspector"]').get_attribute("aria-pressed"), "true")


class ContentSecurityPolicyTest(BrowserTest):
    """Tests of the content security policy of the page."""

    def test_the_content_security_policy_blocks_inline_scripts_and_styles(self):
        self.open("settings")
        refused = self.run_module("""
            const refused = [];
            document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
            const script = document.createElement('script');
            script.textContent = 'window.hit = 1';
            document.body.append(script);
            const node = document.createElement('p');
            node.setAttribute('style', 'color: red');
            document.body.append(node);
            await fetch('http://127.0.0.1:9/').catch(() => {});
            while (refused.length < 3) await new Promise((resolve) => { setTimeout(resolve); });
            return [refused.sort(), window.hit ?? null, getComputedStyle(node).color === 'rgb(255, 0, 0)'];
        """)
        self.assertEqual(refused, [["connect-src", "script-src-elem", "style-src-attr"], None, False])
        self.browser.get_log("browser")
