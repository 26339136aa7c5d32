"""What clients behind a balancer see of replicas that die, stop, or are cut off."""

import asyncio
import pathlib
import random
import re
import signal
import time
import unittest

from clients import CONTRACT, SCHEDULE, Client, Contents, Holder, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = random.randrange(1 << 32)
SCREENS = [CONTRACT, "/screens/deliveries?contract=240233-000&from=2018-08-01", "/screens/mountains?q=mo", "/screens/settings"]


class Visitor:
    """A client that does one thing after the other."""

    def __init__(self, port, contents, chance):
        self.client, self.chance = Client(port), chance
        self.sent = self.acknowledged = 0
        self.holders = [Holder(path, contents) for path in SCREENS]
        self.failures = []
        self.served = 0

    async def go_on(self, until):
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
        self.sent += 1
        answer = await client.ask("POST", SCHEDULE, [("Prefer", "return=minimal")], b'{"input":{"day":"2018-08-01","kilograms":1}}')
        self.acknowledged += answer.status == 204
        return answer


class Watcher:
    """A client that follows, and comes back with what it holds when its stream ends."""

    def __init__(self, port, path, contents):
        self.port, self.holder = port, Holder(path, contents)
        self.breaks = []

    async def go_on(self, until):
        while not until.is_set():
            try:
                await self.follow(until)
            except (OSError, EOFError) as error:
                self.breaks.append(repr(error))

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
        """Does something while all go on; it is given what waits until each was served some times more."""
        until = asyncio.Event()
        tasks = [asyncio.create_task(one.go_on(until)) for one in visitors + watchers]
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
        await eventually(look, "clients are not served any more")

    def check_deeds(self, visitors):
        """What was acknowledged is there."""
        kept = int(self.postgres.psql("SELECT count(*) FROM example.delivery WHERE contract = '240233-000'", self.database))
        self.assertLessEqual(sum(visitor.acknowledged for visitor in visitors), kept)
        self.assertLessEqual(kept, sum(visitor.sent for visitor in visitors))

    async def test_of_a_replica_that_is_killed_each_client_sees_one_failure_at_most_and_goes_on_with_changesets(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url))
        port = self.nginx(replicas)
        visitors, watchers = self.visitors(port, 8), [Watcher(port, path, self.contents) for path in SCREENS[:2] * 3]

        async def kill(progress):
            await progress()
            for killed in replicas:
                counted = [len(visitor.failures) for visitor in visitors]
                breaks = [len(watcher.breaks) for watcher in watchers]
                # So that what clients hold was handed out a while ago, by it or the other.
                await asyncio.sleep(1)
                await killed.stop(signal.SIGKILL)
                self.contents.kills.append(time.monotonic())
                await progress(20)
                await killed.start()
                await progress()
                for visitor, before in zip(visitors, counted):
                    self.assertLessEqual(len(visitor.failures) - before, 1, visitor.failures)
                for watcher, before in zip(watchers, breaks):
                    self.assertLessEqual(len(watcher.breaks) - before, 1, watcher.breaks)

        await self.under_load(visitors, watchers, kill)
        holders = [holder for visitor in visitors for holder in visitor.holders] + [watcher.holder for watcher in watchers]
        # Of what was handed out just before: older versions are known, or the holders would have failed.
        self.assertLessEqual({reason for holder in holders for reason in holder.snapshots}, {"initial", "unknown-version"})
        self.assertTrue(all(watcher.holder.changesets for watcher in watchers))
        self.check_deeds(visitors)

    async def test_nobody_sees_a_failure_of_a_replica_that_is_told_to_stop(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url, "--drain-seconds", "3"))
        port = self.haproxy(replicas)
        visitors, watchers = self.visitors(port, 6), [Watcher(port, path, self.contents) for path in SCREENS[:2] * 2]

        async def stop(progress):
            await progress()
            await eventually(lambda: self.are_in_use(port, 2), "both are used")
            stopping = asyncio.create_task(replicas[1].stop())
            await eventually(lambda: self.are_in_use(port, 1), "it is taken out")
            # While it still answers.
            self.assertEqual(await self.status(replicas[1].port, "/healthz"), 200)
            self.assertEqual(await stopping, 0)
            await progress()

        await self.under_load(visitors, watchers, stop)
        self.assertEqual([visitor.failures for visitor in visitors], [[]] * len(visitors))
        self.assertEqual([watcher.breaks for watcher in watchers], [[]] * len(watchers))
        self.check_deeds(visitors)

    async def test_a_replica_that_is_cut_off_is_taken_out_until_it_is_back(self):
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
        self.check_deeds(visitors)

    def nginx(self, replicas):
        """As `make cluster` has it."""
        balancer = (ROOT / "Tests/Cluster/balancer.conf.template").read_text()
        return self.balancer(
            ["nginx", "-p", ".", "-e", "error.log", "-c", "nginx.conf"], replicas,
            {"nginx.conf": (ROOT / "Tests/Replicas/nginx.conf").read_text(), "balancer.conf": balancer})

    def haproxy(self, replicas):
        """As Operations.md has it; besides, each answer says how many replicas are in use."""
        [text] = re.findall(r"```text\n(defaults\n.+?)```", (ROOT / "Documentation/Operations.md").read_text(), re.DOTALL)
        places = {"bind :8080": "bind ${LISTEN}\n    http-response set-header X-Replicas %[nbsrv(replicas)]",
                  "10.0.0.11:8080": "${FIRST}", "10.0.0.12:8080": "${SECOND}"}
        for documented, place in places.items():
            self.assertEqual(text.count(documented), 1)
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
