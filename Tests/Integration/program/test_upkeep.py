"""Staying in sync, saying what is wrong, saving what is one's own, and leaving nothing behind."""
import json
import re
import stat

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.processes import wait_for_port
from harness.segue import Segue, binary
from harness.waiting import wait_for


@pytest.fixture
def navidrome(start_navidrome):
    """A running fake Navidrome."""
    return start_navidrome()


def section(navidrome, **more):
    """A configuration in which nothing but the server's events, or looks at its scans, can make a change appear."""
    return {"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 3600, **more}


def titles(client):
    return {song["title"] for song in client.listallinfo() if "title" in song}


def test_a_change_on_the_server_appears_without_anybody_asking(navidrome, start_segue):
    server = start_segue(songs=navidrome.songs, navidrome=section(navidrome))
    client, listener = server.client(), server.client(timeout=60)
    listener.add("/")
    version = client.status()["playlist"]
    wait_for(lambda: "receiving the server's events" in server.log, 30, "the event stream")
    navidrome.control("touch", n=10)
    assert "database" in listener.idle("database")
    wait_for(lambda: sum("(touched" in title for title in titles(client)) == 10, 30, "the new titles")
    # Clients see the new titles in the queue, too.
    wait_for(lambda: len(client.plchanges(version)) == 10, 30, "the changed entries")
    navidrome.control("remove", n=3)
    server.wait_for_songs(navidrome.songs - 3)
    wait_for(lambda: int(client.status()["playlistlength"]) == navidrome.songs - 3, 30, "the shorter queue")
    assert PASSWORD not in server.log and "jwt." not in server.log


def test_without_a_password_changes_appear_too(navidrome, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry)
    server.environment |= {"SEGUE_SERVER_LISTEN": f"127.0.0.1:{server.port}",
                           "SEGUE_NAVIDROME_SYNC_INTERVAL": "3600"}
    try:
        assert server.run("login", navidrome.url, USER, text=PASSWORD + "\n").returncode == 0
        state = server.folder / ".local/state/segue"
        session = state / "session"
        assert stat.S_IMODE(session.stat().st_mode) == 0o600 and PASSWORD not in session.read_text()
        server.launch([binary(), "serve"], server.environment)
        wait_for_port(server, server.port)
        server.wait_for_songs(navidrome.songs)
        wait_for(lambda: " events" in "".join(navidrome.control("requests")["rows"]), 30, "the event stream")
        navidrome.control("add", n=2)
        server.wait_for_songs(navidrome.songs + 2)
        # With neither password nor session the scans are looked at every few seconds.
        server.kill()
        session.unlink()
        server.launch([binary(), "serve"], server.environment)
        wait_for_port(server, server.port)
        server.wait_for_songs(navidrome.songs + 2)
        navidrome.control("add", n=3)
        server.wait_for_songs(navidrome.songs + 5)
        assert "jwt." not in server.log
    finally:
        server.kill()


def test_status_says_what_is_wrong_until_it_is_well(navidrome, start_segue):
    server = start_segue(songs=navidrome.songs, navidrome=section(navidrome))
    client = server.client()
    assert "error" not in client.status()
    navidrome.control("fault", mode="auth")
    client.update()
    wait_for(lambda: "error" in client.status(), 30, "the error")
    error = client.status()["error"]
    assert re.fullmatch(r"Navidrome 0\.63\.2 at http://127\.0\.0\.1:\d+ does not accept the password; run "
                        r"`segue login http://127\.0\.0\.1:\d+ USER`, or correct \[navidrome\] in the configuration", error)
    navidrome.control("fault", mode="none")
    wait_for(lambda: "error" not in client.status(), 60, "the end of the error")
    navidrome.control("fault", mode="down")
    client.update()
    wait_for(lambda: "can't be reached" in client.status().get("error", ""), 30, "the other error")
    client.clearerror()
    assert "error" not in client.status()
    navidrome.control("fault", mode="none")
    wait_for(lambda: server.log.count("connected: connected to Navidrome 0.63.2") == 3, 60, "the return")
    assert server.log.count("auth_failed:") == 1 and server.log.count("unreachable:") == 1


@pytest.mark.smoke
def test_check_names_status_and_tier(navidrome, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry, navidrome=section(navidrome))
    server.write_configuration()
    result = server.run("check", "--config", server.configuration)
    assert re.search(r"ok +navidrome: connected: connected to Navidrome 0\.63\.2 at http", result.stdout), result.stdout
    assert re.search(r"ok +tier: live: everything is live", result.stdout)
    navidrome.control("fault", mode="auth")
    result = server.run("check", "--config", server.configuration)
    assert result.returncode == 1
    assert re.search(r"FAIL +navidrome: auth_failed: Navidrome at .* does not accept the password", result.stdout)
    assert re.search(r"tier: degraded", result.stdout)
    assert PASSWORD not in result.stdout + result.stderr


@pytest.mark.smoke
def test_export_writes_what_is_ones_own_while_the_server_runs(navidrome, start_segue, tmp_path):
    server = start_segue(songs=navidrome.songs, navidrome=section(navidrome))
    client = server.client()
    songs = [entry for entry in client.listallinfo() if "file" in entry][:3]
    for song in songs:
        client.playlistadd("Mine", song["file"])
    client.playlistadd("Mine", "http://listener:Sesame-7@radio.example/stream")
    client.sticker_set("song", songs[0]["file"], "mood", "calm & \"quiet\"")
    client.sticker_set("song", songs[1]["file"], "rating", "8")
    client.add(songs[2]["file"])
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of a song")
    target = tmp_path / "export.json"
    result = server.run("export", target, "--config", server.configuration)
    assert result.returncode == 0, result.stderr
    data = json.loads(target.read_text())
    assert data["format"] == "segue-export" and data["version"] == 1
    by_id = {song["id"]: song for song in data["songs"]}
    mine = next(playlist for playlist in data["playlists"] if playlist["name"] == "Mine")
    assert [by_id[entry["song"]]["file"] for entry in mine["entries"] if "song" in entry] == [s["file"] for s in songs]
    assert mine["entries"][-1]["url"] == "http://radio.example/stream"
    moods = [sticker for sticker in data["stickers"] if sticker["name"] == "mood"]
    assert [(by_id[sticker["song"]]["file"], sticker["value"]) for sticker in moods] == [
        (songs[0]["file"], "calm & \"quiet\"")]
    ratings = {by_id[rating["song"]]["file"]: rating["rating"] for rating in data["ratings"] if "rating" in rating}
    assert ratings == {songs[1]["file"]: 8}
    # The generated sound is shorter than the songs claim, so nothing counts as heard.
    assert data["history"] == []
    assert PASSWORD not in target.read_text() and "Sesame" not in target.read_text()
    again = server.run("export", target, "--config", server.configuration)
    assert again.returncode == 1 and "--force" in again.stderr
    assert server.run("export", target, "--force", "--config", server.configuration).returncode == 0
    to_output = server.run("export", "-", "--config", server.configuration)
    assert json.loads(to_output.stdout)["playlists"] == data["playlists"]


def test_the_history_of_a_music_folder_is_exported(server_of_folder, tmp_path):
    server, tracks = server_of_folder
    client = server.client()
    song = min((entry for entry in client.listallinfo() if "file" in entry), key=lambda entry: float(entry["duration"]))
    client.add(song["file"])
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the song")

    def history():
        data = json.loads(server.run("export", "-", "--config", server.configuration).stdout)
        files = {entry["id"]: entry["file"] for entry in data["songs"]}
        return [(files[play["song"]], play["heard"]) for play in data["history"]]
    wait_for(lambda: len(history()) == 1, 30, "the play")
    (file, heard), = history()
    assert file == song["file"] and heard >= float(song["duration"]) * 500


@pytest.fixture
def server_of_folder(start_segue, library):
    """A server of the generated music."""
    music, tracks = library
    return start_segue(songs=len(tracks), local={"music_directory": music}), tracks


def test_forget_removes_everything_but_the_configuration(navidrome, start_segue):
    server = start_segue(songs=navidrome.songs, navidrome=section(navidrome))
    state, cache = server.folder / "state", server.folder / "cache"
    refusal = server.run("forget", "--yes", "--config", server.configuration)
    assert refusal.returncode == 1 and "a server runs" in refusal.stderr and (state / "segue.db").exists()
    server.stop()
    (state / "notes.txt").write_text("mine")
    refusal = server.run("forget", "--config", server.configuration, text="")
    assert refusal.returncode == 1 and "--yes" in refusal.stderr and (state / "segue.db").exists()
    assert str(state / "segue.db") in refusal.stdout and "segue export" in refusal.stdout
    result = server.run("forget", "--yes", "--config", server.configuration)
    assert result.returncode == 0, result.stderr
    assert [path.name for path in state.iterdir()] == ["notes.txt"] and not cache.exists()
    assert server.configuration.exists()
    again = server.run("forget", "--yes", "--config", server.configuration)
    assert again.returncode == 0 and "Nothing is stored" in again.stdout


def test_two_segues_on_one_account_show_the_same(navidrome, start_segue):
    servers = [start_segue(songs=navidrome.songs, navidrome=section(navidrome)) for _ in range(2)]
    clients = [server.client() for server in servers]
    for server in servers:
        wait_for(lambda server=server: "receiving the server's events" in server.log, 30, "the event stream")
    navidrome.control("touch", n=7)
    navidrome.control("move", n=5)
    navidrome.control("remove", n=2)
    for server in servers:
        server.wait_for_songs(navidrome.songs - 2)

    def shown(client):
        return sorted((song["file"], song["title"]) for song in client.listallinfo() if "file" in song)
    wait_for(lambda: "(touched" in str(shown(clients[0])) and shown(clients[0]) == shown(clients[1]), 30,
             "the same library on both")
