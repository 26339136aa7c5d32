"""The upstream server of the posts screen. Its posts change when `edition` is increased."""

import http.server
import json
import threading


class PostsServer(http.server.ThreadingHTTPServer):
    """Serves 20 posts. In each new edition, one post is inserted, one deleted, one moved and one edited."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), PostsRequest)
        self.edition = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def posts(self):
        first = self.edition + 1
        posts = [{"userId": 1, "id": number, "title": f"Post {number}", "body": "Some words."} for number in range(first, first + 20)]
        posts.insert(5, posts.pop(10 + self.edition % 5))
        posts[7]["title"] += f", edited for the {self.edition}. time"
        return posts

    def stop(self):
        self.shutdown()
        self.server_close()


class PostsRequest(http.server.BaseHTTPRequestHandler):
    """A request for posts."""

    def do_GET(self):
        body = json.dumps(self.server.posts() if "_page=1&" in self.path else []).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
