"""Measures replicas on PostgreSQL: `RELIST=PROGRAM SUBSCRIBERS=PROGRAM python3 replicas [WHAT…]`, everything without WHAT.

Prints rows of the table, then the inputs of the model.
"""

import contextlib
import json
import os
import pathlib
import sys
import tempfile

import acting
import announcing
import comparing
import committing
import following
import looking_up
from running import Postgres

STEPS = {
    "committing": lambda postgres, folder, ending, costs: committing.measure(postgres, folder, costs),
    "acting": acting.measure,
    "announcing": lambda postgres, folder, ending, costs: announcing.measure(postgres, ending, costs),
    "following": lambda postgres, folder, ending, costs: following.measure(postgres, ending, costs),
    "looking-up": lambda postgres, folder, ending, costs: looking_up.measure(postgres, ending),
    "comparing": lambda postgres, folder, ending, costs: comparing.measure(postgres, costs),
}


def main():
    costs = {}
    with contextlib.ExitStack() as ending:
        folder = pathlib.Path(ending.enter_context(tempfile.TemporaryDirectory()))
        postgres = Postgres(ending)
        for name in sys.argv[1:] or STEPS:
            STEPS[name](postgres, folder, ending, costs)
    print("inputs of the model:", json.dumps({name: float(f"{value:.3g}") for name, value in costs.items()}))


if __name__ == "__main__":
    main()
