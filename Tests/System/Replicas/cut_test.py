"""What a replica says that hears nothing of the database, or of the others."""

import asyncio
import time
import unittest

from clients import CONTRACT, SCHEDULE, Answers, Contents, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase

# For how long a replica trusts what it heard last.
BOUND = 3
NAMES = "/screens/settings"


def name_in(document):
    return next(cell for cell in document["sections"][0]["cells"] if cell["id"] == "firstName")["value"]


def deliveries_in(document):
    return [cell["id"] for section in document["sections"] for cell in section["cells"] if cell["type"] == "delivery"]


class CutTest(ReplicasCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        postgres = Postgres.shared()
        database = postgres.new_database()
        self.link = await self.new_link(postgres.port)
        # What hangs is given up soon, so that it can be looked at more than once.
        self.sound, self.cut = await asyncio.gather(
            self.replica(postgres.url(database)),
            self.replica(postgres.url(database, port=self.link.port), "--deadline-seconds", "1"))
        # Or it would wait for what hangs when it is told to stop.
        self.addCleanup(self.link.thaw)
        self.sound_client, self.cut_client = self.client(self.sound.port), self.client(self.cut.port)
        self.contents = Contents()

    async def rename(self, name):
        answer = await self.sound_client.ask(
            "POST", f"{NAMES}/actions/rename", body=b'{"input":{"firstName":"%s"}}' % name.encode())
        self.assertEqual(answer.status, 200)

    async def schedule(self):
        answer = await self.sound_client.ask("POST", SCHEDULE, body=b'{"input":{"day":"2018-08-01","kilograms":1}}')
        self.assertEqual(answer.status, 200)

    async def asked_until(self, end):
        """Asks the replica that is cut off all the while; gives what was answered, and when it was asked."""
        answers, client = Answers(), self.client(self.cut.port)
        while time.monotonic() < end:
            asked = time.monotonic()
            answer = await client.ask("GET", NAMES)
            answers.note(answer.status, asked, answer)
            await asyncio.sleep(0.02)
        return answers

    async def test_a_replica_that_is_cut_off_serves_nothing_that_may_be_stale_and_comes_back(self):
        await self.rename("before")
        async with Stream(self.cut.port, NAMES, self.contents) as stream:
            await stream.shows(lambda held: name_in(held) == "before", "the first snapshot")
            version, known = stream.holder.version, len(stream.events)
            await self.cut_client.ask("GET", NAMES)
            self.link.freeze()
            frozen = time.monotonic()
            await self.rename("after")
            answers = await self.asked_until(frozen + BOUND)
            self.assertEqual(answers.all[0][2], 200, "cached views are given for a while")
            self.assertLessEqual(set(answers.statuses), {200, 503})
            # All at once, as each hangs until the deadline.
            hanging = [
                asyncio.create_task(self.status(self.cut.port, path, *rest)) for path, *rest in [
                    (NAMES,), ("/screens/mountains",),
                    (NAMES, [("If-None-Match", f'"{version}"')]),
                    (f"{NAMES}/changes", [], b'{"version":"%s"}' % version.encode()),
                    (f"{NAMES}/changes?version={version}", [("Prefer", "wait=1")]),
                    (f"{NAMES}/changes", [("Accept", "text/event-stream")]),
                    (f"{NAMES}/actions/connect", [], b'{"input":{}}'),
                ]]
            # It knows without asking the database.
            self.assertEqual(await self.status(self.cut.port, "/readyz"), 503)
            self.assertFalse(any(task.done() for task in hanging))
            self.assertEqual(await asyncio.gather(*hanging), [503] * len(hanging))
            self.assertEqual(stream.events[known:], [])
            self.link.thaw()
            await self.ready(self.cut.port)
            answer = await self.cut_client.ask("GET", NAMES)
            self.assertEqual((answer.status, name_in(answer.document)), (200, "after"))
            await stream.shows(lambda held: name_in(held) == "after", "what was missed")
            self.assertEqual([event["kind"] for event in stream.events[known:]], ["changeset"])
            self.contents.note(answer.document)

    async def test_a_replica_that_does_not_hear_shows_what_another_has_written_after_the_bound(self):
        await self.rename("before")
        async with Stream(self.cut.port, NAMES, self.contents) as unchanged, Stream(self.cut.port, CONTRACT, self.contents) as changed:
            await unchanged.shows(lambda held: name_in(held) == "before", "the first snapshot")
            await changed.shows(lambda held: deliveries_in(held) == [], "the first snapshot")
            known = [len(unchanged.events), len(changed.events)]
            version = changed.holder.version
            self.link.freeze_listeners()
            await self.schedule()
            async def shows():
                answer = await self.cut_client.ask("GET", CONTRACT)
                self.assertEqual(answer.status, 200)
                return len(deliveries_in(answer.document)) == 1
            await eventually(shows, "what was written while it heard nothing")
            answer = await self.cut_client.ask("GET", f"{CONTRACT}&version={version}".replace("?", "/changes?"))
            self.assertEqual((answer.status, answer.document["kind"]), (200, "changeset"))
            self.assertNotEqual(answer.document["stages"], [])
            self.assertEqual(await self.status(self.cut.port, "/readyz"), 503)
            # Of a view of its own, as all who follow one are told what any of them finds.
            async with Stream(self.cut.port, f"{CONTRACT}&from=2018-08-01", self.contents) as late:
                await late.shows(lambda held: len(deliveries_in(held)) == 1, "what was written while it heard nothing")
            # Nor do those who followed before wait until it hears again.
            await changed.shows(lambda held: len(deliveries_in(held)) == 1, "what was missed")
            self.link.thaw()
            await self.ready(self.cut.port)
            # Whoever missed nothing hears nothing: the next that comes is the next that changes.
            await self.rename("after")
            await unchanged.shows(lambda held: name_in(held) == "after", "what comes next")
            for path, stream, count in zip([NAMES, CONTRACT], [unchanged, changed], known):
                self.assertEqual([event["kind"] for event in stream.events[count:]], ["changeset"])
                self.contents.note((await self.sound_client.ask("GET", path)).document)
                self.assertEqual(stream.holder.version, (await self.cut_client.ask("GET", path)).document["version"])


if __name__ == "__main__":
    unittest.main()
