"""Tests of the server under a service manager. The tests act as the service manager."""

import http.client
import queue
import socket
import subprocess
import threading
import unittest

from serving import TIMEOUT, Server, environment, relist

# The shell passes a socket as descriptor 3 to the program that replaces it.
PASSING = 'exec 3<&"$0"; LISTEN_PID=$$ exec "$@"'


class Service(Server):
    """A server that serves a passed socket and sends notifications. Both sockets stay open when it is restarted."""

    def __init__(self, *options, count=1, watchdog=60):
        """`count` is the value of `LISTEN_FDS`, and `watchdog` the interval of the watchdog in seconds."""
        super().__init__(*options)
        self.count, self.watchdog = count, watchdog
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        self.notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notified.bind(str(self.folder / "notify"))
        self.notifications = queue.Queue()
        # The system keeps only ten datagrams, so they are read at once.
        self.thread = threading.Thread(target=self._receive)
        self.thread.start()

    def spawn(self, command, env, **options):
        interval = str(int(self.watchdog * 1_000_000))
        env = {**env, "LISTEN_FDS": str(self.count), "NOTIFY_SOCKET": self.notified.getsockname(), "WATCHDOG_USEC": interval}
        command = ["bash", "-c", PASSING, str(self.listener.fileno()), *command]
        return super().spawn(command, env=env, pass_fds=[self.listener.fileno()], **options)

    def start(self, log=subprocess.DEVNULL):
        return super().start(stderr=log)

    def _receive(self):
        while message := self.notified.recv(4096):
            self.notifications.put(dict(line.split("=", 1) for line in message.decode().splitlines()))

    def next_notification(self, name):
        """Waits for a notification, and returns its value."""
        while True:
            assignments = self.notifications.get(timeout=TIMEOUT)
            if name in assignments:
                return assignments[name]

    def remove(self):
        self.stop()
        # An empty datagram ends the thread.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"", self.notified.getsockname())
        self.thread.join()
        self.notified.close()
        self.listener.close()
        super().remove()


class ServiceTest(unittest.TestCase):
    def service(self, *options, **more):
        service = Service(*options, **more)
        self.addCleanup(service.remove)
        return service

    def test_the_service_manager_is_notified_when_the_server_is_ready_works_and_stops(self):
        service = self.service(watchdog=0.1).start()
        self.assertEqual(service.next_notification("READY"), "1")
        for _ in range(3):
            self.assertEqual(service.next_notification("WATCHDOG"), "1")
        service.get("/screens/settings")
        self.assertEqual(service.stop(), 0)
        self.assertEqual(service.next_notification("STOPPING"), "1")
        self.assertEqual(service.next_notification("STATUS"), "Ending responses in progress")

    def test_the_status_contains_the_address_of_the_passed_socket(self):
        service = self.service().start()
        address = f"http://127.0.0.1:{service.listener.getsockname()[1]}"
        self.assertEqual(service.next_notification("STATUS"), "Opening the database")
        self.assertEqual(service.next_notification("STATUS"), f"Serving on {address}")
        self.assertIn(address, service.greeting)

    def test_a_request_that_is_sent_during_a_restart_is_answered(self):
        service = self.service().start()
        version = service.get("/screens/settings")["version"]
        self.assertEqual(service.stop(), 0)
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=TIMEOUT)
        self.addCleanup(connection.close)
        connection.request("GET", "/screens/settings", headers={"Host": "localhost"})
        service.start()
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["ETag"]), (200, f'"{version}"'))

    def test_the_log_says_that_the_host_and_the_port_are_not_used(self):
        service = self.service("--host", "127.0.0.2")
        with open(service.folder / "log", "w") as log:
            service.start(log)
        self.assertIn("--host and --port are not used", (service.folder / "log").read_text())

    def test_a_server_that_is_passed_two_sockets_does_not_start(self):
        service = self.service(count=2)
        command = [relist(), "serve", "--database", service.database]
        process = service.spawn(command, env=environment(), stderr=subprocess.PIPE, text=True)
        _, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn("has passed 2 sockets", errors)
        self.assertFalse(service.database.exists())


if __name__ == "__main__":
    unittest.main()
