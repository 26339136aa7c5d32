"""A checker of what clients sent and received. It knows nothing else of the server.

Clients schedule deliveries of one contract. The day and the weight of a delivery identify the action that scheduled it, so a snapshot shows
which actions were performed, and how often. On the last days of the contract there is one delivery a day, which one client weighs again and
again, each time with one kilogram more.
"""

import collections

from clients import CONTRACT, Contents

CONTRACT_QUERY = CONTRACT.partition("?")[2]
SCHEDULED_DAYS = [f"2018-08-{day:02}" for day in range(1, 32)] + [f"2018-09-{day:02}" for day in range(1, 21)]
WEIGHED_DAYS = [f"2018-09-{day:02}" for day in range(21, 31)]
# All deliveries of an epoch fit the contract, and no action of the epoch before is mistaken for one of them.
GREATEST_WEIGHT = 250


class Breach(AssertionError):
    """An error that is raised if the server has broken a promise."""


class Attempt:
    """An action under one idempotency key. It may be sent several times, always with the same input."""

    def __init__(self, name, identity, values, key):
        self.name, self.identity, self.values, self.key = name, identity, values, key
        # `may_have_happened` is True if a request of the attempt was neither acknowledged nor reported as not performed. An abandoned
        # attempt was reported as not performed, and is not sent again.
        self.is_performed = self.may_have_happened = self.is_abandoned = False

    def __repr__(self):
        return f"{self.name} {self.identity} under the key {self.key}"


class Knowledge:
    """The actions whose effects a client must see: scheduled deliveries, and the least weight of each weighed delivery."""

    def __init__(self):
        self.scheduled, self.weights = {}, {}

    def add(self, day, kilograms):
        if day in WEIGHED_DAYS:
            self.weights[day] = max(kilograms, self.weights.get(day, 0))
        else:
            self.scheduled[day, kilograms] = True

    def copy(self):
        copy = Knowledge()
        copy.scheduled, copy.weights = dict(self.scheduled), dict(self.weights)
        return copy


class Checker:
    """Checks all documents and responses that clients receive.

    If there is a single server, each client must see what any client has seen before its request. Otherwise it must see the acknowledged
    actions whose positions it sends, and what it has seen itself.
    """

    def __init__(self, chance, is_single=True):
        self.chance, self.is_single = chance, is_single
        self.contents = Contents(is_stored=False)
        self.counts = collections.Counter()
        self.numbers = iter(range(1 << 60))
        self.begin_epoch()

    def begin_epoch(self):
        """Forgets all actions. The deliveries of the contract must have been removed before."""
        self.attempts, self.shared, self.positions = {}, Knowledge(), set()

    def schedule(self, day=None):
        """Returns an attempt to schedule a delivery, on any day that has no weighed delivery, or on a given day."""
        if day:
            return self._attempt("schedule", (day, 1), {"day": day, "kilograms": 1})
        number = next(self.numbers)
        day, kilograms = SCHEDULED_DAYS[number % len(SCHEDULED_DAYS)], number // len(SCHEDULED_DAYS) % GREATEST_WEIGHT + 1
        return self._attempt("schedule", (day, kilograms), {"day": day, "kilograms": kilograms})

    def weigh(self, day, delivery, kilograms):
        return self._attempt("weigh", (day, kilograms), {"delivery": delivery, "kilograms": kilograms})

    def _attempt(self, name, identity, values):
        attempt = Attempt(name, identity, values, f"{self.chance.getrandbits(128):032x}")
        self.attempts[identity] = attempt
        self.counts["attempts"] += 1
        return attempt

    def note_performed(self, attempt, sent=frozenset(), position=None):
        """Notes an acknowledgement. `sent` are the positions that the request had, and `position` is the one of the response."""
        self.counts["performed"] += not attempt.is_performed
        attempt.is_performed = True
        if self.is_single or position:
            self.positions = self.positions - sent | ({position} if position else set())
            self.shared.add(*attempt.identity)

    def abandon(self, attempt):
        attempt.is_abandoned = True
        self.counts["abandoned"] += 1

    def check(self, document, first_day, known, seen):
        """Checks a snapshot of the contract that shows the days from `first_day`. It must show what is in `known` and `seen`."""
        self.counts["states"] += 1
        weights = {}
        for section in document["sections"][1:]:
            kilograms = [cell["kilograms"] for cell in section["cells"]]
            self._require(section["header"]["kilograms"] == sum(kilograms), f"the total of {section['id']} is wrong", document)
            weights[section["id"]] = kilograms
        self._check_occurrences(weights, document)
        for knowledge in (known, seen):
            for day, kilograms in knowledge.scheduled:
                self._require(day < first_day or kilograms in weights.get(day, ()), f"{kilograms} kg on {day} have vanished", document)
            for day, least in knowledge.weights.items():
                self._require(day < first_day or max(weights.get(day, [0])) >= least, f"the weight on {day} is below {least}", document)
        for day, kilograms in ((day, one) for day, some in weights.items() for one in some):
            seen.add(day, kilograms)
            if self.is_single:
                self.shared.add(day, kilograms)

    def _check_occurrences(self, weights, document):
        for day, kilograms in weights.items():
            self._require(len(kilograms) == len(set(kilograms)), f"an action was performed twice on {day}: {sorted(kilograms)}", document)
            self._require(day not in WEIGHED_DAYS or len(kilograms) == 1, f"a delivery was scheduled twice on {day}", document)
            for one in kilograms:
                attempt = self.attempts.get((day, one))
                self._require(attempt, f"{one} kg on {day} were never requested", document)
                self._require(not attempt.is_abandoned, f"{attempt} was reported as not performed and has happened", document)

    def check_all(self, document):
        """Checks that a snapshot of the whole contract shows exactly the performed actions."""
        shown = {(section["id"], cell["kilograms"]) for section in document["sections"][1:] for cell in section["cells"]}
        performed = {attempt.identity for attempt in self.attempts.values() if attempt.is_performed}
        last = {day: max(one for other, one in performed if other == day) for day, _ in performed if day in WEIGHED_DAYS}
        expected = {(day, one) for day, one in performed if last.get(day, one) == one}
        self._require(shown == expected, f"missing {sorted(expected - shown)}, surplus {sorted(shown - expected)}", document)

    def _require(self, condition, what, document):
        if not condition:
            raise Breach(f"{what}, in version {document['version']}")
