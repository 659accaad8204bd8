"""Attacks by a Subsonic server: numbers, texts, types, sizes, and all that can be wrong with HTTP."""
import contextlib
import http.server
import json
import os
import shutil
import threading
import time
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
    def run(rule, *calls, seconds=2.0, plays=True, least=1):
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
        if plays:
            target.ask(b"play 0")
        wait_for(lambda: len(man.spoiled) >= least, 15 * PATIENCE, "spoiled answers")
        time.sleep(seconds)
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
        wait_for(recovered, 60 * PATIENCE, "the honest library", every=0.5)
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


# MARK: Values

NUMBERS = [9223372036854775807, -9223372036854775808, 10 ** 30,
    1e308, -1, 0.5, "12", None, True, [], {}, float("nan"), "x"]


@pytest.mark.parametrize("number", NUMBERS, ids=repr)
def test_numbers(attack, number):
    attack(changed(every((int, float), number)), *LISTS)


TEXTS = ["", "\0", "a\nOK\nfile: x", "../../../etc/passwd", "x" * 300_000, "\x1b[2J\x9b31m", "\ud800",
    "/", ".", "a/b/c/../..", "e" + "\u0301" * 3000, "file:///etc/passwd", "9999-99-99T99:99:99Z", "%s%n%x"]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: repr(text[:12]))
def test_texts(attack, text):
    attack(changed(every(str, text)), *LISTS)


@pytest.mark.parametrize("key", ["id", "path", "title", "parent", "coverArt",
                         "suffix", "created", "changed", "streamUrl"])
def test_one_text_for_all(attack, key):
    """Every song has the same id, path, and so on, and none that is of any use."""
    for text in ("same", "../same\n", "/" * 4000):
        attack(changed(every(str, text, {key})), *LISTS, seconds=0.7, plays=False)


@pytest.mark.parametrize("kinds, new", [(list, {}), (list, None), (dict, []),
                         (dict, "x"), ((str, int), []), (list, [[[]]])], ids=repr)
def test_other_types(attack, kinds, new):
    attack(changed(every(kinds, new)), *LISTS, seconds=1)


def envelope(inner):
    """A successful answer around some JSON."""
    return (b'{"subsonic-response":{"status":"ok","version":"1.16.1","type":"navidrome","serverVersion":"0.63.2",'
            b'"openSubsonic":true,' + inner + b"}}")


def member(call):
    """The name under which a call's answer stands."""
    return {
    "search3": "searchResult3",
    "getAlbumList2": "albumList2",
    "getPlaylists": "playlists",
    "getStarred2": "starred2",
    "getInternetRadioStations": "internetRadioStations",
    "getScanStatus": "scanStatus",
    "getPlaylist": "playlist",
    }.get(
        call,
         call.removeprefix("get")).encode()


