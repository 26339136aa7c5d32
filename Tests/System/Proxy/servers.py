"""A server behind a proxy. Both listen on ports of their own."""

from serving import ROOT, Proxy, Server, free_port

NGINX = ["nginx", "-p", ".", "-e", "error.log", "-c", "nginx.conf"]
# Caddy writes files into these folders.
CADDY = ["env", "XDG_DATA_HOME=.", "XDG_CONFIG_HOME=.", "HOME=.", "caddy", "run", "--config", "Caddyfile"]
# For each file in the folder `Deploy`: the command of the proxy, the name of the file that it reads, and the replaced texts.
PROXIES = {
    "nginx.conf": (NGINX, "nginx.conf", {}),
    "caching.conf": (NGINX, "nginx.conf", {}),
    "haproxy.cfg": (["haproxy", "-db", "-f", "haproxy.cfg"], "haproxy.cfg", {
        "bind :8080": "bind 127.0.0.1:PORT", "10.0.0.11:8080": "127.0.0.1:ORIGIN", "10.0.0.12:8080": "127.0.0.1:ORIGIN"}),
    # An address without a name gets no certificate.
    "Caddyfile": (CADDY, "Caddyfile", {
        "lists.example.com {": "{\n\tadmin off\n}\nhttp://:PORT {\n\tbind 127.0.0.1", "127.0.0.1:8080": "127.0.0.1:ORIGIN"}),
}


class Servers:
    """A server of screens and a proxy in front of it."""

    def __init__(self, configuration, *flags):
        """`configuration` is the name of a configuration file in the folder `Deploy`."""
        # Clients send the host name `test`, which proxies forward.
        self.server = Server("--log-level", "error", "--allow-host", "test", "--trusted-proxy", "127.0.0.1", *flags)
        try:
            self.server.start()
            self.port, self.other, self.origin = free_port(), free_port(), self.server.port
            command, name, places = PROXIES[configuration]
            text = (ROOT / "Deploy" / configuration).read_text()
            for documented, place in places.items():
                assert documented in text, f"{configuration} does not contain {documented}"
                text = text.replace(documented, place)
            values = {"PORT": self.port, "OTHER": self.other, "ORIGIN": self.origin}
            self.proxy = Proxy(command, {name: text}, self.port, values)
        except BaseException:
            self.server.remove()
            raise

    def stop(self):
        self.proxy.remove()
        self.server.remove()
