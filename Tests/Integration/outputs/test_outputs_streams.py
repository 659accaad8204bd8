"""Streams over HTTP: Segue's own server, and a real Icecast."""
import contextlib
import subprocess

import pytest
from harness.processes import free_port
from harness.programs import need
from harness.radio import self_signed
from harness.rooms import Icecast, Listener, decoded, loudness
from harness.waiting import wait_for

ENDINGS = {"flac": "flac", "wave": "wav", "vorbis": "ogg", "opus": "opus", "mp3": "mp3"}
TYPES = {"flac": "audio/flac", "wave": "audio/wav", "vorbis": "audio/ogg", "opus": "audio/ogg", "mp3": "audio/mpeg"}


@pytest.fixture
def listen():
    """Makes listeners, who leave after the test."""
    with contextlib.ExitStack() as listeners:
        def make(*arguments, **more):
            listener = Listener(*arguments, **more)
            listeners.callback(listener.close)
            return listener
        yield make


@pytest.fixture
def start_stream(start_segue, library):
    """Starts segue with an output over HTTP; gives the server and the output's port."""
    def start(**more):
        port = free_port()
        output = {"type": "httpd", "name": "Stream", "port": port, "bind_to_address": "127.0.0.1", **more}
        server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output])
        return server, port
    return start


def play(server, *titles):
    """Queues songs and plays them."""
    client = server.client()
    for title in titles:
        client.findadd("title", title)
    client.play(0)
    return client


def joined(listen, port):
    """A listener that was let in; None while none is."""
    listener = listen(port)
    wait_for(lambda: listener.head, 10, "an answer")
    return listener if listener.head.startswith("HTTP/1.1 200") else None


def wait_for_seconds(listener, folder, ending, seconds=2):
    """Waits until a listener has heard that much; returns it, decoded."""
    def enough():
        # Nothing of an earlier listener's, if these bytes are no stream yet.
        (folder / f"stream.{ending}.pcm").unlink(missing_ok=True)
        heard = decoded(folder, listener.body, ending)
        return heard if len(heard) > seconds * 4 * 44100 else None
    return wait_for(enough, 60, f"{seconds} s of the stream", every=0.5)


def wait_for_the_end(client):
    """Waits until the queue has been played."""
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")


