"""Clients that perform actions, read and follow screens at the same time, and check every response."""

import asyncio
import json
import time

from checker import CONTRACT_QUERY, WEIGHED_DAYS, Breach, Knowledge
from clients import CONTRACT, Client, Holder, eventually

READS = [CONTRACT, f"{CONTRACT}&from=2018-09-15", f"{CONTRACT}&from=2018-08-20&locale=fr"]
OTHER_READS = ["/screens/mountains?q=mo", "/screens/settings", "/screens/artist?width=411"]


class View(Holder):
    """A client that holds a version of the contract or of another screen, and checks each snapshot that it can show."""

    def __init__(self, path, checker):
        super().__init__(path, checker.contents)
        self.checker, self.seen, self.known = checker, Knowledge(), Knowledge()
        self.shows_contract = path.startswith(CONTRACT)
        self.first_day = path.partition("&from=")[2][:10] or "2018-08-01"

    def fields(self):
        """Returns the header fields of the next request. From now on, the client must see what is known now."""
        self.known = self.checker.shared.copy()
        return [("Relist-Position", ", ".join(sorted(self.checker.positions)))] if self.checker.positions else []

    def take(self, document, asked):
        super().take(document, asked)
        self.check(self.held)

    def check(self, document):
        if self.shows_contract:
            self.checker.check(document, self.first_day, self.known, self.seen)


