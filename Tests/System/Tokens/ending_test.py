"""What happens when the time of a token is over."""

import json
import unittest

from issuing import Issuer, Server, now


class EndingTest(unittest.TestCase):
    """What a token allowed ends with it, and goes on with the next."""

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.server = Server(key_set=cls.issuer.key_set())
        cls.addClassCleanup(cls.server.remove)

    def test_a_stream_ends_with_its_token_and_goes_on_with_another(self):
        token = self.issuer.token(exp=now() + 2)
        version = json.loads(self.server.ask("GET", "/screens/settings", token).content)["version"]
        path = f"/screens/settings/changes?version={version}"
        stream = self.server.follow(path, token)
        self.assertEqual(stream.status, 200)
        # It ends: what is read of it comes to an end.
        self.assertNotIn(b"data:", stream.read())
        self.assertEqual(self.server.follow(path, token).status, 401)
        again = self.server.follow(path, self.issuer.token())
        self.assertEqual(again.status, 200)
        self.server.ask("POST", "/screens/settings/actions/changeEmail", self.issuer.token(), {"input": {"email": "a@b.example"}})
        event = next(line for line in iter(again.readline, b"") if line.startswith(b"event:"))
        self.assertEqual(event, b"event: changeset\n")
        again.close()
