"""Recordings in every encoding, and JACK."""
import contextlib
import os
import shutil
import signal
import subprocess

import pytest
from harness.music import wav_samples
from harness.processes import Daemon
from harness.programs import need
from harness.recordings import decoded, play_to_the_end
from harness.rooms import loudness
from harness.segue import Segue
from harness.waiting import wait_for


@pytest.fixture
def record(start_segue, library, tmp_path):
    """Starts segue with a recording to a file of that name, as fast as it can or with what it records."""
    def start(name, is_fast=True, **more):
        path = tmp_path / name
        output = [{"type": "file", "name": "Recording", "path": path, **more}]
        output += [{"type": "null", "name": "Fast", "sync": False}] if is_fast else []
        return start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=output), path
    return start


@pytest.mark.smoke
def test_a_flac_recording_has_the_songs_samples_and_their_checksum(record, tracks):
    server, path = record("songs.flac")
    play_to_the_end(server, "Sill", "Lamp")
    assert server.stop()[0] == 0
    assert decoded(path) == tracks["Sill"].samples + tracks["Lamp"].samples
    assert path.read_bytes()[26:42] != bytes(16)
    if shutil.which("flac"):
        test = subprocess.run(["flac", "--test", "--warnings-as-errors", path], capture_output=True, text=True,
                              timeout=60)
        assert test.returncode == 0, test.stderr


def test_an_encoder_counts_more_than_the_ending(record, tracks):
    server, path = record("songs.bin", encoder="flac", format="44100:24:2")
    play_to_the_end(server, "Sill")
    assert server.stop()[0] == 0
    assert path.read_bytes()[:4] == b"fLaC"
    assert decoded(path) == tracks["Sill"].samples


@pytest.mark.parametrize("name, rate, surplus", [
    ("songs.opus", 48000, 960), ("songs.ogg", 44100, 64), ("songs.mp3", 44100, 4 * 1152)])
def test_recordings_with_loss_are_whole(record, tracks, name, rate, surplus):
    server, path = record(name, bitrate=160)
    play_to_the_end(server, "Sill", "Lamp")
    assert server.stop()[0] == 0
    heard = decoded(path, rate)
    frames = 8 * rate
    assert frames <= len(heard) // 4 <= frames + surplus
    assert loudness(heard) > 5000


@pytest.mark.parametrize("ending", ["wav", "flac", "opus"])
@pytest.mark.parametrize("how", ["terminated", "disabled", "killed"])
def test_a_recording_that_is_broken_off_is_valid(record, tracks, ending, how):
    server, path = record(f"part.{ending}", is_fast=False)
    client = server.client()
    client.findadd("title", "River")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 3, 60, "three seconds")
    if how == "terminated":
        assert server.stop()[0] == 0
    elif how == "disabled":
        client.disableoutput(0)
        wait_for(lambda: seconds(path) > 2, 30, "a valid file")
        return
    else:
        server.stop(signal.SIGKILL)
    if how == "killed":
        # What was not finished ends somewhere; a player plays what is there.
        assert seconds(path, strict=False) > 1
    else:
        assert seconds(path) > 2


def seconds(path, strict=True):
    """How long a file lasts, by decoding it."""
    need("ffmpeg")
    run = subprocess.run(["ffmpeg", "-v", "error", *(["-xerror"] if strict else []), "-i", path, "-f", "s16le",
                          "-ac", "2", "-ar", "44100", "-"], capture_output=True, timeout=120)
    assert not strict or (run.returncode == 0 and not run.stderr), run.stderr
    return len(run.stdout) / 4 / 44100


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for about three seconds of CD sound."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", folder], capture_output=True).returncode != 0:
        pytest.skip("file systems can't be mounted here")
    with contextlib.ExitStack() as stack:
        stack.callback(subprocess.run, ["umount", "-l", folder], check=False)
        yield folder


