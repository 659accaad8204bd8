"""Sound devices that go away, don't answer, or break while something plays: the other outputs miss nothing."""
import os
import pathlib
import select
import shutil
import tempfile
import threading

import pytest
from harness.music import wav_samples
from harness.segue import Segue
from harness.sound_servers import Ear, PipeWire, PulseAudio, need_alsa_plugin
from harness.waiting import wait_for

TITLES = ("Sill", "Lamp", "Window")


def play(server):
    """Plays the songs again and again."""
    client = server.client()
    for title in TITLES:
        client.findadd("title", title)
    client.repeat(1)
    client.play(0)
    return client


def finish(client, tracks, path):
    """Lets the song that plays be the last one; the recording must have every sample of all of them."""
    # Not shortly before a song's end: the one that plays would be another one by the time of the edit.
    wait_for(lambda: float(client.status()["elapsed"]) < 2, 30, "a song's first half", every=0.02)
    client.repeat(0)
    place = int(client.status()["song"])
    client.delete((place + 1,)) if place + 1 < len(TITLES) else None
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    heard = wav_samples(path)
    album = b"".join(tracks[title].samples for title in TITLES)
    whole = len(heard) // len(album)
    rest = b"".join(tracks[title].samples for title in TITLES[:place + 1])
    assert heard in (album * whole + rest, album * whole), f"{len(heard)} bytes, {whole} albums and {place + 1} songs"


def goes_on(client, seconds=2):
    """Waits until more of the songs has been heard."""
    def heard():
        return float(client.stats()["playtime"])
    before = heard()
    wait_for(lambda: heard() >= before + seconds, 60, "more of the songs")


def told(server, name, text, since):
    """Waits until the log says something new of an output, and gives the line."""
    def found():
        lines = server.log[since:].splitlines()
        return next((line for line in lines if f'Output "{name}" {text}' in line), None)
    return wait_for(found, 60, f"{name}: {text}")


BREAKS = {
    "killed": (lambda made: made.kill(), lambda made: made.start()),
    "frozen": (lambda made: made.freeze(), lambda made: made.freeze(False)),
    "unplugged": (lambda made: made.remove_device(), lambda made: made.return_device()),
}
"""What happens to a sound server, and what mends it."""


SERVERS = {"PulseAudio": ("pulse", PulseAudio), "PipeWire": ("pipewire", PipeWire), "ALSA": ("alsa", PulseAudio)}


@pytest.fixture(params=["PulseAudio", "PipeWire"])
def desktop(request, start_segue, library, tmp_path):
    """A sound server, a segue that plays through it and records, and the recording."""
    kind, make = SERVERS[request.param]
    if kind == "alsa":
        need_alsa_plugin()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = make(folder)
    path = tmp_path / "recording.wav"
    try:
        made.start()
        server = start_segue(
            songs=len(library[1]), local={"music_directory": library[0]}, kind=made.kind,
            output=[{"type": kind, "name": "Desktop"} | ({"device": "desk"} if kind == "alsa" else {}),
                    {"type": "file", "name": "Recording", "path": path}])
        yield made, server, path
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def hears(made):
    """Waits until the sound is heard."""
    ear = Ear(made)
    wait_for(lambda: any(abs(value) > 1000 for value in ear.samples[-4800:]), 60, "the sound")
    ear.close()


@pytest.mark.parametrize(
    ("desktop", "fault"), [(server, fault) for server in ("PulseAudio", "PipeWire") for fault in BREAKS]
    + [("ALSA", "frozen"), ("ALSA", "killed")], indirect=["desktop"])
def test_a_sound_server_that_goes_away_and_comes_back(desktop, tracks, fault):
    made, server, path = desktop
    begins, ends = BREAKS[fault]
    client = play(server)
    hears(made)
    since = len(server.log)
    begins(made)
    line = told(server, "Desktop", "doesn't play", since)
    # A reader knows what to check.
    assert "warning" in line and "?" in line
    goes_on(client)
    assert [output["outputenabled"] for output in client.outputs()] == ["1", "1"]
    since = len(server.log)
    ends(made)
    made.wait()
    told(server, "Desktop", "plays", since)
    hears(made)
    finish(client, tracks, path)


