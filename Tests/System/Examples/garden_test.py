"""The package that `relist new` writes, as it was written."""

import os

from serving import ServerTest, events, run


class GardenTest(ServerTest):
    program = os.environ["GARDEN"]

    def test_what_an_action_changes_arrives_at_who_follows(self):
        self.assertEqual(self.document("/screens/notes")["title"], "Notes")
        for text in ("Buy seeds", "Cut the hedge", "Dig", "Mow"):
            self.ask("/screens/notes/actions/add", {"input": {"text": text}})
        with self.server.follow("/screens/notes/changes") as stream:
            told = events(stream)
            name, snapshot = next(told)
            self.assertEqual((name, len(snapshot["sections"][0]["cells"])), ("snapshot", 4))
            status, _ = self.ask("/screens/notes/actions/add", {"input": {"text": "Water the roses"}})
            self.assertEqual(status, 200)
            name, changeset = next(told)
        self.assertEqual((name, changeset["from"]), ("changeset", snapshot["version"]))
        [inserted] = changeset["stages"][0]["insertCells"]
        self.assertEqual((inserted["at"], [cell["id"] for cell in inserted["cells"]]), ([0, 4], ["Water the roses"]))
        self.stop()

    def test_the_page_is_there(self):
        status, page = self.ask("/")
        self.assertEqual(status, 200)
        self.assertIn(b"<!doctype html", page.lower())
        self.stop()

    def test_its_flags_are_those_of_every_server(self):
        self.assertIn("--log-level", run(self.program, "--help").stdout)
        self.stop()
