"""Songs over a network that fails: every sample is heard nevertheless, at most later."""
import re
import signal

import pytest
from harness import broadcast
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import generate, wav_samples
from harness.waiting import wait_for


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs are WAV files of a few seconds."""
    return start_navidrome(songs=12)


@pytest.fixture
def player(navidrome, start_segue, tmp_path):
    """Starts segue on it with a recording; gives the server, a client and the songs that are queued."""
    def start(count=2, **navidrome_keys):
        server = start_segue(
            songs=navidrome.songs, cache={"prefetch": navidrome_keys.pop("prefetch", 3)},
            navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD, **navidrome_keys},
            output=[{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav"}])
        client = server.client()
        songs = [entry for entry in client.listallinfo() if "file" in entry]
        songs = sorted(songs, key=lambda song: float(song["duration"]))[:count]
        for song in songs:
            client.add(song["file"])
        return server, client, songs
    return start


def play_to_the_end(client, seconds=120):
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", seconds, "the end of the queue")
    # What is known of the server may stand there; songs are none of it.
    error = client.status().get("error", "")
    assert not error or "can't be reached; the library and cached songs stay" in error


def heard(server, tmp_path):
    assert server.stop()[0] == 0
    return wav_samples(tmp_path / "heard.wav")


def kept(server):
    """The samples of the songs in the cache: what the server sent in the end."""
    return [path.read_bytes()[44:] for path in (server.folder / "cache" / "tracks").glob("*.wav")]


def stalls(server):
    return re.findall(r"notice segue\.player: (.*): buffering", server.log)


def streams(navidrome):
    """The ranges of the requests for songs."""
    return [row.split(" ", 2)[2] for row in navidrome.control("requests")["rows"] if " stream " in row]


def assert_all_is_heard(server, songs, tmp_path):
    """The recording is the songs' samples, one after the other."""
    # What has been played to its end may become a file of the cache a moment later.
    wait_for(lambda: len(kept(server)) == len(songs), 30, "the songs in the cache")
    rest = heard(server, tmp_path)
    files = kept(server)
    assert len(rest) == sum(map(len, files))
    while rest:
        match = next((file for file in files if rest.startswith(file)), None)
        assert match, "samples that no song has"
        files.remove(match)
        rest = rest[len(match):]


@pytest.mark.parametrize("after", [1, 60_000, 300_000])
def test_cut_connections_cost_no_sample(navidrome, player, tmp_path, after):
    server, client, songs = player(2)
    navidrome.control("fault", mode="cut", after=after, match="stream", count=4)
    play_to_the_end(client)
    assert any(re.fullmatch(r"bytes=[1-9]\d*-", extent) for extent in streams(navidrome))
    assert_all_is_heard(server, songs, tmp_path)


def test_a_server_that_falls_silent_in_mid_song_is_waited_for(navidrome, player, tmp_path):
    server, client, songs = player(2)
    navidrome.control("fault", mode="slow", rate=150_000, match="stream")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, what="music")
    navidrome.process.send_signal(signal.SIGSTOP)
    try:
        wait_for(lambda: stalls(server), 60, "a line about the stall")
        status = client.status()
        assert status["state"] == "play" and status["song"] == "0"
        # It came more slowly than it plays, so that it may have been waited for before.
        assert set(stalls(server)) == {songs[0]["file"]}
    finally:
        navidrome.process.send_signal(signal.SIGCONT)
    wait_for(lambda: client.status()["state"] == "stop", 120, "the end of the queue")
    assert "error" not in client.status()
    assert "can't be played" not in server.log
    assert_all_is_heard(server, songs, tmp_path)


@pytest.mark.smoke
def test_a_server_that_dies_in_mid_song_and_comes_back_costs_no_sample(navidrome, player, tmp_path):
    server, client, songs = player(2)
    navidrome.control("fault", mode="slow", rate=150_000, match="stream")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, what="music")
    navidrome.kill()
    wait_for(lambda: stalls(server), 60, "a line about the stall")
    # Until it was tried more than once in vain.
    wait_for(lambda: server.log.count("download interrupted") > 2, 60, "attempts")
    assert client.status()["state"] == "play" and client.status()["song"] == "0"
    navidrome.start()
    wait_for(lambda: client.status()["state"] == "stop", 120, "the end of the queue")
    assert "can't be played" not in server.log
    assert re.fullmatch(r"bytes=[1-9]\d*-", streams(navidrome)[0]), "the song did not go on where it broke off"
    assert_all_is_heard(server, songs, tmp_path)


def test_a_song_that_has_not_begun_is_waited_for_and_not_skipped(navidrome, player, tmp_path):
    server, client, songs = player(2, prefetch=0)
    navidrome.control("fault", mode="down", match="stream")
    client.play(0)
    wait_for(lambda: stalls(server), 60, "a line about the stall")
    assert client.status()["state"] == "play" and client.status()["song"] == "0"
    navidrome.control("fault", mode="none")
    wait_for(lambda: client.status()["state"] == "stop", 120, "the end of the queue")
    assert "error" not in client.status() and "can't be played" not in server.log
    assert stalls(server).count(songs[0]["file"]) == 1
    assert_all_is_heard(server, songs, tmp_path)


