"""What the example of a team's server promises."""

import json
import os
import signal
import subprocess
import unittest

from serving import PATIENCE, ServerTest, run


class GroceriesTest(ServerTest):
    program = os.environ["GROCERIES"]

    def add(self, name, aisle, **more):
        return self.ask("/screens/groceries/actions/add", {"input": {"name": name, "aisle": aisle}, **more})

    def test_it_greets_with_lines_for_its_own_screens_that_work(self):
        lines = [line.strip() for line in self.server.greeting.splitlines() if line.startswith("  curl ")]
        self.assertEqual(len(lines), 3)
        kinds = [json.loads(subprocess.check_output(line, shell=True, stderr=subprocess.DEVNULL, timeout=PATIENCE)) for line in lines]
        self.assertEqual([(k["kind"], k["screen"]) for k in kinds], [
            ("snapshot", "groceries"), ("snapshot", "aisles"), ("changeset", "groceries")])
        self.stop()

    def test_an_action_changes_every_screen_that_read_what_it_wrote(self):
        before = self.document("/screens/aisles")
        self.assertEqual([section["cells"] for section in before["sections"]], [[]])
        version = self.document("/screens/groceries")["version"]
        self.add("Bread", "Bakery")
        status, answer = self.add("Flour", "Baking", version=version)
        self.assertEqual(status, 200)
        self.assertEqual([section["id"] for section in json.loads(answer)["sections"]], ["Bakery", "Baking"])
        after = self.document("/screens/aisles")
        cells = [cell for section in after["sections"] for cell in section["cells"]]
        self.assertEqual([(cell["id"], cell["count"]) for cell in cells], [("Bakery", 1), ("Baking", 1)])
        self.stop()

    def test_a_change_is_a_changeset_once_there_is_something_to_keep(self):
        for name in ("Bread", "Rolls", "Cake", "Pie"):
            self.add(name, "Bakery")
        version = self.document("/screens/groceries")["version"]
        answer = self.document("/screens/groceries/actions/buy", {"version": version, "input": {"name": "Cake"}})
        self.assertEqual((answer["kind"], answer["stages"]), ("changeset", [{"deleteCells": [[0, 1, 1]]}]))
        self.stop()

    def test_what_breaks_a_rule_is_said_and_nothing_is_done(self):
        self.add("Bread", "Bakery")
        status, answer = self.add("Bread", "Frozen")
        self.assertEqual((status, json.loads(answer)["errors"]), (422, [
            {"pointer": "/input/name", "detail": "It is on the list already."}]))
        status, _ = self.ask("/screens/groceries/actions/buy", {"input": {"name": "Milk"}})
        self.assertEqual(status, 422)
        self.assertEqual([section["id"] for section in self.document("/screens/groceries")["sections"]], ["Bakery"])
        self.stop()

    def test_what_was_done_and_what_clients_hold_is_there_after_a_restart(self):
        self.add("Bread", "Bakery")
        version = self.document("/screens/groceries")["version"]
        self.stop(signal.SIGINT)
        self.server.start()
        answer = self.document("/screens/groceries/changes", {"version": version})
        self.assertEqual((answer["kind"], answer["from"], answer["stages"]), ("changeset", version, []))
        self.stop()

    def test_its_screens_are_described_without_a_word_of_it(self):
        description = self.document("/openapi.json")
        self.assertIn("/screens/groceries/actions/buy", description["paths"])
        schemas = description["components"]["schemas"]
        self.assertEqual(schemas["GroceriesGroceryCell"]["required"], ["id", "type", "text"])
        self.assertEqual(schemas["AislesAisleCell"]["properties"]["count"], {"type": "integer"})
        self.assertEqual(schemas["GroceriesGroceryCell"]["additionalProperties"], False)
        self.stop()

    def test_the_page_is_there_without_a_folder(self):
        status, page = self.ask("/")
        self.assertEqual(status, 200)
        self.assertIn(b"<!doctype html", page.lower())
        self.stop()

    def test_what_is_wrong_with_the_command_line_is_one_clear_line(self):
        unknown = run(self.program, "--colour", "red")
        self.assertEqual((unknown.returncode, unknown.stdout), (64, ""))
        self.assertEqual(
            unknown.stderr, "Groceries: Unknown option '--colour'. See 'Groceries --help' for more information.\n")
        port = run(self.program, "--port", "none")
        self.assertEqual((port.returncode, port.stdout, port.stderr), (
            1, "", 'Groceries: --port is "none" but must be a whole number from 0 to 65535.\n'))
        self.stop()


if __name__ == "__main__":
    unittest.main()
