"""Sound as devices and sound servers get it, sample by sample: nothing is changed, and songs join without a gap."""
import array
import pathlib
import random
import shutil
import tempfile
import wave

import pytest
from harness.sound_servers import Ear, PipeWire, PulseAudio, need_alsa_plugin
from harness.waiting import wait_for

STEREO = "front-left,front-right"
NAMES = ("a.wav", "b.wav", "c.wav")
FRAME = 4
# A sink begins a stream anew some milliseconds back; those who listen to it have heard silence there.
MONITOR_BEHIND = 0.05


def write_songs(folder, rate):
    """Files of noise, which is nowhere like itself, of lengths that no block divides; gives their samples in a row."""
    folder.mkdir()
    whole = b""
    for number, name in enumerate(NAMES):
        source = random.Random(number)
        samples = array.array("h", (source.randint(-12000, 12000) for _ in range((rate + 77 * number) * 2))).tobytes()
        with wave.open(str(folder / name), "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(samples)
        whole += samples
    return whole


def play(server):
    """Plays the songs one after the other."""
    client = server.client()
    for name in NAMES:
        client.add(name)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")


def check(heard, whole, missing):
    """Whether the songs were heard as they are, without a gap and with nothing between them or around them; so many
    frames of the beginning may be missing."""
    known = missing * FRAME
    place = heard.find(whole[known:known + 4000])
    assert place >= known, f"the beginning is not in {len(heard)} bytes"
    start = place - known
    found = heard[start:start + len(whole)]
    silent = next(place for place in range(0, len(found), FRAME) if any(found[place:place + FRAME]))
    assert silent <= known
    wrong = next((at for at in range(silent, len(whole)) if found[at:at + 1] != whole[at:at + 1]), None)
    assert wrong is None, f"from byte {wrong} of {len(whole)} on it is something else"
    assert not any(heard[:start]), "something was heard before the first song"
    assert not any(heard[start + len(whole):]), "something was heard after the last song"


def pulse_audio(rate):
    """PulseAudio with a sink of 16 bits at a rate."""
    class Sink(PulseAudio):
        """The server."""

        sink = ("sink_name=out", f"rate={rate}", "format=s16le", f"channel_map={STEREO}")
    return Sink


@pytest.fixture
def sound_server():
    """Starts one of a kind, and ends it."""
    started = []

    def start(kind):
        # Its socket's path has to be short.
        folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
        started.append((kind(folder), folder))
        return started[-1][0].start()
    yield start
    for server, folder in started:
        server.kill()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(("kind", "rate"), [
    ("pulse", 44100), ("pulse", 48000), ("alsa", 44100), ("alsa", 48000), ("pipewire", 48000)])
def test_a_sink_of_the_songs_format_gets_every_sample(start_segue, sound_server, tmp_path, kind, rate):
    whole = write_songs(tmp_path / "music", rate)
    if kind == "alsa":
        need_alsa_plugin()
    sounding = sound_server(PipeWire if kind == "pipewire" else pulse_audio(rate))
    output = {"type": kind, "name": "Out"} | {
        "pulse": {"buffer_time": 1_000_000}, "alsa": {"device": "desk", "buffer_time": 1_000_000}, "pipewire": {}}[kind]
    server = start_segue(local={"music_directory": tmp_path / "music"}, kind=sounding.kind, output=[output])
    wait_for(lambda: server.client().stats()["songs"] == "3", 30, "the songs")
    ear = Ear(sounding, STEREO, rate)
    wait_for(lambda: len(ear.samples) > rate // 5, 30, "the silence before it")
    play(server)
    wait_for(lambda: whole[-4000:] in ear.samples.tobytes(), 30, "the last samples")
    ear.close()
    check(ear.samples.tobytes(), whole, int(rate * MONITOR_BEHIND))
