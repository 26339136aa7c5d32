"""What is shown of cells and views whose type the page does not know."""

from driving.browser import BrowserTest
from driving.page import script

STAGE = script("stage.js")
# A client that knows notes alone.
KNOWN = """
    register('note', { configure: (element, { text }) => { element.textContent = text; } });
    const note = { type: 'note', text: 'Update the app' };
    const action = { name: 'open' };
    const node = (id) => stage.byId().get(id);
"""


class FallbackTest(BrowserTest):
    """On a list of the test's own."""

    def setUp(self):
        super().setUp()
        self.open("settings")

    def on_stage(self, code):
        return self.run_module(f"{STAGE} const stage = new Stage(); {KNOWN} {code}")

    def test_a_fallback_is_shown_in_the_place_of_its_cell(self):
        found = self.on_stage("""
            stage.snapshot([section('a', ['1', cell('2', { type: 'chart', action, fallback: note }), '3'])]);
            return [stage.order(), node('2').textContent, node('2').dataset.type, node('2').querySelector('button') === null];
        """)
        self.assertEqual(found, [["a 1 2 3"], "Update the app", "note", True])

    def test_a_fallback_can_be_selected_as_it_says(self):
        found = self.on_stage("""
            stage.snapshot([section('a', [cell('1', { type: 'chart', fallback: { ...note, action } })])]);
            node('1').querySelector('button').click();
            return stage.chosen.map(({ action, view }) => [action.name, view.id, view.type]);
        """)
        self.assertEqual(found, [["open", "1", "note"]])

    def test_nothing_takes_no_room_and_keeps_its_place(self):
        found = self.on_stage("""
            const hidden = cell('1', { type: 'chart', action, actions: [{ name: 'a', title: 'A' }], fallback: null });
            stage.snapshot([section('a', [hidden, '2'], { header: { type: 'chart', fallback: null } })]);
            const without = node('2').getBoundingClientRect().top;
            const corner = getComputedStyle(node('2')).borderTopLeftRadius;
            const { height } = node('1').getBoundingClientRect();
            const touchable = stage.root.querySelectorAll('a, button').length;
            stage.snapshot([section('a', ['2'])]);
            return [stage.root.innerText.trim(), height, touchable, without === node('2').getBoundingClientRect().top, corner !== '0px'];
        """)
        self.assertEqual(found, ["Cell 2", 0, 0, True, True])

    def test_places_count_a_cell_that_is_not_seen(self):
        found = self.on_stage("""
            stage.snapshot([section('a', ['1', cell('2', { type: 'chart', fallback: null }), '3'])]);
            return stage.change({ moveCells: [[0, 2, 0, 0, 1]] }).order;
        """)
        self.assertEqual(found, ["a 3 1 2"])

    def test_what_comes_to_be_seen_comes_in_and_what_goes_takes_no_focus_along(self):
        found = self.on_stage("""
            const chart = (content) => cell('1', { type: 'chart', action, ...content });
            const update = (cell) => stage.change({ updateCells: [{ at: [0, 0], cell }] });
            stage.snapshot([section('a', [chart({ fallback: null }), cell('2', { action })])]);
            const come = update(chart({ fallback: { ...note, action } })).animations;
            node('1').querySelector('button').focus();
            update(chart({ fallback: null }));
            return [come, document.activeElement.closest('.cell').dataset.id, node('1').hidden];
        """)
        self.assertEqual(found, [["insert 1", "shift 2"], "2", True])

    def test_what_is_not_seen_is_not_told(self):
        found = self.on_stage("""
            stage.snapshot([section('a', ['1'])]);
            const cells = [cell('2', { type: 'chart', fallback: null }), cell('3', { type: 'chart', fallback: note })];
            const change = stage.list.render({ ...stage.held, version: 'v2', sections: [section('a', ['1', ...cells])] });
            return [...change.inserted.values()].map(({ id, type }) => [id, type]);
        """)
        self.assertEqual(found, [["3", "note"]])

    def test_a_fallback_of_a_type_that_is_not_known_leaves_its_cell_as_it_is(self):
        found = self.on_stage("""
            stage.snapshot([section('a', [cell('1', { type: 'chart', fallback: { type: 'hologram' } })])]);
            return node('1').textContent;
        """)
        self.assertEqual(found, "Cell 1")
