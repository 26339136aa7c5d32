"""Tests of cells and views of unknown types."""

from driving.browser import StageTest

# Code that registers a renderer for notes only, so that all other types are unknown.
KNOWN = """
    register('note', { configure: (element, { text }) => { element.textContent = text; } });
    const note = { type: 'note', text: 'Update the app' };
    const action = { name: 'open' };
    const node = (id) => stage.byId().get(id);
"""


class FallbackTest(StageTest):
    """Tests of fallbacks, on a list that the test creates."""

    PRELUDE = KNOWN

    def test_a_fallback_is_shown_in_place_of_its_cell(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', ['1', cell('2', { type: 'chart', action, fallback: note }), '3'])]);
            return [stage.order(), node('2').textContent, node('2').dataset.type, node('2').querySelector('button') === null];
        """)
        self.assertEqual(found, [["a 1 2 3"], "Update the app", "note", True])

    def test_selecting_a_fallback_performs_the_action_of_the_fallback(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', [cell('1', { type: 'chart', fallback: { ...note, action } })])]);
            node('1').querySelector('button').click();
            return stage.chosen.map(({ action, view }) => [action.name, view.id, view.type]);
        """)
        self.assertEqual(found, [["open", "1", "note"]])

    def test_a_hidden_cell_takes_no_space_and_has_no_links_or_buttons(self):
        found = self.on_stage("""
            const hidden = cell('1', { type: 'chart', action, actions: [{ name: 'a', title: 'A' }], fallback: null });
            await stage.snapshot([section('a', [hidden, '2'], { header: { type: 'chart', fallback: null } })]);
            const without = node('2').getBoundingClientRect().top;
            const corner = getComputedStyle(node('2')).borderTopLeftRadius;
            const { height } = node('1').getBoundingClientRect();
            const touchable = stage.root.querySelectorAll('a, button').length;
            await stage.snapshot([section('a', ['2'])]);
            return [stage.root.innerText.trim(), height, touchable, without === node('2').getBoundingClientRect().top, corner !== '0px'];
        """)
        self.assertEqual(found, ["Cell 2", 0, 0, True, True])

    def test_a_hidden_cell_is_counted_in_the_indexes_of_a_move(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', ['1', cell('2', { type: 'chart', fallback: null }), '3'])]);
            return stage.change({ moveCells: [[0, 2, 0, 0, 1]] }).order;
        """)
        self.assertEqual(found, ["a 3 1 2"])

    def test_a_cell_is_animated_as_inserted_when_it_becomes_visible_and_loses_the_focus_when_it_is_hidden(self):
        found = self.on_stage("""
            const chart = (content) => cell('1', { type: 'chart', action, ...content });
            const update = (cell) => stage.change({ updateCells: [{ at: [0, 0], cell }] });
            await stage.snapshot([section('a', [chart({ fallback: null }), cell('2', { action })])]);
            const come = update(chart({ fallback: { ...note, action } })).animations;
            node('1').querySelector('button').focus();
            update(chart({ fallback: null }));
            return [come, document.activeElement.closest('.cell').dataset.id, node('1').hidden];
        """)
        self.assertEqual(found, [["insert 1", "shift 2"], "2", True])

    def test_the_reported_change_does_not_mention_hidden_cells(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', ['1'])]);
            const cells = [cell('2', { type: 'chart', fallback: null }), cell('3', { type: 'chart', fallback: note })];
            const change = stage.list.render({ ...stage.held, version: 'v2', sections: [section('a', ['1', ...cells])] });
            return [...change.inserted.values()].map(({ id, type }) => [id, type]);
        """)
        self.assertEqual(found, [["3", "note"]])
