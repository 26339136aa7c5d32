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

    def test_who_waits_is_answered_by_then(self):
        token = self.issuer.token("waiting", exp=now() + 2)
        version = json.loads(self.server.ask("GET", "/screens/settings", token).content)["version"]
        end = now() + 30
        answer = self.server.ask("GET", f"/screens/settings/changes?version={version}", token, Prefer="wait=60")
        self.assertEqual((answer.status, json.loads(answer.content)["stages"]), (200, []))
        self.assertLess(now(), end)

    def test_a_stream_of_a_screen_for_everyone_ends_with_the_token_too(self):
        stream = self.server.follow("/screens/mountains/changes", self.issuer.token(exp=now() + 2))
        self.assertIn(b"event: snapshot", stream.read())

    def test_a_token_that_was_good_is_not_when_it_has_expired(self):
        expiry = now() + 2
        token = self.issuer.token("briefly", exp=expiry)
        self.assertEqual(self.server.ask("GET", "/screens/settings", token).status, 200)
        # Ends when the token does.
        self.server.follow("/screens/settings/changes", token).read()
        answer = self.server.ask("GET", "/screens/settings", token)
        self.assertEqual(answer.status, 401)
        self.assertIn("expired", json.loads(answer.content)["detail"])
