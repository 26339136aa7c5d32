"""A team's server, run from an empty folder and asked over HTTP."""

import contextlib
import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

# Seconds that nothing here takes, however slow the machine.
PATIENCE = 60


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)


class ServerTest(unittest.TestCase):
    """Starts `program` before each test, and ends it after each."""

    program = None

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.start()

    def start(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RELIST_")}
        self.server = subprocess.Popen(
            [self.program, "--port", "0", "--drain-seconds", "0"], cwd=self.folder, env=environment, stdout=subprocess.PIPE)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.kill)
        self.greeting = self.read_greeting().splitlines()
        self.address = re.search(r"http://[\d.]+:\d+", self.greeting[0]).group()

    def read_greeting(self):
        """The lines to try stand between two empty ones, and nothing follows them."""
        text, end = b"", time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self.server.stdout, selectors.EVENT_READ)
            while text.count(b"\n\n") < 2:
                self.assertTrue(selector.select(max(0, end - time.monotonic())), f"no greeting, only {text}")
                part = os.read(self.server.stdout.fileno(), 65536)
                self.assertTrue(part, f"ended with {text}")
                text += part
        return text.decode()

    def stop(self, with_signal=signal.SIGTERM):
        self.server.send_signal(with_signal)
        self.assertEqual(self.server.wait(timeout=PATIENCE), 0)

    def ask(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def document(self, path, body=None):
        return json.loads(self.ask(path, body)[1])

    @contextlib.contextmanager
    def events(self, path):
        """The events of a stream, each with its name and its document."""
        request = urllib.request.Request(self.address + path, headers={"Accept": "text/event-stream"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
            yield self.parsed(stream)

    @staticmethod
    def parsed(stream):
        name = None
        for line in stream:
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)
