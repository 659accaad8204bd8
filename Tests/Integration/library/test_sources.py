"""Two sources at once, and changes upstream."""
import shutil

import pytest
from harness.clients import mpc
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.supysonic import Supysonic, navidrome_section
from harness.waiting import wait_for
from mutagen.flac import FLAC


def test_two_sources_lie_side_by_side(supysonic, library, start_segue):
    music, tracks = library
    server = start_segue(songs=2 * len(tracks), navidrome=navidrome_section(supysonic, mount="remote"),
                         local={"music_directory": music, "mount": "here"})
    client = server.client()
    assert sorted(entry["directory"] for entry in client.lsinfo()) == ["here", "remote"]
    assert {"here", "remote"} <= {entry["mount"] for entry in client.listmounts()}
    found = [song["file"] for song in client.find("title", "Road")]
    assert sorted(file.split("/")[0] for file in found) == ["here", "remote"]
    for file in found:
        mpc(server, "add", file)
    for position in (0, 1):
        client.play(position)
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, what=f"song {position}")
        assert client.currentsong()["file"] == client.playlistinfo()[position]["file"]


def test_a_new_local_song_appears_after_update(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    shutil.copy(tracks["Sill"].path, music / "one.flac")
    server = start_segue(songs=1, local={"music_directory": music})
    shutil.copy(tracks["Lamp"].path, music / "two.flac")
    (music / "broken.flac").write_bytes(b"no music in here")
    mpc(server, "update", "--wait", seconds=60)
    server.wait_for_songs(2)
    assert mpc(server, "find", "title", "Lamp").strip() == "two.flac"
    (music / "one.flac").unlink()
    mpc(server, "update", "--wait", seconds=60)
    server.wait_for_songs(1)


def test_a_new_song_on_the_server_appears(tmp_path, library, tracks, start_segue):
    music = tmp_path / "music"
    (music / "A").mkdir(parents=True)
    shutil.copy(tracks["Sill"].path, music / "A" / "one.flac")
    folder = tmp_path / "supysonic"
    folder.mkdir()
    upstream = Supysonic(folder, music).start()
    try:
        server = start_segue(songs=1, navidrome=navidrome_section(upstream))
        shutil.copy(tracks["Lamp"].path, music / "A" / "two.flac")
        upstream.scan()
        mpc(server, "update", "--wait", seconds=60)
        server.wait_for_songs(2)
    finally:
        upstream.close()


def queue(client):
    """The queue's songs by their paths."""
    return [entry["file"] for entry in client.playlistinfo()]


@pytest.mark.parametrize("restarts", [False, True])
def test_the_queue_has_its_songs_again_when_a_folder_is_mounted_again(tmp_path, tracks, start_segue, restarts):
    music, away = tmp_path / "music", tmp_path / "away"
    for name in ("a", "b", "c", "d"):
        (music / "disk").mkdir(parents=True, exist_ok=True)
        shutil.copy(tracks["Sill"].path, (music if name in "ad" else music / "disk") / f"{name}.flac")
    server = start_segue(songs=4, local={"music_directory": music})
    client = server.client()
    for path in ("a.flac", "disk/b.flac", "disk/c.flac", "d.flac"):
        client.add(path)
    client.prio(5, 1)
    before = queue(client)
    (music / "disk").rename(away)
    client.update()
    server.wait_for_songs(2)
    wait_for(lambda: queue(client) == ["a.flac", "d.flac"], 20, "a shorter queue")
    if restarts:
        server.stop()
        server.start(songs=2)
        client = server.client()
        assert queue(client) == ["a.flac", "d.flac"]
    away.rename(music / "disk")
    client.update()
    server.wait_for_songs(4)
    wait_for(lambda: queue(client) == before, 20, "the songs in the queue")
    assert client.playlistinfo(1)[0]["prio"] == "5"


def test_the_queue_has_its_songs_again_when_the_server_finds_them_again(tmp_path, start_segue):
    navidrome = FakeNavidrome(tmp_path, songs=12, seconds=2).start()
    try:
        server = start_segue(songs=12, navidrome={
            "url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1})
        client = server.client()
        client.add("")
        client.shuffle()
        before = queue(client)
        navidrome.control("remove", n=5)
        server.wait_for_songs(7)
        wait_for(lambda: len(queue(client)) == 7, 20, "a shorter queue")
        navidrome.control("restore", n=5)
        server.wait_for_songs(12)
        wait_for(lambda: queue(client) == before, 20, "the songs in the queue")
    finally:
        navidrome.kill()


def test_a_song_plays_on_when_its_file_gets_other_tags_and_moves(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    (music / "new").mkdir(parents=True)
    shutil.copy(tracks["River"].path, music / "old.flac")
    shutil.copy(tracks["Sill"].path, music / "other.flac")
    server = start_segue(songs=2, local={"music_directory": music})
    client = server.client()
    client.add("old.flac")
    client.add("other.flac")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, what="the song")
    file = FLAC(music / "old.flac")
    file["title"], file["artist"] = "Delta", "Somebody Else"
    file.save()
    (music / "old.flac").rename(music / "new" / "moved.flac")
    client.update()
    wait_for(lambda: client.find("title", "Delta"), 60, "the song at its new place")
    assert [song["file"] for song in client.find("title", "Delta")] == ["new/moved.flac"]
    assert client.find("title", "River") == []
    before = float(client.status()["elapsed"])
    wait_for(lambda: float(client.status()["elapsed"]) > before + 1, 20, "more of the song")
    status = client.status()
    assert status["state"] == "play" and "error" not in status
    assert status["playlistlength"] == "2"
    client.next()
    wait_for(lambda: client.currentsong()["file"] == "other.flac", 20, "the next song")
