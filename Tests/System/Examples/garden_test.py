"""Tests of the unmodified package that `relist new` creates."""

import os

from serving import ServerTest, events


class NewPackageTest(ServerTest):
    program = os.environ["GARDEN"]

    def test_followers_of_a_new_package_receive_the_change_that_an_action_makes(self):
        self.assertEqual(self.document("/screens/notes")["title"], "Notes")
        for text in ("Buy seeds", "Cut the hedge", "Dig", "Mow"):
            self.ask("/screens/notes/actions/add", {"input": {"text": text}})
        with self.server.follow("/screens/notes/changes") as stream:
            received = events(stream)
            name, snapshot = next(received)
            self.assertEqual((name, len(snapshot["sections"][0]["cells"])), ("snapshot", 4))
            status, _ = self.ask("/screens/notes/actions/add", {"input": {"text": "Water the roses"}})
            self.assertEqual(status, 200)
            name, changeset = next(received)
        self.assertEqual((name, changeset["from"]), ("changeset", snapshot["version"]))
        [inserted] = changeset["stages"][0]["insertCells"]
        self.assertEqual((inserted["at"], [cell["id"] for cell in inserted["cells"]]), ([0, 4], ["Water the roses"]))
        self.stop()

