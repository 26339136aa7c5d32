"""Tests of requests that reach the server through nginx."""

import json
import socket
import unittest
import zlib

from servers import Servers

BODY = b'{"version":""}'
NEXT = b"GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"


def post(*fields, body=BODY):
    lines = [b"POST /screens/settings/changes HTTP/1.1", b"Host: test", *fields, b"", body]
    return b"\r\n".join(lines)


def chunked(*chunks, end=b"\r\n"):
    return b"".join(b"%x" % len(chunk) + end + chunk + end for chunk in [*chunks, b""])


class ProxyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        servers = Servers("nginx.conf")
        cls.addClassCleanup(servers.stop)
        cls.port = servers.port

    def ask(self, request):
        """Sends bytes on one connection. Returns the statuses of all responses and the body of the last response."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as client:
            client.sendall(request)
            answers = client.makefile("rb")
            statuses, body = [], b""
            while line := answers.readline():
                statuses.append(int(line.split()[1]))
                body = self.body(answers)
            return statuses, body

    @staticmethod
    def body(answers):
        length = 0
        while (line := answers.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif name.lower() == b"transfer-encoding":
                length = None
        if length is not None:
            return answers.read(length)
        body = b""
        while size := int(answers.readline(), 16):
            body += answers.read(size)
            answers.readline()
        answers.readline()
        return body

    def test_requests_with_bodies_reach_the_server_through_nginx(self):
        for request in [
            post(b"Content-Length: %d" % len(BODY)),
            post(b"Transfer-Encoding: chunked", body=chunked(BODY[:5], BODY[5:])),
            post(b"Content-Length: %d" % len(BODY), b"Expect: 100-continue"),
        ]:
            statuses, body = self.ask(request + NEXT)
            self.assertEqual([status for status in statuses if status != 100], [200, 200])
            self.assertEqual(body, b"ok\n")

    def test_events_are_forwarded_immediately(self):
        for coding in [b"identity", b"gzip"]:
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as client:
                head = b"GET /screens/settings/changes HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n"
                client.sendall(head + b"Accept-Encoding: %s\r\n\r\n" % coding)
                events = self.events(client.makefile("rb"), coding)
                next(events)
                name = coding.decode().title()
                body = json.dumps({"input": {"firstName": name}}).encode()
                head = b"POST /screens/settings/actions/rename HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
                head += b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
                self.assertEqual(self.ask(head + body)[0], [200])
                self.assertIn(name.encode(), next(events))

    def events(self, stream, coding):
        """Yields the data of each event of a chunked response."""
        lines = iter(stream.readline, b"\r\n")
        encoded = [line for line in lines if line.lower().startswith(b"content-encoding:")]
        self.assertEqual(encoded, [b"Content-Encoding: gzip\r\n"] if coding == b"gzip" else [])
        decoder = zlib.decompressobj(31)
        rest = b""
        while size := int(stream.readline(), 16):
            chunk = stream.read(size)
            stream.readline()
            rest += decoder.decompress(chunk) if encoded else chunk
            *events, rest = rest.split(b"\n\n")
            for event in events:
                if b"data:" in event:
                    yield event

    def test_a_request_with_an_invalid_content_length_is_rejected_with_one_response(self):
        for length in [b"abc", b"1, 1", b"-1", b"+1", b"0x1", b"99999999999999999999"]:
            with self.subTest(length):
                statuses, _ = self.ask(post(b"Content-Length: " + length) + NEXT)
                self.assertEqual(len(statuses), 1)
                self.assertIn(statuses[0], [400, 413])

    def test_blanks_around_a_content_length_are_ignored(self):
        self.assertEqual(self.ask(post(b"Content-Length:  %d  " % len(BODY)) + NEXT), ([200, 200], b"ok\n"))

    def test_bare_line_feeds_between_chunks_are_rejected_or_corrected(self):
        statuses, body = self.ask(post(b"Transfer-Encoding: chunked", body=chunked(BODY, end=b"\n")) + NEXT)
        self.assertIn((statuses, body), [([200, 200], b"ok\n")] + [([400], body)])

    def test_bytes_after_an_ambiguous_head_are_not_served_as_a_request(self):
        smuggled = b"GET /smuggled HTTP/1.1\r\nHost: test\r\n\r\n"
        for fields in [
            [b"Content-Length:\r\n %d" % len(smuggled)],
            [b"Content-Length: %d" % len(smuggled), b"Transfer-Encoding:\r\n chunked"],
            [b"Content-Length: %d" % len(smuggled), b"Transfer-Encoding: chunked"],
            [b"Content-Length: 0", b"Content-Length: %d" % len(smuggled)],
            [b"Transfer-Encoding: chunked\0, gzip"],
            [b"Transfer-Encoding: xchunked"],
        ]:
            with self.subTest(fields):
                statuses, _ = self.ask(post(*fields, body=smuggled) + NEXT)
                self.assertEqual([status for status in statuses if status < 400 or status == 404], [])

    def test_a_request_with_an_endless_chunk_size_is_not_served(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as client:
            client.sendall(post(b"Transfer-Encoding: chunked", body=b"0" * 10300))
            client.shutdown(socket.SHUT_WR)
            self.assertNotIn(b" 200 ", client.makefile("rb").read())
