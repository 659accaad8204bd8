"""Attacks by clients of the protocol: floods, and what grows without end."""
import contextlib
import socket
import threading

import pytest
from harness.waiting import wait_for
from harness.watch import PATIENCE, drain, has_bytes, quoted, send_until_stuck


@pytest.fixture(scope="module")
def server(two_sources):
    """Segue in front of a fake Navidrome and of a folder."""
    return two_sources


@pytest.fixture(scope="module")
def songs_before():
    """The songs of both."""
    return 501


LOCAL = b"local/Sill.flac"


# MARK: Floods

@pytest.mark.parametrize("line, times", [
    pytest.param(b"shuffle", 200_000, marks=pytest.mark.smoke), (b"playlistinfo", 2_000), (b"search any e", 300),
    (b"listallinfo", 300), (b"repeat 1\nrepeat 0", 100_000), (b"status", 200_000), (b"list file group title", 100),
    (b"rescan", 20_000),
], ids=repr)
def test_long_lists_of_commands(target, line, times):
    """Others are served while the list runs, and when its client goes."""
    target.ask(b"clear", b"add navidrome")
    with target.raw(timeout=60 * PATIENCE) as client:
        threading.Thread(target=drain, args=(client.socket,), daemon=True).start()
        with contextlib.suppress(OSError):
            client.send(b"command_list_begin\n" + (line + b"\n") * times + b"command_list_end\n")
        for _ in range(30):
            assert target.ask(b"status", b"currentsong") == [b"OK"] * 2
    wait_for(lambda: target.ask(b"clear") == [b"OK"], 20 * PATIENCE)


def test_lists_of_many_clients_take_bounded_memory(target):
    """Many short lines by some and fewer long ones by others: more than all lists may hold together."""
    short, long = b"x\n" * 200_000, (b"x" * 8000 + b"\n") * 125
    count, before = 40, target.descriptors()
    everybody_has_sent = threading.Barrier(count)

    def fill(lines):
        with target.raw() as client:
            with contextlib.suppress(OSError):
                client.send(b"command_list_begin\n" + lines)
            everybody_has_sent.wait(60 * PATIENCE)
    everybody = [threading.Thread(target=fill, args=((short, long)[number % 2],), daemon=True)
                 for number in range(count)]
    for one in everybody:
        one.start()
    for one in everybody:
        one.join(120 * PATIENCE)
    assert not everybody_has_sent.broken, "a client's list was neither taken nor refused"
    wait_for(lambda: target.descriptors() < before + 5, 60 * PATIENCE, "closed connections")


@pytest.mark.smoke
def test_clients_that_never_read(target):
    lines = b"listallinfo\nplaylistinfo\nreadpicture local/Sill.flac 0\n" * 100
    with contextlib.ExitStack() as stack:
        everybody = []
        for _ in range(40):
            client = stack.enter_context(target.raw())
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            send_until_stuck(client.socket, lines)
            everybody.append(client.socket)
        wait_for(lambda: all(has_bytes(one, 1000) for one in everybody), 60 * PATIENCE, "answers that nobody reads")
        for one in everybody:
            send_until_stuck(one, lines)
        assert target.ask(b"status", b"listallinfo") == [b"OK"] * 2


def test_pictures_for_many_that_never_read(target):
    with contextlib.ExitStack() as stack:
        everybody = []
        for _ in range(200):
            client = stack.enter_context(target.raw())
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.send(b"binarylimit 4194304\nalbumart local/Sill.flac 0\nreadpicture local/Sill.flac 0\n")
            everybody.append(client.socket)
        wait_for(lambda: all(has_bytes(one, 1000) for one in everybody), 60 * PATIENCE, "pictures that nobody reads")


def test_fingerprints_for_many(target):
    paths = [line[6:] for line in target.lines(b"listall") if line.startswith(b"file: ")][:60]
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(target.raw(timeout=60 * PATIENCE)) for _ in paths]
        for client, path in zip(clients, paths):
            client.send(b"getfingerprint " + quoted(path) + b"\n")
        for client in clients[:5]:
            client.answer()
            assert target.threads() < 120, "a thread for every client"


def test_idle_without_end(target):
    with target.raw(timeout=60 * PATIENCE) as client:
        for _ in range(10):
            client.send(b"idle\nnoidle\n" * 1000)
            for _ in range(1000):
                while client.line() != b"OK":
                    pass
        assert client.ask(b"idle " + b"player " * 2000)[-1].startswith(b"ACK ")


@pytest.mark.smoke
def test_connections_that_come_and_go(target):
    for _ in range(1500):
        connection = socket.socket()
        connection.connect((target.server.host, target.server.port))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        connection.close()
    wait_for(lambda: target.descriptors() < 150, 20 * PATIENCE, "closed connections")


def test_more_connections_than_allowed(target):
    kept = []
    with contextlib.suppress(OSError, EOFError):
        for _ in range(1200):
            kept.append(socket.create_connection((target.server.host, target.server.port), timeout=20 * PATIENCE))
    with contextlib.suppress(ConnectionError):
        assert kept[-1].recv(100) == b"", "so many clients are not allowed"
    for one in kept:
        one.close()
    wait_for(lambda: target.ask(b"ping") == [b"OK"], 20 * PATIENCE, "room for a client")


