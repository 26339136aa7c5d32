"""A large number of pollers. Each poller holds a version of one screen and repeatedly requests the changes."""

import asyncio
import collections
import json
import time

from applying import apply
from asking import Connection


class Ledger:
    """The content of each version. The content must be the same in a snapshot and after any changeset."""

    def __init__(self):
        self.snapshots = {}
        self.kinds = collections.Counter()
        self._led = {}

    def note(self, snapshot):
        """Records a snapshot and returns its version. Fails if another content was recorded for the same version."""
        snapshot = {name: value for name, value in snapshot.items() if name != "reason"}
        earlier = self.snapshots.setdefault(snapshot["version"], snapshot)
        assert earlier == snapshot, f"a version shows\n{snapshot}\nand\n{earlier}"
        return snapshot["version"]

    def follow(self, held, body):
        """Returns the version of a poller after a response. Results are cached, because many pollers receive the same response."""
        if (held, body) not in self._led:
            self._led[held, body] = self._follow(held, json.loads(body))
        return self._led[held, body]

    def _follow(self, held, document):
        self.kinds[document["kind"], document.get("reason")] += 1
        return self.note(document if document["kind"] == "snapshot" else apply(self.snapshots[held], document))


class Pollers:
    """Sends the requests of many pollers on a few connections, without pauses, until `stopped` is set."""

    def __init__(self, port, path, ledger, *, count, connections):
        """`path` is the path of the screen with its query string."""
        self.port, self.ledger, self.connections = port, ledger, connections
        self.screen, _, self.parameters = path.partition("?")
        self.versions = [None] * count
        self.holders = collections.Counter({None: count})
        self.moved = asyncio.Condition()
        self.stopped = False
        # The times of the first request and the last response for each path.
        self.spans = {}

    async def run(self):
        parts = [range(start, len(self.versions), self.connections) for start in range(self.connections)]
        async with asyncio.TaskGroup() as group:
            for part in parts:
                group.create_task(self._poll(part))

    async def held(self, version, count):
        """Waits until at least `count` pollers hold a version."""
        async with self.moved:
            await self.moved.wait_for(lambda: self.holders[version] >= count)

    async def _poll(self, pollers):
        connection = await Connection.open(self.port)
        while not self.stopped:
            paths = [self._path(poller) for poller in pollers]
            for poller, path in zip(pollers, paths):
                self.spans.setdefault(path, [time.monotonic(), None])
                connection.send("GET", path, self._fields(poller))
            await connection.writer.drain()
            for poller, path in zip(pollers, paths):
                answer = await connection.answer()
                assert answer.status == 200, f"{path}: {answer.status}"
                self.spans[path][1] = time.monotonic()
                self._take(poller, answer.body)
            async with self.moved:
                self.moved.notify_all()
        connection.close()

    def _path(self, poller):
        version = self.versions[poller]
        return f"{self.screen}?{self.parameters}" if version is None else f"{self.screen}/changes?{self.parameters}&version={version}"

    @staticmethod
    def _fields(poller):
        # The path names the language, so different preferences must not cause different cache entries.
        return [("Accept-Language", f"fr;q=0.{poller % 10}, en")]

    def _take(self, poller, body):
        held = self.versions[poller]
        version = self.versions[poller] = self.ledger.follow(held, body)
        self.holders[held] -= 1
        self.holders[version] += 1
