"""Tests of the animations and nodes of a list view."""

import json

from driving.browser import StageTest
from serving import ROOT

TWO_SECTIONS = "await stage.snapshot([section('a', ['1', '2', '3'], { header: { type: 'h', title: 'A' } }), section('b', ['4', '5'])]);"




def row(identifier, **content):
    return {"id": identifier, "type": "row", "title": f"Cell {identifier}", **content}


NEW = {"id": "n", "header": {"type": "h", "title": "N"}, "cells": [row("9")]}
UPDATE = {"updateCells": [{"at": [0, 0], "cell": row("1", value="new")}]}
# Changes of a list, by name. Each has its stages, the list after the change, the touched cells, and the animations.
CHANGES = {
    "insert": (
        [{"insertCells": [{"at": [0, 1], "cells": [row("9")]}]}], ["a 1 9 2 3", "b 4 5"], "9",
        "insert 9, shift 2, shift 3, shift 4, shift 5"),
    "delete": ([{"deleteCells": [[0, 1, 1]]}], ["a 1 3", "b 4 5"], "2", "delete 2, shift 3, shift 4, shift 5"),
    "move": ([{"moveCells": [[0, 0, 0, 2, 1]]}], ["a 2 3 1", "b 4 5"], "1", "move 1, shift 2, shift 3"),
    "move the first of two": ([{"moveCells": [[1, 0, 1, 1, 1]]}], ["a 1 2 3", "b 5 4"], "4", "move 4, shift 5"),
    "move the second of two": ([{"moveCells": [[1, 1, 1, 0, 1]]}], ["a 1 2 3", "b 5 4"], "5", "move 5, shift 4"),
    "move to another section": ([{"moveCells": [[0, 1, 1, 1, 1]]}], ["a 1 3", "b 4 2 5"], "2", "move 2, shift 3, shift 4"),
    "update": ([UPDATE], ["a 1 2 3", "b 4 5"], "1", "update 1"),
    "update and move": (
        [UPDATE, {"moveCells": [[0, 0, 1, 2, 1]]}], ["a 2 3", "b 4 5 1"], "1",
        "move 1, shift 2, shift 3, shift 4, shift 5, update 1"),
    "insert a section and move a cell into it": (
        [{"insertSections": [{"at": 0, "section": NEW}]}, {"moveCells": [[1, 2, 0, 0, 1]]}], ["n 3 9", "a 1 2", "b 4 5"], "3",
        "insert 9, insert header, move 3, shift 1, shift 2, shift 4, shift 5, shift header"),
    "move cells out of a section and delete it": (
        [{"moveCells": [[0, 0, 1, 0, 3]]}, {"deleteSections": [0]}], ["b 1 2 3 4 5"], "1 2 3",
        "delete header, move 1, move 2, move 3, shift 4, shift 5"),
    "move a section": ([{"moveSections": [[0, 1]]}], ["b 4 5", "a 1 2 3"], "", "move 1, move 2, move 3, move header, shift 4, shift 5"),
    "update a header": ([{"updateSections": [{"at": 0, "header": {"type": "h", "title": "New"}}]}], ["a 1 2 3", "b 4 5"], "", "update header"),
}


