"""What clients, listeners and a station do while `contrib/soak mixed` runs; clients are processes of their own."""
import contextlib
import math
import multiprocessing
import pathlib
import random
import socket
import struct
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Benchmark"))
from connection import Connection, Refused, quoted  # noqa: E402  (they need the benchmark's modules)

RATE = 22_050


def say(text):
    """Tells who watches."""
    print(text, file=sys.stderr, flush=True)


class Station(threading.Thread):
    """A station that sends a tone at the speed of its sound, and a new title now and then."""

    INTERVAL = 8192

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=32)
        self.port = self.listener.getsockname()[1]
        self.sound = b"".join(struct.pack("<h", int(9000 * math.sin(place * math.tau * 441 / RATE)))
                              for place in range(RATE))
        self.start()

    def run(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection:
            wants_titles = b"icy-metadata: 1" in connection.recv(8192).lower()
            head = struct.pack(
    "<4sI4s4sIHHIIHH4sI",
    b"RIFF",
    0xffffffff,
    b"WAVE",
    b"fmt ",
    16,
    1,
    1,
    RATE,
    RATE * 2,
    2,
    16,
    b"data",
     0xffffffff)
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: audio/wav\r\nicy-name: Soak\r\n"
                               + (b"icy-metaint: %d\r\n" % self.INTERVAL if wants_titles else b"") + b"\r\n")
            began, sent, waiting = time.monotonic(), 0, head
            while True:
                due = int((time.monotonic() - began + 3) * RATE * 2)
                while sent < due:
                    while len(waiting) < self.INTERVAL:
                        waiting += self.sound
                    piece, waiting = waiting[:self.INTERVAL], waiting[self.INTERVAL:]
                    sent += len(piece)
                    connection.sendall(piece + (self._title(sent) if wants_titles else b""))
                time.sleep(0.1)

    def _title(self, sent):
        if sent // self.INTERVAL % 16:
            return b"\0"
        text = f"StreamTitle='Tone - {sent}';".encode()
        size = -(-len(text) // 16)
        return bytes([size]) + text.ljust(size * 16, b"\0")


class Listeners:
    """Listens over HTTP; each leaves now and then and comes back."""

    def __init__(self, port, count, chance):
        self.bytes = [0] * count
        for number in range(count):
            threading.Thread(
    target=self._listen, args=(
        port, number, random.Random(
            chance.random())), daemon=True).start()

    def _listen(self, port, number, chance):
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: soak\r\n" +
                                   (b"Icy-MetaData: 1\r\n" if number % 2 else b"") +b"\r\n")
                end = time.monotonic() + chance.uniform(20, 200)
                while time.monotonic() < end and (piece := connection.recv(65536)):
                    self.bytes[number] += len(piece)
            time.sleep(1)


