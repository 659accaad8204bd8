"""Attacks with a queue of a million entries: each command on it, over and over, holds no other client up."""
import pathlib
import re
import threading

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import IS_RELEASE, PATIENCE

SONGS = 500
ENTRIES = 1_000_000
TIMES = 2
"""How often each command is sent."""
PART = 8 << 20
"""How many bytes of a long answer are read."""


@pytest.fixture(scope="module")
def server(registry, tmp_path_factory):
    """Segue in front of a fake Navidrome, which allows long queues."""
    folder = tmp_path_factory.mktemp("queue")
    fake = FakeNavidrome(folder, songs=SONGS, seconds=2).start()
    running = Segue(
        folder / "segue", registry, server={"max_playlist_length": 2 * ENTRIES, "memory_budget": 0},
        navidrome={"url": fake.url, "username": USER, "password": PASSWORD})
    yield running
    running.kill()
    fake.kill()


@pytest.fixture(scope="module")
def songs_before():
    """All of them."""
    return SONGS


@pytest.fixture(autouse=True)
def million(target):
    """Fills the queue; the process needs memory for it and for the copies that are edited."""
    # A debug build copies what an optimised one moves: 634 were seen where a playlist of all of it is loaded.
    target.memory_limit = 600 if IS_RELEASE else 700
    with target.raw(timeout=60 * PATIENCE) as client:
        length = int(dict(line.split(b": ", 1) for line in client.ask(b"status")[:-1])[b"playlistlength"])
        if length != ENTRIES:
            client.ask(b"clear")
            client.send(b"command_list_begin\n" + b"add /\n" * (ENTRIES // SONGS) + b"command_list_end\n")
            assert client.answer() == [b"OK"]
        client.ask(b"random 0")


def repeat(target, *lines):
    """Sends lines in turn, each when the one before is answered."""
    with target.raw(timeout=60 * PATIENCE) as client:
        for line in lines * TIMES:
            answer = client.ask(line)
            assert answer[-1] == b"OK", answer[-1]


def ids(target, *positions):
    """The ids of entries."""
    with target.raw() as client:
        return [re.search(rb"Id: (\d+)", b"\n".join(client.ask(b"playlistinfo %d" % place)))[1] for place in positions]


@pytest.mark.parametrize("is_random", [False, True], ids=["in order", "at random"])
@pytest.mark.parametrize("name", ["prioid", "moveid", "add", "addid", "deleteid", "swapid", "rangeid", "move", "play"])
def test_single_entries(target, name, is_random):
    song = next(line[6:] for line in target.lines(b"listall") if line.startswith(b"file: "))
    target.ask(b"random %d" % is_random)
    first, second = ids(target, 5, ENTRIES - 5)
    commands = {
        "prioid": [b"prioid 5 " + first, b"prioid 0 " + first], "move": [b"move 0 %d" % (ENTRIES - 10), b"move 7 3"],
        "moveid": [b"moveid " + first + b" %d" % (ENTRIES - 10), b"moveid " + first + b" 0"],
        "add": [b'add "%s" 0' % song, b"delete 0"], "addid": [b'addid "%s" 0' % song, b"delete 0"],
        "deleteid": None, "swapid": [b"swapid " + first + b" " + second],
        "rangeid": [b"rangeid " + second + b" 0:1", b"rangeid " + second + b" :"],
        "play": [b"play %d" % (ENTRIES - 3), b"next", b"stop"],
    }[name]
    if commands is None:
        commands = [b"deleteid " + one for one in ids(target, *range(40, 60))]
        with target.raw(timeout=60 * PATIENCE) as client:
            assert [client.ask(command)[-1] for command in commands] == [b"OK"] * len(commands)
    else:
        repeat(target, *commands)
    target.ask(b"random 0")


@pytest.mark.parametrize("command", [b"plchanges 1 0:1", b"plchanges 4294967295 0:1", b"plchangesposid 1 999990:"],
                         ids=lambda command: command.decode())
def test_looking_for_changes(target, command):
    repeat(target, command)


@pytest.mark.parametrize("command", [b"plchanges 0", b"plchangesposid 0", b"playlistinfo", b"playlistid"],
                         ids=lambda command: command.decode())
def test_all_that_changed(target, command):
    """Its client goes when it has read a part."""
    with target.raw(timeout=60 * PATIENCE) as client:
        client.send(command + b"\n")
        size = 0
        while size < PART:
            size += len(client.socket.recv(1 << 20))


def test_playing_at_random(target):
    target.ask(b"random 1", b"repeat 1", b"prio 5 10:2000")
    repeat(target, b"play", b"next", b"stop")
    target.ask(b"random 0", b"repeat 0", b"prio 0 0:")


def test_stored_playlists(target):
    lines = [b"rm stored", b"save stored", b"playlistlength stored", b"listplaylist stored 999990:", b"playlist",
             b"load stored 0:500000", b"delete 1000000:", b"rm stored"]
    with target.raw(timeout=60 * PATIENCE) as client:
        answers = [client.ask(line)[-1] for line in lines]
    assert answers[1:] == [b"OK"] * (len(lines) - 1)


def test_random_order(target):
    repeat(target, b"random 1", b"random 0")


def test_everything_by_several_clients(target):
    first, = ids(target, 5)
    works = [
        [b"random 1", b"random 0"], [b"prioid 5 " + first, b"prioid 0 " + first], [b"shuffle"],
        [b"moveid " + first + b" 0", b"moveid " + first + b" 500000"], [b"setvol 40", b"setvol 50"],
        [b"plchangesposid 1 0:1"],
    ]
    threads = [threading.Thread(target=repeat, args=(target, *work), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60 * PATIENCE)
        assert not thread.is_alive(), "a command never ended"


def own_memory(target):
    """Mebibytes that the process alone has in memory."""
    status = pathlib.Path(f"/proc/{target.server.process.pid}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status)[1]) / 1024


def at_rest(target):
    """The same once it changes no more."""
    seen = [own_memory(target)]

    def is_still():
        seen.append(own_memory(target))
        return len(seen) > 5 and max(seen[-5:]) - min(seen[-5:]) < 1
    wait_for(is_still, 20 * PATIENCE, "memory that stays as it is", every=0.2)
    return seen[-1]


def test_memory_of_a_saved_playlist_comes_back(target):
    with target.raw(timeout=60 * PATIENCE) as client:
        client.ask(b"rm long")
        # What was left by what came before goes first.
        assert client.ask(b"save long") == client.ask(b"rm long") == [b"OK"]
        before = at_rest(target)
        for line in (b"save long", b"rm long"):
            assert client.ask(line) == [b"OK"]
            wait_for(lambda: own_memory(target) < before + 20, 20 * PATIENCE, f"less than {before + 20:.0f} MiB")


def test_emptying(target):
    with target.raw(timeout=60 * PATIENCE) as client:
        assert client.ask(b"clear") == [b"OK"]
    wait_for(lambda: b"playlistlength: 0" in target.lines(b"status"), 20 * PATIENCE, "an empty queue")
