"""A proxy between a replica and its database. The proxy can be frozen."""

import asyncio


class Link:
    """Forwards bytes between its clients and a port. While the link is frozen, it forwards no bytes, as in a network partition."""

    def __init__(self, target):
        self.target = target
        self.pairs = set()
        self.is_frozen = False
        self.is_frozen_for_listeners = False

    @classmethod
    async def to(cls, target):
        link = cls(target)
        link.server = await asyncio.start_server(link._accept, "127.0.0.1", 0)
        link.port = link.server.sockets[0].getsockname()[1]
        return link

    def freeze(self):
        self.is_frozen = True
        self._apply()

    def freeze_listeners(self):
        """Freezes the connections on which LISTEN was or will be sent."""
        self.is_frozen_for_listeners = True
        self._apply()

    def thaw(self):
        self.is_frozen = self.is_frozen_for_listeners = False
        self._apply()

    def _apply(self):
        for pair in self.pairs:
            pair.apply(self)

    async def _accept(self, reader, writer):
        pair = Pair(reader, writer)
        self.pairs.add(pair)
        pair.apply(self)
        try:
            await pair.run(self)
        finally:
            self.pairs.discard(pair)

    def cut(self):
        """Ends all current connections."""
        for pair in list(self.pairs):
            pair.close()

    async def close(self):
        self.server.close()
        self.cut()
        while self.pairs:
            await asyncio.sleep(0.01)


class Pair:
    """A connection of a client, with the connection to the database that belongs to it."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.passes = asyncio.Event()
        self.listens = False
        self.tasks = []

    def apply(self, link):
        if link.is_frozen or self.listens and link.is_frozen_for_listeners:
            self.passes.clear()
        else:
            self.passes.set()

    async def run(self, link):
        self.tasks = [asyncio.current_task()]
        writers = [self.writer]
        try:
            await self.passes.wait()
            reader, writer = await asyncio.open_connection("127.0.0.1", link.target)
            writers.append(writer)
            self.tasks = [
                asyncio.create_task(self._pass_on(self.reader, writer, link, watches=True)),
                asyncio.create_task(self._pass_on(reader, self.writer, link)),
            ]
            await asyncio.wait(self.tasks, return_when=asyncio.FIRST_COMPLETED)
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self.close()
            for writer in writers:
                writer.close()

    def close(self):
        for task in self.tasks:
            task.cancel()

    async def _pass_on(self, reader, writer, link, watches=False):
        try:
            while piece := await reader.read(1 << 16):
                if watches and b"LISTEN" in piece:
                    self.listens = True
                    self.apply(link)
                await self.passes.wait()
                writer.write(piece)
                await writer.drain()
            # While the link is frozen, the end of a connection is not forwarded either.
            await self.passes.wait()
        except OSError:
            pass
