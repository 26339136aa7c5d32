"""Tests of dates, whose texts the page keeps current."""

import os
import pathlib

from driving.browser import StageTest

ROWS = """
    const date = (seconds, style) => ({ $date: new Date(Date.now() + seconds * 1000).toISOString(), style });
    await stage.snapshot([section('a', [
      cell('1', { title: 'Tea', value: date(3600, 'timer'), action: { name: 'open' } }),
      cell('2', { title: 'Milk', placed: date(-300, 'relative'), seen: date(-300, 'fuzzy') }),
    ])]);
    const row = (id) => stage.byId().get(id).querySelector('.row');
"""


class DatesTest(StageTest):
    def test_a_timer_goes_on_while_the_name_of_its_row_stays_the_same(self):
        found = self.on_stage(f"""{ROWS}
            const time = row('1').querySelector('time');
            const label = time.getAttribute('aria-label');
            const texts = [time.textContent];
            await new Promise((resolve) => {{
              new MutationObserver(() => {{ if (texts.push(time.textContent) === 3) resolve(); }}).observe(time, {{ childList: true }});
            }});
            window.row = row('1');
            return [texts.length, new Set(texts).size, label, time.getAttribute('aria-label')];
        """)
        self.assertEqual(found[:2], [3, 3])
        self.assertEqual(found[2], found[3])
        node = self.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": "window.row"})["result"]["objectId"]
        tree = self.browser.execute_cdp_cmd("Accessibility.getPartialAXTree", {"objectId": node, "fetchRelatives": False})["nodes"]
        self.assertEqual(tree[0]["name"]["value"], f"Tea {found[2]}")

    def test_a_generic_row_shows_dates_and_follows_the_rules_of_axe(self):
        text = self.on_stage(f"{ROWS} return row('2').innerText;")
        self.assertRegex(text, r"^Milk\nPlaced: 5 min\. ago · Seen: \w+ \d+, 20\d\d, ")
        self.js(pathlib.Path(os.environ["AXE"]).read_text())
        broken = self.run_module("""
            // The sections of a list have another role than axe allows, because a named section would be a landmark.
            const rules = { 'aria-allowed-role': { enabled: false } };
            const { violations } = await axe.run(document.querySelector('.list'), { resultTypes: ['violations'], rules });
            return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
        """)
        self.assertEqual(broken, [])
