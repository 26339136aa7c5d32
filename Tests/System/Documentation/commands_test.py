"""Runs the commands of each page of the documentation on a new server, and compares the output of the commands with the page."""

import json
import os
import pathlib
import selectors
import subprocess
import time
import unittest

import pages
from expected import Expected
from serving import TIMEOUT, ServerTest

RELIST = pathlib.Path(os.environ["RELIST"])

# The beginnings of commands that this test does not run, with the reasons.
ELSEWHERE = {
    "make test": "runs this test",
    "make run": "installs packages and does not end; `make test` and the tests of the program cover its parts",
}


def steps(block):
    """Returns the commands of a block, each with its output. Output before the first command continues the output of a stream."""
    found = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif found and found[-1][0].endswith("\\\n"):
            found[-1][0] += line
        elif found:
            found[-1][1] += line
        else:
            found.append(["", line])
    return [(command.strip(), shown) for command, shown in found]


class Stream:
    """A command that does not end."""

    def __init__(self, process):
        self.process, self.text = process, ""

    def read(self, expected):
        end = time.monotonic() + TIMEOUT
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while not (match := expected.take(self.text, is_whole=False)):
                part = os.read(self.process.stdout.fileno(), 65536) if selector.select(max(0, end - time.monotonic())) else b""
                assert part, f"{self.text!r} does not begin with {expected.pattern.pattern!r}"
                self.text += part.decode()
        self.text = self.text[match.end():].partition("\n")[2].lstrip("\n")


class CommandsTest(ServerTest):
    program = str(RELIST)

    def setUp(self):
        super().setUp()
        self.versions, self.stream = {}, None
        self.environment = {**os.environ, "PATH": f"{RELIST.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

    def process(self, command):
        for shown, version in self.versions.items():
            command = command.replace(shown, version)
        command = command.replace("http://127.0.0.1:8080", self.server.origin).replace("curl ", "curl -sS ")
        command = command.replace(".build/release/relist", "relist")
        process = subprocess.Popen(
            command, shell=True, cwd=self.server.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def perform(self, command, shown, place):
        expected = Expected(shown, self.versions)
        if not command:
            return self.stream.read(expected)
        process = self.process(command)
        if "curl -N" in command:
            self.stream = Stream(process)
            return self.stream.read(expected)
        answer = process.communicate(timeout=TIMEOUT)[0].decode()
        if shown:
            self.assertTrue(expected.take(answer), f"{place}: {command}\nshows\n{shown}but says\n{answer}")
        else:
            self.assertEqual(process.returncode, 0, f"{place}: {command}\n{answer}")

    def check(self, page):
        count = 0
        for block in pages.blocks(page, "console"):
            for command, shown in steps(block):
                if not any(command.startswith(name) for name in ELSEWHERE):
                    self.perform(command, shown, block.place)
                    count += 1
        return count

    def test_commands_appear_only_in_console_blocks(self):
        for page in pages.PAGES:
            self.assertNotRegex(page.read_text(), r"(?m)^ +\$ ", page)

    def test_the_sizes_in_the_readme_are_correct(self):
        contract = "?contract=240500-000"
        _, snapshot = self.ask("/screens/deliveries" + contract)
        request = {"version": json.loads(snapshot)["version"], "input": {"delivery": "5069-1", "day": "2018-07-19"}}
        _, changeset = self.ask("/screens/deliveries/actions/reschedule" + contract, request)
        readme = pages.README.read_text()
        self.assertIn(f"A screen of 2,000 deliveries is {len(snapshot):,} bytes.", readme)
        self.assertIn(f"**{len(changeset):,} bytes** travel", readme)


def commands_test_for(page):
    def test(self):
        self.assertGreater(self.check(page), 0)
    return test


for _page in pages.PAGES:
    if pages.blocks(_page, "console"):
        setattr(CommandsTest, f"test_the_commands_of_{_page.stem.lower()}_do_what_they_show", commands_test_for(_page))


if __name__ == "__main__":
    unittest.main()
