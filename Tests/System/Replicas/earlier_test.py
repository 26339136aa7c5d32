"""Databases that an earlier version has written, as `Tests/Fixtures/Earlier` has them."""

import sqlite3
import subprocess
import unittest

from postgres import Postgres
from serving import ROOT, Server

FIXTURES = ROOT / "Tests/Fixtures/Earlier"


class EarlierTest(unittest.TestCase):
    def check(self, database=None):
        """A server shows what was written, and acts on it."""
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

    def test_a_file_is_opened(self):
        self.check()

    def test_a_database_of_postgresql_is_opened(self):
        postgres = Postgres.shared()
        url = postgres.url(postgres.new_database())
        subprocess.run(["psql", "--no-psqlrc", "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", FIXTURES / "postgres.sql", url], check=True)
        self.check(url)


if __name__ == "__main__":
    unittest.main()
