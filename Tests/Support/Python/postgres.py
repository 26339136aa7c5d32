"""PostgreSQL servers for tests. Each server has its own folder, and is a primary or a standby of another server."""

import atexit
import functools
import itertools
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from serving import ROOT, free_port, wait_until


def program(name):
    """Returns the path of a program of the newest installed version of PostgreSQL. Debian has a folder for each version."""
    return str(max(pathlib.Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3])))


class Postgres:
    """A PostgreSQL server. It keeps its port and its data when it is restarted, and stops at the latest when the tests end."""

    def __init__(self, *settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-replicas-"))
        # If the server runs as another user, this user must be able to enter the folder.
        self.folder.chmod(0o755)
        self.port = free_port()
        self.settings = ["listen_addresses=127.0.0.1", f"port={self.port}", "max_connections=150", *settings]
        self.life = None
        self.numbers = itertools.count(1)

    @classmethod
    @functools.cache
    def shared(cls):
        """Returns a server that several tests share. The tests must not stop or reconfigure the server."""
        server = cls("fsync=off")
        atexit.register(server.remove)
        return server.start()

    @classmethod
    def standby(cls, of, port):
        """Returns a standby of the server `of`. The standby connects to that server through `port`, under the name `standby`."""
        following = f"primary_conninfo=host=127.0.0.1 port={port} user=relist application_name=standby"
        # With a short interval, the standby soon connects to its primary again.
        standby = cls(following, "wal_retrieve_retry_interval=50ms", "fsync=off")
        data, source = standby.folder / "data", f"host=127.0.0.1 port={of.port} user=relist"
        subprocess.run(
            [program("pg_basebackup"), "-D", data, "-d", source, "--checkpoint=fast", "--no-sync"],
            check=True, stderr=subprocess.DEVNULL)
        (data / "standby.signal").touch()
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "postgres:", standby.folder], check=True)
        return standby

    def start(self):
        arguments = [argument for setting in self.settings for argument in ("-c", setting)]
        # Errors are written to a file. Otherwise a server that a test kills would write an error to the output of the tests.
        with open(self.folder / "errors", "w") as errors:
            self.life = subprocess.Popen(
                [ROOT / "Tests/Support/TemporaryPostgres/server", self.folder, *arguments],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True)
        said = self.life.stdout.readline().split()
        assert said[:1] == ["ready"], f"PostgreSQL does not start: {(self.folder / 'errors').read_text()}"
        self.process = int(said[1])
        wait_until(self.answers, "PostgreSQL lets nobody in")
        return self

    def answers(self):
        return self.psql("SELECT 1", check=False) == "1"

    def stop(self, how=signal.SIGINT):
        """Stops the server by a signal. SIGINT ends connections. After SIGQUIT or SIGKILL, the next start recovers as after a crash."""
        if self.life is None:
            return
        if self.life.poll() is None and how != signal.SIGINT:
            os.kill(self.process, how)
            wait_until(self.has_gone, "PostgreSQL does not end")
        self.life.stdin.close()
        self.life.wait()
        self.life.stdout.close()
        self.life = None

    def has_gone(self):
        """Returns whether all processes of the server have ended. Other processes may write until they notice the end of the first."""
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (path / "cwd").readlink() == self.folder / "data":
                    if " Z " not in (path / "stat").read_text():
                        return False
            except OSError:
                continue
        return True

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder)

    def promote(self):
        self.psql("SELECT pg_promote()")

    def url(self, database, user="relist", port=None):
        return f"postgres://{user}@127.0.0.1:{port or self.port}/{database}"

    def new_database(self):
        """Creates a database, and returns its name."""
        name = f"test{next(self.numbers)}"
        self.psql(f"CREATE DATABASE {name}")
        return name

    def psql(self, sql, database="postgres", check=True):
        """Runs statements, each in its own transaction, and returns their output."""
        command = ["psql", "--no-psqlrc", "-qtA", "-v", "ON_ERROR_STOP=1", self.url(database)]
        done = subprocess.run(command, input=sql, capture_output=True, text=True)
        assert not check or done.returncode == 0, done.stderr
        return done.stdout.strip()

    def dump(self, database):
        """Returns the complete content of a database as lines of SQL."""
        done = subprocess.run([program("pg_dump"), "-d", self.url(database)], check=True, capture_output=True, text=True)
        # The removed lines contain a random key, which is different in each dump.
        return [line for line in done.stdout.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]
