"""Covers, syncs and plays over a network that is slow, silent or cut: others don't notice, and all of it arrives."""
import threading
import time

import mpd
import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.waiting import wait_for

# What is done to the answers. Silence ends after some seconds, a slow answer takes about as long.
FAULTS = {
    "slow": {"mode": "slow", "rate": 300},
    "silent": {"mode": "delay", "ms": 5000},
    "cut": {"mode": "cut", "after": 40},
    "down": {"mode": "down"},
}
# How long another client may wait for its status, in seconds; more than a program without optimisation takes.
PATIENCE = 2.0


class Bystander(threading.Thread):
    """Another client that asks for the status all the time, and remembers the longest time that it waited."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client, self.longest, self.ends = client, 0.0, threading.Event()

    def run(self):
        while not self.ends.wait(0.05):
            began = time.monotonic()
            self.client.status()
            self.longest = max(self.longest, time.monotonic() - began)


@pytest.fixture
def navidrome(start_navidrome):
    """A library of short songs."""
    return start_navidrome(songs=12, seconds=2)


@pytest.fixture
def segue(navidrome, start_segue):
    """Segue with that library, its songs, and a client that must not notice anything."""
    server = start_segue(
        songs=navidrome.songs, cache={"prefetch": 0}, output=[{"type": "null", "name": "Nothing"}],
        navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 5})
    bystander = Bystander(server.client())
    bystander.start()
    yield server
    bystander.ends.set()
    bystander.join(30)
    assert bystander.longest < PATIENCE


def songs_of(client):
    """The paths of all songs."""
    return [entry["file"] for entry in client.listallinfo() if "file" in entry]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_cover_is_waited_for_or_asked_for_again(navidrome, segue, fault):
    client = segue.client()
    song = songs_of(client)[0]
    # Pictures are larger than other answers.
    navidrome.control("fault", match="getCoverArt", count=2, **{**FAULTS[fault], "rate": 200_000})

    def cover():
        try:
            return client.albumart(song).get("binary")
        except mpd.CommandError:
            return None
    found = wait_for(cover, 60, "the cover", every=0.5)
    navidrome.control("fault", mode="none")
    # A part of a picture is never kept as if it were all of it.
    assert client.albumart(song)["binary"] == found
    assert found[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe1", b"RIFF")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_sync_keeps_the_songs_and_ends_when_the_network_is_back(navidrome, segue, fault):
    client = segue.client()
    before = songs_of(client)
    navidrome.control("fault", match="search3", **FAULTS[fault])
    navidrome.control("add", n=5)
    asked = len([row for row in navidrome.control("requests")["rows"] if "search3" in row])
    client.update()
    wait_for(lambda: len([row for row in navidrome.control("requests")["rows"] if "search3" in row]) > asked, 60,
             "a sync")
    assert set(before) <= set(songs_of(client))
    navidrome.control("fault", mode="none")
    wait_for(lambda: len(songs_of(client)) == len(before) + 5, 90, "the new songs")
    assert set(before) <= set(songs_of(client))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_play_arrives_once(navidrome, segue, fault):
    client = segue.client()
    navidrome.control("fault", match="scrobble", count=2, **FAULTS[fault])
    client.add(songs_of(client)[0])
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 30, "the song's end")

    def plays():
        return [row for row in navidrome.control("scrobbles")["rows"] if row["submission"]]
    wait_for(plays, 90, "the play")
    # What was sent twice would arrive when the next play does.
    client.add(songs_of(client)[1])
    client.play(1)
    wait_for(lambda: len({play["id"] for play in plays()}) == 2, 90, "the next play")
    assert len(plays()) == 2
