"""Streams that are not simply there: episodes of feeds, behind proxies, and found by a program."""
import base64
import contextlib
import http.server
import re
import select
import shutil
import socket
import subprocess
import threading
import time

import pytest
from harness.broadcast import Broadcast
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import FLAC_ENCODER, generate
from harness.radio import Station, encoded, hls
from harness.programs import need
from harness.segue import Segue
from harness.waiting import wait_for
from mpd import CommandError


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A tone as a station sends it."""
    return encoded(tmp_path_factory.mktemp("sounds"), "mp3", 440)


@pytest.fixture
def station(sound):
    """A station that is closed after the test."""
    data, content_type = sound
    started = Station(data, content_type)
    yield started
    started.close()


class Proxy:
    """A proxy that asks one port of this machine whatever the request's host is, and keeps the requests."""

    def __init__(self, port, credentials=None):
        self.port, self.credentials = port, credentials
        self.heads = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client:
            head = b""
            while b"\r\n\r\n" not in head:
                data = client.recv(4096)
                if not data:
                    return
                head += data
            method, url, rest = head.decode("latin-1").split(" ", 2)
            self.heads.append(f"{method} {url} {rest}")
            if self.credentials and f"proxy-authorization: basic {self.credentials}".lower() not in rest.lower():
                client.sendall(b'HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n'
                               b"Connection: close\r\n\r\n")
                return None
            if method == "CONNECT":
                return self._tunnel(client)
            path = "/" + url.split("://")[1].split("/", 1)[1]
            # One request for each connection.
            rest = re.sub("(?i)\r\n(proxy-)?connection:[^\r]*", "", rest)
            rest = rest.replace("\r\n", "\r\nConnection: close\r\n", 1)
            with socket.create_connection(("127.0.0.1", self.port)) as server:
                server.sendall(f"{method} {path} {rest}".encode("latin-1"))
                try:
                    while data := server.recv(4096):
                        client.sendall(data)
                except OSError:
                    pass

    def _tunnel(self, client):
        """Carries bytes both ways until one end closes."""
        with socket.create_connection(("127.0.0.1", self.port)) as server:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            ends = {client: server, server: client}
            while True:
                for end in select.select(list(ends), [], [])[0]:
                    data = end.recv(4096)
                    if not data:
                        return
                    ends[end].sendall(data)

    def close(self):
        self.listener.close()


@pytest.fixture
def proxy(station):
    """A proxy in front of the station."""
    started = Proxy(station.port)
    yield started
    started.close()


def plays(client):
    """Whether something is heard."""
    status = client.status()
    return status["state"] == "play" and float(status.get("elapsed", 0)) > 0.3


FEED = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Night Talks</title>
<item><title>Second &amp; last</title><itunes:author>Ada</itunes:author><pubDate>Fri, 10 Jul 2026 05:00:00 GMT</pubDate>
<itunes:duration>1:02:03</itunes:duration><description><![CDATA[<p>{notes}</p>]]></description>
<enclosure url="{url}" type="audio/mpeg" length="1"/></item>
<item><title>Only a letter</title></item>
</channel></rss>"""


def test_the_episodes_of_a_feed_are_loaded_and_played(start_segue, station):
    # Real feeds are larger than playlists are.
    station.files["/feed"] = ("application/rss+xml; charset=utf-8",
                              FEED.format(url=station.url, notes="x" * 1_200_000).encode())
    client = start_segue(playlists={"private_hosts": ["127.0.0.1"]}).client()
    feed = f"http://127.0.0.1:{station.port}/feed"
    assert client.listplaylist(feed) == [station.url]
    (episode,) = client.listplaylistinfo(feed)
    assert (episode["title"], episode["artist"], episode["album"], episode["date"]) == (
        "Second & last", "Ada", "Night Talks", "2026-07-10")
    client.load(feed)
    assert client.playlistinfo()[0]["title"] == "Second & last"
    client.play(0)
    wait_for(lambda: plays(client), what="sound")


class Episodes(http.server.BaseHTTPRequestHandler):
    """Sends files of the folder of its server, and pieces of them."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        data = (self.server.folder / self.path.rpartition("/")[2]).read_bytes()
        first = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(first[1]) if first else 0
        self.send_response(206 if first else 200)
        self.send_header("Content-Type", "application/rss+xml" if self.path.endswith(".rss") else "audio/flac")
        self.send_header("Accept-Ranges", "bytes")
        if first:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(data[start:])

    def log_message(self, *_):
        """Says nothing."""


