"""Tests of a server whose clock jumps. Debian's faketime changes the clock while the server runs."""

import email.utils
import pathlib
import time
import unittest

from clients import eventually
from faults import FaultCase, size

HOUR, DAY = 3600, 24 * 3600
# The offsets of the clock, one after another, in seconds. The second row is only for the long form.
OFFSETS = [90, -90, 2 * HOUR, -DAY, 40 * DAY, 0]
MORE_OFFSETS = [-40 * DAY, 25 * HOUR, 1, 30, -1, 366 * DAY, 0, -HOUR, 23 * HOUR, -10 * DAY, 0, 45, 12 * HOUR, 3 * DAY, 2 * DAY, DAY, 0]


class ClockTest(FaultCase):
    async def test_no_action_is_lost_or_repeated_when_the_clock_jumps(self):
        server = self.new_server()
        self.file = server.folder / "clock"
        self.write(0)
        # Only the time of the day jumps. The system never turns back the clock that measures durations.
        server.variables = {
            "LD_PRELOAD": str(next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_TIMESTAMP_FILE": str(self.file), "FAKETIME_CACHE_DURATION": "1",
        }
        await self.start(server)
        crowd = await self.crowd(server, allowed=[])
        offsets = size(OFFSETS, OFFSETS + MORE_OFFSETS)
        for number, offset in enumerate(offsets):
            crowd.start()
            await crowd.writes()
            self.write(offset)
            await eventually(lambda: self.has_jumped(server, offset), "the clock of the server jumps")
            await crowd.writes(within=5)
            await crowd.progress()
            # Receipts are kept for a day, so actions are not sent again after a day.
            await crowd.settle(repeated=0 if offset - offsets[number - 1] > 20 * HOUR else 5)
            await crowd.restore()
            if number % 4 == 3:
                await self.stop(server)
                await self.start(server)
        self.report(f"{len(offsets)} jumps of the clock", crowd.counts)

    def write(self, offset):
        temporary = self.file.with_suffix(".new")
        temporary.write_text(f"{offset:+}\n")
        temporary.rename(self.file)

    async def has_jumped(self, server, offset):
        shown = email.utils.parsedate_to_datetime(server.ask("GET", "/healthz").headers["Date"]).timestamp()
        return abs(shown - time.time() - offset) < 10


if __name__ == "__main__":
    unittest.main()
