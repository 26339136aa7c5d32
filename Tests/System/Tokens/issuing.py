"""An issuer of tokens, and a server that accepts them."""

import json
import time

import serving
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

ISSUER = "https://issuer.example"
AUDIENCE = "relist"
ALGORITHMS = ["RS256", "ES256", "EdDSA", "HS256"]


def now():
    return int(time.time())


class Issuer:
    """An issuer with a key for each algorithm."""

    def __init__(self):
        # Each algorithm has its own key.
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


class Server(serving.Server):
    """A running server that verifies tokens with a key set, and logs to a file."""

    def __init__(self, *flags, key_set=None):
        super().__init__("--grace-seconds", "1")
        if key_set is not None:
            path = self.folder / "keys.json"
            path.write_text(json.dumps(key_set))
            self.options += ["--authentication", f"keys={path}", "--issuer", ISSUER, "--token-audience", AUDIENCE, "--metrics", "public"]
        self.options += flags
        try:
            with open(self.folder / "log", "w") as log:
                self.start(stderr=log)
        except AssertionError:
            log = self.log()
            self.remove()
            raise AssertionError(log) from None

    def log(self):
        return (self.folder / "log").read_text()

    def counters(self):
        """Returns the values of all counters, except durations, counters of requests, which count a response after it was received, and
        transactions, because history is also written in the background."""
        others = ("seconds", "requests", "response_bytes", "snapshot_bytes", "transactions")
        return {name: value for name, value in self.metrics().items() if "_total" in name and not any(word in name for word in others)}
