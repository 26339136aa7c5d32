"""Tests that nginx, HAProxy and Caddy pass requests, streams and compressed responses on, with the configurations in `Deploy`."""

import http.client
import itertools
import json
import unittest
import zlib

from servers import Servers
from serving import TIMEOUT


class PassingCase:
    """Tests that hold for each proxy."""

    @classmethod
    def setUpClass(cls):
        # A receipt takes at least 180 bytes.
        servers = Servers(cls.configuration, "--caller-receipt-bytes", "1024")
        cls.addClassCleanup(servers.stop)
        cls.port, cls.origin = servers.port, servers.origin

    def begin(self, method, path, body=None, port=None, client="127.0.0.1", **fields):
        """Sends a request from an address of this machine, and returns the response, whose body is not read yet."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=TIMEOUT, source_address=(client, 0))
        self.addCleanup(connection.close)
        connection.putrequest(method, path, skip_accept_encoding=True)
        if body is not None:
            body = json.dumps(body).encode()
            fields |= {"Content_Type": "application/json", "Content_Length": str(len(body))}
        for name, value in fields.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        return connection.getresponse()

    def ask(self, *request, **fields):
        """Sends a request, and returns the response and its body."""
        answer = self.begin(*request, **fields)
        return answer, answer.read()

    def rename(self, name, **fields):
        return self.ask("POST", "/screens/settings/actions/rename", {"input": {"firstName": name}}, **fields)

    def test_a_client_receives_the_changes_after_its_action(self):
        held = json.loads(self.ask("GET", "/screens/settings")[1])["version"]
        answer, body = self.rename("Ada")
        self.assertEqual(answer.status, 200)
        changes = json.loads(self.ask("POST", "/screens/settings/changes", {"version": held})[1])
        self.assertEqual([changes[name] for name in ["kind", "from", "version"]], ["changeset", held, json.loads(body)["version"]])

    def test_each_event_of_a_stream_is_passed_on_immediately(self):
        for coding in ["identity", "gzip"]:
            stream = self.begin("GET", "/screens/settings/changes", Accept="text/event-stream", Accept_Encoding=coding)
            self.assertEqual(stream.headers["Content-Encoding"], None if coding == "identity" else coding)
            events = self.events(stream)
            next(events)
            for number in range(3):
                name = f"{coding} {number}"
                self.assertEqual(self.rename(name)[0].status, 200)
                self.assertIn(name.encode(), next(events))

    @staticmethod
    def events(stream):
        """Yields each event with data."""
        decoder, text = zlib.decompressobj(31), b""
        while part := stream.read1():
            text += decoder.decompress(part) if stream.headers["Content-Encoding"] else part
            *events, text = text.split(b"\n\n")
            yield from (event for event in events if b"data:" in event)

    def test_responses_are_passed_on_in_the_coding_of_the_server(self):
        for coding in [None, "gzip", "br", "zstd"]:
            fields = {"Accept_Encoding": coding} if coding else {}
            answer, body = self.ask("GET", "/screens/mountains", **fields)
            direct, expected = self.ask("GET", "/screens/mountains", port=self.origin, **fields)
            self.assertEqual((answer.status, answer.headers["Content-Encoding"]), (200, coding))
            self.assertEqual((answer.headers["ETag"], body), (direct.headers["ETag"], expected), coding)
            self.assertEqual(self.ask("GET", "/screens/mountains", If_None_Match=answer.headers["ETag"], **fields)[0].status, 304)

    def test_limits_count_clients_by_the_address_that_the_proxy_sees(self):
        numbers = itertools.count()

        def status(client, **fields):
            return self.rename("Edd", client=client, Idempotency_Key=f'"{client} {next(numbers)}"', **fields)[0].status

        statuses = [status("127.0.0.2") for _ in range(8)]
        self.assertEqual((statuses[0], statuses[-1]), (200, 429))
        self.assertEqual(status("127.0.0.3"), 200)
        for name, value in [("X_Forwarded_For", "192.0.2.1"), ("Forwarded", "for=192.0.2.1")]:
            self.assertEqual(status("127.0.0.2", **{name: value}), 429, name)


class NginxTest(PassingCase, unittest.TestCase):
    configuration = "nginx.conf"


class HAProxyTest(PassingCase, unittest.TestCase):
    configuration = "haproxy.cfg"


class CaddyTest(PassingCase, unittest.TestCase):
    configuration = "Caddyfile"


if __name__ == "__main__":
    unittest.main()
