"""Compiles the mistakes in `Sources` with the modules in the folder BUILT. Above each mistake, a comment has the expected message."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[3]
SOURCES = sorted((pathlib.Path(__file__).parent / "Sources").glob("*.swift"))
BUILT = pathlib.Path(os.environ["BUILT"])
SWIFT = [os.environ["SWIFT"]] if shutil.which(os.environ["SWIFT"]) else shlex.split(os.environ["SWIFT"])


def expected(source):
    """Returns the messages in the comments of a file, each with the name of the file and the line below the comment."""
    messages, message = [], None
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        comment = re.match(r" *// (error: )?(.*)", line)
        if comment and comment[1]:
            message = comment[2]
        elif comment and message:
            message += " " + comment[2]
        elif message:
            messages.append((source.name, number, message))
            message = None
    return messages


def compiled():
    """Returns the errors of the compiler, each with the name of the file and the line."""
    with tempfile.TemporaryDirectory() as cache:
        # The frontend reads all files in one process, so that a mistake in one file does not hide those in the others.
        call = [
            *SWIFT, "-frontend", "-typecheck", "-module-name", "Mistakes", "-swift-version", "6", "-diagnostic-style", "llvm",
            "-module-cache-path", cache, "-I", BUILT / "Modules",
            "-Xcc", f"-fmodule-map-file={BUILT / 'CXXHash.build/module.modulemap'}", "-I", ROOT / "Sources/CXXHash/include", *SOURCES,
        ]
        output = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
    errors = re.findall(r"(?m)^(?:.*/)?([^/\n]*):(\d+):\d+: error: (?:'[^\n']*' is unavailable: )?(.*)$", output)
    return [(name, int(line), message) for name, line, message in errors], output


class MistakesTest(unittest.TestCase):
    maxDiff = None

    def test_the_compiler_explains_each_mistake_at_its_place(self):
        errors, output = compiled()
        mistakes = [message for source in SOURCES for message in expected(source)]
        self.assertGreater(len(mistakes), 10)
        self.assertEqual(sorted(errors), mistakes, output)


if __name__ == "__main__":
    unittest.main()
