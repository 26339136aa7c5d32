"""Measures how long responses to 50 clients take during the attack of a hostile client.

An attack takes processor time and disk writes from all servers of the machine. So the times are measured during an attack on the server of
the 50 clients, and during an attack on another server. The tests fail if the first 99th percentile is at least twice the second one.
"""

import asyncio
import collections
import pathlib
import subprocess
import sys
import time
import unittest

from clients import Client
from faults import SEED, FaultCase
from postgres import Postgres

CLIENTS, SECONDS, ROUNDS, CONNECTIONS = 50, 10, 4, 1000
REQUESTS = {
    "cached view": ("GET", "/screens/mountains?q=mo", None),
    "changed view": ("GET", "/screens/settings", None),
    "action": ("POST", "/screens/settings/actions/rename", b'{"input":{"firstName":"Wylla"}}'),
}


class HostileTest(FaultCase):
    async def test_an_attack_on_the_server_is_not_twice_as_bad_as_one_on_another_server_on_sqlite(self):
        await self.compare([await self.start(self.new_server()) for _ in range(2)])

    async def test_an_attack_on_the_server_is_not_twice_as_bad_as_one_on_another_server_on_postgresql(self):
        await self.compare([await self.start_on_postgres() for _ in range(2)])

    async def start_on_postgres(self):
        postgres = await asyncio.to_thread(Postgres("fsync=off").start)
        self.addAsyncCleanup(asyncio.to_thread, postgres.remove)
        return await self.start(self.new_server(database=postgres.url(postgres.new_database())))

    async def compare(self, servers):
        server, other = servers
        alone, during_other, during = await self.measure(server), collections.defaultdict(list), collections.defaultdict(list)
        attacks = [(other, during_other), (server, during)]
        for number in range(ROUNDS):
            # Each server is attacked first in every other round.
            for attacked, times in attacks[:: -1 if number % 2 else 1]:
                for name, values in (await self.measure_during_attack(attacked, server, number)).items():
                    times[name] += values
        for name in REQUESTS:
            print(f"    {name:12}  {self.row(alone[name])}", flush=True)
            print(f"    during an attack on another server: {self.row(during_other[name])}", flush=True)
            print(f"    during an attack on this server:    {self.row(during[name])}", flush=True)
        for name in REQUESTS:
            self.assertEqual([self.lost(times[name]) for times in [alone, during_other, during]], [0, 0, 0], name)
            self.assertLess(self.quantile(during[name], 0.99), 2 * self.quantile(during_other[name], 0.99), name)

    async def measure_during_attack(self, attacked, server, number):
        # The requests of each round are new, so that none is answered from a cache. The ports of each attack are all free.
        address = f"127.0.{2 if attacked is server else 3}.{number + 1}"
        options = [str(attacked.port), address, str(CONNECTIONS), f"{SEED} {number}"]
        command = [sys.executable, pathlib.Path(__file__).with_name("hostile.py"), *options]
        # The processors should work for the servers, and not for the hostile client.
        hostile = subprocess.Popen(["nice", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        await asyncio.sleep(2)
        times = await self.measure(server)
        counts = hostile.communicate("")[0].strip()
        self.assertEqual(hostile.returncode, 0, counts)
        self.report(f"responses to the hostile client: {counts}")
        return times

    async def measure(self, server):
        """Returns the times of the responses to all clients, in milliseconds, by the kind of request."""
        times, end = collections.defaultdict(list), time.monotonic() + SECONDS
        await asyncio.gather(*(self.use(server, number, times, end) for number in range(CLIENTS)))
        return times

    async def use(self, server, number, times, end):
        client = Client(server.port, source=f"127.0.1.{number + 1}")
        while time.monotonic() < end:
            for name, request in REQUESTS.items():
                await asyncio.sleep(self.chance.uniform(0.1, 0.3))
                begun = time.monotonic()
                try:
                    answer = await client.ask(request[0], request[1], body=request[2])
                    self.assertEqual(answer.status, 200, answer.body)
                    times[name].append(1000 * (time.monotonic() - begun))
                except (AssertionError, OSError, EOFError):
                    times[name].append(float("inf"))
        client.close()

    def quantile(self, values, share):
        return sorted(values)[int(share * (len(values) - 1))]

    def row(self, values):
        lost = self.lost(values)
        return f"p50 {self.quantile(values, 0.5):.1f} ms, p99 {self.quantile(values, 0.99):.1f} ms of {len(values)}, {lost} not served"

    def lost(self, values):
        """Returns the number of requests that were not served, whose time is infinite."""
        return values.count(float("inf"))


if __name__ == "__main__":
    unittest.main()
