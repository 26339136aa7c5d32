"""Tests with random and extreme requests. schemathesis generates them from the OpenAPI document and checks the responses."""

import collections
import itertools
import json
import os
import pathlib
import subprocess
import sys
import unittest

from serving import Server, events

HERE = pathlib.Path(__file__).parent


class FuzzingTest(unittest.TestCase):
    def test_responses_to_generated_requests_match_the_openapi_document(self):
        server = Server()
        self.addCleanup(server.remove)
        server.start()
        # Networks come into range only while a client follows the screen.
        with server.follow("/screens/wifi/changes") as stream:
            collections.deque(itertools.islice(events(stream), 3), maxlen=0)
        successes = pathlib.Path(server.folder, "successes")
        environment = os.environ | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(HERE), "SUCCESSES": str(successes)}
        document = pathlib.Path(server.folder, "openapi.json")
        document.write_bytes(server.ask("GET", "/openapi.json").content)
        program = pathlib.Path(sys.executable).parent / "schemathesis"
        run = subprocess.run(
            [program, "--config-file", HERE / "schemathesis.toml", "run", document, "--url", server.origin, "--checks", "all",
             "--warnings", "off"],
            cwd=server.folder, env=environment, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        paths = json.loads(document.read_bytes())["paths"]
        operations = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
        self.assertEqual(operations - set(successes.read_text().splitlines()), set())


if __name__ == "__main__":
    unittest.main()
