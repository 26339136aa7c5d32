"""Tests of two replicas while PostgreSQL or its connections fail."""

import asyncio
import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from clients import Client, eventually
from faults import FaultCase
from postgres import Postgres
from serving import wait_until

# The maximum time in seconds from the end of a fault to the first acknowledged action. A replica tries to connect each few seconds.
RECOVERY = 15


class PostgresCase(FaultCase):
    async def run_postgres(self, *settings, folder=None):
        postgres = Postgres("fsync=off", *settings)
        self.addAsyncCleanup(asyncio.to_thread, postgres.remove)
        if folder:
            folder(postgres.folder)
        return await asyncio.to_thread(postgres.start)

    async def replicas(self, url):
        return [await self.start(self.new_server(database=url)) for _ in range(2)]

    async def crowd_of(self, *servers, **arguments):
        return await self.crowd(*servers, is_single=False, allowed=[409, 500, 503], **arguments)

    async def refused(self, crowd):
        """Waits until actions get problems."""
        before = crowd.counts["not-performed"] + crowd.counts["unknown"]
        await crowd.until(lambda: crowd.counts["not-performed"] + crowd.counts["unknown"] > before + 5, "actions are refused")


class RestartTest(PostgresCase):
    async def test_no_action_is_lost_or_repeated_when_postgresql_is_restarted(self):
        postgres = await self.run_postgres()
        crowd = await self.crowd_of(*await self.replicas(postgres.url(postgres.new_database())))
        for _ in range(20):
            crowd.start()
            await crowd.writes()
            await asyncio.to_thread(postgres.stop, self.chance.choice([signal.SIGINT, signal.SIGQUIT, signal.SIGKILL]))
            if self.chance.random() < 0.7:
                await self.refused(crowd)
            await asyncio.to_thread(postgres.start)
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report("20 restarts of PostgreSQL", crowd.counts)

    async def test_no_action_is_lost_or_repeated_when_replicas_are_killed(self):
        postgres = await self.run_postgres()
        replicas = await self.replicas(postgres.url(postgres.new_database()))
        crowd = await self.crowd_of(*replicas, breaks=True)
        for number in range(100):
            if number % 10 == 0:
                crowd.start()
            await crowd.progress(self.chance.randint(0, 60))
            replica = self.chance.choice(replicas)
            await self.stop(replica, signal.SIGKILL)
            await self.start(replica)
            if number % 10 == 9:
                await crowd.settle()
                await crowd.restore()
        self.report("100 kills of replicas", crowd.counts)


