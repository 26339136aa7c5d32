"""Random clients: they read screens, present old versions, perform actions, wait, open streams, and send invalid requests."""

import asyncio
import collections
import hashlib
import heapq
import json
import random
import time
from urllib.parse import urlencode

from applying import ChangesetMismatch, apply
from asking import Client, Connection

# The maximum time between two requests of a client, in seconds. The server must know every version that was used within the last hour.
LONGEST_ABSENCE = 240
LETTERS = ["a", "b", "ma", "mo", "mon", "mont", "pic", "ro", "sa", "te", "zu"]


def screens(chance):
    """Returns a random screen with random parameters."""
    name, parameters = chance.choices([
        ("posts", {"limit": chance.randint(1, 1000)}),
        ("mountains", {"q": chance.choice(LETTERS) + chance.choice(["", "e", "n", "r"]), "sort": chance.choice(["name", "height"])}),
        ("artist", {"width": chance.randint(200, 2000)}),
        ("deliveries", {"from": f"2018-07-{chance.randint(1, 31):02}"}),
        ("deliveries", {"contract": "240500-000"}),
        ("deliveries", {}),
        ("settings", {"layout": chance.choice(["merged", "separate"])}),
        ("wifi", {}),
    ], [40, 20, 8, 10, 1, 6, 10, 5])[0]
    return name, {**parameters, "locale": chance.choice(["en", "fr"])}


def actions(chance):
    """Returns a random action: a screen, its parameters, the name of the action and its input."""
    return chance.choice([
        ("settings", {}, "rename", {"firstName": f"Name {chance.randint(1, 10**9)}"}),
        ("settings", {}, chance.choice(["connect", "disconnect"]), {}),
        ("deliveries", {}, "weigh", {"delivery": "7534-1", "kilograms": chance.randint(10_000, 11_000)}),
        ("deliveries", {}, "reschedule", {"delivery": "7556-1", "day": f"2018-07-{chance.randint(12, 20)}"}),
        ("wifi", {}, "toggle", {"on": chance.random() < 0.9}),
    ])


class Held:
    """A snapshot that a client holds. `used` is the time when the server last sent its version or the client last presented it."""

    def __init__(self, document, parameters):
        self.document, self.parameters, self.used = document, parameters, time.monotonic()


