"""Tests that twenty users can learn nothing about each other."""

import itertools
import json
import unittest

from issuing import Issuer, Server, now
from serving import events

USERS = [f"user-{number}" for number in range(18)] + ["e\u0301", "\u00e9"]
UNKNOWN = "a" * 26
OWN = ["settings", "deliveries", "wifi"]


class AudiencesTest(unittest.TestCase):
    """Tests that a user cannot see the data of another user, and cannot find out whether the data exists."""

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.server = Server(key_set=cls.issuer.key_set())
        cls.addClassCleanup(cls.server.remove)
        cls.tokens = {user: cls.issuer.token(user, exp=now() + 3600) for user in USERS}
        for number, user in enumerate(USERS):
            body = {"input": {"firstName": f"Secret{number}", "familyName": None}}
            answer = cls.server.ask("POST", "/screens/settings/actions/rename", cls.tokens[user], body)
            assert answer.status == 200, answer.content
        cls.held = {(user, screen): cls.version(user, screen) for user in USERS for screen in OWN}

    @classmethod
    def version(cls, user, screen):
        return json.loads(cls.server.ask("GET", f"/screens/{screen}", cls.tokens[user]).content)["version"]

    def pairs(self):
        return itertools.permutations(USERS, 2)

    def requests(self, screen, version):
        """Yields all requests for a screen in which a client can present a version."""
        path = f"/screens/{screen}"
        yield "GET", path, None, {"If_None_Match": f'"{version}"'}
        yield "GET", f"{path}/changes?version={version}", None, {}
        yield "GET", f"{path}/changes?version={version}", None, {"Prefer": "wait=0"}
        yield "POST", f"{path}/changes", {"version": version}, {}

    def look(self, user, way):
        method, path, body, fields = way
        answer = self.server.ask(method, path, self.tokens[user], body, **fields)
        fields = {name: value for name, value in answer.headers.items() if name != "Date"}
        return answer.status, fields, answer.content

    def test_the_versions_of_different_users_differ(self):
        self.assertEqual(len(set(self.held.values())), len(USERS) * len(OWN))
        lists = {self.server.ask("GET", "/screens", self.tokens[user]).headers["ETag"] for user in USERS}
        self.assertEqual(len(lists), len(USERS))

    def test_a_version_of_another_user_gets_the_same_response_as_an_unknown_version(self):
        for screen in OWN:
            for asker, other in self.pairs():
                theirs = list(self.requests(screen, self.held[other, screen]))
                for way, unknown in zip(theirs, self.requests(screen, UNKNOWN), strict=True):
                    status, fields, content = self.look(asker, way)
                    self.assertEqual((status, fields, content), self.look(asker, unknown))
                    self.assertEqual(status, 200)
                    self.assertTrue("reason" not in way[1] and b'"kind":"snapshot"' in content)

    def test_a_version_of_another_user_causes_as_much_work_as_an_unknown_version(self):
        for screen in OWN:
            for asker, other in list(self.pairs())[:60]:
                costs = []
                for version in [self.held[other, screen], UNKNOWN]:
                    before = self.server.counters()
                    for way in self.requests(screen, version):
                        self.look(asker, way)
                    after = self.server.counters()
                    costs.append({name: after[name] - before.get(name, 0) for name in after})
                self.assertEqual(costs[0], costs[1])

    def test_the_data_of_a_user_is_invisible_to_others(self):
        for number, user in enumerate(USERS):
            content = self.server.ask("GET", "/screens/settings", self.tokens[user]).content.decode()
            for other in range(len(USERS)):
                self.assertEqual(f'"Secret{other}"' in content, other == number)

    def test_a_change_is_sent_only_to_the_streams_of_its_user(self):
        first, second = USERS[:2]
        streams = {
            user: self.server.follow(f"/screens/settings/changes?version={self.version(user, 'settings')}", self.tokens[user])
            for user in [first, second]
        }
        for user, email in [(first, "first@x.example"), (second, "second@x.example")]:
            body = {"input": {"email": email}}
            self.assertEqual(self.server.ask("POST", "/screens/settings/actions/changeEmail", self.tokens[user], body).status, 200)
        for user, email in [(first, "first@x.example"), (second, "second@x.example")]:
            data = next(data for name, data in events(streams[user]) if name == "changeset")
            self.assertIn(email, json.dumps(data))
            streams[user].close()

    def test_an_anonymous_caller_sees_the_screens_for_everyone(self):
        listed = json.loads(self.server.ask("GET", "/screens").content)["screens"]
        self.assertEqual([screen["name"] for screen in listed], ["posts", "mountains", "artist"])
        described = json.loads(self.server.ask("GET", "/openapi.json").content)
        self.assertFalse([path for path in described["paths"] if any(f"/screens/{name}" in path for name in OWN)])
        signed_in = json.loads(self.server.ask("GET", "/openapi.json", self.tokens[USERS[0]]).content)
        self.assertIn("/screens/settings/actions/rename", signed_in["paths"])
        for path in ["/screens/settings", "/screens/settings/changes", "/screens/settings/source"]:
            self.assertEqual(self.server.ask("GET", path).status, 401)
        self.assertEqual(self.server.ask("POST", "/screens/settings/actions/rename", body={"input": {}}).status, 401)

    def test_no_cache_stores_the_response_of_one_user_for_another(self):
        tags = set()
        for token in [None, self.tokens[USERS[0]], self.tokens[USERS[1]]]:
            for path in ["/screens", "/openapi.json", *(["/screens/settings"] if token else [])]:
                answer = self.server.ask("GET", path, token)
                self.assertEqual(answer.status, 200)
                self.assertIn("Authorization", answer.headers["Vary"])
                self.assertEqual("private" in answer.headers["Cache-Control"], token is not None, path)
                tags.add((path, answer.headers["ETag"]))
        self.assertEqual(len(tags), 3 + 2 + 2)
        shared = self.server.ask("GET", "/screens/mountains")
        self.assertEqual(shared.headers["ETag"], self.server.ask("GET", "/screens/mountains", self.tokens[USERS[0]]).headers["ETag"])
