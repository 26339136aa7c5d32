"""Replicas of `relist serve`, and load balancers in front of them."""

import asyncio
import logging
import unittest

from clients import Client, Connection, eventually
from links import Link
from serving import Proxy, Server, free_port

# asyncio would warn of slow steps, such as the start of a replica.
logging.getLogger("asyncio").setLevel(logging.ERROR)


class ReplicasCase(unittest.IsolatedAsyncioTestCase):
    """Tests that start replicas. All processes end with the test."""

    async def asyncSetUp(self):
        # unittest turns on the debug mode of the loop, which is slow.
        asyncio.get_running_loop().set_debug(False)

    async def replica(self, url, *options):
        """Starts a replica on the database of a URL, or without a URL a server on an SQLite file."""
        return await asyncio.to_thread(self.new_replica(url, *options).start)

    def new_replica(self, url, *options):
        replica = Server("--log-level", "critical", "--trusted-proxy", "127.0.0.1", *options, database=url)
        self.addAsyncCleanup(asyncio.to_thread, replica.remove)
        return replica

    async def new_link(self, port):
        link = await Link.to(port)
        self.addAsyncCleanup(link.close)
        return link

    def client(self, port):
        client = Client(port)
        self.addCleanup(client.close)
        return client

    def balancer(self, command, replicas, configurations):
        """Runs nginx or HAProxy in front of two replicas, and returns its port. In the configuration files, LISTEN, FIRST and SECOND are
        replaced with addresses."""
        port = free_port()
        places = [f"127.0.0.1:{number}" for number in [port, *(replica.port for replica in replicas)]]
        proxy = Proxy(command, configurations, port, dict(zip(["LISTEN", "FIRST", "SECOND"], places)))
        self.addCleanup(proxy.remove)
        return port

    async def status(self, port, path, fields=(), body=None):
        """Sends one request on a new connection, and returns the status of the response."""
        connection = await Connection.open(port)
        try:
            connection.send("GET" if body is None else "POST", path, fields, body)
            return (await connection.answer()).status
        finally:
            connection.close()

    async def ready(self, port):
        """Waits until a replica reports that it is ready."""
        async def look():
            return await self.status(port, "/readyz") == 200
        await eventually(look, "a replica does not become ready")
