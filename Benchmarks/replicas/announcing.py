"""Measures the cost of an announcement for a replica. Announcements are sent one by one and in a series, to a replica with and without
views of their topic."""

import time

from running import Client, Replica
from table import median, row

ANNOUNCEMENTS, BURST, ALONE, VIEWS, ROUNDS, IDLE_SECONDS = 2000, 20_000, 500, 1000, 3, 3
BOUND = 20e-6


class Hearing:
    """A replica that receives announcements. PostgreSQL sends the announcements itself, so no other replica is needed."""

    def __init__(self, postgres, ending):
        self.postgres, self.database = postgres, postgres.new_database()
        self.replica = Replica(ending, postgres.url(self.database))
        self.client = Client(self.replica.port)
        self.idle = 0
        self.idle = self.cost(lambda: time.sleep(IDLE_SECONDS)) / IDLE_SECONDS
        self.announce("bench/1", 100)
        self.waiting = median([self.cost(self.wait) for _ in range(ROUNDS)])

    def cost(self, work):
        """Returns the processor seconds that the replica used for some work. The seconds of an idle replica are subtracted."""
        before, start = self.replica.processor_seconds(), time.monotonic()
        work()
        return self.replica.processor_seconds() - before - self.idle * (time.monotonic() - start)

    def wait(self):
        """Waits until the replica has received all commits. To do so, it performs an action. The response to the action arrives after the
        replica has received the commit of the action."""
        body = '{"input":{"firstName":"Wylis"}}'
        status, _, _ = self.client.post("/screens/settings/actions/rename", body, Prefer="return=minimal")
        assert status == 204

    def announce(self, topic, count, settings="", before=""):
        """Announces a topic `count` times, and waits until the replica has received all announcements."""
        one = f"{before}SELECT pg_notify('relist', nextval('relist.position') || E'\\n{topic}');\n"
        self.postgres.psql(settings + one * count, self.database)
        self.wait()

    def cost_of_each(self, count, **options):
        """Returns the processor seconds of the replica for each announcement of a topic that no view reads."""
        return (self.cost(lambda: self.announce("bench/1", count, **options)) - self.waiting) / count

    def fill(self):
        """Fills the cache with views that all read one topic."""
        for number in range(VIEWS):
            assert self.client.get(f"/screens/mountains?q=a{number}")[0] == 200
        # Versions are written to history after their responses, so this waits until all versions are written.
        seen = None
        while (count := self.postgres.psql("SELECT count(*) FROM relist.version", self.database)) != seen:
            seen = count
            time.sleep(1.5)


def measure(postgres, ending):
    hearing = Hearing(postgres, ending)
    bare = hearing.cost_of_each(ANNOUNCEMENTS)
    burst = hearing.cost_of_each(BURST, settings="SET synchronous_commit = off;\n")
    # This pause is longer than a replica waits for further announcements.
    alone = hearing.cost_of_each(ALONE, before="SELECT pg_sleep(0.005);\n")
    row("an announcement that no view reads, commit after commit", f"{bare * 1e6:.1f} us CPU; {burst * 1e6:.1f} where many come at once", "<= 20 us", bare <= BOUND)
    row("  5 ms after the one before", f"{alone * 1e6:.1f} us CPU")
    hearing.fill()
    others = hearing.cost_of_each(ANNOUNCEMENTS)
    row(f"  beside {VIEWS} cached views that read another topic", f"{others * 1e6:.1f} us CPU", "<= 20 us", others <= BOUND)
    rounds = []
    for _ in range(ROUNDS):
        hearing.fill()
        nothing = hearing.cost(lambda: hearing.announce("bench/1", 1))
        rounds.append(hearing.cost(lambda: hearing.announce("mountains", 1)) - nothing)
    many = median(rounds)
    row(f"  with {VIEWS} cached views that read it", f"{many * 1e6:.0f} us CPU, {many / VIEWS * 1e6:.2f} us a view")
    hearing.replica.stop()
