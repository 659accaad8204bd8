"""Commands are heard at once from a sound server, whatever it has in store of what was played before."""
import array
import pathlib
import shutil
import tempfile
import wave

import pytest
from harness.sound_servers import Ear, PipeWire, PulseAudio, need_alsa_plugin
from harness.waiting import wait_for

STORE = 2.0
"""The seconds of sound that the sound server is given in advance. So much is heard of what was played before where
nothing takes it back, and no machine is so busy that a command takes as long."""


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """Two songs, each second of which has a level of its own: 500, 1000, 1500 and so on, below zero in the second."""
    folder = tmp_path_factory.mktemp("steps")
    for name, sign in (("Up", 500), ("Down", -500)):
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setparams((2, 2, 44100, 0, "NONE", ""))
            for second in range(1, 61):
                file.writeframes(array.array("h", [sign * second] * 88200).tobytes())
    return folder


KEYS = {"pulse": {"buffer_time": int(STORE * 1e6)}, "alsa": {"buffer_time": int(STORE * 1e6), "device": "desk"},
        "pipewire": {}}
"""Keys of the outputs. PipeWire takes nothing in advance."""


@pytest.fixture(params=[("pulse", PulseAudio), ("pulse", PipeWire), ("pipewire", PipeWire), ("alsa", PulseAudio)],
                ids=["PulseAudio", "PipeWire as PulseAudio", "PipeWire", "ALSA"])
def playing(request, start_segue, steps):
    """A client of a segue that plays the first song through a sound server, and a listener that hears it."""
    kind, make = request.param
    if kind == "alsa":
        need_alsa_plugin()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = make(folder)
    try:
        made.start()
        server = start_segue(songs=2, local={"music_directory": steps}, kind=made.kind,
                             output=[{"type": kind, "name": "Desktop"} | KEYS[kind]])
        client = server.client()
        for name in ("Up", "Down"):
            client.add(client.search("file", name)[0]["file"])
        ear = Ear(made)
        client.play(0)
        sounds(ear, lambda value: value > 400)
        yield client, ear, made
        ear.close()
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def sounds(ear, test):
    """Waits until a tenth of a second like that is heard."""
    wait_for(lambda: len(ear.samples) > 4800 and all(map(test, ear.samples[-4800:])), 60, "the sound")


def late(ear, command, is_new):
    """How many seconds of sound are heard after a command until there is the new one."""
    before = len(ear.samples)
    command()

    def place():
        return next((count for count, value in enumerate(ear.samples[before:], 1) if is_new(value)), None)
    return wait_for(place, 60, "the new sound") / 48000


def rest(ear, command):
    """How long sound is heard after a command that ends it, in seconds."""
    before = len(ear.samples)
    command()
    sounds(ear, lambda value: abs(value) < 100)
    loud = [count for count, value in enumerate(ear.samples[before:], 1) if abs(value) >= 100]
    return (loud or [0])[-1] / 48000


def test_commands_are_heard_before_what_is_in_store(playing):
    client, ear, made = playing

    def is_in_store():
        """Waits until the sound server has what it takes in advance; that of PipeWire doesn't say."""
        before = len(ear.samples)
        wait_for(lambda: made.in_store > STORE / 2 or (
            isinstance(made, PipeWire) and len(ear.samples) > before + 48000), 60, "sound in store")
    is_in_store()
    times = {"next": late(ear, client.next, lambda value: value < -100)}
    is_in_store()
    times["seek"] = late(ear, lambda: client.seekcur(30), lambda value: value < -14_000)
    sounds(ear, lambda value: value < -14_000)
    is_in_store()
    times["volume"] = late(ear, lambda: client.setvol(20), lambda value: -7000 < value < -100)
    client.setvol(100)
    sounds(ear, lambda value: value < -14_000)
    times["pause"] = rest(ear, lambda: client.pause(1))
    times["resume"] = late(ear, lambda: client.pause(0), lambda value: value < -14_000)
    sounds(ear, lambda value: value < -14_000)
    is_in_store()
    times["stop"] = rest(ear, client.stop)
    times["play"] = late(ear, lambda: client.play(0), lambda value: value > 400)
    print(times)
    # A volume is heard behind what is in store, all others before that.
    assert times.pop("volume") < STORE * 1.25, times
    assert {name: seconds for name, seconds in times.items() if seconds > STORE / 2} == {}, times
