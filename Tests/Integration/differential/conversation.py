"""One scenario with one server."""
import re

from harness.clients import RawClient
from harness.waiting import wait_for

from .normalising import ids

END = b"end_of_raw_bytes"


class Connection(RawClient):
    """A client that reads whole answers, with binary chunks and with the end of the connection in them."""

    def __init__(self, server, over_socket=False):
        super().__init__(server, timeout=30, over_socket=over_socket)
        self.is_closed = False

    def lines(self, is_end):
        """Lines as text until one of them ends the answer; `(closed)` when the server closed the connection."""
        found = []
        while True:
            try:
                line = self.line()
            except (EOFError, ConnectionResetError, BrokenPipeError):
                self.is_closed = True
                return found + ["(closed)"]
            text = line.decode("utf-8", "backslashreplace")
            found.append(text)
            if text.startswith("binary: "):
                found.append(self.chunk(int(text[8:])))
            if is_end(text):
                return found

    def chunk(self, size):
        """A binary chunk in hexadecimal digits."""
        while len(self.received) <= size:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError("the server closed the connection inside a chunk")
            self.received += data
        chunk, self.received = self.received[:size], self.received[size + 1:]
        return chunk.hex()

    def ask(self, text):
        """Sends lines and returns the answer's lines."""
        try:
            self.send(text.encode() + b"\n")
        except (ConnectionResetError, BrokenPipeError):
            pass
        return self.read()

    def read(self):
        """The lines of the next answer."""
        return self.lines(lambda line: line == "OK" or line.startswith("ACK "))

    def ask_raw(self, data):
        """Sends bytes and returns all that comes back until an unknown command behind them is refused."""
        try:
            self.send(data + END + b"\n")
        except (ConnectionResetError, BrokenPipeError):
            pass
        lines = self.lines(lambda line: END.decode() in line)
        return [line for line in lines if END.decode() not in line]


class Conversation:
    """A server with the connections of a scenario."""

    def __init__(self, server):
        self.server = server
        self.connections = {}
        self.version = 0
        self.control = Connection(server)
        self.first_id = self.reset()

    def close(self):
        """Closes all connections."""
        for connection in [self.control, *self.connections.values()]:
            connection.socket.close()

    def tell(self, text):
        """Sends a command beside the scenario."""
        return self.control.ask(text)

    def reset(self):
        """Makes the server as if it had just been started; returns the id that the next song will have."""
        # Where no password is needed none is known, and Segue answers a wrong one after a second.
        if self.tell("stop") != ["OK"]:
            self.tell("password owner")
        for command in ("stop", "clear", "repeat 0", "random 0", "single 0", "consume 0", "crossfade 0", "mixrampdb 0",
                        "mixrampdelay nan", "replay_gain_mode off", "setvol 100", "clearerror", "enableoutput 0"):
            self.tell(command)
        for line in self.tell("listplaylists"):
            if line.startswith("playlist: "):
                self.tell('rm "%s"' % line[10:].replace("\\", "\\\\").replace('"', '\\"'))
        for line in self.tell("listpartitions"):
            if line.startswith("partition: ") and line != "partition: default":
                self.tell('delpartition "%s"' % line[11:])
        added = self.tell('addid "root song.flac"')
        self.tell("clear")
        return int(added[0].removeprefix("Id: ")) + 1

    def connection(self, number):
        """A connection, which is made when it is first used or was closed; from 7 on over the Unix socket."""
        current = self.connections.get(number)
        if current is None or current.is_closed:
            current = self.connections[number] = Connection(self.server, over_socket=number >= 7)
        return current

    def filled(self, text):
        """A line with ids and the version in it."""
        text = text.replace("{v}", str(self.version))
        return re.sub(r"\{(\d+)\}", lambda found: str(self.first_id + int(found[1]) - 1), text)

    def take(self, step):
        """Takes a step and returns the lines of the answer, if it has one that is compared."""
        if step.kind == "ask":
            return self.connection(step.connection).ask(self.filled(step.text))
        if step.kind == "idle":
            self.connection(step.connection).send(self.filled(step.text).encode() + b"\n")
            return None
        if step.kind == "read":
            return self.connection(step.connection).read()
        if step.kind == "raw":
            data = step.text.encode().decode("unicode_escape").encode("latin-1")
            return self.connection(step.connection).ask_raw(data)
        if step.kind == "mark":
            status = self.tell("status")
            self.version = next(int(line[10:]) for line in status if line.startswith("playlist: "))
        elif step.kind == "wait":
            wait_for(lambda: step.text in ids("status", self.tell("status"), self.first_id), 30,
                     f"`{step.text}` in the status")
        elif step.kind == "until":
            command, _, line = step.text.partition(" ")
            wait_for(lambda: line in self.tell(command), 30, f"`{line}` in {command}")
        elif step.kind == "quietly":
            self.tell(self.filled(step.text))
        else:
            raise ValueError(f"line {step.line}: what is `! {step.kind}`?")
        return None
