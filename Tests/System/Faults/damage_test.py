"""Tests of a server on a damaged SQLite database."""

import asyncio
import collections
import json
import pathlib
import random
import shutil
import signal
import tempfile
import unittest

from applying import apply
from clients import CONTRACT, SCHEDULE, eventually
from faults import SEED, FaultCase, size
from serving import Server

DATABASES = size(20, 1000)
PAGE = 4096
SCREENS = ["settings", "deliveries", "posts", "mountains", "artist", "wifi"]
HELD = [CONTRACT, f"{CONTRACT}&from=2018-09-15", "/screens/mountains?q=mo", "/screens/settings", "/screens/artist?width=411"]


class DamageTest(FaultCase):
    async def test_a_damaged_database_causes_no_crash_and_no_wrong_changeset(self):
        await self.prepare()
        # The last message before the last 500 to each request.
        self.causes = {}
        counts, numbers = collections.Counter(), iter(range(DATABASES))
        async def work():
            for number in numbers:
                counts.update(await asyncio.to_thread(self.try_database, number))
        await asyncio.gather(*(work() for _ in range(2)))
        self.report(f"{DATABASES} databases", counts)
        for request, cause in self.causes.items():
            print(f"    500 to {request}: {cause}", flush=True)

    async def prepare(self):
        """Makes databases with history, receipts and records: one after a stop, and one with a write-ahead log after a kill."""
        server = await self.start(self.new_server())
        crowd = await self.crowd(server)
        crowd.start()
        self.held = []
        for _ in range(4):
            await crowd.progress(60)
            self.held += [(path, server.get(path)) for path in HELD]
        await crowd.settle()
        self.attempts = list(crowd.checker.attempts.values())
        async def are_stored():
            return server.metrics()["relist_history_unwritten"] == 0
        await eventually(are_stored, "the versions are stored")
        self.originals = []
        for how in [signal.SIGKILL, signal.SIGTERM]:
            await self.stop(server, how)
            self.originals.append({path.name: path.read_bytes() for path in server.folder.glob("relist.sqlite*") if path.suffix != ".lock"})
            if how == signal.SIGKILL:
                await self.start(server)

    def try_database(self, number):
        """Damages a database, and sends requests to a server on it. Returns counts of what happened."""
        chance = random.Random(f"{SEED} database {number}")
        server = Server("--log-level", "error")
        try:
            damage = self.damage(server.folder, chance)
            counts = self.serve(server, chance)
            return collections.Counter(counts)
        except Exception as error:
            kept = pathlib.Path(tempfile.mkdtemp(prefix="relist-damaged-"))
            server.stop(signal.SIGKILL)
            shutil.copytree(server.folder, kept, dirs_exist_ok=True)
            raise AssertionError(f"database {number} ({damage}) is in {kept}: {error}") from error
        finally:
            server.remove()

    def damage(self, folder, chance):
        """Writes a damaged copy of a database to a folder, and returns the kind of damage."""
        files = dict(chance.choice(self.originals))
        name = chance.choice([name for name in files if not name.endswith("-shm") and files[name]])
        content, pages = bytearray(files[name]), max(1, len(files[name]) // PAGE)
        page = PAGE * chance.choice([0, chance.randrange(pages), chance.randrange(pages)])
        kind = chance.choice(["bytes", "bytes", "page", "truncated", "swapped", "zeros"])
        if kind == "bytes":
            for _ in range(chance.choice([1, 10, 200])):
                content[chance.randrange(len(content))] = chance.randrange(256)
        elif kind == "page":
            for _ in range(chance.choice([1, 5, 50])):
                content[min(len(content) - 1, page + chance.randrange(PAGE))] = chance.randrange(256)
        elif kind == "truncated":
            del content[chance.randrange(len(content)):]
        elif kind == "swapped":
            other = PAGE * chance.randrange(pages)
            content[page:page + PAGE], content[other:other + PAGE] = content[other:other + PAGE], content[page:page + PAGE]
        else:
            content[page:page + PAGE] = bytes(len(content[page:page + PAGE]))
        for other, bytes_ in files.items():
            (folder / other).write_bytes(content if other == name else bytes_)
        return f"{kind} of {name}"

    def serve(self, server, chance):
        """Starts a server, sends requests to it, and stops it. Yields what happened."""
        with open(server.folder / "errors", "w") as errors:
            try:
                server.start(errors)
            except AssertionError:
                text = (server.folder / "errors").read_text()
                assert server.status == 1 and "database" in text and text.count("\n") < 4, f"status {server.status}: {text}"
                return ["refused"]
        found = ["served"]
        try:
            self.probe(server, chance, found)
        except ConnectionError as error:
            raise AssertionError(f"a connection broke: {error!r}; {self.end_of(server)}") from error
        assert server.process.poll() is None, self.end_of(server)
        status = server.stop()
        assert status == 0, f"it ended with {status}: {(server.folder / 'errors').read_text()[-2000:]}"
        return found

    def end_of(self, server):
        return f"status {server.process.poll()}: {(server.folder / 'errors').read_text()[-2000:]}"

    def probe(self, server, chance, found):
        for path in ["/healthz", "/metrics", "/readyz", *(f"/screens/{name}" for name in SCREENS)]:
            self.ask(server, found, "GET", path)
        self.follow(server, found)
        for path, held in chance.sample(self.held, 8):
            self.catch_up(server, found, path, held)
        for attempt in chance.sample(self.attempts, 3):
            path = f"/screens/deliveries/actions/{attempt.name}?{CONTRACT.partition('?')[2]}"
            self.ask(server, found, "POST", path, {"input": attempt.values}, Idempotency_Key=f'"{attempt.key}"')
        for number in range(2):
            given = {"day": "2018-08-03", "kilograms": 1000 + number}
            answer = self.ask(server, found, "POST", SCHEDULE, {"input": given}, Idempotency_Key=f'"{chance.getrandbits(128):032x}"')
            shown = self.ask(server, found, "GET", CONTRACT)
            if answer.status == 200 and shown.status == 200:
                cells = [cell for section in json.loads(shown.content)["sections"] for cell in section["cells"]]
                count = sum(cell["type"] == "delivery" and cell["kilograms"] == given["kilograms"] for cell in cells)
                # If the index of the table is damaged, SQLite may not find a row.
                assert count <= 1, f"an acknowledged delivery is shown {count} times"
                found.append("shown" if count else "not shown")
        self.ask(server, found, "POST", "/screens/settings/actions/rename", {"input": {"firstName": "Wylla"}})

    def ask(self, server, found, method, path, body=None, **fields):
        """Sends a request, and checks that the response is a document or a problem document."""
        answer = server.ask(method, path, body=body, **fields)
        if path.startswith("/screens"):
            found.append(answer.status)
            if answer.status >= 400:
                kind = answer.headers["Content-Type"]
                assert kind == "application/problem+json", f"{path}: a bare {answer.status}: {kind} {answer.content}"
                problem = json.loads(answer.content)
                assert method == "GET" or "/changes" in path or "outcome" in problem, f"{path}: no outcome: {problem}"
                if answer.status == 500:
                    found.append(f"500 {problem['type'].rpartition(':')[2]}")
                    self.causes[f"{method} {path}"] = (server.folder / "errors").read_text().splitlines()[-1:]
        return answer

    def catch_up(self, server, found, path, held):
        """Requests changes from a version that was handed out before the damage. The result must be the present snapshot."""
        screen, _, query = path.partition("?")
        answer = self.ask(server, found, "POST", f"{screen}/changes?{query}", {"version": held["version"]})
        snapshot = self.ask(server, found, "GET", path)
        if answer.status != 200 or snapshot.status != 200:
            return
        document, expected = json.loads(answer.content), json.loads(snapshot.content)
        found.append(document["kind"])
        document = apply(held, document) if document["kind"] == "changeset" else document
        document.pop("reason", None)
        assert {**held, **expected} == {**held, **document}, f"a changeset of {path} leads to another document than its snapshot"

    def follow(self, server, found):
        response = server.follow(f"{CONTRACT.replace('?', '/changes?')}")
        found.append(f"stream {response.status}")
        if response.status == 200:
            line = response.readline()
            assert line.startswith(b"retry:"), f"a stream begins with {line}"
        response.close()


if __name__ == "__main__":
    unittest.main()
