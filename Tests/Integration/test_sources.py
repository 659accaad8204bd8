"""Two sources at once, and changes upstream."""
import shutil

from harness.clients import mpc
from harness.supysonic import Supysonic, navidrome_section
from harness.waiting import wait_for


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