@pytest.mark.needs_root
@pytest.mark.parametrize("ending", ["wav", "flac"])
def test_a_full_disk_stops_the_recording_alone_and_keeps_it(start_segue, library, tracks, small_disk, tmp_path, ending):
    path, other = small_disk / f"songs.{ending}", tmp_path / "all.wav"
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "file", "name": "Small", "path": path}, {"type": "file", "name": "Large", "path": other}])
    client = server.client()
    for title in ("Sill", "Lamp", "Window"):
        client.findadd("title", title)
    client.play(0)
    wait_for(lambda: 'Output "Small" doesn\'t play' in server.log, 60, "the full disk")
    full = path.stat().st_size
    assert full > 300_000
    assert client.status()["state"] == "play"
    # As soon as there is room it goes on, in another file.
    subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
    wait_for(lambda: (small_disk / f"songs-2.{ending}").exists(), 60, "the second part")
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    server.stop()
    assert server.log.count('Output "Small" doesn\'t play') == 1
    song = b"".join(tracks[title].samples for title in ("Sill", "Lamp", "Window"))
    assert wav_samples(other) == song
    first, second = samples(path), samples(small_disk / f"songs-2.{ending}")
    assert len(first) > 200_000 and song.startswith(first)
    assert len(second) > 200_000 and song.endswith(second)


def samples(path):
    """The samples of a recording."""
    if path.suffix == ".wav":
        return wav_samples(path)
    run = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"], capture_output=True, timeout=60)
    return run.stdout


class Jack(Daemon):
    """A JACK server without a sound card."""

    def __init__(self, folder):
        need("jackd", "jack_lsp")
        super().__init__(folder / "jack.log")
        self.name = f"segue-test-{os.getpid()}"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "JACK_DEFAULT_SERVER": self.name,
                            "JACK_NO_AUDIO_RESERVATION": "1"}

    def start(self):
        """Starts the server, or skips the test where it can't run."""
        self.launch(["jackd", "-n", self.name, "--no-realtime", "-d", "dummy", "-r", "44100"], self.environment)
        wait_for(lambda: self.ports() or not self.is_running, 30, "JACK")
        if not self.is_running:
            pytest.skip(f"jackd doesn't run here: {self.log[-500:]}")
        return self

    def ports(self, *arguments):
        """The server's ports and what they are connected with."""
        return subprocess.run(["jack_lsp", "-s", self.name, *arguments], env=self.environment, capture_output=True,
                              text=True, timeout=20).stdout


@pytest.mark.smoke
def test_jack_plays(start_segue, library, tmp_path):
    jack = Jack(tmp_path)
    try:
        jack.start()
        server = start_segue(
            songs=len(library[1]), local={"music_directory": library[0]}, kind=in_environment(jack.environment),
            output=[{"type": "jack", "name": "Studio"}])
        client = server.client()
        assert client.outputs()[0]["plugin"] == "jack"
        client.findadd("title", "River")
        client.play(0)
        wait_for(lambda: "Segue" in jack.ports(), 30, "our ports")
        connections = wait_for(lambda: "Segue" in jack.ports("-c").split("system:playback_1")[1]
                               and jack.ports("-c"), 30, "our connection")
        assert "system:playback_2" in connections
        wait_for(lambda: float(client.status()["elapsed"]) > 2, 30, "two seconds")
        # Without its server the output is in trouble, and the player goes on by the clock.
        jack.stop()
        place = float(client.status()["elapsed"])
        wait_for(lambda: float(client.status()["elapsed"]) > place + 1, 60, "the music without JACK")
        assert client.status()["state"] == "play"
    finally:
        jack.kill()


def in_environment(more):
    """A kind of segue process with other environment variables."""
    class Other(Segue):
        def __init__(self, folder, registry, **sections):
            super().__init__(folder, registry, **sections)
            self.environment |= {key: value for key, value in more.items() if key.startswith("JACK")}
    return Other
