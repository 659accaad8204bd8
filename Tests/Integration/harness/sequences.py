"""Random commands on the queue, the player and stored playlists."""
import random

END = "(the song ends)"
"""No command: what is playing comes to its end."""


class Sequence:
    """Makes commands that mostly fit the queue as it is, and sometimes don't."""

    def __init__(self, seed, files, folders):
        self.random = random.Random(seed)
        self.files = files
        self.folders = folders
        self.is_random = False
        self.ids = 0

    def position(self, length, slack=1):
        """A place in the queue, sometimes just outside."""
        if self.random.random() < 0.04:
            return self.random.choice([-1, length + 5, "x", "99999999999"])
        return self.random.randrange(0, length + slack) if length + slack > 0 else 0

    def range(self, length):
        """A range of places, mostly a valid one."""
        kind = self.random.random()
        start = self.random.randrange(0, length + 1)
        if kind < 0.4:
            return f"{start}:{self.random.randint(start, max(start, min(length, start + 5)))}"
        if kind < 0.5:
            return f"{start}:"
        if kind < 0.55:
            return f"{self.random.randint(0, 3)}:{length + 3}"
        if kind < 0.6:
            return self.random.choice([":", ":3", "3:1", "-1:2", "1:-1", "1:2:3"])
        return str(self.position(length))

    def id(self):
        """An entry's number, sometimes one that is gone or never was."""
        return "{%d}" % self.random.randrange(max(self.ids - 25, 0) if self.random.random() < 0.8 else -1, self.ids + 2)

    def target(self, length, sane=False):
        """Where to insert or move: absolute, or relative to the current song."""
        if self.random.random() < 0.35:
            return self.random.choice("+-") + str(self.random.randrange(0, 4))
        if sane:
            # Of two wrong arguments each server names the one that it looks at first.
            return str(self.random.randrange(0, length + 2))
        return str(self.position(length))

    def song(self):
        """A song, seldom one that doesn't exist."""
        return '"' + (self.random.choice(self.files) if self.random.random() < 0.97 else "no/such.flac") + '"'

    def name(self):
        """A stored playlist."""
        return self.random.choice(["one", "two", '"three 3"'])

    def next(self, length):
        """The next command for a queue of this length."""
        pick = self.random.random
        line = self.random.choices(*self.table(length, pick))[0]()
        if line.startswith("random"):
            self.is_random = line.endswith("1")
        return line

    def table(self, length, pick):
        """Makers of commands with their weights."""
        choice, number = self.random.choice, self.random.randrange
        small = length < 25
        rows = [
            (8 if small else 2, lambda: f"add {self.song()}" + (f" {self.target(length)}" if pick() < 0.4 else "")),
            (2 if small else 0, lambda: f'add "{choice(self.folders)}"'),
            (8 if small else 2, lambda: f"addid {self.song()}" + (f" {self.target(length)}" if pick() < 0.6 else "")),
            (1, lambda: f"findadd artist {choice(['A', 'B'])}" + (f" position {self.target(length)}" if pick() < 0.4
                                                                  else "")),
            (1, lambda: f"searchadd title {number(10)} sort {choice(['', '-'])}title"
                        f" window {number(3)}:{number(3, 6)}"),
            (5, lambda: f"delete {self.range(length)}"),
            (3, lambda: f"deleteid {self.id()}"),
            (6, lambda: f"move {self.range(length)} {self.target(length)}"),
            (4, lambda: f"moveid {self.id()} {self.target(length, sane=True)}"),
            (3, lambda: f"swap {self.position(length)} {self.position(length)}"),
            (2, lambda: f"swapid {self.id()} {self.id()}"),
            (2, lambda: f"prio {number(0, 256)} " + choice([self.range(length), f"0:{length // 2} {length // 2}:"])),
            (2, lambda: f"prioid {number(0, 258)} {self.id()} {self.id()}"),
            (2, lambda: f"single {choice(['0', '1', 'oneshot', 'x'])}"),
            (2, lambda: f"repeat {choice('001')}"),
            (2, lambda: f"consume {choice('001')}"),
            (2 if not self.is_random else 4, lambda: f"random {choice('01') if self.is_random else choice('0001')}"),
            (5, lambda: f"play {self.position(length)}"),
            (2, lambda: "play" if not self.is_random else "stop"),
            (3, lambda: f"playid {self.id()}"),
            (4, lambda: f"pause{choice(['', ' 0', ' 1', ' 1'])}"),
            (2, lambda: "stop"),
            (6 if not self.is_random else 0, lambda: "next"),
            (4 if not self.is_random else 0, lambda: "previous"),
            (2, lambda: f"seek {self.position(length)} {100 * number(0, 5)}"),
            (2, lambda: f"seekid {self.id()} {100 * number(0, 5)}.5"),
            (2, lambda: f"seekcur {choice(['+', '-', '', ''])}{100 * number(0, 5)}"),
            (2 if not self.is_random else 0, lambda: END),
            (1, lambda: "clear"),
            (1, lambda: f"shuffle{'' if pick() < 0.5 else ' ' + self.range(length)}"),
            (2, lambda: f"save {self.name()}"),
            (2 if small else 0, lambda: f"load {self.name()}" + self.loading(length)),
            (1, lambda: f"rm {self.name()}"),
            (1, lambda: f"rename {self.name()} {self.name()}"),
            (2, lambda: f"playlistadd {self.name()} {self.song()}" + (f" {number(4)}" if pick() < 0.3 else "")),
            (2, lambda: f"playlistdelete {self.name()} {number(5)}"),
            (2, lambda: f"playlistmove {self.name()} {number(5)} {number(5)}"),
            (1, lambda: f"playlistclear {self.name()}"),
            (2, lambda: f"listplaylist {self.name()}"),
            (1, lambda: f"addtagid {self.id()} comment x"),
            (1, lambda: f"cleartagid {self.id()}"),
            (1, lambda: f"setvol {number(-1, 102)}"),
            (1, lambda: f"volume {choice('+-')}{number(0, 30)}"),
            (1, lambda: f"playlistid {self.id()}"),
            (1, lambda: f"playlistinfo {self.range(length)}"),
            (1, lambda: f"playlistfind title {number(12)}"),
            (1, lambda: f"plchanges {choice(['0', '99999', '-1', 'x'])} {self.range(length)}"),
        ]
        return [row[1] for row in rows], [row[0] for row in rows]

    def loading(self, length):
        """What may follow `load NAME`."""
        kind = self.random.random()
        if kind < 0.4:
            return ""
        text = f" {self.random.randrange(0, 3)}:{self.random.randrange(3, 6)}"
        return text if kind < 0.7 else f"{text} {self.target(length)}"
