"""A file system that stops answering: all that doesn't lie on it goes on."""
import os
import shutil
import signal
import subprocess
import time

import pytest
from mpd import CommandError
from harness.network_storages import missing_for_folders
from harness.processes import Daemon, free_port
from harness.waiting import wait_for
from harness.watch import PATIENCE
from harness.web import Web

SECONDS = 5 * PATIENCE
"""What others ask for is there within so long, on the busiest of machines; while a disk holds them up they wait for ever."""


class HangingFolder(Daemon):
    """A folder by FUSE whose program can be stopped."""

    def __init__(self, source, target):
        super().__init__(target.parent / "rclone.log")
        self.source, self.target = source, target

    def start(self):
        """Mounts the folder; nothing of it is kept by the system."""
        self.launch(["rclone", "mount", self.source, self.target, "--attr-timeout", "0s", "--dir-cache-time", "0s",
                     "--vfs-cache-mode", "off"], {"PATH": os.environ["PATH"], "HOME": str(self.target.parent)})
        wait_for(self.target.is_mount, 30, "the folder")
        return self

    def hang(self):
        """Answers nothing any more."""
        self.process.send_signal(signal.SIGSTOP)

    def answer(self):
        """Answers again."""
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        """Takes the folder away, and gives all that waits for it an error."""
        self.kill()
        subprocess.run(["fusermount3", "-uz", self.target], check=False, capture_output=True)


@pytest.fixture(params=["in it", "behind a link"])
def music(request, tmp_path, tracks):
    """A music folder with two songs, and a folder in it or behind a link that may hang, with twenty."""
    if (missing := missing_for_folders()) or not shutil.which("rclone"):
        pytest.skip(missing or "rclone is not installed")
    folder, source = tmp_path / "music", tmp_path / "source"
    place = folder / "nas" if request.param == "in it" else tmp_path / "elsewhere"
    for path in (folder / "own", place, source):
        path.mkdir(parents=True)
    if place.parent != folder:
        (folder / "nas").symlink_to("../elsewhere")
    for title in ("Sill", "Lamp"):
        shutil.copy(tracks[title].path, folder / "own")
    for number in range(20):
        shutil.copy(tracks["Sill"].path, source / f"{number:02}.flac")
    mounted = HangingFolder(source, place).start()
    yield folder, mounted
    mounted.end()


def threads(server):
    """How many threads the process has."""
    with open(f"/proc/{server.process.pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Threads:"))


def elapsed(client):
    """How far the current song is."""
    return float(client.status().get("elapsed", 0))


def test_a_disk_that_hangs_holds_up_none_that_ask_for_something_else(start_segue, music):
    folder, mounted = music
    port = free_port()
    server = start_segue(songs=22, local={"music_directory": folder}, web={"listen": [f"127.0.0.1:{port}"]})
    client, other = server.client(), server.client(timeout=SECONDS)
    client.add("nas")
    own = [entry["file"] for entry in client.find("base", "own")]
    mounted.hang()
    # More songs than there are processors are opened, one for each of them and one that comes next.
    for place in range(8):
        client.play(place)
        client.next()
    begin = time.monotonic()
    assert len(other.find("base", "own")) == 2
    assert len(other.search("any", "lamp")) == 1
    assert other.list("album") and other.count("base", "nas")["songs"] == "20"
    other.playlistadd("mine", own[0])
    page = Web(port)
    assert page.get("/api/search?q=lamp")
    assert page.get("/api/songs")["total"] == 22
    assert time.monotonic() - begin < SECONDS
    # A song of another disk plays.
    other.clear()
    other.add(own[0])
    other.play(0)
    wait_for(lambda: other.status()["state"] == "play" and elapsed(other) > 0.2, 30, "a song")
    assert other.status().get("error") is None
    assert threads(server) < 100
    mounted.answer()
    other.clear()
    other.add("nas/03.flac")
    other.play(0)
    wait_for(lambda: elapsed(other) > 0.2, 30, "a song of the disk that answers again")
    assert server.stop()[0] == 0


def test_a_disk_that_hangs_holds_up_no_edit_no_next_song_and_none_that_comes_by_itself(start_segue, music):
    folder, mounted = music
    server = start_segue(songs=22, local={"music_directory": folder}, cache={"prefetch": 3},
                         discovery={"analyse": "heard"}, dj={"ahead": 2, "mode": "library", "repeat_hours": 0})
    client = server.client(timeout=SECONDS)
    own = [entry["file"] for entry in client.find("base", "own")]
    mounted.hang()
    # The present song plays while those that come next can't be opened, fetched ahead or measured.
    client.add(own[0])
    client.repeat(1)
    client.play(0)
    for number in range(20):
        client.add(f"nas/{number:02}.flac")
    wait_for(lambda: elapsed(client) > 0.2, 30, "a song")
    begin = time.monotonic()
    for _ in range(60):
        client.next()
    client.addid(own[1], 0)
    client.move(0, 5)
    client.shuffle()
    client.save("everything")
    assert time.monotonic() - begin < SECONDS
    assert threads(server) < 100
    # The auto-DJ fills the queue, and what it adds that is there plays.
    client.clear()
    client.repeat(0)
    client.subscribe("dj")
    client.sendmessage("dj", "on")
    client.add(own[1])
    client.play(0)
    wait_for(lambda: len(client.playlistinfo()) >= 2, 30, "songs of the auto-DJ")
    wait_for(lambda: elapsed(client) > 0.2, 30, "a song meanwhile")
    assert client.status().get("error") is None
    client.sendmessage("dj", "off")
    mounted.end()
    assert server.stop()[0] == 0


def test_a_disk_that_hangs_holds_up_no_measurement_of_songs_elsewhere(start_segue, music):
    folder, mounted = music
    server = start_segue(songs=22, local={"music_directory": folder}, discovery={"analyse": "heard"})
    client = server.client(timeout=SECONDS)
    own = [entry["file"] for entry in client.find("base", "own")]
    mounted.hang()

    def loudness(path):
        try:
            return client.sticker_get("song", path, "loudness")
        except CommandError:
            return None

    # The song of the disk is asked for first, and is given up after a minute.
    client.add("nas/00.flac")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "play", 30, "the wait")
    client.clear()
    client.add(own[0])
    client.play(0)
    wait_for(lambda: loudness(own[0]), 150, "the loudness of a song elsewhere")
    mounted.end()
