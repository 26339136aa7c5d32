"""Tests that no acknowledged write is lost when PostgreSQL is restarted or a standby takes over, and that replicas recover."""

import asyncio
import random
import signal
import time
import unittest

from clients import CONTRACT, SCHEDULE, Contents, Holder, Scheduler, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase
from serving import wait_until

SEED = random.randrange(1 << 32)
# The maximum time in seconds from the promotion to the first acknowledged write.
LONGEST_WITHOUT_WRITES = 10
# The minimum time in seconds for which a replica serves cached views after the loss of the primary. A replica serves cached views for 3 s
# after its last heartbeat, and it sends a heartbeat every 0.5 s.
SURELY_TRUSTED = 1
MOUNTAINS = "/screens/mountains?q=mont"


def deliveries_in(document):
    return sum(cell["type"] == "delivery" for section in document["sections"] for cell in section["cells"])


class LossCase(ReplicasCase):
    """Two replicas, with clients that write, read and follow on both."""

    async def serve(self, url):
        self.contents, self.until = Contents(is_stored=False), asyncio.Event()
        self.replicas = await asyncio.gather(self.replica(url), self.replica(url))
        self.clients = [self.client(replica.port) for replica in self.replicas]
        self.schedulers = [Scheduler(f"client {number}") for number in range(4)]
        self.holders = [Holder(path, self.contents) for path in [CONTRACT, "/screens/settings"]]
        self.reads = []

    def begin(self):
        """Starts clients that write to one replica each, and clients that read from both replicas."""
        self.tasks = [
            asyncio.create_task(scheduler.run(self.clients[number % 2], self.until)) for number, scheduler in enumerate(self.schedulers)]
        self.tasks += [asyncio.create_task(self.read(holder, random.Random(SEED))) for holder in self.holders]
        self.tasks += [asyncio.create_task(self.look(client)) for client in self.clients]
        self.addAsyncCleanup(self.cancel)

    async def cancel(self):
        self.until.set()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def read(self, holder, chance):
        while not self.until.is_set():
            client = chance.choice(self.clients)
            answer = await chance.choice([holder.catch_up, holder.compare])(client)
            self.assertIn(answer.status, (200, 503))
            await asyncio.sleep(0.02)

    async def look(self, client):
        """Requests a view that never changes and so stays cached."""
        while not self.until.is_set():
            asked = time.monotonic()
            answer = await client.ask("GET", MOUNTAINS)
            self.assertIn(answer.status, (200, 503))
            self.reads.append((asked, answer.status))
            await asyncio.sleep(0.02)

    async def acknowledged(self, count=5):
        """Waits until each writing client has received the given number of further acknowledgements."""
        goals = [scheduler.acknowledged + count for scheduler in self.schedulers]
        async def look():
            for task in self.tasks:
                if task.done():
                    task.result()
            return all(scheduler.acknowledged >= goal for scheduler, goal in zip(self.schedulers, goals))
        await eventually(look, "writes are acknowledged")

    async def end(self):
        self.until.set()
        await asyncio.gather(*self.tasks)

    async def check(self, streams):
        """Checks that each delivery was scheduled once, even if requests for it failed, and that all clients see it."""
        count = sum(scheduler.sent for scheduler in self.schedulers)
        for stream in streams:
            await stream.shows(lambda held: deliveries_in(held) == count, "all deliveries")
        for client in self.clients:
            await self.ready(client.port)
            document = (await client.ask("GET", CONTRACT)).document
            self.contents.note(document)
            self.assertEqual(deliveries_in(document), count)
            for holder in self.holders:
                self.assertEqual((await holder.catch_up(client)).status, 200)
        for _, _, status, answer in [entry for scheduler in self.schedulers for entry in scheduler.answers.all]:
            # The status is 409 while the first request with the key is still in progress after its deadline.
            self.assertIn(status, (204, 409, 500, 503), answer and answer.body)
            if status in (409, 500):
                self.assertEqual(answer.document["outcome"], "unknown")
            if status != 204:
                self.assertGreater(int(answer.fields["retry-after"]), 0)


