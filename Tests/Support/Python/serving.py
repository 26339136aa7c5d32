"""The servers that tests and benchmarks start, each on a port and in a folder of its own."""

import collections
import http.client
import json
import os
import pathlib
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
# A number of seconds that no step takes, however slow the machine.
PATIENCE = 60


def relist():
    """The program: that of a debug build, unless RELIST names another."""
    return os.path.abspath(os.environ.get("RELIST") or ROOT / ".build/debug/relist")


def build_release():
    """Names the program of a release build, unless RELIST names another."""
    if "RELIST" not in os.environ:
        subprocess.run(["swift", "build", "-c", "release", "--product", "relist"], cwd=ROOT, check=True)
        os.environ["RELIST"] = str(ROOT / ".build/release/relist")


def environment():
    """The environment, without the settings of servers and of PostgreSQL's clients."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("RELIST", "PG"))}


def run(program, *arguments):
    return subprocess.run(
        [program, *arguments], env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(condition, what):
    """Returns the first value of the condition that is true."""
    end = time.monotonic() + PATIENCE
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
    """The name and the document of each event of a stream."""
    name = None
    for line in stream:
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


Answer = collections.namedtuple("Answer", "status headers content")


class Server:
    """A server of screens. Started again, it has the same port and the same database."""

    def __init__(self, *options, program=None, database=None, descriptors=None):
        """`program`: that of a team, or `relist` with the page as it is in the repository. `database`: a URL, or a file; by default
        one in the folder. `descriptors`: the limit of open files."""
        self.options, self.descriptors = list(options), descriptors
        self.program = [program] if program else [relist(), "serve", "--public", ROOT / "Public"]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-"))
        self.database = database or self.folder / "relist.sqlite"
        self.port, self.process, self.greeting = 0, None, ""

    def start(self, stderr=None):
        """Returns when it listens."""
        command = [*self.program, "--port", str(self.port), "--database", self.database, "--drain-seconds", "0", *self.options]
        if self.descriptors:
            command = ["prlimit", f"--nofile={self.descriptors}", *command]
        self.process = subprocess.Popen(command, cwd=self.folder, env=environment(), stdout=subprocess.PIPE, stderr=stderr)
        self.greeting = self._greeting()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.greeting)[1])
        return self

    def _greeting(self):
        """All that it writes to its standard output: a text that ends with an empty line."""
        text, end = b"", time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not text.endswith(b"\n\n"):
                assert selector.select(max(0, end - time.monotonic())), f"no greeting, only {text}"
                part = os.read(self.process.stdout.fileno(), 65536)
                assert part, f"the server ended with {self.stop()} before it listened"
                text += part
        return text.decode()

    def stop(self, how=signal.SIGTERM):
        """Returns its exit status, or None if it does not run."""
        if self.process is None:
            return None
        process, self.process = self.process, None
        process.send_signal(how)
        status = process.wait()
        process.stdout.close()
        return status

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method, path, token=None, body=None, **fields):
        """Sends a request. A body that is not bytes is sent as JSON. In the names of header fields `_` stands for `-`."""
        response = self._send(method, path, token, body, fields)
        return Answer(response.status, response.headers, response.read())

    def follow(self, path, token=None, **fields):
        """Opens a stream: a response whose lines can be read as they come."""
        return self._send("GET", path, token, None, {"Accept": "text/event-stream"} | fields)

    def _send(self, method, path, token, body, fields):
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        if token is not None:
            fields["Authorization"] = f"Bearer {token}"
        if body is not None:
            fields = {"Content-Type": "application/json"} | fields
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2 * PATIENCE)
        connection.request(method, path, body, {"Connection": "close"} | fields)
        return connection.getresponse()

    def get(self, path):
        """The document at a path."""
        answer = self.ask("GET", path)
        assert answer.status == 200, f"{path}: {answer.status} {answer.content}"
        return json.loads(answer.content)

    def perform(self, screen, action, **values):
        """Performs an action, as another client would."""
        answer = self.ask("POST", f"/screens/{screen}/actions/{action}", body={"input": values})
        assert answer.status == 200, f"{action}: {answer.status} {answer.content}"
        return json.loads(answer.content)

    def metrics(self):
        """The values of all metrics."""
        lines = self.ask("GET", "/metrics").content.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


class ServerTest(unittest.TestCase):
    """Starts a server of `program` before each test, and ends it after each."""

    program = None

    def setUp(self):
        self.server = Server(program=self.program)
        self.addCleanup(self.server.remove)
        self.server.start()

    def stop(self, how=signal.SIGTERM):
        self.assertEqual(self.server.stop(how), 0)

    def ask(self, path, body=None):
        """The status and the body of an answer."""
        status, _, content = self.server.ask("GET" if body is None else "POST", path, body=body)
        return status, content

    def document(self, path, body=None):
        return json.loads(self.ask(path, body)[1])


class Proxy:
    """nginx or HAProxy, in a folder that goes with it."""

    def __init__(self, command, files, port, values):
        """`files`: the texts of configuration files, by their names. `values` take the place of their names in these texts, written
        `NAME` or `${NAME}`; FOLDER is the folder."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-proxy-"))
        # Started as root, nginx runs as another user, which has to reach folders of its own within this one.
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
        """Returns when all that it writes is written."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)