class Client:
    """One client of some kind."""

    def __init__(self, port, chance, paths, station):
        self.port, self.chance, self.paths, self.station = port, chance, paths, station
        self.connection = Connection(port)
        self.commands = self.refused = 0

    def do(self, text):
        """Sends a command; refusals are no fault."""
        self.commands += 1
        try:
            self.connection.command(text)
        except Refused:
            self.refused += 1

    def path(self):
        """A song's path, quoted."""
        return quoted(self.chance.choice(self.paths))

    def pause(self, least, most):
        """Waits."""
        time.sleep(self.chance.uniform(least, most))

    def waits(self):
        """Waits for changes and looks at what changed, as every player does."""
        with contextlib.suppress(TimeoutError):
            self.connection.socket.settimeout(20)
            self.do("idle database player playlist options mixer")
            self.do("command_list_ok_begin\nstatus\ncurrentsong\nplchanges 0\ncommand_list_end")
            return
        self.connection.socket.settimeout(600)
        self.connection.send("noidle")
        self.connection.finish()

    def browses(self):
        """Looks through the library."""
        word = self.chance.choice("aeiou") + self.chance.choice("nrstl")
        self.do(
    self.chance.choice(
        ( f"search any {word}",
        f'find "(title contains \'{word}\')" sort title window 0:50',
        "list album group artist",
        "lsinfo",
        "listplaylists",
        f"albumart {self.path()} 0",
        f"readpicture {self.path()} 0",
        f"readlyrics {self.path()}",
        "playlistinfo",
        "stats",
        f"sticker list song {self.path()}",
        "listplaylistinfo Soak",
        f'search "(any =~ \'{word}.*x\')"',
        "count artist x",
        f"readcomments {self.path()}",
        "outputs",
         "listallinfo" if self.chance.random() < 0.1 else "status")))
        self.pause(0.2, 1)

    def edits(self):
        """Changes the queue, playlists, stars and ratings; keeps the queue below some hundred songs."""
        if self.chance.random() < 0.1:
            self.do("delete 150:")
        self.do(
    self.chance.choice(
        ( f"add {self.path()}",
        f"add {self.path()}",
        f"addid {self.path()} 3",
        "delete 20",
        "move 5 2",
        "shuffle 20:",
        f"sticker set song {self.path()} rating {self.chance.randrange(11)}",
        f"playlistadd Soak {self.path()}",
        f"sticker set song {self.path()} like {self.chance.randrange(3)}",
        "playlistdelete Soak 0",
        "prio 5 3",
        "swap 2 4",
        f"sticker set song {self.path()} note {self.chance.randrange(99)}",
        f"save Soak{self.chance.randrange(4)}",
        f"rm Soak{self.chance.randrange(4)}",
         "playlistclear Soak" if self.chance.random() < 0.05 else "status")))
        self.pause(0.2, 1)

    def plays(self):
        """Plays, mostly to the songs' ends."""
        self.do(self.chance.choice(("next", "previous", "play 0", "play", "play", "play", "play", "seekcur 3", "pause",
                                    "setvol 80", "setvol 100", "random 1", "random 0", "repeat 1",
                                    "crossfade 2", "crossfade 0", "update")))
        self.pause(1, 9)

    def tunes_in(self):
        """Plays radio in a partition of its own, which is made and taken away."""
        for line in (
    "newpartition radio",
    "partition radio",
    "moveoutput Other",
    "clear",
    f"add http://127.0.0.1:{self.station}/live",
    f"add http://127.0.0.1:{self.station}/live?2",
    "repeat 1",
     "play 0"):
            self.do(line)
        for _ in range(self.chance.randrange(2, 8)):
            self.pause(1, 4)
            self.do(self.chance.choice(("next", "status", "currentsong", "stop", "play 0")))
        for line in ("stop", "partition default", "moveoutput Other", "delpartition radio"):
            self.do(line)

    def comes_and_goes(self):
        """Connects for one question, as scripts do."""
        self.connection.close()
        self.pause(0.1, 0.6)
        self.connection = Connection(self.port)
        self.do(
    self.chance.choice(
        ("status",
        "currentsong",
        "subscribe soak",
        "sendmessage soak hello",
        "commands",
         "tagtypes")))


CLIENTS = (
    Client.waits,
    Client.waits,
    Client.browses,
    Client.browses,
    Client.edits,
    Client.waits,
    Client.browses,
     Client.comes_and_goes)
"""The kinds, in the order in which they are begun; the first two of all play and tune in."""


def act(port, station, number, seed, counters):
    """A client's process: does the same kind of thing until it is ended."""
    chance = random.Random(seed * 1000 + number)
    try:
        with Connection(port) as first:
            paths = first.values("listall", "file")
        client = Client(port, chance, paths, station)
        kind = (Client.plays, Client.tunes_in, *CLIENTS)[number if number < 2 else 2 + number % len(CLIENTS)]
        while True:
            kind(client)
            counters[number * 2], counters[number * 2 + 1] = client.commands, client.refused
    except KeyboardInterrupt:
        pass
    except (OSError, ValueError) as error:
        say(f"client {number} lost its connection: {error!r}")
        sys.exit(1)


class Load:
    """All clients and listeners."""

    def __init__(self, port, stream, options, station):
        self.counters = multiprocessing.Array("L", options.clients * 2, lock=False)
        self.stream, self.options, self.port, self.station = stream, options, port, station
        self.processes, self.errors = [], []

    def start(self):
        """Fills the queue and lets everybody begin."""
        with Connection(self.port) as client:
            for path in client.values("listall", "file")[:60]:
                client.command("add " + quoted(path))
            for line in ("repeat 1", "moveoutput Nothing", "enableoutput 0", "play 0"):
                with contextlib.suppress(Refused):
                    client.command(line)
        self.listeners = Listeners(self.stream, self.options.listeners, random.Random(self.options.seed))
        for number in range(self.options.clients):
            process = multiprocessing.Process(
                target=act, args=(self.port, self.station, number, self.options.seed, self.counters), daemon=True)
            process.start()
            self.processes.append(process)

    @property
    def commands(self):
        """How many commands were answered."""
        return sum(self.counters[0::2])

    @property
    def refused(self):
        """How many of them were refused."""
        return sum(self.counters[1::2])

    def stop(self):
        """Ends all clients; notes those that had ended before."""
        for number, process in enumerate(self.processes):
            if not process.is_alive():
                self.errors.append(f"client {number}")
            process.terminate()
        for process in self.processes:
            process.join(10)
        self.processes = []
