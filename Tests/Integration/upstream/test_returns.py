"""A server that comes back is noticed at once by everything that waits for it."""
import contextlib
import pathlib
import re
import signal
import socket
import threading
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.radio import Station, encoded
from harness.segue import binary
from harness.waiting import wait_for

GROWN = 17
"""An outage of so many seconds leaves plays, edits and downloads in pauses that last a quarter of a minute longer."""
AT_MOST = 11
"""Seconds after the server's return in which everything that waited has arrived: fewer than those pauses have left."""


@pytest.fixture
def station(tmp_path):
    """Starts stations on this machine."""
    running = []

    def start():
        running.append(Station(*encoded(tmp_path, "mp3", 440)))
        return running[-1]
    yield start
    for one in running:
        one.close()


@pytest.fixture
def make_navidrome(tmp_path):
    """Starts libraries whose songs last six seconds."""
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    running = []

    def start(name):
        (tmp_path / name).mkdir()
        running.append(FakeNavidrome(tmp_path / name, songs=12, seconds=6))
        return running[-1].start()
    yield start
    for fake in running:
        fake.kill()


OUTAGES = {
    "killed": (lambda fake: fake.kill(), lambda fake: fake.start()),
    "bad-gateway": (lambda fake: fake.control("fault", mode="status", status=502),
                    lambda fake: fake.control("fault", mode="none")),
    "failing": (lambda fake: fake.control("fault", mode="status", status=500),
                lambda fake: fake.control("fault", mode="none")),
    "silent": (lambda fake: fake.process.send_signal(signal.SIGSTOP),
               lambda fake: fake.process.send_signal(signal.SIGCONT)),
}


class House:
    """A player of its own with a server and a station that go away and come back."""

    def __init__(self, navidrome, station, start_segue):
        self.navidrome, self.station = navidrome, station
        self.server = start_segue(
            songs=navidrome.songs, cache={"prefetch": 1},
            navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
            output=[{"type": "null", "name": "Songs"}, {"type": "null", "name": "Radio"}])
        self.client, radio = self.server.client(), self.server.client()
        found = navidrome.call("search3", query="", songCount=12)["searchResult3"]["song"]
        paths = sorted(entry["file"] for entry in self.client.listallinfo() if "file" in entry)
        self.first, self.second = paths[:2]
        self.song = next(song for song in found if song["path"] == self.first)
        self.client.add(self.first)
        self.client.play(0)
        wait_for(lambda: len(self.kept) == 1, what="the first song")
        self.client.stop()
        radio.newpartition("radio")
        radio.partition("radio")
        radio.moveoutput("Radio")
        radio.add(station.url)
        radio.play(0)
        wait_for(lambda: float(radio.status().get("elapsed", 0)) > 0.5, what="the station's sound")

    @property
    def kept(self):
        """The songs that are whole in the cache."""
        tracks = self.server.folder / "cache" / "tracks"
        return [path for path in tracks.glob("*.wav") if path.stat().st_size > 1_000_000]

    def use(self):
        """Does what has to wait while both are away."""
        self.client.add(self.second)
        self.client.play(0)
        self.client.sticker_set("song", self.first, "rating", "8")
        self.client.playlistadd("Evening", self.first)

    def arrivals(self):
        """What has to arrive, each with a function that tells whether it has."""
        heard, call = self.station.listened, self.navidrome.call
        return {
            "play": lambda: [row for row in self.navidrome.control("scrobbles")["rows"]
                             if row["submission"] and row["id"] == self.song["id"]],
            "rating": lambda: call("getSong", id=self.song["id"])["song"].get("userRating") == 4,
            "playlist": lambda: [entry for entry in call("getPlaylists")["playlists"].get("playlist", [])
                                 if entry["name"] == "Evening"],
            "song fetched ahead": lambda: len(self.kept) == 2,
            "station": lambda: self.station.listened > heard,
            "status": lambda: "error" not in self.client.status(),
        }


def seconds_of(waited, since):
    """How long after its house's return each came, for those that did within half a minute, by house and name."""
    came = {}
    end = max(since.values()) + 30
    while len(came) < len(waited) and time.monotonic() < end:
        for house, name in waited.keys() - came.keys():
            # A server that has just been started may not listen yet.
            with contextlib.suppress(OSError):
                if waited[house, name]():
                    came[house, name] = round(time.monotonic() - since[house], 1)
    return came


def test_all_that_waits_goes_on_when_the_server_is_back(make_navidrome, station, start_segue):
    houses = {outage: House(make_navidrome(outage), station(), start_segue) for outage in OUTAGES}
    for outage, house in houses.items():
        OUTAGES[outage][0](house.navidrome)
        house.station.refuse()
    for house in houses.values():
        house.use()
    began = time.monotonic()
    for house in houses.values():
        wait_for(lambda house=house: float(house.client.status().get("elapsed", 0)) > 4, 30, "a play that counts")
    wait_for(lambda: time.monotonic() > began + GROWN, GROWN + 5, "pauses that have grown")
    waited, since = {}, {}
    for outage, house in houses.items():
        house.station.listen()
        waited |= {(outage, name): has_come for name, has_come in house.arrivals().items()}
        OUTAGES[outage][1](house.navidrome)
        since[outage] = time.monotonic()
    came = seconds_of(waited, since)
    print(came)
    assert came.keys() == waited.keys(), f"{waited.keys() - came.keys()} did not arrive; {came}"
    assert {name: at for name, at in came.items() if at > AT_MOST} == {}, came


def wake_ups(server):
    """How often the program's threads have gone to sleep of their own accord, all together."""
    count = 0
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        # Threads come and go.
        with contextlib.suppress(OSError):
            count += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.MULTILINE)[1])
    return count


class ClosedDoor:
    """Counts those who come to a server that is away, and lets none in."""

    def __init__(self, port):
        self.visits = 0
        self.socket = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        """Hangs up on everybody."""
        with contextlib.suppress(OSError):
            while True:
                self.socket.accept()[0].close()
                self.visits += 1

    def wait(self):
        """Waits for the next one."""
        seen = self.visits
        wait_for(lambda: self.visits > seen, 60, "another try")


def test_an_outage_wakes_a_paused_player_seldom(make_navidrome, start_segue):
    """While edits wait, the server is asked every two seconds; nothing polls between two tries."""
    navidrome = make_navidrome("away")
    server = start_segue(songs=navidrome.songs, cache={"prefetch": 3}, navidrome={
        "url": navidrome.url, "username": USER, "password": PASSWORD}, output=[{"type": "null", "name": "Nothing"}])
    client = server.client()
    songs = sorted(entry["file"] for entry in client.listallinfo() if "file" in entry)[:6]
    for song in songs:
        client.add(song)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, what="sound")
    client.pause(1)
    navidrome.kill()
    # Downloads and edits wait from now on.
    client.sticker_set("song", songs[0], "rating", "8")
    client.playlistadd("Evening", songs[0])
    client.play(5)
    client.pause(1)
    wait_for(lambda: "unreachable" in server.log, 30, "a line about the outage")
    # Each round of tries costs some forty; their pauses grow, so that there is none between most questions, which come
    # every two seconds. What polls is between all of them.
    door = ClosedDoor(int(navidrome.url.rpartition(":")[2]))
    counts = []
    while not counts or (counts[-1] >= 30 and len(counts) < 20):
        door.wait()
        before = wake_ups(server)
        door.wait()
        counts.append(wake_ups(server) - before)
    door.socket.close()
    assert counts[-1] < 30, f"{counts} wake-ups between two questions while the server is away and nothing plays"
