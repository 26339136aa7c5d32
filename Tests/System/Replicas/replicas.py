"""Replicas of `relist serve`, and what stands before them."""

import asyncio
import logging
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from clients import Client, Connection, eventually
from links import Link
from postgres import free_port

HERE = pathlib.Path(__file__).resolve().parent
# It warns of steps that take long, as starting a replica does.
logging.getLogger("asyncio").setLevel(logging.ERROR)
GREETING = re.compile(r"http://127\.0\.0\.1:(\d+)")


def program():
    return os.environ.get("RELIST") or HERE.parents[2] / ".build/debug/relist"


def surroundings():
    return {name: value for name, value in os.environ.items() if not name.startswith(("RELIST_", "PG"))}


class Replica:
    """Started again, it has the same port."""

    def __init__(self, url, *options):
        self.url, self.options, self.port, self.process = url, options, 0, None

    async def start(self):
        await asyncio.to_thread(self._start)
        return self

    def _start(self):
        arguments = ["serve", "--port", str(self.port), "--database", self.url, "--drain-seconds", "0", "--log-level", "critical", "--trusted-proxy", "127.0.0.1"]
        self.process = subprocess.Popen([program(), *arguments, *self.options], env=surroundings(), stdout=subprocess.PIPE, text=True)
        self.port = next((int(found[1]) for line in self.process.stdout if (found := GREETING.search(line))), None)
        assert self.port, "a replica does not start"
        # It writes no more, but a full pipe would stop it.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    async def stop(self, how=signal.SIGTERM):
        """What it ends with."""
        if self.process is None:
            return None
        self.process.send_signal(how)
        status = await asyncio.to_thread(self.process.wait)
        self.process.stdout.close()
        self.process = None
        return status


class ReplicasCase(unittest.IsolatedAsyncioTestCase):
    """Tests that start replicas; what they start ends with them."""

    async def asyncSetUp(self):
        # unittest has it watch over each step, which costs much.
        asyncio.get_running_loop().set_debug(False)

    async def replica(self, url, *options):
        replica = Replica(url, *options)
        self.addAsyncCleanup(replica.stop)
        return await replica.start()

    async def new_link(self, port):
        link = await Link.to(port)
        self.addAsyncCleanup(link.close)
        return link

    def client(self, port):
        client = Client(port)
        self.addCleanup(client.close)
        return client

    def balancer(self, command, replicas, configurations):
        """Runs nginx or HAProxy in front of two replicas with files of such texts, in which names stand for values; gives its port."""
        folder = tempfile.mkdtemp(prefix="relist-balancer-")
        self.addCleanup(shutil.rmtree, folder)
        port = free_port()
        places = [f"127.0.0.1:{number}" for number in [port, *(replica.port for replica in replicas)]]
        for name, text in configurations.items():
            for key, value in zip(["FOLDER", "LISTEN", "FIRST", "SECOND"], [folder, *places]):
                text = text.replace(f"${{{key}}}", value)
            (pathlib.Path(folder) / name).write_text(text)
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self._end, process)
        while not self._listens(port):
            assert process.poll() is None, f"{command[0]} has ended"
        return port

    @staticmethod
    def _listens(port):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return True
        except ConnectionRefusedError:
            return False

    @staticmethod
    def _end(process):
        process.terminate()
        process.wait()

    async def status(self, port, path, fields=(), body=None):
        """What one request gets on a connection of its own."""
        connection = await Connection.open(port)
        try:
            connection.send("GET" if body is None else "POST", path, fields, body)
            return (await connection.answer()).status
        finally:
            connection.close()

    async def ready(self, port):
        """Waits until a replica says that it is."""
        async def look():
            return await self.status(port, "/readyz") == 200
        await eventually(look, "a replica does not become ready")
