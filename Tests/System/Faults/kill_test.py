"""Tests of a server that is killed, stopped or suspended while clients perform actions."""

import asyncio
import itertools
import signal
import socket
import sqlite3
import unittest

from asking import Connection
from clients import eventually
from faults import FaultCase, size

KILLS = size(10, 500)
# After this number of kills, the outcome of all actions is checked, and the deliveries are removed.
EPOCH = 20


class KillTest(FaultCase):
    async def test_each_acknowledged_action_happened_once_after_kills_under_load(self):
        server = await self.start(self.new_server())
        crowd, reader = await self.crowd(server, breaks=True, allowed=[409, 500, 503]), None
        for number in range(KILLS):
            if number % EPOCH == 0:
                crowd.start()
            if reader is None and self.chance.random() < 0.1:
                reader = self.reader(server)
            await crowd.progress(self.chance.randint(0, 60))
            await asyncio.sleep(self.chance.uniform(0, 0.01))
            await self.stop(server, signal.SIGKILL)
            if self.chance.random() < 0.1:
                await self.kill_at_start(server)
            await self.start(server)
            if number % EPOCH == EPOCH - 1 or number == KILLS - 1:
                await crowd.settle()
                await crowd.restore()
                if reader:
                    reader.close()
                    reader = None
        self.report(f"{KILLS} kills", crowd.counts)

    def reader(self, server):
        """Opens a read transaction on the database, as a backup does."""
        reader = sqlite3.connect(f"file:{server.database}?mode=ro", uri=True, isolation_level=None)
        self.addCleanup(reader.close)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_master").fetchall()
        return reader

    async def kill_at_start(self, server):
        server.launch()
        await asyncio.sleep(self.chance.uniform(0, 0.08))
        await self.stop(server, signal.SIGKILL)


class SuspensionTest(FaultCase):
    async def test_no_request_is_lost_while_the_server_is_suspended(self):
        server = await self.start(self.new_server())
        # The deadline of a request may pass while the server is suspended.
        crowd = await self.crowd(server, allowed=[409, 500, 503])
        crowd.start()
        count = size(2, 20)
        for _ in range(count):
            await crowd.writes()
            server.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(self.chance.uniform(0.3, size(1.5, 14)))
            server.process.send_signal(signal.SIGCONT)
            await crowd.writes(within=5)
        await crowd.settle()
        self.report(f"{count} suspensions", crowd.counts)


class TerminationTest(FaultCase):
    async def test_each_request_that_was_read_is_answered_before_the_server_ends(self):
        server = await self.start(self.new_server())
        count = size(2, 15)
        for _ in range(count):
            held = server.get("/screens/settings")["version"]
            waiting = [await Connection.open(server.port) for _ in range(40)]
            for connection in waiting:
                connection.send("GET", f"/screens/settings/changes?version={held}", [("Prefer", "wait=60")])
            streams = [await Connection.open(server.port) for _ in range(20)]
            for number, connection in enumerate(streams):
                connection.send("GET", f"/screens/mountains/changes?q={number}", [("Accept", "text/event-stream")])
                self.assertEqual((await connection.head()).status, 200)
            async def are_followed():
                return server.metrics()["relist_followed_views"] >= 21
            await eventually(are_followed, "all views are followed")
            asking = [asyncio.create_task(self.request_until_stopped(server.port, number)) for number in range(16)]
            await asyncio.sleep(self.chance.uniform(0.1, 0.5))
            self.assertEqual(await self.stop(server), 0)
            answers = await asyncio.gather(*(one.answer() for one in waiting))
            self.assertEqual([answer.status for answer in answers], [200] * len(waiting))
            await asyncio.gather(*(self.end(one) for one in streams))
            self.assertNotIn("unanswered", await asyncio.gather(*asking))
            for connection in waiting + streams:
                connection.close()
            await self.start(server)
        self.report(f"{count} terminations")

    async def end(self, connection):
        async for _ in connection.events():
            pass

    async def request_until_stopped(self, port, number):
        """Sends requests one after the other, and returns the outcome of the last request."""
        connection = await Connection.open(port)
        try:
            for count in itertools.count():
                connection.send("GET", f"/screens/mountains?q={number}{count}")
                answer = await connection.answer()
                if answer.fields.get("connection") == "close":
                    return "answered"
        except asyncio.IncompleteReadError as error:
            return "unanswered" if error.partial or await self.was_read(connection) else "unread"
        except ConnectionError:
            return "unread"
        finally:
            connection.close()

    async def was_read(self, connection):
        """Returns True if the server read the request. If the server did not read the request, the system resets the connection, because it
        has unread bytes."""
        await asyncio.sleep(0.2)
        closed = 7
        information = connection.writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
        return information[0] != closed


if __name__ == "__main__":
    unittest.main()