class ListChangesTest(StageTest):
    """Tests of each kind of change, on a list that the test creates."""

    def test_each_change_runs_the_expected_animations_and_leaves_other_cells_alone(self):
        for name, (stages, order, touched, animations) in CHANGES.items():
            with self.subTest(name):
                found = self.on_stage(f"{TWO_SECTIONS} return stage.change(...given);", *stages)
                self.assertEqual(found["order"], order)
                self.assertEqual(found["touched"], touched.split())
                self.assertEqual(found["animations"], animations.split(", "))
                remaining = [cell for section in order for cell in section.split()[1:] if cell in "12345"]
                self.assertEqual(found["same"], remaining, "remaining cells keep their nodes")

    def test_a_badge_is_attached_to_its_cell_and_removed_with_the_cell(self):
        found = self.on_stage("""
            const badge = { kind: 'badge', cell: '2', view: { type: 'badge', text: 'New' } };
            await stage.snapshot([section('a', ['1', '2'], { supplementary: [badge] }), section('b', ['3'])], 'collection');
            const textOf = ([id, node]) => `${id}${node.querySelector('.badges')?.textContent ?? ''}`;
            const text = () => [...stage.byId()].map(textOf).join();
            const first = text();
            stage.change({ moveCells: [[0, 1, 1, 0, 1]] }, { updateSections: [{ at: 0 }, { at: 1, supplementary: [badge] }] });
            const second = text();
            stage.change({ updateSections: [{ at: 1 }] });
            return [first, second, text()];
        """)
        self.assertEqual(found, ["1,2New,3", "1,2New,3", "1,2,3"])

    def test_the_dom_node_of_a_deleted_cell_is_removed_when_its_animation_ends(self):
        found = self.on_stage(f"""{TWO_SECTIONS}
            stage.change({{ deleteCells: [[0, 0, 3]] }});
            const leaving = stage.scroller.querySelectorAll('.ghosts > *').length;
            const isHidden = stage.scroller.querySelector('.ghosts').inert;
            await stage.settled();
            return [leaving, isHidden, stage.scroller.querySelectorAll('.ghosts > *').length];
        """)
        self.assertEqual(found, [3, True, 0])

    def test_a_list_shows_the_last_state_after_changes_that_interrupt_each_other(self):
        found = self.on_stage(f"""{TWO_SECTIONS}
            stage.change({{ moveCells: [[0, 0, 1, 2, 1]] }});
            stage.change({{ moveCells: [[1, 2, 0, 0, 1]] }});
            stage.change({{ deleteCells: [[0, 0, 1]], insertCells: [{{ at: [1, 0], cells: [cell('9')] }}] }});
            await stage.settled();
            const still = [...stage.byId().values()].every((node) => getComputedStyle(node).transform === 'none');
            return [stage.order(), still];
        """)
        self.assertEqual(found, [["a 2 3", "b 9 4 5"], True])

    def test_a_focused_cell_keeps_the_focus_when_it_is_moved_or_updated(self):
        found = self.on_stage("""
            const action = { name: 'open' };
            await stage.snapshot([section('a', [cell('1', { action }), cell('2', { action })]), section('b', [])]);
            const focused = () => document.activeElement.closest('.cell')?.dataset.id;
            stage.byId().get('1').querySelector('button').focus();
            stage.change({ moveCells: [[0, 0, 1, 0, 1]] });
            const moved = focused();
            stage.change({ updateCells: [{ at: [1, 0], cell: cell('1', { action, value: 'x' }) }] });
            const updated = focused();
            stage.change({ deleteCells: [[1, 0, 1]] });
            return [moved, updated, focused()];
        """)
        self.assertEqual(found, ["1", "1", "2"])

    def test_the_focus_moves_to_the_next_button_if_a_focused_button_becomes_a_text(self):
        found = self.on_stage("""
            const action = { name: 'open' };
            await stage.snapshot([section('a', [cell('1', { action }), cell('2', { action })])]);
            stage.byId().get('1').querySelector('button').focus();
            stage.change({ updateCells: [{ at: [0, 0], cell: cell('1') }] });
            return document.activeElement.closest('.cell')?.dataset.id;
        """)
        self.assertEqual(found, "2")

    def test_a_selected_text_stays_selected_while_the_list_changes(self):
        found = self.on_stage(f"""{TWO_SECTIONS}
            getSelection().selectAllChildren(stage.byId().get('2').querySelector('.title'));
            stage.change({{ deleteCells: [[0, 0, 1]], moveCells: [[0, 1, 1, 0, 1]] }});
            return getSelection().toString();
        """)
        self.assertEqual(found, "Cell 2")

    def test_visible_content_stays_in_place_when_cells_are_inserted_above_it(self):
        found = self.on_stage("""
            await stage.snapshot([section('a', Array.from({ length: 100 }, (_, index) => String(index)))]);
            stage.scroller.scrollTop = 1500;
            const topOf = (node) => Math.round(node.getBoundingClientRect().top);
            const seen = () => [...stage.byId()].map(([id, node]) => [id, topOf(node)]).find(([, top]) => top > 0);
            const before = seen();
            stage.change({ insertCells: [{ at: [0, 0], cells: [cell('x'), cell('y'), cell('z')] }] });
            await stage.settled();
            return [before, seen(), stage.scroller.scrollTop];
        """)
        self.assertEqual(found[0], found[1])
        self.assertGreater(found[2], 1500)

    def test_reduced_motion_disables_animations(self):
        self.look(motion="reduce")
        stage = {"deleteCells": [[0, 0, 1]], "insertCells": [{"at": [1, 0], "cells": [row("9")]}], "moveCells": [[0, 1, 1, 1, 1]]}
        found = self.on_stage(f"{TWO_SECTIONS} return stage.change(...given);", stage)
        self.assertEqual((found["order"], found["animations"]), (["a 3", "b 9 2 4 5"], []))

    def test_a_first_snapshot_is_not_animated(self):
        self.assertEqual(self.on_stage(f"{TWO_SECTIONS} return stage.animations();"), [])

    def test_rendering_the_target_of_each_fixture_keeps_the_nodes_of_remaining_cells(self):
        for path in sorted((ROOT / "Tests/Fixtures/Changesets").glob("*.json")):
            with self.subTest(path.name):
                fixture = json.loads(path.read_text())
                found = self.on_stage("""
                    const [{ source, target }] = given;
                    stage.list.render(source);
                    const before = stage.byId();
                    stage.list.render(target);
                    const after = stage.byId();
                    const kept = [...before].filter(([id]) => after.has(id)).every(([id, node]) => after.get(id) === node);
                    const expected = target.sections.map(({ id, cells }) => [id, ...cells.map((one) => one.id)].join(' '));
                    return { kept, expected, shown: stage.order() };
                """, fixture)
                self.assertEqual(found["shown"], found["expected"])
                self.assertTrue(found["kept"])
