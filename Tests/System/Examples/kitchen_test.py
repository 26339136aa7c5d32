"""Tests of the server of the Kitchen example."""

import json
import os
import tempfile
import unittest

from serving import Server, run


class KitchenTest(unittest.TestCase):
    program = os.environ["KITCHEN"]

    def setUp(self):
        self.server = Server("--authentication", "development", program=self.program)
        self.addCleanup(self.server.remove)
        self.server.start()
        self.tokens = {user["name"]: user["token"] for user in self.server.get("/development/users")["users"]}

    def offers(self, user):
        """Returns the names of the actions that the only order offers to a user."""
        [cell] = json.loads(self.server.ask("GET", "/screens/orders", self.tokens[user]).content)["sections"][0]["cells"]
        return [action["name"] for action in cell.get("actions", [])]

    def test_an_order_offers_to_each_development_user_what_its_role_permits(self):
        order = {"input": {"dish": "Ramen", "table": 4}}
        self.assertEqual(self.server.ask("POST", "/screens/orders/actions/place", self.tokens["ada"], order).status, 200)
        self.assertEqual([self.offers(user) for user in ("ada", "lin", "grace")], [[], ["cook"], ["cook", "void"]])
        answer = self.server.ask("POST", "/screens/orders/actions/void", self.tokens["ada"], {"input": {"number": 1}})
        self.assertEqual((answer.status, json.loads(answer.content)["outcome"]), (403, "not-performed"))
        printed = self.server.ask("GET", "/orders.txt", self.tokens["ada"])
        self.assertEqual((printed.status, printed.content), (200, b"1\t4\tRamen\n"))

    def test_the_command_of_the_program_signs_a_token_for_a_user(self):
        signed = run(self.program, "token", "--user", "sam", "--claim", "role=waiter", "--database", str(self.server.database))
        token = signed.stdout.strip()
        order = {"input": {"dish": "Ramen", "table": 4}}
        self.assertEqual(self.server.ask("POST", "/screens/orders/actions/place", token, order).status, 200, signed)
        self.assertEqual(self.server.ask("GET", "/screens/orders").status, 401)

    def test_check_names_the_screens_or_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            checked = run(self.program, "check", "--database", f"{folder}/kitchen.sqlite")
        self.assertEqual((checked.returncode, "orders" in checked.stdout), (0, True), checked)
        wrong = run(self.program, "check", "--port", "http")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn("--port", wrong.stdout)

    def test_a_flag_of_the_program_is_validated_beside_those_of_the_server(self):
        wrong = run(self.program, "check", "--late-after", "9223372036854775807")
        self.assertNotEqual(wrong.returncode, 0)
        self.assertIn("--late-after is 9223372036854775807 but must be from 1 to 1440.", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
