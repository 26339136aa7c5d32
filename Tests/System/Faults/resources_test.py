"""Tests of a server that lacks room on its disk, its database, or file descriptors."""

import asyncio
import collections
import errno
import os
import pathlib
import sqlite3
import subprocess
import unittest

from asking import Connection
from clients import CONTRACT, Client, eventually
from failing import Failing
from faults import FaultCase, size

# The maximum time in seconds from the end of a fault to the first acknowledged action.
RECOVERY = 5
# A mount in a namespace of its own. A user who is not root is root in it.
NAMESPACE = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]


class DiskTest(FaultCase):
    async def test_while_the_disk_is_full_reads_are_served_and_actions_get_the_cause(self):
        if subprocess.run([*NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True).returncode:
            self.skipTest("a file system cannot be mounted here")
        server = self.new_server(within=[*NAMESPACE, "sh", "-c", 'mount -t tmpfs -o size=32m tmpfs "$0" && exec "$@"'])
        disk = server.folder / "disk"
        disk.mkdir()
        server.within.append(disk)
        server.database = disk / "relist.sqlite"
        await self.start(server)
        seen = pathlib.Path(f"/proc/{server.process.pid}/root{disk}")
        crowd = await self.crowd(server)
        for _ in range(size(2, 20)):
            crowd.start()
            await crowd.writes()
            self.fill(seen / "filler")
            refused, reads = crowd.counts[503], crowd.counts[200]
            await crowd.until(lambda: crowd.counts[503] >= refused + 20, "actions are refused")
            await crowd.until(lambda: crowd.counts[200] >= reads + 20, "reads are served")
            await self.check_full(server)
            (seen / "filler").unlink()
            self.assertGreater(os.statvfs(seen).f_bavail, 1000, "the database itself fills the disk")
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report(f"{size(2, 20)} times a full disk", crowd.counts)

    def fill(self, path):
        with open(path, "wb", buffering=0) as file:
            for part in (1 << 16, 1 << 12, 1):
                try:
                    while True:
                        file.write(bytes(part))
                except OSError:
                    continue

    async def check_full(self, server):
        """Checks that each screen is served, and that an action gets the cause."""
        client = Client(server.port)
        for path in [CONTRACT, "/screens/artist?width=300", f"/screens/mountains?q={self.chance.choice('abcdefgh')}", "/readyz"]:
            answer = await client.ask("GET", path)
            self.assertEqual(answer.status, 200, f"{path}: {answer.body}")
        async def refused():
            # SQLite may have written its log to the database, and then has room in the log for some actions.
            answer = await client.ask("POST", "/screens/settings/actions/rename", body=b'{"input":{"firstName":"Wylla"}}')
            return answer if answer.status != 200 else None
        answer = await eventually(refused, "an action is refused")
        self.assertEqual((answer.status, answer.document["outcome"]), (503, "not-performed"), answer.body)
        self.assertIn("no space", answer.document["detail"])
        client.close()


class DatabaseTest(FaultCase):
    async def test_nothing_is_acknowledged_while_the_database_is_moved_away_and_nothing_is_lost(self):
        server = await self.start(self.new_server())
        crowd = await self.crowd(server, allowed=[409, 500, 503])
        away = server.folder / "away"
        away.mkdir()
        for number in range(size(2, 20)):
            crowd.start()
            await crowd.writes()
            files = [server.database, pathlib.Path(f"{server.database}-wal"), pathlib.Path(f"{server.database}-shm")]
            for file in files:
                file.rename(away / file.name)
            if number % 2 == 1:
                # Another file is in the place of the database.
                server.database.write_bytes(b"")
            refused = crowd.counts[503]
            await crowd.until(lambda: crowd.counts[503] >= refused + 20, "actions are refused")
            acknowledged = crowd.acknowledged
            await crowd.until(lambda: crowd.counts[503] >= refused + 40, "actions are refused")
            self.assertEqual(crowd.acknowledged, acknowledged)
            for file in files:
                (away / file.name).rename(file)
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report(f"{size(2, 20)} times without the database", crowd.counts)

    async def test_reads_are_served_while_another_process_locks_the_database_and_nothing_is_lost(self):
        server = await self.start(self.new_server("--deadline-seconds", "2"))
        crowd = await self.crowd(server, allowed=[409, 500, 503])
        for _ in range(size(1, 10)):
            crowd.start()
            await crowd.writes()
            lock = sqlite3.connect(server.database, isolation_level=None, timeout=30)
            self.addCleanup(lock.close)
            lock.execute("BEGIN IMMEDIATE")
            refused, reads = crowd.counts[503], crowd.counts[200]
            await crowd.until(lambda: crowd.counts[503] > refused, "actions are refused")
            await crowd.until(lambda: crowd.counts[200] > reads + 20, "reads are served")
            lock.execute("ROLLBACK")
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report(f"{size(1, 10)} times a locked database", crowd.counts)


class DescriptorsTest(FaultCase):
    async def test_the_server_serves_accepted_clients_beyond_its_descriptors_and_recovers(self):
        server = await self.start(self.new_server(descriptors=300))
        crowd = await self.crowd(server, allowed=[409, 500, 503], breaks=True)
        for _ in range(size(1, 10)):
            # One address has at most half of the connections that the descriptors allow.
            connections = [await Connection.open(server.port, source=f"127.0.0.{3 + number % 4}") for number in range(250)]
            for connection in connections:
                connection.send("GET", "/screens/settings")
            answers = await asyncio.gather(*(asyncio.wait_for(one.answer(), 5) for one in connections), return_exceptions=True)
            found = collections.Counter(getattr(answer, "status", type(answer).__name__) for answer in answers)
            # Connections of the round before may still be closing.
            self.assertGreaterEqual(found[200], 100, found)
            self.assertLessEqual(set(found), {200, 429, 503, "TimeoutError", "ConnectionResetError", "IncompleteReadError"}, found)
            for connection in connections:
                connection.close()
            await self.use(crowd)
        self.report(f"{size(1, 10)} times 250 clients for 300 descriptors", crowd.counts)

    async def test_a_server_that_cannot_accept_connections_recovers(self):
        server = self.new_server()
        failing = Failing(server.folder)
        server.variables = failing.variables
        await self.start(server)
        crowd = await self.crowd(server, allowed=[409, 500, 503], breaks=True)
        calls = 0
        for _ in range(size(2, 20)):
            failing.fail("accept", errno.EMFILE, 1)
            await self.open_in_vain(server.port)
            calls = max(calls, failing.failures("accept"))
            # Each loop pauses for a tenth of a second after a call that failed.
            self.assertLess(calls, 500)
            failing.end()
            await self.use(crowd)
        self.report(f"{size(2, 20)} times without descriptors, at most {calls} calls of accept a second", crowd.counts)

    async def use(self, crowd):
        crowd.start()
        await crowd.writes(within=RECOVERY)
        await crowd.settle()
        await crowd.restore()

    async def open_in_vain(self, port):
        """Opens connections for a second. The server cannot accept them."""
        connections = [await Connection.open(port) for _ in range(20)]
        for connection in connections:
            connection.send("GET", "/screens/settings")
        await asyncio.gather(*(asyncio.wait_for(one.head(), 1) for one in connections), return_exceptions=True)
        for connection in connections:
            connection.close()

    async def test_with_hardly_any_descriptors_a_server_serves_one_client(self):
        server = await self.start(self.new_server(descriptors=100))
        answer = await Client(server.port).ask("GET", "/screens/settings")
        self.assertEqual(answer.status, 200)


if __name__ == "__main__":
    unittest.main()
