"""Measures the time that a replica needs to look up a version that another replica handed out."""

import json
import random
import time

from following import SCREEN
from running import Client, Replica
from serving import wait_until
from table import median, percentile, row

VERSIONS = 400
BOUND = 2


def versions_of(postgres, database, ending):
    """Returns many versions of one view. They are handed out by a replica that is stopped afterwards."""
    replica = Replica(ending, postgres.url(database))
    client = Client(replica.port)
    found = []
    for number in range(VERSIONS):
        _, body, _ = client.post(f"{SCREEN}/actions/rename", json.dumps({"input": {"firstName": f"{number}"}}))
        found.append(json.loads(body)["version"])
    wait_until(lambda: int(postgres.psql("SELECT count(*) FROM relist.version", database)) >= VERSIONS, "writing all versions")
    replica.stop()
    return found


def present(client, versions):
    """Requests the changes since each version, one at a time, and returns the milliseconds of each request."""
    found = []
    for version in versions:
        start = time.monotonic()
        status, body, _ = client.post(f"{SCREEN}/changes", json.dumps({"version": version}))
        found.append((time.monotonic() - start) * 1e3)
        document = json.loads(body)
        assert status == 200 and document.get("reason") != "unknown-version", document
    return found


def measure(postgres, ending):
    database = postgres.new_database()
    versions = versions_of(postgres, database, ending)
    random.Random(1).shuffle(versions)
    replica = Replica(ending, postgres.url(database))
    client = Client(replica.port)
    client.get(SCREEN)
    looked_up = present(client, versions)
    known = present(client, versions)
    row(
        "a version that another replica made, looked up",
        f"{median(looked_up):.2f} ms, p99 {percentile(looked_up, 0.99):.2f}; {median(known):.2f} once known", f"<= {BOUND} ms",
        median(looked_up) <= BOUND)
    replica.stop()
