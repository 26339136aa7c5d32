"""Clients that apply changesets and compare the results with snapshots."""

import asyncio
import collections
import hashlib
import json
import time

from applying import ChangesetMismatch, apply
from asking import Client, Connection

__all__ = ["Answers", "Client", "Connection", "Contents", "Holder", "Scheduler", "Stream", "eventually"]
# The time in seconds after which every replica must know a new version. One second is usual, but a busy machine needs more.
STORING = 5
TIMEOUT = 30
# A contract with room for 120,000 kilograms.
CONTRACT = "/screens/deliveries?contract=240233-000"
SCHEDULE = "/screens/deliveries/actions/schedule?contract=240233-000"


async def eventually(look, what, within=TIMEOUT):
    """Calls a function repeatedly until it returns a true value, and returns the value."""
    end = time.monotonic() + within
    while True:
        value = await look()
        if value:
            return value
        assert time.monotonic() < end, f"timeout: {what}"
        await asyncio.sleep(0.02)


class Contents:
    """The content of each version. The content must be the same at all replicas, in snapshots and after changesets."""

    def __init__(self, is_stored=True):
        """`is_stored` is False if a database may lose versions, so that clients may receive snapshots instead of changesets."""
        self.known, self.is_stored = {}, is_stored
        # The start and the end of each period in which a replica was killed. A killed replica loses versions that are not stored yet.
        self.kills = []

    def note(self, document):
        content = json.dumps({key: value for key, value in document.items() if key != "reason"}, sort_keys=True)
        digest = hashlib.blake2b(content.encode(), digest_size=16).digest()
        if self.known.setdefault(document["version"], digest) != digest:
            raise ChangesetMismatch(f"version {document['version']} has two contents")


class Holder:
    """A client that holds a version of a screen, and requests the changes since that version from any replica."""

    def __init__(self, path, contents):
        self.path, self.contents = path, contents
        self.held, self.since = None, 0
        # The numbers of received changesets with stages, and of received snapshots whose reason was an unknown version.
        self.changesets = self.snapshots = 0

    @property
    def version(self):
        return self.held and self.held["version"]

    async def catch_up(self, client, fields=()):
        """Sends one request, and applies the response if its status is 200."""
        asked = time.monotonic()
        path, _, query = self.path.partition("?")
        body = json.dumps({"version": self.version or ""}).encode()
        answer = await client.ask("POST", f"{path}/changes?{query}", fields, body)
        if answer.status == 200:
            self.take(answer.document, asked)
        return answer

    async def compare(self, client):
        """Requests a snapshot, and compares it with the known content of its version."""
        answer = await client.ask("GET", self.path)
        if answer.status == 200:
            self.contents.note(answer.document)
        return answer

    def take(self, document, asked):
        if document["kind"] == "changeset":
            self.changesets += bool(document["stages"])
            self.held = apply(self.held, document)
        else:
            is_unknown = self.held is not None and document.get("reason") == "unknown-version"
            self.snapshots += is_unknown
            if is_unknown and self.is_stored(asked):
                raise ChangesetMismatch(f"version {self.version} was handed out {asked - self.since:.1f} s before, and is not known")
            self.held = document
        self.since = time.monotonic()
        self.contents.note(self.held)

    def is_stored(self, now):
        """Returns whether every replica must know the held version by now."""
        return self.contents.is_stored and now - self.since > STORING and not any(begin - STORING <= self.since <= end for begin, end in self.contents.kills)


class Stream:
    """A client that follows a screen with an event stream."""

    def __init__(self, port, path, contents, version=""):
        screen, _, query = path.partition("?")
        self.path = f"{screen}/changes?{query}&version={version}" if query else f"{screen}/changes?version={version}"
        self.port, self.holder = port, Holder(path, contents)
        # The received documents, and the names of all other events. These names are `current` and `stale`.
        self.events, self.states = [], []

    async def __aenter__(self):
        self.connection = await Connection.open(self.port)
        self.connection.send("GET", self.path, [("Accept", "text/event-stream")])
        self.head = await self.connection.head()
        self.task = asyncio.create_task(self._listen())
        return self

    async def _listen(self):
        if self.head.status != 200:
            raise ConnectionError(f"a stream was answered with {self.head.status}")
        async for name, data in self.connection.events():
            if name in ("snapshot", "changeset"):
                self.holder.take(data, time.monotonic())
                self.events.append(data)
            else:
                self.states.append(name)

    async def shows(self, condition, what):
        """Waits until the held snapshot fulfils a condition."""
        await self._until(lambda: self.holder.held is not None and condition(self.holder.held), what)

    async def reports(self, state):
        """Waits until the last received event without a document has the name `state`."""
        await self._until(lambda: self.states[-1:] == [state], f"the stream reports {state}")

    async def _until(self, condition, what):
        async def look():
            if self.task.done():
                self.task.result()
                raise AssertionError(f"the stream has ended before: {what}")
            return condition()
        await eventually(look, what)

    async def __aexit__(self, *_):
        self.task.cancel()
        self.connection.close()
        await asyncio.gather(self.task, return_exceptions=True)


class Answers:
    """A list of responses. Each entry has the time of the request, the time of the response, the status, and the response itself."""

    def __init__(self):
        self.all = []

    def note(self, status, asked, answer=None):
        self.all.append((asked, time.monotonic(), status, answer))

    @property
    def statuses(self):
        return collections.Counter(status for _, _, status, _ in self.all)


class Scheduler:
    """A client that schedules deliveries of one kilogram. Each request has its own key and is repeated until it is acknowledged."""

    def __init__(self, name):
        self.name = name
        self.sent = self.acknowledged = 0
        self.answers = Answers()

    async def schedule(self, client, key):
        """Sends one request, and returns the response, or None if the connection breaks."""
        asked = time.monotonic()
        try:
            answer = await client.ask(
                "POST", SCHEDULE, [("Idempotency-Key", f'"{key}"'), ("Prefer", "return=minimal")],
                b'{"input":{"day":"2018-08-01","kilograms":1}}')
        except (OSError, EOFError):
            self.answers.note(None, asked)
            return None
        self.answers.note(answer.status, asked, answer)
        return answer

    async def run(self, client, until, turns=None):
        """Schedules one delivery after another until the event `until` is set. If there is a semaphore `turns`, each delivery waits for
        it."""
        while not until.is_set():
            if turns is not None:
                await turns.acquire()
            self.sent += 1
            key = f"{self.name} {self.sent}"
            async def acknowledged():
                answer = await self.schedule(client, key)
                return answer is not None and answer.status in (200, 204)
            await eventually(acknowledged, f"a delivery is acknowledged: {self.answers.statuses}")
            self.acknowledged += 1
            await asyncio.sleep(0.005)
