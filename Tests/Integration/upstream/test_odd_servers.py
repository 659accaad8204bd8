"""Servers that are not what they should be, and songs that are odd."""
import http.server
import re
import shutil
import threading

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.https import SecureDoor
from harness.processes import free_port
from harness.radio import vouched
from harness.segue import Segue
from harness.supysonic import navidrome_section
from harness.waiting import wait_for
from mutagen.flac import FLAC


class HTMLServer(http.server.BaseHTTPRequestHandler):
    """Answers everything with a web page, as a proxy in front of the wrong thing does."""

    def do_GET(self):
        body = b"<!DOCTYPE html><html><body>Welcome to nginx!</body></html>"
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


@pytest.fixture
def html_server():
    """The address of a server of web pages."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), HTMLServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def section(url):
    """The configuration for a server at an address."""
    return {"url": url, "username": "mia", "password": "hunter2-hunter2", "sync_interval": 1}


def test_a_server_of_web_pages_is_reported(html_server, start_segue):
    server = start_segue(navidrome=section(html_server))
    client = server.client()
    wait_for(lambda: "can't be used" in server.log, 20, "the warning in the log")
    assert client.stats()["songs"] == "0"
    assert client.listall() == []
    client.ping()
    assert "hunter2-hunter2" not in server.log


def test_a_server_that_is_not_there_is_reported(start_segue):
    server = start_segue(navidrome=section(f"http://127.0.0.1:{free_port()}"))
    wait_for(lambda: "can't be reached" in server.log, 20, "the warning in the log")
    # The system's reason is beneath.
    assert re.search(r"can't be reached.* <- .*Connection refused", server.log), server.log
    assert server.client().stats()["songs"] == "0"


def test_a_wrong_password_is_reported(supysonic, start_segue):
    server = start_segue(navidrome={**navidrome_section(supysonic), "password": "wrong-wrong-wrong"})
    wait_for(lambda: "does not accept the password" in server.log, 20, "the error in the log")
    assert "wrong-wrong-wrong" not in server.log


def test_check_names_what_is_wrong(html_server, supysonic, start_segue, library):
    server = start_segue(local={"music_directory": library[0]})
    server.stop()
    for navidrome, says in (
        (section(f"http://127.0.0.1:{free_port()}"), "unreachable"),
        ({**navidrome_section(supysonic), "password": "wrong-wrong-wrong"}, "auth_failed"),
        (section(html_server), "unreachable"),
    ):
        server.sections.pop("local", None)
        server.sections["navidrome"] = navidrome
        server.write_configuration()
        result = server.run("check", "--config", server.configuration)
        assert result.returncode == 1
        assert says in result.stdout + result.stderr
        assert navidrome["password"] not in result.stdout + result.stderr


def test_odd_songs_do_no_harm(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    (music / "no length.flac").write_bytes(b"")
    for name in ("no tags", "line feeds", "long"):
        shutil.copy(tracks["Sill"].path, music / f"{name}.flac")
    bare = FLAC(music / "no tags.flac")
    bare.delete()
    feeds = FLAC(music / "line feeds.flac")
    feeds["title"], feeds["artist"] = "one\nOK\nACK [5@0] {} two", "a\r\nb"
    feeds.save()
    long = FLAC(music / "long.flac")
    long["comment"], long["title"] = "ü" * 10_000, "t" * 10_000
    long.save()
    server = start_segue(songs=3, local={"music_directory": music})
    client = server.client()
    client.tagtypes("all")
    listed = {entry["file"]: entry for entry in client.listallinfo() if "file" in entry}
    assert set(listed) == {"no tags.flac", "line feeds.flac", "long.flac"}
    assert "title" not in listed["no tags.flac"]
    for entry in listed.values():
        for value in entry.values():
            assert len(str(value).encode()) < 4096
    for file in listed:
        client.add(file)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "play")


def test_a_server_with_a_certificate_of_ones_own_is_used_where_that_is_trusted(registry, tmp_path):
    authority, certificate = vouched(tmp_path)
    plain = FakeNavidrome(tmp_path, songs=12).start()
    door = SecureDoor(int(plain.url.rpartition(":")[2]), certificate)
    navidrome = {"url": door.url, "username": USER, "password": PASSWORD}
    servers = [Segue(tmp_path / name, registry, navidrome=navidrome) for name in ("trusting", "wary")]
    servers.append(Segue(tmp_path / "told", registry, navidrome={**navidrome, "certificate": str(authority)}))
    try:
        servers[0].environment["SSL_CERT_FILE"] = str(authority)
        client = servers[0].start(songs=12).client()
        client.add(client.search("title", "e")[0]["file"])
        client.play(0)
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 60, "sound")
        assert servers[1].start().client().stats()["songs"] == "0"
        wait_for(lambda: "its certificate is not trusted" in servers[1].log, 60, "the refusal in the log")
        assert "set certificate under [navidrome]" in servers[1].log
        assert servers[2].start(songs=12).client().stats()["songs"] == "12"
    finally:
        door.close()
        for server in (*servers, plain):
            server.kill()