class PromotionTest(PostgresCase):
    async def test_no_acknowledged_action_is_lost_when_a_standby_is_promoted(self):
        counts = {}
        for _ in range(6):
            counts = await self.promote(counts)
        self.report("6 promotions", counts)

    async def promote(self, counts):
        primary = await self.run_postgres()
        database = primary.new_database()
        standby = await asyncio.to_thread(Postgres.standby, primary, primary.port)
        self.addAsyncCleanup(asyncio.to_thread, standby.remove)
        await asyncio.to_thread(standby.start)
        # From now on, a commit waits for the standby.
        primary.psql("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        primary.psql("SELECT pg_reload_conf()")
        state = "SELECT sync_state FROM pg_stat_replication"
        await asyncio.to_thread(wait_until, lambda: primary.psql(state) == "sync", "the standby follows")
        replicas = await self.replicas(f"postgres://relist@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/{database}")
        crowd = await self.crowd_of(*replicas)
        crowd.start()
        await crowd.writes(20)
        # Patroni, too, stops the old primary before it promotes a standby.
        await asyncio.to_thread(primary.stop, self.chance.choice([signal.SIGINT, signal.SIGQUIT, signal.SIGKILL]))
        if self.chance.random() < 0.7:
            await self.refused(crowd)
        await asyncio.to_thread(standby.promote)
        await crowd.writes(20, within=RECOVERY)
        await crowd.settle(repeated=50)
        for server in replicas + [standby]:
            await asyncio.to_thread(server.stop)
        return crowd.counts + counts if counts else crowd.counts


class HindranceTest(PostgresCase):
    async def test_a_locked_table_hinders_only_screens_that_read_it_and_nothing_is_lost(self):
        postgres = await self.run_postgres()
        database = postgres.new_database()
        replicas = await self.replicas(postgres.url(database))
        crowd = await self.crowd_of(*replicas)
        for _ in range(5):
            crowd.start()
            await crowd.writes()
            seconds = self.chance.uniform(1, 14)
            lock = f"BEGIN; LOCK TABLE example.delivery IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({seconds}); COMMIT"
            locking = asyncio.create_task(asyncio.to_thread(postgres.psql, lock, database))
            while not locking.done():
                for replica in replicas:
                    client = Client(replica.port)
                    for path in ["/screens/artist?width=300", f"/screens/mountains?q={self.chance.choice('abcdefgh')}", "/readyz"]:
                        self.assertEqual((await client.ask("GET", path)).status, 200, path)
                    client.close()
                await asyncio.sleep(0.1)
            await locking
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report("5 locked tables", crowd.counts)

    async def test_no_action_is_lost_or_repeated_when_statements_are_slow(self):
        postgres = await self.run_postgres()
        database = postgres.new_database()
        crowd = await self.crowd_of(*await self.replicas(postgres.url(database)))
        # The deadline of an action is 10 s.
        for seconds in [0.05, 0.5, 12]:
            crowd.start()
            await crowd.writes()
            postgres.psql(f"""
                CREATE FUNCTION public.rest() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN IF random() < 0.5 THEN PERFORM pg_sleep({seconds}); END IF; RETURN NEW; END $$;
                CREATE TRIGGER rest BEFORE INSERT OR UPDATE ON example.delivery FOR EACH ROW EXECUTE FUNCTION public.rest();
                CREATE TRIGGER rest BEFORE INSERT ON relist.version FOR EACH ROW EXECUTE FUNCTION public.rest();
            """, database)
            await asyncio.sleep(3 + 2 * seconds)
            await asyncio.to_thread(postgres.psql, "DROP FUNCTION public.rest CASCADE", database)
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report("3 slow databases", crowd.counts)

    async def test_no_action_is_lost_or_repeated_when_the_disk_of_postgresql_is_full(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-full-"))
        self.addCleanup(folder.rmdir)
        def mount(place):
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m,mode=755", "tmpfs", place], capture_output=True).returncode:
                self.skipTest("a file system cannot be mounted here")
            self.addCleanup(subprocess.run, ["umount", "--lazy", place])
        postgres = await self.run_postgres("max_wal_size=32MB", "min_wal_size=32MB", folder=mount)
        replicas = await self.replicas(postgres.url(postgres.new_database()))
        crowd = await self.crowd_of(*replicas)
        for _ in range(3):
            crowd.start()
            await crowd.writes()
            filler = postgres.folder / "filler"
            with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(bytes(1 << 12))
            # Actions fail as soon as PostgreSQL needs another page or another file of its log.
            postgres.psql("SELECT pg_switch_wal()", check=False)
            await self.refused(crowd)
            filler.unlink()
            if not postgres.answers():
                await asyncio.to_thread(postgres.stop, signal.SIGKILL)
                await asyncio.to_thread(postgres.start)
            await crowd.writes(within=RECOVERY)
            await crowd.settle()
            await crowd.restore()
        self.report("3 full disks of PostgreSQL", crowd.counts)


class PartitionTest(PostgresCase):
    """Tests of two replicas, one of which is in a network of its own. Clients reach it through one pair of interfaces, and it reaches the
    database through another."""

    async def test_no_action_is_lost_or_repeated_when_a_replica_is_cut_off_from_the_database(self):
        postgres = await self.run_postgres("listen_addresses=127.0.0.1,10.98.0.1", folder=lambda _: self.new_network())
        rules = postgres.folder / "data/pg_hba.conf"
        rules.write_text(rules.read_text() + "host all all 10.98.0.0/24 trust\n")
        postgres.psql("SELECT pg_reload_conf()")
        database = postgres.new_database()
        sound = await self.start(self.new_server(database=postgres.url(database)))
        url = f"postgres://relist@10.98.0.1:{postgres.port}/{database}"
        options = ["--host", "10.98.1.2", "--authentication", "demo"]
        cut = await self.start(self.new_server(*options, database=url, within=["nsenter", f"--net=/proc/{self.network.pid}/ns/net"]))
        crowd = await self.crowd_of(sound, ("10.98.1.2", cut.port))
        for _ in range(12):
            crowd.start()
            await crowd.writes(10)
            self.ip("link set database down")
            await crowd.writes(20)
            await asyncio.sleep(self.chance.choice([0.5, 2, 5, 15]))
            self.ip("link set database up")
            await crowd.writes(20, within=RECOVERY)
            # A replica may find out late that its connections are broken.
            await self.ready(cut)
            await crowd.settle()
            await crowd.restore()
        self.report("12 partitions", crowd.counts)

    async def ready(self, server):
        client = Client(server.port, host="10.98.1.2")
        async def look():
            return (await client.ask("GET", "/readyz")).status == 200
        await eventually(look, "the replica is ready again", within=60)
        client.close()

    def new_network(self):
        if "RELIST_OWN_NETWORK" not in os.environ:
            self.skipTest("the tests have no network of their own")
        self.network = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.addCleanup(self.network.wait)
        self.addCleanup(self.network.kill)
        own = pathlib.Path("/proc/self/ns/net").readlink()
        wait_until(lambda: pathlib.Path(f"/proc/{self.network.pid}/ns/net").readlink() != own, "the network exists")
        inside = ["nsenter", f"--net=/proc/{self.network.pid}/ns/net", "ip"]
        subprocess.run([*inside, "link", "set", "lo", "up"], check=True)
        for number, name in enumerate(["database", "clients"]):
            self.ip(f"link add {name} type veth peer name inner netns {self.network.pid}")
            self.ip(f"addr add 10.98.{number}.1/24 dev {name}")
            self.ip(f"link set {name} up")
            for command in [f"link set inner name {name}", f"addr add 10.98.{number}.2/24 dev {name}", f"link set {name} up"]:
                subprocess.run([*inside, *command.split()], check=True)

    def ip(self, command):
        subprocess.run(["ip", *command.split()], check=True)


if __name__ == "__main__":
    unittest.main()
