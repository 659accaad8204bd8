"""Input that no client should send: a clear answer or a closed connection, and no other client harmed."""
import resource
import socket

import pytest
from harness.clients import RawClient
from harness.waiting import wait_for

pytestmark = pytest.mark.smoke


@pytest.fixture(scope="module")
def quiet_server(library, registry, tmp_path_factory):
    """A server on the local folder."""
    from harness.segue import Segue
    server = Segue(tmp_path_factory.mktemp("bad"), registry, local={"music_directory": library[0]},
                   # One address has three quarters of the places, as long as there is no other.
                   server={"max_connections": 2400})
    yield server.start(songs=len(library[1]))
    server.kill()


@pytest.fixture(autouse=True)
def others_are_unharmed(quiet_server):
    """Another client, connected all the time, gets its answers during and after each test."""
    with RawClient(quiet_server) as other:
        yield other
        assert other.ask(b"ping") == [b"OK"]
        assert other.ask(b"status")[-1] == b"OK"
        quiet_server.fail_unless_running()


@pytest.mark.parametrize("data", [
    b"x" * 70_000 + b"\n", b"x" * 5_000_000, b"status " + b"a" * 1_000_000 + b"\n", b"\n", b" ping\n", b"PING\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
], ids=["70 kB", "5 MB", "1 MB argument", "empty", "space", "capital", "TLS", "HTTP"])
def test_what_is_no_command_closes_the_connection(quiet_server, data):
    with RawClient(quiet_server) as raw:
        try:
            raw.send(data)
            while raw.answer_or_end() is not None:
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass


@pytest.mark.parametrize("line", [
    b'find title "\xff\xfe\xc0"', b"add \xf0\x28\x8c\x28", b'search any "a\x00b"', b"add \x00", b'find title "open',
    b'find "(title == \'x"', b'find "' + b"(" * 2000 + b'"', b"playlistinfo 99999999999999999999",
    b"seek -1 nan", b"add \"../../etc/passwd\"", b"listall ../..", b"add " + b"a/" * 1800, b"setvol 101",
], ids=lambda line: repr(line[:24]))
def test_bad_arguments_get_an_ack(quiet_server, line):
    with RawClient(quiet_server) as raw:
        raw.send(line + b"\n")
        last = raw.answer_or_end()
        # Searches may simply find nothing; everything else says what is wrong or closes.
        assert last is None or last.startswith(b"ACK [") or (last == b"OK" and line.startswith((b"find", b"search")))
        if last is not None:
            last.decode("utf-8")
            assert raw.ask(b"ping") == [b"OK"]


def test_commands_lists_nothing_that_is_unknown(quiet_server):
    with RawClient(quiet_server) as raw:
        names = [line.removeprefix(b"command: ") for line in raw.ask(b"commands")[:-1]]
        assert {b"status", b"find", b"play", b"idle"} <= set(names)
        assert raw.ask(b"no_such_command")[-1].startswith(b"ACK [5@0] {}")
        for name in names:
            if name in (b"close", b"kill", b"idle", b"noidle", b"command_list_begin", b"command_list_ok_begin"):
                continue
            # Far too many arguments: known commands complain about that, unknown ones about being unknown.
            last = raw.ask(name + b' "x"' * 60)[-1]
            assert b"unknown command" not in last, name


def test_half_a_command_waits_for_its_other_half(quiet_server, others_are_unharmed):
    with RawClient(quiet_server) as raw:
        raw.send(b"sta")
        assert others_are_unharmed.ask(b"ping") == [b"OK"]
        raw.send(b"tus\n")
        assert raw.answer()[-1] == b"OK"


def test_a_client_that_vanishes_in_a_list_leaves_nothing(quiet_server, others_are_unharmed):
    before = others_are_unharmed.ask(b"playlistinfo")
    with RawClient(quiet_server) as raw:
        raw.send(b"command_list_begin\nclear\nfindadd title Sill\n")
    assert others_are_unharmed.ask(b"playlistinfo") == before


def test_an_endless_command_list_is_ended(quiet_server):
    with RawClient(quiet_server) as raw:
        raw.send(b"command_list_begin\n")
        try:
            for _ in range(3000):
                raw.send(b"ping " + b"x" * 4000 + b"\n")
            assert raw.answer_or_end() is None
        except (BrokenPipeError, ConnectionResetError):
            pass


def test_a_client_that_never_reads_takes_no_memory(quiet_server, others_are_unharmed):
    before = quiet_server.memory
    with RawClient(quiet_server) as raw:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.socket.setblocking(False)
        sent = 0
        try:
            while sent < 4_000_000:
                sent += raw.socket.send(b'listallinfo ""\n' * 1000)
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            pass
        assert sent > 0
        for _ in range(50):
            assert others_are_unharmed.ask(b"status")[-1] == b"OK"
        assert quiet_server.memory - before < 64 << 20


def test_a_thousand_idle_clients(quiet_server, others_are_unharmed):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    idlers = []
    try:
        for _ in range(1000):
            idlers.append(RawClient(quiet_server, timeout=30))
            idlers[-1].send(b"idle options\n")
        assert others_are_unharmed.ask(b"ping") == [b"OK"]
        assert others_are_unharmed.ask(b"repeat 1") == [b"OK"]
        assert others_are_unharmed.ask(b"repeat 0") == [b"OK"]
        for idler in idlers:
            assert idler.answer() == [b"changed: options", b"OK"]
    finally:
        for idler in idlers:
            idler.socket.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_too_many_clients_are_turned_away(library, start_segue):
    server = start_segue(local={"music_directory": library[0]}, server={"max_connections": 3})
    kept = [RawClient(server) for _ in range(3)]
    with pytest.raises((EOFError, ConnectionResetError)):
        RawClient(server)
    assert kept[0].ask(b"ping") == [b"OK"]
    kept.pop().socket.close()

    def accepted():
        with RawClient(server) as raw:
            return raw.ask(b"ping") == [b"OK"]
    wait_for(accepted, what="a free place")
    for client in kept:
        client.socket.close()