@pytest.mark.parametrize("encoder", [pytest.param("flac", marks=pytest.mark.smoke), "wave"])
def test_listeners_get_the_samples_of_the_songs(start_stream, listen, tracks, tmp_path, encoder):
    server, port = start_stream(encoder=encoder, always_on=True)
    early = listen(port)
    wait_for(lambda: len(early.body) > 1000, 30, "the stream before anything plays")
    client = play(server, "Sill", "Lamp")
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1, 30, "a second of the song")
    late = listen(port)
    wait_for_the_end(client)
    song = tracks["Sill"].samples + tracks["Lamp"].samples
    for listener in (early, late):
        assert listener.head.startswith("HTTP/1.1 200 OK")
        assert f"Content-Type: {TYPES[encoder]}" in listener.head

    def whole(listener, wanted):
        return wanted in decoded(tmp_path, listener.body, ENDINGS[encoder])
    wait_for(lambda: whole(early, song), 30, "both songs, sample by sample", every=0.5)
    # Who joins in the middle hears the rest just as exactly.
    assert whole(late, song[len(song) // 2:])
    assert not whole(late, song)


@pytest.mark.parametrize("encoder", ["vorbis", "opus", "mp3"])
def test_every_listener_can_decode_what_it_gets(start_stream, listen, tmp_path, encoder):
    server, port = start_stream(encoder=encoder, bitrate=96)
    client = play(server, "River")
    early = wait_for(lambda: joined(listen, port), 30, "the stream")
    wait_for_seconds(early, tmp_path, ENDINGS[encoder])
    late = listen(port)
    for listener in (early, late):
        heard = wait_for_seconds(listener, tmp_path, ENDINGS[encoder])
        assert f"Content-Type: {TYPES[encoder]}" in listener.head and loudness(heard) > 1000
    client.stop()
    wait_for(lambda: early.is_over and late.is_over, 30, "the end of the stream")


@pytest.mark.parametrize("encoder", ["vorbis", "opus"])
def test_a_song_s_title_begins_a_chapter(start_stream, listen, tmp_path, encoder):
    server, port = start_stream(encoder=encoder, always_on=True)
    listener = listen(port)
    wait_for(lambda: len(listener.body) > 1000, 30, "the stream")
    client = play(server, "Road", "River")
    wait_for(lambda: b"Road" in listener.body, 30, "the first title")
    client.next()
    wait_for(lambda: b"River" in listener.body, 30, "the second title")
    assert b"Nora Hale" in listener.body
    late = listen(port)
    wait_for(lambda: b"River" in late.body, 30, "the title for one who joins later")
    assert b"Road" not in late.body


def unwoven(data, every):
    """Sound and titles of a stream with titles between."""
    sound, titles, place = bytearray(), [], 0
    while place + every < len(data):
        sound += data[place:place + every]
        place += every
        length = data[place] * 16
        if length:
            titles.append(data[place + 1:place + 1 + length].rstrip(b"\0").decode())
        place += 1 + length
    return bytes(sound + data[place:]), titles


@pytest.mark.parametrize("encoder", ["mp3", "wave"])
def test_titles_come_between_the_bytes_for_those_who_ask(start_stream, listen, tracks, tmp_path, encoder):
    server, port = start_stream(encoder=encoder, always_on=True, genre="Chamber", website="http://example.org/")
    asking, other = listen(port, headers=["Icy-MetaData: 1"]), listen(port)
    wait_for(lambda: len(asking.body) > 20_000, 30, "the stream")
    client = play(server, "Sill", "Lamp")
    wait_for(lambda: b"Quartet - Sill" in asking.body, 30, "the first title")
    client.next()
    wait_for_the_end(client)
    headers = dict(line.lower().split(": ", 1) for line in asking.head.split("\r\n")[1:])
    assert headers["icy-name"] == "stream" and headers["icy-genre"] == "chamber"
    assert headers["icy-url"] == "http://example.org/"
    sound, titles = wait_for(
        lambda: (found := unwoven(asking.body, int(headers["icy-metaint"])))[1][-1].count("Lamp") and found, 30,
        "the titles")
    assert [title for title in titles if "Quartet" in title] == [
        "StreamTitle='Ada Quartet - Sill';", "StreamTitle='Ada Quartet - Lamp';"]
    if encoder == "wave":
        wait_for(lambda: tracks["Lamp"].samples in unwoven(asking.body, int(headers["icy-metaint"]))[0], 30, "the song")
    else:
        assert loudness(decoded(tmp_path, sound, "mp3")) > 1000
    assert "icy-metaint" not in other.head and b"StreamTitle" not in other.body


def test_titles_can_be_kept_back(start_stream, listen):
    server, port = start_stream(encoder="vorbis", always_on=True, tags=False)
    listener = listen(port)
    wait_for_the_end(play(server, "Sill"))
    wait_for(lambda: len(listener.body) > 50_000, 30, "the stream")
    assert b"Sill" not in listener.body


def test_one_who_never_reads_is_dropped_and_holds_nobody_up(start_stream, listen, tracks, tmp_path):
    server, port = start_stream(encoder="wave", always_on=True)
    stalled, listener = listen(port, stalls=True), listen(port)
    wait_for(lambda: len(listener.body) > 1000, 30, "the stream")
    client = play(server, "Sill", "Lamp", "Window", "Sill", "Lamp", "Window", "Sill", "Lamp", "Window")
    wait_for(lambda: "a listener that didn't read was disconnected" in server.log, 60, "the disconnected listener")
    assert client.status()["state"] == "play"
    wait_for(lambda: tracks["Sill"].samples + tracks["Lamp"].samples in listener.body, 60, "the songs")
    assert stalled.socket.fileno() >= 0


def test_silence_while_paused_and_the_end_when_stopped(start_stream, listen, tmp_path):
    server, port = start_stream(encoder="wave")
    refused = listen(port)
    wait_for(lambda: refused.head.startswith("HTTP/1.1 503"), 30, "the refusal while nothing plays")
    client = play(server, "River")
    listener = wait_for(lambda: joined(listen, port), 30, "the stream")
    wait_for(lambda: loudness(listener.body[-20_000:]) > 1000, 30, "sound")
    client.pause(1)
    wait_for(lambda: set(listener.body[-20_000:]) == {0}, 30, "silence")
    size = len(listener.body)
    wait_for(lambda: len(listener.body) > size + 300_000, 30, "more silence")
    client.pause(0)
    wait_for(lambda: loudness(listener.body[-20_000:]) > 1000, 30, "sound")
    assert not listener.is_over
    client.stop()
    wait_for(lambda: listener.is_over, 30, "the end of the stream")


def test_what_the_server_refuses(start_stream, listen):
    need("curl")
    server, port = start_stream(always_on=True, max_clients=1)
    first = listen(port)
    wait_for(lambda: first.head, 30, "the answer")
    second = listen(port)
    wait_for(lambda: second.head.startswith("HTTP/1.1 503") and second.is_over, 30, "the refusal")
    icon = listen(port, "/favicon.ico")
    wait_for(lambda: icon.head.startswith("HTTP/1.1 404") and icon.is_over, 30, "the refusal")
    assert subprocess.run(["curl", "-s", "-X", "POST", "-o", "/dev/null", "-w", "%{http_code}",
                           f"http://127.0.0.1:{port}/"], capture_output=True, text=True, timeout=30).stdout == "405"
    first.close()
    head = wait_for(lambda: (text := subprocess.run(
        ["curl", "-s", "-I", f"http://127.0.0.1:{port}/"], capture_output=True, text=True, timeout=30).stdout)
        and " 200 " in text and text, 30, "the head")
    assert "audio/flac" in head


def test_a_port_that_is_taken_is_told_and_taken_later(start_stream, start_segue, library, listen):
    server, port = start_stream(always_on=True)
    other = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "httpd", "name": "Second", "port": port, "bind_to_address": "127.0.0.1", "always_on": True}])
    wait_for(lambda: f"port {port} can't be used" in other.log, 30, "the trouble")
    server.stop()
    wait_for(lambda: listen(port).socket and "listens on port" in other.log, 60, "the port")
    assert other.log.count("can't be used") == 1


