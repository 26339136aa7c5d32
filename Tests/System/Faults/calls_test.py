"""Tests of a server whose system calls fail."""

import asyncio
import errno
import time
import unittest

from failing import SHORT, Failing
from faults import FaultCase, size

# The functions that fail with the errors.
FAILURES = [
    ("fsync", errno.EIO), ("pwrite", errno.ENOSPC), ("pwrite", errno.EIO), ("pwrite", SHORT), ("pwrite", errno.EINTR), ("pread", errno.EIO),
    ("open", errno.EMFILE), ("open", errno.EIO), ("open", errno.EINTR), ("accept", errno.EMFILE), ("accept", errno.EINTR),
    ("accept", errno.ECONNABORTED), ("write", errno.EINTR), ("write", errno.EIO), ("write", SHORT),
]
# These errors are to be handled without any notice of clients.
HARMLESS = {("pwrite", SHORT), ("pwrite", errno.EINTR), ("write", SHORT), ("write", errno.EINTR), ("open", errno.EINTR)}
ROUNDS = size(1, 8)
# The exit status of a server after a failed fsync.
CANNOT_SYNC = 74


class CallsTest(FaultCase):
    async def test_no_action_is_lost_or_repeated_when_system_calls_fail(self):
        for number in range(ROUNDS):
            server = self.new_server()
            failing = Failing(server.folder)
            server.variables = failing.variables
            await self.start(server)
            crowd, failures, ends = await self.crowd(server), 0, 0
            for function, error in self.chance.sample(FAILURES, len(FAILURES)):
                is_harmless = (function, error) in HARMLESS
                crowd.breaks, crowd.allowed = not is_harmless, set() if is_harmless else {409, 500, 503}
                every = self.chance.choice([1, 2, 3, 5, 8, 13]) if not is_harmless else self.chance.choice([2, 3, 5])
                try:
                    crowd.start()
                    await crowd.writes(2)
                    failing.fail(function, error, every)
                    await self.wait_for_failures(failing, function, server)
                    failures += failing.failures(function)
                    failing.end()
                    ends += await self.recover(server, crowd, function)
                    await crowd.settle()
                    await crowd.restore()
                except Exception as error_:
                    text = (server.folder / "errors").read_text()[-2000:]
                    raise AssertionError(f"each call {every} of {function} failed with {error} in round {number}; {text}") from error_
            await self.stop(server)
            self.report(f"{failures} failed calls, {ends} exits after a failed fsync", crowd.counts)

    async def test_a_server_starts_or_says_why_not_when_system_calls_fail_from_the_start(self):
        count, refusals = size(4, 100), 0
        for number in range(count):
            server = self.new_server()
            failing = Failing(server.folder)
            server.variables = failing.variables
            function, error = self.chance.choice(FAILURES)
            # A call that is always interrupted would be repeated for ever.
            every = self.chance.choice([2, 3, 5, 8, 13, 50] if (function, error) in HARMLESS else [1, 2, 3, 5, 8, 13, 50])
            with self.subTest(function, error=error, every=every, number=number):
                failing.fail(function, error, every)
                try:
                    await self.start(server)
                    failing.end()
                    server.perform("settings", "rename", firstName="Wylla")
                    self.assertEqual(await self.stop(server), 0)
                except AssertionError:
                    text, refusals = (server.folder / "errors").read_text(), refusals + 1
                    # A failed fsync ends the server, as it does later.
                    self.assertIn(server.status, [1, CANNOT_SYNC] if function == "fsync" else [1], text)
                    self.assertGreater(len(text.strip()), 0, "no message")
        self.report(f"{count} starts, {refusals} refused")

    async def wait_for_failures(self, failing, function, server):
        """Waits for some failures. Some functions are called seldom."""
        end = time.monotonic() + size(0.7, 2)
        while time.monotonic() < end and failing.failures(function) < 20 and server.process.poll() is None:
            await asyncio.sleep(0.01)

    async def recover(self, server, crowd, function):
        """Waits until actions are performed again. Starts the server again if it has ended, which it may do only after a failed fsync."""
        if function == "fsync":
            # The server ends one second after the failure.
            await asyncio.sleep(1.5)
        if server.process.poll() is None:
            await crowd.writes(within=5)
            return 0
        self.assertEqual((function, await self.stop(server)), ("fsync", CANNOT_SYNC), (server.folder / "errors").read_text())
        await self.start(server)
        return 1


if __name__ == "__main__":
    unittest.main()
