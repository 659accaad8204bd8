"""Volumes of sound servers: set by clients, changed by other apps, with ReplayGain on top."""
import pathlib
import shutil
import tempfile
import threading

import pytest
from harness.sound_servers import PipeWire, PulseAudio
from harness.waiting import wait_for


@pytest.fixture(params=[("pulse", PulseAudio), ("pulse", PipeWire), ("pipewire", PipeWire)],
                ids=["PulseAudio", "PipeWire as PulseAudio", "PipeWire"])
def sound(request, start_segue, library):
    """Starts segue with a sound server: the server, a client of segue and the type of the output."""
    kind, make = request.param
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = make(folder)

    def start(**more):
        """`more` are sections of the configuration and, as `output`, keys of the output."""
        made.start()
        output = {"type": kind, "name": "Desktop", **more.pop("output", {})}
        server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, kind=made.kind,
                             output=[output], **more)
        client = server.client()
        client.findadd("title", "River")
        client.repeat(1)
        client.play(0)
        wait_for(lambda: made.volume[0] is not None and float(client.status()["elapsed"]) > 0.5, 60,
                 "sound at the server")
        return made, server, client

    yield start
    made.kill()
    shutil.rmtree(folder, ignore_errors=True)


def told_of(server, subsystem, change):
    """What idle says of a change made elsewhere."""
    told, waiting = [], server.client(timeout=60)
    thread = threading.Thread(target=lambda: told.extend(waiting.idle(subsystem)))
    thread.start()
    change()
    thread.join(60)
    return told


def test_a_stream_s_volume_goes_both_ways(sound):
    made, server, client = sound(output={"mixer_type": "hardware", "device": "out"})
    assert client.outputs()[0]["plugin"] in ("pulse", "pipewire")
    assert client.status()["volume"] == "100"
    client.setvol(40)
    assert client.status()["volume"] == "40"
    wait_for(lambda: made.volume[0] == 40, 30, "the volume at the server")
    assert told_of(server, "mixer", lambda: made.set_volume(70)) == ["mixer"]
    wait_for(lambda: client.status()["volume"] == "70", 30, "the volume from elsewhere")
    # Pausing and stopping keep it; the next stream has it again.
    client.stop()
    client.play(0)
    wait_for(lambda: made.volume[0] == 70, 60, "the volume of the next stream")
    assert client.status()["volume"] == "70"


def test_replay_gain_lies_on_top_of_the_volume(sound):
    made, server, client = sound(
        output={"mixer_type": "hardware", "replay_gain_handler": "mixer"},
        playback={"replay_gain": "track", "replay_gain_missing_preamp": -6})
    # Exactly those decibels, and the volume is still the listener's.
    wait_for(lambda: abs(made.volume[1] + 6) < 0.1, 30, "ReplayGain at the server")
    assert client.status()["volume"] == "100"
    client.setvol(50)
    wait_for(lambda: abs(made.volume[1] + 18.06 + 6) < 0.3, 30, "both at the server")
    assert client.status()["volume"] == "50"
    # Another app shows what the stream has: 60 % of it are 75 % without ReplayGain.
    assert told_of(server, "mixer", lambda: made.set_volume(60)) == ["mixer"]
    wait_for(lambda: client.status()["volume"] in ("75", "76"), 30, "the volume from elsewhere")
    client.replay_gain_mode("off")
    wait_for(lambda: made.volume[0] in (75, 76), 30, "the volume alone")
    assert client.status()["volume"] in ("75", "76")


def test_without_a_mixer_the_device_is_left_alone(sound):
    made, _, client = sound()
    client.setvol(30)
    wait_for(lambda: float(client.status()["elapsed"]) > 1, 30, "more sound")
    wait_for(lambda: made.volume[0] is not None, 30, "the stream at the server")
    assert client.status()["volume"] == "30" and made.volume[0] == 100
