"""What clients behind a balancer see of replicas that die, stop, or are cut off."""

import asyncio
import collections
import itertools
import json
import math
import random
import re
import signal
import time
import unittest

from clients import CONTRACT, Client, Contents, Holder, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase
from serving import ROOT

SEED = random.randrange(1 << 32)
# With more room than is needed, and days in common with the one that is looked at.
UNSEEN_CONTRACT = CONTRACT.replace("240233", "240500")
DAYS = [f"2018-08-{day:02}" for day in range(1, 18)]
SCREENS = [CONTRACT, "/screens/deliveries?contract=240233-000&from=2018-08-01", "/screens/mountains?q=mo", "/screens/settings"]


class Follower:
    """What one client has come to hold, and what has failed on the way."""

    def __init__(self, holders):
        self.holders, self.failures = holders, []

    @property
    def changesets(self):
        return sum(holder.changesets for holder in self.holders)

    @property
    def snapshots(self):
        return sum(holder.snapshots for holder in self.holders)


class Visitor(Follower):
    """A client that does one thing after the other."""

    # No two schedule the same.
    deeds = ((day, kilograms) for kilograms in itertools.count(1) for day in DAYS)

    def __init__(self, port, contents, chance):
        super().__init__([Holder(path, contents) for path in SCREENS])
        self.client, self.chance = Client(port), chance
        self.contract = CONTRACT
        # What each deed was answered with; None while it is not.
        self.answers = {}
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
        return await self.schedule(client, *next(Visitor.deeds))

    async def schedule(self, client, day, kilograms):
        path, _, contract = self.contract.partition("?contract=")
        deed = (contract, day, str(kilograms))
        body = json.dumps({"input": {"day": day, "kilograms": kilograms}}).encode()
        self.answers[deed] = None
        try:
            answer = await client.ask("POST", f"{path}/actions/schedule?contract={contract}", [("Prefer", "return=minimal")], body)
        except (OSError, EOFError) as error:
            self.answers[deed] = error
            raise
        self.answers[deed] = answer.status
        return answer


