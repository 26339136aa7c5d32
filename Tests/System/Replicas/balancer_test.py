"""Tests of clients behind a load balancer, while replicas are killed, stopped, or cut off from the database."""

import asyncio
import itertools
import math
import signal
import time
import unittest

from balancing import DAYS, SCREENS, BalancerCase, Watcher
from clients import CONTRACT, Holder, eventually

# A contract that no client reads. It has enough room, and its days overlap with the days of the contract that clients read.
UNSEEN_CONTRACT = CONTRACT.replace("240233", "240500")


class BalancerTest(BalancerCase):
    async def test_after_a_replica_is_killed_each_client_sees_at_most_one_failure_and_receives_changesets_from_stored_versions(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url))
        port = self.nginx(replicas)
        visitors, watchers = self.visitors(port, 8), [Watcher(port, path, self.contents) for path in SCREENS[:2] * 3]
        clients = visitors + watchers
        self.own_days = iter(DAYS[1:])

        async def kill(progress):
            for killed, other in (replicas, replicas[::-1]):
                await progress()
                own = await self.rest(visitors, watchers, killed, other)
                before = [(len(client.failures), client.changesets, client.snapshots) for client in clients]
                await self.take_down(killed)
                await self.change(visitors, own, other)
                await progress(20)
                async def changed():
                    grown = [client.changesets > count for client, (_, count, _) in zip(clients, before)]
                    return all(grown) and all(holder.changesets for holder in own)
                await eventually(changed, "all receive changesets")
                self.assertEqual([client.snapshots for client in clients], [count for _, _, count in before])
                await asyncio.to_thread(killed.start)
                await progress()
                for client, (count, _, _) in zip(clients, before):
                    self.assertLessEqual(len(client.failures) - count, 1, client.failures)
            # This replica is killed without preparation, so clients whose version was not stored yet receive a snapshot.
            before = [len(client.failures) for client in clients]
            await self.take_down(replicas[0])
            await progress(20)
            for client, count in zip(clients, before):
                self.assertLessEqual(len(client.failures) - count, 1, client.failures)

        await self.under_load(visitors, watchers, kill)
        self.check_deliveries(visitors)

    async def take_down(self, replica):
        begin = time.monotonic()
        self.contents.kills.append((begin, math.inf))
        await asyncio.to_thread(replica.stop, signal.SIGKILL)
        # Responses in progress may still arrive a moment later.
        self.contents.kills[-1] = (begin, time.monotonic() + 1)

    async def rest(self, visitors, watchers, *replicas):
        """Makes visitors change only the contract that no client reads. Waits until all clients hold the newest versions of the other
        screens, and until the database has stored these versions. Returns a new holder for each visitor. Only the first replica has sent
        the versions of these holders."""
        for visitor in visitors:
            visitor.contract = UNSEEN_CONTRACT
        asking = [self.client(replica.port) for replica in replicas]
        async def has_come():
            if any(answer is None and delivery[0] in CONTRACT for visitor in visitors for delivery, answer in visitor.answers.items()):
                return False
            held = {(holder.path, holder.version) for client in visitors + watchers for holder in client.holders if holder.held}
            paths = {path for path, _ in held}
            return held == {(path, (await client.ask("GET", path)).document["version"]) for path in paths for client in asking}
        await eventually(has_come, "all hold the newest versions")
        own = [Holder(f"{CONTRACT}&from={day}", self.contents) for day in itertools.islice(self.own_days, len(visitors))]
        for holder in own:
            await holder.catch_up(asking[0])
        async def is_stored():
            metrics = [(await client.ask("GET", "/metrics")).body.decode() for client in asking]
            return all("\nrelist_history_unwritten 0\n" in text for text in metrics)
        await eventually(is_stored, "the database has stored all versions")
        return own

    async def change(self, visitors, own, replica):
        """Makes visitors change the contract that clients read. After a first change, each visitor also reads with its own holder."""
        for visitor in visitors:
            visitor.contract = CONTRACT
        # The change is on the last day, which all holders show.
        answer = await visitors[0].schedule(self.client(replica.port), DAYS[-1], 1000 + len(self.contents.kills))
        self.assertEqual(answer.status, 204)
        for visitor, holder in zip(visitors, own):
            visitor.holders.append(holder)

    async def test_no_client_sees_a_failure_when_a_replica_stops(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url, "--drain-seconds", "3"))
        port = self.haproxy(replicas)
        visitors, watchers = self.visitors(port, 6), [Watcher(port, path, self.contents) for path in SCREENS[:2] * 2]

        async def stop(progress):
            await progress()
            await eventually(lambda: self.are_in_use(port, 2), "both are used")
            stopping = asyncio.create_task(asyncio.to_thread(replicas[1].stop))
            await eventually(lambda: self.are_in_use(port, 1), "it is taken out")
            # The replica still responds.
            self.assertEqual(await self.status(replicas[1].port, "/healthz"), 200)
            self.assertEqual(await stopping, 0)
            await progress()

        await self.under_load(visitors, watchers, stop)
        self.assertEqual([visitor.failures for visitor in visitors], [[]] * len(visitors))
        self.assertEqual([watcher.failures for watcher in watchers], [[]] * len(watchers))
        self.check_deliveries(visitors)

    async def test_the_balancer_avoids_a_replica_until_its_connection_to_the_database_is_restored(self):
        link = await self.new_link(self.postgres.port)
        replicas = await asyncio.gather(
            self.replica(self.postgres.url(self.database)),
            self.replica(self.postgres.url(self.database, port=link.port), "--deadline-seconds", "1"))
        port = self.haproxy(replicas)
        await eventually(lambda: self.are_in_use(port, 2), "both are used")
        link.freeze()
        await eventually(lambda: self.are_in_use(port, 1), "it is taken out")
        visitors = self.visitors(port, 4)
        await self.under_load(visitors, [], lambda progress: progress())
        link.thaw()
        await eventually(lambda: self.are_in_use(port, 2), "it is back")
        await self.under_load(visitors, [], lambda progress: progress())
        self.assertEqual([visitor.failures for visitor in visitors], [[]] * len(visitors))
        self.check_deliveries(visitors)

    async def test_while_the_database_is_unreachable_errors_come_from_the_replicas_and_not_from_the_balancer(self):
        link = await self.new_link(self.postgres.port)
        url = self.postgres.url(self.database, port=link.port)
        port = self.haproxy(await asyncio.gather(*(self.replica(url, "--deadline-seconds", "1") for _ in range(2))))
        await eventually(lambda: self.are_in_use(port, 2), "both are used")
        client, answers = self.client(port), []
        async def is_answered(status):
            answers.append(await client.ask("GET", SCREENS[2]))
            return answers[-1].status == status
        link.freeze()
        await eventually(lambda: is_answered(503), "views that may be outdated are not served")
        await eventually(lambda: self.are_in_use(port, 0), "none is ready")
        self.assertFalse(await is_answered(200))
        for answer in answers:
            self.assertTrue(answer.status == 200 or answer.document["type"].endswith("unavailable") and answer.fields["retry-after"], answer)
        link.thaw()
        await eventually(lambda: is_answered(200), "it comes back")
        await eventually(lambda: self.are_in_use(port, 2), "both are used again")


if __name__ == "__main__":
    unittest.main()
