"""A hostile client with one address. It runs until standard input ends. Arguments: the port, and the number of connections."""

import asyncio
import collections
import contextlib
import json
import random
import sys

from asking import Connection

ADDRESS = "127.0.0.2"
COUNTS = collections.Counter()
ACTIONS = "/screens/deliveries/actions/schedule?contract=240500-000"


class Hostile:
    def __init__(self, port, seed):
        self.port, self.chance = port, random.Random(seed)

    def word(self):
        return "".join(self.chance.choices("abcdefghijklmnopqrstuvwxyz", k=6))

    async def forever(self, kind):
        while True:
            try:
                connection = await Connection.open(self.port, source=ADDRESS)
            except OSError:
                COUNTS["refused"] += 1
                await asyncio.sleep(0.1)
                continue
            with contextlib.suppress(OSError, EOFError):
                await kind(connection)
            connection.close()

    async def ask(self, connection, *request):
        connection.send(*request)
        answer = await connection.answer()
        COUNTS[answer.status] += 1
        return answer.fields.get("connection") == "close"

    async def search(self, connection):
        """Requests one new view after another."""
        while not await self.ask(connection, "GET", f"/screens/mountains?q={self.word()}"):
            pass

    async def act(self, connection):
        """Performs one action after another, each with a new key."""
        while True:
            body = json.dumps({"input": {"day": "2018-08-02", "kilograms": self.chance.randint(1, 9)}}).encode()
            if await self.ask(connection, "POST", ACTIONS, [("Idempotency-Key", f'"{self.word()} {self.chance.random()}"')], body):
                return

    async def follow(self, connection):
        """Opens a stream of a new view, and closes it after the first event."""
        connection.send("GET", f"/screens/mountains/changes?q={self.word()}", [("Accept", "text/event-stream")])
        head = await connection.head()
        COUNTS[f"stream {head.status}"] += 1
        if head.status == 200:
            await connection.reader.readuntil(b"\n\n")

    async def hold(self, connection):
        """Sends the head of a large body, and half of the body."""
        size = 60_000
        connection.writer.write(f"POST {ACTIONS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n".encode())
        connection.writer.write(f"Content-Length: {size}\r\n\r\n".encode() + b" " * (size // 2))
        await connection.reader.read(1)


async def main():
    hostile, connections = Hostile(int(sys.argv[1]), sys.argv[3]), int(sys.argv[2])
    kinds = [hostile.search] * 4 + [hostile.act] * 2 + [hostile.follow] * 3 + [hostile.hold]
    tasks = [asyncio.create_task(hostile.forever(kinds[number % len(kinds)])) for number in range(connections)]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    print(dict(COUNTS))


asyncio.run(main())
