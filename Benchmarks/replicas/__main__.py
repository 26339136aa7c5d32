"""Measures replicas on PostgreSQL: `RELIST=PROGRAM python3 replicas [WHAT…]`. Without WHAT, measures everything. Prints table rows."""

import contextlib
import pathlib
import sys
import tempfile

import acting
import announcing
import committing
import following
import looking_up
from running import Postgres

STEPS = {
    "committing": lambda postgres, folder, ending: committing.measure(postgres, folder),
    "acting": acting.measure,
    "announcing": lambda postgres, folder, ending: announcing.measure(postgres, ending),
    "following": lambda postgres, folder, ending: following.measure(postgres, ending),
    "looking-up": lambda postgres, folder, ending: looking_up.measure(postgres, ending),
}


def main():
    with contextlib.ExitStack() as ending:
        folder = pathlib.Path(ending.enter_context(tempfile.TemporaryDirectory()))
        postgres = Postgres(ending)
        for name in sys.argv[1:] or STEPS:
            STEPS[name](postgres, folder, ending)


if __name__ == "__main__":
    main()
