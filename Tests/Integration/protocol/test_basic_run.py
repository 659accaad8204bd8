"""What mpc and python-mpd2 do all day, where it depends on the kind of library: each of them has it all.

What doesn't depend on that is in `clients`, with one library.
"""
import mpd
import pytest
from conftest import SOURCES
from harness.clients import mpc
from harness.waiting import wait_for

pytestmark = pytest.mark.parametrize("server", SOURCES, indirect=True, scope="module")


def longest(songs):
    """The song that lasts longest, so that it does not end during a test."""
    return max(songs, key=lambda song: float(song["duration"]))


def values(songs, tag):
    """All values of a tag; python-mpd2 gives a list where a song has several."""
    return {value for song in songs for value in ([song[tag]] if isinstance(song[tag], str) else song[tag])}


@pytest.mark.smoke
def test_mpc_lists_the_whole_library(server, songs):
    assert sorted(mpc(server, "listall").splitlines()) == sorted(song["file"] for song in songs)
    assert len(songs) >= 7


def test_mpc_finds_and_searches(server, songs):
    song = songs[0]
    assert song["file"] in mpc(server, "find", "title", song["title"]).splitlines()
    assert song["file"] in mpc(server, "search", "any", song["title"][1:].upper()).splitlines()
    assert mpc(server, "find", "title", "there is no such title") == ""
    found = mpc(server, "search", f"((artist == \"{song['artist']}\") AND (album == \"{song['album']}\"))")
    assert song["file"] in found.splitlines()


def test_mpc_browses_folders_down_to_a_song(server):
    path, seen = "", mpc(server, "ls")
    for _ in range(5):
        first = seen.splitlines()[0]
        path, seen = first, mpc(server, "ls", first)
        if seen.splitlines() == [first]:
            break
    assert mpc(server, "listall", path).splitlines() == [path]


def test_tags_are_listed_and_counted(client, songs):
    titles = {entry["title"] for entry in client.list("title")}
    assert titles == {song["title"] for song in songs}
    albums = client.list("album", "group", "albumartist")
    assert {entry["album"] for entry in albums} == {song["album"] for song in songs}
    album = songs[0]["album"]
    counted = client.count("album", album)
    assert int(counted["songs"]) == sum(song["album"] == album for song in songs)


@pytest.mark.smoke
def test_mpc_adds_plays_seeks_and_stops(server, client, songs):
    song = longest(songs)
    mpc(server, "add", song["file"])
    mpc(server, "play")
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, what="the song's start")
    assert mpc(server, "current", "-f", "%title%").strip() == song["title"]
    assert "[playing]" in mpc(server, "status")
    target = int(float(song["duration"]) * 0.6)
    mpc(server, "seek", str(target))
    wait_for(lambda: target <= float(client.status()["elapsed"]) < target + 5, what="the place that was sought")
    mpc(server, "pause")
    assert "[paused]" in mpc(server, "status")
    mpc(server, "seek", "+1")
    assert client.status()["state"] == "pause"
    mpc(server, "stop")
    assert client.status()["state"] == "stop"


def test_mpc_keeps_playlists(server, client, songs):
    for song in songs[:3]:
        client.add(song["file"])
    mpc(server, "save", "evening")
    try:
        assert "evening" in mpc(server, "lsplaylists").splitlines()
        mpc(server, "clear")
        mpc(server, "load", "evening")
        assert [song["file"] for song in client.playlistinfo()] == [song["file"] for song in songs[:3]]
        assert client.listplaylist("evening") == [song["file"] for song in songs[:3]]
    finally:
        mpc(server, "rm", "evening")
    assert "evening" not in mpc(server, "lsplaylists").splitlines()


def test_mpc_updates_and_waits(server):
    mpc(server, "update", "--wait", seconds=60)


def test_stats_count_the_library(client, songs):
    stats = client.stats()
    assert int(stats["songs"]) == len(songs)
    assert int(stats["artists"]) == len(values(songs, "artist"))
    assert int(stats["albums"]) == len(values(songs, "album"))


def test_covers_come_in_pieces(client, songs):
    client.binarylimit(64)
    song = songs[0]["file"]
    embedded = client.readpicture(song)
    try:
        beside = client.albumart(song)
    except mpd.CommandError:
        beside = {}
    pictures = [answer["binary"] for answer in (embedded, beside) if answer]
    assert pictures, "neither albumart nor readpicture has a cover"
    for picture in pictures:
        assert picture[:8] == b"\x89PNG\r\n\x1a\n" or picture[:3] == b"\xff\xd8\xff"


def test_songs_follow_each_other(client, songs):
    for song in songs[:2]:
        client.add(song["file"])
    client.seek(0, float(songs[0]["duration"]) - 1.5)
    wait_for(lambda: client.status().get("song") == "1", what="the second song")
    client.seekcur(float(songs[1]["duration"]) - 1.5)
    wait_for(lambda: client.status()["state"] == "stop", what="the end of the queue")
    assert "song" not in client.status()