@pytest.fixture
def icecast():
    """A running Icecast server."""
    server = Icecast()
    yield server.start()
    server.remove()


def shout(server, **more):
    """The configuration of an output that sends to an Icecast server."""
    return {"type": "shout", "name": "On air", "port": server.port, "mount": "/segue", "password": server.PASSWORD,
            **more}


@pytest.mark.parametrize("encoder", [pytest.param("vorbis", marks=pytest.mark.smoke), "opus", "flac", "mp3"])
def test_icecast_gets_the_stream_with_titles(icecast, start_segue, library, listen, tmp_path, encoder):
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        shout(icecast, encoder=encoder, genre="Chamber", description="A test", website="http://example.org/")])
    client = play(server, "Road", "River")
    wait_for(lambda: "/segue" in icecast.mounts(), 30, "the mount")
    entry = icecast.mounts()["/segue"]
    assert entry["server_name"] == "On air" and entry["genre"] == "Chamber"
    assert entry["server_description"] == "A test"
    listener = listen(icecast.port, "/segue")
    wait_for(lambda: len(listener.body) > 20_000, 30, "the stream")
    client.next()
    if encoder in ("vorbis", "mp3"):
        # Of other streams Icecast 2.4 knows no titles; players do.
        wait_for(lambda: "River" in str(icecast.mounts()["/segue"].get("title")), 60, "the last title")
    else:
        wait_for(lambda: b"River" in listener.body, 60, "the last title")
    late = listen(icecast.port, "/segue")
    for one in (late, listener):
        heard = wait_for_seconds(one, tmp_path, "mp3" if encoder == "mp3" else "ogg")
        assert "200 OK" in one.head and loudness(heard) > 1000
    if encoder != "mp3":
        assert b"Road" in listener.body and b"River" in late.body
    client.stop()
    wait_for(lambda: "/segue" not in icecast.mounts(), 30, "the end of the stream")


def test_icecast_that_is_away_comes_back(icecast, start_segue, library, tracks, listen, tmp_path):
    icecast.stop()
    record = tmp_path / "all.wav"
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        shout(icecast), {"type": "file", "name": "Recording", "path": record}])
    client = play(server, "Sill", "River")
    wait_for(lambda: 'Output "On air" doesn\'t play' in server.log, 30, "the trouble")
    icecast.start()
    wait_for(lambda: "/segue" in icecast.mounts(), 60, "the stream")
    icecast.stop()
    wait_for(lambda: server.log.count('Output "On air" doesn\'t play') >= 2, 30, "the second trouble")
    icecast.start()
    wait_for(lambda: "/segue" in icecast.mounts(), 90, "the stream again")
    wait_for(lambda: client.currentsong().get("title") == "River", 30, "the second song")
    client.stop()
    server.stop()
    assert tracks["Sill"].samples in record.read_bytes()
    assert icecast.PASSWORD not in server.log


