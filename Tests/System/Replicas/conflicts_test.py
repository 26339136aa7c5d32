"""What becomes of deeds that replicas are asked for at the same time, and in turns."""

import asyncio
import json
import random
import re
import unittest

from clients import CONTRACT, SCHEDULE
from postgres import Postgres
from replicas import ReplicasCase

SEED = random.randrange(1 << 32)
CONTRACTED = 120_000


class ConflictsTest(ReplicasCase):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        self.postgres = Postgres.shared()
        self.database = self.postgres.new_database()
        url = self.postgres.url(self.database)
        self.replicas = await asyncio.gather(self.replica(url), self.replica(url))
        self.clients = [self.client(replica.port) for replica in self.replicas]

    async def schedule(self, client, kilograms, key=None):
        body = json.dumps({"input": {"day": "2018-08-01", "kilograms": kilograms}}).encode()
        answer = await client.ask("POST", SCHEDULE, [("Idempotency-Key", f'"{key}"')] if key else [], body)
        return answer.status, answer.document

    async def deliveries(self, client):
        """The weight of each, by its id."""
        document = (await client.ask("GET", CONTRACT)).document
        return {cell["id"]: cell["kilograms"] for section in document["sections"] for cell in section["cells"] if cell["type"] == "delivery"}

    async def cancel(self, client, ids):
        path = SCHEDULE.replace("schedule", "cancel")
        for id in ids:
            body = json.dumps({"input": {"delivery": id}}).encode()
            self.assertEqual((await client.ask("POST", path, body=body)).status, 200)

    async def test_a_position_that_was_lost_with_a_primary_is_not_handed_on(self):
        body = json.dumps({"input": {"day": "2018-08-01", "kilograms": 1}}).encode()
        async def act(client, said):
            fields = [("Relist-Position", said)] if said else []
            answer = await client.ask("POST", SCHEDULE, [("Prefer", "return=minimal"), *fields], body)
            self.assertEqual(answer.status, 204)
            return answer.fields["relist-position"]
        self.postgres.psql(f"SELECT setval('relist.position', {10 ** 9})", self.database)
        lost = await act(self.clients[0], None)
        # As on a standby that has become the primary, and never had the last commits.
        self.postgres.psql("SELECT setval('relist.position', 1000)", self.database)
        client = self.client((await self.replica(self.postgres.url(self.database))).port)
        self.assertEqual((await client.ask("GET", f"{CONTRACT}&position={lost}")).status, 200)
        tokens = [lost]
        for _ in range(3):
            tokens.append(await act(client, tokens[-1]))
        self.assertEqual(len(set(tokens)), 4)
        for forged in ["1001", str(2 ** 63 - 1), "a" * 26]:
            self.assertNotIn(await act(client, forged), tokens + [forged])

    async def test_deeds_that_conflict_on_two_replicas_break_no_rule(self):
        chance = random.Random(SEED)
        for round in range(6):
            with self.subTest(seed=SEED, round=round):
                await self.fill_the_contract(chance)

    async def fill_the_contract(self, chance):
        taken = []
        async def act(client, weights):
            for kilograms in weights:
                status, document = await self.schedule(client, kilograms)
                if status == 200:
                    taken.append(kilograms)
                    continue
                # It is refused for the reason that there is, and for no other.
                self.assertEqual((status, document["type"]), (422, "urn:relist:problem:broken-rule"))
                room = re.search(r"room for (\d+)\.(\d{3}) t", document["detail"])
                self.assertLess(int(room[1] + room[2]), kilograms)
        weights = [[chance.randint(1_000, 12_000) for _ in range(6)] for _ in range(8)]
        await asyncio.gather(*(act(self.clients[number % 2], some) for number, some in enumerate(weights)))
        seen = [await self.deliveries(client) for client in self.clients]
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(sorted(seen[0].values()), sorted(taken))
        self.assertLessEqual(sum(taken), CONTRACTED)
        # There was more to schedule than there is room for.
        self.assertGreater(sum(taken), CONTRACTED - 12_000)
        ids = list(seen[0])
        await asyncio.gather(*(self.cancel(client, ids[number::2]) for number, client in enumerate(self.clients)))

    async def test_one_key_that_two_replicas_get_at_once_performs_once_and_both_answer(self):
        rounds = 40
        for round in range(rounds):
            answers = await asyncio.gather(*(self.schedule(client, 1, f"round {round}") for client in self.clients))
            self.assertEqual([status for status, _ in answers], [200, 200])
        for client in self.clients:
            self.assertEqual(len(await self.deliveries(client)), rounds)

    async def test_a_key_that_another_replica_has_seen_is_answered_as_there(self):
        first, second = self.clients
        self.assertEqual((await self.schedule(first, 1, "one"))[0], 200)
        self.assertEqual((await self.schedule(second, 1, "one"))[0], 200)
        status, document = await self.schedule(second, 2, "one")
        self.assertEqual((status, document["type"]), (422, "urn:relist:problem:reused-key"))
        self.assertEqual(list((await self.deliveries(second)).values()), [1])


if __name__ == "__main__":
    unittest.main()