def test_an_episode_is_sought_in_and_goes_on_where_it_stopped_as_fast_as_it_was_heard(start_segue, tmp_path):
    generate(tmp_path / "long.flac", 200, FLAC_ENCODER)
    (tmp_path / "music").mkdir()
    generate(tmp_path / "music/short.flac", 30, FLAC_ENCODER)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Episodes) as web:
        web.folder = tmp_path
        threading.Thread(target=web.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{web.server_port}"
        (tmp_path / "feed.rss").write_text(FEED.format(url=f"{url}/long.flac", notes="").replace("1:02:03", "3:20"))
        server = start_segue(songs=1, playback={"resume_long_songs": 1}, local={"music_directory": tmp_path / "music"},
                             playlists={"private_hosts": ["127.0.0.1"]})
        client = server.client()
        client.load(f"{url}/feed.rss")
        client.add("short.flac")
        client.play(0)
        wait_for(lambda: plays(client), what="sound")
        client.seekcur(90)
        wait_for(lambda: 90 < float(client.status()["elapsed"]) < 120, what="the place after a seek")
        client.sendmessage("segue", "speed 1.5")
        client.play(1)
        client.sendmessage("segue", "speed 1")
        client.play(0)
        assert 90 <= float(client.status()["elapsed"]) < 120 and client.status()["speed"] == "1.5"
        wait_for(lambda: 90 < float(client.status()["elapsed"]) < 150, what="sound from there")
        client.play(1)
        assert "speed" not in client.status() or float(client.status()["speed"]) == 1
        assert server.stop()[0] == 0
        server.start(songs=1)
        client = server.client()
        client.play(0)
        assert 90 <= float(client.status()["elapsed"]) < 150 and client.status()["speed"] == "1.5"
        web.shutdown()


def test_a_feed_of_a_hundred_megabytes_is_refused_and_everything_goes_on(start_segue, station):
    station.files["/feed.rss"] = ("text/xml", FEED.format(url=station.url, notes="x" * 100_000_000).encode())
    station.files["/broken"] = ("application/rss+xml", b"<rss><channel><item>")
    client = start_segue(playlists={"private_hosts": ["127.0.0.1"]}).client()
    with pytest.raises(CommandError, match="The playlist is too large"):
        client.load(f"http://127.0.0.1:{station.port}/feed.rss")
    with pytest.raises(CommandError, match="No such playlist"):
        client.load(f"http://127.0.0.1:{station.port}/broken")
    assert client.status()["playlistlength"] == "0"


def test_titles_are_in_the_charset_that_the_address_names(start_segue, station):
    station.title = "Земфира - Хочешь?".encode("cp1251")
    client = start_segue().client()
    client.add(station.url + "#charset=cp1251")
    client.play(0)
    wait_for(lambda: client.currentsong().get("title") == "Земфира - Хочешь?", what="the title")
    # A station that says it in Unicode is right, whatever the address says.
    station.title = "日本 - 五"
    wait_for(lambda: client.currentsong().get("title") == "日本 - 五", what="the next title")
    # Unknown charsets change nothing.
    station.title = "Björk".encode("latin-1")
    client.add(station.url + "#charset=../../etc/passwd")
    client.play(1)
    wait_for(lambda: client.currentsong().get("title") == "Björk", what="the title in Latin-1")


@pytest.mark.parametrize("sent, fragment, shown", [
    ("Café".encode("latin-1"), "", "Café"), ("Café 日本".encode(), "", "Café 日本"),
    ("Радио".encode("cp1251"), "#charset=cp1251", "Радио"),
], ids=["Latin-1", "UTF-8", "named charset"])
def test_names_of_stations_are_decoded_as_titles_are(start_segue, station, sent, fragment, shown):
    station.name = sent.decode("latin-1")
    client = start_segue().client()
    client.add(station.url + fragment)
    client.play(0)
    wait_for(lambda: client.currentsong().get("name") == shown, what="the name")


def test_stations_and_playlists_are_reached_through_a_proxy(start_segue, station, proxy):
    proxy.credentials = base64.b64encode(b"me:secret word").decode()
    station.files["/list.m3u"] = ("audio/x-mpegurl", b"http://radio.invalid/live\n")
    server = start_segue(http={"proxy": proxy.address, "proxy_user": "me", "proxy_password": "secret word"})
    client = server.client()
    client.load("http://radio.invalid/list.m3u")
    assert client.playlistinfo()[0]["file"] == "http://radio.invalid/live"
    client.play(0)
    wait_for(lambda: plays(client), what="sound")
    for request in ["CONNECT radio.invalid:80", "GET http://radio.invalid/live"]:
        assert any(head.startswith(request + " ") for head in proxy.heads), request
    assert "secret word" not in server.log


def asked(proxy, what):
    """Whether the proxy was asked for a path of the station that only it knows."""
    return any(head.startswith("GET http://radio.invalid") and what in head.split(" ")[1] for head in proxy.heads)


def test_a_broadcast_in_pieces_comes_through_a_proxy_with_its_keys(start_segue, tmp_path):
    broadcast = Broadcast(tmp_path, key=b"0123456789abcdef")
    proxy = Proxy(broadcast.port, base64.b64encode(b"me:secret word").decode())
    try:
        server = start_segue(http={"proxy": proxy.address, "proxy_user": "me", "proxy_password": "secret word"})
        client = server.client()
        client.add("http://radio.invalid/live/list.m3u8")
        client.play(0)
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 8, 60, "sound of pieces that were not there before")
        for what in ("list.m3u8", "/key", "/piece"):
            assert asked(proxy, what), what
        assert "secret word" not in server.log
    finally:
        proxy.close()
        broadcast.close()


