"""The program behind nginx, each on a port of its own."""

import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("RELIST") or ROOT / ".build/debug/relist"
GREETING = re.compile(r"http://127\.0\.0\.1:(\d+)")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Servers:
    """Both, in a folder that goes with them."""

    def __init__(self, configuration, *flags):
        """`configuration`: a file for nginx in which words in capitals are filled in: PORT, OTHER, ORIGIN, FOLDER."""
        self.ending = contextlib.ExitStack()
        try:
            self._start(configuration, flags)
        except BaseException:
            self.ending.close()
            raise

    def _start(self, configuration, flags):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-proxy-"))
        self.ending.callback(shutil.rmtree, self.folder)
        # Started as root, nginx works as nobody, in a folder of its own within.
        self.folder.chmod(0o711)
        self.database = self.folder / "data.sqlite"
        arguments = ["serve", "--port", "0", "--drain-seconds", "0", "--log-level", "error", "--database", str(self.database)]
        # Clients name the host `test`, which nginx passes on.
        arguments += ["--allow-host", "test", "--trusted-proxy", "127.0.0.1", *flags]
        origin = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True)
        self.ending.callback(self._stop, origin)
        self.origin = int(next(found[1] for line in origin.stdout if (found := GREETING.search(line))))
        self.port, self.other = free_port(), free_port()
        text = (ROOT / "Deploy" / configuration).read_text()
        for name, value in {"PORT": self.port, "OTHER": self.other, "ORIGIN": self.origin, "FOLDER": self.folder}.items():
            text = text.replace(name, str(value))
        (self.folder / "nginx.conf").write_text(text)
        self.nginx = subprocess.Popen(
            ["nginx", "-p", str(self.folder), "-e", str(self.folder / "error.log"), "-c", str(self.folder / "nginx.conf")]
        )
        self.ending.callback(self.stop_nginx)
        while not self._listens():
            assert self.nginx.poll() is None, "nginx has ended"

    def stop_nginx(self):
        """After it all that nginx writes is written."""
        self._stop(self.nginx)

    def stop(self):
        self.ending.close()

    @staticmethod
    def _stop(process):
        if process.poll() is None:
            process.terminate()
            process.communicate()

    def _listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except ConnectionRefusedError:
            return False
