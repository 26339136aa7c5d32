"""A server of another implementation, without streams."""

import http.server
import json
import mimetypes
import threading

from serving import ROOT


class ScriptedServer(http.server.ThreadingHTTPServer):
    """Serves the page, and responds to requests with the entries of `answers`, which has a key for each method and path."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = {}
        self.requests = []
        self.thread = threading.Thread(target=self.serve_forever)

    def start(self):
        self.thread.start()
        return self

    def remove(self):
        self.shutdown()
        self.thread.join()
        self.server_close()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    """Handles one request."""

    def do_GET(self):
        path = self.path.split("?")[0]
        file = ROOT / "Public" / (path.strip("/") or "index.html")
        if file.is_file():
            self.send(200, mimetypes.guess_type(file.name)[0], file.read_bytes())
        else:
            self.answer_document("GET", path, None)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer_document("POST", self.path.split("?")[0], body)

    def answer_document(self, method, path, body):
        missing = (404, {"type": "about:blank", "title": "Not here", "status": 404})
        self.server.requests.append((method, self.path, body))
        status, document = self.server.answers.get((method, path), missing)
        self.send(status, "application/json" if status == 200 else "application/problem+json", json.dumps(document).encode())

    def send(self, status, kind, content):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Logs nothing."""
