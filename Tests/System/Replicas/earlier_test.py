"""Tests of databases of an earlier version, from `Tests/Fixtures/Earlier`."""

import sqlite3
import subprocess
import unittest

from postgres import Postgres
from serving import ROOT, Server

FIXTURES = ROOT / "Tests/Fixtures/Earlier"


class EarlierVersionTest(unittest.TestCase):
    def check(self, database=None):
        """Checks that a server on the database shows the stored data and can change it."""
        server = Server(database=database)
        self.addCleanup(server.remove)
        if database is None:
            with sqlite3.connect(server.database) as connection:
                connection.executescript((FIXTURES / "sqlite.sql").read_text())
            connection.close()
        server.start()
        for screen in ["settings", "deliveries", "posts", "mountains", "artist", "wifi"]:
            self.assertEqual(server.ask("GET", f"/screens/{screen}").status, 200, screen)
        self.assertIn('"Wylla"', server.ask("GET", "/screens/settings").content.decode())
        scheduled = server.ask("GET", "/screens/deliveries?contract=240233-000").content.decode()
        server.perform("settings", "rename", firstName="Wylis")
        server.stop()
        server.start()
        self.assertIn('"Wylis"', server.ask("GET", "/screens/settings").content.decode())
        self.assertEqual(server.ask("GET", "/screens/deliveries?contract=240233-000").content.decode(), scheduled)

    def test_an_sqlite_database_of_an_earlier_version_can_be_used(self):
        self.check()

    def test_a_postgresql_database_of_an_earlier_version_can_be_used(self):
        postgres = Postgres.shared()
        url = postgres.url(postgres.new_database())
        subprocess.run(["psql", "--no-psqlrc", "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", FIXTURES / "postgres.sql", url], check=True)
        self.check(url)


if __name__ == "__main__":
    unittest.main()
