"""Replicas of `relist serve`, and what stands before them."""

import asyncio
import logging
import unittest

from clients import Client, Connection, eventually
from links import Link
from serving import Proxy, Server, free_port

# It warns of steps that take long, as starting a replica does.
logging.getLogger("asyncio").setLevel(logging.ERROR)


class ReplicasCase(unittest.IsolatedAsyncioTestCase):
    """Tests that start replicas; what they start ends with them."""

    async def asyncSetUp(self):
        # unittest has it watch over each step, which costs much.
        asyncio.get_running_loop().set_debug(False)

    async def replica(self, url, *options):
        """Starts a replica on the database that a URL names."""
        replica = Server("--log-level", "critical", "--trusted-proxy", "127.0.0.1", *options, database=url)
        self.addAsyncCleanup(asyncio.to_thread, replica.remove)
        return await asyncio.to_thread(replica.start)

    async def new_link(self, port):
        link = await Link.to(port)
        self.addAsyncCleanup(link.close)
        return link

    def client(self, port):
        client = Client(port)
        self.addCleanup(client.close)
        return client

    def balancer(self, command, replicas, configurations):
        """Runs nginx or HAProxy in front of two replicas with configuration files, in which names stand for values; gives its port."""
        port = free_port()
        places = [f"127.0.0.1:{number}" for number in [port, *(replica.port for replica in replicas)]]
        proxy = Proxy(command, configurations, port, dict(zip(["LISTEN", "FIRST", "SECOND"], places)))
        self.addCleanup(proxy.remove)
        return port

    async def status(self, port, path, fields=(), body=None):
        """Returns the status of one request on a connection of its own."""
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
