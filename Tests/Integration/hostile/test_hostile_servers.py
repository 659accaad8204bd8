"""Attacks by a Subsonic server on the whole program, the most different ones.

HostileAnswersTests, HostileHTTPTests, HostileServerTests and HostileMediaTests show in process what each kind of
malformed answer does to calls, to the index and to what is kept.
"""
import contextlib
import http.server
import json
import os
import threading
import zlib

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.middle_man import MiddleMan, changed, every, sends, waits
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE

SONGS = 60
LISTS = ("search3", "getAlbumList2", "getPlaylists", "getPlaylist", "getStarred2", "getInternetRadioStations",
         "getBookmarks", "getPlayQueueByIndex", "getPlayQueue", "getSong", "getScanStatus", "getLyricsBySongId")


@pytest.fixture(scope="module")
def upstream(tmp_path_factory):
    """An honest fake Navidrome with playlists, stars and a station."""
    fake = FakeNavidrome(tmp_path_factory.mktemp("navidrome"), songs=SONGS, seconds=2).start()
    ids = [song["id"] for song in fake.call("search3", query="", songCount=SONGS)["searchResult3"]["song"]]
    fake.call("createPlaylist", name="Honest", songId=ids[0])
    fake.call("star", id=ids[1])
    fake.call("setRating", id=ids[2], rating=4)
    fake.call("createBookmark", id=ids[3], position=1000)
    fake.control("station", label="Radio", url="http://127.0.0.1:9/live")
    yield fake
    fake.kill()


@pytest.fixture(scope="module")
def man(upstream):
    """What Segue takes for its server."""
    made = MiddleMan(upstream.url)
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(man, registry, tmp_path_factory):
    """Segue behind the man in the middle."""
    man.be_honest()
    running = Segue(tmp_path_factory.mktemp("servers"), registry, navidrome={
        "url": man.url, "username": USER, "password": PASSWORD, "sync_interval": 1})
    yield running
    running.kill()


@pytest.fixture
def attack(man, upstream, target):
    """Spoils answers while Segue syncs, plays and asks for all it can; then all is well again when the server is."""
    def run(rule, *calls, ends=True, least=3):
        """`ends` says whether what is sent comes to an end, its own or one that Segue puts to it."""
        if "stream" in calls:
            # What was kept would be played and shown instead.
            target.begin_again("tracks", "covers", "lyrics", "pictures")
        found = [line for line in target.lines(b"listall") if line.startswith(b"file: ")]
        paths = [b'"' + line[6:] + b'"' for line in found]
        upstream.control("touch", n=5)
        man.spoil(rule, *calls)
        target.ask(b"update", b"clear", *(b"add " + path for path in paths[:6]), b"load Honest")
        asking = threading.Thread(target=ask_for_all, args=(target, paths[:4]), daemon=True)
        asking.start()
        target.ask(b"play 0")
        wait_for(lambda: len(man.spoiled) >= least, 15 * PATIENCE, "spoiled answers")
        if ends:
            wait_for(lambda: len(man.ended) >= least, 30 * PATIENCE, "the end of spoiled answers")
        target.ask(b"next", b"status", b"listplaylists", b"load Honest", b"listallinfo", b"playlistinfo",
                   b"sticker find song \"\" rating")
        man.be_honest()
        asking.join(30 * PATIENCE)
        assert not asking.is_alive(), "a command was never answered"
        target.ask(b"stop", b"clear")
        target.server.fail_unless_running()

        def recovered():
            target.ask(b"update")
            stats = dict(line.split(b": ", 1) for line in target.lines(b"stats")[:-1])
            return int(stats[b"songs"]) == SONGS
        wait_for(recovered, 60 * PATIENCE, "the honest library", every=0.1)
    yield run
    man.be_honest()


def ask_for_all(target, paths):
    """Asks for pictures, lyrics and the like, each on a connection of its own."""
    def one(line):
        with contextlib.suppress(OSError, EOFError), target.raw(timeout=60 * PATIENCE) as client:
            client.send(line + b"\n")
            left = 1 << 22
            while left > 0 and not client.line().startswith((b"OK", b"ACK")):
                left -= 1
    everybody = [threading.Thread(target=one, args=(line,), daemon=True) for path in paths for line in (
        b"readpicture " + path + b" 0", b"albumart " + path + b" 0", b"readlyrics " + path, b"readcomments " + path,
        b"getfingerprint " + path, b"sticker set song " + path + b" rating 6", b"rescan")]
    for each in everybody:
        each.start()
    for each in everybody:
        each.join(25 * PATIENCE)


# MARK: JSON

def envelope(inner):
    """A successful answer around some JSON."""
    return (b'{"subsonic-response":{"status":"ok","version":"1.16.1","type":"navidrome","serverVersion":"0.63.2",'
            b'"openSubsonic":true,' + inner + b"}}")


def says(body):
    """A rule that answers with this JSON."""
    return lambda *_: (200, "application/json", body)


CHANGES = {
    "numbers of 2^63": changed(every((int, float), 2 ** 63 - 1)),
    "numbers below 0": changed(every((int, float), -1)),
    "lines in texts": changed(every(str, "a\nOK\nfile: x")),
    "letters without an end": changed(every(str, "e" + "\u0301" * 3000)),
    "long texts": changed(every(str, "x" * 300_000)),
    "paths that lead out": changed(every(str, "../../same\n", {"path", "id"})),
    "lists for objects": changed(every(dict, [])),
    "deep objects": says(envelope(b'"searchResult3":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000)),
    "a failure that clears the screen": says(
        b'{"subsonic-response":{"status":"failed","error":{"code":9223372036854775807,"message":"'
        + b"\\u001b[2J" * 5000 + b'"}}}'),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.smoke) if name == "lines in texts" else name for name in CHANGES])