def test_a_wrong_password_is_told_without_it(icecast, start_segue, library):
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        shout(icecast, password="not-this-one"), {"type": "null", "name": "Nothing"}])
    client = play(server, "River")
    wait_for(lambda: "doesn't accept the user or the password" in server.log, 30, "the trouble")
    assert client.status()["state"] == "play"
    assert "not-this-one" not in server.log
    assert "not-this-one" not in server.run("check", "--config", server.configuration).stdout


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Icecast's own certificate, by which of its sides is of interest."""
    folder = tmp_path_factory.mktemp("certificates")
    return {"good": self_signed(folder, "good"), "other": self_signed(folder, "other"),
            "old": self_signed(folder, "old", days=-1), "elsewhere": self_signed(folder, "elsewhere", "DNS:a.invalid")}


@pytest.fixture
def secure_icecast():
    """Starts an Icecast server with a certificate."""
    with contextlib.ExitStack() as servers:
        def start(certificate):
            server = Icecast(certificate)
            servers.callback(server.remove)
            return server.start()
        yield start


def secure(server, **more):
    """The configuration of an output that sends to the server's port for TLS."""
    return shout(server, **{"port": server.secure_port, **more})


@pytest.mark.parametrize("tls, encoder", [("rfc2818", "vorbis"), ("auto", "mp3"), ("auto_no_plain", "flac")])
def test_icecast_gets_the_stream_encrypted(
        secure_icecast, certificates, start_segue, library, listen, tmp_path, tls, encoder):
    icecast = secure_icecast(certificates["good"])
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        secure(icecast, tls=tls, tls_certificate=certificates["good"], encoder=encoder)])
    client = play(server, "Road", "River")
    wait_for(lambda: "/segue" in icecast.mounts(), 30, "the mount")
    listener = listen(icecast.port, "/segue")
    client.next()
    assert loudness(wait_for_seconds(listener, tmp_path, "mp3" if encoder == "mp3" else "ogg")) > 1000
    if encoder == "mp3":
        # Titles go over a connection of their own.
        wait_for(lambda: "River" in str(icecast.mounts()["/segue"].get("title")), 60, "the last title")
    assert "doesn't play" not in server.log
    client.stop()
    wait_for(lambda: "/segue" not in icecast.mounts(), 30, "the end of the stream")


def test_a_server_without_encryption_gets_the_stream_or_nothing(secure_icecast, certificates, start_segue, library):
    icecast = secure_icecast(certificates["good"])
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        shout(icecast, name="Open", mount="/open", tls="auto"),
        shout(icecast, name="Closed", mount="/closed", tls="auto_no_plain"),
        secure(icecast, name="Unaware", mount="/unaware")])
    play(server, "River")
    wait_for(lambda: "/open" in icecast.mounts(), 30, "the mount")
    # A connection may also be reset before the server has said that it doesn't encrypt, and is tried again.
    wait_for(lambda: "does this port speak TLS?" in server.log and 'set tls = "rfc2818"' in server.log, 60,
             "the troubles")
    assert set(icecast.mounts()) == {"/open"}


@pytest.mark.parametrize("owned, trusted, text", [
    ("good", None, "self-signed"),
    ("good", "other", "it is not the one that tls_certificate names"),
    ("old", None, "out of date"),
    ("good", "/no/such/file.pem", "see tls_certificate"),
])
def test_a_certificate_that_is_not_trusted_is_told(
        secure_icecast, certificates, start_segue, library, owned, trusted, text):
    icecast = secure_icecast(certificates[owned])
    more = {"tls_certificate": certificates.get(trusted, trusted)} if trusted else {}
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        secure(icecast, tls="auto", **more), {"type": "null", "name": "Nothing"}])
    client = play(server, "River")
    wait_for(lambda: "doesn't play" in server.log, 30, "the trouble")
    line = next(line for line in server.log.splitlines() if "doesn't play" in line)
    assert text in line and ("tls_certificate" in line), line
    assert client.status()["state"] == "play"
    assert not icecast.mounts() and icecast.PASSWORD not in server.log


@pytest.mark.parametrize("owned", ["old", "elsewhere"])
def test_the_server_s_own_certificate_is_trusted_whatever_it_says(
        secure_icecast, certificates, start_segue, library, owned):
    icecast = secure_icecast(certificates[owned])
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        secure(icecast, tls="rfc2818", tls_certificate=certificates[owned])])
    play(server, "River")
    wait_for(lambda: "/segue" in icecast.mounts(), 30, "the mount")
