"""What mpc and python-mpd2 do all day, on every kind of library."""
import asyncio
import subprocess

import mpd
import mpd.asyncio
import pytest
from harness.clients import RawClient, mpc
from harness.waiting import wait_for


def longest(songs):
    """The song that lasts longest, so that it does not end during a test."""
    return max(songs, key=lambda song: float(song["duration"]))


def values(songs, tag):
    """All values of a tag; python-mpd2 gives a list where a song has several."""
    return {value for song in songs for value in ([song[tag]] if isinstance(song[tag], str) else song[tag])}


def test_greeting_over_both_sockets(server):
    for over_socket in (False, True):
        with RawClient(server, over_socket=over_socket) as raw:
            assert raw.greeting.startswith(b"OK MPD 0.2")
            assert raw.ask(b"ping") == [b"OK"]


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


def test_mpc_goes_to_the_next_and_the_previous_song(server, client, songs):
    for song in songs[:3]:
        client.add(song["file"])
    mpc(server, "play", 1)
    wait_for(lambda: client.status()["state"] == "play")
    mpc(server, "next")
    wait_for(lambda: client.status()["song"] == "1")
    mpc(server, "prev")
    wait_for(lambda: client.status()["song"] == "0")


def test_mpc_edits_the_queue(server, client, songs):
    files = [song["file"] for song in songs[:5]]
    for file in files:
        mpc(server, "add", file)
    mpc(server, "move", 1, 3)
    mpc(server, "del", 2)
    expected = [files[1], files[0], files[3], files[4]]
    assert [song["file"] for song in client.playlistinfo()] == expected
    mpc(server, "insert", files[2])
    assert files[2] in [song["file"] for song in client.playlistinfo()]
    mpc(server, "shuffle")
    assert sorted(song["file"] for song in client.playlistinfo()) == sorted([*expected, files[2]])
    mpc(server, "clear")
    assert client.playlistinfo() == []


def test_queue_changes_are_told_by_version(client, songs):
    for song in songs[:4]:
        client.add(song["file"])
    version = client.status()["playlist"]
    client.delete(3)
    client.move(0, 2)
    changed = client.plchanges(version)
    assert [entry["file"] for entry in changed] == [songs[number]["file"] for number in (1, 2, 0)]
    identities = {entry["cpos"]: entry["id"] for entry in client.plchangesposid(version)}
    assert identities == {entry["pos"]: entry["id"] for entry in client.playlistinfo()}


def test_mpc_sets_options(server, client):
    mpc(server, "repeat", "on")
    mpc(server, "random", "on")
    mpc(server, "single", "once")
    mpc(server, "consume", "on")
    mpc(server, "volume", "40")
    mpc(server, "crossfade", "2")
    mpc(server, "replaygain", "album")
    status = client.status()
    assert [status[key] for key in ("repeat", "random", "single", "consume", "volume", "xfade")] == [
        "1", "1", "oneshot", "1", "40", "2"]
    assert client.replay_gain_status() == "album"
    mpc(server, "volume", "+15")
    assert client.status()["volume"] == "55"
    mpc(server, "crossfade", "0")
    mpc(server, "replaygain", "off")


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


def test_mpc_waits_for_events(server, client, songs):
    waiting = subprocess.Popen(["mpc", "-h", server.host, "-p", str(server.port), "idle", "playlist"],
                               stdout=subprocess.PIPE, text=True)
    try:
        def heard():
            # The event comes only to those who wait already, so change the queue until it does.
            client.add(songs[0]["file"])
            return waiting.poll() is not None
        wait_for(heard, what="mpc idle's end", every=0.2)
        assert waiting.stdout.read().split() == ["playlist"]
    finally:
        waiting.kill()
        waiting.wait()


def test_mpc_switches_outputs(server, client):
    name = client.outputs()[0]["outputname"]
    assert name in mpc(server, "outputs")
    mpc(server, "disable", 1)
    assert client.outputs()[0]["outputenabled"] == "0"
    mpc(server, "enable", 1)
    assert client.outputs()[0]["outputenabled"] == "1"


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


def test_lists_stop_at_the_first_error(client, songs):
    client.command_list_ok_begin()
    client.add(songs[0]["file"])
    client.add("there is no such file")
    client.add(songs[1]["file"])
    with pytest.raises(mpd.CommandError) as error:
        client.command_list_end()
    assert error.value.errno == mpd.FailureResponseCode.NO_EXIST
    assert len(client.playlistinfo()) == 1


def test_commands_lists_nothing_that_is_unknown(server):
    with RawClient(server) as raw:
        names = [line.removeprefix(b"command: ") for line in raw.ask(b"commands")[:-1]]
        assert {b"status", b"find", b"play", b"idle"} <= set(names)
        assert raw.ask(b"no_such_command")[-1].startswith(b"ACK [5@0] {}")
        for name in names:
            if name in (b"close", b"kill", b"idle", b"noidle", b"command_list_begin", b"command_list_ok_begin"):
                continue
            # Far too many arguments: known commands complain about that, unknown ones about being unknown.
            last = raw.ask(name + b' "x"' * 60)[-1]
            assert b"unknown command" not in last, name


def test_asyncio_client_plays_and_hears_of_it(server, client, songs):
    async def run():
        asynchronous = mpd.asyncio.MPDClient()
        await asynchronous.connect(server.host, server.port)
        try:
            heard = asyncio.Event()

            async def listen():
                async for subsystems in asynchronous.idle(["player"]):
                    if "player" in subsystems:
                        heard.set()
            listening = asyncio.create_task(listen())
            await asynchronous.add(longest(songs)["file"])
            await asynchronous.play(0)
            await asyncio.wait_for(heard.wait(), 10)
            status = await asynchronous.status()
            listening.cancel()
            return status["state"]
        finally:
            asynchronous.disconnect()
    assert asyncio.run(run()) == "play"


def test_songs_follow_each_other(client, songs):
    for song in songs[:2]:
        client.add(song["file"])
    client.seek(0, float(songs[0]["duration"]) - 1.5)
    wait_for(lambda: client.status().get("song") == "1", what="the second song")
    client.seekcur(float(songs[1]["duration"]) - 1.5)
    wait_for(lambda: client.status()["state"] == "stop", what="the end of the queue")
    assert "song" not in client.status()
