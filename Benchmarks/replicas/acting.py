"""Measures the actions per second of one replica, of two replicas, and of a server on SQLite."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import subprocess
import time

from running import Replica
from table import row

ISSUER, USERS, CONNECTIONS, SECONDS = "bench", 64, 32, 4
LOAD = pathlib.Path(__file__).with_name("acting.lua")
KEY = b"only for measuring, and known to everyone"


def coded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(user):
    claims = {"iss": ISSUER, "sub": user, "exp": int(time.time()) + 3600}
    signed = ".".join(coded(json.dumps(part).encode()) for part in [{"alg": "HS256", "kid": "bench"}, claims])
    return f"{signed}.{coded(hmac.digest(KEY, signed.encode(), hashlib.sha256))}"


class Users:
    """The users that perform actions, and the flags of a server that accepts their tokens."""

    def __init__(self, folder):
        self.tokens, keys = folder / "tokens", folder / "keys"
        self.tokens.write_text("".join(token(f"user {number}") + "\n" for number in range(USERS)))
        keys.write_text(json.dumps({"keys": [{"kty": "oct", "kid": "bench", "alg": "HS256", "k": coded(KEY)}]}))
        self.flags = ["--authentication", f"keys={keys}", "--issuer", ISSUER]


def act(users, replicas, connections, run, seconds=SECONDS):
    """Returns the actions per second, the median and the 99th percentile of the milliseconds of an action, the number of failures, and
    the number of actions."""
    environment = {**os.environ, "TOKENS": str(users.tokens), "PORTS": " ".join(str(one.port) for one in replicas), "RUN": run}
    threads = len(replicas) if connections > 1 else 1
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "-s", LOAD]
    url = f"http://127.0.0.1:{replicas[0].port}/screens/settings/actions/rename"
    said = subprocess.run([*command, url], env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    words = next(line for line in said.splitlines() if line.startswith("done ")).split()[1:]
    count, duration, middle, slow, failures = map(int, words)
    return count / duration * 1e6, middle / 1e3, slow / 1e3, failures, count


def measure(postgres, folder, ending):
    users = Users(folder)
    alone = Replica(ending, folder / "actions.sqlite", *users.flags)
    database = postgres.url(postgres.new_database())
    both = [Replica(ending, database, *users.flags) for _ in range(2)]
    for what, replicas, connections in [
        ("actions on SQLite, one after another", [alone], 1), ("actions on PostgreSQL, one after another", both[:1], 1),
        (f"actions on SQLite, {CONNECTIONS} connections", [alone], CONNECTIONS),
        (f"actions on PostgreSQL, 1 replica, {CONNECTIONS} connections", both[:1], CONNECTIONS),
        (f"actions on PostgreSQL, 2 replicas, {CONNECTIONS} connections", both, CONNECTIONS),
    ]:
        # The first run is not measured, because it opens connections and prepares statements.
        act(users, replicas, connections, f"{what} before", seconds=1)
        before = sum(one.processor_seconds() for one in replicas), postgres.processor_seconds()
        rate, middle, slow, failures, count = act(users, replicas, connections, what)
        server = (sum(one.processor_seconds() for one in replicas) - before[0]) / count * 1e6
        base = (postgres.processor_seconds() - before[1]) / count * 1e6
        text = f"{rate:.0f}/s; {middle:.1f}, p99 {slow:.0f} ms; {server:.0f}" + (f", {base:.0f}" if replicas[0] is not alone else "")
        row(what, f"{text} us CPU" + (f"; {failures} failed" if failures else ""))
    for one in [alone, *both]:
        one.stop()
