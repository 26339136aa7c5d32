"""A hostile client with one address. It runs until standard input ends. Its arguments are the port, its own address, the number
of connections, and a seed.

It is one loop over sockets and reads of a response only what it needs, so that it takes little of the processors that it shares with the
server.
"""

import collections
import json
import random
import re
import select
import socket
import sys
import time

ACTIONS = "/screens/deliveries/actions/schedule?contract=240500-000"
# The number of seconds after which a connection that failed is opened again.
PAUSE = 0.1
BODY_SIZE = 60_000
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)


class Requests:
    """The requests of each kind of connection."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def word(self):
        return "".join(self.chance.choices("abcdefghijklmnopqrstuvwxyz", k=6))

    def search(self):
        """Requests one new view after another."""
        return f"GET /screens/mountains?q={self.word()} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    def act(self):
        """Performs one action after another, each with a new key."""
        body = json.dumps({"input": {"day": "2018-08-02", "kilograms": self.chance.randint(1, 9)}}).encode()
        key = f'Idempotency-Key: "{self.word()} {self.chance.random()}"\r\n'.encode()
        return self.post(len(body), key) + body

    def follow(self):
        """Opens a stream of a new view. It is closed after the first event."""
        path = f"/screens/mountains/changes?q={self.word()}"
        return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode()

    def hold(self):
        """Sends the head of a large body, and half of the body."""
        return self.post(BODY_SIZE) + b" " * (BODY_SIZE // 2)

    def post(self, size, fields=b""):
        head = f"POST {ACTIONS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n"
        return head.encode() + fields + b"\r\n"


class Connection:
    """A connection that sends requests of one kind. It is reopened after it has ended."""

    def __init__(self, hostile, kind):
        self.hostile, self.kind = hostile, kind
        self.open()

    def open(self):
        self.received, self.is_sent = b"", False
        opened = socket.socket()
        opened.setblocking(False)
        try:
            opened.bind((self.hostile.address, 0))
        except OSError:
            # No port is free, because closed connections keep their ports for a minute.
            self.hostile.counts["without a port"] += 1
            opened.close()
            return self.hostile.open_later(self, PAUSE)
        self.socket = opened
        self.socket.connect_ex(("127.0.0.1", self.hostile.port))
        return self.hostile.watch(self, select.EPOLLOUT)

    def close(self, pause=0.0):
        self.hostile.forget(self)
        self.socket.close()
        self.hostile.open_later(self, pause)

    def handle(self):
        """Sends the next request, or reads what was received."""
        try:
            if not self.is_sent:
                return self.send()
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return None
        except OSError:
            self.hostile.counts["failed"] += 1
            return self.close(PAUSE)
        if not data:
            return self.close()
        self.received += data
        return self.read()

    def send(self):
        self.socket.send(getattr(self.hostile.requests, self.kind)())
        self.received, self.is_sent = b"", True
        self.hostile.watch(self, select.EPOLLIN)

    def read(self):
        """Counts the response if it is complete, and goes on."""
        end = self.received.find(b"\r\n\r\n")
        if end < 0:
            return
        head, body = self.received[:end], len(self.received) - end - 4
        status = int(head[9:12])
        is_stream = self.kind == "follow" and status == 200
        length = LENGTH.search(head)
        if b"\n\n" not in self.received[end + 4:] if is_stream else length and body < int(length[1]):
            return
        self.hostile.counts[f"stream {status}" if self.kind == "follow" else status] += 1
        if self.kind in ("follow", "hold") or CLOSE.search(head):
            self.close()
        else:
            self.send()


class Hostile:
    def __init__(self, port, address, count, seed):
        self.port, self.address, self.requests, self.counts = port, address, Requests(seed), collections.Counter()
        self.poll, self.connections, self.closed = select.epoll(), {}, collections.deque()
        kinds = ["search"] * 4 + ["act"] * 2 + ["follow"] * 3 + ["hold"]
        for number in range(count):
            Connection(self, kinds[number % len(kinds)])

    def watch(self, connection, events):
        descriptor = connection.socket.fileno()
        if descriptor in self.connections:
            self.poll.modify(descriptor, events)
        else:
            self.poll.register(descriptor, events)
        self.connections[descriptor] = connection

    def forget(self, connection):
        del self.connections[connection.socket.fileno()]

    def open_later(self, connection, pause):
        self.closed.append((time.monotonic() + pause, connection))

    def run(self):
        self.poll.register(sys.stdin, select.EPOLLIN)
        while True:
            for descriptor, _ in self.poll.poll(PAUSE if not self.closed else 0.005):
                if descriptor == sys.stdin.fileno():
                    return
                if descriptor in self.connections:
                    self.connections[descriptor].handle()
            for _ in range(len(self.closed)):
                when, connection = self.closed.popleft()
                if when <= time.monotonic():
                    connection.open()
                else:
                    self.closed.append((when, connection))


HOSTILE = Hostile(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4])
HOSTILE.run()
print(dict(HOSTILE.counts), f"{time.process_time():.1f} s of processor time")
