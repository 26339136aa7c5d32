"""Tests of the tour. A test decides when each pause of the tour ends, so that a slow machine does not change what happens."""

import re

from driving.browser import BrowserTest
from selenium.webdriver.common.keys import Keys

# Runs before the scripts of the page. The pauses of the tour, which tour.js declares, end when a test calls the functions in `pauses`. While
# `isCutOff` is true, no delivery can be moved back to its day.
SCRIPT = """
window.pauses = [];
const [wait, send] = [window.setTimeout, window.fetch];
window.setTimeout = (perform, milliseconds, ...rest) => (
  [3200, 1200].includes(milliseconds) ? window.pauses.push(perform) : wait(perform, milliseconds, ...rest)
);
window.fetch = (address, options, ...rest) => (
  window.isCutOff && String(address).includes('/reschedule') && String(options.body).includes('2018-07-16')
    ? Promise.reject(new TypeError('cut off')) : send(address, options, ...rest)
);
"""


class TourTest(BrowserTest):
    def setUp(self):
        super().setUp()
        added = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": SCRIPT})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", added)
        self.server.perform("deliveries", "restore")

    def contract(self):
        return self.server.get("/screens/deliveries?contract=240500-000")["version"]

    def caption(self):
        return self.text("#edits .caption")

    def begin_tour(self):
        """Visits the page for the first time, and waits for the first pause of the tour."""
        self.browser.get(f"{self.server.origin}/")
        self.wait(lambda: "2,000 deliveries" in self.caption(), "the tour")
        self.assertEqual(self.one("#edits .demonstration").text, "Stop the tour")

    def end_pause(self):
        """Ends the next pause of the tour."""
        self.wait(lambda: self.js("return window.pauses.length > 0 && (window.pauses.shift()(), true)"), "a pause of the tour")

    def move(self, phones=1):
        """Goes on until the tour has moved the delivery, and returns the version of the contract before."""
        before = self.contract()
        self.end_pause()
        # A change would end the scrolling.
        self.wait_for_row(phones)
        self.end_pause()
        self.wait(lambda: self.contract() != before, "the delivery to have moved")
        return before

    def wait_for_row(self, phones):
        self.wait(lambda: self.js("""
            return [...document.querySelectorAll('.phone')].filter((phone) => phone.checkVisibility()).map((phone) => {
              const [row, screen] = ['[data-id="5034-1"]', '.scroll'].map((one) => phone.querySelector(one)?.getBoundingClientRect());
              return row?.top >= screen?.top && row?.bottom <= screen?.bottom;
            });
        """) == phones * [True], "the row of the change to be visible on each phone")

    def wait_for_end(self):
        self.wait(lambda: self.one("#edits .demonstration").text == "Start the tour", "the tour to end")

    def test_the_tour_starts_on_the_first_visit_and_ends_on_the_sizes_of_its_change(self):
        self.look(width=1440)
        self.begin_tour()
        # The pointer rests on the list. It does not hold back the change.
        self.js("document.querySelector('#list .cell').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))")
        self.js("new MutationObserver(() => { window.hasWaited ||= document.getElementById('notice').dataset.kind === 'waiting'; })"
                ".observe(document.getElementById('notice'), { attributes: true })")
        self.js("window.captions = []; const text = document.querySelector('#edits .caption [aria-live]');"
                "new MutationObserver(() => captions.push(text.textContent)).observe(text, { childList: true })")
        before = self.move(phones=2)
        self.end_pause()
        self.end_pause()
        sizes = r"\d+.B instead of 837.kB, uncompressed\. With gzip, \d+.B instead of \d+.kB\.Use it"
        self.wait(lambda: re.fullmatch(sizes, self.caption()), "the end of the tour")
        self.assertEqual(len(self.js("return captions.filter((caption) => caption.includes('instead of'))")), 1, "one announcement")
        self.assertFalse(self.js("return window.hasWaited === true"))
        # The page has shown no other contract.
        self.assertEqual(len([answer for answer in self.texts("#exchanges .answer") if "snapshot" in answer and "phone 2" not in answer]), 1)
        self.assertEqual(self.contract(), before)
        self.wait_for_row(phones=2)
        self.assertEqual(self.one("#edits .demonstration").text, "Start the tour")
        version = self.contract()
        self.one("#edits .edit").click()
        self.wait(lambda: self.contract() != version, "the edit beside the caption")
        self.assertFalse(self.one("#edits .caption").is_displayed())
        self.server.perform("deliveries", "restore")

    def test_the_tour_begins_with_the_first_load(self):
        self.begin_tour()
        self.assertEqual(self.text("#sent"), "First load: 837\u00a0kB.")

    def test_a_tour_that_cannot_restore_the_data_ends_without_sizes_and_the_next_tour_restores_them(self):
        self.begin_tour()
        before = self.move()
        self.js("window.isCutOff = true")
        self.end_pause()
        self.wait_for_end()
        self.assertFalse(self.one("#edits .caption").is_displayed())
        self.assertIn("may not have been saved", self.text("#notice-text"))
        self.assertNotEqual(self.contract(), before)
        self.js("window.isCutOff = false")
        self.one("#edits .demonstration").click()
        self.end_pause()
        # The event of the stream may arrive after the response to the action.
        self.wait(lambda: self.js("""
            const rows = [...document.querySelectorAll('#list .section:has([data-id="5034-1"]) .cell')];
            return rows.at(-1).dataset.id;
        """) == "5034-1", "the delivery to be the last one of its day again")
        for _ in range(4):
            self.end_pause()
        self.wait(lambda: self.all("#edits .next"), "the end of the next tour")
        self.assertIn("instead of", self.caption())
        self.assertEqual(self.contract(), before)

    def test_a_delivery_that_another_user_has_moved_is_restored_for_the_tour(self):
        body = {"input": {"delivery": "5034-1", "day": "2018-07-18"}}
        self.server.ask("POST", "/screens/deliveries/actions/reschedule?contract=240500-000", body=body)
        self.open("settings")
        self.one("#edits .demonstration").click()
        self.end_pause()
        self.wait(lambda: "Another user" in self.caption(), "the end of the tour")
        self.one("#edits .next").click()
        self.end_pause()
        self.wait(lambda: "moves to the next day" in self.caption(), "the next tour")
        self.one("body").send_keys(Keys.SHIFT)
        self.wait_for_end()

    def test_the_end_of_the_tour_leads_to_the_code_for_clients(self):
        self.look(width=375, height=812)
        self.begin_tour()
        self.move()
        self.end_pause()
        self.end_pause()
        self.wait(lambda: self.all("#edits .next"), "the end of the tour")
        self.assertLess(self.rect("#edits .edit")["left"], 375 - 44)
        self.one("#edits .demonstration").send_keys(Keys.TAB)
        self.assertEqual(self.js("return document.activeElement.className"), "next")
        self.browser.switch_to.active_element.click()
        self.wait(lambda: self.all("#use input"), "the code")
        self.wait(lambda: self.js("""
            const [pane, code] = ['inspector', 'use'].map((id) => document.getElementById(id).getBoundingClientRect());
            return Math.abs(code.top - pane.top) <= 20;
        """), "the pane to scroll")
        self.assertEqual(self.js("return document.activeElement.textContent"), "Use it")
        self.assertTrue(self.one("#use pre").is_displayed())

    def test_a_tour_that_is_stopped_restores_the_data(self):
        self.begin_tour()
        before = self.move()
        self.one("body").send_keys(Keys.SHIFT)
        self.wait_for_end()
        self.assertEqual(self.contract(), before)
        self.assertFalse(self.one("#edits .caption").is_displayed())

    def test_the_edit_that_moves_a_delivery_shows_its_old_and_its_new_place(self):
        self.look(width=1440, motion="reduce")
        self.open("deliveries?contract=240500-000")
        self.wait_for_phones(2)
        days = dict(self.ids())
        before = self.contract()
        self.perform_edit("Move a delivery to another day")
        self.wait(lambda: dict(self.ids()) != days, "the change")
        self.assertNotEqual(self.contract(), before)
        (moved,) = [cell for day, cells in self.ids() for cell in cells if cell not in days.get(day, [])]
        (old,) = [cells for cells in days.values() if moved in cells]
        visible = self.js("""
            const frame = document.getElementById('scroll').getBoundingClientRect();
            return arguments[0].map((id) => document.querySelector(`#list [data-id="${id}"]`).getBoundingClientRect())
              .map(({ top, bottom }) => top >= frame.top && bottom <= frame.bottom);
        """, [moved, old[old.index(moved) - 1]])
        self.assertEqual(visible, [True, True])
        self.server.perform("deliveries", "restore")

    def test_reduced_motion_prevents_the_tour(self):
        self.look(motion="reduce")
        self.browser.get(f"{self.server.origin}/")
        self.wait(lambda: self.all("#edits .demonstration"), "the page")
        self.assertEqual(self.one("#edits .demonstration").text, "Start the tour")
