"""Attacks by internet radio stations: playlists that lead elsewhere, headers, titles and sound that lie.

HostilePlaylistsTests shows in process what clients get of such playlists, also of servers that are slow."""
import contextlib
import os
import threading

import pytest
from harness import evil_files
from harness.music import RATE, launch
from harness.radio import Station, encoded
from harness.raw_server import WebServer, dripping, page, without_end
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE

HLS = "application/vnd.apple.mpegurl"


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a folder and two outputs."""
    running = Segue(tmp_path_factory.mktemp("stations"), registry, local={"music_directory": library[0]},
                    playback={"radio_timeout": 2})
    yield running
    running.kill()


@pytest.fixture
def web():
    """A station's server, whose answers a test sets."""
    made = WebServer()
    yield made
    made.close()


@pytest.fixture
def inside():
    """A server inside, which only a station could have named."""
    made = WebServer({"*": page("file1\nhttp://secret.inside/token\n", "audio/x-mpegurl")})
    yield made
    made.close()


@pytest.fixture(scope="module")
def mp3(tmp_path_factory):
    """Honest sound."""
    return encoded(tmp_path_factory.mktemp("sound"), "mp3", 500, seconds=5)[0]


def status_of(target):
    """The status as a dictionary."""
    return dict(line.decode().split(": ", 1) for line in target.lines(b"status")[:-1])


def is_decided(target):
    """Whether a station that was begun sounds, or is given up."""
    status = status_of(target)
    return "error" in status or status["state"] == "stop" or float(status.get("elapsed", 0)) > 0


def play(target, url, until=None, lists=True):
    """Plays an address until it sounds or is given up, or `until` says that it is enough.

    It is asked for as a playlist as well, unless the server would have every client wait for its time to be over.
    """
    url = url.encode()
    asking = threading.Thread(target=lambda: [target.ask(command + b' "' + url + b'"') for command in (
        b"listplaylist", b"listplaylistinfo", b"load") if lists], daemon=True)
    target.ask(b"stop", b"clear", b"clearerror", b'add "' + url + b'"', b"play 0")
    asking.start()
    wait_for(until or (lambda: is_decided(target)), 30 * PATIENCE, f"an end of {url[:80]}")
    target.ask(b"currentsong", b"playlistinfo", b"next", b"readcomments \"" + url + b'"', b"albumart \"" + url + b'" 0')
    asking.join(60 * PATIENCE)
    assert not asking.is_alive(), "a playlist was never answered"
    target.ask(b"stop", b"clear", b"clearerror")


def segments(*lines, version=3):
    """A list of HLS."""
    return page("\n".join(["#EXTM3U", f"#EXT-X-VERSION:{version}", "#EXT-X-TARGETDURATION:2", *(
        line for part in lines for line in ("#EXTINF:2,", part))]) + "\n", HLS)


# MARK: Leading elsewhere

