"""PostgreSQL is restarted, or lost to a standby: what was acknowledged stays, and all comes back by itself."""

import asyncio
import random
import signal
import time
import unittest

from clients import CONTRACT, SCHEDULE, Contents, Deeds, Holder, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase
from serving import wait_until

SEED = random.randrange(1 << 32)
# After the promotion, in seconds.
LONGEST_WITHOUT_WRITES = 10
# So long after its loss views that were cached are given at least: a replica trusts what it heard for 3 s, and listens for signs
# of life every half.
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
        self.deeds = [Deeds(f"client {number}") for number in range(4)]
        self.holders = [Holder(path, self.contents) for path in [CONTRACT, "/screens/settings"]]
        self.reads = []

    def begin(self):
        """Clients that write, each at one replica, and clients that read, at either."""
        self.tasks = [
            asyncio.create_task(deeds.go_on(self.clients[number % 2], self.until)) for number, deeds in enumerate(self.deeds)]
        self.tasks += [asyncio.create_task(self.read(holder, random.Random(SEED))) for holder in self.holders]
        self.tasks += [asyncio.create_task(self.look(client)) for client in self.clients]
        self.addAsyncCleanup(self.give_up)

    async def give_up(self):
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
        """A view that nothing changes: it stays cached."""
        while not self.until.is_set():
            asked = time.monotonic()
            answer = await client.ask("GET", MOUNTAINS)
            self.assertIn(answer.status, (200, 503))
            self.reads.append((asked, answer.status))
            await asyncio.sleep(0.02)

    async def acknowledged(self, count=5):
        """Waits until each client that writes was told so many times more that it was done."""
        goals = [deeds.acknowledged + count for deeds in self.deeds]
        async def look():
            for task in self.tasks:
                if task.done():
                    task.result()
            return all(deeds.acknowledged >= goal for deeds, goal in zip(self.deeds, goals))
        await eventually(look, "what is written is not acknowledged any more")

    async def end(self):
        self.until.set()
        await asyncio.gather(*self.tasks)

    async def check(self, streams):
        """Each deed was done once, whatever its client had to hear before, and all see it."""
        count = sum(deeds.sent for deeds in self.deeds)
        for stream in streams:
            await stream.shows(lambda held: deliveries_in(held) == count, "all that was done")
        for client in self.clients:
            await self.ready(client.port)
            document = (await client.ask("GET", CONTRACT)).document
            self.contents.note(document)
            self.assertEqual(deliveries_in(document), count)
            for holder in self.holders:
                self.assertEqual((await holder.catch_up(client)).status, 200)
        for _, _, status, answer in [entry for deeds in self.deeds for entry in deeds.answers.all]:
            # 409 while the first request under the key goes on past its deadline.
            self.assertIn(status, (204, 409, 500, 503), answer and answer.body)
            if status in (409, 500):
                self.assertEqual(answer.document["outcome"], "unknown")
            if status != 204:
                self.assertGreater(int(answer.fields["retry-after"]), 0)


