"""Checks of the systemd units in the folder `Deploy`."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from serving import ROOT, TIMEOUT

UNITS = ["relist.service", "relist.socket"]


def analyze(*arguments):
    """Returns the exit status of `systemd-analyze`, and its output."""
    done = subprocess.run(
        ["systemd-analyze", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
    return done.returncode, done.stdout


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is missing")
class UnitsTest(unittest.TestCase):
    def test_the_exposure_of_the_service_is_at_most_two(self):
        status, said = analyze("security", "--offline=true", "--no-pager", "--threshold=20", ROOT / "Deploy/relist.service")
        self.assertEqual(status, 0, said)
        self.assertRegex(said, r"Overall exposure level for relist\.service: [01]\.\d")

    def test_systemd_finds_no_fault_in_the_units(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in UNITS:
                # The program is not installed on the machine of the tests.
                text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", (ROOT / "Deploy" / name).read_text())
                pathlib.Path(folder, name).write_text(text)
            arguments = ["verify", "--man=no", "--recursive-errors=no", *(pathlib.Path(folder, name) for name in UNITS)]
            self.assertEqual(analyze(*arguments), (0, ""))


if __name__ == "__main__":
    unittest.main()
