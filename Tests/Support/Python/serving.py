"""Servers and proxies that tests and benchmarks start. Each has its own port and folder."""

import collections
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The number of seconds after which a step fails. It is more than any step takes on a slow machine.
TIMEOUT = 60


def relist():
    """Returns the path of the program `relist`. It is the debug build, unless the environment variable RELIST names another program."""
    return os.path.abspath(os.environ.get("RELIST") or ROOT / ".build/debug/relist")


def build_release():
    """Builds a release and sets the environment variable RELIST to its path, unless RELIST is already set."""
    if "RELIST" not in os.environ:
        subprocess.run(["swift", "build", "-c", "release", "--product", "relist"], cwd=ROOT, check=True)
        os.environ["RELIST"] = str(ROOT / ".build/release/relist")


def environment():
    """Returns the environment without the variables that configure Relist or PostgreSQL clients."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("RELIST", "PG"))}


def run(program, *arguments):
    return subprocess.run(
        [program, *arguments], env=environment(), capture_output=True, text=True, timeout=TIMEOUT, check=False)


def free_port():
    """Returns a free port that the system does not assign to other programs before it is used."""
    while True:
        with contextlib.suppress(OSError), socket.socket() as listener:
            listener.bind(("127.0.0.1", random.randint(15_000, 32_000)))
            return listener.getsockname()[1]


def wait_until(condition, what):
    """Calls `condition` until it returns a true value, and returns that value."""
    end = time.monotonic() + TIMEOUT
    while not (value := condition()):
        assert time.monotonic() < end, f"in vain: {what}"
        time.sleep(0.02)
    return value


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    except ConnectionRefusedError:
        return False


def events(stream):
    """Yields the name and the data of each event in a stream."""
    name = None
    for line in stream:
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


Answer = collections.namedtuple("Answer", "status headers content")


class Server:
    """A server of screens. It keeps its port and its database when it is restarted."""

    def __init__(self, *options, program=None, database=None, descriptors=None, within=(), variables=None):
        """`program` is the path of a team's program. The default is `relist` with the page of the repository. `database` is a URL or a
        file. The default is a file in the folder. `descriptors` is the limit of open files. `within` is a command that runs the server.
        `variables` are added to the environment."""
        self.options, self.descriptors = list(options), descriptors
        self.within, self.variables, self.status = list(within), variables or {}, None
        self.program = [program] if program else [relist(), "serve", "--public", ROOT / "Public"]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-"))
        self.database = database or self.folder / "relist.sqlite"
        self.port, self.process, self.greeting = 0, None, ""

    def start(self, stderr=None):
        """Starts the server, and waits until it listens."""
        self.launch(stderr)
        self.greeting = self._greeting()
        self.port = int(re.search(r"http://[0-9.]+:(\d+)", self.greeting)[1])
        return self

    def launch(self, stderr=None):
        """Starts the process of the server."""
        options = ["--port", str(self.port), "--database", self.database, "--drain-seconds", "0", *self.options]
        command = [*self.within, *self.program, *options]
        if self.descriptors:
            command = ["prlimit", f"--nofile={self.descriptors}", *command]
        self.process = self.spawn(command, cwd=self.folder, env=environment() | self.variables, stdout=subprocess.PIPE, stderr=stderr)

    def spawn(self, command, **options):
        return subprocess.Popen(command, **options)

    def _greeting(self):
        """Reads standard output up to the first empty line, and returns the text."""
        text, end = b"", time.monotonic() + TIMEOUT
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not text.endswith(b"\n\n"):
                assert selector.select(max(0, end - time.monotonic())), f"no greeting, only {text}"
                part = os.read(self.process.stdout.fileno(), 65536)
                assert part, f"the server ended with {self.stop()} before it listened"
                text += part
        return text.decode()

    def stop(self, how=signal.SIGTERM):
        """Stops the server. Returns its exit status, or None if it is not running. `status` is the last exit status."""
        if self.process is None:
            return None
        process, self.process = self.process, None
        process.send_signal(how)
        self.status = process.wait()
        process.stdout.close()
        return self.status

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, token=None, body=None, **fields):
        """Sends a request. A body that is not bytes is sent as JSON. Each `_` in the name of a header field is sent as `-`."""
        response = self._send(method, path, token, body, fields)
        return Answer(response.status, response.headers, response.read())

    def follow(self, path, token=None, **fields):
        """Opens a stream, and returns the response. The lines of the response can be read as they are received."""
        return self._send("GET", path, token, None, {"Accept": "text/event-stream"} | fields)

    def _send(self, method, path, token, body, fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None:
            fields = {"Content-Type": "application/json"} | fields
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2 * TIMEOUT)
        connection.request(method, path, body, {"Connection": "close"} | fields)
        return connection.getresponse()

    def get(self, path):
        """Returns the document at a path."""
        answer = self.ask("GET", path)
        assert answer.status == 200, f"{path}: {answer.status} {answer.content}"
        return json.loads(answer.content)

    def perform(self, screen, action, **values):
        """Performs an action of a screen, and returns the document of the response."""
        answer = self.ask("POST", f"/screens/{screen}/actions/{action}", body={"input": values})
        assert answer.status == 200, f"{action}: {answer.status} {answer.content}"
        return json.loads(answer.content)

    def metrics(self):
        """Returns the values of all metrics, by name."""
        lines = self.ask("GET", "/metrics").content.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


class ServerTest(unittest.TestCase):
    """A test case that starts a server of `program` before each test, and stops the server after the test."""

    program = None

    def setUp(self):
        self.server = Server(program=self.program)
        self.addCleanup(self.server.remove)
        self.server.start()

    def stop(self, how=signal.SIGTERM):
        self.assertEqual(self.server.stop(how), 0)

    def ask(self, path, body=None):
        """Returns the status and the body of a response. The request is a POST if it has a body, else a GET."""
        status, _, content = self.server.ask("GET" if body is None else "POST", path, body=body)
        return status, content

    def document(self, path, body=None):
        return json.loads(self.ask(path, body)[1])


class Proxy:
    """A proxy server, nginx or HAProxy, with a temporary folder for its files."""

    def __init__(self, command, files, port, values):
        """`files` are the texts of configuration files, by file name. In these texts each `NAME` or `${NAME}` is replaced with the value
        of the name in `values`. FOLDER is replaced with the temporary folder."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-proxy-"))
        # If root starts nginx, nginx runs as another user. This user must be able to enter folders inside the temporary folder.
        self.folder.chmod(0o711)
        self.port = port
        for name, text in files.items():
            for key, value in [*values.items(), ("FOLDER", self.folder)]:
                text = text.replace(f"${{{key}}}", str(value)).replace(key, str(value))
            (self.folder / name).write_text(text)
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(self._listens, f"{command[0]} listens")
        except BaseException:
            self.remove()
            raise

    def _listens(self):
        assert self.process.poll() is None, f"{self.process.args[0]} has ended"
        return listens(self.port)

    def stop(self):
        """Stops the proxy, and waits until its log is complete."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)
