"""Clients behind a load balancer, and the balancers of `Deploy`."""

import asyncio
import collections
import itertools
import json
import random
import time

from clients import CONTRACT, Client, Contents, Holder, Stream, eventually
from postgres import Postgres
from replicas import ReplicasCase
from serving import ROOT

SEED = random.randrange(1 << 32)
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


class BalancerCase(ReplicasCase):
    """Replicas on one database behind a balancer, with clients that read, act and follow."""

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
