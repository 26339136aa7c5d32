"""Measures the time from a commit on one replica until a follower of another replica receives the event."""

import json
import socket
import threading
import time

from running import Client, Replica
from serving import TIMEOUT
from table import median, percentile, row

ACTIONS = 200
BOUND = 20
SCREEN = "/screens/settings"


class Follower:
    """A stream that records the time and the first name of each event."""

    def __init__(self, port, path=SCREEN + "/changes"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.events, self.changed = [], threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        self.wait(lambda events: events)

    def _read(self):
        data = b""
        try:
            while part := self.socket.recv(65536):
                now = time.monotonic()
                data += part
                while b"\n\n" in data:
                    event, _, data = data.partition(b"\n\n")
                    if b"event: " in event:
                        with self.changed:
                            self.events.append((now, event))
                            self.changed.notify_all()
        except OSError:
            pass

    def wait(self, condition):
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.events), TIMEOUT), "an event did not come"

    def stop(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def rename(client, name):
    status, _, _ = client.post(f"{SCREEN}/actions/rename", json.dumps({"input": {"firstName": name}}), Prefer="return=minimal")
    assert status == 204, status


def above_idle(all, work):
    """Returns the processor seconds that each process used for some work. The seconds of idle processes are subtracted."""
    marks, start = [[one.processor_seconds() for one in all]], time.monotonic()
    work()
    marks.append([one.processor_seconds() for one in all])
    time.sleep(time.monotonic() - start)
    marks.append([one.processor_seconds() for one in all])
    return [2 * middle - begin - end for begin, middle, end in zip(*marks)]


def measure(postgres, ending):
    database = postgres.url(postgres.new_database())
    here, there = (Replica(ending, database) for _ in range(2))
    client, follower = Client(here.port), Follower(there.port)
    rename(client, "before")
    follower.wait(lambda events: len(events) > 1)
    sent, answered, came = [], [], []

    def act():
        for number in range(ACTIONS):
            count = len(follower.events)
            sent.append(time.monotonic())
            rename(client, f"{number}")
            answered.append(time.monotonic())
            follower.wait(lambda events: len(events) > count)
            came.append(follower.events[count][0])
            time.sleep(0.02)

    used, used_database = above_idle([there, postgres], act)
    from_sending = [(end - start) * 1e3 for start, end in zip(sent, came)]
    from_answer = [(end - start) * 1e3 for start, end in zip(answered, came)]
    row(
        "event at another replica, from the sending of the action",
        f"{median(from_sending):.1f} ms, p99 {percentile(from_sending, 0.99):.1f}; {median(from_answer):+.1f} from its answer",
        f"<= {BOUND} ms", median(from_sending) <= BOUND)
    row(
        "  that replica and the database, for each commit",
        f"{used / ACTIONS * 1e6:.0f}, {used_database / ACTIONS * 1e6:.0f} us CPU; an event of {len(follower.events[-1][1]) + 2} bytes")
    for one in [here, there]:
        one.stop()
