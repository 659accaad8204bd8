"""Clocks that jump by years, and machines that sleep: everything goes on, nothing is lost and nothing sent twice."""
import signal
import socket
import time

import pytest
from harness.clock import YEAR, Clock
from harness.fake_navidrome import PASSWORD, USER
from harness.music import wav_samples
from harness.waiting import wait_for

JUMPS = {"future": 10 * YEAR, "past": -10 * YEAR, "1970": -1}


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs last three seconds."""
    return start_navidrome(songs=20, seconds=3)


@pytest.fixture
def clock(tmp_path):
    """The clock that Segue sees."""
    return Clock(tmp_path)


@pytest.fixture
def server(navidrome, clock, start_segue, tmp_path):
    """Segue with that clock."""
    running = start_segue(
        songs=navidrome.songs, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD,
                                          "sync_interval": 1},
        output=[{"type": "null", "name": "Nothing"},
                {"type": "file", "name": "Recording", "path": tmp_path / "heard.wav"}])
    running.stop()
    running.environment.update(clock.environment)
    return running.start(songs=navidrome.songs)


def plays(navidrome):
    """The ids and times of the plays that the server counted."""
    return [(row["id"], row["time"]) for row in navidrome.control("scrobbles")["rows"] if row["submission"]]


def files(client):
    """All songs."""
    return sorted(entry["file"] for entry in client.listallinfo() if "file" in entry)


def jump_of(name):
    """By how much the clock jumps; "1970" shows the time of a machine without a battery."""
    return JUMPS[name] if name != "1970" else 3600 - time.time()


@pytest.mark.parametrize("jump", JUMPS)
def test_everything_goes_on_when_the_clock_jumps(server, navidrome, clock, jump, tmp_path):
    client = server.client()
    songs = files(client)[:9]
    for song in songs:
        client.add(song)
    client.play(0)
    ahead = jump_of(jump)
    times = []
    for number, shown in enumerate((0, ahead, 0)):
        clock.jump(shown)
        times.append(time.time() + shown)
        client.sticker_set("song", songs[number], "rating", "8")
        client.playlistadd("Evening", songs[number])
        wait_for(lambda: int(client.status()["song"]) >= 3 * number, 40, "songs that play on")
        used, since = server.processor_seconds, time.monotonic()
        wait_for(lambda: len(plays(navidrome)) >= 3 * number + 1, 30, "a play that arrives")
        busy = server.processor_seconds - used
        assert busy < 1 + (time.monotonic() - since) / 2, f"{busy} s of work"
        wait_for(lambda: len(navidrome.call("getPlaylist", id=navidrome.call("getPlaylists")["playlists"]["playlist"][0][
            "id"])["playlist"].get("entry", [])) == number + 1, 30, "the edited playlist")
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    wait_for(lambda: len(plays(navidrome)) == 9, 30, "all plays")
    found = navidrome.call("search3", query="", songCount=20)["searchResult3"]["song"]
    assert [song["path"] for song in sorted(found, key=lambda song: song["path"]) if song.get("userRating") == 4] == songs[:3]
    ids = {song["path"]: song["id"] for song in found}
    assert [row[0] for row in plays(navidrome)] == [ids[song] for song in songs]
    # Each play has the time that was shown when it began.
    shown = [stamp / 1000 for _, stamp in plays(navidrome)]
    assert any(abs(stamp - times[1]) < 60 for stamp in shown) and abs(shown[0] - times[0]) < 60, shown
    assert server.stop()[0] == 0
    assert "crash" not in server.log and " critical " not in server.log
    # Nine songs of three seconds: nothing is missing.
    assert len(wav_samples(tmp_path / "heard.wav")) == 9 * 3 * 176_400


@pytest.mark.parametrize("jump", [pytest.param("past", marks=pytest.mark.smoke), "future", "1970"])
def test_what_waits_survives_a_restart_in_another_year(server, navidrome, clock, jump):
    client = server.client()
    first, second = files(client)[:2]
    client.add(first)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, what="sound")
    # The play counts while the server is away, in another year.
    navidrome.control("fault", mode="down")
    clock.jump(jump_of(jump))
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end")
    client.sticker_set("song", second, "rating", "10")
    client.playlistadd("Night", second)
    server.kill()
    clock.jump(0)
    server.start()
    navidrome.control("fault", mode="none")
    wait_for(lambda: len(plays(navidrome)) == 1, 30, "the play")
    client = server.client()
    wait_for(lambda: [entry["name"] for entry in navidrome.call("getPlaylists")["playlists"].get("playlist", [])]
             == ["Night"], 30, "the playlist")
    ids = {song["path"]: song for song in navidrome.call("search3", query="", songCount=20)["searchResult3"]["song"]}
    wait_for(lambda: navidrome.call("getSong", id=ids[second]["id"])["song"].get("userRating") == 5, 30, "the rating")
    # A later play, in a year that may be before the first one's, counts as well, and once.
    client.clear()
    client.add(first)
    client.play(0)
    wait_for(lambda: len(plays(navidrome)) == 2, 30, "the second play")
    client.stop()
    server.stop()
    server.start(songs=navidrome.songs)
    server.stop()
    assert [row[0] for row in plays(navidrome)] == [ids[first]["id"]] * 2
    assert "crash" not in server.log


@pytest.fixture
def manager(tmp_path):
    """A socket on which Segue tells a service manager that it lives."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(path))
        listener.settimeout(10)
        yield listener, path


def test_a_machine_that_sleeps_goes_on_where_it_was(server, navidrome, clock, manager):
    listener, path = manager
    server.stop()
    server.environment.update({"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "2000000"})
    server.start(songs=navidrome.songs)
    client, waiting = server.client(), server.client()
    songs = files(client)[:4]
    for song in songs:
        client.add(song)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, what="sound")
    server.process.send_signal(signal.SIGSTOP)
    # Meanwhile eight hours pass, and the server's end of every connection is gone.
    clock.jump(8 * 3600)
    navidrome.kill()
    navidrome.start()
    # Longer than the manager's patience, and than what is left of the song: what it sleeps through is real time.
    time.sleep(3.2)
    server.process.send_signal(signal.SIGCONT)
    assert client.status()["state"] == "play"
    waiting.ping()
    while listener.recv(4096) != b"WATCHDOG=1":
        pass
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    wait_for(lambda: len(plays(navidrome)) == 4, 30, "the plays")
    assert " error " not in server.log, server.log[-2000:]
    assert server.stop()[0] == 0


@pytest.mark.parametrize("hours", [1, 8, 24 * 400])
def test_clocks_that_count_sleep_jump_when_the_machine_wakes_up(server, navidrome, clock, hours):
    client, waiting = server.client(), server.client()
    songs = files(client)[:3]
    for song in songs:
        client.add(song)
    client.crossfade(1)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, what="sound")
    before = client.status()
    used, since = server.processor_seconds, time.monotonic()
    clock.sleep(hours * 3600)
    status = client.status()
    # The song goes on where it was: none of the hours counts as heard.
    assert status["state"] == "play" and int(status["song"]) - int(before["song"]) <= 1
    assert float(status["elapsed"]) < 3.5
    assert int(client.stats()["playtime"]) < 10
    waiting.ping()
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    wait_for(lambda: len(plays(navidrome)) == 3, 30, "the plays")
    busy = server.processor_seconds - used
    assert busy < 1.5 + (time.monotonic() - since) / 2, f"{busy} s of work"
    navidrome.control("add", n=1)
    server.wait_for_songs(21)
    assert server.stop()[0] == 0
    assert "crash" not in server.log and " error " not in server.log, server.log[-2000:]
