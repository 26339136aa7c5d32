"""PostgreSQL in a temporary folder, and replicas on it."""

import contextlib
import http.client
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# How long anything that is waited for may take, in seconds.
PATIENCE = 60


def processor_seconds(pid):
    """What a process has used of all cores, threads that have ended included (clock_getcpuclockid)."""
    return time.clock_gettime((~pid << 3) | 2)


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, f"{what} did not happen"
        time.sleep(0.02)
    return found


class Postgres:
    """A server as Debian configures one, on which commits wait for the disk."""

    def __init__(self, ending):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-bench-"))
        ending.callback(shutil.rmtree, folder)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            self.port = listener.getsockname()[1]
        settings = ["-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=100"]
        self.process = subprocess.Popen(
            [ROOT / "Tests/Support/TemporaryPostgres/server", folder, *settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        ending.callback(self._stop)
        word, _, pid = self.process.stdout.readline().partition(" ")
        assert word == "ready", "PostgreSQL does not start"
        self.pid = int(pid)
        self.count = 0

    def _stop(self):
        self.process.stdin.close()
        self.process.wait()

    def database(self):
        """The URL of a new one."""
        self.count += 1
        self.psql("postgres", f"CREATE DATABASE bench{self.count}")
        return f"postgres://relist@127.0.0.1:{self.port}/bench{self.count}"

    def psql(self, database, script):
        """Runs statements, each committed by itself, and gives what they print."""
        name = database.rpartition("/")[2]
        command = ["psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "relist", "-d", name, "-XAtq", "-v", "ON_ERROR_STOP=1"]
        return subprocess.run(command, input=script, capture_output=True, text=True, check=True, timeout=PATIENCE * 5).stdout.strip()

    def processor_seconds(self, ended=False):
        """Of all its processes that are there, and of those that have ended where that is asked for (in hundredths)."""
        found = processor_seconds(self.pid)
        if ended:
            words = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            found += (int(words[13]) + int(words[14])) / os.sysconf("SC_CLK_TCK")
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self.pid:
                    found += processor_seconds(int(stat.parent.name))
        return found


class Replica:
    """A server on a database, as users run it."""

    def __init__(self, ending, database, *flags):
        program = os.environ["RELIST"]
        arguments = ["serve", "--port", "0", "--drain-seconds", "0", "--log-level", "error", "--public", ROOT / "Public"]
        self.process = subprocess.Popen([program, *arguments, "--database", database, *flags], stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        ending.callback(self.stop)
        self.port = int(next(found[1] for line in self.process.stdout if (found := re.search(r"http://127\.0\.0\.1:(\d+)", line))))
        until(lambda: Client(self.port).get("/readyz")[0] == 200, "being ready")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.communicate()

    def processor_seconds(self):
        return processor_seconds(self.pid)

    def resident_bytes(self):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{self.pid}/status").read_text())[1]) * 1024


class Client:
    """One connection, kept alive."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def get(self, path):
        return self._ask("GET", path, None, {})

    def post(self, path, body, **fields):
        return self._ask("POST", path, body.encode(), {"Content-Type": "application/json"} | fields)

    def _ask(self, method, path, body, fields):
        self.connection.request(method, path, body, fields)
        response = self.connection.getresponse()
        return response.status, response.read(), response.headers
