"""Connections to an MPD server that cost the driver as little as possible."""
import re
import socket

# Left out where answers are compared: 0.24 tells when a song was added, and 0.23 leaves the format out of sorted
# answers; the numbers of queue entries depend on all that was added before.
_OWN_LINES = re.compile(rb"(?m)^(?:Added|Format|Id): .*\n")


class Refused(Exception):
    """The server answered with ACK."""


class Connection:
    """One client's connection; answers are counted and thrown away."""

    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(600)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray(1 << 20)
        self.greeting = self.socket.recv(256).decode().strip()

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def command(self, text):
        """Sends a command, or a whole list of them, and reads to the end of the answer."""
        self.send(text)
        self.finish()

    def list(self, commands):
        """Sends commands as one command list."""
        self.command("\n".join(["command_list_begin", *commands, "command_list_end"]))

    def finish(self):
        """Reads the rest of an answer and returns its length in bytes."""
        total, tail = 0, b""
        view = memoryview(self.buffer)
        while True:
            count = self.socket.recv_into(view)
            if not count:
                raise ConnectionError("the server closed the connection")
            self.received(view[:count])
            total += count
            tail = bytes(view[count - 2048:count]) if count >= 2048 else (tail + bytes(view[:count]))[-2048:]
            if tail.endswith(b"\nOK\n") or (total == 3 and tail == b"OK\n"):
                return total
            if tail.endswith(b"\n"):
                last = tail[tail.rfind(b"\n", 0, -1) + 1:]
                if last.startswith(b"ACK ["):
                    raise Refused(last.decode("utf-8", "replace").strip())

    def received(self, _piece):
        """Sees every piece of an answer as it comes."""

    def lines(self, text):
        """The lines of an answer, without the OK."""
        recorder = Recorder(self)
        recorder.command(text)
        return recorder.answers[-1].decode("utf-8", "replace").split("\n")[:-2]

    def values(self, text, key):
        """The values of the answer's lines with this key."""
        return [line[len(key) + 2:] for line in self.lines(text) if line.startswith(key + ": ")]


class Recorder(Connection):
    """The same connection with its answers kept, to compare two servers'."""

    def __init__(self, connection):
        # Deliberately not calling the base: it takes over an open connection.
        self.socket, self.buffer = connection.socket, connection.buffer
        self.answers, self._pieces = [], []

    def received(self, piece):
        self._pieces.append(bytes(piece))

    def finish(self):
        self._pieces = []
        total = super().finish()
        self.answers.append(b"".join(self._pieces))
        return total

    def digest(self):
        """What two servers' answers have in common when they say the same: songs, lines and bytes."""
        songs = lines = size = 0
        for answer in self.answers:
            plain = _OWN_LINES.sub(b"", answer)
            songs += plain.count(b"\nfile: ") + plain.startswith(b"file: ")
            lines += plain.count(b"\n")
            size += len(plain)
        return {"songs": songs, "lines": lines, "bytes": size}


def quoted(text):
    """An argument in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def equals(tag, value):
    """A filter for one value, as an argument."""
    inner = value.replace("\\", "\\\\").replace("'", "\\'")
    return quoted(f"({tag} == '{inner}')")
