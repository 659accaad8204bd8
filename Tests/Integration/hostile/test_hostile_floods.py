"""Attacks by clients of the protocol: floods, and what grows without end."""
import contextlib
import socket
import threading
import time

import pytest
from harness.waiting import wait_for
from harness.watch import PATIENCE, drain, quoted


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
    (b"shuffle", 200_000), (b"playlistinfo", 2_000), (b"search any e", 300), (b"listallinfo", 300),
    (b"repeat 1\nrepeat 0", 100_000), (b"status", 200_000), (b"list file group title", 100), (b"rescan", 20_000),
], ids=repr)
def test_long_lists_of_commands(target, line, times):
    target.ask(b"clear", b"add navidrome")
    with target.raw(timeout=60 * PATIENCE) as client:
        threading.Thread(target=drain, args=(client.socket,), daemon=True).start()
        with contextlib.suppress(OSError):
            client.send(b"command_list_begin\n" + (line + b"\n") * times + b"command_list_end\n")
        time.sleep(2)
    wait_for(lambda: target.ask(b"clear") == [b"OK"], 20 * PATIENCE)


def test_lists_of_many_clients_take_bounded_memory(target):
    lines = b"command_list_begin\n" + b"x\n" * 524_000

    def fill():
        with contextlib.suppress(OSError, EOFError), target.raw() as client:
            client.send(lines)
            time.sleep(2)
    everybody = [threading.Thread(target=fill, daemon=True) for _ in range(40)]
    for one in everybody:
        one.start()
    for one in everybody:
        one.join(60 * PATIENCE)


def test_clients_that_never_read(target):
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            client = stack.enter_context(target.raw())
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.socket.setblocking(False)
            with contextlib.suppress(OSError):
                for _ in range(100):
                    client.socket.send(b"listallinfo\nplaylistinfo\nreadpicture local/Sill.flac 0\n" * 100)
        time.sleep(2)


def test_pictures_for_many_that_never_read(target):
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            client = stack.enter_context(target.raw())
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.send(b"binarylimit 4194304\nalbumart local/Sill.flac 0\nreadpicture local/Sill.flac 0\n")
        time.sleep(2)


def test_fingerprints_for_many(target):
    paths = [line[6:] for line in target.lines(b"listall") if line.startswith(b"file: ")][:60]
    with contextlib.ExitStack() as stack:
        for path in paths:
            stack.enter_context(target.raw()).send(b"getfingerprint " + quoted(path) + b"\n")
        time.sleep(1.5)
    assert target.threads() < 120, "a thread for every client"


def test_idle_without_end(target):
    with target.raw(timeout=60 * PATIENCE) as client:
        threading.Thread(target=drain, args=(client.socket,), daemon=True).start()
        client.send(b"idle\nnoidle\n" * 100_000)
        client.send(b"idle " + b"player " * 2000 + b"\n")


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
            kept.append(socket.create_connection((target.server.host, target.server.port), timeout=2))
    time.sleep(0.5)
    for one in kept:
        one.close()
    wait_for(lambda: target.ask(b"ping") == [b"OK"], 20 * PATIENCE, "room for a client")


def test_channels_and_messages(target):
    with target.raw() as reader, target.raw() as writer:
        reader.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        for number in range(2000):
            reader.send(b"subscribe c%d\n" % number)
        threading.Thread(target=drain, args=(writer.socket,), daemon=True).start()
        body = b"x" * 12_000
        for number in range(1500):
            writer.send(b"sendmessage c%d " % (number % 3) + body + b"\n")
        time.sleep(0.5)
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
        threading.Thread(target=drain, args=(client.socket,), daemon=True).start()
        for _ in range(100):
            client.send(b'nothing "\x1b]0;owned\x07\x1b[2J\xc2\x9b31m"\nadd "\x1b[31mred"\nplay 99999\n' * 500)
    time.sleep(1)
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
        for number in range(20):
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


