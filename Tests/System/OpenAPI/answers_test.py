"""Checks responses of all kinds against the OpenAPI document."""

import copy
import http.client
import itertools
import json
import socket
import unittest

import jsonschema
import openapi_spec_validator
from description import PROBLEM, Description
from serving import TIMEOUT, Server, events

VIEWS = {
    "settings": ["", "layout=merged"],
    "deliveries": ["", "from=2018-07-13", "contract=240311-000", "contract=240402-000"],
    "posts": ["", "limit=10", "limit=40"],
    "mountains": ["", "q=mont", "q=zzz", "sort=height", "q=a&sort=height"],
    "artist": ["", "width=600", "album=drift-ice", "album=drift-ice&width=1200"],
    "wifi": [""],
}
LOCALES = ["", "locale=en", "locale=fr"]
# Actions, each with its screen, name, query and input. Each action is valid after the actions before it.
ACTIONS = [
    ("settings", "rename", "", {"firstName": "Ada", "familyName": None}),
    ("settings", "changeEmail", "", {"email": "ada@example.com"}),
    ("settings", "changePassword", "", {"password": "correct horse"}),
    ("settings", "connect", "", {}), ("settings", "disconnect", "", {}),
    ("deliveries", "schedule", "contract=240233-000", {"day": "2018-08-02", "kilograms": 20000}),
    ("deliveries", "reschedule", "", {"delivery": "7556-1", "day": "2018-07-14"}),
    ("deliveries", "weigh", "contract=240311-000", {"delivery": "7559-1", "kilograms": 12000}),
    ("deliveries", "cancel", "", {"delivery": "7556-1"}),
    ("posts", "refresh", "", {}), ("posts", "retry", "", {}),
    ("wifi", "toggle", "", {"on": False}), ("wifi", "toggle", "", {"on": True}),
]


class ResponsesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.remove)
        cls.document = cls.server.start().get("/openapi.json")
        cls.description = Description(cls.document)

    def ask(self, path, method="GET", body=None, **headers):
        """Sends a request, checks the response against the OpenAPI document, and returns the status and the body of the response."""
        status, fields, bytes = self.server.ask(method, path, body=body, **headers)
        kind = fields.get("Content-Type", "")
        if method == "HEAD":
            return status, None
        answer = json.loads(bytes) if "json" in kind else bytes.decode(errors="replace") if bytes else None
        self.description.check(method, path, status, fields, answer)
        return status, answer

    def ask_with_head(self, head):
        """Sends only the head of a request, and returns the status, the fields and the body of the response."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=TIMEOUT) as connection:
            connection.sendall(head.encode())
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            return answer.status, answer.headers, answer.read()

    def test_the_openapi_document_is_valid(self):
        openapi_spec_validator.validate(self.document)

    def test_snapshots_and_changesets_between_views_match_the_openapi_document(self):
        for screen, views in VIEWS.items():
            queries = ["&".join(filter(None, pair)) for pair in itertools.product(views, LOCALES)]
            versions = {query: self.ask(f"/screens/{screen}?{query}")[1]["version"] for query in queries}
            for old, new in itertools.product(queries[::2], queries[1::2]):
                status, answer = self.ask(f"/screens/{screen}/changes?{new}", "POST", {"version": versions[old]})
                self.assertEqual((status, answer["version"]), (200, versions[new]))
                self.ask(f"/screens/{screen}/changes?{new}&version={versions[old]}", Accept_Language="fr")
            self.ask(f"/screens/{screen}/changes")
            self.ask(f"/screens/{screen}", If_None_Match=f'"{versions[queries[0]]}"')
            self.assertEqual(self.ask(f"/screens/{screen}/changes", "POST", {"version": "none"})[1]["reason"], "unknown-version")
        self.assertGreater(self.description.checked, 200)

    def test_responses_of_actions_and_streams_match_the_openapi_document(self):
        for screen, name, query, input in ACTIONS:
            path = f"/screens/{screen}/actions/{name}?{query}"
            version = self.ask(f"/screens/{screen}?{query}")[1]["version"]
            status, answer = self.ask(path, "POST", {"version": version, "input": input})
            self.assertEqual(status, 200, path)
            # Without a change, a stream that resumes from the client's version has no document.
            resumed = {"Last_Event_ID": version} if answer["version"] != version else {}
            self.listen(f"/screens/{screen}/changes?{query}", 1, **resumed)
        # Networks come into range only while a client follows the screen.
        self.listen("/screens/wifi/changes", 3)
        for name in ("join", "forget"):
            status, _ = self.ask(f"/screens/wifi/actions/{name}", "POST", {"input": {"network": "grange"} | (
                {"password": "correct horse"} if name == "join" else {})})
            self.assertEqual(status, 200, name)

    def listen(self, path, count, **headers):
        """Checks the first events of a stream."""
        schema = self.description.response("GET", path, 200)["content"]["application/json"]["schema"]
        with self.server.follow(path, **headers) as stream:
            self.description.check("GET", path, stream.status, stream.headers, "")
            for _, document in itertools.islice(events(stream), count):
                self.description.validator(schema).validate(document)

    def test_a_minimal_response_to_an_action_has_no_body(self):
        path, key = "/screens/settings/actions/rename", {"Idempotency_Key": "minimal"}
        for _ in range(2):
            answer = self.ask(path, "POST", {"input": {"firstName": "Ada"}}, Prefer="return=minimal", **key)
            self.assertEqual(answer, (204, None))
        self.assertEqual(self.ask(path, "POST", {"input": []}, Prefer="return=minimal")[0], 400)

    def test_the_response_to_a_request_that_waits_matches_the_openapi_document(self):
        version = self.ask("/screens/settings")[1]["version"]
        self.assertEqual(self.ask(f"/screens/settings/changes?version={version}", Prefer="wait=1")[1]["stages"], [])

    def test_responses_of_paths_that_belong_to_no_screen_match_the_openapi_document(self):
        for path in ("/screens", "/screens?locale=fr", "/openapi.json", "/healthz", "/readyz", "/metrics", "/index.html", "/page.js"):
            self.assertEqual(self.ask(path)[0], 200, path)
            self.ask(path, "HEAD")
        for path in ("/screens", "/openapi.json", "/index.html"):
            tag = self.server.ask("GET", path).headers["ETag"]
            self.assertEqual(self.ask(path, If_None_Match=tag)[0], 304, path)

    def test_problems_match_the_openapi_document(self):
        weigh = "/screens/deliveries/actions/weigh"
        input = {"input": {"delivery": "7534-1", "kilograms": 10}}
        key = {"Idempotency_Key": "a key"}
        self.ask(weigh, "POST", input, **key)
        asked = [
            ("invalid-target", "/a%ff", "GET", None, {}), ("not-found", "/none", "GET", None, {}),
            ("invalid-parameters", "/screens/wifi?a=1", "GET", None, {}),
            ("invalid-parameters", "/screens/deliveries?contract=none", "GET", None, {}),
            ("invalid-parameters", "/screens?a=1", "GET", None, {}),
            ("invalid-body", "/screens/wifi/changes", "POST", {"version": 1}, {}), ("invalid-body", weigh, "POST", b"{", {}),
            ("invalid-request", "/screens/wifi", "GET", None, {"Host": "a b"}),
            ("misdirected", "/screens/wifi", "GET", None, {"Host": "evil.example"}), ("misdirected", weigh, "POST", input, {"Host": "evil.example"}),
            ("invalid-input", weigh, "POST", {"input": {"kilograms": 0}}, {}),
            ("broken-rule", weigh, "POST", {"input": {"delivery": "none", "kilograms": 1}}, {}),
            ("reused-key", weigh, "POST", {"input": {"delivery": "7534-1", "kilograms": 11}}, key),
            ("unsupported-media-type", weigh, "POST", input, {"Content_Type": "text/plain"}),
            ("not-acceptable", "/screens/wifi", "GET", None, {"Accept": "text/html"}),
            ("not-acceptable", "/openapi.json", "GET", None, {"Accept": "text/html"}),
            ("body-too-large", weigh, "POST", b" " * (1 << 20 | 1), {}),
            ("head-too-large", "/screens/wifi", "GET", None, {"A": "a" * 8000}),
            ("unmet-expectation", weigh, "POST", input, {"Expect": "a"}),
        ]
        for kind, path, method, body, headers in asked:
            with self.subTest(kind, path=path):
                self.assertEqual(self.ask(path, method, body, **headers)[1]["type"], f"urn:relist:problem:{kind}")
        # The server rejects these requests by their heads, so no body is sent.
        status, fields, bytes = self.ask_with_head(f"POST {weigh} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        self.assertEqual(json.loads(bytes)["type"], "urn:relist:problem:length-required")
        self.description.check("POST", weigh, status, fields, json.loads(bytes))
        status, fields, bytes = self.ask_with_head(f"POST {weigh} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n")
        self.assertEqual(json.loads(bytes)["type"], "urn:relist:problem:not-implemented")
        self.description.check("POST", weigh, status, fields, json.loads(bytes))
        # These problems do not belong to an operation, because of the path or the method.
        for kind, path, method in [("unknown-screen", "/screens/none", "GET"), ("method-not-allowed", "/screens", "DELETE"),
                                   ("unknown-action", "/screens/wifi/actions/none", "POST")]:
            _, fields, bytes = self.server.ask(method, path, body={} if method == "POST" else None)
            self.assertEqual(fields["Content-Type"], PROBLEM)
            name = "".join(word.capitalize() for word in kind.split("-")) + "Problem"
            self.description.validator(self.document["components"]["schemas"][name]).validate(json.loads(bytes))

    def test_the_openapi_document_forbids_undeclared_members_in_every_object_of_a_snapshot(self):
        for screen, query in [("settings", ""), ("deliveries", ""), ("posts", ""), ("mountains", "q=mont"), ("artist", "album=drift-ice"),
                              ("wifi", "")]:
            snapshot = self.ask(f"/screens/{screen}?{query}")[1]
            schema = self.description.response("GET", f"/screens/{screen}", 200)["content"]["application/json"]["schema"]
            validator = self.description.validator(schema)
            places = list(objects(snapshot))
            # A link may have any parameters, because it may open another screen.
            for place in [place for place in places if place[-1:] != ("parameters",)][:60]:
                changed = copy.deepcopy(snapshot)
                part = changed
                for step in place:
                    part = part[step]
                part["undeclared"] = 1
                with self.subTest(screen, place=place), self.assertRaises(jsonschema.ValidationError):
                    validator.validate(changed)


def objects(value, place=()):
    """Yields the paths of all objects in a value."""
    if isinstance(value, dict):
        yield place
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else []
    for step, part in steps:
        yield from objects(part, (*place, step))


if __name__ == "__main__":
    unittest.main()
