"""Tests of a list of 2,000 cells."""

from driving.browser import BrowserTest

LARGE = "deliveries?contract=240500-000"


class LargeListTest(BrowserTest):
    """Tests of a screen with more than 2,000 cells."""

    def test_a_list_shows_all_of_its_two_thousand_cells(self):
        self.open(LARGE)
        snapshot = self.server.get("/screens/deliveries?contract=240500-000&locale=en")
        expected = [[section["id"], [cell["id"] for cell in section["cells"]]] for section in snapshot["sections"]]
        self.assertGreaterEqual(sum(len(cells) for _, cells in expected), 2000)
        self.assertEqual(self.ids(), expected)

    def test_a_change_of_a_large_list_does_not_touch_other_cells(self):
        self.open(LARGE)
        # Rows outside of the viewport are filled later.
        self.wait(lambda: not self.all("#list .cell:empty"), "all rows to be filled")
        days = [section for section, _ in self.ids() if section != "contract"]
        self.js("""
            window.nodes = new Map([...document.querySelectorAll('#list .cell')].map((node) => [node.dataset.id, node]));
            window.touched = new Set();
            new MutationObserver((records) => records.forEach(({ target }) => {
                const cell = (target.closest ? target : target.parentElement).closest('.cell');
                if (cell) touched.add(cell.dataset.id);
            })).observe(document.getElementById('list'), {
                subtree: true, childList: true, characterData: true, attributes: true,
            });
        """)
        later = days[len(days) // 2]
        self.js("""
            location.hash = arguments[0];
        """, f"#/{LARGE}&from={later}")
        self.wait(lambda: [section for section, _ in self.ids()][1:2] == [later], "the days from the middle on")
        cells = "[...document.querySelectorAll('#list .cell')]"
        self.assertTrue(self.js(f"return {cells}.every((node) => nodes.get(node.dataset.id) === node)"))
        self.assertEqual(self.js(f"return {cells}.map((node) => node.dataset.id).filter((id) => touched.has(id))"), [])

    def test_each_row_outside_of_the_viewport_is_in_the_accessibility_tree(self):
        self.open(LARGE)
        self.wait(lambda: not self.all("#list .cell:empty"), "all rows to be filled")
        tree = {node["nodeId"]: node for node in self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]}

        def text(node):
            own = "" if node["ignored"] else node.get("name", {}).get("value", "")
            return own + "".join(text(tree[child]) for child in node.get("childIds", []))

        items = [node for node in tree.values() if not node["ignored"] and node["role"]["value"] == "listitem"]
        self.assertGreaterEqual(len(items), 2000)
        self.assertEqual(len([node for node in items if not text(node)]), 0)

    def test_the_tint_of_a_changed_row_is_painted_a_few_times(self):
        self.open(LARGE)
        self.wait(lambda: not self.all("#list .cell:empty"), "all rows to be filled")
        self.perform_edit("Change one weight")
        colours = self.wait(lambda: self.js("""
            const tint = document.getAnimations().find(({ id, effect }) => id === 'update' && effect.target.matches('#list .cell'));
            if (!tint) return 0;
            tint.pause();
            const { endTime } = tint.effect.getComputedTiming();
            const seen = Array.from({ length: 200 }, (_, index) => {
              tint.currentTime = endTime * index / 200;
              return getComputedStyle(tint.effect.target).backgroundColor;
            });
            return new Set(seen).size;
        """), "the tint")
        self.assertLess(colours, 20)
