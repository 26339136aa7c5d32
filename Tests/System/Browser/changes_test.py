"""How a list moves from one snapshot to the next."""

import json

from driving.browser import BrowserTest
from driving.page import script
from serving import ROOT

STAGE = script("stage.js")
TWO_SECTIONS = "stage.snapshot([section('a', ['1', '2', '3'], { header: { type: 'h', title: 'A' } }), section('b', ['4', '5'])]);"


class ChangesTest(BrowserTest):
    """Each kind of change, on a list of the test's own."""

    def setUp(self):
        super().setUp()
        # The stage takes the place of the page, which must have nothing left to do.
        self.open("settings")

    def on_stage(self, code, *arguments):
        return self.run_module(f"{STAGE} const stage = new Stage(); {code}", *arguments)

    def change(self, *stages):
        return self.on_stage(f"{TWO_SECTIONS} return stage.change(...given);", *stages)

    def cell(self, identifier, **content):
        return {"id": identifier, "type": "row", "title": f"Cell {identifier}", **content}

    def test_an_inserted_cell_comes_in_and_others_shift(self):
        found = self.change({"insertCells": [{"at": [0, 1], "cells": [self.cell("9")]}]})
        self.assertEqual(found["order"], ["a 1 9 2 3", "b 4 5"])
        self.assertEqual(found["animations"], ["insert 9", "shift 2", "shift 3", "shift 4", "shift 5"])
        self.assertEqual(found["same"], ["1", "2", "3", "4", "5"])
        self.assertEqual(found["touched"], ["9"])

    def test_a_deleted_cell_leaves_and_others_close_up(self):
        found = self.change({"deleteCells": [[0, 1, 1]]})
        self.assertEqual(found["order"], ["a 1 3", "b 4 5"])
        self.assertEqual(found["animations"], ["delete 2", "shift 3", "shift 4", "shift 5"])
        self.assertEqual(found["touched"], ["2"])

    def test_a_moved_cell_is_lifted_and_keeps_its_node(self):
        found = self.change({"moveCells": [[0, 0, 0, 2, 1]]})
        self.assertEqual(found["order"], ["a 2 3 1", "b 4 5"])
        self.assertEqual(found["animations"], ["move 1", "shift 2", "shift 3"])
        self.assertEqual(found["same"], ["2", "3", "1", "4", "5"])
        self.assertEqual(found["touched"], ["1"])

    def test_the_cell_that_an_operation_names_is_the_one_that_moves(self):
        for source, target, moved in [(0, 1, "4"), (1, 0, "5")]:
            with self.subTest(moved):
                found = self.change({"moveCells": [[1, source, 1, target, 1]]})
                self.assertEqual(found["order"], ["a 1 2 3", "b 5 4"])
                self.assertEqual(found["touched"], [moved])
                self.assertIn(f"move {moved}", found["animations"])

    def test_a_cell_moves_to_another_section_with_its_node(self):
        found = self.change({"moveCells": [[0, 1, 1, 1, 1]]})
        self.assertEqual(found["order"], ["a 1 3", "b 4 2 5"])
        self.assertEqual(found["animations"], ["move 2", "shift 3", "shift 4"])
        self.assertEqual(found["same"], ["1", "3", "4", "2", "5"])
        self.assertEqual(found["touched"], ["2"])

    def test_an_updated_cell_is_tinted_and_stays(self):
        found = self.change({"updateCells": [{"at": [0, 0], "cell": self.cell("1", value="new")}]})
        self.assertEqual(found["animations"], ["update 1"])
        self.assertEqual(found["same"], ["1", "2", "3", "4", "5"])
        self.assertEqual(found["touched"], ["1"])

    def test_a_cell_that_changes_and_moves_is_told_to_do_both(self):
        update = {"updateCells": [{"at": [0, 0], "cell": self.cell("1", value="new")}]}
        found = self.change(update, {"moveCells": [[0, 0, 1, 2, 1]]})
        self.assertEqual(found["order"], ["a 2 3", "b 4 5 1"])
        self.assertIn("move 1", found["animations"])
        self.assertIn("update 1", found["animations"])
        self.assertIn("1", found["same"])

    def test_a_section_comes_with_its_header_and_takes_cells_in(self):
        new = {"id": "n", "header": {"type": "h", "title": "N"}, "cells": [self.cell("9")]}
        found = self.change({"insertSections": [{"at": 0, "section": new}]}, {"moveCells": [[1, 2, 0, 0, 1]]})
        self.assertEqual(found["order"], ["n 3 9", "a 1 2", "b 4 5"])
        self.assertIn("insert header", found["animations"])
        self.assertIn("insert 9", found["animations"])
        self.assertIn("move 3", found["animations"])
        self.assertEqual(found["touched"], ["3"])

    def test_a_section_goes_after_its_cells_have_left(self):
        found = self.change({"moveCells": [[0, 0, 1, 0, 3]]}, {"deleteSections": [0]})
        self.assertEqual(found["order"], ["b 1 2 3 4 5"])
        self.assertIn("delete header", found["animations"])
        self.assertEqual(found["same"], ["1", "2", "3", "4", "5"])
        self.assertEqual(found["touched"], ["1", "2", "3"])

    def test_a_section_moves_as_a_whole(self):
        found = self.change({"moveSections": [[0, 1]]})
        self.assertEqual(found["order"], ["b 4 5", "a 1 2 3"])
        self.assertEqual(set(found["same"]), set("12345"))
        self.assertTrue({"move 4", "move 5"} <= set(found["animations"]) or {"move 1", "move header"} <= set(found["animations"]))

    def test_a_header_is_updated_alone(self):
        found = self.change({"updateSections": [{"at": 0, "header": {"type": "h", "title": "New"}}]})
        self.assertEqual(found["animations"], ["update header"])
        self.assertEqual(found["touched"], [])

    def test_a_badge_is_put_to_its_cell_and_leaves_with_it(self):
        found = self.on_stage("""
            const badge = { kind: 'badge', cell: '2', view: { type: 'badge', text: 'New' } };
            stage.snapshot([section('a', ['1', '2'], { supplementary: [badge] }), section('b', ['3'])], 'collection');
            const textOf = ([id, node]) => `${id}${node.querySelector('.badges')?.textContent ?? ''}`;
            const text = () => [...stage.byId()].map(textOf).join();
            const first = text();
            stage.change({ moveCells: [[0, 1, 1, 0, 1]] }, { updateSections: [{ at: 0 }, { at: 1, supplementary: [badge] }] });
            const second = text();
            stage.change({ updateSections: [{ at: 1 }] });
            return [first, second, text()];
        """)
        self.assertEqual(found, ["1,2New,3", "1,2New,3", "1,2,3"])

    def test_what_leaves_is_gone_when_it_has_left(self):
        found = self.on_stage(f"""{TWO_SECTIONS}
            stage.change({{ deleteCells: [[0, 0, 3]] }});
            const leaving = stage.scroller.querySelectorAll('.ghosts > *').length;
            const isHidden = stage.scroller.querySelector('.ghosts').inert;
            await stage.settled();
            return [leaving, isHidden, stage.scroller.querySelectorAll('.ghosts > *').length];
        """)
        self.assertEqual(found, [3, True, 0])

    def test_changes_that_overtake_each_other_end_as_the_last_one_says(self):
        found = self.on_stage(f"""{TWO_SECTIONS}
            stage.change({{ moveCells: [[0, 0, 1, 2, 1]] }});
            stage.change({{ moveCells: [[1, 2, 0, 0, 1]] }});
            stage.change({{ deleteCells: [[0, 0, 1]], insertCells: [{{ at: [1, 0], cells: [cell('9')] }}] }});
            await stage.settled();
            const still = [...stage.byId().values()].every((node) => getComputedStyle(node).transform === 'none');
            return [stage.order(), still];
        """)
        self.assertEqual(found, [["a 2 3", "b 9 4 5"], True])

    def test_the_focus_stays_with_its_cell_when_it_moves(self):
        found = self.on_stage("""
            const action = { name: 'open' };
            stage.snapshot([section('a', [cell('1', { action }), cell('2', { action })]), section('b', [])]);
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

    def test_a_button_that_becomes_a_text_keeps_nobody_from_going_on(self):
        found = self.on_stage("""
            const action = { name: 'open' };
            stage.snapshot([section('a', [cell('1', { action }), cell('2', { action })])]);
            stage.byId().get('1').querySelector('button').focus();
            stage.change({ updateCells: [{ at: [0, 0], cell: cell('1') }] });
            return document.activeElement.closest('.cell')?.dataset.id;
        """)
        self.assertEqual(found, "2")

    def test_a_selected_text_stays_selected(self):
        found = self.on_stage(f"""{TWO_SECTIONS}
            getSelection().selectAllChildren(stage.byId().get('2').querySelector('.title'));
            stage.change({{ deleteCells: [[0, 0, 1]], moveCells: [[0, 1, 1, 0, 1]] }});
            return getSelection().toString();
        """)
        self.assertEqual(found, "Cell 2")

    def test_what_is_being_read_stays_where_it_is(self):
        found = self.on_stage("""
            stage.snapshot([section('a', Array.from({ length: 100 }, (_, index) => String(index)))]);
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

    def test_nothing_moves_for_those_who_do_not_want_it(self):
        self.look(motion="reduce")
        inserts = [{"at": [1, 0], "cells": [self.cell("9")]}]
        found = self.change({"deleteCells": [[0, 0, 1]], "insertCells": inserts, "moveCells": [[0, 1, 1, 1, 1]]})
        self.assertEqual(found["order"], ["a 3", "b 9 2 4 5"])
        self.assertEqual(found["animations"], [])

    def test_the_first_look_at_a_list_does_not_move(self):
        self.assertEqual(self.on_stage(f"{TWO_SECTIONS} return stage.animations();"), [])

    def test_every_fixture_is_shown_as_its_target_with_the_nodes_of_its_source(self):
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
