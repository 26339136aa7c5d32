"""Tokens that another implementation has made."""

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
    """A user is who a good token says, and a token that is not good is refused and says why."""

    @classmethod
    def setUpClass(cls):
        cls.issuer = Issuer()
        cls.server = Server("--log-level", "trace", key_set=cls.issuer.key_set())
        cls.addClassCleanup(cls.server.remove)

    def expect_accepted(self, token):
        answer = self.server.ask("GET", "/screens/settings", token)
        self.assertEqual(answer.status, 200, answer.content)

    def expect_refused(self, token, reason):
        for path in ["/screens/settings", "/screens/mountains", "/screens"]:
            answer = self.server.ask("GET", path, token)
            self.assertEqual(answer.status, 401, f"{path} {answer.content}")
            problem = json.loads(answer.content)
            self.assertEqual(problem["type"], "urn:relist:problem:invalid-token")
            self.assertIn(reason, problem["detail"])
            self.assertEqual(answer.headers["WWW-Authenticate"], 'Bearer error="invalid_token"')
            self.assertEqual(answer.headers["Cache-Control"], "no-store")

    def test_each_algorithm_signs_users_in(self):
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                self.expect_accepted(self.issuer.token(algorithm=algorithm))
                self.expect_accepted(self.issuer.token(algorithm=algorithm, header={"typ": "at+jwt"}))
        self.expect_accepted(self.issuer.token(algorithm="Ed25519", key=self.issuer.keys["EdDSA"]))

    def test_without_a_token_a_screen_for_users_says_who_it_is_for(self):
        answer = self.server.ask("GET", "/screens/settings")
        self.assertEqual((answer.status, answer.headers["WWW-Authenticate"]), (401, "Bearer"))
        self.assertEqual(self.server.ask("GET", "/screens/mountains").status, 200)
        self.assertEqual(self.server.ask("GET", "/screens/settings", Authorization="Basic YTpi").status, 401)

    def test_a_signature_by_another_key_is_none(self):
        other = Issuer()
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm):
                key = other.keys[algorithm]
                self.expect_refused(self.issuer.token(algorithm=algorithm, key=key), "signature")
        header, claims, signature = self.issuer.token().split(".")
        self.expect_refused(".".join([header, part({"sub": "root", "exp": now() + 9}), signature]), "issuer")
        self.expect_refused(".".join([header, claims, signature[:-6]]), "signature")
        self.expect_refused(".".join([header, claims, ""]), "signature")

    def test_no_signature_is_none(self):
        claims = part({"iss": "https://issuer.example", "aud": "relist", "sub": "alice", "exp": now() + 3600})
        for algorithm in ["none", "None", "NONE", ""]:
            self.expect_refused(f'{part({"alg": algorithm})}.{claims}.', "must be signed by one of")
        self.expect_refused(f'{part({})}.{claims}.', "must be signed by one of")

    def test_a_keys_other_algorithms_are_refused(self):
        rsa = self.issuer.keys["RS256"]
        for algorithm in ["RS384", "RS512", "PS256"]:
            token = self.issuer.token(algorithm=algorithm, key=rsa)
            self.expect_refused(token, "must be signed by one of")
        # The public key as a secret, with which everybody could sign.
        for text in [rsa.as_pem(private=False), json.dumps(rsa.as_dict(private=False)).encode()]:
            secret = OctKey.import_key(text, {"kid": "rsa"})
            self.expect_refused(self.issuer.token(algorithm="HS256", key=secret), "No key is known")
        ec = self.issuer.keys["ES256"]
        self.expect_refused(self.issuer.token(key=ec, header={"kid": "rsa"}), "No key is known")

    def test_a_key_is_one_of_the_set_and_of_no_other(self):
        own = RSAKey.generate_key(2048, {"kid": "rsa"})
        public = own.as_dict(private=False)
        registry = jws.JWSRegistry(strict_check_header=False)
        claims = {"iss": "https://issuer.example", "aud": "relist", "sub": "alice", "exp": now() + 3600}
        for header in [{"jwk": public}, {"jku": "http://127.0.0.1:1/jwks"}, {"x5u": "http://127.0.0.1:1/x"}, {"x5c": ["AAAA"]}]:
            header = {"alg": "RS256", "kid": "rsa", **header}
            token = jws.serialize_compact(header, json.dumps(claims).encode(), own, algorithms=["RS256"], registry=registry)
            self.expect_refused(token, "signature")
        for kid in ["../../etc/passwd", "", "rsa\u0000", "http://127.0.0.1/", "x" * 2000]:
            self.expect_refused(self.issuer.token(key=self.issuer.keys["RS256"], algorithm="RS256", header={"kid": kid}), "No key is known")

    def test_a_token_that_names_no_key_is_taken_where_there_is_one_only(self):
        self.expect_accepted(self.issuer.token(header={"kid": None}))

    def test_what_has_to_be_understood_and_is_not_is_refused(self):
        signed = self.issuer.token().split(".")[1]
        for critical in [["exp"], ["b64"], [], "x"]:
            header = part({"alg": "ES256", "kid": "ec", "crit": critical, "b64": False, "exp": 1})
            self.expect_refused(f"{header}.{signed}.AAAA", "must be understood")

    def test_a_token_of_another_type_is_refused(self):
        for kind in ["logout+jwt", "dpop+jwt", "", "jose"]:
            self.expect_refused(self.issuer.token(header={"typ": kind}), "another type")

    def test_times_are_kept(self):
        self.expect_refused(self.issuer.token(exp=now() - 1), "expired")
        self.expect_refused(self.issuer.token(exp=0), "expired")
        self.expect_refused(self.issuer.token(without=["exp"]), "until when it is valid")
        self.expect_refused(self.issuer.token(exp=str(now() + 60)), "until when it is valid")
        self.expect_refused(self.issuer.token(exp=True), "until when it is valid")
        self.expect_accepted(self.issuer.token(exp=now() + 60.5))
        self.expect_accepted(self.issuer.token(exp=1e30))
        self.expect_accepted(self.issuer.token(nbf=now() + 30))
        self.expect_refused(self.issuer.token(nbf=now() + 120), "not valid yet")
        self.expect_refused(self.issuer.token(nbf="soon"), "no signed JSON Web Token")

    def test_whose_it_is_and_what_for(self):
        for issuer in ["https://issuer.example/", "https://other.example", "", None, ["https://issuer.example"]]:
            self.expect_refused(self.issuer.token(iss=issuer), "another issuer")
        self.expect_refused(self.issuer.token(without=["iss"]), "another issuer")
        for audience in ["other", "", [], ["other"], None, {"relist": 1}]:
            self.expect_refused(self.issuer.token(aud=audience), "meant for others")
        self.expect_refused(self.issuer.token(without=["aud"]), "meant for others")
        self.expect_accepted(self.issuer.token(aud=["other", "relist"]))

    def test_who_it_is_for(self):
        for user in ["", None, 5, ["alice"]]:
            self.expect_refused(self.issuer.token(user), "sub that is not empty")
        self.expect_refused(self.issuer.token(without=["sub"]), "sub that is not empty")
        self.expect_refused(self.issuer.token("é" * 128), "more than 255 bytes")
        self.expect_refused(self.issuer.token("a\u0000b"), "U+0000")
        for user in ["é" * 127, "e\u0301", "\u00e9", "'; DROP TABLE profile; --", "../x", " ", "🏔"]:
            self.expect_accepted(self.issuer.token(user))

    def test_what_is_no_token_is_refused(self):
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
                self.expect_refused(text, "")
        self.expect_refused(f"{good}, Bearer {good}", "")
        for scheme in ["Bearer\t", "bearer", "Bearer"]:
            self.assertEqual(self.server.ask("GET", "/screens/mountains", Authorization=f"{scheme}").status, 401)

    def test_several_fields_are_refused(self):

        for first, second in [("Basic YTpi", "Bearer bad"), (f"Bearer {self.issuer.token()}", f"Bearer {self.issuer.token('bob')}")]:
            with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                head = f"GET /screens/mountains HTTP/1.1\r\nHost: h\r\nAuthorization: {first}\r\nAuthorization: {second}\r\n\r\n"
                connection.sendall(head.encode())
                self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 401"))

    def test_the_scheme_may_be_written_in_any_letters(self):
        for scheme in ["bearer", "BEARER", "Bearer "]:
            self.assertEqual(self.server.ask("GET", "/screens/settings", Authorization=f"{scheme} {self.issuer.token()}").status, 200)

    def test_zz_nothing_of_a_token_or_of_an_input_is_in_the_log(self):
        token = self.issuer.token("marvin", aud="marvins-secret-place")
        self.server.ask("GET", "/screens/settings", token)
        good = self.issuer.token("marvin")
        self.server.ask("POST", "/screens/settings/actions/changePassword", good, {"input": {"password": "correct horse"}})
        self.server.ask("POST", "/screens/settings/actions/changePassword", good, {"input": {"password": ["correct horse"]}})
        log = self.server.log()
        for secret in [token, good, token.split(".")[1], token.split(".")[2], "marvin", "correct horse", "secret-place"]:
            self.assertNotIn(secret, log)


