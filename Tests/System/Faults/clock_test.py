"""Tests of a server whose clock jumps while it runs."""

import email.utils
import time
import unittest

from failing import Failing
from faults import FaultCase, size

HOUR, DAY = 3600, 24 * 3600
# The numbers of seconds by which the clock is ahead, one after another. The second row is only for the long form.
OFFSETS = [90, -90, 2 * HOUR, -DAY, 40 * DAY, 0]
MORE_OFFSETS = [-40 * DAY, 25 * HOUR, 1, 30, -1, 366 * DAY, 0, -HOUR, 23 * HOUR, -10 * DAY, 0, 45, 12 * HOUR, 3 * DAY, 2 * DAY, DAY, 0]


class ClockTest(FaultCase):
    async def test_no_action_is_lost_or_repeated_when_the_clock_jumps(self):
        server = self.new_server()
        failing = Failing(server.folder)
        server.variables = failing.variables
        await self.start(server)
        crowd = await self.crowd(server, allowed=[])
        offsets = size(OFFSETS, (OFFSETS + MORE_OFFSETS) * 3)
        for number, offset in enumerate(offsets):
            crowd.start()
            await crowd.writes()
            failing.set_clock(offset)
            await crowd.writes(20, within=5)
            await crowd.progress()
            self.check_clock(server, offset)
            # Receipts are kept for a day, so actions are not sent again after a day.
            await crowd.settle(repeated=0 if offset - offsets[number - 1] > 20 * HOUR else 5)
            await crowd.restore()
            if number % 4 == 3:
                await self.stop(server)
                await self.start(server)
        self.report(f"{len(offsets)} jumps of the clock", crowd.counts)

    def check_clock(self, server, offset):
        shown = email.utils.parsedate_to_datetime(server.ask("GET", "/healthz").headers["Date"]).timestamp()
        self.assertLess(abs(shown - time.time() - offset), 30)


if __name__ == "__main__":
    unittest.main()