STRUCTURES = {
    "deep lists": lambda call: envelope(b'"' + member(call) + b'":' + b"[" * 200_000 + b"]" * 200_000),
    "deep objects": lambda call: envelope(b'"' + member(call) + b'":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    "deep in what is skipped": lambda call: envelope(b'"x":' + b"[" * 500_000 + b"]" * 500_000),
    "many keys": lambda call: envelope(b",".join(b'"k%d":1' % number for number in range(200_000))),
    "one key often": lambda call: envelope(b'"' + member(call) + b'":{},' * 1 + (b'"' + member(call) + b'":{"song":[]},') * 20_000
                                           + b'"z":1'),
    "long number": lambda call: envelope(b'"' + member(call) + b'":{"count":' + b"9" * 2_000_000 + b"}"),
    "long string": lambda call: envelope(b'"x":"' + b"\\u0041" * 1_000_000 + b'"'),
    "surrogates": lambda call: envelope(b'"' + member(call) + b'":{"song":[{"id":"\\ud800\\u0000\\udc00","title":"\xff\xfe"}]}'),
    "BOM": lambda call: b"\xef\xbb\xbf" + envelope(b'"a":1'),
    "nothing": lambda call: b"",
    "null": lambda call: b"null",
    "cut": lambda call: envelope(b'"' + member(call) + b'":{"song":[{"id":"1","ti')[:-20],
    "XML": lambda call: b"<subsonic-response/>",
    "versions": lambda call: envelope(b'"version":"99999999999999999999.-1.x","serverVersion":{}'),
    "failure": lambda call: (b'{"subsonic-response":{"status":"failed","error":{"code":9223372036854775807,"message":"'
                             + b"\\u001b[2J" * 5000 + b'"}}}'),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures(attack, name):
    attack(lambda _, call, answer: (200, "application/json", STRUCTURES[name](call)), *LISTS, seconds=1.5)


def test_many_thousand_songs_of_one_id(attack):
    song = {"id": "1", "title": "t", "path": "a/b.flac", "suffix": "flac", "duration": 2, "isDir": False}
    body = json.dumps({"song": [song] * 60_000}).encode()
    attack(
    lambda _,
    call,
    answer: (
        200,
        "application/json",
        envelope(
            b'"searchResult3":' +
            body)),
            "search3",
             seconds=3)


def test_pages_without_end(attack):
    """However far Segue reads, there is another full page."""
    count = [0]

    def rule(_, call, answer):
        del call, answer
        songs = []
        for _ in range(500):
            count[0] += 1
            songs.append({"id": f"e{count[0]}",
    "title": "t",
    "path": f"a/{count[0]}.flac",
    "suffix": "flac",
    "duration": 2,
    "isDir": False,
     "created": "2020-01-01T00:00:00Z"})
        return 200, "application/json", envelope(b'"searchResult3":' + json.dumps({"song": songs}).encode())
    attack(rule, "search3", seconds=4)


def test_a_playlist_of_a_million_songs(attack, upstream):
    song = upstream.call("search3", query="", songCount=1)["searchResult3"]["song"][0]
    body = json.dumps(song).encode()
    inner = b'"playlist":{"id":"p","name":"\\nOK\\u001b[2J","songCount":-5,"entry":[' + b",".join([
                                                                                                  body] * 60_000) + b"]}"
    lists = b'"playlists":{"playlist":[' + b",".join(
    b'{"id":"p%d","name":"Honest","songCount":9223372036854775807,"changed":"x"}' %
     number for number in range(3000)) + b"]}"
    attack(lambda _, call, answer: (200, "application/json", envelope(lists if call == "getPlaylists" else inner)),
           "getPlaylist", "getPlaylists", seconds=3)


# MARK: HTTP

def answer(*lines, status="200 OK", kind="application/json", body=b""):
    """An answer with lines of its own in its head."""
    return "\r\n".join([f"HTTP/1.1 {status}", f"Content-Type: {kind}", *lines, "", ""]).encode("latin-1") + body


BOMB = zlib.compressobj(9, zlib.DEFLATED, 31)
BOMB = BOMB.compress(envelope(b'"x":"')[:-2]) + BOMB.compress(b" " * (300 << 20)) + BOMB.flush()
HTTP = {
    "retry after 2^63": sends(answer("Retry-After: 9223372036854775807", "Content-Length: 0", status="429 Too Many Requests")),
    "retry after a lot": sends(answer("Retry-After: 99999999999999999999999", "Content-Length: 0", status="503 No")),
    "retry before": sends(answer("Retry-After: -5", "Content-Length: 0", status="429 No")),
    "length 2^63": sends(answer("Content-Length: 9223372036854775807", body=b"{")),
    "length -1": sends(answer("Content-Length: -1")),
    "two lengths": sends(answer("Content-Length: 2", "Content-Length: 40", body=b"{}")),
    "no head": sends(b"{}\n" * 5000),
    "chunk 2^64": sends(answer("Transfer-Encoding: chunked", body=b"FFFFFFFFFFFFFFFF\r\n{}")),
    "cut": sends(answer("Content-Length: 99")),
    "chunk -1": sends(answer("Transfer-Encoding: chunked", body=b"-1\r\n{}\r\n")), "hang up": sends(b""),
    "long header": sends(answer("X: " + "x" * 5_000_000)),
    "status 999": sends(answer("Content-Length: 0", status="999 \x1b[2J")),
    "many headers": sends(answer(*(f"X{number}: y" for number in range(100_000)))),
    "TLS": sends(b"\x16\x03\x03\xff\xff" * 999),
    "endless headers": sends(b"HTTP/1.1 200 OK\r\n", b"X-Header: something that is long enough\r\n" * 1000),
    "endless continues": sends(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "endless body": sends(answer(), b" " * 65536),
    "endless chunks": sends(answer("Transfer-Encoding: chunked"), b"1\r\n \r\n" * 10_000),
    "bomb": sends(answer("Content-Encoding: gzip", f"Content-Length: {len(BOMB)}") + BOMB),
    "bombs in bombs": sends(answer("Content-Encoding: gzip, gzip, gzip", "Content-Length: 20") + b"\x1f\x8b\x08" + b"\0" * 17),
    "page": sends(answer("Content-Length: 30", kind="text/html", body=b"<html><body>Login</body></html>"[:30])),
    "loop": sends(answer("Location: /rest/ping.view", "Content-Length: 0", status="302 Found")),
    "to a file": sends(answer("Location: file:///etc/passwd", "Content-Length: 0", status="301 Moved")),
}


@pytest.mark.parametrize("name", HTTP)
def test_http(attack, name):
    attack(HTTP[name])


@pytest.mark.parametrize("name", [ "retry after 2^63", "length 2^63", "length -1",
                         "endless body", "endless chunks", "bomb", "page", "cut", "endless headers"])
def test_http_for_sound_and_pictures(attack, name):
    attack(
    HTTP[name],
    "stream",
    "download",
    "getCoverArt",
    "getLyricsBySongId",
    "scrobble",
    "savePlayQueue",
    least=2,
     seconds=3)


@pytest.mark.parametrize("data, drip",
                         [(b"", b""),
                          (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
                          (answer(),
                           b" "),
                          (answer("Content-Length: 100000"),
                           b"{")],
                         ids=["silence", "headers that drip", "a body that drips", "a body that lags"])
def test_slowness(attack, man, data, drip):
    attack(waits(man, data, drip), seconds=4)


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
    attack(sends(answer(f"Location: http://127.0.0.1:{inside.server_port}/x", "Content-Length: 0", status="307 Moved")))
    inside.shutdown()
    inside.server_close()
    assert not asked, f"Segue went where it was sent: {asked}"


def test_sound_that_is_no_song(attack):
    """Instead of a song comes what makes players look elsewhere."""
    live = b"#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXTINF:5,\nhttp://127.0.0.1:9/x\n"
    attack(lambda _, call, answer: (200, "audio/flac", live), "stream", "download", least=1, seconds=2)
    attack(lambda _, call, answer: (200, "audio/flac", os.urandom(200_000)), "stream", "download", least=1, seconds=2)


def test_events_that_are_none(man, target):
    """The stream of events is garbage without end; it is heard by those who log in."""
    man.spoil(sends(answer(kind="text/event-stream"), b"data: " + b"x" * 60_000), "events", "login")
    target.begin_again()
    time.sleep(2)
    man.be_honest()
    assert target.ask(b"status") == [b"OK"]


def test_a_server_behind_a_name_that_is_not_ours(registry, tmp_path):
    """`segue login` to a public address without encryption warns and asks before it sends anything."""
    shutil.rmtree(tmp_path / "login", ignore_errors=True)
    segue = Segue(tmp_path / "login", registry, navidrome={"url": f"http://127.0.0.1:{free_port()}"})
    segue.write_configuration()
    result = segue.run(
    "login",
    "http://music.example.org",
    "me",
    "--config",
    segue.configuration,
    text="n\n",
     seconds=30)
    assert result.returncode != 0
    assert "https" in result.stdout + result.stderr, result.stdout + result.stderr
