"""Measures the commits per second of PostgreSQL without replicas, with and without announcements."""

import contextlib
import pathlib
import re
import subprocess

from serving import TIMEOUT
from table import row

CLIENTS, SECONDS, LISTENERS = 16, 2, 50
CHANGE = r"\set id random(1, 64)" + "\nBEGIN\\; UPDATE bench SET n = n + 1 WHERE id = :id\\; "
# As in `PostgresTransaction.commit`, the lock is held until the end of the commit.
ANNOUNCE = r"SELECT pg_advisory_xact_lock(1, 1)\; SELECT pg_notify('relist', nextval('place') || E'\nbench/1')\; "
ANNOUNCING = CHANGE + ANNOUNCE + "COMMIT;"
WAYS = {
    "that announce nothing": CHANGE + "COMMIT;",
    "that announce": ANNOUNCING,
    "that announce, and wait for the disk after the lock": CHANGE + r"SET LOCAL synchronous_commit = off\; " + ANNOUNCE
    + "COMMIT\\; BEGIN\\; SELECT pg_logical_emit_message(true, 'relist', '')\\; COMMIT;",
    "that announce, and never wait for the disk": CHANGE + r"SET LOCAL synchronous_commit = off\; " + ANNOUNCE + "COMMIT;",
}


class Commits:
    def __init__(self, postgres, folder):
        self.postgres, self.file, self.database = postgres, folder / "pgbench.sql", postgres.new_database()
        self.connecting = ["-h", "127.0.0.1", "-p", str(postgres.port), "-U", "relist"]
        postgres.psql(
            "CREATE TABLE bench (id int PRIMARY KEY, n int); CREATE SEQUENCE place; "
            "INSERT INTO bench SELECT id, 0 FROM generate_series(1, 64) id", self.database)

    def run(self, script):
        """Runs a script of pgbench. Returns the commits per second, and the processor seconds of the database for each commit."""
        self.file.write_text(script + "\n")
        program = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
        command = [program, "-n", "-c", str(CLIENTS), "-T", str(SECONDS), *self.connecting, "-f", self.file, self.database]
        # Connections that were opened earlier must have ended. Otherwise their processor time would be missing at the end.
        before = self.postgres.processor_seconds(ended=True)
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT).stdout
        used = self.postgres.processor_seconds(ended=True) - before
        count = int(re.search(r"transactions actually processed: (\d+)", said)[1])
        return float(re.search(r"tps = ([\d.]+)", said)[1]), used / count

    @contextlib.contextmanager
    def listening(self):
        """Keeps many connections open. They listen to all commits, as the connections of replicas do."""
        command = ["psql", *self.connecting, "-d", self.database, "-Xq"]
        listeners = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(LISTENERS)]
        try:
            for one in listeners:
                one.stdin.write("LISTEN relist;\n\\echo listening\n")
                one.stdin.flush()
                one.stdout.readline()
            yield
        finally:
            for one in listeners:
                one.communicate()


def measure(postgres, folder):
    commits = Commits(postgres, folder)
    for what, script in WAYS.items():
        rate, used = commits.run(script)
        row(f"commits {what}", f"{rate:.0f}/s, PostgreSQL alone, {CLIENTS} at a time")
        if script == ANNOUNCING:
            alone = used
    with commits.listening():
        rate, used = commits.run(ANNOUNCING)
    hearing = max(0, used - alone) / LISTENERS
    row(f"commits that announce to {LISTENERS} who listen", f"{rate:.0f}/s; {hearing * 1e6:.1f} us CPU of the database for each")