def test_a_recording_in_dash_comes_through_a_proxy(start_segue, station, proxy, tmp_path):
    need("ffmpeg")
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "sine=frequency=440:duration=10", "-c:a",
                    "aac", "-seg_duration", "1", "-f", "dash", tmp_path / "list.mpd"], check=True, timeout=60)
    types = {".mpd": "application/dash+xml", ".m4s": "audio/mp4"}
    station.files = {f"/{path.name}": (types[path.suffix], path.read_bytes()) for path in tmp_path.iterdir()
                     if path.suffix in types}
    client = start_segue(http={"proxy": proxy.address}).client()
    client.add("http://radio.invalid/list.mpd")
    client.play(0)
    wait_for(lambda: plays(client), what="sound")
    assert asked(proxy, "list.mpd") and asked(proxy, ".m4s")


@pytest.mark.parametrize("is_list_direct", [False, True], ids=["list through it", "list direct"])
def test_pieces_on_a_host_that_the_proxy_leaves_out_are_asked_for_directly(
        start_segue, station, proxy, tmp_path, is_list_direct):
    station.files = hls(tmp_path, 660, seconds=6)
    here = f"http://127.0.0.1:{station.port}/"
    content_type, text = station.files["/list.m3u8"]
    station.files["/list.m3u8"] = content_type, re.sub(rb"(?m)^(?=segment)", here.encode(), text)
    server = start_segue(http={"proxy": proxy.address}, playlists={"private_hosts": ["127.0.0.1"]})
    client = server.client()
    client.add(here + "list.m3u8" if is_list_direct else "http://radio.invalid/list.m3u8")
    client.play(0)
    wait_for(lambda: plays(client), what="sound")
    assert not any("segment" in head for head in proxy.heads)
    assert bool(proxy.heads) != is_list_direct


@pytest.mark.parametrize("is_named", [False, True], ids=["not named", "named"])
def test_a_playlist_of_the_internet_leads_to_a_station_inside_only_where_that_is_named(
        start_segue, station, proxy, sound, is_named):
    inside = Station(*sound, name="Inside FM")
    station.files["/inside.m3u"] = ("audio/x-mpegurl", f"{inside.url}\n".encode())
    station.files["/both.m3u"] = ("audio/x-mpegurl", f"{inside.url}\nhttp://radio.invalid/live\n".encode())
    station.files["/lists.m3u"] = ("audio/x-mpegurl", f"http://127.0.0.1:{inside.port}/inner.m3u\n".encode())
    hosts = {"private_hosts": ["127.0.0.1"]} if is_named else {}
    server = start_segue(http={"proxy": proxy.address}, playback={"radio_timeout": 3}, playlists=hosts)
    client = server.client()
    for name in ("inside", "lists", "both"):
        client.clear()
        client.add(f"http://radio.invalid/{name}.m3u")
        client.play(0)
        if name == "both" or is_named and name == "inside":
            wait_for(lambda: plays(client), what="sound")
            assert client.currentsong()["name"] == ("Inside FM" if is_named else "Test FM")
        else:
            wait_for(lambda: client.status()["state"] == "stop", 30, "giving up")
    assert bool(inside.connections) == is_named
    assert ("private_hosts" in server.log) != is_named
    inside.close()


