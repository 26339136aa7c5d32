"""Tests of replicas that are cut off from the database, or from the notifications of other replicas."""

import asyncio
import time
import unittest

from clients import CONTRACT, SCHEDULE, Answers, Contents, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase

# The time in seconds for which a replica serves cached views without notifications.
BOUND = 3
NAMES = "/screens/settings"


def name_in(document):
    return next(cell for cell in document["sections"][0]["cells"] if cell["id"] == "firstName")["value"]


def deliveries_in(document):
    return [cell["id"] for section in document["sections"] for cell in section["cells"] if cell["type"] == "delivery"]


class ReplicaWithoutDatabaseTest(ReplicasCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        postgres = Postgres.shared()
        database = postgres.new_database()
        self.link = await self.new_link(postgres.port)
        # The deadline is short, so that requests that hang end soon.
        self.sound, self.cut = await asyncio.gather(
            self.replica(postgres.url(database)),
            self.replica(postgres.url(database, port=self.link.port), "--deadline-seconds", "1"))
        # The link is thawed, because otherwise the replica would wait for hanging transactions when it stops.
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
        """Sends requests to the replica that is cut off, until the time `end`, and returns the responses."""
        answers, client = Answers(), self.client(self.cut.port)
        while time.monotonic() < end:
            asked = time.monotonic()
            answer = await client.ask("GET", NAMES)
            answers.note(answer.status, asked, answer)
            await asyncio.sleep(0.02)
        return answers

    async def test_a_replica_that_is_cut_off_from_the_database_serves_no_stale_content_and_recovers(self):
        await self.rename("before")
        async with Stream(self.cut.port, NAMES, self.contents) as stream:
            await stream.shows(lambda held: name_in(held) == "before", "the first snapshot")
            version, known = stream.holder.version, len(stream.events)
            await self.cut_client.ask("GET", NAMES)
            self.link.freeze()
            frozen = time.monotonic()
            await self.rename("after")
            answers = await self.asked_until(frozen + BOUND)
            self.assertEqual(answers.all[0][2], 200, "cached views are served for a while")
            self.assertLessEqual(set(answers.statuses), {200, 503})
            # The requests are concurrent, because each of them hangs until the deadline.
            hanging = [
                self.status(self.cut.port, path, *rest) for path, *rest in [
                    (NAMES,), ("/screens/mountains",),
                    (NAMES, [("If-None-Match", f'"{version}"')]),
                    (f"{NAMES}/changes", [], b'{"version":"%s"}' % version.encode()),
                    (f"{NAMES}/changes?version={version}", [("Prefer", "wait=1")]),
                    (f"{NAMES}/changes", [("Accept", "text/event-stream")]),
                    (f"{NAMES}/actions/connect", [], b'{"input":{}}'),
                ]]
            self.assertEqual(await asyncio.gather(*hanging), [503] * len(hanging))
            self.assertEqual(await self.status(self.cut.port, "/readyz"), 503)
            self.assertEqual(stream.events[known:], [])
            await stream.reports("stale")
            self.link.thaw()
            await self.ready(self.cut.port)
            answer = await self.cut_client.ask("GET", NAMES)
            self.assertEqual((answer.status, name_in(answer.document)), (200, "after"))
            await stream.shows(lambda held: name_in(held) == "after", "the missed change")
            self.assertEqual([event["kind"] for event in stream.events[known:]], ["changeset"])
            self.contents.note(answer.document)

    async def test_a_replica_without_notifications_shows_changes_of_other_replicas_after_three_seconds(self):
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
            await eventually(shows, "the delivery that it was not notified of")
            answer = await self.cut_client.ask("GET", f"{CONTRACT}&version={version}".replace("?", "/changes?"))
            self.assertEqual((answer.status, answer.document["kind"]), (200, "changeset"))
            self.assertNotEqual(answer.document["stages"], [])
            self.assertEqual(await self.status(self.cut.port, "/readyz"), 503)
            # This follower has another view, because all followers of one view receive the changes that any request finds.
            async with Stream(self.cut.port, f"{CONTRACT}&from=2018-08-01", self.contents) as late:
                await late.shows(lambda held: len(deliveries_in(held)) == 1, "the delivery that it was not notified of")
                await late.reports("stale")
            # Earlier followers receive the change too, before notifications arrive again.
            await changed.shows(lambda held: len(deliveries_in(held)) == 1, "the missed change")
            for stream in [unchanged, changed]:
                await stream.reports("stale")
            self.link.thaw()
            await self.ready(self.cut.port)
            # The follower of an unchanged view receives no document until the next change.
            for stream in [unchanged, changed]:
                await stream.reports("current")
            await self.rename("after")
            await unchanged.shows(lambda held: name_in(held) == "after", "the next change")
            for path, stream, count in zip([NAMES, CONTRACT], [unchanged, changed], known):
                self.assertEqual([event["kind"] for event in stream.events[count:]], ["changeset"])
                self.contents.note((await self.sound_client.ask("GET", path)).document)
                self.assertEqual(stream.holder.version, (await self.cut_client.ask("GET", path)).document["version"])


if __name__ == "__main__":
    unittest.main()
