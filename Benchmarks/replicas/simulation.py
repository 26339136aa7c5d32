"""A simulation of replicas on one database: from actions to events at followers.

`python3 simulation.py FOLLOWERS COMMITS [VIEWS] [--seed N] [--inputs FILE]` says what becomes of so many followers, of one view or of
several, on replicas of four cores each, as many as the model asks for.
"""

import argparse
import heapq
import itertools
import random
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field

from model import MACHINE, READING_INTERVAL, Costs, Load, needed


class Clock:
    """What is to happen, in the order of its time."""

    def __init__(self):
        self.now, self.coming, self.number = 0.0, [], itertools.count()

    def at(self, time, what, *arguments):
        heapq.heappush(self.coming, (time, next(self.number), what, arguments))

    def run(self, end):
        while self.coming and self.coming[0][0] <= end:
            self.now, _, what, arguments = heapq.heappop(self.coming)
            what(*arguments)


class Processor:
    """Cores that take work in the order in which it is ready."""

    def __init__(self, clock, cores):
        self.clock, self.free, self.busy = clock, [0.0] * cores, 0.0

    def work(self, cost, what, *arguments):
        end = max(self.clock.now, heapq.heappop(self.free)) + cost
        heapq.heappush(self.free, end)
        self.busy += cost
        self.clock.at(end, what, *arguments)


def nothing():
    pass


class Database:
    """Commits that announce are one after another: each holds the lock until the disk has it."""

    def __init__(self, world, processor):
        self.world, self.processor, self.free, self.held = world, processor, 0.0, 0.0

    def commit(self, done, *arguments):
        self.processor.work(self.world.costs.action_database, self._lock, done, arguments)

    def _lock(self, done, arguments):
        # How long disks take varies: half of it is the same each time.
        mean = self.world.costs.commit
        length = mean / 2 + self.world.random.expovariate(2 / mean)
        self.free = max(self.free, self.world.clock.now) + length
        self.held += length
        self.world.clock.at(self.free, done, *arguments)


class Loop:
    """One event loop's followers of a view: those that are behind are sent the newest, in turns."""

    def __init__(self, feed, followers):
        self.feed, self.followers, self.behind, self.is_serving = feed, followers, 0, False
        # How many hold what, by when it was sent; whoever was served last stands at the end.
        self.holding = deque([(followers, 0.0)])

    def wake(self):
        self.behind = self.followers
        if not self.is_serving and self.behind:
            self.is_serving = True
            self._serve()

    def _serve(self):
        world = self.feed.replica.world
        there, held = self.holding.popleft()
        count = min(self.behind, world.portion, there)
        if count < there:
            self.holding.appendleft((there - count, held))
        self.behind -= count
        world.clients.work(count * world.costs.receiving, nothing)
        self.feed.replica.work(count * world.costs.event, self._served, count, held, self.feed.shown)

    def _served(self, count, held, shown):
        self.holding.append((count, shown))
        self.feed.replica.world.note(self.feed.view, count, held, shown)
        if self.behind:
            self._serve()
        else:
            self.is_serving = False


