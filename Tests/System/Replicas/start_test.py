"""Tests of the messages of replicas that cannot start, and of replicas that run while a newer version starts."""

import asyncio
import unittest

from clients import CONTRACT, Contents, Holder, Scheduler, Stream
from postgres import Postgres
from replicas import ReplicasCase
from serving import free_port, relist, run

SECRET = "geheim"
# The changes that a newer version may make to the tables while this version runs. They only add to the tables, and this version ignores the
# additions.
NEWER = """
    BEGIN;
    SELECT pg_advisory_xact_lock(1380273225, 2);
    ALTER TABLE relist.version ADD COLUMN note text;
    ALTER TABLE relist.receipt ADD COLUMN note text NOT NULL DEFAULT '';
    ALTER TABLE relist.announcement ADD COLUMN note text;
    ALTER TABLE relist.secret ADD COLUMN note text;
    CREATE TABLE relist.novelty (id bigint PRIMARY KEY);
    INSERT INTO relist.migration VALUES ('relist 99: of tomorrow');
    COMMIT;
"""


class ReplicaStartTest(ReplicasCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.postgres = Postgres.shared()
        self.database = self.postgres.new_database()

    def url(self, place):
        return f"postgres://relist:{SECRET}@{place}"

    async def refusal(self, url):
        """Starts a replica that fails to start, and returns its error message of one line."""
        before = self.postgres.dump(self.database)
        done = await asyncio.to_thread(run, relist(), "serve", "--port", "0", "--database", url)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(self.postgres.dump(self.database), before)
        for part in [SECRET, SECRET[:3], SECRET[3:]]:
            self.assertNotIn(part, done.stderr)
        return done.stderr

    async def test_the_message_about_an_invalid_url_contains_no_password(self):
        place = f"127.0.0.1:{self.postgres.port}/{self.database}"
        for url in [
            self.url(f"[::1/{self.database}"), self.url(f"{place}?strange=1"), self.url(f"{place}?application_name"),
            f"postgres://relist:gehe%im@{place}", f"postgres://relist:geh@eim@{place}", f"postgres://relist:geh/eim@{place}",
            f"postgres://relist@{place}?password=geh%eim",
        ]:
            with self.subTest(url):
                self.assertIn("is not a PostgreSQL URL", await self.refusal(url))
        self.assertIn("a port is", await self.refusal(self.url("127.0.0.1:notaport/relist")))

    async def test_the_message_names_a_database_server_that_cannot_be_reached(self):
        ports = [free_port(), free_port()]
        said = await self.refusal(self.url(f"127.0.0.1:{ports[0]}/relist"))
        self.assertIn("The database 127.0.0.1/relist cannot be reached", said)
        self.assertIn("refused", said)
        said = await self.refusal(self.url(f"127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/relist"))
        for port in ports:
            self.assertIn(str(port), said)

    async def test_the_message_names_a_missing_database(self):
        said = await self.refusal(self.url(f"127.0.0.1:{self.postgres.port}/nowhere"))
        self.assertIn('database "nowhere" does not exist', said)

    async def test_the_message_names_a_missing_permission(self):
        role = f"guest_of_{self.database}"
        self.postgres.psql(f"CREATE ROLE {role} LOGIN")
        place = f"{role}:{SECRET}@127.0.0.1:{self.postgres.port}/{self.database}"
        self.assertIn("permission denied", await self.refusal(f"postgres://{place}"))
        await self.made()
        said = await self.refusal(f"postgres://{place}")
        self.assertIn("permission denied for schema relist", said)
        self.assertIn("This user lacks a permission", said)

    async def test_a_replica_does_not_start_on_tables_of_a_newer_version_and_does_not_change_them(self):
        await self.made()
        self.postgres.psql("INSERT INTO relist.migration VALUES ('relist 99: of tomorrow')", self.database)
        self.assertIn("newer version (relist 99: of tomorrow)", await self.refusal(self.url(f"127.0.0.1:{self.postgres.port}/{self.database}")))

    async def made(self):
        """Creates the tables in the database by starting and stopping a replica."""
        replica = await self.replica(self.postgres.url(self.database))
        self.assertEqual(await asyncio.to_thread(replica.stop), 0)

    async def test_replicas_keep_working_while_a_newer_version_adds_to_the_tables(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url))
        clients = [self.client(replica.port) for replica in replicas]
        contents, until, turns = Contents(), asyncio.Event(), asyncio.Semaphore(0)
        schedulers, holder = [Scheduler("first"), Scheduler("second")], Holder(CONTRACT, contents)
        async with Stream(replicas[0].port, CONTRACT, contents) as stream:
            tasks = [asyncio.create_task(some.run(client, until, turns)) for some, client in zip(schedulers, clients)]
            for number in range(40):
                if number == 10:
                    await asyncio.to_thread(self.postgres.psql, NEWER, self.database)
                # The schedulers take turns. Otherwise they would add deliveries faster than a debug build can render them on a fast disk.
                for _ in range(10):
                    turns.release()
                # The replicas take turns, so that versions are looked up in the tables.
                self.assertEqual((await holder.catch_up(clients[number % 2])).status, 200)
                await asyncio.sleep(0.01)
            until.set()
            for _ in tasks:
                turns.release()
            await asyncio.gather(*tasks)
            for some in schedulers:
                self.assertEqual(set(some.answers.statuses), {204})
            again = await schedulers[0].schedule(clients[1], "first 1")
            self.assertEqual(again.status, 204)
            count = sum(some.sent for some in schedulers)
            await stream.shows(lambda held: self.count(held) == count, "all deliveries")
        # A version that is older than the tables cannot start.
        await asyncio.gather(*(asyncio.to_thread(replica.stop) for replica in replicas))
        self.assertIn("newer version", await self.refusal(url))

    @staticmethod
    def count(document):
        return sum(cell["type"] == "delivery" for section in document["sections"] for cell in section["cells"])


if __name__ == "__main__":
    unittest.main()
