"""Tests of the programs that `make cluster` starts: replicas and nginx respond, and no process or file remains at the end."""

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
# The number of seconds after which a step fails.
TIMEOUT = 120
Answer = collections.namedtuple("Answer", "document fields")


def descendants(process):
    """Returns the ids of the processes that a process has started, directly or indirectly."""
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
    """Returns True if a process runs. A zombie process does not run."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def own_terminal():
    """Makes standard input the terminal of this process. A program that was started in the background ignores Ctrl-C, and so would this one."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class ClusterTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="relist-")
        self.addCleanup(self.folder.cleanup)
        # Programs that run as other users must be able to enter the folder.
        os.chmod(self.folder.name, 0o711)
        # The programs in this folder replace programs of the system in a test.
        self.programs = tempfile.TemporaryDirectory(prefix="relist-")
        self.addCleanup(self.programs.cleanup)
        self.port, self.text = free_port(), ""

    def launch(self, *starter):
        """Starts the script in a terminal of its own, because a test can end the script with Ctrl-C."""
        self.terminal, end = os.openpty()
        self.process = subprocess.Popen(
            [*starter, HERE / "cluster"], stdin=end, stdout=end, stderr=end, start_new_session=True,
            preexec_fn=own_terminal,
            env={**os.environ, "PORT": str(self.port), "TMPDIR": self.folder.name, "PATH": f"{self.programs.name}:{os.environ['PATH']}"})
        self.addCleanup(self.end)
        os.close(end)
        self.addCleanup(self.hang_up)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def hang_up(self):
        if self.terminal is not None:
            os.close(self.terminal)
        self.terminal = None

    def read(self, pattern):
        """Reads the output until it matches a pattern."""
        end = time.monotonic() + TIMEOUT
        while not (found := re.search(pattern, self.text)):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            self.assertTrue(ready, f"{pattern!r} was not printed, but {self.text!r}")
            self.text += os.read(self.terminal, 65536).decode()
        return found

    def note_started(self):
        self.started = {}
        for one in descendants(self.process.pid):
            # Short-lived processes may have ended by now.
            with contextlib.suppress(OSError):
                self.started[one] = pathlib.Path(f"/proc/{one}/cmdline").read_bytes()

    def start(self, *starter):
        self.launch(*starter)
        self.read("Ctrl-C ends everything")
        self.replicas = list(dict.fromkeys(re.findall(r"curl -i http://(\S+)/screens/settings\r", self.text)))[:2]
        self.note_started()
        # These processes are the database and the script that runs it, two replicas, and nginx with its worker.
        self.assertGreaterEqual(len(self.started), 6)

    def ask(self, address, path, body=None):
        fields = {"Content-Type": "application/json"} if body else {}
        request = urllib.request.Request(f"http://{address}{path}", body and json.dumps(body).encode(), fields)
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return Answer(json.load(answer), answer.headers)

    def follow(self, address):
        request = urllib.request.Request(f"http://{address}/screens/settings/changes", headers={"Accept": "text/event-stream"})
        stream = urllib.request.urlopen(request, timeout=TIMEOUT)
        self.addCleanup(stream.close)
        return stream

    def assert_nothing_is_left(self):
        try:
            self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.fail("it has not ended:\n" + subprocess.run(["ps", "-eo", "pid,ppid,stat,wchan:20,args"], text=True, capture_output=True).stdout)
        self.assertEqual([self.started[one] for one in self.started if is_there(one)], [])
        self.assertEqual(os.listdir(self.folder.name), [])
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", self.port)).close()

    def test_replicas_and_nginx_show_the_same_content_and_ctrl_c_ends_all_processes(self):
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

    def test_a_killed_replica_is_reported_and_the_other_serves_all_requests(self):
        self.start()
        os.kill(int(self.read(r"kill -9 (\d+)")[1]), signal.SIGKILL)
        self.read("the first replica has ended")
        nginx = f"127.0.0.1:{self.port}"
        for path, body in [("", None), ("/changes", {"version": ""})] * 3:
            answer = self.ask(nginx, "/screens/settings" + path, body)
            self.assertEqual(answer.fields["Relist-Replica"].split(", ")[-1], self.replicas[1])
        self.process.terminate()
        self.assert_nothing_is_left()

    def test_closing_the_terminal_ends_all_processes_even_orphaned_workers(self):
        # The shell acts like make, which receives the signal of a closed terminal but does not forward it.
        self.start("sh", "-c", 'trap : HUP; "$0"; exit $?')
        master = next(one for one, command in self.started.items() if b"nginx: master" in command)
        os.kill(master, signal.SIGKILL)
        self.read("nginx has ended")
        self.hang_up()
        self.assert_nothing_is_left()

    def test_a_program_is_ended_even_before_it_has_its_own_session(self):
        setsid = pathlib.Path(self.programs.name, "setsid")
        setsid.write_text(f'#!/bin/sh\ncase $1 in *server) exec {shutil.which("setsid")} "$@";; esac\necho is starting >/dev/tty\nexec sleep infinity\n')
        setsid.chmod(0o755)
        self.launch()
        self.read("is starting")
        self.note_started()
        self.process.terminate()
        self.assert_nothing_is_left()

    def test_a_port_in_use_is_reported_and_no_process_or_file_remains(self):
        with socket.create_server(("127.0.0.1", self.port)):
            self.launch()
            self.read("nginx has not started:(.|\n)*Address already in use")
            self.assertEqual(self.process.wait(TIMEOUT), 1)
        self.started = {}
        self.assert_nothing_is_left()


class ComposeTest(unittest.TestCase):
    """Checks `compose.yaml` without running it."""

    def test_docker_compose_sets_all_variables_of_the_nginx_template(self):
        text = (ROOT / "Deploy/compose.yaml").read_text()
        template = re.search(r"- \./(\S+):/etc/nginx/templates/\S+\.template:ro", text)[1]
        names = set(re.findall(r"\$\{(\w+)\}", (ROOT / "Deploy" / template).read_text()))
        self.assertEqual(set(re.findall(r"(?m)^ +([A-Z]+): ", text)), names)


if __name__ == "__main__":
    unittest.main()
