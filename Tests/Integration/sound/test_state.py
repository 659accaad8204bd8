"""The queue, the options and the position outlive the process."""
import sqlite3
import time

import pytest
from harness.supysonic import navidrome_section
from harness.waiting import wait_for


def source_of(kind, request, library):
    """The configuration of one kind of library."""
    if kind == "navidrome":
        return {"navidrome": navidrome_section(request.getfixturevalue("supysonic"))}
    return {"local": {"music_directory": library[0]}}


def saved_place(server):
    """The place in the song that is saved."""
    with sqlite3.connect(f"file:{server.folder}/state/segue.db?mode=ro", uri=True) as database:
        return float(dict(database.execute("SELECT key, value FROM player")).get("elapsed_ms", 0)) / 1000


def prepare(server, client):
    """Fills the queue, sets options and plays the long song until a place of it was saved; returns the last place that
    was seen."""
    for title in ("Sill", "Road", "River", "Lamp"):
        client.findadd("title", title)
    client.repeat(1)
    client.consume(0)
    client.single("oneshot")
    client.setvol(42)
    client.crossfade(3)
    client.replay_gain_mode("track")
    client.prio(7, 3)
    client.play(1)
    client.seekcur(60)
    # Nothing but time has it saved.
    wait_for(lambda: saved_place(server) > 60.5, 30, "a place that was saved by itself")
    return float(client.status()["elapsed"])


def compare(before, after, queue_before, queue_after, elapsed, seconds):
    """Checks that a restart lost nothing; it played for so many seconds at most after its place was seen."""
    keys = ("volume", "repeat", "random", "single", "consume", "xfade", "playlistlength", "song")
    assert {key: after[key] for key in keys} == {key: before[key] for key in keys}
    assert after["state"] == "pause"
    assert elapsed - 5 <= float(after["elapsed"]) <= elapsed + seconds + 1
    shown = ("file", "title", "pos", "prio", "duration")
    assert [[song.get(key) for key in shown] for song in queue_after] == [
        [song.get(key) for key in shown] for song in queue_before]


@pytest.mark.smoke
@pytest.mark.parametrize("kind, end", [("navidrome", "kill"), ("local", "stop")])
def test_everything_is_back_after_a_restart(end, kind, request, library, start_segue):
    server = start_segue(songs=len(library[1]), **source_of(kind, request, library))
    client = server.client()
    elapsed, began = prepare(server, client), time.monotonic()
    before, queue_before = client.status(), client.playlistinfo()
    getattr(server, end)()
    seconds = time.monotonic() - began
    server.start(songs=len(library[1]))
    client = server.client()
    compare(before, client.status(), queue_before, client.playlistinfo(), elapsed, seconds)
    assert client.replay_gain_status() == "track"
    place = float(client.status()["elapsed"])
    client.pause(0)
    wait_for(lambda: float(client.status()["elapsed"]) > place + 0.3, 30, "playback from there")
    assert client.status()["state"] == "play"


def test_resume_play_goes_on_by_itself(library, start_segue):
    server = start_segue(
        songs=len(library[1]), playback={"resume": "play"}, local={"music_directory": library[0]})
    client = server.client()
    client.findadd("title", "Road")
    client.play(0)
    client.seekcur(60)
    wait_for(lambda: float(client.status()["elapsed"]) > 60.3, 20, "the song's start")
    server.stop()
    server.start()
    client = server.client()
    wait_for(lambda: client.status()["state"] == "play" and float(client.status()["elapsed"]) > 61, 20, "the music")


def test_the_library_is_there_at_once_when_the_server_is_not(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic))
    server.client().save("kept") if "save" in server.client().commands() else None
    server.stop()
    own_supysonic.kill()
    server.start()
    client = server.client()
    assert int(client.stats()["songs"]) == len(library[1])
    assert client.find("title", "Road")


def test_a_queue_that_outgrew_the_budget_comes_back_as_far_as_it_fits(start_segue, library):
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, server={"memory_budget": "64 MiB"})
    client = server.client()
    client.findadd("title", "Sill")
    for number in range(500):
        client.add(f"http://127.0.0.1:9/{number}/" + "x" * 12_000)
    client.findadd("title", "Road")
    before = client.playlistinfo()
    server.stop()
    server.sections["server"]["memory_budget"] = "32 MB"
    server.start()
    client = server.client()
    after = client.playlistinfo()
    assert 200 < len(after) < len(before) - 100
    assert [song["id"] for song in after] == [song["id"] for song in (*before[:len(after) - 1], before[-1])]
    lines = [line for line in server.log.splitlines() if "were left out" in line]
    assert len(lines) == 1 and f"{len(before) - len(after)} entries" in lines[0] and "memory_budget" in lines[0], lines