@pytest.mark.smoke
def test_hls_that_names_files(target, web, tmp_path):
    pipe, secret = tmp_path / "pipe", tmp_path / "secret.mp3"
    os.mkfifo(pipe)
    secret.write_bytes(b"\xff\xfb" * 5000)
    before = secret.stat().st_atime_ns
    kept = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    os.write(kept, b"x" * 4096)
    web.answers = {
        "/a.m3u8": segments(f"file://{pipe}", f"file://{secret}", f"file://{pipe}"),
        "/master.m3u8": page(f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile://{pipe}\n", HLS),
        "/key.m3u8": page(f'#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI="file://{pipe}"\n#EXTINF:2,\n/x.ts\n', HLS),
        "/map.m3u8": page(f'#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI="file://{pipe}"\n#EXTINF:2,\n/x\n', HLS),
        "/dash.mpd": page(f'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" '
                          f'mediaPresentationDuration="PT9S"><BaseURL>file://{pipe}</BaseURL><Period><AdaptationSet '
                          f'mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>file://{pipe}</BaseURL>'
                          "</Representation></AdaptationSet></Period></MPD>", "application/dash+xml"),
        "/a.m3u": page(f"file://{pipe}\n{pipe}\n", "audio/x-mpegurl"),
        "/redirected": page("", "text/plain", f"Location: file://{pipe}", status="302 Found"),
    }
    for path in list(web.answers):
        play(target, web.url + path)
    left = os.read(kept, 8192)
    os.close(kept)
    assert len(left) == 4096, "a station had a local pipe read"
    assert secret.stat().st_atime_ns == before


@pytest.mark.smoke
def test_playlists_that_are_redirected_inside(target, web, inside):
    for path, kind in (("/x.m3u", "audio/x-mpegurl"), ("/x.pls", "audio/x-scpls"), ("/x.xspf", "application/xspf+xml")):
        web.answers = {path: page("", kind, f"Location: {inside.url}/admin", status="302 Found")}
        for command in (b"listplaylist", b"listplaylistinfo", b"load"):
            lines = target.lines(command + b' "' + web.url.encode() + path.encode() + b'"')
            assert not any(b"secret" in line for line in lines), f"the answer of a server inside: {lines}"
    target.ask(b"clear")


ODD_PLACES = [
    "file:///etc/passwd", "gopher://127.0.0.1/x", "rtsp://127.0.0.1:9/x", "ftp://127.0.0.1:9/x",
    "data:audio/mpeg;base64,AAAA", "//127.0.0.1:9/x", "/live" * 4000, "\x1b[2J", "http://", "smb://x/y"]


@pytest.mark.parametrize("login", ["", "ada:secret@"])
def test_redirects_to_odd_places(target, web, login):
    for where in ODD_PLACES:
        web.answers = {"/live": page("", "audio/mpeg", f"Location: {where}", status="302 Found")}
        play(target, web.url.replace("//", "//" + login) + "/live")


def test_a_login_stays_with_its_station(target, mp3):
    thief, station = Station(mp3, mode="private"), Station(mp3, mode="private")
    try:
        station.redirects = {"/away": thief.url, "/away/twice": "/away", "/named": thief.url.replace("127.0.0.1", "localhost"),
                             "/home": "live", "/back": f"http://localhost:{thief.port}/back"}
        thief.redirects = {"/back": station.url}
        for path in ("/away", "/away/twice", "/named", "/back"):
            play(target, f"http://ada:secret@127.0.0.1:{station.port}{path}")
        assert thief.connections, "the redirection was not followed"
        for _, path, head in thief.connections:
            assert "authorization" not in head.lower(), f"another server was given the login at {path}"
        came = len(station.connections)

        def is_logged_in():
            return any(path.startswith("/live") and "Authorization: Basic" in head
                       for _, path, head in station.connections[came:])
        # A stream's server is first asked without the login.
        play(target, f"http://ada:secret@127.0.0.1:{station.port}/home", until=is_logged_in)
        assert is_logged_in(), station.connections[came:]
    finally:
        station.close()
        thief.close()


def test_redirects_with_a_login_come_to_an_end(target, web):
    web.answers = {"*": lambda connection, path: connection.sendall(
        page("", "audio/mpeg", f"Location: /{len(web.asked)}", status="302 Found"))}
    play(target, web.url.replace("//", "//ada:secret@") + "/live")
    assert 2 <= len(web.asked) < 100, f"{len(web.asked)} redirects were followed"


def test_redirects_without_end(target, web):
    web.answers = {"*": lambda connection, path: connection.sendall(
        page("", "audio/mpeg", f"Location: /{len(web.asked)}", status="307 Again"))}
    play(target, web.url + "/live")
    assert len(web.asked) < 400, f"{len(web.asked)} redirects were followed"


def test_playlists_that_name_each_other(target, web):
    web.answers = {
        "/a.m3u": page(f"{web.url}/b.pls\n" * 50, "audio/x-mpegurl"),
        "/b.pls": page(f"[playlist]\nFile1={web.url}/a.m3u\nFile2={web.url}/b.pls\nNumberOfEntries=2147483647\n", "audio/x-scpls"),
        "/master.m3u8": page("#EXTM3U\n" + "#EXT-X-STREAM-INF:BANDWIDTH=1\nmaster.m3u8\n" * 500, HLS),
        "/self.m3u8": segments(*["self.m3u8"] * 2000),
    }
    for path in ("/a.m3u", "/master.m3u8", "/self.m3u8"):
        play(target, web.url + path)
    assert len(web.asked) < 1500, f"{len(web.asked)} requests"


def test_playlists_with_attacks_of_their_own(target, web):
    texts = {
        "/laughs.xspf": (evil_files.laughs(), "application/xspf+xml"),
        "/deep.xspf": ("<a>" * 200_000, "application/xspf+xml"),
        "/lines.m3u": ("http://127.0.0.1:9/x\n" * 300_000, "audio/x-mpegurl"),
        "/long.m3u": ("h" * 20_000_000, "audio/x-mpegurl"),
        "/count.pls": ("[playlist]\n" + "".join(f"File{number}=x\n" for number in (0, -1, 2 ** 63, 10 ** 30)), "audio/x-scpls"),
        "/deep.asx": ("<asx>" + "<entry>" * 100_000, "video/x-ms-asf"),
        "/feed.rss": (evil_files.laughs(), "application/rss+xml"),
        "/times.m3u8": ("#EXTM3U\n#EXT-X-TARGETDURATION:99999999999999999999\n#EXT-X-MEDIA-SEQUENCE:18446744073709551615\n"
                        "#EXTINF:1e308,\nx.ts\n#EXT-X-BYTERANGE:99999999999999999@99999999999999999\n#EXTINF:-1,\nx.ts\n", HLS),
        "/many.m3u8": ("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + "#EXTINF:0,\nx.ts\n" * 300_000, HLS),
        "/dash.mpd": ('<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" minimumUpdatePeriod="PT0S" '
                      'availabilityStartTime="9999-01-01T00:00:00Z"><Period><AdaptationSet mimeType="audio/mp4"><SegmentTemplate '
                      'timescale="1" media="$Number%099999d$" duration="1" startNumber="4294967295"><SegmentTimeline>'
                      '<S t="0" d="1" r="2147483647"/></SegmentTimeline></SegmentTemplate><Representation id="1" bandwidth="1"/>'
                      "</AdaptationSet></Period></MPD>", "application/dash+xml"),
        "/laughs.mpd": (evil_files.laughs().replace("playlist", "MPD"), "application/dash+xml"),
    }
    for path, (text, kind) in texts.items():
        web.answers = {path: page(text, kind)}
        play(target, web.url + path)


# MARK: Answers

OK = b"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n"
HEADS = {
    "endless headers": without_end(OK, b"X-Y: something that is long enough\r\n" * 500),
    "no end of a header": without_end(OK + b"X: ", b"x" * 65536),
    "zeros": without_end(OK + b"\r\n", b"\0" * 65536),
    "continues": without_end(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 500),
    "chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"FFFFFFFFFFFFFFFF\r\nx",
    "length": OK + b"Content-Length: 99999999999999999999999\r\n\r\n",
    "gzip": OK + b"Content-Encoding: gzip\r\n\r\n" + b"\x1f\x8b" * 9000,
    "ICY": without_end(b"ICY 200 OK\r\nicy-br: 99999999999999\r\nicy-name: \x1b[2J\xff\r\n\r\n", b"\0" * 9000),
    "status": b"HTTP/1.1 99999 \x1b[2J\r\n\r\n",
    "page": without_end(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"<html>" * 9000),
    "picture": page(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\2\0\0\0", "image/png"),
    "random": without_end(OK + b"\r\n", os.urandom(65536)),
    "subtitles": page("1\n00:00:01,000 --> 00:00:09,000\nx\n" * 9000, "text/srt"),
    "cookies": OK + b"Set-Cookie: " + b"a=b; " * 200_000 + b"\r\n\r\n",
    "nothing": b"",
}
DRIPS = {"silence": (b"", b""), "dripping headers": (OK, b"X: y\r\n"), "dripping sound": (OK + b"\r\n", b"\xff")}


@pytest.mark.parametrize("name", HEADS)
def test_heads_and_endless_answers(target, web, name):
    web.answers = {"*": HEADS[name]}
    play(target, web.url + "/live")


@pytest.mark.parametrize("name", DRIPS)
def test_answers_that_drip(target, web, name):
    web.answers = {"*": dripping(lambda: web, *DRIPS[name])}
    play(target, web.url + "/live", lists=False)


def test_intervals_of_titles(target, web, mp3):
    title = b"\xffStreamTitle='" + b"\x1b[2J\0\nOK\xff\xcc\x81" * 400 + b"';"
    block = title[:1 + 255 * 16].ljust(1 + 255 * 16, b"'")
    for interval in ("1", "0", "-1", "2147483647", "4294967297", "9223372036854775808", "7", "x"):
        web.answers = {"*": lambda connection, _, interval=interval: stream(connection, mp3, interval, block)}
        play(target, web.url + "/live")
    assert b"\x1b" not in b"".join(target.server.log_path.read_bytes()[-100_000:].splitlines())


def stream(connection, sound, interval, title):
    """Sound with a title after each `interval` bytes, as fast as it is taken."""
    connection.sendall(f"HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: {interval}\r\n\r\n".encode())
    size = min(max(1, int(interval) if interval.lstrip("-").isdigit() else 9), len(sound))
    while True:
        places = range(0, min(len(sound), size * 40), size)
        connection.sendall(b"".join(sound[place:place + size] + title for place in places))


def test_titles_that_change_all_the_time(target, web, mp3):
    """Titles as fast as they are taken, each of 4 kB."""
    sent = [0]

    def send(connection, _):
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: 16\r\n\r\n")
        place = 0
        while True:
            text = b"StreamTitle='" + b"%d " % sent[0] + b"t\xcc\x81" * 1300 + b"';"
            connection.sendall(sound_piece(mp3, place) + b"\xff" + text[:4080].ljust(4080, b"\0"))
            sent[0], place = sent[0] + 1, place + 16
    web.answers = {"*": send}
    play(target, web.url + "/live", until=lambda: sent[0] > 2000 or "error" in status_of(target))


def sound_piece(sound, place):
    """Sixteen bytes of sound that repeats."""
    return (sound[place % len(sound):] + sound)[:16]


@pytest.mark.parametrize("kind", ["wav of 1 Hz", "wav of 4 GHz", "65535 channels",
                         "changing rates", "ogg of 1 Hz", "ID3 bomb", "FLAC"])
def test_sound_with_lying_headers(target, web, mp3, library, kind):
    ogg = next(track.path for track in library[1] if track.path.suffix == ".ogg").read_bytes()
    bodies = {
        "wav of 1 Hz": (evil_files.wav(rate=1, size=0xffffffff), "audio/wav"),
        "wav of 4 GHz": (evil_files.wav(rate=0xffffffff), "audio/wav"),
        "65535 channels": (evil_files.wav(channels=65535), "audio/wav"),
        "changing rates": (b"".join(mp3[place:place + 5000] + bytes([255, 251, 144 + place % 12, 0]) * 300
                                    for place in range(0, 60_000, 5000)),
                           "audio/mpeg"),
        "ogg of 1 Hz": (evil_files.oggs(ogg)["1 Hz"], "audio/ogg"),
        "ID3 bomb": (evil_files.mp3s(mp3)["bomb"], "audio/mpeg"),
        "FLAC": (b"fLaC" + b"\x01\xff\xff\xff" + b"\0" * 9_000_000, "audio/flac"),
    }
    body, content_type = bodies[kind]
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode()
    web.answers = {"*": without_end(head + body, body[44:] or b"\0")}
    play(target, web.url + "/live")


@pytest.mark.smoke
def test_odd_addresses(target):
    for url in ("http://127.0.0.1:99999/x", "http://127.0.0.1:99999/x.m3u", "http://1.1.1.1:99999/x.m3u",
                "http://[::1]:9/x", "http://[::g/x", "http://ada:b@c@127.0.0.1:9/x",
                "http://%00/x", "http://a" * 500, "http://127.0.0.1:9/\\r\\nX: y", "http:///x", "http://-/x",
                "http://127.1:9/" + "%2e" * 3000, "https://127.0.0.1:9/x", "http://x\x7f/"):
        play(target, url)


def test_many_stations_that_never_answer(target, web):
    web.answers = {"*": dripping(lambda: web, b"", b"")}
    for number in range(40):
        station = web.url.encode() + b"/%d" % number
        target.ask(b"clear", b"add " + station, b"add " + station + b"n", b"play 0")
        with contextlib.suppress(OSError), target.raw() as client:
            client.send(b"listplaylist " + station + b".m3u\n")
    wait_for(lambda: any(path.startswith("/39") for path in web.asked), 30 * PATIENCE, "the last station's turn")
    target.ask(b"clear")
    assert target.threads() < 120
    assert target.descriptors() < 200


def short_parts(folder, frames):
    """Ogg FLAC in 400 parts of so many frames, each a stream of its own."""
    sound = b""
    for number in range(40):
        path = folder / f"{number}.ogg"
        launch("audiotestsrc", f"freq={300 + 10 * number}", "num-buffers=1", f"samplesperbuffer={frames}", "!",
               f"audio/x-raw,rate={RATE},channels=2", "!", "flacenc", "!", "oggmux", "!", "filesink", f"location={path}")
        sound += path.read_bytes()
    return sound * 10


def test_a_station_that_begins_anew_all_the_time_is_an_error(target, tmp_path):
    station = Station(short_parts(tmp_path, RATE // 10), "application/ogg", seconds=2)
    target.lines(f'add "{station.url}"'.encode())
    target.lines(b"play 0")
    wait_for(lambda: "begins anew more than five times a second" in status_of(target).get("error", ""), 60, "the error")
    target.lines(b"clear")
    station.close()


def test_a_station_of_short_parts_has_no_threads_made_without_end(target, tmp_path):
    """A chained stream has threads for each of its parts; one that comes as fast as it is taken had thousands made."""
    station = Station(short_parts(tmp_path, RATE // 5), "application/ogg", seconds=2)
    target.lines(f'add "{station.url}"'.encode())
    target.lines(b"play 0")

    def threads():
        return len(os.listdir(f"/proc/{target.server.process.pid}/task"))
    most = 0
    seen = []

    def has_played():
        nonlocal most
        most = max(most, threads())
        seen.append(float(status_of(target).get("elapsed", 0)))
        return seen[-1] > 4
    wait_for(has_played, 120, "four seconds of it")
    assert most < 90
    target.lines(b"stop")
    target.lines(b"clear")
    wait_for(lambda: threads() < 45, 60, "the end of its threads")
    station.close()
