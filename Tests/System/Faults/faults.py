"""The seed, the sizes and the base class of the tests of faults."""

import asyncio
import collections
import contextlib
import os
import random
import time
import unittest

from checker import Checker
from crowd import Crowd
from serving import Server

SEED = os.environ.get("RELIST_SEED") or str(time.time_ns())
IS_LONG = "RELIST_FAULTS" in os.environ


def size(small, long):
    """Returns the size of a test: one of `make test`, or one of `make faults`."""
    return long if IS_LONG else small


class FaultCase(unittest.IsolatedAsyncioTestCase):
    """Tests of a server under a fault. The choices of a test depend on the seed and on the name of the test."""

    async def asyncSetUp(self):
        # unittest turns on the debug mode of the loop, which is slow.
        asyncio.get_running_loop().set_debug(False)
        self.chance = random.Random(f"{SEED} {self.id()}")
        self.begun = time.monotonic()

    def new_server(self, *options, **arguments):
        """Returns a server that ends with the test. Its messages are in the file `errors` of its folder."""
        server = Server("--log-level", "critical", *options, **arguments)
        self.addAsyncCleanup(asyncio.to_thread, server.remove)
        return server

    async def start(self, server):
        with open(server.folder / "errors", "a") as errors:
            return await asyncio.to_thread(server.start, errors)

    async def stop(self, server, *how):
        return await asyncio.to_thread(server.stop, *how)

    async def crowd(self, *servers, is_single=True, **arguments):
        """Returns a crowd of clients of servers or ports. It is not started."""
        ports = [server.port if isinstance(server, Server) else server for server in servers]
        crowd = Crowd(Checker(self.chance, is_single), ports, **arguments)
        self.addAsyncCleanup(self._end, crowd)
        return crowd

    async def _end(self, crowd):
        with contextlib.suppress(Exception):
            await crowd.stop()

    def report(self, text, counts=None):
        """Prints what a test has done."""
        counts = collections.Counter(counts or {})
        figures = ", ".join(f"{counts[name]} {name}" for name in sorted(counts, key=str) if counts[name])
        print(f"  {text}, {time.monotonic() - self.begun:.0f} s; {figures}", flush=True)
