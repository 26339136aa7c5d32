"""What a replica says that cannot start, and that others go on when a newer one does."""

import asyncio
import unittest

from clients import CONTRACT, SCHEDULE, Contents, Deeds, Holder, Stream
from postgres import Postgres
from replicas import ReplicasCase
from serving import free_port, relist, run

SECRET = "geheim"
# What a newer version may do to the tables while this one runs: add what it does not look at.
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


class StartTest(ReplicasCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.postgres = Postgres.shared()
        self.database = self.postgres.new_database()

    def url(self, place):
        return f"postgres://relist:{SECRET}@{place}"

    async def refusal(self, url):
        """The one line with which it does not start."""
        before = self.postgres.dump(self.database)
        done = await asyncio.to_thread(run, relist(), "serve", "--port", "0", "--database", url)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(self.postgres.dump(self.database), before)
        for part in [SECRET, SECRET[:3], SECRET[3:]]:
            self.assertNotIn(part, done.stderr)
        return done.stderr

    async def test_a_url_that_is_wrong_is_told_without_its_password(self):
        place = f"127.0.0.1:{self.postgres.port}/{self.database}"
        for url in [
            self.url(f"[::1/{self.database}"), self.url(f"{place}?strange=1"), self.url(f"{place}?application_name"),
            f"postgres://relist:gehe%im@{place}", f"postgres://relist:geh@eim@{place}", f"postgres://relist:geh/eim@{place}",
            f"postgres://relist@{place}?password=geh%eim",
        ]:
            with self.subTest(url):
                self.assertIn("is no URL of PostgreSQL's", await self.refusal(url))
        self.assertIn("a port is", await self.refusal(self.url("127.0.0.1:notaport/relist")))

    async def test_a_server_that_cannot_be_reached_is_named(self):
        ports = [free_port(), free_port()]
        said = await self.refusal(self.url(f"127.0.0.1:{ports[0]}/relist"))
        self.assertIn("The database 127.0.0.1/relist cannot be reached", said)
        self.assertIn("refused", said)
        said = await self.refusal(self.url(f"127.0.0.1:{ports[0]},127.0.0.1:{ports[1]}/relist"))
        for port in ports:
            self.assertIn(str(port), said)

    async def test_a_database_that_is_not_there_is_named(self):
        said = await self.refusal(self.url(f"127.0.0.1:{self.postgres.port}/nowhere"))
        self.assertIn('database "nowhere" does not exist', said)

    async def test_a_role_without_rights_is_told_what_it_needs(self):
        role = f"guest_of_{self.database}"
        self.postgres.psql(f"CREATE ROLE {role} LOGIN")
        place = f"{role}:{SECRET}@127.0.0.1:{self.postgres.port}/{self.database}"
        self.assertIn("permission denied", await self.refusal(f"postgres://{place}"))
        await self.made()
        said = await self.refusal(f"postgres://{place}")
        self.assertIn("permission denied for schema relist", said)
        self.assertIn("This user may not do", said)

    async def test_tables_of_a_newer_version_are_left_alone(self):
        await self.made()
        self.postgres.psql("INSERT INTO relist.migration VALUES ('relist 99: of tomorrow')", self.database)
        self.assertIn("newer version (relist 99: of tomorrow)", await self.refusal(self.url(f"127.0.0.1:{self.postgres.port}/{self.database}")))

    async def made(self):
        """Has the tables made."""
        replica = await self.replica(self.postgres.url(self.database))
        self.assertEqual(await asyncio.to_thread(replica.stop), 0)

    async def test_replicas_go_on_while_a_newer_one_adds_to_the_tables(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url))
        clients = [self.client(replica.port) for replica in replicas]
        contents, until = Contents(), asyncio.Event()
        deeds, holder = [Deeds("first"), Deeds("second")], Holder(CONTRACT, contents)
        async with Stream(replicas[0].port, CONTRACT, contents) as stream:
            tasks = [asyncio.create_task(some.go_on(client, until)) for some, client in zip(deeds, clients)]
            for number in range(40):
                if number == 10:
                    await asyncio.to_thread(self.postgres.psql, NEWER, self.database)
                # Between the two, so that versions and receipts are looked for in the tables.
                self.assertEqual((await holder.catch_up(clients[number % 2])).status, 200)
                await asyncio.sleep(0.01)
            until.set()
            await asyncio.gather(*tasks)
            for some in deeds:
                self.assertEqual(set(some.answers.statuses), {204})
            again = await deeds[0].schedule(clients[1], "first 1")
            self.assertEqual(again.status, 204)
            count = sum(some.sent for some in deeds)
            await stream.shows(lambda held: self.count(held) == count, "all that was done")
        # When they are gone, what is older than the tables does not start any more.
        await asyncio.gather(*(asyncio.to_thread(replica.stop) for replica in replicas))
        self.assertIn("newer version", await self.refusal(url))

    @staticmethod
    def count(document):
        return sum(cell["type"] == "delivery" for section in document["sections"] for cell in section["cells"])


if __name__ == "__main__":
    unittest.main()
