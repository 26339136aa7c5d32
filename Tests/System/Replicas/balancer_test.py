"""Tests of clients behind a load balancer, while replicas are killed, stopped, or cut off from the database."""

import asyncio
import collections
import itertools
import json
import math
import random
import signal
import time
import unittest

from clients import CONTRACT, Client, Contents, Holder, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase
from serving import ROOT

SEED = random.randrange(1 << 32)
# A contract that no client reads. It has enough room, and its days overlap with the days of the contract that clients read.
UNSEEN_CONTRACT = CONTRACT.replace("240233", "240500")
DAYS = [f"2018-08-{day:02}" for day in range(1, 18)]
SCREENS = [CONTRACT, "/screens/deliveries?contract=240233-000&from=2018-08-01", "/screens/mountains?q=mo", "/screens/settings"]


class LoadClient:
    """A client with the versions that it holds and the failures that it has seen."""

    def __init__(self, holders):
        self.holders, self.failures = holders, []

    @property
    def changesets(self):
        return sum(holder.changesets for holder in self.holders)

    @property
    def snapshots(self):
        return sum(holder.snapshots for holder in self.holders)


class Visitor(LoadClient):
    """A client that sends one request after another."""

    # The deliveries to schedule. Each delivery is scheduled by only one visitor.
    deliveries = ((day, kilograms) for kilograms in itertools.count(1) for day in DAYS)

    def __init__(self, port, contents, chance):
        super().__init__([Holder(path, contents) for path in SCREENS])
        self.client, self.chance = Client(port), chance
        self.contract = CONTRACT
        # For each scheduled delivery, the status of the response or the error of the connection. It is None before the response.
        self.answers = {}
        self.served = 0

    async def run(self, until):
        while not until.is_set():
            await self.step()
            await asyncio.sleep(self.chance.uniform(0.005, 0.03))

    async def step(self):
        holder = self.chance.choice(self.holders)
        kind = self.chance.choice([holder.catch_up] * 4 + [holder.compare, self.act])
        try:
            answer = await kind(self.client)
        except (OSError, EOFError) as error:
            self.failures.append((time.monotonic(), f"{kind.__name__}: {error!r}"))
            return
        if answer.status in (200, 204):
            self.served += 1
        else:
            self.failures.append((time.monotonic(), f"{kind.__name__}: {answer.status} {answer.body!r}"))

    async def act(self, client):
        return await self.schedule(client, *next(Visitor.deliveries))

    async def schedule(self, client, day, kilograms):
        path, _, contract = self.contract.partition("?contract=")
        delivery = (contract, day, str(kilograms))
        body = json.dumps({"input": {"day": day, "kilograms": kilograms}}).encode()
        self.answers[delivery] = None
        try:
            answer = await client.ask("POST", f"{path}/actions/schedule?contract={contract}", [("Prefer", "return=minimal")], body)
        except (OSError, EOFError) as error:
            self.answers[delivery] = error
            raise
        self.answers[delivery] = answer.status
        return answer


class Watcher(LoadClient):
    """A client that follows a screen. When its stream ends, it opens another one with the version that it holds."""

    def __init__(self, port, path, contents):
        self.port, self.holder = port, Holder(path, contents)
        super().__init__([self.holder])

    async def run(self, until):
        while not until.is_set():
            try:
                await self.follow(until)
            except (OSError, EOFError) as error:
                self.failures.append(repr(error))

    async def follow(self, until):
        async with Stream(self.port, self.holder.path, self.holder.contents, self.holder.version or "") as stream:
            stream.holder = self.holder
            end = asyncio.create_task(until.wait())
            await asyncio.wait([end, stream.task], return_when=asyncio.FIRST_COMPLETED)
            end.cancel()
            if stream.task.done():
                stream.task.result()


class BalancerTest(ReplicasCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.postgres = Postgres.shared()
        self.database = self.postgres.new_database()
        self.contents = Contents()

    def visitors(self, port, count):
        visitors = [Visitor(port, self.contents, random.Random(SEED + number)) for number in range(count)]
        for visitor in visitors:
            self.addCleanup(visitor.client.close)
        return visitors

    async def under_load(self, visitors, watchers, what):
        """Calls `what` while all clients are active. `what` receives a function that waits until each visitor has received `count` more
        responses."""
        until = asyncio.Event()
        tasks = [asyncio.create_task(one.run(until)) for one in visitors + watchers]
        try:
            await what(lambda count=10: self.progress(visitors, tasks, count))
            until.set()
            await asyncio.wait_for(asyncio.gather(*tasks), 30)
        finally:
            until.set()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def progress(self, visitors, tasks, count):
        goals = [visitor.served + count for visitor in visitors]
        async def look():
            for task in tasks:
                if task.done():
                    task.result()
            return all(visitor.served >= goal for visitor, goal in zip(visitors, goals))
        await eventually(look, "clients are served")

    def check_deliveries(self, visitors):
        """Checks that each acknowledged delivery is stored, and that no delivery is stored twice."""
        rows = self.postgres.psql("SELECT contract, day, scheduled_kilograms FROM example.delivery", self.database).splitlines()
        counts = collections.Counter(tuple(row.split("|")) for row in rows)
        for delivery, answer in [item for visitor in visitors for item in visitor.answers.items()]:
            self.assertIn(counts[delivery], (1,) if answer == 204 else (0, 1), f"the response to {delivery} was {answer}")

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

    def nginx(self, replicas):
        """Runs nginx as `make cluster` does."""
        balancer = (ROOT / "Deploy/balancer.conf.template").read_text()
        return self.balancer(
            ["nginx", "-p", ".", "-e", "error.log", "-c", "nginx.conf"], replicas,
            {"nginx.conf": (ROOT / "Tests/System/Replicas/nginx.conf").read_text(), "balancer.conf": balancer})

    def haproxy(self, replicas):
        """Runs HAProxy with `Deploy/haproxy.cfg`. The field `X-Replicas` of each response is the number of replicas in use."""
        text = (ROOT / "Deploy/haproxy.cfg").read_text()
        places = {"bind :8080": "bind ${LISTEN}\n    http-response set-header X-Replicas %[nbsrv(replicas)]",
                  "10.0.0.11:8080": "${FIRST}", "10.0.0.12:8080": "${SECOND}"}
        for documented, place in places.items():
            self.assertIn(documented, text)
            text = text.replace(documented, place)
        return self.balancer(["haproxy", "-db", "-f", "haproxy.cfg"], replicas, {"haproxy.cfg": text})

    async def in_use(self, port):
        client = Client(port)
        try:
            return int((await client.ask("GET", "/healthz")).fields["x-replicas"])
        finally:
            client.close()

    async def are_in_use(self, port, count):
        return await self.in_use(port) == count


if __name__ == "__main__":
    unittest.main()
