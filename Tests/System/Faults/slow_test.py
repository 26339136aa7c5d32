"""Tests of a server with slow clients: slow heads, slow bodies, streams that are not read, and streams that open and close."""

import asyncio
import contextlib
import socket
import unittest

from asking import Connection
from clients import CONTRACT, eventually
from faults import FaultCase, size

COUNT = size(40, 150)
# The address of the slow clients. All other clients have another one, because limits count clients by their address.
SLOW = "127.0.0.9"
STREAM = CONTRACT.replace("?", "/changes?")


class SlowClientTest(FaultCase):
    async def test_slow_clients_and_stalled_streams_do_not_disturb_others(self):
        server = await self.start(self.new_server())
        crowd = await self.crowd(server, allowed=[])
        kinds = [self.slow_head, self.slow_body, self.stalled_stream, self.stalled_download]
        slow = [asyncio.create_task(kind(server.port)) for kind in kinds for _ in range(COUNT)]
        slow += [asyncio.create_task(self.open_and_close_streams(server.port)) for _ in range(4)]
        for _ in range(size(2, 20)):
            crowd.start()
            await crowd.writes(40)
            await crowd.progress(100)
            await crowd.settle()
            await crowd.restore()
        for task in slow:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        async def are_gone():
            metrics = server.metrics()
            return metrics["relist_followed_views"] == 0
        await eventually(are_gone, "nothing is followed after the last stream has ended")
        self.report(f"{COUNT} slow clients of each kind", crowd.counts)

    @contextlib.asynccontextmanager
    async def connection(self, port):
        """Opens a connection that the server may end."""
        connection = await Connection.open(port, source=SLOW)
        try:
            with contextlib.suppress(ConnectionError, EOFError):
                yield connection
        finally:
            connection.close()

    async def drip(self, connection, text):
        for place in range(len(text)):
            await asyncio.sleep(self.chance.uniform(0.05, 0.5))
            connection.writer.write(text[place:place + 1])
            await connection.writer.drain()

    async def slow_head(self, port):
        while True:
            async with self.connection(port) as connection:
                await self.drip(connection, b"GET /screens/settings HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 100 + b"\r\n\r\n")
                await connection.answer()

    async def slow_body(self, port):
        while True:
            async with self.connection(port) as connection:
                connection.writer.write(b"POST /screens/settings/changes HTTP/1.1\r\nHost: localhost\r\n")
                connection.writer.write(b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n")
                await self.drip(connection, b'{"version":""}' + b" " * 86)
                await connection.answer()

    async def stalled_stream(self, port):
        """Opens a stream and reads nothing, with a small buffer. The server holds it until the socket breaks."""
        await self.stall(port, b"GET " + STREAM.encode() + b" HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")

    async def stalled_download(self, port):
        await self.stall(port, b"GET /screens/deliveries?contract=240500-000 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)

    async def stall(self, port, request):
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            client.bind((SLOW, 0))
            client.setblocking(False)
            await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
            await asyncio.get_running_loop().sock_sendall(client, request)
            await asyncio.Event().wait()

    async def open_and_close_streams(self, port):
        """Opens streams of different views, and closes them at once or after the first event."""
        while True:
            async with self.connection(port) as connection:
                search = f"/screens/mountains/changes?q={self.chance.choice('abcdefgh')}"
                path = self.chance.choice([STREAM, search, "/screens/settings/changes"])
                connection.send("GET", path, [("Accept", "text/event-stream")])
                if self.chance.random() < 0.5:
                    await connection.head()
                    await connection.reader.readuntil(b"\n\n")


if __name__ == "__main__":
    unittest.main()
