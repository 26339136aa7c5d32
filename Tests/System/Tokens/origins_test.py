"""Tests of pages of other origins than the server."""

import unittest

from issuing import Issuer, Server


class OriginsTest(unittest.TestCase):
    """Tests that only pages of the allowed origins can use the server."""

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.server = Server(
            "--allow-origin", "https://app.example", "--allow-origin", "http://localhost:3000", key_set=cls.issuer.key_set()
        )
        cls.addClassCleanup(cls.server.remove)

    def test_a_page_of_an_allowed_origin_can_read_responses_and_problems(self):
        token = self.issuer.token()
        for origin in ["https://app.example", "http://localhost:3000"]:
            for given, path, status in [(token, "/screens/settings", 200), (None, "/screens/settings", 401), ("x", "/screens", 401)]:
                answer = self.server.ask("GET", path, given, Origin=origin)
                self.assertEqual((answer.status, answer.headers["Access-Control-Allow-Origin"]), (status, origin))
                exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
                self.assertLessEqual({"ETag", "Relist-Position", "Relist-Replica"}, set(exposed))
                self.assertIn("Origin", answer.headers["Vary"])
                self.assertIsNone(answer.headers["Access-Control-Allow-Credentials"])

    def test_a_preflight_request_is_answered_and_can_be_cached(self):
        asked = {"Access_Control_Request_Method": "POST", "Access_Control_Request_Headers": "authorization,content-type,idempotency-key"}
        for path in ["/screens/settings/actions/rename", "/screens/settings/changes", "/screens"]:
            answer = self.server.ask("OPTIONS", path, Origin="https://app.example", **asked)
            self.assertEqual(answer.status, 204)
            allowed = answer.headers["Access-Control-Allow-Headers"].lower()
            for name in ["authorization", "content-type", "idempotency-key", "last-event-id", "prefer", "if-none-match", "relist-position"]:
                self.assertIn(name, allowed)
            self.assertIn("POST", answer.headers["Access-Control-Allow-Methods"])
            self.assertGreater(int(answer.headers["Access-Control-Max-Age"]), 600)

    def test_a_page_of_an_allowed_origin_can_read_a_stream(self):
        stream = self.server.follow("/screens/settings/changes", self.issuer.token(), Origin="https://app.example")
        self.assertEqual(stream.headers["Access-Control-Allow-Origin"], "https://app.example")
        stream.close()

    def test_the_vary_field_of_a_file_contains_origin(self):
        answer = self.server.ask("GET", "/", Origin="https://app.example")
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "https://app.example")
        for origin in [{}, {"Origin": "https://app.example"}, {"Origin": "https://evil.example"}]:
            self.assertIn("Origin", self.server.ask("GET", "/", **origin).headers["Vary"])

    def test_a_page_of_another_origin_cannot_read_responses(self):
        for origin in ["https://evil.example", "https://app.example.evil", "http://app.example", "null", "*", "https://app.example:8443"]:
            answer = self.server.ask("GET", "/screens", Origin=origin)
            self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])
            self.assertIn("Origin", answer.headers["Vary"])
            before = self.server.ask("OPTIONS", "/screens", Origin=origin, Access_Control_Request_Method="POST")
            self.assertIsNone(before.headers["Access-Control-Allow-Origin"])

    def test_no_origin_is_allowed_without_the_flag_allow_origin(self):
        server = Server(key_set=self.issuer.key_set())
        try:
            answer = server.ask("GET", "/screens", Origin="https://app.example")
            self.assertIsNone(answer.headers["Access-Control-Allow-Origin"])
        finally:
            server.remove()

    def test_documents_have_protective_header_fields(self):
        for path in ["/screens", "/screens/mountains", "/openapi.json", "/screens/none", "/screens/mountains/changes"]:
            answer = self.server.ask("GET", path)
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(answer.headers["Content-Security-Policy"], "default-src 'none'; frame-ancestors 'none'")
            self.assertIsNone(answer.headers["Set-Cookie"])
