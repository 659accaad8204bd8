"""Attacks by those who listen over HTTP: too many, too slow, too curious."""
import contextlib
import random
import resource
import shutil
import socket

import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE, has_bytes
from mutagen.flac import FLAC

ACCENTS = "e" + "\u0301" * 2100


@pytest.fixture(scope="module", autouse=True)
def descriptors():
    """As many connections as the attacks need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a stream over HTTP and songs with odd titles."""
    folder = tmp_path_factory.mktemp("listeners")
    music = folder / "music"
    music.mkdir()
    source = next(track.path for track in library[1] if track.title == "Road")
    for number, title in enumerate(
    (ACCENTS, "a\r\nIcy-X: y\r\n\r\n", "'; StreamUrl='http://x/'", "\U0001f3b5" * 3000, "plain")):
        path = music / f"{number}.flac"
        shutil.copy(source, path)
        file = FLAC(path)
        file["title"], file["artist"] = title, title[:500]
        file.save()
    running = Segue(folder / "segue", registry, local={"music_directory": music}, output=[
        {"type": "httpd", "name": "Anywhere", "port": free_port(), "bind_to_address": "127.0.0.1", "encoder": "mp3",
         "always_on": True}])
    yield running
    running.kill()


@pytest.fixture(scope="module")
def songs_before():
    """Those with odd titles."""
    return 5


@pytest.fixture
def port(server, target):
    """Where to listen; something plays."""
    target.ask(b"clear", b"add /", b"repeat 1", b"play 4")
    number = server.sections["output"][0]["port"]
    wait_for(lambda: b" 200 " in ask(number, b"HEAD / HTTP/1.0\r\n\r\n"), 20 * PATIENCE, "the stream")
    return number


def connect(port, timeout=10):
    """A connection to the stream's port."""
    return socket.create_connection(("127.0.0.1", port), timeout=timeout)


def ask(port, request, size=65536):
    """Sends bytes and returns the first that come."""
    with contextlib.suppress(OSError), connect(port) as connection:
        connection.sendall(request)
        return connection.recv(size)
    return b""


GET = b"GET / HTTP/1.1\r\nHost: x\r\nIcy-MetaData: 1\r\n\r\n"


@pytest.mark.parametrize("place", range(2))
def test_odd_titles_for_listeners(target, port, place):
    """All of them are woven in `HostileListenerTests.swift`; these come from the tags of songs."""
    with connect(port, 20 * PATIENCE) as connection:
        connection.sendall(GET)
        got = b""
        target.ask(b"play %d" % place)
        # A title comes after each 8,192 bytes.
        while len(got) <= 20_000 and (piece := connection.recv(65536)):
            got += piece
        assert got.startswith(b"HTTP/1.1 200")
        assert b"\r\nIcy-X" not in got and len(got) > 20_000


def test_more_listeners_than_there_are_descriptors(target, port):
    everybody = []
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            for _ in range(1100):
                one = stack.enter_context(connect(port, 5))
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                one.sendall(GET)
                everybody.append(one)
        assert target.ask(b"status", b"listallinfo", b"save more", b"rm more",
                          b"sticker set song 0.flac x y") == [b"OK"] * 5
        assert target.descriptors() < 600, f"{target.descriptors()} descriptors"
    wait_for(lambda: target.descriptors() < 200, 40 * PATIENCE, "closed connections")
    wait_for(lambda: b" 200 " in ask(port, GET), 40 * PATIENCE, "room for a listener")


@pytest.mark.smoke
def test_listeners_that_never_read(target, port):
    """As many as may come from one address, and more; that they are disconnected is shown by `ListenerLimitTests`."""
    with contextlib.ExitStack() as stack:
        everybody = []
        for _ in range(60):
            one = stack.enter_context(connect(port))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with contextlib.suppress(OSError):
                one.sendall(GET)
            everybody.append(one)
        # Those beyond sixteen were closed.
        wait_for(lambda: all(has_bytes(one, 1000) for one in everybody), 20 * PATIENCE, "bytes that nobody reads")
        assert target.ask(b"next", b"status") == [b"OK"] * 2


RANDOM = random.Random(1).randbytes(1 << 20)


@pytest.mark.parametrize("request_", [
    b"GET / HTTP/1.1\r\n" + b"X: " + b"x" * 8_000_000,
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 900_000,
    GET * 20_000,
    b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 9_000_000,
    pytest.param(RANDOM, marks=pytest.mark.smoke),
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"FFFFFFFF\r\n" + b"x" * 900_000,
    b"\r\n" * 900_000,
    b"\x16\x03\x01\2\0\1\0" * 5000,
    b"GET /../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"clear\nkill\nplay\n",
], ids=lambda value: repr(value[:20]))
def test_requests(target, port, request_):
    """Each is answered, or its connection is closed. All that were thought of stand in `HostileListenerTests.swift`."""
    with connect(port, 20 * PATIENCE) as connection, contextlib.suppress(ConnectionError):
        connection.sendall(request_)
        assert b"root:" not in connection.recv(65536)
    assert target.lines(b"status")[-1] == b"OK"


@pytest.mark.smoke
def test_websites_may_not_listen(target, port):
    """A page of another origin in a browser gets the stream only when it was configured so."""
    for host, status in ((b"127.0.0.1", b" 200 "), (b"localhost:%d" % port, b" 200 "), (b"evil.example", b" 421 "),
                         (b"printer.local", b" 421 ")):
        for field in (b"Origin: https://evil.example", b"Sec-Fetch-Site: same-origin", b"User-Agent: Mozilla/5.0"):
            head = ask(port, b"GET / HTTP/1.1\r\nHost: %s\r\n%s\r\n\r\n" % (host, field)).lower()
            assert status in head, (host, field, head[:200])
            assert b"access-control-allow-origin" not in head
    # Players run no scripts.
    assert b" 200 " in ask(port, b"GET / HTTP/1.1\r\nHost: dyn.example\r\nUser-Agent: VLC/3.0.21 LibVLC/3.0.21\r\n\r\n")


def test_listeners_that_come_and_go(target, port):
    for number in range(1200):
        with contextlib.suppress(OSError):
            one = connect(port)
            if number % 3:
                one.sendall(GET[:number % len(GET)])
            if number % 2:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            one.close()
    wait_for(lambda: target.descriptors() < 200, 40 * PATIENCE, "closed connections")
    wait_for(lambda: b" 200 " in ask(port, GET), 40 * PATIENCE, "an answer")
