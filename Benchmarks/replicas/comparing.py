"""What the simulation says of one, two and three replicas on this machine, beside what they do."""

import contextlib
import json
import os
import queue
import random
import re
import subprocess
import threading
import time
from dataclasses import replace

from following import Follower, rename
from model import Costs, Load
from running import Client, Replica, processor_seconds
from simulation import World
from table import median, percentile, row

# Replicas, followers, actions a second. The first says what an event costs; the others are foretold.
CALIBRATION = (1, 1000, 5)
LOADS = [(1, 1000, 20), (1, 4000, 10), (2, 2000, 20), (2, 4000, 5), (3, 3000, 10), (3, 3000, 30)]
SECONDS, WATCHED, SENDERS = 5, 4, 8


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


def observe(postgres, replicas, followers, rate):
    """Processor seconds of each replica and of the receivers, events, delays in seconds."""
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
        before = [one.processor_seconds() for one in servers], [processor_seconds(one.process.pid) for one in crowds]
        count = senders.run(rate, seed=replicas * followers + rate)
        senders.stop()
        time.sleep(0.5)
        used = sum(one.processor_seconds() for one in servers) - sum(before[0])
        receiving = sum(processor_seconds(one.process.pid) for one in crowds) - sum(before[1])
        events = sum(crowd.end() for crowd in crowds)
        delays = [came - senders.sent[name] for one in watched for came, name in named(one.events) if name in senders.sent]
        return used, receiving, events, delays, count


def named(events):
    for came, event in events:
        if found := re.search(rb"act \d+", event):
            yield came, found[0].decode()


def calibrated(costs, found, load):
    """With what an event costs, beyond the rest."""
    used, receiving, events, _, count = found
    rest = count * (costs.action + load[0] * (costs.announcement + costs.refresh))
    return replace(costs, event=max(0, used - rest) / events, receiving=receiving / events)


def measure(postgres, costs):
    found = observe(postgres, *CALIBRATION)
    inputs = calibrated(Costs(**{name: value for name, value in costs.items() if name in Costs.__dataclass_fields__}), found, CALIBRATION)
    costs["event"], costs["receiving"] = inputs.event, inputs.receiving
    row(f"an event to one of {CALIBRATION[1]} followers", f"{inputs.event * 1e6:.1f} us CPU, {inputs.receiving * 1e6:.1f} of who receives")
    for replicas, followers, rate in LOADS:
        used, _, events, delays, count = observe(postgres, replicas, followers, rate)
        outcome = World(inputs, Load(followers, count / SECONDS), replicas, shared=os.cpu_count(), seed=1).run(SECONDS)
        row(
            f"{replicas} replicas, {followers} followers, {rate} actions/s".replace("1 replicas", "1 replica"),
            f"CPU {used / SECONDS:.2f} ({outcome.used:.2f}), events {events / SECONDS / 1e3:.1f}k/s ({outcome.events / 1e3:.1f}k), "
            f"{median(delays) * 1e3:.0f} ms ({outcome.median * 1e3:.0f}), p99 {percentile(delays, 0.99) * 1e3:.0f} ({outcome.slowest * 1e3:.0f})")