def processor_seconds(server):
    """How long the process has used a processor."""
    with open(f"/proc/{server.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ALSA's plug-in for PulseAudio goes on as if nothing were when its server has ended, as fast as the processor lets it.
@pytest.mark.parametrize("desktop", ["ALSA"], indirect=True)
def test_a_killed_sound_server_takes_no_processor(desktop):
    made, server, _ = desktop
    client = play(server)
    hears(made)
    since = len(server.log)
    made.kill()
    told(server, "Desktop", "doesn't play", since)
    # For each second of music, a debug build that plays and records takes 0.03 by itself; a thread that runs in circles
    # takes all that the machine has left.
    used = processor_seconds(server)
    goes_on(client, 4)
    assert processor_seconds(server) - used < 4 * 0.15


class Listeners(threading.Thread):
    """Reads named pipes as their sound comes, and notes from which one how much of it came, in the order in which it
    did."""

    def __init__(self, *paths):
        super().__init__(daemon=True)
        for path in paths:
            os.mkfifo(path)
        # Those who write as well are there before the program is, and see no end.
        self.pipes = {os.open(path, os.O_RDWR | os.O_NONBLOCK): number for number, path in enumerate(paths)}
        self.pieces, self.is_over = [], threading.Event()
        self.start()

    def run(self):
        """Reads until it is closed."""
        while not self.is_over.is_set():
            for pipe in select.select(list(self.pipes), [], [], 0.1)[0]:
                self.pieces.append((self.pipes[pipe], len(os.read(pipe, 65536)) / 176_400))

    def close(self):
        """Ends reading."""
        self.is_over.set()
        self.join(10)
        for pipe in self.pipes:
            os.close(pipe)

    def heard(self, number, since=0):
        """How many seconds came from a pipe."""
        return sum(seconds for source, seconds in self.pieces[since:] if source == number)

    def longest_wait(self, since):
        """How many seconds came from the second pipe at most while nothing came from the first one."""
        longest = waited = 0
        for source, seconds in self.pieces[since:]:
            waited = waited + seconds if source else 0
            longest = max(longest, waited)
        return longest


@pytest.mark.parametrize("kind", ["PulseAudio", "PipeWire", "ALSA"])
def test_other_outputs_have_no_gap_while_a_device_stalls(start_segue, library, tmp_path, kind):
    """How long something takes is told by the music of another partition, which has no such device: what else the
    machine does holds both up."""
    name, make = SERVERS[kind]
    if name == "alsa":
        need_alsa_plugin()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made, pipes = make(folder), [tmp_path / "beside", tmp_path / "elsewhere"]
    listeners = Listeners(*pipes)
    try:
        made.start()
        server = start_segue(
            songs=len(library[1]), local={"music_directory": library[0]}, kind=made.kind,
            output=[{"type": name, "name": "Desktop"} | ({"device": "desk"} if name == "alsa" else {}),
                    *({"type": "fifo", "name": path.name, "path": path, "format": "44100:16:2"} for path in pipes)])
        other = server.client()
        other.newpartition("elsewhere")
        other.partition("elsewhere")
        other.moveoutput("elsewhere")
        other.findadd("title", "River")
        other.play(0)
        play(server)
        hears(made)
        for seconds in (1, 4):
            for is_frozen, length in ((True, seconds), (False, 2)):
                made.freeze(is_frozen)
                since = len(listeners.pieces)
                wait_for(lambda length=length, since=since: listeners.heard(1, since) > length, 60, "sound elsewhere")
                found = listeners.longest_wait(since)
                print(f"{kind}, frozen for {seconds} s, {'during' if is_frozen else 'after'} it: {found:.3f} s")
                assert found < 0.5
                # And so much is missing at most.
                assert listeners.heard(0, since) > listeners.heard(1, since) - 0.5
        # The device goes on as well, and with the others.
        hears(made)
    finally:
        listeners.close()
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def test_a_frozen_sound_server_holds_up_no_command(desktop):
    made, server, _ = desktop
    client = play(server)
    hears(made)
    since = len(server.log)
    made.freeze()
    for _ in range(10):
        client.next()
        client.pause(1)
        client.pause(0)
        client.seekcur(1)
        client.setvol(50)
    client.stop()
    client.play(0)
    told(server, "Desktop", "doesn't play", since)
    goes_on(client)
    client.disableoutput(0)
    goes_on(client)
    assert server.stop(seconds=30)[0] == 0
    made.freeze(False)


def test_a_recording_beside_a_frozen_device_is_whole(desktop, tracks):
    made, server, path = desktop
    client = play(server)
    hears(made)
    made.freeze()
    goes_on(client, 3)
    heard = float(client.stats()["playtime"])
    # It ends while the device still stands still.
    status, _ = server.stop(seconds=30)
    made.freeze(False)
    assert status == 0
    samples = wav_samples(path)
    album = b"".join(tracks[title].samples for title in TITLES)
    # The header says how long it is, and nothing of what was heard is missing.
    assert len(samples) == path.stat().st_size - 44
    assert samples == (album * (len(samples) // len(album) + 1))[:len(samples)]
    assert len(samples) >= (heard - 1) * 176_400


ALSA = {
    "absent": ("pcm.desk { type hw card 31 }\n", "No such file or directory"),
    "no device": ("pcm.desk { type nothing_of_that_name }\n", "No such device"),
    "stuck": ('pcm.desk { type file slave.pcm null file "|sleep 100" format raw }\n', "takes no sound"),
}
"""Devices of ALSA that don't work, and what the log says of them. The last one takes some sound and then waits."""


@pytest.mark.parametrize("fault", ALSA)
def test_a_broken_alsa_device_holds_nothing_up(start_segue, library, tracks, tmp_path, fault):
    text, cause = ALSA[fault]

    class Card(Segue):
        """Finds that device."""

        def __init__(self, folder, registry, **sections):
            super().__init__(folder, registry, **sections)
            (folder / ".asoundrc").write_text(text)
    path = tmp_path / "recording.wav"
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, kind=Card,
        output=[{"type": "alsa", "name": "Card", "device": "desk"},
                {"type": "file", "name": "Recording", "path": path}])
    client = play(server)
    line = told(server, "Card", "doesn't play", 0)
    assert cause in line and "?" in line
    goes_on(client, 1)
    finish(client, tracks, path)
    assert server.stop(seconds=30)[0] == 0
