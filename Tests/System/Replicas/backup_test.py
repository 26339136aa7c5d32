"""Tests that a backup that is taken while clients act can be restored. BACKUPS is the number of backups on each engine (default: 1)."""

import asyncio
import os
import shlex
import subprocess
import unittest

from clients import CONTRACT, Contents, Holder, Scheduler, eventually
from postgres import Postgres, program
from replicas import ReplicasCase
from serving import ROOT, TIMEOUT

BACKUPS = int(os.environ.get("BACKUPS", 1))


def documented(command):
    """Returns a command of Operations.md as a list of arguments."""
    assert command in (ROOT / "Documentation/Operations.md").read_text(), f"Operations.md does not contain {command}"
    return shlex.split(command)


def run(command, folder):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT)


class BackupTest(ReplicasCase):
    async def count(self, client):
        document = (await client.ask("GET", CONTRACT)).document
        return sum(cell["type"] == "delivery" for section in document["sections"] for cell in section["cells"])

    async def check(self, server, back_up, restored, keeps_history):
        """Takes backups with `back_up` while clients act, and checks each one on the server that `restored` returns."""
        until, schedulers = asyncio.Event(), [Scheduler(f"client {number}") for number in range(4)]
        held = await self.stored_document(server)
        tasks = [asyncio.create_task(one.run(self.client(server.port), until)) for one in schedulers]
        try:
            for _ in range(BACKUPS):
                await self.progress(schedulers)
                before = [one.acknowledged for one in schedulers]
                taking = asyncio.create_task(asyncio.to_thread(back_up))
                # Actions do not wait for the backup, and the backup does not wait for a time without actions.
                await self.progress(schedulers)
                await taking
                after = [one.sent for one in schedulers]
                other = await asyncio.to_thread(restored)
                await self.compare(other, schedulers, before, after)
                holder = Holder(CONTRACT, Contents(is_stored=keeps_history))
                holder.held = held
                self.assertEqual((await holder.catch_up(self.client(other.port))).status, 200)
                self.assertEqual((holder.changesets, holder.snapshots), (1, 0) if keeps_history else (0, 1))
                await asyncio.to_thread(other.remove)
        finally:
            until.set()
            await asyncio.gather(*tasks)

    async def stored_document(self, server):
        """Returns a document whose version the database has stored."""
        client = self.client(server.port)
        document = (await client.ask("GET", CONTRACT)).document
        async def look():
            return "\nrelist_history_unwritten 0\n" in (await client.ask("GET", "/metrics")).body.decode()
        await eventually(look, "the version is stored")
        return document

    async def progress(self, schedulers):
        goals = [one.acknowledged + 5 for one in schedulers]
        async def look():
            return all(one.acknowledged >= goal for one, goal in zip(schedulers, goals))
        await eventually(look, "actions are acknowledged")

    async def compare(self, restored, schedulers, before, after):
        client = self.client(restored.port)
        count = await self.count(client)
        self.assertGreaterEqual(count, sum(before))
        self.assertLessEqual(count, sum(after))
        # The receipts are restored, so an action that was acknowledged before the backup is not performed again.
        for one, acknowledged in zip(schedulers, before):
            answer = await Scheduler(one.name).schedule(client, f"{one.name} {acknowledged}")
            self.assertEqual(answer.status, 204)
        self.assertEqual(await self.count(client), count)

    async def test_an_sqlite_backup_contains_all_actions_that_were_acknowledged_before_it(self):
        server = await self.replica(None)
        command = documented('sqlite3 relist.sqlite "BEGIN; SELECT 1 FROM sqlite_master LIMIT 1" ".backup copy.sqlite"')

        def restored():
            other = self.new_replica(None)
            (server.folder / "copy.sqlite").rename(other.database)
            return other.start()
        await self.check(server, lambda: run(command, server.folder), restored, keeps_history=True)

    async def test_a_postgresql_dump_contains_all_actions_that_were_acknowledged_before_it(self):
        postgres = Postgres.shared()
        database = postgres.new_database()
        server = await self.replica(postgres.url(database))
        without = "--exclude-table-data=relist.version --exclude-table-data=relist.announcement"
        dump = documented(f"pg_dump --format=custom {without} --file=relist.dump relist")
        dump = [program(dump[0]), *dump[1:-1], postgres.url(database)]
        restore = documented("pg_restore --exit-on-error --dbname=relist relist.dump")

        def restored():
            other = postgres.new_database()
            names = [argument.replace("--dbname=relist", f"--dbname={postgres.url(other)}") for argument in restore[1:]]
            run([program(restore[0]), *names], server.folder)
            return self.new_replica(postgres.url(other)).start()
        await self.check(server, lambda: run(dump, server.folder), restored, keeps_history=False)


if __name__ == "__main__":
    unittest.main()
