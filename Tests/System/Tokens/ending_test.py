"""Tests of the expiry of tokens."""

import itertools
import json
import unittest

from issuing import Issuer, Server, now
from serving import events


class TokenExpiryTest(unittest.TestCase):
    """Tests of a stream whose token expires."""

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.server = Server(key_set=cls.issuer.key_set())
        cls.addClassCleanup(cls.server.remove)

    def test_a_stream_ends_when_its_token_expires_and_resumes_with_a_new_token(self):
        token = self.issuer.token(exp=now() + 2)
        version = json.loads(self.server.ask("GET", "/screens/settings", token).content)["version"]
        path = f"/screens/settings/changes?version={version}"
        stream = self.server.follow(path, token)
        self.assertEqual(stream.status, 200)
        # The loop ends only at the end of the stream.
        self.assertEqual([name for name, _ in events(stream)], ["current"])
        self.assertEqual(self.server.follow(path, token).status, 401)
        again = self.server.follow(path, self.issuer.token())
        self.assertEqual(again.status, 200)
        self.server.ask("POST", "/screens/settings/actions/changeEmail", self.issuer.token(), {"input": {"email": "a@b.example"}})
        self.assertEqual([name for name, _ in itertools.islice(events(again), 2)], ["current", "changeset"])
        again.close()
