"""Disks, sockets, threads and memory that fail: segue stays, or ends with a clear line, and its state opens again."""
import contextlib
import errno
import re
import shutil
import threading

import pytest
from harness.clients import RawClient
from harness.failing import FailingSystem
from harness.fake_navidrome import PASSWORD, USER
from harness.processes import free_port
from harness.waiting import wait_for

SONGS = 40


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs are a second long."""
    return start_navidrome(songs=SONGS, seconds=1)


@pytest.fixture
def system(tmp_path):
    """The system that fails."""
    return FailingSystem(tmp_path)


@pytest.fixture
def server(navidrome, system, start_segue):
    """Segue on that system, playing; nothing fails yet."""
    section = {"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1}
    running = start_segue(songs=SONGS, navidrome=section, output=[ {"type": "null", "name": "Nothing"}, {
                          "type": "httpd", "name": "Stream", "port": free_port(), "bind_to_address": "127.0.0.1"}])
    running.stop()
    running.environment.update(system.environment(running.folder))
    # A crash is told with addresses; names would take a debug build half a minute.
    running.environment["SWIFT_BACKTRACE"] = "symbolicate=off,threads=crashed,interactive=no"
    running.start(songs=SONGS)
    return running


class Editor:
    """Edits with values that never come again, and knows which were acknowledged."""

    def __init__(self, server, paths):
        self.server, self.paths = server, paths
        self.kept, self.unsure = {}, {}
        self.refused = self.rounds = 0

    def edit(self, rounds=1):
        """Edits, plays and asks; refusals and lost connections are what the test is about."""
        end = self.rounds + rounds
        while self.rounds < end and self.server.is_running:
            self.rounds += 1
            with contextlib.suppress(OSError, EOFError), RawClient(self.server, 3) as client:
                for count in range(self.rounds * 8, self.rounds * 8 + 8):
                    path, value = self.paths[count % len(self.paths)], b"%d" % count
                    self.unsure.setdefault(path, set()).add(value)
                    answer = client.ask(b'sticker set song "%s" note %s' % (path, value))[-1]
                    if answer == b"OK":
                        self.kept[path] = value
                        self.unsure[path] = set()
                    else:
                        self.refused += 1
                    client.ask(b'add "%s"' % path)
                    client.ask(b'playlistadd Kept "%s"' % path)
                    client.ask(b"next")
                    client.ask(b"status")
                client.ask(b"clear")

    def compare(self):
        """Every note is the last that was acknowledged, or one that was sent after it."""
        with RawClient(self.server, 20) as client:
            for path, value in self.kept.items():
                shown = client.ask(b'sticker get song "%s" note' % path)[0].partition(b"=")[2]
                assert shown in {value} | self.unsure[path], f"{path}: {shown}, acknowledged was {value}"


FAULTS = [
    ("write", errno.ENOSPC, 0.05),
    ("write", errno.ENOSPC, 1),
    ("write", errno.EIO, 0.2),
    ("sync", errno.EIO, 0.5),
    ("open", errno.EMFILE, 0.3),
    ("open", errno.EACCES, 1),
    ("read", errno.EIO, 0.1),
    ("accept", errno.EMFILE, 0.7),
    ("accept", errno.ENFILE, 1),
    ("socket", errno.EMFILE, 0.7),
    ("thread", errno.EAGAIN, 0.7),
    ("memory", errno.ENOMEM, 0.02)]


def goes_on(server, client):
    """Whether the server still answers, or has ended; one that crashes is there until it has said where."""
    try:
        if server.is_running:
            assert client.ask(b"status")[-1] == b"OK"
            return True
    except (OSError, EOFError):
        server.process.wait(120)
    return False


@pytest.mark.parametrize("kind, error, share", FAULTS, ids=lambda value: errno.errorcode.get(value)
                         if isinstance(value, int) and value > 1 else str(value))
def test_calls_that_fail(server, system, navidrome, kind, error, share):
    with RawClient(server, 20) as other:
        editor = Editor(server, [line[6:] for line in other.ask(b"listall") if line.startswith(b"file: ")])
        editor.edit(3)
        system.fail(kind, share, error)
        navidrome.control("touch", n=5)
        for number in range(3):
            editing = threading.Thread(target=editor.edit, args=(2,))
            editing.start()
            # New connections to the server, and new threads.
            with contextlib.suppress(OSError, EOFError):
                navidrome.control("fault", mode="down", count=1)
                for line in (b"toggleoutput 1", b"update", b"newpartition p%d" % number):
                    other.ask(line)
            editing.join()
        # On a busy machine there may have been too few calls for one in fifty to fail.
        wait_for(lambda: editor.edit() or system.failed(kind), 60, "a call that fails")
        system.fail(kind, 0)
        navidrome.control("fault", mode="none")
        print(f"{system.failed(kind)} calls failed, {editor.refused} edits were refused")
        assert system.failed(kind) < 20_000, "what failed was tried again as fast as it went"
        if goes_on(server, other):
            # What could not be done can be done again.
            refused = editor.refused

            def works():
                editor.edit()
                nonlocal refused
                was, refused = refused, editor.refused
                return was == refused
            wait_for(works, 60, "edits that are taken again")
            editor.compare()
    if server.is_running:
        status, _ = server.stop(seconds=20)
        assert status == 0, f"it ended with {status}"
    else:
        last = server.log.strip().splitlines()[-1]
        # Swift and GLib end a program that gets no memory, and say so; NIO names its buffer, and some libraries only
        # notice at address 0.
        if kind == "memory" and server.process.returncode < 0:
            said = r"failed to allocate \d+ bytes|ByteBuffer-core\.swift|Bad pointer dereference at 0x0+\b"
            assert re.search(said, server.log), server.log[-3000:]
        assert server.process.returncode > 0 or kind == "memory", f"it ended by a signal, {server.process.returncode}:\n{server.log[-3000:]}"
        assert kind == "memory" or any(word in last for word in ("error", "segue:", "critical")), last
    for name in ("LD_PRELOAD", "FAILING_TABLE", "FAILING_PATH", "FAILING_SEED"):
        del server.environment[name]
    server.start(songs=SONGS)
    editor.compare()
    with RawClient(server, 20) as client:
        assert client.ask(b"listplaylist Kept")[-1] == b"OK"
        assert client.ask(b"playlistinfo")[-1] == b"OK"


def test_songs_of_a_disk_that_fails_stay_and_new_ones_come_when_it_works(system, start_segue, library, tmp_path):
    music = tmp_path / "music"
    shutil.copytree(library[0], music)
    count = len(library[1])
    server = start_segue(songs=count, local={"music_directory": music})
    server.stop()
    server.environment.update(system.environment(music))
    client = server.start(songs=count).client(timeout=60)

    def update():
        client.update()
        wait_for(lambda: "updating_db" not in client.status(), 60, "the update's end")
        return int(client.stats()["songs"])
    system.fail("list", 0.2)
    for _ in range(20):
        assert update() == count, server.log
    assert system.failed("list") > 0
    system.fail("list", 0)
    system.fail("read", 1)
    shutil.copy(next(music.rglob("*.flac")), music / "new.flac")
    assert update() == count
    wait_for(lambda: "new.flac is skipped for now: reading the file failed: Input/output error" in server.log, 30,
             "the reason in the log")
    assert update() == count
    system.fail("read", 0)
    # The file is the same as before.
    assert update() == count + 1
    assert len(re.findall("warning .*new.flac is skipped for now", server.log)) == 1


@pytest.mark.parametrize("most", [0, 1, 3, 5, 8, 20, 47])
def test_a_start_with_too_few_threads_ends_at_once_with_one_line(system, start_segue, most):
    server = start_segue()
    server.stop()
    system.limit_threads(most)
    server.environment.update(system.environment(server.folder))
    ended = server.run("serve", "--config", server.configuration, seconds=20)
    assert ended.returncode == 71
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith(f"segue: It can't run: the system allows only {most} of the 48 threads it needs.")


def test_as_many_threads_as_are_asked_for_suffice(system, navidrome, start_segue):
    server = start_segue(songs=SONGS, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD})
    server.stop()
    system.limit_threads(48)
    server.environment.update(system.environment(server.folder))
    client = server.start(songs=SONGS).client()
    client.add("")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, what="sound")
    assert server.stop()[0] == 0
    assert "no thread" not in server.log and "create thread" not in server.log
