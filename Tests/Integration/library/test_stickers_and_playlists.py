"""Stickers over a restart and a rename, and playlists that lie in the music folder or on a web server."""
import base64
import http.server
import shutil
import socket
import threading

import mpd
import pytest
from harness.clients import mpc
from harness.waiting import wait_for


@pytest.fixture
def music(tmp_path, tracks):
    """A folder with two songs and a playlist beside one of them."""
    folder = tmp_path / "music"
    (folder / "A").mkdir(parents=True)
    shutil.copy(tracks["Sill"].path, folder / "A" / "one.flac")
    shutil.copy(tracks["Lamp"].path, folder / "two.flac")
    (folder / "A" / "list.m3u").write_text("#EXTM3U\n#EXTINF:1,x\none.flac\n../two.flac\nnowhere.flac\n")
    return folder


class Playlists(http.server.BaseHTTPRequestHandler):
    """A web server of playlists; `asked` has what clients sent to prove who they are."""

    asked = []
    answers = {
        "/radio": (200, "audio/x-scpls", b"[playlist]\nNumberOfEntries=2\nFile1=http://127.0.0.1:1/a\nTitle1=A\n"
                                         b"File2=b.ogg\n"),
        "/deep/list.xspf": (200, "text/plain", b"<playlist><trackList><track><location>c.ogg</location>"
                                               b"<title>C &amp; D</title></track></trackList></playlist>"),
        "/broken.m3u": (500, "audio/mpegurl", b""),
        "/song.ogg": (200, "audio/ogg", b"OggS"),
        "/huge.m3u": (200, "audio/mpegurl", b"# comment\n" * 1_000_000),
    }

    def do_GET(self):
        type(self).asked.append((self.path, self.headers.get("Authorization")))
        if self.path == "/moved.pls":
            self.send_response(302)
            self.send_header("Location", "/radio")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        status, kind, body = self.answers.get(self.path, (404, "text/plain", b""))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except ConnectionError:
            pass

    def log_message(self, *_):
        pass


@pytest.fixture
def web():
    """The address of a running web server of playlists."""
    Playlists.asked = []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Playlists)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def ask(server, request):
    """The lines that answer a request, for commands that python-mpd2 doesn't have."""
    with socket.create_connection(("127.0.0.1", server.port), 60) as connection, connection.makefile("rw") as stream:
        stream.readline()
        stream.write(request + "\n")
        stream.flush()
        lines = []
        while not lines or not lines[-1].startswith(("OK", "ACK")):
            lines.append(stream.readline().rstrip("\n"))
        return lines


@pytest.mark.smoke
def test_stickers_outlive_a_restart_and_a_rename(music, start_segue):
    server = start_segue(songs=2, local={"music_directory": music})
    client = server.client()
    client.sticker_set("song", "A/one.flac", "rating", "8")
    client.sticker_set("song", "two.flac", "rating", "10")
    assert mpc(server, "sticker", "two.flac", "get", "rating").strip() == "rating=10"
    server.stop()
    server.start(songs=2)
    (music / "A" / "one.flac").rename(music / "A" / "renamed.flac")
    mpc(server, "update", "--wait", seconds=60)
    client = server.client()
    found = {entry["file"]: entry["sticker"] for entry in client.sticker_find("song", "", "rating")}
    assert found == {"A/renamed.flac": "rating=8", "two.flac": "rating=10"}


@pytest.mark.smoke
def test_playlists_of_the_music_folder(music, start_segue):
    server = start_segue(songs=2, local={"music_directory": music})
    client = server.client()
    wait_for(lambda: any("playlist" in entry for entry in client.lsinfo("A")), 60, "the playlist")
    assert [entry for entry in client.listall("A") if "playlist" in entry] == [{"playlist": "A/list.m3u"}]
    assert client.listplaylist("A/list.m3u") == ["A/one.flac", "two.flac", "A/nowhere.flac"]
    client.load("A/list.m3u")
    assert [song["file"] for song in client.playlistinfo()] == ["A/one.flac", "two.flac"]
    assert {"file": "list.m3u", "size": str((music / "A" / "list.m3u").stat().st_size)}.items() <= next(
        entry for entry in client.listfiles("A") if entry.get("file") == "list.m3u").items()
    (music / "A" / "list.m3u").unlink()
    mpc(server, "update", "--wait", seconds=60)
    assert [entry for entry in client.listall() if "playlist" in entry] == []


def test_playlists_of_web_servers(music, web, start_segue):
    server = start_segue(songs=2, local={"music_directory": music}, playlists={"private_hosts": ["127.0.0.1"]})
    client = server.client()
    assert client.listplaylist(f"http://{web}/moved.pls") == ["http://127.0.0.1:1/a", f"http://{web}/b.ogg"]
    client.load(f"http://me:secret@{web}/deep/list.xspf")
    [song] = client.playlistinfo()
    assert (song["file"], song["title"]) == (f"http://{web}/deep/c.ogg", "C & D")
    assert "secret" not in client.status()["lastloadedplaylist"]
    assert Playlists.asked[-1] == ("/deep/list.xspf", "Basic " + base64.b64encode(b"me:secret").decode())
    for path, code in (("none.m3u", 50), ("song.ogg", 50), ("broken.m3u", 5), ("huge.m3u", 52)):
        with pytest.raises(mpd.CommandError) as refusal:
            client.load(f"http://me:secret@{web}/{path}")
        assert f"[{code}@" in str(refusal.value)
        assert "secret" not in str(refusal.value)


def test_fingerprints_where_chromaprint_is(music, start_segue):
    server = start_segue(songs=2, local={"music_directory": music})
    client = server.client()
    if "getfingerprint" not in client.commands():
        pytest.skip("GStreamer has no chromaprint here")
    one, two = (ask(server, f"getfingerprint {uri}") for uri in ("A/one.flac", "two.flac"))
    assert one[0].startswith("chromaprint: AQ") and one[1] == "OK" and one != two
