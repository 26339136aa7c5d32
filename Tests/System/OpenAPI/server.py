"""A server of the examples on a free port, with its database in a temporary folder."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RELIST")}
        self.process = subprocess.Popen(
            [os.environ["RELIST"], "serve", "--port", "0", "--drain-seconds", "0", "--database", f"{self.folder}/relist.sqlite"],
            env=environment, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"http://[\d.]+:\d+", self.process.stdout.readline()).group()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=60)
        self.process.stdout.close()
        shutil.rmtree(self.folder)

    def ask(self, path, method="GET", body=None, **headers):
        """The status, the header fields and the bytes of an answer. In the names of header fields `_` stands for `-`."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if data is not None:
            fields = {"Content-Type": "application/json"} | fields
        request = urllib.request.Request(self.address + path, data, fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    def ask_with_head(self, head):
        """The same of a request that is nothing but this head."""
        host, port = self.address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=60) as connection:
            connection.sendall(head.encode())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            return answer.status, answer.headers, answer.read()

    def events(self, path, count, **headers):
        """The data of the first events of a stream."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.address + path, headers={"Accept": "text/event-stream"} | fields)
        events = []
        with urllib.request.urlopen(request, timeout=60) as answer:
            while len(events) < count:
                line = answer.readline().decode()
                if line.startswith("data: "):
                    events.append(json.loads(line.removeprefix("data: ")))
            return answer.status, answer.headers, events