class KeysTest(unittest.TestCase):
    """What keys a server starts with."""

    def refusal(self, *flags, key_set=None):
        with self.assertRaises(AssertionError) as caught:
            Server(*flags, key_set=key_set).remove()
        said = str(caught.exception)
        self.assertEqual(said.count("\n"), 1, said)
        return said

    def test_a_set_that_is_none_is_one_clear_line(self):
        for key_set, reason in [
            ({}, "no JSON Web Key Set"), ({"keys": []}, "has no keys"), ([], "no JSON Web Key Set"),
            ({"keys": [{"kty": "RSA"}]}, "malformed"), ({"keys": [{"kty": "EC", "crv": "P-521"}]}, "for none of"),
            ({"keys": [{"kty": "oct", "k": "c2hvcnQ"}]}, "fewer than 32 bytes"),
            ({"keys": [{**ECKey.generate_key("P-256").as_dict(private=False), "use": "enc"}]}, "not for signatures"),
            ({"keys": [{"kty": "EC", "crv": "P-256", "x": "AAAA", "y": "AAAA"}]}, "malformed"),
        ]:
            self.assertIn(reason, self.refusal(key_set=key_set))

    def test_bad_flags_are_one_clear_line_each(self):
        for flags, reason in [
            (["--authentication", "keys=/nowhere.json", "--issuer", "i"], "No such file"),
            (["--authentication", "keys=/", "--issuer", "i"], "no file"),
            (["--authentication", "keys=http://issuer.example/keys", "--issuer", "i"], "https"),
            (["--authentication", "keys=ftp://issuer.example/keys", "--issuer", "i"], "https"),
            (["--authentication", "keys=k.json"], "--issuer"), (["--authentication", "tokens"], "must be demo"),
            (["--issuer", "i"], "keys="), (["--token-audience", "a"], "keys="), (["--allow-origin", "example.com"], "origin"),
            (["--host", "0.0.0.0"], "--authentication"),
        ]:
            with self.subTest(flags):
                self.assertIn(reason, self.refusal(*flags))

    def test_keys_of_no_use_are_left_out(self):
        issuer = Issuer()
        others = [{"kty": "EC", "crv": "P-384"}, {"kty": "RSA", "use": "enc"}, 5, None, {"kty": "new"}]
        server = Server(key_set={"keys": others + issuer.key_set()["keys"]})
        try:
            self.assertEqual(server.ask("GET", "/screens/settings", issuer.token()).status, 200)
        finally:
            server.remove()
