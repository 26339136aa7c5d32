"""An asynchronous HTTP client on sockets."""

import asyncio
import contextlib
import json
import time
import zlib

# The number of seconds for which an idle connection can be reused. It is less than the idle timeout of the server.
KEPT_SECONDS = 20
# The number of seconds after which a request fails.
TIMEOUT = 120


class Answer:
    """A response with its status, its body, and its header fields. The names of the fields are in lower case."""

    def __init__(self, status, fields, body=b""):
        self.status, self.fields, self.body = status, fields, body

    @property
    def document(self):
        return json.loads(self.body)


class Connection:
    """A connection of a client to the server."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.used = reader, writer, time.monotonic()
        self.is_encoded = False

    @classmethod
    async def open(cls, port, host="127.0.0.1", source=None):
        """Opens a connection. `source` is the address of the client."""
        address = source and (source, 0)
        return cls(*await asyncio.open_connection(host, port, limit=1 << 24, local_addr=address))

    def send(self, method, path, fields=(), body=None):
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in fields)]
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + (body or b""))

    async def head(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.split(": ", 1) for line in lines[1:] if line)
        answer = Answer(int(lines[0].split()[1]), {name.lower(): value for name, value in fields.items()})
        self.is_encoded = answer.fields.get("content-encoding") == "gzip"
        return answer

    async def answer(self):
        answer = await self.head()
        if answer.status not in (204, 304):
            await self.body(answer)
        self.used = time.monotonic()
        return answer

    async def body(self, answer):
        """Reads the body of the response `answer`."""
        answer.body = await self.reader.readexactly(int(answer.fields.get("content-length", 0)))
        if self.is_encoded:
            answer.body = zlib.decompress(answer.body, 31)

    async def events(self):
        """Yields the name and the data of each event in a stream until the stream ends."""
        text, decoder = b"", zlib.decompressobj(31)
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            chunk = (await self.reader.readexactly(size + 2))[:-2]
            text += decoder.decompress(chunk) if self.is_encoded else chunk
            *blocks, text = text.split(b"\n\n")
            for block in blocks:
                fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if b": " in line)
                if b"data" in fields:
                    yield fields[b"event"].decode(), json.loads(fields[b"data"])

    def close(self):
        self.writer.close()


class Client:
    """A client that reuses its connections.

    accepts() returns the value of Accept-Encoding for a request: gzip, or None for no field.
    """

    def __init__(self, port, accepts=lambda: None, host="127.0.0.1", source=None):
        self.port, self.accepts, self.host, self.source = port, accepts, host, source
        self.idle = []

    def _fields(self, fields):
        coding = self.accepts()
        return [*fields, ("Accept-Encoding", coding)] if coding else fields

    async def ask(self, method, path, fields=(), body=None):
        return await asyncio.wait_for(self._ask(method, path, fields, body), TIMEOUT)

    async def _ask(self, method, path, fields, body):
        connection = await self._connection()
        try:
            connection.send(method, path, self._fields(fields), body)
            answer = await connection.answer()
        except BaseException:
            connection.close()
            raise
        if answer.fields.get("connection") == "close":
            connection.close()
        else:
            self.idle.append(connection)
        return answer

    async def _connection(self):
        while self.idle:
            connection = self.idle.pop()
            if time.monotonic() - connection.used < KEPT_SECONDS and not connection.reader.at_eof():
                return connection
            connection.close()
        return await Connection.open(self.port, self.host, self.source)

    @contextlib.asynccontextmanager
    async def stream(self, path, fields=()):
        """Opens a stream on a new connection, and yields the connection together with the head of the response."""
        connection = await Connection.open(self.port, self.host, self.source)
        try:
            connection.send("GET", path, self._fields([("Accept", "text/event-stream"), *fields]))
            yield connection, await connection.head()
        finally:
            connection.close()

    def close(self):
        while self.idle:
            self.idle.pop().close()
