"""A server behind nginx. Both listen on ports of their own."""

from serving import ROOT, Proxy, Server, free_port


class Servers:
    """A server of screens and an nginx in front of it."""

    def __init__(self, configuration, *flags):
        """`configuration` is the name of a configuration file of nginx in the folder `Deploy`."""
        # Clients send the host name `test`, which nginx forwards.
        self.server = Server("--log-level", "error", "--allow-host", "test", "--trusted-proxy", "127.0.0.1", *flags)
        try:
            self.server.start()
            self.port, self.other, self.origin = free_port(), free_port(), self.server.port
            self.nginx = Proxy(
                ["nginx", "-p", ".", "-e", "error.log", "-c", "nginx.conf"],
                {"nginx.conf": (ROOT / "Deploy" / configuration).read_text()}, self.port,
                {"PORT": self.port, "OTHER": self.other, "ORIGIN": self.origin})
        except BaseException:
            self.server.remove()
            raise

    def stop(self):
        self.nginx.remove()
        self.server.remove()
