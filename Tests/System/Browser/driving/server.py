"""A server of the tests' own, on a database of its own."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[4]
GREETING = re.compile(r"http://127\.0\.0\.1:(\d+)")


def binary():
    """The program that `make test` has built; RELIST names another one."""
    named = os.environ.get("RELIST")
    return pathlib.Path(named) if named else ROOT / ".build/debug/relist"


def build_release():
    """Names the program of a release build, unless RELIST names another."""
    if "RELIST" not in os.environ:
        subprocess.run(["swift", "build", "-c", "release", "--product", "relist"], cwd=ROOT, check=True)
        os.environ["RELIST"] = str(ROOT / ".build/release/relist")


class Server:
    """Runs `relist serve` until it is stopped. Restarted, it has the same port and the same database."""

    def __init__(self, *options, descriptors=None):
        self.options = options
        self.descriptors = descriptors
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-page-"))
        self.port = 0
        self.process = None

    def start(self):
        arguments = ["serve", "--port", str(self.port), "--database", str(self.database), "--public", str(ROOT / "Public")]
        command = [binary(), *arguments, "--drain-seconds", "0", *self.options]
        if self.descriptors:
            command = ["prlimit", f"--nofile={self.descriptors}", *command]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = self._port()
        # It writes no more, but a full pipe would stop it.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        return self

    def _port(self):
        for line in self.process.stdout:
            if found := GREETING.search(line):
                return int(found[1])
        raise RuntimeError(f"relist ended with {self.process.wait()} before it listened")

    def stop(self, signal=signal.SIGTERM):
        """Returns what it ended with."""
        if self.process is None:
            return None
        self.process.send_signal(signal)
        status = self.process.wait()
        self.process.stdout.close()
        self.process = None
        return status

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    @property
    def database(self):
        return self.folder / "data.sqlite"

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    def get(self, path):
        with urllib.request.urlopen(self.origin + path) as answer:
            return json.load(answer)

    def metric(self, name):
        with urllib.request.urlopen(f"{self.origin}/metrics") as answer:
            return float(re.search(rf"^{name} (.+)$", answer.read().decode(), re.MULTILINE)[1])

    def perform(self, screen, action, **values):
        """Has an action performed, as another client would."""
        body = json.dumps({"input": values}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.origin}/screens/{screen}/actions/{action}", body, headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{action}: {error.code} {error.read().decode()}") from error
