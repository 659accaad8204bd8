"""Servers that send what they like over TCP."""
import contextlib
import socket
import threading


class RawServer:
    """Hands every connection to `handler`, on a thread of its own, and closes it afterwards."""

    def __init__(self, handler):
        self.handler = handler
        self.connections = 0
        self.closing = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """Takes no more connections."""
        self.closing.set()
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError, ValueError, IndexError), connection:
            connection.settimeout(30)
            self.handler(connection)


class WebServer(RawServer):
    """Answers by path: `answers` has bytes to send as they are, or functions that take the connection and the path."""

    def __init__(self, answers=None):
        self.answers = answers or {}
        self.asked = []
        super().__init__(self._answer)

    @property
    def url(self):
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def _answer(self, connection):
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65536)
            if not piece:
                return
            head += piece
        path = head.split(b" ", 2)[1].decode("latin-1")
        self.asked.append(path)
        answer = self.answers.get(
    path.split("?")[0], self.answers.get(
        "*", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"))
        if callable(answer):
            answer(connection, path)
        else:
            connection.sendall(answer)


def page(body, kind="audio/mpeg", *lines, status="200 OK", length=True):
    """An answer of HTTP."""
    body = body.encode() if isinstance(body, str) else body
    lines = [*lines, *([f"Content-Length: {len(body)}"] if length else [])]
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}",
                       "Connection: close", *lines, "", ""]).encode("latin-1") + body


def without_end(head, piece):
    """Sends a head and then the same bytes until the client goes."""
    def send(connection, *_):
        connection.sendall(head)
        while True:
            connection.sendall(piece)
    return send


def dripping(server, head, piece, every=0.1):
    """Sends a head and then a few bytes now and then until the client goes or the server closes."""
    def send(connection, *_):
        connection.sendall(head)
        while not server().closing.wait(every):
            connection.sendall(piece)
    return send
