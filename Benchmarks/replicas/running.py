"""PostgreSQL and replicas whose processor time is measured."""

import contextlib
import http.client
import os
import pathlib
import time

import postgres
import serving
from serving import TIMEOUT, wait_until


def processor_seconds(pid):
    """Returns the processor time of a process, including threads that have ended (clock_getcpuclockid)."""
    return time.clock_gettime((~pid << 3) | 2)


class Postgres(postgres.Postgres):
    """A PostgreSQL server with the settings of Debian, so that commits wait for the disk."""

    def __init__(self, ending):
        super().__init__("max_connections=100")
        ending.callback(self.remove)
        self.start()

    def processor_seconds(self, ended=False):
        """Returns the processor time of all processes of the server. With `ended`, the result includes the time of ended processes, with a
        precision of 10 ms."""
        found = processor_seconds(self.process)
        if ended:
            words = pathlib.Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
            found += (int(words[13]) + int(words[14])) / os.sysconf("SC_CLK_TCK")
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rpartition(")")[2].split()[1]) == self.process:
                    found += processor_seconds(int(stat.parent.name))
        return found


class Replica(serving.Server):
    """A replica with the settings that users have."""

    def __init__(self, ending, database, *flags):
        super().__init__("--log-level", "error", *flags, database=database)
        ending.callback(self.remove)
        self.start()
        wait_until(lambda: self.ask("GET", "/readyz").status == 200, "a replica is ready")

    def processor_seconds(self):
        return processor_seconds(self.process.pid)


class Client:
    """An HTTP client with one connection that is kept alive."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)

    def get(self, path):
        return self._ask("GET", path, None, {})

    def post(self, path, body, **fields):
        return self._ask("POST", path, body.encode(), {"Content-Type": "application/json"} | fields)

    def _ask(self, method, path, body, fields):
        self.connection.request(method, path, body, fields)
        response = self.connection.getresponse()
        return response.status, response.read(), response.headers
