"""Lets the auto-DJ play for a day, much faster than the music lasts, while its server fails and Segue starts anew.

See contrib/simulate-listening. Needs the tests' Python packages (python-mpd2), and both programs side by side.
"""
import argparse
import contextlib
import os
import pathlib
import random
import sqlite3
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))

from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome  # noqa: E402
from harness.segue import Segue, binary  # noqa: E402
from harness.waiting import wait_for  # noqa: E402

GAP = 6
AHEAD = 3
OUTAGE = 8
"""Songs that an outage lasts: more than those that are fetched ahead."""


class Day:
    """A day of songs, and what was noticed."""

    def __init__(self, folder, options):
        self.options = options
        self.upstream = FakeNavidrome(folder, songs=options.songs, seconds=options.seconds).start()
        # Without a clock songs go on as fast as they are decoded.
        self.server = Segue(
            folder / "segue", folder / "registry",
            navidrome={"url": self.upstream.url, "username": USER, "password": PASSWORD}, dj={"switch": True},
            output=[{"type": "null", "name": "Nothing", "sync": False}],
            cache={"size": "200 MB"}, server={"log_level": "warning"})
        self.heard, self.memory, self.silences = [], [], 0
        self.outages, self.restarts = [], 0

    def start(self):
        """Starts Segue and waits until a client is taken."""
        self.server.start()
        self.client = self.server.client(timeout=60)

    def begin(self):
        """Puts a first song on and switches the auto-DJ on."""
        self.start()
        wait_for(lambda: int(self.client.stats()["songs"]) == self.options.songs, 1200, "the library", every=2)
        wait_for(lambda: "updating_db" not in self.client.status(), 1200, "the end of the update", every=2)
        folder = next(entry["directory"] for entry in self.client.lsinfo("") if "directory" in entry)
        song = next(entry["file"] for entry in self.client.listall(folder) if "file" in entry)
        self.client.add(song)
        self.client.enableoutput(next(
            output["outputid"] for output in self.client.outputs() if output["outputname"] == "Auto DJ"))
        # At this speed the song would be over before others are behind it.
        wait_for(lambda: len(self.client.playlistinfo()) > 2, 60, "songs behind the first")
        self.client.play(0)

    def look(self):
        """Notes the song that plays; whether it is another one."""
        song = self.client.currentsong()
        if not song or self.heard and self.heard[-1][0] == song["id"]:
            return False
        self.heard.append((song["id"], song["file"], song.get("artist")))
        return True

    def note_queue(self):
        """Notes songs of the queue that went by between two looks."""
        entries = self.client.playlistinfo()
        places = {entry["id"]: place for place, entry in enumerate(entries)}
        if not self.heard or self.heard[-1][0] not in places:
            return
        now = int(self.client.status().get("song", 0))
        for entry in entries[places[self.heard[-1][0]] + 1:now + 1]:
            self.heard.append((entry["id"], entry["file"], entry.get("artist")))

    def play(self):
        """Hears the day's songs, with a failing server and new starts between."""
        chance = random.Random(11)
        away_until, last = None, time.monotonic()
        while len(self.heard) < self.options.plays:
            count = len(self.heard)
            self.note_queue()
            self.look()
            for number in range(count, len(self.heard)):
                if number % 20 == 10:
                    self.memory.append(self.server.memory / (1 << 20))
                if number % 60 == 30 and away_until is None:
                    self.upstream.kill()
                    self.outages.append([time.time() * 1000, None])
                    away_until = number + OUTAGE
                if number % 100 == 75:
                    self.restart()
            if len(self.heard) > count:
                last = time.monotonic()
            silent = time.monotonic() - last
            if away_until is not None and (len(self.heard) >= away_until or silent > 5):
                self.upstream.start()
                away_until = None
            if self.outages and not self.outages[-1][1] and away_until is None and self.is_noticed():
                # Songs are over so soon here that several pass before.
                self.outages[-1][1] = time.time() * 1000
            if silent > 5 and self.client.status()["state"] != "play":
                self.silences += 1
                self.client.play()
            if silent > 120:
                sys.exit(f"nothing plays any more after {len(self.heard)} songs: {self.client.status()}")
            time.sleep(chance.uniform(.02, .06))

    def is_noticed(self):
        """Whether the server that is back was asked for anything."""
        with contextlib.suppress(OSError):
            return self.upstream.control("requests")["count"] > 0
        return False

    def restart(self):
        """Ends Segue and starts it again; the queue is there again, and the music goes on once it is told to."""
        self.restarts += 1
        self.server.stop()
        self.start()
        wait_for(lambda: self.client.status().get("song"), 60, "the queue")
        if self.heard:
            # Entries have other numbers than before.
            entry = self.client.currentsong()
            self.heard[-1] = (entry["id"], *self.heard[-1][1:])
        self.client.play()

    def report(self):
        """Prints what was noticed; whether all of it is as it should be."""
        # A song that could not be had during an outage was in its turn, and was not heard.
        by = {file: str(artist) for _, file, artist in self.heard}
        with sqlite3.connect(f"file:{self.server.folder}/state/segue.db?mode=ro", uri=True) as database:
            rows = database.execute(
                "SELECT s.uri, h.started FROM history h JOIN song s ON s.id = h.song ORDER BY h.started, h.rowid")
            files, times = zip(*rows)
        artists = [by.get(file) for file in files]
        near = [place for place, artist in enumerate(artists)
                if artist is not None and artist in artists[max(0, place - GAP):place]]
        again = [(place, files.index(file)) for place, file in enumerate(files) if files.index(file) < place]
        # Without the server there is nothing but what the cache has of the day; a few such picks wait when it is back.
        alone = {place + later for place, moment in enumerate(times) for later in range(AHEAD + 2)
                 if any(begin <= moment <= (end or moment) for begin, end in self.outages)}
        from_cache = [pair for pair in again if pair[0] in alone]
        again = [pair for pair in again if pair[0] not in alone]
        if again:
            print(f"again, and first: {again[:20]}", file=sys.stderr)
        near_in_cache = [place for place in near if place in alone]
        near = [place for place in near if place not in alone]
        if near:
            print(f"too near: {near[:20]}", file=sys.stderr)
        quarter = max(1, len(self.memory) // 4)
        growth = sum(self.memory[-quarter:]) / quarter - sum(self.memory[quarter:2 * quarter]) / quarter
        rows = [
            ("songs in their turn, and heard", f"{len(self.heard)}, {len(files)}", None),
            ("artists", len(set(artists)), None),
            ("outages, restarts", f"{len(self.outages)}, {self.restarts}", None),
            ("songs that came twice within the day", len(again), not again),
            ("the same from the cache, while the server was away", len(from_cache), None),
            (f"songs within {GAP} of another one by their artist", len(near), not near),
            ("the same from the cache, while the server was away", len(near_in_cache), None),
            ("times at which the music had stopped and was started by hand", self.silences, None),
            ("memory, MiB: first, most, last",
             f"{self.memory[0]:.0f}, {max(self.memory):.0f}, {self.memory[-1]:.0f}", None),
            ("growth of memory from the second quarter to the last, MiB", f"{growth:.1f}", growth < 12),
        ]
        print("| What | Found | As it should be |\n|---|---|---|")
        for what, found, is_right in rows:
            print(f"| {what} | {found} | {'' if is_right is None else 'yes' if is_right else '**no**'} |")
        return all(is_right in (None, True) for *_, is_right in rows)


def main():
    """Plays the day and prints the table."""
    parser = argparse.ArgumentParser(prog="contrib/simulate-listening", description=__doc__)
    parser.add_argument("--segue", type=pathlib.Path, help="the program, with fake-navidrome beside it")
    parser.add_argument("--songs", type=int, default=50_000, help="how many songs the server has (50000)")
    parser.add_argument("--plays", type=int, default=432, help="how many are heard: a day of 200 seconds each (432)")
    parser.add_argument("--seconds", type=int, default=40, help="how long the songs are; 30 count as heard (40)")
    options = parser.parse_args()
    if options.segue:
        os.environ["SEGUE_BINARY"] = str(options.segue.resolve())
    if not binary().with_name("fake-navidrome").exists():
        sys.exit(f"there is no fake-navidrome beside {binary()}")
    with tempfile.TemporaryDirectory(prefix="segue-day-") as folder:
        day = Day(pathlib.Path(folder), options)
        try:
            day.begin()
            day.play()
            day.server.stop()
            return 0 if day.report() else 1
        finally:
            day.server.kill()
            day.upstream.kill()


if __name__ == "__main__":
    sys.exit(main())
