"""A network that changes this machine's address, or goes away without a word."""
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.namespace import Forwarder, Machine, resident
from harness.waiting import wait_for

pytestmark = pytest.mark.needs_root


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs last six seconds."""
    return start_navidrome(songs=12, seconds=6)


@pytest.fixture
def machine():
    """The machine on which Segue runs."""
    made = Machine()
    made.take_address(20)
    yield made
    made.close()


@pytest.fixture
def router(machine, navidrome):
    """What leads from there to the server."""
    made = Forwarder(machine.gateway, int(navidrome.url.rpartition(":")[2]))
    yield made
    made.close()


def kept(server):
    """The songs that are whole in the cache."""
    return [path for path in (server.folder / "cache" / "tracks").glob("*.wav") if path.stat().st_size > 1_000_000]


def plays(navidrome):
    """How many plays the server counted."""
    return sum(row["submission"] for row in navidrome.control("scrobbles")["rows"])


@pytest.fixture
def server(navidrome, machine, router, start_segue):
    """Segue on that machine, playing the first of three songs, all of which are in the cache."""
    running = start_segue(songs=navidrome.songs, kind=resident(machine), navidrome={
        "url": router.url, "username": USER, "password": PASSWORD})
    client = running.client()
    for song in sorted(entry["file"] for entry in client.listallinfo() if "file" in entry)[:3]:
        client.add(song)
    client.play(0)
    wait_for(lambda: len(kept(running)) == 3, 30, "the songs in the cache")
    return running


def edit(client):
    """Edits that have to reach the server."""
    song = client.playlistinfo()[0]["file"]
    client.sticker_set("song", song, "rating", "8")
    client.playlistadd("Evening", song)


def arrivals(navidrome, count):
    """Waits until the edits and the plays are on the server."""
    wait_for(lambda: [entry["name"] for entry in navidrome.call("getPlaylists")["playlists"].get("playlist", [])]
             == ["Evening"], 60, "the playlist")
    songs = navidrome.call("search3", query="", songCount=12)["searchResult3"]["song"]
    wait_for(lambda: any(navidrome.call("getSong", id=song["id"])["song"].get("userRating") == 4 for song in songs), 60,
             "the rating")
    wait_for(lambda: plays(navidrome) >= count, 60, "the plays")


def test_another_address_costs_seconds(server, navidrome, machine, router):
    client = server.client()
    before = plays(navidrome)
    machine.take_address(21)
    began = time.monotonic()
    edit(client)
    arrivals(navidrome, before)
    seconds = time.monotonic() - began
    print(f"edits arrived {seconds:.1f} s after the change of the address")
    assert router.sources[-1] == f"{machine.network}.21"
    # The connections of the old address are dead, and no answer says so: for one, a minute is waited.
    assert seconds < 20
    wait_for(lambda: client.status()["state"] == "stop", 40, "the end of the songs")
    wait_for(lambda: plays(navidrome) == 3, 30, "all plays, once")
    assert "can't be played" not in server.log


def test_a_pulled_cable_stops_no_music_and_everything_arrives_after(server, navidrome, machine):
    client = server.client()
    machine.pull_cable()
    edit(client)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the songs")
    assert "can't be played" not in server.log
    # Long enough for calls to have failed, not to be on their way.
    wait_for(lambda: "plays wait until the server accepts them" in server.log, 60, "a line about plays that wait")
    machine.pull_cable(False)
    began = time.monotonic()
    arrivals(navidrome, 3)
    seconds = time.monotonic() - began
    print(f"everything arrived {seconds:.1f} s after the cable was back")
    # After so many failures the next attempt by itself would come after 20 s.
    assert seconds < 15
    assert plays(navidrome) == 3
