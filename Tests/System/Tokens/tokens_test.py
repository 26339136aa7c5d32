"""Tests of tokens that another implementation has signed."""

import base64
import json
import socket
import unittest

from issuing import ALGORITHMS, Issuer, Server, now
from joserfc import jws
from joserfc.jwk import ECKey, OctKey, RSAKey


def part(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


class TokensTest(unittest.TestCase):
    """Tests that a valid token is accepted, and that an invalid token is rejected with the cause."""

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.server = Server("--log-level", "trace", key_set=cls.issuer.key_set())
        cls.addClassCleanup(cls.server.remove)

    def expect_accepted(self, token):
        answer = self.server.ask("GET", "/screens/settings", token)
        self.assertEqual(answer.status, 200, answer.content)

    def expect_rejected(self, token, reason):
        for path in ["/screens/settings", "/screens/mountains", "/screens"]:
            answer = self.server.ask("GET", path, token)
            self.assertEqual(answer.status, 401, f"{path} {answer.content}")
            problem = json.loads(answer.content)
            self.assertEqual(problem["type"], "urn:relist:problem:invalid-token")
            self.assertIn(reason, problem["detail"])
            self.assertEqual(answer.headers["WWW-Authenticate"], 'Bearer error="invalid_token"')
            self.assertEqual(answer.headers["Cache-Control"], "no-store")

    def test_a_token_of_each_supported_algorithm_is_accepted(self):
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                self.expect_accepted(self.issuer.token(algorithm=algorithm))
                self.expect_accepted(self.issuer.token(algorithm=algorithm, header={"typ": "at+jwt"}))
        self.expect_accepted(self.issuer.token(algorithm="Ed25519", key=self.issuer.keys["EdDSA"]))

    def test_a_screen_for_users_requires_a_token(self):
        answer = self.server.ask("GET", "/screens/settings")
        self.assertEqual((answer.status, answer.headers["WWW-Authenticate"]), (401, "Bearer"))
        self.assertEqual(self.server.ask("GET", "/screens/mountains").status, 200)
        self.assertEqual(self.server.ask("GET", "/screens/settings", Authorization="Basic YTpi").status, 401)

    def test_a_token_signed_with_another_key_is_rejected(self):
        other = Issuer()
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                key = other.keys[algorithm]
                self.expect_rejected(self.issuer.token(algorithm=algorithm, key=key), "signature")
        header, claims, signature = self.issuer.token().split(".")
        self.expect_rejected(".".join([header, part({"sub": "root", "exp": now() + 9}), signature]), "issuer")
        self.expect_rejected(".".join([header, claims, signature[:-6]]), "signature")
        self.expect_rejected(".".join([header, claims, ""]), "signature")

    def test_an_unsigned_token_is_rejected(self):
        claims = part({"iss": "https://issuer.example", "aud": "relist", "sub": "alice", "exp": now() + 3600})
        for algorithm in ["none", "None", "NONE", ""]:
            self.expect_rejected(f'{part({"alg": algorithm})}.{claims}.', "must be signed by one of")
        self.expect_rejected(f'{part({})}.{claims}.', "must be signed by one of")

    def test_a_token_signed_with_a_known_key_but_the_wrong_algorithm_is_rejected(self):
        rsa = self.issuer.keys["RS256"]
        for algorithm in ["RS384", "RS512", "PS256"]:
            token = self.issuer.token(algorithm=algorithm, key=rsa)
            self.expect_rejected(token, "must be signed by one of")
        # These tokens are signed with the public key as a shared secret. Anyone could sign such a token.
        for text in [rsa.as_pem(private=False), json.dumps(rsa.as_dict(private=False)).encode()]:
            secret = OctKey.import_key(text, {"kid": "rsa"})
            self.expect_rejected(self.issuer.token(algorithm="HS256", key=secret), "No key is known")
        ec = self.issuer.keys["ES256"]
        self.expect_rejected(self.issuer.token(key=ec, header={"kid": "rsa"}), "No key is known")

    def test_only_keys_of_the_configured_key_set_are_used(self):
        own = RSAKey.generate_key(2048, {"kid": "rsa"})
        public = own.as_dict(private=False)
        registry = jws.JWSRegistry(strict_check_header=False)
        claims = {"iss": "https://issuer.example", "aud": "relist", "sub": "alice", "exp": now() + 3600}
        for header in [{"jwk": public}, {"jku": "http://127.0.0.1:1/jwks"}, {"x5u": "http://127.0.0.1:1/x"}, {"x5c": ["AAAA"]}]:
            header = {"alg": "RS256", "kid": "rsa", **header}
            token = jws.serialize_compact(header, json.dumps(claims).encode(), own, algorithms=["RS256"], registry=registry)
            self.expect_rejected(token, "signature")
        for kid in ["../../etc/passwd", "", "rsa\u0000", "http://127.0.0.1/", "x" * 2000]:
            self.expect_rejected(self.issuer.token(key=self.issuer.keys["RS256"], algorithm="RS256", header={"kid": kid}), "No key is known")

    def test_a_token_without_a_key_id_is_accepted_if_there_is_one_key(self):
        self.expect_accepted(self.issuer.token(header={"kid": None}))

    def test_a_token_with_an_unsupported_critical_extension_is_rejected(self):
        signed = self.issuer.token().split(".")[1]
        for critical in [["exp"], ["b64"], [], "x"]:
            header = part({"alg": "ES256", "kid": "ec", "crit": critical, "b64": False, "exp": 1})
            self.expect_rejected(f"{header}.{signed}.AAAA", "must be understood")

    def test_a_token_of_another_type_is_rejected(self):
        for kind in ["logout+jwt", "dpop+jwt", "", "jose"]:
            self.expect_rejected(self.issuer.token(header={"typ": kind}), "another type")

    def test_a_token_outside_of_its_period_of_validity_is_rejected(self):
        self.expect_rejected(self.issuer.token(exp=now() - 1), "expired")
        self.expect_rejected(self.issuer.token(exp=0), "expired")
        self.expect_rejected(self.issuer.token(without=["exp"]), "until when it is valid")
        self.expect_rejected(self.issuer.token(exp=str(now() + 60)), "until when it is valid")
        self.expect_rejected(self.issuer.token(exp=True), "until when it is valid")
        self.expect_accepted(self.issuer.token(exp=now() + 60.5))
        self.expect_accepted(self.issuer.token(exp=1e30))
        self.expect_accepted(self.issuer.token(nbf=now() + 30))
        self.expect_rejected(self.issuer.token(nbf=now() + 120), "not valid yet")
        self.expect_rejected(self.issuer.token(nbf="soon"), "no signed JSON Web Token")

    def test_a_token_of_another_issuer_or_for_another_audience_is_rejected(self):
        for issuer in ["https://issuer.example/", "https://other.example", "", None, ["https://issuer.example"]]:
            self.expect_rejected(self.issuer.token(iss=issuer), "another issuer")
        self.expect_rejected(self.issuer.token(without=["iss"]), "another issuer")
        for audience in ["other", "", [], ["other"], None, {"relist": 1}]:
            self.expect_rejected(self.issuer.token(aud=audience), "meant for others")
        self.expect_rejected(self.issuer.token(without=["aud"]), "meant for others")
        self.expect_accepted(self.issuer.token(aud=["other", "relist"]))

    def test_a_token_without_a_valid_subject_is_rejected(self):
        for user in ["", None, 5, ["alice"]]:
            self.expect_rejected(self.issuer.token(user), "sub that is not empty")
        self.expect_rejected(self.issuer.token(without=["sub"]), "sub that is not empty")
        self.expect_rejected(self.issuer.token("é" * 128), "more than 255 bytes")
        self.expect_rejected(self.issuer.token("a\u0000b"), "U+0000")
        for user in ["é" * 127, "e\u0301", "\u00e9", "'; DROP TABLE profile; --", "../x", " ", "🏔"]:
            self.expect_accepted(self.issuer.token(user))

    def test_malformed_tokens_are_rejected(self):
        good = self.issuer.token()
        header, claims, signature = good.split(".")
        double = part('{"iss":"https://issuer.example","aud":"relist","sub":"alice","sub":"root","exp":9999999999}')
        deep = part("[" * 1000 + "]" * 1000)
        texts = [
            "", ".", "..", "...", "a.b.c", good + ".", "." + good, f"{header}.{claims}", f"{header}.{claims}={'.'}{signature}",
            f"{header}.{double}.{signature}", f"{header}.{deep}.{signature}", f"{deep}.{claims}.{signature}", f"{header} .{claims}.{signature}",
            f"{header}.{part('null')}.{signature}", f"{part('[]')}.{claims}.{signature}", f"{part([{}])}.{claims}.{signature}",
            f"{header}.{part(chr(0xFFFF))}.{signature}",
        ]
        for text in texts:
            with self.subTest(text[:60]):
                self.expect_rejected(text, "")
        self.expect_rejected(f"{good}, Bearer {good}", "")
        for scheme in ["Bearer\t", "bearer", "Bearer"]:
            self.assertEqual(self.server.ask("GET", "/screens/mountains", Authorization=f"{scheme}").status, 401)

    def test_a_request_with_two_authorization_fields_is_rejected(self):
        for first, second in [("Basic YTpi", "Bearer bad"), (f"Bearer {self.issuer.token()}", f"Bearer {self.issuer.token('bob')}")]:
            with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                head = f"GET /screens/mountains HTTP/1.1\r\nHost: h\r\nAuthorization: {first}\r\nAuthorization: {second}\r\n\r\n"
                connection.sendall(head.encode())
                self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 401"))

    def test_the_bearer_scheme_is_case_insensitive(self):
        for scheme in ["bearer", "BEARER", "Bearer "]:
            self.assertEqual(self.server.ask("GET", "/screens/settings", Authorization=f"{scheme} {self.issuer.token()}").status, 200)

    def test_the_log_contains_no_tokens_and_no_input(self):
        token = self.issuer.token("marvin", aud="marvins-secret-place")
        self.server.ask("GET", "/screens/settings", token)
        good = self.issuer.token("marvin")
        self.server.ask("POST", "/screens/settings/actions/changePassword", good, {"input": {"password": "correct horse"}})
        self.server.ask("POST", "/screens/settings/actions/changePassword", good, {"input": {"password": ["correct horse"]}})
        log = self.server.log()
        for secret in [token, good, token.split(".")[1], token.split(".")[2], "marvin", "correct horse", "secret-place"]:
            self.assertNotIn(secret, log)


class KeysTest(unittest.TestCase):
    """Tests of the key set and the flags at the start of a server."""

    def start_error(self, *flags, key_set=None):
        with self.assertRaises(AssertionError) as caught:
            Server(*flags, key_set=key_set).remove()
        said = str(caught.exception)
        self.assertEqual(said.count("\n"), 1, said)
        return said

    def test_an_invalid_key_set_is_reported_in_one_line(self):
        for key_set, reason in [
            ({}, "not a JSON Web Key Set"), ({"keys": []}, "has no keys"), ([], "not a JSON Web Key Set"),
            ({"keys": [{"kty": "RSA"}]}, "malformed"), ({"keys": [{"kty": "EC", "crv": "P-521"}]}, "not for any of"),
            ({"keys": [{"kty": "oct", "k": "c2hvcnQ"}]}, "fewer than 32 bytes"),
            ({"keys": [{**ECKey.generate_key("P-256").as_dict(private=False), "use": "enc"}]}, "not for signatures"),
            ({"keys": [{"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"}]}, "malformed"),
        ]:
            self.assertIn(reason, self.start_error(key_set=key_set))

    def test_invalid_flags_are_reported_in_one_line(self):
        for flags, reason in [
            (["--authentication", "keys=/nowhere.json", "--issuer", "i"], "No such file"),
            (["--authentication", "keys=/", "--issuer", "i"], "not a file"),
            (["--authentication", "keys=http://issuer.example/keys", "--issuer", "i"], "https"),
            (["--authentication", "keys=ftp://issuer.example/keys", "--issuer", "i"], "https"),
            (["--authentication", "keys=k.json"], "--issuer"), (["--authentication", "tokens"], "must be demo"),
            (["--issuer", "i"], "keys="), (["--token-audience", "a"], "keys="), (["--allow-origin", "example.com"], "origin"),
            (["--host", "0.0.0.0"], "--authentication"),
        ]:
            with self.subTest(flags):
                self.assertIn(reason, self.start_error(*flags))

    def test_unusable_keys_in_a_key_set_are_ignored(self):
        issuer = Issuer()
        others = [{"kty": "EC", "crv": "P-384"}, {"kty": "RSA", "use": "enc"}, 5, None, {"kty": "new"}]
        server = Server(key_set={"keys": others + issuer.key_set()["keys"]})
        try:
            self.assertEqual(server.ask("GET", "/screens/settings", issuer.token()).status, 200)
        finally:
            server.remove()