class RestartTest(LossCase):
    async def test_nothing_acknowledged_is_lost_when_postgresql_is_restarted_under_load(self):
        postgres = Postgres("fsync=off")
        self.addCleanup(postgres.remove)
        await asyncio.to_thread(postgres.start)
        await self.serve(postgres.url(postgres.new_database()))
        async with Stream(self.replicas[0].port, CONTRACT, self.contents) as first, \
                Stream(self.replicas[1].port, CONTRACT, self.contents) as second:
            self.begin()
            for how in [signal.SIGINT, signal.SIGQUIT]:
                await self.acknowledged()
                refused = [deeds.answers.statuses[503] for deeds in self.deeds]
                await asyncio.to_thread(postgres.stop, how)
                async def all_refused():
                    return all(deeds.answers.statuses[503] > before for deeds, before in zip(self.deeds, refused))
                await eventually(all_refused, "writes are refused meanwhile")
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
        # From now on a commit is one once the standby has it, and not before.
        self.primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.primary.psql("SELECT pg_reload_conf()")
        await asyncio.to_thread(self.wait_for_standby)
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        self.url = f"postgres://relist@{hosts}/{self.database}"

    def wait_for_standby(self):
        wait_until(lambda: self.primary.psql("SELECT sync_state FROM pg_stat_replication") == "sync", "the standby follows")

    async def test_nothing_acknowledged_is_lost_with_the_primary_and_cached_views_are_given_meanwhile(self):
        await self.serve(self.url)
        async with Stream(self.replicas[0].port, CONTRACT, self.contents) as first, \
                Stream(self.replicas[1].port, CONTRACT, self.contents) as second:
            self.begin()
            await self.acknowledged()
            # What is under way then is in the primary, and never gets to the standby: the first may be there, but not its answer.
            self.link.freeze()
            await eventually(self.are_queued, "a commit waits for the standby, and another for that")
            lost = time.monotonic()
            await asyncio.to_thread(self.primary.stop, signal.SIGKILL)
            await self.link.close()
            # For as long as nobody has noticed: what is trusted is given, and then no more.
            async def refused():
                return any(status == 503 for asked, status in self.reads if asked > lost)
            await eventually(refused, "what may be stale is not given")
            await asyncio.to_thread(self.standby.promote)
            promoted = time.monotonic()
            await self.acknowledged()
            await self.end()
            await self.check([first, second])
        for deeds in self.deeds:
            back = min(answered for asked, answered, status, _ in deeds.answers.all if status == 204 and asked > promoted)
            self.assertLess(back - promoted, LONGEST_WITHOUT_WRITES)
        early = {status for asked, status in self.reads if lost < asked < lost + SURELY_TRUSTED}
        self.assertEqual(early, {200})

    async def test_a_commit_whose_wait_for_the_standby_is_cancelled_is_not_acknowledged_until_the_standby_has_it(self):
        first, second = await asyncio.gather(*(self.replica(self.url, "--deadline-seconds", "2") for _ in range(2)))
        clients = [self.client(first.port), self.client(second.port)]
        deeds = Deeds("one")
        await asyncio.to_thread(self.standby.stop)
        for _ in range(2):
            # First the deed, then the look for its receipt.
            asking = asyncio.create_task(deeds.schedule(clients[0], "key"))
            cancelled = await eventually(self.cancel_waiting, "a commit waits for the standby")
            self.assertEqual(cancelled, 1)
            self.check_unknown(await asking)
        self.assertEqual(self.count(), 1)
        # Whoever gives it up by itself does not say more.
        for answer in await asyncio.gather(*(deeds.schedule(clients[1], key) for key in ["key", "another key"])):
            self.check_unknown(answer)
        await asyncio.to_thread(self.standby.start)
        await asyncio.to_thread(self.wait_for_standby)
        for key in ["key", "another key"]:
            for client in clients:
                async def acknowledged():
                    return (await deeds.schedule(client, key)).status == 204
                await eventually(acknowledged, "it is acknowledged when the standby has it")
        self.assertEqual(self.count(), 2)
        self.assertEqual(self.standby.psql("SELECT count(*) FROM relist.receipt", self.database), "2")

    async def test_a_deed_whose_connection_breaks_while_it_is_committed_is_not_done_again_by_the_replica(self):
        link = await self.new_link(self.primary.port)
        replica = await self.replica(self.primary.url(self.database, port=link.port))
        client = self.client(replica.port)
        await asyncio.to_thread(self.standby.stop)
        asking = asyncio.create_task(client.ask("POST", SCHEDULE, body=b'{"input":{"day":"2018-08-01","kilograms":1}}'))
        await eventually(self.count_of_waiting, "a commit waits for the standby")
        link.cut()
        await asyncio.to_thread(self.standby.start)
        self.check_unknown(await asking, has_key=False)
        await eventually(self.are_idle, "all has come to its end")
        self.assertEqual(self.count(), 1)

    async def are_idle(self):
        sql = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()"
        return await asyncio.to_thread(self.primary.psql, sql) == "0"

    async def test_while_the_standby_is_away_a_replica_gives_what_can_be_read(self):
        replica = await self.replica(self.url)
        client, deeds = self.client(replica.port), Deeds("many")
        await asyncio.to_thread(self.standby.stop)
        # More than there are connections.
        writing = [asyncio.create_task(deeds.schedule(client, f"key {number}")) for number in range(20)]
        await eventually(self.count_of_waiting, "a commit waits for the standby")
        for path in ["/readyz", "/screens/artist?width=411", f"{CONTRACT}&from=2018-08-02"]:
            self.assertEqual(await self.status(replica.port, path), 200)
        # Nobody who reads has waited for those who write.
        self.assertFalse(any(task.done() for task in writing))
        await asyncio.to_thread(self.standby.start)
        await asyncio.gather(*writing)
        for number in range(20):
            async def acknowledged():
                return (await deeds.schedule(client, f"key {number}")).status == 204
            await eventually(acknowledged, "it is acknowledged when the standby has it")
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
        # Without a key it would be done again.
        self.assertEqual("retry-after" in answer.fields, has_key)

    async def cancel_waiting(self):
        return int(self.primary.psql(
            "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'"))

    def count(self):
        return int(self.primary.psql("SELECT count(*) FROM example.delivery WHERE contract = '240233-000'", self.database))


if __name__ == "__main__":
    unittest.main()
