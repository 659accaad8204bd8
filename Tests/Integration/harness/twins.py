"""Two servers that are given the same commands and must answer alike."""
import re

from .clients import RawClient
from .waiting import TimedOut, wait_for

# Lines of `status` that depend on the moment, on chance or on the version.
MOMENTARY = (b"elapsed:", b"time:", b"bitrate:", b"audio:", b"mixrampdb:", b"mixrampdelay:", b"partition:",
             b"lastloadedplaylist:", b"updating_db:", b"xfade:", b"playlist:", b"added:", b"Added:")
ID_LINES = re.compile(rb"^(Id|songid|nextsongid): (\d+)$")
WATCHED = {b"changed: playlist", b"changed: options", b"changed: stored_playlist", b"changed: mixer"}
SLACK = 60
"""Seconds by which two players may differ; seeks go to places that are farther apart."""


class Twin:
    """One of the servers, with a connection for commands and one that watches events."""

    def __init__(self, server):
        self.client = RawClient(server, timeout=60)
        self.watcher = RawClient(server, timeout=60)
        self.first_id = 0
        self.versions = []

    def close(self):
        """Leaves the server."""
        self.client.socket.close()
        self.watcher.socket.close()

    def reset(self, song):
        """Brings the server into the state in which every sequence begins."""
        for line in ("stop", "clear", "random 0", "repeat 0", "single 0", "consume 0", "setvol 100", "crossfade 0",
                     "clearerror"):
            self.ask(line)
        for line in self.ask("listplaylists"):
            if line.startswith(b"playlist: "):
                self.ask(f'rm "{line[10:].decode()}"')
        # Numbers of queue entries count from here.
        self.first_id = int(self.ask(f'addid "{song}"')[0][4:]) + 1
        self.ask("clear")
        self.versions = [self.version()]
        quiet = iter(range(3))
        wait_for(lambda: not self.events() and next(quiet, 3) == 2, 30, "silence after the reset", every=0.02)

    def ask(self, line):
        """Sends a command, in which `{7}` is the seventh entry's number since the reset; returns the answer."""
        line = re.sub(r"\{(-?\d+)\}", lambda match: str(self.first_id + int(match[1])), line)
        return self.client.ask(line.encode())

    def version(self):
        """The queue's version."""
        return int(next(line for line in self.ask("status") if line.startswith(b"playlist: "))[10:])

    def events(self):
        """What was reported since the last call; waits for nothing."""
        # An idle that is answered at once makes nothing of the noidle.
        self.watcher.send(b"idle\nnoidle\n")
        return {line for line in self.watcher.answer() if line in WATCHED}

    def counted(self, answer):
        """An answer whose entry numbers count from the reset, with each song's lines in order."""
        result = []
        for line in answer:
            if line.startswith((b"Added: ", b"Format: ")):
                # The reference is older than the first, and loses the second where it adds sorted songs.
                continue
            match = ID_LINES.match(line)
            result.append(b"%s: #%d" % (match[1], int(match[2]) - self.first_id) if match else line)
        return in_order(result)

    def picture(self, since):
        """All that is compared after a command; `since` is a step whose changes are asked for."""
        version = self.versions[since]
        lines = {"status": "status", "playlistinfo": "playlistinfo", "currentsong": "currentsong",
                 "plchanges": f"plchanges {version}", "plchangesposid": f"plchangesposid {version}",
                 "changes": f"plchanges {self.versions[-1]}"}
        self.client.send("".join(line + "\n" for line in lines.values()).encode())
        answers = {name: self.counted(self.client.answer()) for name in lines}
        status = answers["status"]
        self.version_now = int(next(line for line in status if line.startswith(b"playlist: "))[10:])
        elapsed = [float(line[9:]) for line in status if line.startswith(b"elapsed: ")]
        for name, answer in answers.items():
            answers[name] = [line for line in answer if not line.startswith(MOMENTARY)]
        answers["moved"] = self.version_now != self.versions[-1]
        return answers, elapsed[0] if elapsed else None