class Load:
    """A load that sends a random request at each tick, without waiting for earlier requests."""

    def __init__(self, port, seed):
        self.chance = random.Random(seed)
        self.client = Client(port, lambda: self.chance.choice([None, "gzip"]))
        self.counts = collections.Counter()
        self.faults = []
        self.latencies = []
        self.recent = collections.deque(maxlen=50)
        self.away = []
        self.contents = collections.OrderedDict()
        self.number = 0

    def kinds(self):
        return {self.look: 30, self.come_back: 35, self.come_unknown: 3, self.act: 10, self.wait: 5, self.follow: 2,
                self.fetch_file: 5, self.look_again: 5, self.err: 4, self.leave_early: 1}

    async def tick(self):
        kind = self.chance.choices(list(self.kinds()), list(self.kinds().values()))[0]
        begun = time.monotonic()
        self.counts["asked"] += 1
        try:
            await kind()
        except (TimeoutError, OSError, EOFError) as error:
            self.fault("unanswered", f"{kind.__name__}: {error!r}")
        except Exception as error:  # A response that cannot be read or applied.
            self.fault("misfit", f"{kind.__name__}: {error!r}")
        if kind not in (self.wait, self.follow):
            self.latencies.append(time.monotonic() - begun)

    def fault(self, kind, what):
        self.counts[kind] += 1
        self.faults.append(f"{kind}: {what}")

    async def ask(self, method, path, fields=(), body=None, expecting=(200,)):
        answer = await self.client.ask(method, path, fields, body and json.dumps(body).encode())
        self.counts[f"{answer.status // 100}xx"] += 1
        if answer.status not in expecting:
            self.fault("status", f"{method} {path}: {answer.status} {answer.body[:200]!r}")
        return answer

    # Requests

    async def look(self):
        name, parameters = screens(self.chance)
        answer = await self.ask("GET", f"/screens/{name}?{urlencode(parameters)}")
        if answer.status == 200:
            self.hold(answer.document, parameters)

    async def look_again(self):
        if self.recent:
            held = self.chance.choice(self.recent)
            path = f"/screens/{held.document['screen']}?{urlencode(held.parameters)}"
            await self.ask("GET", path, [("If-None-Match", f'"{held.document["version"]}"')], expecting=(200, 304))

    async def come_back(self):
        """Presents a version that was received seconds or minutes ago, possibly with other parameters."""
        if self.away and self.away[0][0] <= time.monotonic():
            held = heapq.heappop(self.away)[2]
        elif self.recent:
            held = self.chance.choice(self.recent)
        else:
            return await self.look()
        name, parameters = held.document["screen"], held.parameters
        if self.chance.random() < 0.3:
            name, parameters = next(pair for pair in iter(lambda: screens(self.chance), None) if pair[0] == name)
        body = {"version": held.document["version"]}
        answer = await self.ask("POST", f"/screens/{name}/changes?{urlencode(parameters)}", body=body)
        self.take(answer, held, parameters)

    async def come_unknown(self):
        name, parameters = screens(self.chance)
        version = "".join(self.chance.choices("abcdefghijklmnopqrstuvwxyz234567", k=26))
        answer = await self.ask("POST", f"/screens/{name}/changes?{urlencode(parameters)}", body={"version": version})
        if answer.document.get("reason") != "unknown-version":
            self.fault("misfit", f"an unknown version got {answer.body[:100]!r}")

    async def act(self):
        name, parameters, action, given = actions(self.chance)
        held = next((one for one in self.recent if one.document["screen"] == name and "from" not in one.parameters), None)
        body = {"input": given, **({"version": held.document["version"]} if held else {})}
        key = [("Idempotency-Key", f'"{self.chance.getrandbits(64)}"')] if self.chance.random() < 0.2 else []
        path = f"/screens/{name}/actions/{action}?{urlencode(parameters)}"
        answer = await self.ask("POST", path, key, body, expecting=(200, 422))
        if answer.status == 200:
            self.take(answer, held, parameters)

    async def wait(self):
        if not self.recent:
            return
        held = self.chance.choice(self.recent)
        query = urlencode({**held.parameters, "version": held.document["version"]})
        path = f"/screens/{held.document['screen']}/changes?{query}"
        self.take(await self.ask("GET", path, [("Prefer", f"wait={self.chance.randint(1, 10)}")]), held, held.parameters)

    async def follow(self):
        name, parameters = screens(self.chance)
        held = None
        self.counts["streams"] += 1
        try:
            async with asyncio.timeout(self.chance.uniform(1, 20)):
                path = f"/screens/{name}/changes?{urlencode(parameters)}"
                async with self.client.stream(path) as (connection, head):
                    if head.status != 200:
                        self.fault("status", f"a stream: {head.status}")
                    async for name, data in connection.events():
                        if name in ("snapshot", "changeset"):
                            held = self.take_document(data, held, parameters)
                    self.fault("status", "a stream has ended unexpectedly")
        except TimeoutError:
            pass
        finally:
            self.counts["streams"] -= 1

    async def fetch_file(self):
        await self.ask("GET", self.chance.choice(["/", "/page.js", "/styles/phone.css", "/healthz", "/metrics", "/screens"]))

    async def err(self):
        method, path, body, status = self.chance.choice([
            ("GET", "/nothing", None, 404), ("GET", "/screens/nothing", None, 404),
            ("GET", f"/screens/posts?limit={self.chance.randint(1001, 10**6)}", None, 400),
            ("GET", f"/screens/settings?x{self.chance.getrandbits(64)}=1", None, 400),
            ("POST", "/screens/settings/changes", {"version": 7}, 400), ("PUT", "/screens/settings", {}, 405),
            ("GET", f"/{'x' * 20_000}", None, 414),
        ])
        await self.ask(method, path, body=body, expecting=(status,))

    async def leave_early(self):
        """Disconnects while sending a head or a body, or before the response arrives."""
        connection = await Connection.open(self.client.port)
        connection.writer.write(self.chance.choice([
            b"GET /screens/pos", b"\x16\x03\x01\x02\x00", b"GET /screens/posts?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            b"POST /screens/settings/changes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
        ]))
        await connection.writer.drain()
        connection.close()

    async def kept_bytes(self):
        """Returns the bytes of cached views and of history in memory, from the metrics."""
        text = (await self.client.ask("GET", "/metrics")).body.decode()
        counts = dict(line.split() for line in text.splitlines() if not line.startswith("#"))
        return [int(counts[f"relist_{name}_bytes"]) for name in ("cached_view", "history")]

    # Held snapshots

    def take(self, answer, held, parameters):
        if answer.status == 200:
            self.take_document(answer.document, held, parameters)

    def take_document(self, document, held, parameters):
        if held and document.get("reason") == "unknown-version":
            absence = time.monotonic() - held.used
            self.fault("forgotten", f"{held.document['screen']}?{urlencode(held.parameters)} after {absence:.0f} s")
        if held:
            held.used = time.monotonic()
        if document["kind"] == "changeset":
            if not held:
                raise ChangesetMismatch("a changeset for a client without a snapshot")
            document = apply(held.document, document)
            self.counts["applied"] += 1
        return self.hold(document, parameters)

    def hold(self, document, parameters):
        """Stores a snapshot as held. Checks that snapshots with equal versions have equal content."""
        content = json.dumps([document.get("title"), document["layout"], document["sections"]], sort_keys=True)
        digest = hashlib.blake2b(content.encode(), digest_size=8).digest()
        key = (document["screen"], document["version"])
        if self.contents.setdefault(key, digest) != digest:
            raise ChangesetMismatch(f"{key} has two contents")
        if len(self.contents) > 20_000:
            self.contents.popitem(last=False)
        held = Held(document, parameters)
        self.recent.append(held)
        if self.chance.random() < 0.1 and len(self.away) < 1000:
            self.number += 1
            absence = LONGEST_ABSENCE ** self.chance.random()
            heapq.heappush(self.away, (held.used + absence, self.number, held))
        return held
