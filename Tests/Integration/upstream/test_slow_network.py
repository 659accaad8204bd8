"""Covers, syncs and plays over a network that is slow, silent or cut: others don't notice, and all of it arrives."""
import threading

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
HELD = {"slow", "silent"}
"""Those in which an answer takes five seconds."""


class Bystander(threading.Thread):
    """Another client that asks for the status all the time, and counts the answers."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client, self.answers, self.ends = client, 0, threading.Event()

    def run(self):
        """Asks until the end."""
        while not self.ends.wait(0.05):
            self.client.status()
            self.answers += 1

    def is_answered(self):
        """Waits for ten more answers."""
        before = self.answers
        wait_for(lambda: self.answers >= before + 10, 60, "answers for another client")
        return True


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
    server.bystander = Bystander(server.client())
    server.bystander.start()
    yield server
    server.bystander.ends.set()
    server.bystander.join(30)
    assert not server.bystander.is_alive()


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
    answers = segue.bystander.answers
    found = wait_for(cover, 60, "the cover")
    # One that waited as well would have got one answer or two.
    assert fault not in HELD or segue.bystander.answers > answers + 10
    navidrome.control("fault", mode="none")
    # A part of a picture is never kept as if it were all of it.
    assert client.albumart(song)["binary"] == found
    assert found[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe1", b"RIFF")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_sync_keeps_the_songs_and_ends_when_the_network_is_back(navidrome, segue, fault):
    client = segue.client()
    before = songs_of(client)
    navidrome.control("fault", match="search3", **FAULTS[fault])
    # So many albums that everything is read.
    navidrome.control("add", n=60)
    asked = len([row for row in navidrome.control("requests")["rows"] if "search3" in row])
    client.update()
    wait_for(lambda: len([row for row in navidrome.control("requests")["rows"] if "search3" in row]) > asked, 60,
             "a sync")
    assert segue.bystander.is_answered()
    # Before the sync has got its own.
    assert fault not in HELD or len(songs_of(client)) == len(before)
    assert set(before) <= set(songs_of(client))
    navidrome.control("fault", mode="none")
    wait_for(lambda: len(songs_of(client)) == len(before) + 60, 90, "the new songs")
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
    assert segue.bystander.is_answered()
    wait_for(plays, 90, "the play")
    # What was sent twice would arrive when the next play does.
    client.add(songs_of(client)[1])
    client.play(1)
    wait_for(lambda: len({play["id"] for play in plays()}) == 2, 90, "the next play")
    assert len(plays()) == 2
