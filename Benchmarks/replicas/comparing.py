"""What the simulation says of one, two and three replicas on this machine, beside what they do."""

import contextlib
import os
import pathlib
import queue
import random
import re
import subprocess
import threading
import time
from dataclasses import dataclass, replace

from following import Follower, rename
from model import Costs, Load
from running import Client, Replica, processor_seconds
from simulation import World
from table import median, percentile, row

# Replicas, followers, actions a second. The first says what an event costs; the others are foretold.
CALIBRATION = (1, 1000, 5)
LOADS = [(1, 1000, 20), (1, 4000, 10), (2, 2000, 20), (2, 4000, 5), (3, 3000, 10), (3, 3000, 30)]
SECONDS, REST, WATCHED, SENDERS = 5, 0.5, 4, 8
# How far processor time and events may be from what is foretold, where nothing else takes the cores.
NEAR = 0.3


class Crowd:
    """Many followers of one replica, in a process that reads all that comes."""

    def __init__(self, port, count):
        command = [os.environ["SUBSCRIBERS"], str(port), "/screens/settings/changes", str(count)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._answer() == "ready"

    def _answer(self):
        return self.process.stdout.readline().strip()

    def tell(self, word):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()

    def begin(self):
        self.tell("all")
        assert self._answer() == "waiting"

    def end(self):
        """How many events came."""
        self.tell("end")
        return int(self._answer())

    def stop(self):
        self.process.kill()
        self.process.wait()


class Senders:
    """Actions at random times, in turns at all replicas."""

    def __init__(self, replicas):
        self.ports, self.waiting, self.sent = [one.port for one in replicas], queue.Queue(), {}
        self.threads = [threading.Thread(target=self._send, args=[number], daemon=True) for number in range(SENDERS)]
        for thread in self.threads:
            thread.start()

    def _send(self, number):
        client = Client(self.ports[number % len(self.ports)])
        while (name := self.waiting.get()) is not None:
            rename(client, name)

    def run(self, rate, seed):
        """How many there were."""
        chance, start, due, count = random.Random(seed), time.monotonic(), 0.0, 0
        while (due := due + chance.expovariate(rate)) < SECONDS:
            time.sleep(max(0, start + due - time.monotonic()))
            self.sent[f"act {count}"] = time.monotonic()
            self.waiting.put(f"act {count}")
            count += 1
        return count

    def stop(self):
        for _ in self.threads:
            self.waiting.put(None)
        for thread in self.threads:
            thread.join()


@dataclass
class Observed:
    """What became of a load on this machine."""

    used: float
    """Processor seconds of all replicas."""
    receiving: float
    events: int
    delays: list
    """Of events, since the sending of their actions, in seconds."""
    actions: int
    others: float
    """How many cores had to do with something else."""


def busy_seconds():
    """Of all cores (proc(5))."""
    words = [int(word) for word in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(words) - words[3] - words[4]) / os.sysconf("SC_CLK_TCK")


def observe(postgres, replicas, followers, rate):
    with contextlib.ExitStack() as ending:
        database = postgres.database()
        servers = [Replica(ending, database) for _ in range(replicas)]
        crowds = [Crowd(one.port, followers // replicas) for one in servers]
        watched = [Follower(one.port) for one in servers for _ in range(WATCHED)]
        for one in [*crowds, *watched]:
            ending.callback(one.stop)
        senders = Senders(servers)
        rename(Client(servers[0].port), "before")
        for one in watched:
            one.wait(lambda events: len(events) > 1)
        time.sleep(1)
        for crowd in crowds:
            crowd.begin()
        time.sleep(1)
        groups = [lambda: sum(one.processor_seconds() for one in servers), lambda: sum(processor_seconds(one.process.pid) for one in crowds),
                  postgres.processor_seconds, busy_seconds, time.monotonic]
        before = [group() for group in groups]
        count = senders.run(rate, seed=replicas * followers + rate)
        senders.stop()
        time.sleep(REST)
        used, receiving, database, busy, length = (group() - then for group, then in zip(groups, before))
        return Observed(
            used, receiving, sum(crowd.end() for crowd in crowds),
            [delay for one in watched for delay in delays(one.events, senders.sent)],
            count, max(0, busy - used - receiving - database) / length)


def delays(events, sent):
    """How long after each action its follower had it: with the event that names it, or one that names a later one."""
    names, seen = list(sent), 0
    for came, event in events:
        if found := re.search(rb"act (\d+)", event):
            last = int(found[1]) + 1
            yield from (came - sent[name] for name in names[seen:last])
            seen = max(seen, last)


def calibrated(costs, found, replicas):
    """With what an event costs, beyond the rest."""
    rest = found.actions * (costs.action + replicas * (costs.announcement + costs.reading + costs.refresh))
    return replace(costs, event=max(0, found.used - rest) / found.events, receiving=found.receiving / found.events)


def foretold(inputs, load, found):
    """Of the same load, on a machine that has nothing else to do."""
    world = World(inputs, Load(load[1], found.actions / SECONDS), load[0], shared=os.cpu_count())
    return world.run(SECONDS, REST)


def is_near(found, expected):
    return abs(found - expected) <= NEAR * expected


def measure(postgres, costs):
    # An action that waits for nobody takes longer than one of many.
    unhurried = {name: costs[name + "_unhurried"] for name in ["action", "action_database"] if name + "_unhurried" in costs}
    inputs = calibrated(Costs.of(costs | unhurried), observe(postgres, *CALIBRATION), CALIBRATION[0])
    costs["event"], costs["receiving"] = inputs.event, inputs.receiving
    row(f"an event to one of {CALIBRATION[1]} followers", f"{inputs.event * 1e6:.1f} us CPU; {inputs.receiving * 1e6:.1f} of who receives")
    for load in LOADS:
        found = observe(postgres, *load)
        outcome = foretold(inputs, load, found)
        replicas, followers, rate = load
        row(
            f"{replicas} replica{'s' * (replicas > 1)}, {followers} followers, {rate} actions/s (foretold)",
            f"{found.used / SECONDS:.2f} cores ({outcome.used:.2f}), {found.events / SECONDS / 1e3:.1f}k ({outcome.events / 1e3:.1f}k) events/s",
            f"+-{NEAR:.0%}", is_near(found.used / SECONDS, outcome.used) and is_near(found.events / SECONDS, outcome.events))
        row(
            "  event after",
            f"{median(found.delays) * 1e3:.0f} ms ({outcome.median * 1e3:.0f}), "
            f"p99 {percentile(found.delays, 0.99) * 1e3:.0f} ({outcome.slowest * 1e3:.0f}); others take {found.others:.1f} cores")