def test_the_library_s_server_is_reached_through_a_proxy(start_segue, tmp_path):
    navidrome = FakeNavidrome(tmp_path, songs=20, seconds=3).start()
    proxy = Proxy(int(navidrome.url.rpartition(":")[2]))
    try:
        server = start_segue(
            songs=20, http={"proxy": proxy.address},
            navidrome={"url": "http://music.invalid:4533", "username": USER, "password": PASSWORD})
        client = server.client()
        client.add("/")
        client.play(0)
        wait_for(lambda: plays(client), what="sound")
        assert proxy.heads and all(head.startswith("CONNECT music.invalid:4533 ") for head in proxy.heads)
        assert "music.invalid" in server.run("check", "--config", server.configuration).stdout
    finally:
        proxy.close()
        navidrome.kill()


def test_the_environment_s_proxy_counts_but_for_what_it_leaves_out(start_segue, station, proxy):
    def behind_proxy(folder, registry, **sections):
        server = Segue(folder, registry, **sections)
        server.environment |= {"http_proxy": proxy.address, "no_proxy": "127.0.0.1"}
        return server
    client = start_segue(kind=behind_proxy).client()
    client.add(station.url)
    client.play(0)
    wait_for(lambda: plays(client), what="sound")
    assert proxy.heads == []
    # The environment's proxy counts for all others.
    client.add("http://radio.invalid/live")
    client.play(1)
    wait_for(lambda: plays(client) and client.status()["song"] == "1", what="sound through the proxy")
    assert any(head.startswith("GET http://radio.invalid/live ") for head in proxy.heads)


def test_a_program_finds_the_stream_behind_a_page(start_segue, station, tmp_path):
    station.files["/watch"] = ("text/html; charset=utf-8", b"<!DOCTYPE html><html><body>A player</body></html>" * 50)
    asked = tmp_path / "asked"
    program = tmp_path / "find-stream"
    program.write_text(f'#!/bin/sh\necho "$@" >> {asked}\necho WARNING: slow\necho {station.url}\n')
    program.chmod(0o755)
    page = f"http://127.0.0.1:{station.port}/watch"
    client = start_segue(resolver={"command": [str(program), "--get-url"], "hosts": ["127.0.0.1"]}).client()
    client.add(page)
    client.play(0)
    wait_for(lambda: plays(client), what="sound")
    assert client.currentsong()["file"] == page
    assert asked.read_text().splitlines()[0] == f"--get-url {page}"


@pytest.mark.skipif(not shutil.which("yt-dlp"), reason="needs yt-dlp")
def test_yt_dlp_itself_finds_the_stream_behind_a_page(start_segue, station):
    page = f'<!DOCTYPE html><html><head><title>A</title></head><body><audio src="{station.url}"></audio></body></html>'
    station.files["/watch"] = ("text/html; charset=utf-8", page.encode())
    # As conf/segue.toml has it.
    command = ["yt-dlp", "--quiet", "--no-warnings", "--no-playlist", "--format", "bestaudio/best", "--get-url", "--"]
    client = start_segue(resolver={
        "command": [shutil.which("yt-dlp"), *command[1:]], "hosts": ["127.0.0.1"], "timeout": 60}).client()
    client.add(f"http://127.0.0.1:{station.port}/watch")
    began = time.monotonic()
    client.play(0)
    wait_for(lambda: plays(client), 90, "sound")
    print(f"yt-dlp: sound after {time.monotonic() - began:.1f} s")


def test_without_a_program_or_its_host_nothing_is_run(start_segue, station, tmp_path):
    station.files["/watch"] = ("text/html; charset=utf-8", b"<!DOCTYPE html><html><body>A player</body></html>" * 50)
    program = tmp_path / "find-stream"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    client = start_segue(resolver={"command": [str(program)], "hosts": ["video.example"]}).client()
    client.add(f"http://127.0.0.1:{station.port}/watch")
    client.play(0)
    wait_for(lambda: "web page" in client.status().get("error", ""), what="the refusal")
    assert not (tmp_path / "ran").exists()
