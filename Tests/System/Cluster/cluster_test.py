"""What `make cluster` starts: that both replicas and nginx answer, that it says what has ended, and that nothing is left of it."""

import collections
import contextlib
import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import termios
import time
import unittest
import urllib.request

from serving import ROOT, free_port

HERE = pathlib.Path(__file__).resolve().parent
# Whoever waits in vain fails after so many seconds.
PATIENCE = 120
Answer = collections.namedtuple("Answer", "document fields")


def descendants(process):
    """The processes that a process has started, and those that they have."""
    parents = collections.defaultdict(list)
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text().partition(" (")
        except OSError:
            continue
        parents[int(rest.rpartition(") ")[2].split()[1])].append(int(number))
    found = list(parents[process])
    for child in found:
        found += parents[child]
    return found


def is_there(process):
    """Whether it runs; who is only not yet waited for does not."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


class ClusterTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="relist-")
        self.addCleanup(self.folder.cleanup)
        # Its users reach what lies in it.
        os.chmod(self.folder.name, 0o711)
        # Of the test's own, which go before others.
        self.programs = tempfile.TemporaryDirectory(prefix="relist-")
        self.addCleanup(self.programs.cleanup)
        self.port, self.text = free_port(), ""

    def launch(self, *starter):
        """Has it started in a terminal of its own: the keys of one are what ends it."""
        self.terminal, end = os.openpty()
        self.process = subprocess.Popen(
            [*starter, HERE / "cluster"], stdin=end, stdout=end, stderr=end, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "PORT": str(self.port), "TMPDIR": self.folder.name, "PATH": f"{self.programs.name}:{os.environ['PATH']}"})
        self.addCleanup(self.end)
        os.close(end)
        self.addCleanup(self.hang_up)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def hang_up(self):
        if self.terminal is not None:
            os.close(self.terminal)
        self.terminal = None

    def read(self, pattern):
        """What it says, up to something that is found in it then."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"{pattern!r} was not said, but {self.text!r}")
            self.text += os.read(self.terminal, 65536).decode()
        return found

    def note_started(self):
        self.started = {}
        for one in descendants(self.process.pid):
            # Some only look, and are gone by then.
            with contextlib.suppress(OSError):
                self.started[one] = pathlib.Path(f"/proc/{one}/cmdline").read_bytes()

    def start(self, *starter):
        self.launch(*starter)
        self.read("Ctrl-C ends all")
        self.replicas = list(dict.fromkeys(re.findall(r"curl -i http://(\S+)/screens/settings\r", self.text)))[:2]
        self.note_started()
        # The database with the script that runs it, two replicas, nginx with its worker.
        self.assertGreaterEqual(len(self.started), 6)

    def ask(self, address, path, body=None):
        fields = {"Content-Type": "application/json"} if body else {}
        request = urllib.request.Request(f"http://{address}{path}", body and json.dumps(body).encode(), fields)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return Answer(json.load(answer), answer.headers)

    def follow(self, address):
        request = urllib.request.Request(f"http://{address}/screens/settings/changes", headers={"Accept": "text/event-stream"})
        stream = urllib.request.urlopen(request, timeout=PATIENCE)
        self.addCleanup(stream.close)
        return stream

    def assert_nothing_is_left(self):
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.fail("it has not ended:\n" + subprocess.run(["ps", "-eo", "pid,ppid,stat,wchan:20,args"], text=True, capture_output=True).stdout)
        self.assertEqual([self.started[one] for one in self.started if is_there(one)], [])
        self.assertEqual(os.listdir(self.folder.name), [])
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.port)).close()

    def test_both_replicas_and_nginx_show_what_one_of_them_did_and_ctrl_c_ends_all(self):
        self.start()
        nginx = f"127.0.0.1:{self.port}"
        first, second = self.replicas
        held = self.ask(second, "/screens/settings").document["version"]
        done = self.ask(first, "/screens/settings/actions/rename", {"input": {"firstName": "Wylis"}})
        seen = f"?position={done.fields['Relist-Position']}"
        versions = {self.ask(address, "/screens/settings" + seen).document["version"] for address in [second, nginx, nginx]}
        self.assertEqual(versions, {done.document["version"]})
        changeset = self.ask(second, "/screens/settings/changes" + seen, {"version": held}).document
        self.assertEqual((changeset["kind"], changeset["version"]), ("changeset", done.document["version"]))
        answered = {self.ask(nginx, "/screens/mountains?q=blanc").fields["Relist-Replica"] for _ in range(4)}
        self.assertEqual(answered, {first, second})
        streams = [self.follow(nginx) for _ in range(2)]
        self.assertEqual({stream.headers["Relist-Replica"] for stream in streams}, {first, second})
        self.ask(nginx, "/screens/settings/actions/rename", {"input": {"firstName": "Walder"}})
        for stream in streams:
            self.assertTrue(any(b"Walder" in line for line in stream), "the stream has ended")
        os.write(self.terminal, b"\x03")
        self.assert_nothing_is_left()
        self.assertEqual(self.process.returncode, 130)

    def test_it_says_which_replica_was_killed_and_the_other_answers_all(self):
        self.start()
        os.kill(int(self.read(r"kill -9 (\d+)")[1]), signal.SIGKILL)
        self.read("the first replica has ended")
        nginx = f"127.0.0.1:{self.port}"
        for path, body in [("", None), ("/changes", {"version": ""})] * 3:
            answer = self.ask(nginx, "/screens/settings" + path, body)
            self.assertEqual(answer.fields["Relist-Replica"].split(", ")[-1], self.replicas[1])
        self.process.terminate()
        self.assert_nothing_is_left()

    def test_the_end_of_the_terminal_ends_all_even_what_lost_its_master(self):
        # As make does: it alone is told, waits, and tells nobody.
        self.start("sh", "-c", 'trap : HUP; "$0"; exit $?')
        master = next(one for one, command in self.started.items() if b"nginx: master" in command)
        os.kill(master, signal.SIGKILL)
        self.read("nginx has ended")
        self.hang_up()
        self.assert_nothing_is_left()

    def test_it_ends_what_has_just_been_started_and_has_no_session_yet(self):
        setsid = pathlib.Path(self.programs.name, "setsid")
        setsid.write_text(f'#!/bin/sh\ncase $1 in *server) exec {shutil.which("setsid")} "$@";; esac\necho is starting >/dev/tty\nexec sleep infinity\n')
        setsid.chmod(0o755)
        self.launch()
        self.read("is starting")
        self.note_started()
        self.process.terminate()
        self.assert_nothing_is_left()

    def test_a_port_that_is_taken_is_said_and_nothing_is_left(self):
        with socket.create_server(("127.0.0.1", self.port)):
            self.launch()
            self.read("nginx has not started:(.|\n)*Address already in use")
            self.assertEqual(self.process.wait(PATIENCE), 1)
        self.started = {}
        self.assert_nothing_is_left()


class ComposeTest(unittest.TestCase):
    """No engine runs `compose.yaml` here; what it names of this repository is there."""

    def test_it_gives_nginx_the_same_file_with_all_that_is_to_be_filled_in(self):
        text = (ROOT / "Deploy/compose.yaml").read_text()
        template = re.search(r"- \./(\S+):/etc/nginx/templates/\S+\.template:ro", text)[1]
        names = set(re.findall(r"\$\{(\w+)\}", (ROOT / "Deploy" / template).read_text()))
        self.assertEqual(set(re.findall(r"(?m)^ +([A-Z]+): ", text)), names)


if __name__ == "__main__":
    unittest.main()
