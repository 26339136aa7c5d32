"""Clients that apply changesets, and hold what comes of them against snapshots."""

import asyncio
import collections
import json
import time

from applying import Misfit, apply
from asking import Client, Connection

__all__ = ["Answers", "Client", "Connection", "Contents", "Deeds", "Holder", "Stream", "eventually"]
# How long after it was handed out a version is good at every replica, in seconds: one, and more on a machine that is busy.
STORING = 5
PATIENCE = 30
# There is room for 120,000 kilograms.
CONTRACT = "/screens/deliveries?contract=240233-000"
SCHEDULE = "/screens/deliveries/actions/schedule?contract=240233-000"


async def eventually(look, what, within=PATIENCE):
    """The first value that is true of what is looked at again and again."""
    end = time.monotonic() + within
    while True:
        value = await look()
        if value:
            return value
        assert time.monotonic() < end, f"in vain: {what}"
        await asyncio.sleep(0.02)


class Contents:
    """What each version stands for: the same everywhere, whichever way it was reached."""

    def __init__(self, is_stored=True):
        """Versions of a database that goes may be forgotten: then clients get snapshots."""
        self.known, self.is_stored = {}, is_stored
        # From when to when replicas were killed: they take along what they have not stored.
        self.kills = []

    def note(self, document):
        content = json.dumps({key: value for key, value in document.items() if key != "reason"}, sort_keys=True)
        if self.known.setdefault(document["version"], content) != content:
            raise Misfit(f"version {document['version']} has two contents")


class Holder:
    """A client that holds a version of a screen, and asks for what changed since, wherever it is sent."""

    def __init__(self, path, contents):
        self.path, self.contents = path, contents
        self.held, self.since = None, 0
        # Those that changed something, and snapshots because what it held was not known.
        self.changesets = self.snapshots = 0

    @property
    def version(self):
        return self.held and self.held["version"]

    async def catch_up(self, client):
        """Asks once, and takes what is answered with 200."""
        asked = time.monotonic()
        path, _, query = self.path.partition("?")
        body = json.dumps({"version": self.version or ""}).encode()
        answer = await client.ask("POST", f"{path}/changes?{query}", body=body)
        if answer.status == 200:
            self.take(answer.document, asked)
        return answer

    async def compare(self, client):
        """Holds a snapshot against all else that has its version."""
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
                raise Misfit(f"version {self.version} was handed out {asked - self.since:.1f} s before, and is not known")
            self.held = document
        self.since = time.monotonic()
        self.contents.note(self.held)

    def is_stored(self, now):
        """Whether what is held is good everywhere by now."""
        return self.contents.is_stored and now - self.since > STORING and not any(begin - STORING <= self.since <= end for begin, end in self.contents.kills)


class Stream:
    """A client that is told of changes."""

    def __init__(self, port, path, contents, version=""):
        screen, _, query = path.partition("?")
        self.path = f"{screen}/changes?{query}&version={version}" if query else f"{screen}/changes?version={version}"
        self.port, self.holder = port, Holder(path, contents)
        self.events = []

    async def __aenter__(self):
        self.connection = await Connection.open(self.port)
        self.connection.send("GET", self.path, [("Accept", "text/event-stream")])
        self.head = await self.connection.head()
        self.task = asyncio.create_task(self._listen())
        return self

    async def _listen(self):
        if self.head.status != 200:
            raise ConnectionError(f"a stream was answered with {self.head.status}")
        async for document in self.connection.events():
            self.holder.take(document, time.monotonic())
            self.events.append(document)

    async def shows(self, condition, what):
        """Waits until what it holds is so."""
        async def look():
            if self.task.done():
                self.task.result()
                raise AssertionError(f"the stream has ended before: {what}")
            return self.holder.held is not None and condition(self.holder.held)
        await eventually(look, what)

    async def __aexit__(self, *_):
        self.task.cancel()
        self.connection.close()
        await asyncio.gather(self.task, return_exceptions=True)


class Answers:
    """What was answered, and when: the times of asking and of the answer, the status, and the answer itself."""

    def __init__(self):
        self.all = []

    def note(self, status, asked, answer=None):
        self.all.append((asked, time.monotonic(), status, answer))

    @property
    def statuses(self):
        return collections.Counter(status for _, _, status, _ in self.all)


class Deeds:
    """Deliveries of a kilogram that are scheduled under keys of their own, each sent until it is acknowledged."""

    def __init__(self, name):
        self.name = name
        self.sent = self.acknowledged = 0
        self.answers = Answers()

    async def schedule(self, client, key):
        """Asks once. A connection that breaks leaves nobody any wiser."""
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

    async def go_on(self, client, until):
        """One after the other, until an event."""
        while not until.is_set():
            self.sent += 1
            key = f"{self.name} {self.sent}"
            async def acknowledged():
                answer = await self.schedule(client, key)
                return answer is not None and answer.status in (200, 204)
            await eventually(acknowledged, f"a deed that was sent again and again: {self.answers.statuses}")
            self.acknowledged += 1
            await asyncio.sleep(0.005)
