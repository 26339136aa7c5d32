"""How many commits PostgreSQL alone makes, as a transaction that announces ends, and otherwise."""

import re
import subprocess

from running import ROOT, PATIENCE
from table import row

CLIENTS, SECONDS = 16, 2
CHANGE = r"\set id random(1, 64)" + "\nBEGIN\\; UPDATE bench SET n = n + 1 WHERE id = :id\\; "
# As `PostgresTransaction.commit` has it: the lock is held to the end of the commit.
ANNOUNCE = r"SELECT pg_advisory_xact_lock(1, 1)\; SELECT pg_notify('relist', nextval('place') || E'\nbench/1')\; "
WAYS = {
    "that announce nothing": CHANGE + "COMMIT;",
    "that announce": CHANGE + ANNOUNCE + "COMMIT;",
    "that announce, and wait for the disk afterwards": CHANGE + r"SET LOCAL synchronous_commit = off\; " + ANNOUNCE
    + "COMMIT\\; BEGIN\\; SELECT pg_logical_emit_message(true, 'relist', '')\\; COMMIT;",
    "that announce, and do not wait for the disk": CHANGE + r"SET LOCAL synchronous_commit = off\; " + ANNOUNCE + "COMMIT;",
}


def measure(postgres, folder, costs):
    database = postgres.database()
    postgres.psql(database, "CREATE TABLE bench (id int PRIMARY KEY, n int); CREATE SEQUENCE place; "
                            "INSERT INTO bench SELECT id, 0 FROM generate_series(1, 64) id")
    programs = next(iter(sorted(pathlike for pathlike in __import__("pathlib").Path("/usr/lib/postgresql").glob("*/bin"))))
    for what, script in WAYS.items():
        file = folder / "pgbench.sql"
        file.write_text(script + "\n")
        command = [programs / "pgbench", "-n", "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "relist", "-c", str(CLIENTS), "-T", str(SECONDS)]
        said = subprocess.run(
            [*command, "-f", file, database.rpartition("/")[2]], capture_output=True, text=True, check=True, timeout=PATIENCE).stdout
        rate = float(re.search(r"tps = ([\d.]+)", said)[1])
        costs.setdefault("commits", {})[what] = rate
        row(f"commits {what}", f"{rate:.0f}/s of PostgreSQL alone, {CLIENTS} at a time")
    costs["commit"] = 1 / costs["commits"]["that announce"]
