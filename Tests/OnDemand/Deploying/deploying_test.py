"""Tests of a rolling deploy: two replicas are replaced with a newer version, one after the other, while clients act, read and follow.
EARLIER is the path of the earlier program, and RELIST the path of the newer one."""

import asyncio
import os
import unittest

from balancing import SCREENS, BalancerCase, Watcher
from clients import eventually
from serving import relist

EARLIER = os.path.abspath(os.environ.get("EARLIER") or relist())
# The number of deploys with each balancer.
DEPLOYS = 3
# Longer than HAProxy takes to notice that a replica is not ready.
DRAIN = ["--drain-seconds", "3"]


class DeployingTest(BalancerCase):
    async def deploy(self, balance, is_in_use):
        """Deploys the newer version behind a balancer. `is_in_use` returns after the balancer sends requests to both replicas again."""
        url = self.postgres.url(self.database)
        replicas = [self.new_replica(url, *DRAIN) for _ in range(2)]
        for replica in replicas:
            replica.program[0] = EARLIER
            await asyncio.to_thread(replica.start)
        port = balance(replicas)
        visitors, watchers = self.visitors(port, 6), [Watcher(port, path, self.contents) for path in SCREENS[:2] * 2]

        async def replace(progress):
            await progress(20)
            for replica in replicas:
                self.assertEqual(await asyncio.to_thread(replica.stop), 0)
                replica.program[0] = relist()
                await asyncio.to_thread(replica.start)
                await is_in_use(port)
                await progress(20)

        await self.under_load(visitors, watchers, replace)
        for client in visitors + watchers:
            self.assertEqual(client.failures, [])
        acted = [answer for visitor in visitors for answer in visitor.answers.values()]
        self.assertEqual(set(acted), {204})
        self.check_deliveries(visitors)
        print(f"  {len(acted)} actions, {sum(visitor.served for visitor in visitors)} responses", flush=True)

    async def test_no_request_fails_and_no_action_is_lost_behind_haproxy(self):
        async def are_in_use(port):
            await eventually(lambda: self.are_in_use(port, 2), "both replicas are in use")
        for _ in range(DEPLOYS):
            self.database = self.postgres.new_database()
            await self.deploy(self.haproxy, are_in_use)

    async def test_no_request_fails_and_no_action_is_lost_behind_nginx(self):
        async def are_in_use(port):
            async def look():
                connection = self.client(port)
                return (await connection.ask("GET", "/readyz")).fields["relist-replica"]
            answered = set()
            async def both():
                answered.add(await look())
                return len(answered) == 2
            await eventually(both, "both replicas are in use")
        for _ in range(DEPLOYS):
            self.database = self.postgres.new_database()
            await self.deploy(self.nginx, are_in_use)


if __name__ == "__main__":
    unittest.main()
