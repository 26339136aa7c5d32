"""Tests that the checker of the other tests finds what it is to find."""

import random
import unittest

from applying import ChangesetMismatch, apply
from checker import Breach, Checker, Knowledge

DAY, WEIGHED = "2018-08-01", "2018-09-21"


def document(**days):
    """Returns a snapshot of the contract with deliveries of the given weights, by day."""
    sections = [{"id": "contract", "cells": []}]
    for day, weights in days.items():
        cells = [{"id": f"{day} {number}", "type": "delivery", "kilograms": one} for number, one in enumerate(weights)]
        sections.append({"id": day, "header": {"kilograms": sum(weights)}, "cells": cells})
    return {"screen": "deliveries", "version": "v", "sections": sections}


class CheckerTest(unittest.TestCase):
    def setUp(self):
        self.checker = Checker(random.Random(0))
        self.attempt = self.checker.schedule()
        self.checker.schedule(WEIGHED)
        for kilograms in (2, 3):
            self.checker.weigh(WEIGHED, "id", kilograms)

    def check(self, *, known=None, **days):
        days = {name.replace("_", "-"): weights for name, weights in days.items()}
        self.checker.check(document(**days), DAY, known or self.checker.shared, Knowledge())

    def refuses(self, what, **days):
        with self.assertRaisesRegex(Breach, what):
            self.check(**days)

    def test_a_performed_action_must_be_shown_once(self):
        self.checker.note_performed(self.attempt)
        self.check(**{DAY: [1]})
        self.refuses("vanished")
        self.refuses("twice", **{DAY: [1, 1]})

    def test_an_action_that_a_client_has_seen_must_be_shown(self):
        self.check(**{DAY: [1]})
        self.refuses("vanished")

    def test_an_action_that_was_never_requested_must_not_be_shown(self):
        self.refuses("never requested", **{DAY: [2]})

    def test_an_action_that_was_reported_as_not_performed_must_not_be_shown(self):
        self.checker.abandon(self.attempt)
        self.refuses("reported as not performed", **{DAY: [1]})

    def test_a_weight_must_not_go_back(self):
        self.check(**{WEIGHED: [2]})
        self.check(**{WEIGHED: [3]})
        self.refuses("below 3", **{WEIGHED: [2]})

    def test_totals_must_fit_their_deliveries(self):
        wrong = document(**{DAY: [1]})
        wrong["sections"][1]["header"]["kilograms"] = 2
        with self.assertRaisesRegex(Breach, "total"):
            self.checker.check(wrong, DAY, Knowledge(), Knowledge())

    def test_in_the_end_exactly_the_performed_actions_must_be_shown(self):
        self.checker.check_all(document())
        with self.assertRaisesRegex(Breach, "surplus"):
            self.checker.check_all(document(**{DAY: [1]}))
        self.checker.note_performed(self.attempt)
        with self.assertRaisesRegex(Breach, "missing"):
            self.checker.check_all(document())

    def test_with_replicas_only_actions_with_a_position_must_be_shown_to_others(self):
        self.checker.is_single = False
        self.checker.note_performed(self.attempt)
        self.check()
        self.checker.note_performed(self.attempt, position="p")
        self.assertEqual(self.checker.positions, {"p"})
        self.refuses("vanished")


class ApplyingTest(unittest.TestCase):
    """Tests of rules 1 to 3 for changesets."""

    def refuses(self, what, *stages):
        held = document(first=[1, 2], second=[3])
        with self.assertRaisesRegex(ChangesetMismatch, what):
            apply(held, {"screen": "deliveries", "from": "v", "version": "w", "stages": stages})

    def test_no_place_is_named_twice_or_out_of_bounds(self):
        self.refuses("twice", {"deleteCells": [[1, 0, 1]], "moveCells": [[1, 0, 2, 0, 1]]})
        self.refuses("twice", {"updateCells": [{"at": [1, 0], "cell": {"id": "first 0"}}] * 2})
        self.refuses("no such place", {"deleteCells": [[1, 1, 2]]})

    def test_stages_are_in_order_and_have_operations_on_cells_or_sections(self):
        self.refuses("not in its place", {"moveSections": [[1, 2]]}, {"deleteCells": [[1, 0, 1]]})
        self.refuses("not in its place", {"deleteCells": [[1, 0, 1]], "deleteSections": [2]})
        self.refuses("not in its place", {})

    def test_a_cell_or_section_that_was_there_is_never_inserted(self):
        cell = {"id": "first 0", "type": "delivery", "kilograms": 1}
        self.refuses("a cell is inserted", {"deleteCells": [[1, 0, 1]], "insertCells": [{"at": [2, 0], "cells": [cell]}]})
        self.refuses("a cell is inserted", {"insertSections": [{"at": 1, "section": {"id": "new", "cells": [cell]}}]})
        self.refuses("a section is inserted", {"insertSections": [{"at": 1, "section": {"id": "first", "cells": []}}]})


if __name__ == "__main__":
    unittest.main()
