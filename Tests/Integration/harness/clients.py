"""Clients: mpc as a process, and a bare socket for what no client would send."""
import os
import socket
import subprocess

from .programs import need


def mpc(server, *arguments, check=True, seconds=20):
    """Runs mpc and returns what it printed."""
    need("mpc")
    result = subprocess.run(
        ["mpc", *map(str, arguments)], text=True, capture_output=True, timeout=seconds,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "MPD_HOST": server.host, "MPD_PORT": str(server.port)})
    if check:
        assert result.returncode == 0, f"mpc {arguments}: {result.stderr}"
    return result.stdout


class RawClient:
    """A connection that sends exactly what it is told."""

    def __init__(self, server, timeout=10, over_socket=False):
        if over_socket:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(timeout)
            self.socket.connect(str(server.socket))
        else:
            self.socket = socket.create_connection((server.host, server.port), timeout=timeout)
        self.received = b""
        self.greeting = self.line()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends bytes as they are."""
        self.socket.sendall(data)

    def line(self):
        """The next line without its end; EOFError when the server has closed."""
        while b"\n" not in self.received:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the server closed the connection")
            self.received += data
        line, _, self.received = self.received.partition(b"\n")
        return line

    def answer(self):
        """All lines up to and including `OK` or `ACK`."""
        lines = [self.line()]
        while lines[-1] != b"OK" and not lines[-1].startswith(b"ACK "):
            lines.append(self.line())
        return lines

    def ask(self, command):
        """Sends one line and returns its answer."""
        self.send(command + b"\n")
        return self.answer()

    def answer_or_end(self):
        """The answer's last line, or None when the server closed the connection."""
        try:
            return self.answer()[-1]
        except (EOFError, ConnectionResetError):
            return None