class Watcher(Follower):
    """A client that follows, and comes back with what it holds when its stream ends."""

    def __init__(self, port, path, contents):
        self.port, self.holder = port, Holder(path, contents)
        super().__init__([self.holder])

    async def go_on(self, until):
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
        """What was acknowledged was done, and nothing was done twice."""
        rows = self.postgres.psql("SELECT contract, day, scheduled_kilograms FROM example.delivery", self.database).splitlines()
        counts = collections.Counter(tuple(row.split("|")) for row in rows)
        for deed, answer in [item for visitor in visitors for item in visitor.answers.items()]:
            self.assertIn(counts[deed], (1,) if answer == 204 else (0, 1), f"{deed} was answered with {answer}")

    async def test_of_a_replica_that_is_killed_each_client_sees_one_failure_at_most_and_goes_on_with_changesets_from_what_is_stored(self):
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
                await self.go_on(visitors, own, other)
                await progress(20)
                async def changed():
                    grown = [client.changesets > count for client, (_, count, _) in zip(clients, before)]
                    return all(grown) and all(holder.changesets for holder in own)
                await eventually(changed, "all go on with changesets")
                self.assertEqual([client.snapshots for client in clients], [count for _, _, count in before])
                await asyncio.to_thread(killed.start)
                await progress()
                for client, (count, _, _) in zip(clients, before):
                    self.assertLessEqual(len(client.failures) - count, 1, client.failures)
            # As it comes: who holds what was not stored yet gets a snapshot, and nobody else.
            before = [len(client.failures) for client in clients]
            await self.take_down(replicas[0])
            await progress(20)
            for client, count in zip(clients, before):
                self.assertLessEqual(len(client.failures) - count, 1, client.failures)

        await self.under_load(visitors, watchers, kill)
        self.check_deeds(visitors)

    async def take_down(self, replica):
        begin = time.monotonic()
        self.contents.kills.append((begin, math.inf))
        await asyncio.to_thread(replica.stop, signal.SIGKILL)
        # What was under way is taken a moment later.
        self.contents.kills[-1] = (begin, time.monotonic() + 1)

    async def rest(self, visitors, watchers, *replicas):
        """Has visitors change what nobody looks at. Returns once all hold the newest of the rest, and the database has that; gives
        what each visitor is to hold that only the first of the replicas has ever given."""
        for visitor in visitors:
            visitor.contract = UNSEEN_CONTRACT
        asking = [self.client(replica.port) for replica in replicas]
        async def has_come():
            if any(answer is None and deed[0] in CONTRACT for visitor in visitors for deed, answer in visitor.answers.items()):
                return False
            held = {(holder.path, holder.version) for client in visitors + watchers for holder in client.holders if holder.held}
            paths = {path for path, _ in held}
            return held == {(path, (await client.ask("GET", path)).document["version"]) for path in paths for client in asking}
        await eventually(has_come, "all hold the newest")
        own = [Holder(f"{CONTRACT}&from={day}", self.contents) for day in itertools.islice(self.own_days, len(visitors))]
        for holder in own:
            await holder.catch_up(asking[0])
        async def is_stored():
            metrics = [(await client.ask("GET", "/metrics")).body.decode() for client in asking]
            return all("\nrelist_history_unwritten 0\n" in text for text in metrics)
        await eventually(is_stored, "the database has what was handed out")
        return own

    async def go_on(self, visitors, own, replica):
        """Has visitors look at what each holds for itself once it has changed, and change what is looked at."""
        for visitor in visitors:
            visitor.contract = CONTRACT
        # On the last day, which all of them show.
        answer = await visitors[0].schedule(self.client(replica.port), DAYS[-1], 1000 + len(self.contents.kills))
        self.assertEqual(answer.status, 204)
        for visitor, holder in zip(visitors, own):
            visitor.holders.append(holder)

    async def test_nobody_sees_a_failure_of_a_replica_that_is_told_to_stop(self):
        url = self.postgres.url(self.database)
        replicas = await asyncio.gather(self.replica(url), self.replica(url, "--drain-seconds", "3"))
        port = self.haproxy(replicas)
        visitors, watchers = self.visitors(port, 6), [Watcher(port, path, self.contents) for path in SCREENS[:2] * 2]

        async def stop(progress):
            await progress()
            await eventually(lambda: self.are_in_use(port, 2), "both are used")
            stopping = asyncio.create_task(asyncio.to_thread(replicas[1].stop))
            await eventually(lambda: self.are_in_use(port, 1), "it is taken out")
            # While it still answers.
            self.assertEqual(await self.status(replicas[1].port, "/healthz"), 200)
            self.assertEqual(await stopping, 0)
            await progress()

        await self.under_load(visitors, watchers, stop)
        self.assertEqual([visitor.failures for visitor in visitors], [[]] * len(visitors))
        self.assertEqual([watcher.failures for watcher in watchers], [[]] * len(watchers))
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

    async def test_while_the_database_is_away_clients_hear_of_it_from_replicas_and_not_from_the_balancer(self):
        link = await self.new_link(self.postgres.port)
        url = self.postgres.url(self.database, port=link.port)
        port = self.haproxy(await asyncio.gather(*(self.replica(url, "--deadline-seconds", "1") for _ in range(2))))
        await eventually(lambda: self.are_in_use(port, 2), "both are used")
        client, answers = self.client(port), []
        async def is_answered(status):
            answers.append(await client.ask("GET", SCREENS[2]))
            return answers[-1].status == status
        link.freeze()
        await eventually(lambda: is_answered(503), "what may be stale is not given")
        await eventually(lambda: self.are_in_use(port, 0), "none is ready")
        self.assertFalse(await is_answered(200))
        for answer in answers:
            self.assertTrue(answer.status == 200 or answer.document["type"].endswith("unavailable") and answer.fields["retry-after"], answer)
        link.thaw()
        await eventually(lambda: is_answered(200), "it comes back")
        await eventually(lambda: self.are_in_use(port, 2), "both are used again")

    def nginx(self, replicas):
        """As `make cluster` has it."""
        balancer = (ROOT / "Deploy/balancer.conf.template").read_text()
        return self.balancer(
            ["nginx", "-p", ".", "-e", "error.log", "-c", "nginx.conf"], replicas,
            {"nginx.conf": (ROOT / "Tests/System/Replicas/nginx.conf").read_text(), "balancer.conf": balancer})

    def haproxy(self, replicas):
        """`Deploy/haproxy.cfg`, with a field in each answer that says how many replicas are in use."""
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
