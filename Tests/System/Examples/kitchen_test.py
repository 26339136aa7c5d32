"""Tests of the server of the Kitchen example."""

import json
import os
import tempfile
import unittest

from serving import ServerTest, run


class KitchenTest(ServerTest):
    program = os.environ["KITCHEN"]

    def test_an_order_is_offered_to_the_role_of_the_caller_and_printed(self):
        status, _ = self.ask("/screens/orders/actions/place", {"input": {"dish": "Ramen", "table": 4}})
        self.assertEqual(status, 200)
        cell = self.document("/screens/orders")["sections"][0]["cells"][0]
        self.assertEqual((cell["title"], cell["placed"]["style"], cell.get("actions")), ("Ramen", "relative", None))
        status, text = self.ask("/orders.txt")
        self.assertEqual((status, text), (200, b"1\t4\tRamen\n"))
        status, problem = self.ask("/screens/orders/actions/void", {"input": {"number": 1}})
        self.assertEqual((status, json.loads(problem)["outcome"]), (403, "not-performed"))
        self.assertIn("/orders.txt", self.document("/openapi.json")["paths"])
        self.stop()

    def test_check_names_the_screens_or_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            checked = run(self.program, "check", "--database", f"{folder}/kitchen.sqlite")
        self.assertEqual((checked.returncode, "orders" in checked.stdout), (0, True), checked)
        wrong = run(self.program, "check", "--port", "http")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn("--port", wrong.stdout)


if __name__ == "__main__":
    unittest.main()
