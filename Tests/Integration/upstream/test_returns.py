"""A server that comes back is noticed at once by everything that waits for it."""
import contextlib
import pathlib
import re
import signal
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.radio import Station, encoded
from harness.waiting import wait_for

AT_MOST = 5
"""Seconds after the server's return in which everything that waited has arrived."""
LATEST = {"station": AT_MOST + 2}
"""The same for what is no server's: a station is asked every five seconds, and then takes a moment to answer."""
GROWN = 17
"""An outage of so many seconds leaves plays, edits and downloads in pauses that last a quarter of a minute longer."""


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs last six seconds."""
    return start_navidrome(songs=12, seconds=6)


@pytest.fixture
def station(tmp_path):
    """A station on this machine."""
    sound, content_type = encoded(tmp_path, "mp3", 440)
    running = Station(sound, content_type)
    yield running
    running.close()


OUTAGES = {
    "killed": (lambda fake: fake.kill(), lambda fake: fake.start()),
    "bad-gateway": (lambda fake: fake.control("fault", mode="status", status=502),
                    lambda fake: fake.control("fault", mode="none")),
    "failing": (lambda fake: fake.control("fault", mode="status", status=500),
                lambda fake: fake.control("fault", mode="none")),
    "silent": (lambda fake: fake.process.send_signal(signal.SIGSTOP),
               lambda fake: fake.process.send_signal(signal.SIGCONT)),
}


def kept(server):
    """The songs that are whole in the cache."""
    return [path for path in (server.folder / "cache" / "tracks").glob("*.wav") if path.stat().st_size > 1_000_000]


def arrivals(navidrome, server, song, station):
    """What has to arrive, each with a function that tells whether it has."""
    heard = station.listened
    return {
        "play": lambda: [row for row in navidrome.control("scrobbles")["rows"]
                         if row["submission"] and row["id"] == song["id"]],
        "rating": lambda: navidrome.call("getSong", id=song["id"])["song"].get("userRating") == 4,
        "playlist": lambda: [entry for entry in navidrome.call("getPlaylists")["playlists"].get("playlist", [])
                             if entry["name"] == "Evening"],
        "song fetched ahead": lambda: len(kept(server)) == 2,
        "station": lambda: station.listened > heard,
        "status": lambda: "error" not in server.client().status(),
    }


def seconds_of(waited, since):
    """How long after `since` each came, for those that did within half a minute."""
    came = {}
    while len(came) < len(waited) and time.monotonic() < since + 30:
        for name in waited.keys() - came.keys():
            # A server that has just been started may not listen yet.
            with contextlib.suppress(OSError):
                if waited[name]():
                    came[name] = round(time.monotonic() - since, 1)
        time.sleep(0.05)
    return came


@pytest.mark.parametrize("outage", OUTAGES)
def test_all_that_waits_goes_on_when_the_server_is_back(navidrome, station, start_segue, outage):
    begin, end = OUTAGES[outage]
    server = start_segue(songs=navidrome.songs, cache={"prefetch": 1}, navidrome={
        "url": navidrome.url, "username": USER, "password": PASSWORD},
        output=[{"type": "null", "name": "Songs"}, {"type": "null", "name": "Radio"}])
    client, radio = server.client(), server.client()
    found = {song["path"]: song for song in navidrome.call("search3", query="", songCount=12)["searchResult3"]["song"]}
    first, second = sorted(entry["file"] for entry in client.listallinfo() if "file" in entry)[:2]
    song = found[first]
    client.add(first)
    client.play(0)
    wait_for(lambda: len(kept(server)) == 1, what="the first song")
    client.stop()
    radio.newpartition("radio")
    radio.partition("radio")
    radio.moveoutput("Radio")
    radio.add(station.url)
    radio.play(0)
    wait_for(lambda: float(radio.status().get("elapsed", 0)) > 0.5, what="the station's sound")

    begin(navidrome)
    station.refuse()
    began = time.monotonic()
    client.add(second)
    client.play(0)
    client.sticker_set("song", first, "rating", "8")
    client.playlistadd("Evening", first)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 4, 30, "a play that counts")
    wait_for(lambda: time.monotonic() > began + GROWN, GROWN + 5, "pauses that have grown")
    station.listen()
    waited = arrivals(navidrome, server, song, station)
    end(navidrome)
    came = seconds_of(waited, time.monotonic())
    print(outage, came)
    assert came.keys() == waited.keys(), f"{waited.keys() - came.keys()} did not arrive; {came}"
    assert {name: at for name, at in came.items() if at > LATEST.get(name, AT_MOST)} == {}, came


def wake_ups(server):
    """How often the program's threads have gone to sleep of their own accord, all together."""
    count = 0
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        # Threads come and go.
        with contextlib.suppress(OSError):
            count += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.MULTILINE)[1])
    return count


def test_an_outage_wakes_a_paused_player_seldom(navidrome, start_segue):
    """While edits wait, the server is asked every two seconds; nothing polls between two tries."""
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
    # Each round of tries costs some forty; their pauses grow, so that windows without one follow. What polls is in
    # all of them.
    seconds, counts = 2, []
    while not counts or (counts[-1] >= 15 and len(counts) < 20):
        before = wake_ups(server)
        time.sleep(seconds)
        counts.append((wake_ups(server) - before) / seconds)
    assert counts[-1] < 15, f"{counts} wake-ups a second while the server is away and nothing plays"