def test_answers_that_lie(attack, target, name):
    attack(CHANGES[name], *LISTS)
    assert "\x1b" not in target.server.log


def test_many_thousand_songs_of_one_id(attack):
    song = {"id": "1", "title": "t", "path": "a/b.flac", "suffix": "flac", "duration": 2, "isDir": False}
    attack(says(envelope(b'"searchResult3":' + json.dumps({"song": [song] * 60_000}).encode())), "search3", least=1)


def test_a_playlist_of_a_million_songs(attack, upstream):
    song = upstream.call("search3", query="", songCount=1)["searchResult3"]["song"][0]
    entries = b",".join([json.dumps({"id": song["id"]}).encode()] * 60_000)
    inner = b'"playlist":{"id":"p","name":"\\nOK\\u001b[2J","songCount":-5,"entry":[' + entries + b"]}"
    lists = b'"playlists":{"playlist":[' + b",".join(
        b'{"id":"p%d","name":"Honest","songCount":9223372036854775807,"changed":"x"}' % number
        for number in range(3000)) + b"]}"
    attack(lambda _, call, honest: (200, "application/json", envelope(lists if call == "getPlaylists" else inner)),
           "getPlaylist", "getPlaylists", least=6)


# MARK: HTTP

def answer(*lines, status="200 OK", kind="application/json", body=b""):
    """An answer with lines of its own in its head."""
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}", *lines, "", ""]).encode("latin-1") + body


BOMB = zlib.compressobj(9, zlib.DEFLATED, 31)
BOMB = BOMB.compress(envelope(b'"x":"')[:-2]) + BOMB.compress(b" " * (300 << 20)) + BOMB.flush()
HTTP = {
    "retry after 2^63": sends(answer("Retry-After: 9223372036854775807", "Content-Length: 0", status="429 No")),
    "a length of 2^63": sends(answer("Content-Length: 9223372036854775807", body=b"{")),
    "a connection that closes": sends(b""),
    "endless headers": sends(b"HTTP/1.1 200 OK\r\n", b"X-Header: something that is long enough\r\n" * 1000),
    "an endless body": sends(answer(), b" " * 65536),
    "a bomb": sends(answer("Content-Encoding: gzip", f"Content-Length: {len(BOMB)}") + BOMB),
    "a page": sends(answer("Content-Length: 30", kind="text/html", body=b"<html><body>Login</body></html>"[:30])),
}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.smoke) if name == "a bomb" else name
    for name in HTTP if name != "an endless body"])
def test_http(attack, name):
    attack(HTTP[name])


@pytest.mark.parametrize("name", ["an endless body", "a page"])
def test_http_for_sound_and_pictures(attack, name):
    attack(HTTP[name], "stream", "download", "getCoverArt", "getLyricsBySongId", "scrobble", "savePlayQueue", least=2)


@pytest.mark.parametrize(
    "data, drip", [(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), (answer("Content-Length: 100000"), b"{")],
    ids=["headers that drip", "a body that drips"])
def test_slowness(attack, man, data, drip):
    attack(waits(man, data, drip), ends=False, least=1)


@pytest.mark.smoke
def test_a_redirect_inside(attack):
    """An honest-looking answer sends Segue, with its credentials, to another address."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        """Notes what it is asked for."""

        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        do_POST = do_GET

        def log_message(self, *_):
            pass
    inside = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=inside.serve_forever, args=(0.05,), daemon=True).start()
    there = f"Location: http://127.0.0.1:{inside.server_port}/x"
    attack(sends(answer(there, "Content-Length: 0", status="307 Moved")))
    inside.shutdown()
    inside.server_close()
    assert not asked, f"Segue went where it was sent: {asked}"


def test_sound_that_is_no_song(attack):
    """Instead of a song comes what makes players look elsewhere."""
    live = b"#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXTINF:5,\nhttp://127.0.0.1:9/x\n"
    attack(lambda _, call, answer: (200, "audio/flac", live), "stream", "download", least=1)
    attack(lambda _, call, answer: (200, "audio/flac", os.urandom(200_000)), "stream", "download", least=1)


def test_events_that_are_none(man, target):
    """The stream of events is garbage without end; it is heard by those who log in."""
    flood = sends(answer(kind="text/event-stream"), b"data: " + b"x" * 60_000)

    def rule(connection, call, honest):
        return (200, "application/json", b'{"token":"t"}') if call == "login" else flood(connection, call, honest)
    man.spoil(rule, "events", "login")
    target.begin_again()
    wait_for(lambda: "events" in man.ended, 30 * PATIENCE, "the end of the events")
    man.be_honest()
    assert target.ask(b"status") == [b"OK"]


def test_a_server_behind_a_name_that_is_not_ours(registry, tmp_path):
    """`segue login` to a public address without encryption warns and asks before it sends anything."""
    segue = Segue(tmp_path / "login", registry, navidrome={"url": f"http://127.0.0.1:{free_port()}"})
    segue.write_configuration()
    result = segue.run("login", "http://music.example.org", "me", "--config", segue.configuration, text="n\n",
                       seconds=30 * PATIENCE)
    assert result.returncode != 0
    assert "https" in result.stdout + result.stderr, result.stdout + result.stderr