def test_a_slow_server_stalls_but_loses_nothing(navidrome, player, tmp_path):
    server, client, songs = player(1)
    # A third of what the song needs.
    navidrome.control("fault", mode="slow", rate=60_000, match="stream")
    play_to_the_end(client, 240)
    assert set(stalls(server)) == {songs[0]["file"]}
    assert "http" not in "".join(stalls(server))
    assert_all_is_heard(server, songs, tmp_path)


def test_music_begins_before_the_download_ends(navidrome, player, tmp_path):
    server, client, songs = player(1)
    navidrome.control("fault", mode="slow", rate=250_000, match="stream")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.2, what="music")
    part = len(kept(server)[0])
    wait_for(lambda: client.status()["state"] == "stop", 60, "the song's end")
    assert part < len(kept(server)[0]), "the whole song was there first"


def test_cached_songs_play_with_the_server_down(navidrome, player, tmp_path):
    server, client, songs = player(2)
    play_to_the_end(client)
    count = len(streams(navidrome))
    navidrome.control("fault", mode="down")
    play_to_the_end(client)
    navidrome.control("fault", mode="none")
    assert len(streams(navidrome)) == count
    samples = heard(server, tmp_path)
    half = len(samples) // 2
    assert samples[:half] == samples[half:]


def test_the_next_songs_are_fetched_ahead_as_many_as_are_wanted(navidrome, player):
    server, client, songs = player(6, prefetch=2)
    client.play(0)
    wait_for(lambda: len(streams(navidrome)) == 3, what="the next two songs")
    assert client.status()["song"] == "0"
    client.pause(1)
    client.stop()


def test_transcoded_songs_play(navidrome, player, tmp_path):
    server, client, songs = player(1, format="mp3", max_bitrate=128)
    navidrome.control("fault", mode="cut", after=50_000, match="stream", count=2)
    play_to_the_end(client)
    names = [path.name for path in (server.folder / "cache" / "tracks").iterdir()]
    assert len(names) == 1 and "mp3-128" in names[0]
    assert len(heard(server, tmp_path)) > 44100


def test_seeking_in_a_transcoding_that_still_arrives_lands_there(start_segue, tmp_path):
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    # The fake server's transcoding is the first half of the file.
    pieces = b"".join(broadcast.pieces(tmp_path, "mp3"))
    (sounds / "song.mp3").write_bytes(pieces * 2)
    navidrome = FakeNavidrome(tmp_path, songs=1, audio=sounds).start()
    try:
        server = start_segue(
            songs=1, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD, "format": "mp3",
                                "max_bitrate": 128},
            output=[{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": "44100:16:2"}])
        navidrome.control("fault", mode="slow", rate=40_000, match="stream")
        client = server.client()
        client.add("")
        client.play(0)
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, what="music")
        client.seekcur(9)
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 9.5, 60, "the place")
        wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
        assert "can't be played" not in server.log and "error" not in client.status()
        assert len(streams(navidrome)) == 1
        tones = broadcast.tones(heard(server, tmp_path))
        assert tones[0][0] == 0 and [number for number, _ in tones][-3:] == [9, 10, 11], tones
        assert all(abs(seconds - 1) < 0.2 for _, seconds in tones[-3:]), tones
    finally:
        navidrome.kill()


def test_a_seek_into_what_the_server_still_converts_waits_for_it(tmp_path, start_segue):
    audio = tmp_path / "audio"
    audio.mkdir()
    generate(audio / "tone.mp3", 40, ("lamemp3enc", "target=bitrate", "bitrate=128", "cbr=true"))
    navidrome = FakeNavidrome(tmp_path, songs=1, audio=audio).start()
    try:
        # The fake sends half of what it converts, and says as little beforehand of how long that will be as a real one.
        # It takes eight seconds until the place's bytes come.
        navidrome.control("fault", mode="slow", rate=30_000, match="stream")
        server = start_segue(songs=1, navidrome={
            "url": navidrome.url, "username": USER, "password": PASSWORD, "format": "mp3", "max_bitrate": 128})
        client = server.client()
        client.add([entry for entry in client.listallinfo() if "file" in entry][0]["file"])
        client.play(0)
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.2, 30, "sound")
        # A song that begins to sound with its first bytes may wait for the next ones already.
        before = len(stalls(server))
        client.seekcur(15)
        wait_for(lambda: 15.3 < float(client.status()["elapsed"]) < 19, 60, "sound from there", every=0.02)
        assert len(stalls(server)) == before + 1 and "error" not in client.status()
        client.seekcur(2)
        wait_for(lambda: 2.2 < float(client.status()["elapsed"]) < 10, 60, "sound from the beginning", every=0.02)
        assert len(streams(navidrome)) == 1
    finally:
        navidrome.kill()
