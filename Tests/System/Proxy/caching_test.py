"""Tests of nginx as a cache. They check the requests that nginx sends to the server, and the responses that nginx must never cache."""

import asyncio
import collections
import http.client
import json
import re
import subprocess
import unittest

from asking import Client
from polling import Ledger, Pollers
from posts import PostsServer
from servers import Servers
from serving import TIMEOUT, relist

POLLERS = 10_000
EDITIONS = 5
POSTS = "/screens/posts?locale=en"


class CachingTest(unittest.TestCase):
    def serve(self, *flags, seconds=3600):
        self.servers = Servers("caching.conf", "--shared-cache-seconds", str(seconds), *flags)
        self.addCleanup(self.servers.stop)

    def ask(self, port, path, method="GET", **fields):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        self.addCleanup(connection.close)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in fields.items()})
        return connection.getresponse()

    def token(self, user):
        arguments = [relist(), "token", "--user", user, "--database", self.servers.server.database]
        return "Bearer " + subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout.strip()

    def asked(self):
        """Stops nginx, and returns the path, the cache status and the server's status of each request. The server's status is `-` if nginx
        sent no request to the server."""
        self.servers.proxy.stop()
        return [line.split(" ") for line in (self.servers.proxy.folder / "asked.log").read_text().splitlines()]

    def kept(self):
        """Stops nginx, and returns all cached responses by their cache key."""
        self.servers.proxy.stop()
        files = [file.read_bytes() for file in (self.servers.proxy.folder / "screens").rglob("*") if file.is_file()]
        return {re.search(rb"\nKEY: (.*)\n", file)[1].decode(): file for file in files}

    # MARK: - Number of requests

    def test_nginx_requests_the_changes_from_each_version_at_most_once_a_second(self):
        source = PostsServer()
        self.addCleanup(source.stop)
        self.serve("--posts-upstream", source.address, seconds=1)
        spans = asyncio.run(asyncio.wait_for(self.poll(source), TIMEOUT))
        asked = self.asked()
        fetched = collections.Counter(path for path, _, status in asked if status != "-" and path in spans)
        self.assertGreater(len(spans), EDITIONS)
        self.assertEqual(fetched.keys(), spans.keys())
        for path, (first, last) in spans.items():
            self.assertLessEqual(fetched[path], 1 + (last - first), path)
        # All pollers held the first and the last version, and at least half of them held each version in between.
        polls = sum(path in spans for path, _, _ in asked)
        self.assertGreaterEqual(polls, 2 * POLLERS + (EDITIONS - 1) * POLLERS // 2)

    async def poll(self, source):
        """Polls while the screen changes. For each path, returns the times of its first request and last response."""
        ledger, origin = Ledger(), Client(self.servers.origin)
        pollers = Pollers(self.servers.port, POSTS, ledger, count=POLLERS, connections=200)
        async with asyncio.TaskGroup() as group:
            group.create_task(pollers.run())
            version = ledger.note((await origin.ask("GET", POSTS)).document)
            await pollers.held(version, POLLERS)
            for source.edition in range(1, EDITIONS + 1):
                answer = await origin.ask("POST", "/screens/posts/actions/refresh", [("Prefer", "return=minimal")], b'{"input":{}}')
                self.assertEqual(answer.status, 204)
                version = ledger.note((await origin.ask("GET", POSTS)).document)
                # Other pollers may skip this version.
                await pollers.held(version, POLLERS if source.edition == EDITIONS else POLLERS // 2)
            pollers.stopped = True
        origin.close()
        self.assertEqual(ledger.snapshots[version]["sections"][0]["cells"][0]["id"], f"post-{EDITIONS + 1}")
        self.assertGreaterEqual(ledger.kinds["changeset", None], EDITIONS)
        self.assertEqual(ledger.kinds["snapshot", "unknown-version"], 0)
        return pollers.spans

    def test_a_response_is_cached_with_all_its_header_fields(self):
        self.serve()
        for path in ["/screens/mountains", "/screens/mountains/changes"]:
            first, second, head = self.ask(self.servers.port, path), self.ask(self.servers.port, path), self.ask(self.servers.port, path, "HEAD")
            self.assertEqual(first.read(), second.read())
            for answer in [second, head]:
                for name in ["Content-Language", "Content-Type", "Content-Length", "Cache-Control", "Vary", "ETag"]:
                    self.assertEqual(answer.headers[name], first.headers[name], name)
            tag = first.headers["ETag"]
            if tag:
                self.assertEqual(self.ask(self.servers.port, path, If_None_Match=tag).status, 304)
        asked = self.asked()
        self.assertEqual(sum(path == "/screens/mountains/changes" and status != "-" for path, _, status in asked), 1)

    # MARK: - Responses that are never cached

    def test_responses_for_one_user_are_never_cached(self):
        self.serve("--authentication", "development")
        tokens = {user: self.token(user) for user in ["alice", "bob"]}
        for user, token in tokens.items():
            body = json.dumps({"input": {"firstName": f"Secret {user}", "familyName": None}})
            connection = http.client.HTTPConnection("127.0.0.1", self.servers.origin, timeout=TIMEOUT)
            self.addCleanup(connection.close)
            connection.request("POST", "/screens/settings/actions/rename", body, {"Content-Type": "application/json", "Authorization": token})
            self.assertEqual(connection.getresponse().status, 200)
        for port in [self.servers.port, self.servers.other]:
            for path in ["/screens/settings", "/screens/settings/changes", "/screens"]:
                for user, token in [*tokens.items(), *tokens.items()]:
                    answer = self.ask(port, path, Authorization=token)
                    self.assertEqual(answer.status, 200)
                    self.assertEqual(b"Secret" in (body := answer.read()), path != "/screens")
                    self.assertEqual(f"Secret {user}".encode() in body, path != "/screens")
                self.assertEqual(self.ask(port, path).status, 200 if path == "/screens" else 401)
        self.assertEqual(self.kept(), {})
        self.assertEqual({had for _, had, _ in self.asked()} - {"BYPASS", "MISS"}, set())

    def test_requests_with_a_token_are_never_cached_or_answered_from_the_cache(self):
        self.serve("--authentication", "development")
        token = self.token("alice")
        for port in [self.servers.port, self.servers.other]:
            for path in ["/screens/mountains?q=a", "/screens/mountains/changes?q=a"]:
                controls = [self.ask(port, path, Authorization=token).headers["Cache-Control"] for _ in range(2)]
                controls.append(self.ask(port, path).headers["Cache-Control"])
                controls.append(self.ask(port, path, Authorization=token).headers["Cache-Control"])
                self.assertEqual(["s-maxage=3600" in control for control in controls], [False, False, True, False], controls)
                self.assertEqual(self.ask(port, path, Authorization="Bearer nonsense").status, 401)
        kept = self.kept()
        self.assertEqual(len(kept), 4)
        for answer in kept.values():
            self.assertIn(b"s-maxage=3600", answer)

    def test_requests_with_a_position_are_not_answered_from_the_cache(self):
        self.serve()
        for fields in [{}, {}, {"Relist_Position": "1"}, {}]:
            self.assertEqual(self.ask(self.servers.port, "/screens/mountains?q=b", **fields).status, 200)
        self.assertEqual([had for _, had, _ in self.asked()], ["MISS", "HIT", "BYPASS", "HIT"])

    def test_screens_of_the_demo_user_are_never_cached(self):
        self.serve()
        for port in [self.servers.port, self.servers.other]:
            for path in ["/screens/settings", "/screens/deliveries/changes", "/screens/wifi", "/screens", "/metrics"]:
                for _ in range(2):
                    self.assertEqual(self.ask(port, path).status, 200)
        self.assertEqual(self.kept(), {})

    def test_problems_streams_and_responses_to_waits_or_unknown_versions_are_never_cached(self):
        self.serve()
        version = json.loads(self.ask(self.servers.origin, "/screens/artist").read())["version"]
        for port in [self.servers.port, self.servers.other]:
            for path, status in [("changes?version=x", 200), (f"changes?version={'a' * 26}", 200), ("changes?nothing=1", 400), ("none", 404)]:
                self.assertEqual([self.ask(port, f"/screens/artist/{path}").status for _ in range(2)], [status] * 2)
            path = f"/screens/artist/changes?version={version}"
            self.assertIn("s-maxage=3600", self.ask(port, path).headers["Cache-Control"])
            # Other requests for the same path are not answered from the cache.
            for _ in range(2):
                waited = self.ask(port, path, Prefer="wait=0")
                self.assertEqual((waited.headers["Preference-Applied"], waited.headers["Cache-Control"]), ("wait=0", "no-store"))
                stream = self.ask(port, path, Accept="text/event-stream")
                self.assertEqual((stream.headers["Content-Type"], stream.headers["Cache-Control"]), ("text/event-stream", "no-store"))
                self.assertRegex(stream.readline(), rb"^retry: [1-5]\d{3}\n$")
                stream.close()
        self.assertEqual(self.kept().keys(), {path, f"other{path}"})


if __name__ == "__main__":
    unittest.main()