class Feed:
    """A view that is followed on a replica. It is computed once at a time."""

    def __init__(self, replica, view, followers):
        self.replica, self.view = replica, view
        # As many as there are cores, by default.
        loops = min(replica.world.shared or replica.world.cores, followers)
        self.loops = [Loop(self, followers // loops + (number < followers % loops)) for number in range(loops)]
        self.announced = self.shown = 0.0
        self.is_refreshing = self.is_stale = False

    def announce(self, sent):
        self.announced, self.is_stale = max(self.announced, sent), True
        if not self.is_refreshing:
            self.is_refreshing = True
            self._read()

    def _read(self):
        self.is_stale = False
        self.replica.world.database.processor.work(self.replica.world.costs.reading_database, self._compute, self.announced)

    def _compute(self, sent):
        self.replica.work(self.replica.world.costs.refresh, self._show, sent)

    def _show(self, sent):
        self.shown = sent
        for loop in self.loops:
            loop.wake()
        self.is_refreshing = self.is_stale
        if self.is_stale:
            self._read()


class Replica:
    def __init__(self, world, processor):
        self.world, self.processor, self.feeds, self.used = world, processor, {}, 0.0
        self.news, self.read_at = [], -READING_INTERVAL

    def work(self, cost, what, *arguments):
        self.used += cost
        self.processor.work(cost, what, *arguments)

    def act(self, view):
        sent = self.world.clock.now
        self.work(self.world.costs.action, self.world.database.commit, self.world.announce, self, view, sent)

    def hear(self, actor, view, sent):
        """What comes within an interval is read at once, unless it is one's own."""
        self.news.append((view, sent))
        if actor is self:
            self._read()
        elif len(self.news) == 1:
            self.world.clock.at(max(self.world.clock.now, self.read_at + READING_INTERVAL), self._read)

    def _read(self):
        news, self.news = self.news, []
        if news:
            self.read_at = self.world.clock.now
            self.work(self.world.costs.reading + len(news) * self.world.costs.announcement, self._heard, news)

    def _heard(self, news):
        for view, sent in news:
            if (feed := self.feeds.get(view)) is not None:
                feed.announce(sent)


@dataclass
class Outcome:
    """What became of a load. Delays in seconds, from the sending of an action to its event."""

    median: float
    slowest: float
    events: float
    used: float
    replicas: float
    database: float
    lock: float


@dataclass
class World:
    """All that there is.

    `shared`: cores that everything runs on, as on a machine that measures; otherwise each replica has some of its own, the database too.
    """

    costs: Costs
    load: Load
    replicas: int
    cores: int = MACHINE.cores
    shared: int = 0
    seed: int = 1
    delays: list = field(default_factory=list)
    """Of events, each since the sending of one of the actions that it shows, and at how many followers."""

    def run(self, seconds=10.0, rest=0.0):
        """Acts for some seconds, and looks for a while longer at what comes of it."""
        self.clock, self.random, self.sent, self.events = Clock(), random.Random(self.seed), {}, 0
        common = Processor(self.clock, self.shared) if self.shared else None
        self.database = Database(self, common or Processor(self.clock, self.cores))
        self.clients = common or Processor(self.clock, 1024)
        self.all = [Replica(self, common or Processor(self.clock, self.cores)) for _ in range(self.replicas)]
        self.portion = max(50, self.load.followers // 4000)
        self._follow()
        time = 0.0
        while (time := time + self.random.expovariate(self.load.commits)) < seconds:
            self.clock.at(time, self._act)
        self.clock.run(seconds + rest)
        return self._outcome(seconds)

    def _follow(self):
        """Spreads the followers over views and replicas."""
        each = self.load.followers // self.load.views
        for view in range(self.load.views):
            if each >= self.replicas:
                counts = [each // self.replicas + (number < each % self.replicas) for number in range(self.replicas)]
            else:
                counts = [0] * self.replicas
                for _ in range(each):
                    counts[self.random.randrange(self.replicas)] += 1
            for replica, count in zip(self.all, counts):
                if count:
                    replica.feeds[view] = Feed(replica, view, count)

    def _act(self):
        view = self.random.randrange(self.load.views)
        self.sent.setdefault(view, []).append(self.clock.now)
        self.random.choice(self.all).act(view)

    def note(self, view, count, held, shown):
        """Followers that held what was sent at one time have got what was sent at another, and all between."""
        self.events += count
        sent = self.sent[view]
        news = sent[bisect_right(sent, held):bisect_right(sent, shown)]
        # A few of many say enough.
        for one in news[::max(1, len(news) // 4)]:
            self.delays.append((self.clock.now - one, count))

    def announce(self, actor, view, sent):
        for replica in self.all:
            replica.hear(actor, view, sent)

    def _outcome(self, seconds):
        counted = sorted(self.delays)
        total = sum(count for _, count in counted)
        processors = {id(one.processor): one.processor for one in self.all}.values()
        busy = max(one.busy / len(one.free) for one in processors) / seconds
        own = self.database.processor
        return Outcome(
            median=at(counted, total * 0.5), slowest=at(counted, total * 0.99), events=self.events / seconds,
            used=sum(one.used for one in self.all) / seconds, replicas=busy, database=own.busy / len(own.free) / seconds, lock=self.database.held / seconds)


def at(counted, place):
    """The delay of whoever stands at a place among all."""
    for delay, count in counted:
        if (place := place - count) <= 0:
            return delay
    return float("nan")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays what becomes of a load.")
    parser.add_argument("followers", type=int)
    parser.add_argument("commits", type=float, help="a second, each of which changes one view")
    parser.add_argument("views", type=int, nargs="?", default=1)
    parser.add_argument("--seed", type=int, default=World.seed)
    Costs.add_argument(parser)
    options = parser.parse_args()
    load = Load(options.followers, options.commits, options.views)
    count = needed(options.costs, load).replicas
    if count == 0:
        parser.error("no number of replicas hears so many commits")
    outcome = World(options.costs, load, count, seed=options.seed).run()
    print(f"{count} replicas: event after {outcome.median * 1e3:.0f} ms, p99 {outcome.slowest * 1e3:.0f}; {outcome.events:.0f} events/s; "
          f"replicas {outcome.replicas:.0%}, database {outcome.database:.0%}, lock {outcome.lock:.0%}")