class RestartTest(LossCase):
    async def test_no_acknowledged_write_is_lost_when_postgresql_is_restarted_under_load(self):
        postgres = Postgres("fsync=off")
        self.addCleanup(postgres.remove)
        await asyncio.to_thread(postgres.start)
        await self.serve(postgres.url(postgres.new_database()))
        async with Stream(self.replicas[0].port, CONTRACT, self.contents) as first, \
                Stream(self.replicas[1].port, CONTRACT, self.contents) as second:
            self.begin()
            for how in [signal.SIGINT, signal.SIGQUIT]:
                await self.acknowledged()
                refused = [scheduler.answers.statuses[503] for scheduler in self.schedulers]
                await asyncio.to_thread(postgres.stop, how)
                async def all_refused():
                    return all(scheduler.answers.statuses[503] > before for scheduler, before in zip(self.schedulers, refused))
                await eventually(all_refused, "writes are rejected meanwhile")
                await asyncio.to_thread(postgres.start)
                await self.acknowledged()
            await self.end()
            await self.check([first, second])


class StandbyTest(LossCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.primary = Postgres("fsync=off")
        self.addCleanup(self.primary.remove)
        await asyncio.to_thread(self.primary.start)
        self.database = self.primary.new_database()
        self.link = await self.new_link(self.primary.port)
        self.standby = await asyncio.to_thread(Postgres.standby, self.primary, self.link.port)
        self.addCleanup(self.standby.remove)
        await asyncio.to_thread(self.standby.start)
        # From now on, a commit waits for the standby.
        self.primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.psql("SELECT pg_reload_conf()")
        await asyncio.to_thread(self.wait_for_standby)
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        self.url = f"postgres://relist@{hosts}/{self.database}"

    def wait_for_standby(self):
        wait_until(lambda: self.primary.psql("SELECT sync_state FROM pg_stat_replication") == "sync", "the standby follows")

    async def test_when_the_primary_is_killed_no_acknowledged_write_is_lost_and_cached_views_are_served(self):
        await self.serve(self.url)
        async with Stream(self.replicas[0].port, CONTRACT, self.contents) as first, \
                Stream(self.replicas[1].port, CONTRACT, self.contents) as second:
            self.begin()
            await self.acknowledged()
            # While the link is frozen, a commit is stored in the primary but not in the standby.
            self.link.freeze()
            await eventually(self.are_queued, "a commit waits for the standby, and another one for that commit")
            lost = time.monotonic()
            await asyncio.to_thread(self.primary.stop, signal.SIGKILL)
            await self.link.close()
            # Cached views are served until the replicas notice the loss.
            async def refused():
                return any(status == 503 for asked, status in self.reads if asked > lost)
            await eventually(refused, "views that may be outdated are not served")
            await asyncio.to_thread(self.standby.promote)
            promoted = time.monotonic()
            await self.acknowledged()
            await self.end()
            await self.check([first, second])
        for scheduler in self.schedulers:
            back = min(answered for asked, answered, status, _ in scheduler.answers.all if status == 204 and asked > promoted)
            self.assertLess(back - promoted, LONGEST_WITHOUT_WRITES)
        early = {status for asked, status in self.reads if lost < asked < lost + SURELY_TRUSTED}
        self.assertEqual(early, {200})

    async def test_a_commit_is_not_acknowledged_before_the_standby_has_it_even_if_the_wait_for_the_standby_is_cancelled(self):
        first, second = await asyncio.gather(*(self.replica(self.url, "--deadline-seconds", "6") for _ in range(2)))
        clients = [self.client(first.port), self.client(second.port)]
        scheduler = Scheduler("one")
        await asyncio.to_thread(self.standby.stop)
        for status in [500, 503]:
            # The first request performs the action and then looks up its receipt. The second request only looks up the receipt. Each
            # look-up commits, too. All waits are cancelled, so that both requests end before their deadline.
            asking, cancelled = asyncio.create_task(scheduler.schedule(clients[0], "key")), 0
            while not asking.done():
                cancelled += await self.cancel_waiting()
            self.assertGreater(cancelled, 0)
            answer = await asking
            self.assertEqual((answer.status, answer.document["outcome"]), (status, "unknown"))
            self.assertIn("retry-after", answer.fields)
        self.assertEqual(self.count(), 1)
        # This time, no wait is cancelled, and the deadline passes.
        for answer in await asyncio.gather(*(scheduler.schedule(clients[1], key) for key in ["key", "another key"])):
            self.check_unknown(answer)
        await asyncio.to_thread(self.standby.start)
        await asyncio.to_thread(self.wait_for_standby)
        for key in ["key", "another key"]:
            for client in clients:
                async def acknowledged():
                    return (await scheduler.schedule(client, key)).status == 204
                await eventually(acknowledged, "the delivery is acknowledged when the standby has it")
        self.assertEqual(self.count(), 2)
        self.assertEqual(self.standby.psql("SELECT count(*) FROM relist.receipt", self.database), "2")

    async def test_an_action_whose_connection_breaks_during_its_commit_is_not_performed_again(self):
        link = await self.new_link(self.primary.port)
        replica = await self.replica(self.primary.url(self.database, port=link.port))
        client = self.client(replica.port)
        await asyncio.to_thread(self.standby.stop)
        asking = asyncio.create_task(client.ask("POST", SCHEDULE, body=b'{"input":{"day":"2018-08-01","kilograms":1}}'))
        await eventually(self.count_of_waiting, "a commit waits for the standby")
        link.cut()
        await asyncio.to_thread(self.standby.start)
        self.check_unknown(await asking, has_key=False)
        await eventually(self.are_idle, "all transactions have ended")
        self.assertEqual(self.count(), 1)

    async def are_idle(self):
        sql = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()"
        return await asyncio.to_thread(self.primary.psql, sql) == "0"

    async def test_reads_are_served_while_commits_wait_for_the_standby(self):
        replica = await self.replica(self.url)
        client, scheduler = self.client(replica.port), Scheduler("many")
        await asyncio.to_thread(self.standby.stop)
        # There are more requests than connections to the database.
        writing = [asyncio.create_task(scheduler.schedule(client, f"key {number}")) for number in range(20)]
        await eventually(self.count_of_waiting, "a commit waits for the standby")
        for path in ["/readyz", "/screens/artist?width=411", f"{CONTRACT}&from=2018-08-02"]:
            self.assertEqual(await self.status(replica.port, path), 200)
        # The reads have not waited for the writes.
        self.assertFalse(any(task.done() for task in writing))
        await asyncio.to_thread(self.standby.start)
        await asyncio.gather(*writing)
        for number in range(20):
            async def acknowledged():
                return (await scheduler.schedule(client, f"key {number}")).status == 204
            await eventually(acknowledged, "the delivery is acknowledged when the standby has it")
        self.assertEqual(self.count(), 20)

    async def count_of_waiting(self):
        sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        return int(await asyncio.to_thread(self.primary.psql, sql))

    async def are_queued(self):
        sql = "SELECT count(DISTINCT wait_event) FROM pg_stat_activity WHERE wait_event IN ('SyncRep', 'advisory')"
        return await asyncio.to_thread(self.primary.psql, sql) == "2"

    def check_unknown(self, answer, has_key=True):
        self.assertEqual(answer.status, 500)
        self.assertEqual(answer.document["type"], "urn:relist:problem:outcome-unknown")
        self.assertEqual(answer.document["outcome"], "unknown")
        # Without a key, another request would perform the action again.
        self.assertEqual("retry-after" in answer.fields, has_key)

    async def cancel_waiting(self):
        return int(await asyncio.to_thread(
            self.primary.psql,
            "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'"))

    def count(self):
        return int(self.primary.psql("SELECT count(*) FROM example.delivery WHERE contract = '240233-000'", self.database))


if __name__ == "__main__":
    unittest.main()