def test_channels_and_messages(target):
    with target.raw() as reader, target.raw() as writer:
        reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for number in range(2000):
            reader.send(b"subscribe c%d\n" % number)
        body = b"x" * 12_000
        for _ in range(15):
            writer.send(b"".join(b"sendmessage c%d %s\n" % (number % 3, body) for number in range(100)))
            for _ in range(100):
                writer.answer()
        assert target.ask(b"channels", b"subscribe \"a\nb\"")[0] == b"OK"


def test_paths_to_update_have_an_end(target):
    """While a scan runs 32 paths wait for the next one, and no more."""
    count = 3000
    with target.raw(timeout=60 * PATIENCE) as client:
        client.send(b"".join(b"update navidrome/%d/%s\n" % (number, b"x" * 4000) for number in range(count)))
        answers = [client.answer()[-1] for _ in range(count)]
        assert set(answers) == {b"OK", b"ACK [54@0] {update} Update queue is full"}, set(answers)
        wait_for(lambda: not [line for line in client.ask(b"status") if line.startswith(b"updating_db")],
                 120 * PATIENCE, "the end of the scans")
        assert client.ask(b"update navidrome/last")[-1] == b"OK"


def test_unread_messages_have_an_end(target):
    """Clients that subscribe and never read get messages as long as all of them together have room."""
    text, taken = b"x" * 8000, 0
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(target.raw(timeout=60 * PATIENCE))
        for number in range(40):
            reader = stack.enter_context(target.raw())
            assert reader.ask(b"subscribe c%d" % number) == [b"OK"]
            writer.send((b"sendmessage c%d %s\n" % (number, text)) * 64)
            taken += sum(writer.answer() == [b"OK"] for _ in range(64))
        assert 5 << 20 < taken * len(text) < 8 << 20
        assert target.ask(b"subscribe " + b"c" * 10_000)[0].startswith(b"ACK [2@0]")


def test_failing_commands_fill_no_log(target):
    size = target.server.log_path.stat().st_size
    with target.raw(timeout=60 * PATIENCE) as client:
        for _ in range(20):
            client.send(b'nothing "\x1b]0;owned\x07\x1b[2J\xc2\x9b31m"\nadd "\x1b[31mred"\nplay 99999\n' * 500)
            assert all(client.answer()[-1].startswith(b"ACK ") for _ in range(1500))
    new = target.server.log_path.read_bytes()[size:]
    assert len(new) < 2 << 20, f"{len(new)} bytes of log"
    assert b"\x1b" not in new and b"\xc2\x9b" not in new and b"\x07" not in new


# MARK: What grows

def repeated(client, line):
    """The answer to a line that is sent 400 times, or until it is refused."""
    for _ in range(400):
        last = client.ask(line)[-1]
        if last != b"OK":
            break
    return last


def test_stored_playlists_have_an_end(target):
    target.ask(b"rm long")
    with target.raw(timeout=60 * PATIENCE) as client:
        last = repeated(client, b"playlistadd long /")
        assert last.startswith(b"ACK"), "a playlist of 200,000 entries has no end"
        assert client.ask(b"rm long")[-1] == b"OK"


def test_the_queue_has_an_end(target):
    target.ask(b"clear")
    with target.raw(timeout=60 * PATIENCE) as client:
        last = repeated(client, b"add /")
        assert last.startswith(b"ACK"), "a queue of 200,000 songs has no end"
        assert client.ask(b"clear")[-1] == b"OK"


def test_tags_of_a_queued_station_have_an_end(target):
    target.ask(b"clear")
    with target.raw(timeout=60 * PATIENCE) as client:
        number = next(line[4:] for line in client.ask(b"addid http://127.0.0.1:9/x") if line.startswith(b"Id: "))
        line = b"addtagid %s comment " % number + b"y" * 12_000 + b"\n"
        refused = 0
        for _ in range(40):
            client.send(line * 100)
            refused += sum(client.answer()[-1].startswith(b"ACK") for _ in range(100))
            if refused:
                break
        assert refused, "4,000 tags of 12 kB each were kept"
        client.ask(b"clear")


def test_many_large_stickers(target, song):
    with target.raw(timeout=60 * PATIENCE) as client:
        value = b"v" * 12_000
        for number in range(5):
            client.send(b"".join(b"sticker set song %s n%d %s\n" % (quoted(LOCAL), number * 100 + step, value)
                                 for step in range(100)))
            for _ in range(100):
                client.answer()
        answers = target.ask(b"sticker list song " + quoted(LOCAL), b"sticker find song \"\" n1")
        assert answers == [b"OK", b"OK"]
        client.send(b"sticker delete song " + quoted(LOCAL) + b"\n")
        client.answer()


def test_partitions_have_an_end(target):
    names = [b"p%d" % number for number in range(300)] + [
        b"../x", b"\x1b[2J", b"a" * 9000, b"a\nb", b"", b"default"]
    answers = target.ask(*(b"newpartition " + quoted(name) for name in names if b"\n" not in name))
    assert any(answer and answer.startswith(b"ACK") for answer in answers[:300]), "300 partitions"
    made = [line[11:] for line in target.lines(b"listpartitions") if line.startswith(b"partition: ")]
    target.ask(*(b"delpartition " + quoted(name) for name in made if name != b"default"))
    assert target.threads() < 100


