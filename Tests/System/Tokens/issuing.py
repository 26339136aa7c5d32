"""An issuer of tokens, and a server that takes them."""

import http.client
import json
import os
import re
import subprocess
import tempfile
import time

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey, OKPKey, RSAKey

ISSUER = "https://issuer.example"
AUDIENCE = "relist"
ALGORITHMS = ["RS256", "ES256", "EdDSA", "HS256"]


def now():
    return int(time.time())


class Issuer:
    """Has a key for each algorithm."""

    def __init__(self):
        # An algorithm of its own for each, so that no key is asked to be another's.
        self.keys = {
            "RS256": RSAKey.generate_key(2048, {"kid": "rsa"}),
            "ES256": ECKey.generate_key("P-256", {"kid": "ec"}),
            "EdDSA": OKPKey.generate_key("Ed25519", {"kid": "okp"}),
            "HS256": OctKey.generate_key(256, {"kid": "oct"}),
        }

    def key_set(self):
        keys = [key.as_dict(private=key.key_type == "oct") for key in self.keys.values()]
        return {"keys": keys}

    def token(self, user="alice", algorithm="ES256", key=None, header=None, without=(), **claims):
        stated = {"iss": ISSUER, "aud": AUDIENCE, "sub": user, "exp": now() + 3600, **claims}
        stated = {name: value for name, value in stated.items() if name not in without}
        key = key or self.keys[algorithm]
        header = {"alg": algorithm, "kid": key.kid, **(header or {})}
        header = {name: value for name, value in header.items() if value is not None}
        return jwt.encode(header, stated, key, algorithms=[algorithm])


class Server:
    """The program under test, on a port and in a folder of its own."""

    def __init__(self, *flags, key_set=None):
        self.folder = tempfile.TemporaryDirectory(prefix="relist-")
        if key_set is not None:
            path = os.path.join(self.folder.name, "keys.json")
            with open(path, "w") as file:
                json.dump(key_set, file)
            flags = ["--authentication", f"keys={path}", "--issuer", ISSUER, "--token-audience", AUDIENCE, *flags]
        database = os.path.join(self.folder.name, "relist.sqlite")
        self.log = open(os.path.join(self.folder.name, "log"), "w+")
        self.process = subprocess.Popen(
            [os.environ["RELIST"], "serve", "--port", "0", "--database", database, "--grace-seconds", "1", *flags],
            stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        self.connection = None
        greeting = self.process.stdout.readline()
        found = re.search(r":(\d+)\.", greeting)
        if not found:
            said = (self.process.wait(), self.said() or greeting)[1]
            self.stop()
            raise AssertionError(said)
        self.port = int(found.group(1))
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)

    def ask(self, method, path, token=None, body=None, **fields):
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        answer.content = answer.read()
        return answer

    def follow(self, path, token, **fields):
        """Opens a stream, whose lines can be read until it ends."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request("GET", path, headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}", **headers})
        return connection.getresponse()

    def counters(self):
        """What is counted, but for how long it took."""
        lines = self.ask("GET", "/metrics").content.decode().splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
        return {name: float(value) for name, value in pairs if "_total" in name and "seconds" not in name}

    def said(self):
        self.log.flush()
        with open(self.log.name) as file:
            return file.read()

    def stop(self):
        if self.connection:
            self.connection.close()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()
