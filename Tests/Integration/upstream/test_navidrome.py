"""A Navidrome with tokens: signing in once, following its changes, and its bad days."""
import re

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.processes import wait_for_port
from harness.segue import Segue, binary
from harness.waiting import wait_for


@pytest.fixture
def navidrome(start_navidrome):
    """A running fake Navidrome."""
    return start_navidrome()


def start(start_segue, navidrome):
    """Starts segue with the fake Navidrome."""
    return start_segue(songs=navidrome.songs, navidrome={
        "url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1})


@pytest.mark.smoke
def test_signing_in_is_enough_to_serve(navidrome, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry)
    server.environment |= {"SEGUE_SERVER_LISTEN": f"127.0.0.1:{server.port}"}
    try:
        result = server.run("login", navidrome.url, USER, text=PASSWORD + "\n")
        assert result.returncode == 0, result.stderr
        stored = server.folder / ".local/state/segue/credentials.toml"
        assert stored.stat().st_mode & 0o777 == 0o600
        text = stored.read_text()
        assert PASSWORD not in text and PASSWORD.encode().hex() not in text
        token = re.search(r"token = ['\"](\w+)['\"]", text)[1]
        server.launch([binary(), "serve"], server.environment)
        wait_for_port(server, server.port)
        server.wait_for_songs(navidrome.songs)
        assert token not in server.log
    finally:
        server.kill()


def test_a_wrong_password_stores_nothing(navidrome, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry)
    result = server.run("login", navidrome.url, USER, text="not-the-password\n")
    assert result.returncode == 1
    assert "signing in failed" in result.stderr and "not-the-password" not in result.stderr
    assert not (server.folder / ".local/state/segue/credentials.toml").exists()


@pytest.mark.smoke
def test_changes_upstream_arrive(navidrome, start_segue):
    server = start(start_segue, navidrome)
    client = server.client()
    gone = navidrome.control("remove", n=3)["ids"]
    assert len(gone) == 3
    client.update()
    server.wait_for_songs(navidrome.songs - 3)
    navidrome.control("restore", n=3)
    navidrome.control("add", n=5)
    client.update()
    server.wait_for_songs(navidrome.songs + 5)


def test_the_queue_keeps_its_songs_when_they_move(navidrome, start_segue):
    server = start(start_segue, navidrome)
    client = server.client()
    client.add("/")
    before = {song["id"]: song["title"] for song in client.playlistinfo()}
    files = {song["id"]: song["file"] for song in client.playlistinfo()}
    navidrome.control("move", n=20)
    client.update()
    wait_for(lambda: {song["id"]: song["file"] for song in client.playlistinfo()} != files, 30, "the moved songs")
    assert {song["id"]: song["title"] for song in client.playlistinfo()} == before


@pytest.mark.parametrize("fault", ["down", "http500", "garbage", "html", "auth"])
def test_a_bad_day_costs_nothing(navidrome, start_segue, fault):
    server = start(start_segue, navidrome)
    client = server.client()
    navidrome.control("fault", mode=fault)
    client.update()
    trouble = {"auth": "does not accept the password", "down": "can't be reached"}.get(fault, "can't be used")
    wait_for(lambda: trouble in client.status().get("error", ""), 30, "a sentence in the status")
    # The log is written beside the loop.
    wait_for(lambda: trouble in server.log, 10, "the same in the log")
    assert int(client.stats()["songs"]) == navidrome.songs
    navidrome.control("fault", mode="none")
    navidrome.control("add", n=1)

    def caught_up():
        client.update()
        return int(client.stats()["songs"]) == navidrome.songs + 1
    wait_for(caught_up, 60, "the library of the good day", every=0.5)
    wait_for(lambda: "error" not in client.status(), 30, "a status without it")


def test_a_cut_download_is_resumed_where_it_broke_off(navidrome, start_segue):
    server = start(start_segue, navidrome)
    client = server.client()
    song = next(entry for entry in client.listallinfo() if "file" in entry)
    navidrome.control("fault", mode="cut", after=20_000, match="stream", count=2)
    client.add(song["file"])
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1, 30, "the music")
    wait_for(lambda: client.status()["state"] == "stop", 30, "the song's end")
    assert "error" not in client.status()
    streams = [row.split(" ", 2)[2] for row in navidrome.control("requests")["rows"] if " stream " in row]
    assert streams[0] == "" and any(re.fullmatch(r"bytes=[1-9]\d*-", extent) for extent in streams[1:]), streams
