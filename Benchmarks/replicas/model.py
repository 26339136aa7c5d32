"""What a load asks of replicas and of their database: the model of `Documentation/Scaling.md`.

`python3 model.py [--inputs FILE]` prints its tables.
"""

import argparse
import json
import math
import pathlib
from dataclasses import dataclass, fields

# Beyond this share of a resource what waits for it gets long.
SHARE = 0.7
# How old an event may be, in seconds: whoever is behind is sent the newest, so nobody need be sent more often.
AGE = 1.0
# How much time passes at least between two readings of what is announced, in seconds.
READING_INTERVAL = 0.004


@dataclass(frozen=True)
class Costs:
    """Seconds of a core and bytes, as `Benchmarks/run` has measured them."""

    action: float = 600e-6
    """Of a replica, for an action."""
    action_database: float = 650e-6
    """Of the database, for an action."""
    commit: float = 1.9e-3
    """Of the lock of commits that announce, which one at a time holds."""
    announcement: float = 2e-6
    """Of each replica, for each commit of any of them."""
    reading: float = 20e-6
    """Of each replica, for being woken by commits and reading of them."""
    hearing_database: float = 36e-6
    """Of the database, for telling one replica of a commit."""
    refresh: float = 610e-6
    """Of a replica, for computing a view that is followed."""
    reading_database: float = 330e-6
    """Of the database, for reading what that view shows."""
    event: float = 12.5e-6
    """Of a replica, for an event to one follower."""
    receiving: float = 4.5e-6
    """Of whoever follows: on the machine that measures, of the same cores."""
    memory: int = 11_264
    """Bytes for a follower, above its socket."""
    size: int = 400
    """Bytes of an event on the wire."""

    def hearing(self, commits, replicas):
        """Of each replica, for hearing of so many commits a second, of which its own are read at once."""
        return commits * self.announcement + min(commits, commits / replicas + 1 / READING_INTERVAL) * self.reading

    @classmethod
    def read(cls, file):
        """With those that a file has, as `make bench` says them; the rest as above."""
        return cls.of(json.loads(pathlib.Path(file).read_text()))

    @classmethod
    def of(cls, found):
        return cls(**{one.name: found[one.name] for one in fields(cls) if one.name in found})

    @classmethod
    def add_argument(cls, parser):
        parser.add_argument("--inputs", dest="costs", metavar="FILE", type=cls.read, default=cls(), help="what `make bench` said of a machine, in JSON")


@dataclass(frozen=True)
class Load:
    followers: int
    commits: float
    """A second, each of which changes one view."""
    views: int = 1


@dataclass(frozen=True)
class Machine:
    cores: int = 4
    memory: float = 16e9
    egress: float = 1.25e9
    """Bytes a second."""
    database_cores: int = 16


MACHINE = Machine()


@dataclass(frozen=True)
class Needed:
    replicas: int
    """As many as the first resource to end asks for; 0 where no number is enough."""
    by: str
    """That resource."""
    lock: float
    database: float
    """Shares that are used of the lock of commits and of the database's cores."""


def needed(costs, load, machine=MACHINE):
    each = load.commits / load.views
    events = load.followers * min(each, 1 / AGE)
    # On each replica a view is computed once at a time, and no more often than it is announced.
    often = load.views * min(each, 1 / (costs.refresh + costs.reading_database))
    on_each = load.followers / load.views
    replicas = 1
    while True:
        # On how many of them somebody follows a view.
        places = replicas * (1 - (1 - 1 / replicas) ** on_each)
        work = events * costs.event + load.commits * costs.action + often * places * costs.refresh
        left = machine.cores * SHARE - costs.hearing(load.commits, replicas)
        asked = {
            "processor": work / left if left > 0 else math.inf,
            "memory": load.followers * costs.memory / machine.memory / SHARE,
            "network": events * costs.size / machine.egress / SHARE,
        }
        by = max(asked, key=asked.get)
        if asked[by] <= replicas or asked[by] == math.inf:
            break
        replicas = math.ceil(asked[by])
    database = (load.commits * (costs.action_database + replicas * costs.hearing_database) + often * places * costs.reading_database) / machine.database_cores
    return Needed(replicas if asked[by] < math.inf else 0, by, load.commits * costs.commit, database)


def asked_of_origin(polls, commits, interval, caches):
    """Questions a second that reach the origin, of clients that poll through shared caches for a second each.

    Equal questions are asked once a second by each cache, and a question is a version: of those that were handed out within an interval.
    """
    return min(polls, caches * (commits * interval + 1))


def tables(costs):
    counts, rates = [10 ** n for n in range(4, 8)], [10 ** n for n in range(5)]
    for title, views in [("One view", lambda followers: 1), ("A view for each two followers", lambda followers: followers // 2)]:
        print(f"\n{title}: replicas, and what asks for as many\n\n| followers |", " | ".join(f"{rate:,}/s" for rate in rates), "|")
        for count in counts:
            found = [needed(costs, Load(count, rate, views(count))) for rate in rates]
            print(f"| {count:,} |", " | ".join(f"{one.replicas}, {one.by}" for one in found), "|")
            print("| database's cores |", " | ".join(f"{one.database * MACHINE.database_cores:.1f}" for one in found), "|")
    print("\nlock of commits |", " | ".join(f"{rate * costs.commit:.1%}" for rate in rates))
    print("\nQuestions of 10,000,000 who poll each 10 s, through 50 caches:", [asked_of_origin(1e6, rate, 10, 50) for rate in [0.1, *rates]])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Prints the tables of the model.")
    Costs.add_argument(parser)
    tables(parser.parse_args().costs)
