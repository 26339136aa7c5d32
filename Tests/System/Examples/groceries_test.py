"""Tests of the server of the Groceries example."""

import json
import os
import signal
import subprocess
import unittest

from serving import TIMEOUT, ServerTest, run


class GroceriesTest(ServerTest):
    program = os.environ["GROCERIES"]

    def add(self, name, aisle, **more):
        return self.ask("/screens/groceries/actions/add", {"input": {"name": name, "aisle": aisle}, **more})

    def test_the_curl_commands_that_the_server_prints_at_its_start_work(self):
        lines = [line.strip() for line in self.server.greeting.splitlines() if line.startswith("  curl ")]
        self.assertEqual(len(lines), 3)
        kinds = [json.loads(subprocess.check_output(line, shell=True, stderr=subprocess.DEVNULL, timeout=TIMEOUT)) for line in lines]
        self.assertEqual([(k["kind"], k["screen"]) for k in kinds], [
            ("snapshot", "groceries"), ("snapshot", "aisles"), ("changeset", "groceries")])
        self.stop()

    def test_an_action_changes_every_screen_that_shows_the_changed_data(self):
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

    def test_the_response_to_an_action_is_a_changeset_if_the_list_is_long(self):
        for name in ("Bread", "Rolls", "Cake", "Pie"):
            self.add(name, "Bakery")
        version = self.document("/screens/groceries")["version"]
        answer = self.document("/screens/groceries/actions/buy", {"version": version, "input": {"name": "Cake"}})
        self.assertEqual((answer["kind"], answer["stages"]), ("changeset", [{"deleteCells": [[0, 1, 1]]}]))
        self.stop()

    def test_a_broken_rule_is_reported_and_nothing_is_written(self):
        self.add("Bread", "Bakery")
        status, answer = self.add("Bread", "Frozen")
        self.assertEqual((status, json.loads(answer)["errors"]), (422, [
            {"pointer": "/input/name", "detail": "It is on the list already."}]))
        status, _ = self.ask("/screens/groceries/actions/buy", {"input": {"name": "Milk"}})
        self.assertEqual(status, 422)
        self.assertEqual([section["id"] for section in self.document("/screens/groceries")["sections"]], ["Bakery"])
        self.stop()

    def test_data_and_versions_survive_a_restart(self):
        self.add("Bread", "Bakery")
        version = self.document("/screens/groceries")["version"]
        self.stop(signal.SIGINT)
        self.server.start()
        answer = self.document("/screens/groceries/changes", {"version": version})
        self.assertEqual((answer["kind"], answer["from"], answer["stages"]), ("changeset", version, []))
        self.stop()

    def test_the_openapi_document_describes_the_screens(self):
        description = self.document("/openapi.json")
        self.assertIn("/screens/groceries/actions/buy", description["paths"])
        schemas = description["components"]["schemas"]
        self.assertEqual(schemas["GroceriesGroceryCell"]["required"], ["id", "type", "text"])
        self.assertEqual(schemas["AislesAisleCell"]["properties"]["count"], {"type": "integer"})
        self.assertEqual(schemas["GroceriesGroceryCell"]["additionalProperties"], False)
        self.stop()

    def test_the_web_page_of_relist_is_served_by_default(self):
        status, page = self.ask("/")
        self.assertEqual(status, 200)
        self.assertIn(b"<!doctype html", page.lower())
        self.stop()

    def test_invalid_arguments_are_reported_in_one_line(self):
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
