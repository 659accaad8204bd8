"""What a connection may carry, at its limits; each server by itself, so that a failure says whose it is."""
import itertools
import socket
import threading

import pytest
from harness.music import FLAC_ENCODER, generate
from mutagen.flac import FLAC

from .conversation import Connection

LINE = 16 * 1024
LIST = 2 * 1024 * 1024


@pytest.fixture(params=["Segue", "MPD"])
def server(request, servers):
    """Each of the two servers."""
    segue, mpd = servers("plain")
    return segue if request.param == "Segue" else mpd


@pytest.fixture
def connection(server):
    """A connection to it."""
    with Connection(server) as connection:
        yield connection


def send_all(connection, data):
    """Sends what the server may refuse to read to its end."""
    try:
        connection.send(data)
    except (ConnectionResetError, BrokenPipeError):
        pass


@pytest.mark.parametrize("length", [100, 3000, 4095, 4096, 8191])
def test_long_lines_are_taken(connection, length):
    line = b'find title "' + b"x" * (length - len('find title ""\n')) + b'"\n'
    assert len(line) == length
    connection.send(line + b"ping\n")
    assert connection.read() == ["OK"]
    assert connection.read() == ["OK"]


@pytest.mark.parametrize("length", [LINE + 1, 70_000])
def test_longer_lines_end_the_connection(connection, length):
    send_all(connection, b'find title "' + b"x" * length + b'"\nping\n')
    assert connection.read() == ["(closed)"]


def test_a_command_list_may_be_large(connection):
    commands = b"ping\n" * 300_000
    assert len(commands) < LIST
    connection.send(b"command_list_begin\n" + commands + b"command_list_end\n")
    assert connection.read() == ["OK"]


def test_a_larger_command_list_ends_the_connection(connection):
    send_all(connection,
             b"command_list_begin\n" + b'find title "something to fill it"\n' * 70_000 + b"command_list_end\n")
    assert connection.read() == ["(closed)"]


def test_commands_may_come_byte_by_byte(connection):
    connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b'command_list_ok_begin\nping\nfind title "Si\\ll"\ncommand_list_end\nping\n':
        connection.send(bytes([byte]))
    answer = connection.read()
    assert answer[0] == answer[-2] == "list_OK" and "Title: Sill" in answer
    assert connection.read() == ["OK"]


def test_many_commands_at_once_are_answered_in_order(connection):
    connection.send(b"".join(b"nope%d\nping\n" % number for number in range(500)))
    for number in range(500):
        assert connection.read() == [f'ACK [5@0] {{}} unknown command "nope{number}"']
        assert connection.read() == ["OK"]


def test_a_client_that_goes_away_in_a_list_harms_nobody(server, connection):
    for part in (b"command_list_begin\n", b"command_list_begin\nping\n", b"idle\n", b"find title",
                 b"listallinfo\n" * 50):
        with Connection(server) as other:
            other.send(part)
    assert connection.ask("ping") == ["OK"]


def test_no_change_is_lost_however_fast_they_come(server):
    last = 1 + 97 * 7 % 90
    values = [1 + number * 7 % 90 for number in range(98)]
    seen = []

    def watch():
        with Connection(server) as watcher:
            seen.append(watcher.ask("getvol")[0])
            ready.set()
            while seen[-1] != f"volume: {last}" or len(seen) == 1:
                assert watcher.ask("idle mixer") == ["changed: mixer", "OK"]
                seen.append(watcher.ask("getvol")[0])

    with Connection(server) as changer:
        changer.ask("setvol 100")
        ready = threading.Event()
        watcher = threading.Thread(target=watch)
        watcher.start()
        assert ready.wait(30)
        for value in values:
            assert changer.ask(f"setvol {value}") == ["OK"]
        watcher.join(60)
    assert not watcher.is_alive(), f"the last value was never seen: {seen[-5:]}"
    # No wake-up without a change: each one found something new, or what came while it was being read.
    assert len(seen) <= len(values) + 1


@pytest.fixture(scope="module")
def odd_tags(tmp_path_factory):
    """A folder with a song whose values are too long for a line or have several lines."""
    folder = tmp_path_factory.mktemp("odd-tags")
    path = folder / "song.flac"
    generate(path, 1, FLAC_ENCODER)
    song = FLAC(path)
    song.update({"title": "first line\nsecond line\r\nthird", "artist": "é" * 6000, "album": "x" * 4088,
                 "genre": "y" * 4090, "comment": "z\n" * 3000, "composer": "ends with a line feed\n"})
    song.save()
    return folder


def test_no_line_of_segue_is_too_long_or_has_a_line_feed_in_its_value(odd_tags, start_segue):
    server = start_segue(songs=1, local={"music_directory": odd_tags})
    with Connection(server) as connection:
        connection.ask("tagtypes enable Comment")
        connection.ask("add song.flac")
        for command in ("listallinfo", "playlistinfo", "currentsong", 'find file "song.flac"', "list artist", "list genre",
                        "list album group artist", 'readcomments "song.flac"', "count group artist"):
            answer = connection.ask(command)
            assert answer[-1] == "OK"
            for line in answer[:-1]:
                assert len(line.encode()) < 4095 and ": " in line, f"{command}: {line[:60]}"
        answer = connection.ask("listallinfo")
        assert "Title: first line second line  third" in answer
        assert any(set(itertools.islice(line, 8, None)) == {"é"} for line in answer if line.startswith("Artist: "))


def test_an_error_is_never_too_long(server, connection):
    answer = connection.ask("x" * 6000)
    assert answer[0].startswith("ACK [5@0] {} unknown command") and len(answer) == 1
    if type(server).__name__ == "Segue":
        assert len(answer[0].encode()) < 4095
    assert connection.ask("ping") == ["OK"]