class Crowd:
    """Clients of one server, or of several replicas.

    `allowed` are the statuses of problems that clients may receive. If `breaks` is True, connections may break.
    """

    def __init__(self, checker, servers, allowed=(503,), breaks=False, writers=4, weighers=2, readers=4, followers=3, source=None):
        self.checker, self.servers, self.chance = checker, servers, checker.chance
        self.allowed, self.breaks, self.source = {*allowed}, breaks, source
        self.sizes = writers, weighers
        self.reading = [View((READS + OTHER_READS)[number % 6], checker) for number in range(readers)]
        self.following = [View(READS[number % 3], checker) for number in range(followers)]
        self.counts = checker.counts
        self.served = self.acknowledged = 0
        self.tasks, self.writing, self.clients = [], [], []
        self.is_ending = False

    # The life of the crowd

    def start(self):
        self.is_ending = False
        writers, weighers = self.sizes
        self.writing = [asyncio.create_task(self._write()) for _ in range(writers)]
        self.writing += [asyncio.create_task(self._weigh(day)) for day in WEIGHED_DAYS[:weighers]]
        self.tasks = [asyncio.create_task(self._read(view)) for view in self.reading]
        self.tasks += [asyncio.create_task(self._follow(view)) for view in self.following]

    async def until(self, condition, what, within=60):
        async def look():
            for task in self.writing + self.tasks:
                if task.done():
                    task.result()
            return condition()
        await eventually(look, f"{what}: {dict(self.counts)}", within)

    async def progress(self, count=30, within=60):
        """Waits until clients have received this number of further responses that are not problems."""
        goal = self.served + count
        await self.until(lambda: self.served >= goal, "clients are served", within)

    async def writes(self, count=5, within=60):
        """Waits until this number of further actions is acknowledged."""
        goal = self.acknowledged + count
        await self.until(lambda: self.acknowledged >= goal, "actions are acknowledged", within)

    async def settle(self, repeated=5):
        """Sends each action again whose outcome is not known, and some whose outcome is known. Checks that all clients then see each
        performed action, and that it was performed once. Ends all clients."""
        self.is_ending = True
        await self.until(lambda: all(task.done() for task in self.writing), "actions end")
        attempts = [attempt for attempt in self.checker.attempts.values() if not attempt.is_abandoned]
        performed = [attempt for attempt in attempts if attempt.is_performed]
        doubtful = [attempt for attempt in attempts if not attempt.is_performed]
        self.counts["settled"] += len(doubtful)
        for attempt in doubtful + self.chance.sample(performed, min(repeated, len(performed))):
            await self.insist(self.client(), attempt)
        view = View(CONTRACT, self.checker)
        for server in self.servers:
            answer = await self.exchange(self._client_of(server).ask, "GET", view.path, view.fields())
            assert answer, "a snapshot is served at last"
            self._note(view, answer.document)
            self.checker.check_all(answer.document)
            version = answer.document["version"]
        whole = [follower for follower in self.following if follower.path == CONTRACT]
        await self.until(lambda: all(follower.version == version for follower in whole), "streams show all actions")
        await self.stop()

    async def stop(self):
        tasks = self.writing + self.tasks
        pending = set(tasks)
        while pending:
            # In Python 3.11, `wait_for` may ignore a cancellation.
            for task in pending:
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=0.1)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for client in self.clients:
            client.close()
        self.writing, self.tasks, self.clients = [], [], []
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def restore(self):
        """Removes all deliveries, and begins an epoch. No task may run."""
        async def restored():
            path = f"/screens/deliveries/actions/restore?{CONTRACT_QUERY}"
            answer = await self.exchange(self.client().ask, "POST", path, [("Prefer", "return=minimal")], b'{"input":{}}')
            return answer and answer.status == 204 and answer
        answer = await eventually(restored, "the deliveries are removed")
        self.checker.begin_epoch()
        if position := answer.fields.get("relist-position"):
            self.checker.positions = {position}
        for view in self.reading + self.following:
            view.seen = view.known = Knowledge()

    # Requests

    def client(self):
        return self._client_of(self.chance.choice(self.servers))

    def _client_of(self, server):
        """Returns a client with connections of its own. A server is a port of this machine, or a host and a port."""
        host, port = server if isinstance(server, tuple) else ("127.0.0.1", server)
        client = Client(port, lambda: self.chance.choice([None, "gzip"]), host, self.source)
        self.clients.append(client)
        return client

    async def exchange(self, ask, *arguments):
        """Sends a request, and returns the response, or None if it is a problem or if the connection breaks."""
        try:
            answer = await ask(*arguments)
        except (OSError, EOFError) as error:
            self._note_broken(error)
            return None
        self.counts[answer.status] += 1
        if answer.status in (200, 204, 304):
            self.served += 1
            return answer
        self._check_problem(answer)
        return None

    def _note_broken(self, error):
        if isinstance(error, TimeoutError) or not self.breaks:
            raise Breach(f"a request was not answered: {error!r}")
        self.counts["broken"] += 1

    def _check_problem(self, answer):
        """Checks that a response is a permitted problem."""
        text = f"{answer.status} {answer.fields} {answer.body[:300]}"
        if answer.fields.get("content-type") != "application/problem+json" or answer.document["status"] != answer.status:
            raise Breach(f"no problem document: {text}")
        if answer.status not in self.allowed:
            raise Breach(f"a problem that is not permitted: {text}")
        if answer.status in (409, 429, 503) and "retry-after" not in answer.fields:
            raise Breach(f"no Retry-After: {text}")
        self.counts[answer.document["type"].rpartition(":")[2]] += 1

    async def send(self, client, attempt):
        """Sends an action once, and returns whether it was performed, as far as the response says: True, False, or None if this is not
        known."""
        sent = frozenset(self.checker.positions)
        fields = [("Idempotency-Key", f'"{attempt.key}"'), ("Prefer", "return=minimal")]
        if sent:
            fields.append(("Relist-Position", ", ".join(sorted(sent))))
        path = f"/screens/deliveries/actions/{attempt.name}?{CONTRACT_QUERY}"
        body = json.dumps({"input": attempt.values}).encode()
        answers = []
        async def ask():
            answers.append(await client.ask("POST", path, fields, body))
            return answers[0]
        try:
            answer = await self.exchange(ask)
        except Breach as breach:
            raise Breach(f"{breach}, for {attempt}") from None
        outcome = "performed" if answer else answers[0].document.get("outcome") if answers else "unknown"
        if outcome not in ("performed", "not-performed", "unknown"):
            raise Breach(f"a problem of an action has no outcome: {answers[0].body}")
        self.counts[outcome] += not answer
        if outcome == "performed":
            self.acknowledged += not attempt.is_performed
            self.checker.note_performed(attempt, sent, answer and answer.fields.get("relist-position"))
            return True
        attempt.may_have_happened |= outcome == "unknown"
        return None if attempt.may_have_happened else False

    async def insist(self, client, attempt):
        """Sends an action until it is performed."""
        async def performed():
            return await self.send(client, attempt)
        await eventually(performed, f"{attempt} is performed")

    # Clients

    def _pause(self):
        return asyncio.sleep(self.chance.uniform(0.002, 0.02))

    async def _write(self):
        """Schedules deliveries. Some are abandoned after a response that they were not performed, or left without a known outcome."""
        client = self.client()
        while not self.is_ending:
            attempt = self.checker.schedule()
            while not await self.send(client, attempt):
                if not attempt.may_have_happened and self.chance.random() < 0.3:
                    self.checker.abandon(attempt)
                    break
                if self.is_ending or attempt.may_have_happened and self.chance.random() < 0.1:
                    break
                await self._pause()
                client = self.client() if self.chance.random() < 0.2 else client
            await self._pause()

    async def _weigh(self, day):
        """Schedules a delivery, and weighs it again and again."""
        client, view = self.client(), View(f"{CONTRACT}&from={day}", self.checker)
        await self.insist(client, self.checker.schedule(day))
        async def found():
            await self.exchange(view.catch_up, client, view.fields())
            return view.held and next((one["cells"][0]["id"] for one in view.held["sections"] if one["id"] == day), None)
        delivery, kilograms = await eventually(found, "the delivery to weigh is shown"), 1
        while not self.is_ending:
            kilograms += 1
            attempt = self.checker.weigh(day, delivery, kilograms)
            while not await self.send(client, attempt):
                if not attempt.may_have_happened and self.chance.random() < 0.3:
                    self.checker.abandon(attempt)
                    break
                await self._pause()
            await self._pause()

    async def _read(self, view):
        """Reads a screen by each kind of request."""
        client = self.client()
        while True:
            if self.chance.random() < 0.05:
                client.close()
                client = self.client()
                # Another replica may not know yet what this client has seen, if the client has no position for it.
                view.seen = view.seen if self.checker.is_single else Knowledge()
            kind = self.chance.choice([self._catch_up] * 3 + [self._compare, self._revalidate, self._wait])
            await kind(view, client)
            await self._pause()

    async def _catch_up(self, view, client):
        await self.exchange(view.catch_up, client, view.fields())

    async def _compare(self, view, client):
        answer = await self.exchange(client.ask, "GET", view.path, view.fields())
        if answer:
            self._note(view, answer.document)

    async def _revalidate(self, view, client):
        held = view.held
        answer = await self.exchange(client.ask, "GET", view.path, [*view.fields(), ("If-None-Match", f'"{view.version}"')])
        if answer:
            self._note(view, held if answer.status == 304 else answer.document)

    async def _wait(self, view, client):
        screen, _, query = view.path.partition("?")
        fields = [*view.fields(), ("Prefer", "wait=1")]
        answer = await self.exchange(client.ask, "GET", f"{screen}/changes?{query}&version={view.version or ''}", fields)
        if answer:
            view.take(answer.document, time.monotonic())

    def _note(self, view, document):
        view.contents.note(document)
        view.check(document)

    async def _follow(self, view):
        while True:
            try:
                await self._stream(view)
            except (OSError, EOFError) as error:
                self._note_broken(error)
            if not self.breaks and not self.allowed:
                raise Breach("a stream has ended")
            await asyncio.sleep(0.05)

    async def _stream(self, view):
        """Follows a screen until the stream ends. The first event must show what was known at the request, later ones what was seen
        before."""
        screen, _, query = view.path.partition("?")
        path, fields = f"{screen}/changes?{query}&version={view.version or ''}", view.fields()
        view.seen = view.seen if self.checker.is_single else Knowledge()
        async with self.client().stream(path, fields) as (connection, head):
            self.counts["streams"] += 1
            if head.status != 200:
                await connection.body(head)
                self.counts[head.status] += 1
                return self._check_problem(head)
            async for name, data in connection.events():
                if name in ("snapshot", "changeset"):
                    view.take(data, time.monotonic())
                elif name == "current":
                    if data["version"] != view.version:
                        raise Breach(f"a stream says that {data['version']} is current, its client holds {view.version}")
                    view.check(view.held)
                self.counts["events"] += 1
                view.known = view.known if name == "stale" else Knowledge()
