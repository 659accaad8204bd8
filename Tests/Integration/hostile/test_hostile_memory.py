"""Attacks on memory: a server with a small budget stays below it, refuses what needs much, and answers everybody else."""
import contextlib
import os
import pathlib
import re
import shutil
import socket
import threading

import pytest
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE, drain, has_bytes

BUDGET = 96
"""Mebibytes that the server may take."""
MOST = BUDGET + BUDGET / 16
"""The same with what four threads may take between two looks."""
ALBUMS = 16
PICTURE = 8 << 20
"""Bytes of each album's cover: all of them together are more than the budget."""


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a small budget, in front of albums with large covers."""
    folder = tmp_path_factory.mktemp("memory")
    source = next(track.path for track in library[1] if track.title == "Sill")
    for number in range(ALBUMS):
        album = folder / "music" / f"album{number:02}"
        album.mkdir(parents=True)
        shutil.copy(source, album / "song.flac")
        (album / "cover.png").write_bytes(b"\x89PNG\r\n\x1a\n" + os.urandom(PICTURE))
    running = Segue(
        folder / "segue", registry, local={"music_directory": folder / "music"},
        server={"memory_budget": f"{BUDGET} MiB", "max_playlist_length": 2_000_000, "connection_timeout": 600})
    yield running
    running.kill()


@pytest.fixture(scope="module")
def songs_before():
    """One in each album."""
    return ALBUMS


class OwnMemory:
    """Looks at what the process has in memory of its own, all the while."""

    def __init__(self, target):
        self.path = pathlib.Path(f"/proc/{target.server.process.pid}/status")
        self.peak = 0
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def now(self):
        """In mebibytes."""
        return int(re.search(r"RssAnon:\s+(\d+)", self.path.read_text())[1]) / 1024

    def _look(self):
        with contextlib.suppress(OSError):
            while not self._ends.wait(0.005):
                self.peak = max(self.peak, self.now())

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()


def cover(number):
    """The command that gets the cover of an album."""
    return b"albumart album%02d/song.flac 0\n" % number


def fill_queue(target, entries):
    """Doubles the queue by way of a saved playlist until it has that many entries; gives the refusal, if there is one."""
    with target.raw(timeout=120 * PATIENCE) as client:
        client.ask(b"clear")
        client.ask(b"rm double")
        last, count = client.ask(b"add /")[-1], ALBUMS
        while last == b"OK" and count < entries:
            last = client.ask(b"save double replace" if count > ALBUMS else b"save double")[-1]
            if last == b"OK":
                last, count = client.ask(b"load double")[-1], count * 2
        return last


def test_pictures_of_many_albums_stay_below_the_budget(target):
    with OwnMemory(target) as memory, contextlib.ExitStack() as stack:
        deaf, readers = [], []
        for number in range(4 * ALBUMS):
            client = stack.enter_context(target.raw())
            client.send(b"binarylimit 8000000\n" + cover(number % ALBUMS))
            if number % 2:
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                deaf.append(client.socket)
            else:
                client.send(b"close\n")
                readers.append(threading.Thread(target=drain, args=(client.socket,), daemon=True))
                readers[-1].start()
        for reader in readers:
            reader.join(60 * PATIENCE)
            assert not reader.is_alive(), "one who reads was not answered"
        # Something of a picture, or its refusal; or the connection was closed for want of memory.
        wait_for(lambda: all(has_bytes(one, 3) for one in deaf), 60 * PATIENCE, "answers for those who never read")
    assert memory.peak < BUDGET, f"{memory.peak:.0f} MiB"
    wait_for(lambda: target.ask(cover(0))[-1] == b"OK", 20 * PATIENCE, "a picture for one who reads")


def test_long_answers_stay_below_the_budget(target):
    assert fill_queue(target, 50_000) == b"OK"
    with OwnMemory(target) as memory, contextlib.ExitStack() as stack:
        everybody = []
        for _ in range(150):
            client = stack.enter_context(target.raw())
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            everybody.append(client.socket)
            with contextlib.suppress(OSError):
                client.send(b"playlistinfo\nlistallinfo\n" * 50)
        wait_for(lambda: all(has_bytes(one, 1000) for one in everybody), 60 * PATIENCE, "answers that nobody reads")
    assert memory.peak < BUDGET, f"{memory.peak:.0f} MiB"
    target.ask(b"clear", b"rm double")


def take(client, line):
    """Sends a line until it is refused; gives how often it was taken, and the refusal."""
    for count in range(0, 10_000, 50):
        client.send(line * 50)
        answers = [client.answer()[-1] for _ in range(50)]
        refusals = [answer for answer in answers if answer.startswith(b"ACK")]
        if refusals:
            return count + 50 - len(refusals), refusals[0]
    raise AssertionError("10,000 of them were taken")


def test_long_addresses_in_queues_have_an_end(target):
    line = b"addid http://127.0.0.1:9/" + b"x" * 12_000 + b"\n"
    with OwnMemory(target) as memory, target.raw(timeout=120 * PATIENCE) as client:
        client.ask(b"clear")
        taken, refusal = take(client, line)
        assert refusal.startswith(b"ACK [51@0]"), refusal
        assert 100 < taken < BUDGET * (1 << 20) // 8 // 12_000
        assert client.ask(b"newpartition other")[-1] == b"OK"
        client.ask(b"partition other")
        assert take(client, line)[0] == 0, "each partition has room of its own"
        assert client.ask(b"add /")[-1] == b"OK", "songs of the library don't count"
        client.ask(b"partition default")
        assert client.ask(b"delete 0:10")[-1] == b"OK"
        assert take(client, line)[0] == 10
    assert memory.peak < BUDGET, f"{memory.peak:.0f} MiB"


def test_tags_of_stations_in_the_queue_have_an_end(target):
    added = []
    with OwnMemory(target) as memory, target.raw(timeout=120 * PATIENCE) as client:
        client.ask(b"clear")
        refusal, size = None, 0
        while refusal is None and size < BUDGET << 20:
            added.append(next(line[4:] for line in client.ask(b"addid http://127.0.0.1:9/x") if line.startswith(b"Id: ")))
            for _ in range(5):
                answer = client.ask(b"addtagid %s comment " % added[-1] + b"y" * 12_000)[-1]
                size += 12_000
                if answer != b"OK":
                    refusal = refusal or answer
        assert refusal and refusal.startswith(b"ACK [51@0]"), refusal
        assert 1 << 20 < size < BUDGET << 17
        assert client.ask(b"cleartagid %s" % added[0])[-1] == b"OK"
        assert client.ask(b"addtagid %s comment " % added[-1] + b"y" * 12_000)[-1] == b"OK"
    assert memory.peak < BUDGET, f"{memory.peak:.0f} MiB"


def test_playlists_of_a_million_are_refused_with_one_line_in_the_log(target):
    # The line comes once for as long as memory is short, so that attacks before this one may have had it.
    target.begin_again()
    begin = target.server.log_path.stat().st_size
    with OwnMemory(target) as memory:
        last = fill_queue(target, 1_500_000)
        assert last.startswith(b"ACK [52@0]") and b"memory_budget" in last, last
        lines = [b"command_list_begin", *[b"status"] * 20, b"command_list_end"]
        with target.raw() as client:
            client.send(b"\n".join(lines) + b"\n")
            assert client.answer()[-1] == b"OK"
        for _ in range(5):
            fill_queue(target, 1_500_000)
    assert memory.peak < MOST, f"{memory.peak:.0f} MiB"
    text = target.server.log_path.read_bytes()[begin:].decode()
    said = [line for line in text.splitlines() if "memory_budget" in line]
    assert len(said) == 1 and f"of {BUDGET} MiB" in said[0], said
    target.ask(b"clear", b"rm double")