class Twins:
    """A reference and a subject."""

    def __init__(self, reference, subject, song, patience):
        self.both = (Twin(reference), Twin(subject))
        self.song = song
        self.patience = patience

    def close(self):
        """Leaves both servers."""
        for twin in self.both:
            twin.close()

    def reset(self):
        """Begins a sequence."""
        for twin in self.both:
            twin.reset(self.song)
        self.queue = [b"OK"]

    @property
    def length(self):
        """How many entries the reference's queue has."""
        return self.number(b"playlistlength: ")

    @property
    def current(self):
        """The reference's current position, or None."""
        return self.number(b"song: ")

    @property
    def elapsed(self):
        """How many seconds of the current song the reference has played."""
        return next((float(line[9:]) for line in self.both[0].ask("status") if line.startswith(b"elapsed: ")), 0.0)

    def number(self, key):
        """A number of the reference's status."""
        return next((int(line[len(key):]) for line in self.both[0].ask("status") if line.startswith(key)), None)

    def step(self, line, since=0, loose=False):
        """Sends a command to both; returns what differs, or None. `loose`: chance decides what plays."""
        answers = [twin.counted(twin.ask(line)) for twin in self.both]
        if line.startswith("addid") and answers[0][-1] == b"OK":
            answers = [[twin.counted([answer[0]])[0], answer[-1]] for twin, answer in zip(self.both, answers)]
        if answers[0] != answers[1]:
            return f"answers: {answers[0]} and {answers[1]}"
        seen, events = [], [set(), set()]

        def agree():
            seen[:] = [twin.picture(since) for twin in self.both]
            for events_of_one, twin in zip(events, self.both):
                events_of_one |= twin.events()
            return self.difference(*seen, events, loose, self.is_same(seen[0])) is None
        try:
            wait_for(agree, self.patience, "agreement", every=0.02)
        except TimedOut:
            return self.difference(*seen, events, loose, self.is_same(seen[0]))
        for twin in self.both:
            if self.is_same(seen[0]):
                # Changes are asked for since now, because those of before include what changed nothing.
                twin.versions = [twin.version_now] * len(twin.versions)
            twin.versions.append(twin.version_now)
        self.queue = seen[0][0]["playlistinfo"]
        return None

    def is_same(self, picture):
        """Whether the reference counted a change although its queue is as it was."""
        return picture[0]["moved"] and picture[0]["playlistinfo"] == self.queue

    def has(self, line):
        """Whether the reference's status has a line."""
        return line in self.both[0].ask("status")

    def end_song(self):
        """Lets the playing song come to its end on both servers."""
        for twin in self.both:
            twin.ask("seekcur 599.5")

        def has_ended(twin):
            status = twin.ask("status")
            elapsed = [float(line[9:]) for line in status if line.startswith(b"elapsed: ")]
            return b"state: play" not in status or elapsed and elapsed[0] < 500
        for twin in self.both:
            wait_for(lambda twin=twin: has_ended(twin), 30, "the song's end")

    def shuffle(self, line):
        """Shuffles both queues, compares what can be compared, and begins with empty queues."""
        pictures, steps = [], len(self.both[0].versions)
        for twin in self.both:
            before = twin.counted(twin.ask("playlist"))
            answer = twin.ask(line)
            status = twin.ask("status")
            length = next(text for text in status if text.startswith(b"playlistlength: "))
            pictures.append((answer, length, sorted(text.partition(b":file")[2] for text in before)))
            twin.ask("clear")
            twin.events()
            twin.versions = [twin.version()] * (steps + 1)
        self.queue = [b"OK"]
        return None if pictures[0] == pictures[1] else f"{pictures[0]} and {pictures[1]}"

    def meet(self):
        """Plays the same entry in both queues where chance chose different ones; returns what still differs."""
        songs = [[text for text in twin.ask("status") if text.startswith((b"song: ", b"state: "))]
                 for twin in self.both]
        if songs[0] == songs[1]:
            return None
        for twin in self.both:
            twin.versions.pop()
        return self.step("play 0" if self.length else "stop", max(0, len(self.both[0].versions) - 2), loose=True)

    @staticmethod
    def difference(reference, subject, events, loose, is_same):
        """What differs in two pictures, or None.

        MPD also counts and reports edits that leave the queue as it was; where it `is_same` the subject need not.
        """
        for name, wanted in reference[0].items():
            got = subject[0][name]
            if name in ("moved", "changes", "plchanges", "plchangesposid") and is_same:
                continue
            if loose and name == "currentsong":
                continue
            if name == "status":
                wanted, got = comparable(wanted, loose), comparable(got, loose)
            if wanted != got:
                return f"{name}: {only(wanted, got)} and {only(got, wanted)}"
        times = reference[1], subject[1]
        if loose:
            times = None, None
        if (times[0] is None) != (times[1] is None) or (times[0] is not None and abs(times[0] - times[1]) > SLACK):
            return f"elapsed: {times[0]} and {times[1]}"
        # MPD tells of a volume that was set to what it was.
        unfounded = {b"changed: mixer"} | ({b"changed: playlist"} if is_same else set())
        if events[0] - unfounded - events[1] or events[1] - events[0]:
            return f"events: {sorted(events[0])} and {sorted(events[1])}"
        return None


def in_order(answer):
    """An answer whose songs have their lines sorted; servers may write a song's tags in any order."""
    starts = [i for i, line in enumerate(answer) if line.startswith(b"file: ")] + [len(answer) - 1]
    for start, end in zip(starts, starts[1:]):
        answer[start + 1:end] = sorted(answer[start + 1:end])
    return answer


def comparable(status, loose):
    """A status without what both may say differently."""
    hidden = ()
    if loose:
        hidden = (b"nextsong", b"song", b"duration", b"state")
    elif {b"repeat: 1", b"consume: 1"} <= set(status):
        # MPD names the current song here though it will be gone by then; the subject names the one that will play.
        hidden = (b"nextsong",)
    return [line for line in status if not line.startswith(hidden)]


def only(left, right):
    """The first lines that one answer has and the other hasn't."""
    if not isinstance(left, list):
        return left
    place = next((i for i, line in enumerate(left) if i >= len(right) or line != right[i]), len(left))
    return left[place:place + 6]
