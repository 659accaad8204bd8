"""Sound as devices and sound servers get it, sample by sample: nothing is changed, and songs join without a gap."""
import array
import pathlib
import random
import shutil
import struct
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


def noise_of_32_bits(path, rate):
    """A file of two seconds that uses all bits of its samples; gives these."""
    data = random.Random(32).randbytes(rate * 2 * 8)
    form = b"fmt " + struct.pack("<IHHIIHH", 16, 1, 2, rate, rate * 8, 8, 32)
    body = b"WAVE" + form + b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    return data


def play(server, names=NAMES):
    """Plays songs one after the other."""
    client = server.client()
    for name in names:
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


def check_parts(heard, whole, least):
    """Whether all that was heard is a part of the songs, each behind the one before it; so many bytes of them at
    least. Only silence is where something is missing."""
    place = behind = found = 0
    while place < len(heard):
        if not any(heard[place:place + FRAME]):
            place += FRAME
            continue
        start = whole.find(heard[place:place + 64], behind)
        assert start >= 0 and start % FRAME == 0, f"at byte {place} of {len(heard)} is something else"
        rest, same = whole[start:], 0
        for step in (4096, FRAME):
            while same < len(rest) and heard[place + same:place + same + step] == rest[same:same + step]:
                same += step
        same = min(same, len(rest))
        place, behind, found = place + same, start + same, found + same
    assert found >= least, f"only {found} bytes of {len(whole)} were heard"


def pulse_audio(rate, bits=16):
    """PulseAudio with a sink of 16 or 32 bits at a rate."""
    class Sink(PulseAudio):
        """The server."""

        sink = ("sink_name=out", f"rate={rate}", f"format=s{bits}le", f"channel_map={STEREO}")
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


@pytest.mark.parametrize("kind", ["pulse", "alsa"])
def test_a_sink_that_stands_still_before_the_end_gets_the_end(start_segue, sound_server, tmp_path, kind):
    rate = 44100
    whole = write_songs(tmp_path / "music", rate)
    if kind == "alsa":
        need_alsa_plugin()
    sounding = sound_server(pulse_audio(rate))
    output = {"type": kind, "name": "Out", "buffer_time": 500_000} | ({"device": "desk"} if kind == "alsa" else {})
    server = start_segue(local={"music_directory": tmp_path / "music"}, kind=sounding.kind, output=[output])
    client = server.client()
    wait_for(lambda: client.stats()["songs"] == "3", 30, "the songs")
    ear = Ear(sounding, STEREO, rate)
    wait_for(lambda: len(ear.samples) > rate // 5, 30, "the silence before it")
    for name in NAMES:
        client.add(name)
    client.play(0)

    def is_near_the_end():
        status = client.status()
        return status.get("song") == "2" and float(status.get("elapsed", 0)) > 0.75
    wait_for(is_near_the_end, 60, "the last song's end", every=0.01)
    # Clients reckon by the clock how far the server is.
    sounding.freeze()
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end", every=0.01)
    sounding.freeze(False)
    wait_for(lambda: whole[-4000:] in ear.samples.tobytes(), 10, "the last samples")
    ear.close()


@pytest.mark.parametrize(("kind", "rate"), [
    pytest.param("pulse", 44100, marks=pytest.mark.smoke), ("pulse", 48000),
    pytest.param("alsa", 44100, marks=pytest.mark.smoke), ("alsa", 48000),
    pytest.param("pipewire", 48000, marks=pytest.mark.smoke)])
def test_a_sink_of_the_songs_format_gets_every_sample(start_segue, sound_server, tmp_path, kind, rate):
    whole = write_songs(tmp_path / "music", rate)
    if kind == "alsa":
        need_alsa_plugin()
    sounding = sound_server(PipeWire if kind == "pipewire" else pulse_audio(rate))
    output = {"type": kind, "name": "Out"} | {
        "pulse": {"buffer_time": 1_000_000}, "alsa": {"device": "desk", "buffer_time": 1_000_000}, "pipewire": {}}[kind]
    server = start_segue(local={"music_directory": tmp_path / "music"}, kind=sounding.kind, output=[output])
    wait_for(lambda: server.client().stats()["songs"] == "3", 30, "the songs")
    ear = Ear(sounding, STEREO, rate, milliseconds=100 if kind == "pipewire" else 5)
    wait_for(lambda: len(ear.samples) > rate // 5, 30, "the silence before it")
    play(server)
    wait_for(lambda: whole[-400:] in ear.samples.tobytes(), 30, "the last samples")
    ear.close()
    if kind == "pipewire":
        # It has no second of sound in store, and leaves out what a busy machine brings too late.
        check_parts(ear.samples.tobytes(), whole, len(whole) // 2)
    else:
        check(ear.samples.tobytes(), whole, int(rate * MONITOR_BEHIND))


def test_an_alsa_device_gets_all_32_bits_without_a_setting(start_segue, sound_server, tmp_path):
    need_alsa_plugin()
    folder, rate = tmp_path / "music", 48000
    folder.mkdir()
    data = noise_of_32_bits(folder / "one.wav", rate)
    sounding = sound_server(pulse_audio(rate, bits=32))
    server = start_segue(songs=1, local={"music_directory": folder}, kind=sounding.kind, output=[
        {"type": "alsa", "name": "Out", "device": "desk", "buffer_time": 1_000_000}])
    ear = Ear(sounding, STEREO, rate, bits=32)
    wait_for(lambda: len(ear.samples) > rate // 5, 30, "the silence before it")
    play(server, ["one.wav"])
    wait_for(lambda: data[-4096:] in ear.samples.tobytes(), 30, "the last samples")
    ear.close()
    heard = ear.samples.tobytes()
    known = int(rate * MONITOR_BEHIND) * 8
    place = heard.find(data[known:known + 4096]) - known
    # Equal or not in one word: the difference of so much would take minutes to describe.
    assert place >= 0 and (heard[place + known:place + len(data)] == data[known:]) is True


def test_a_program_gets_all_32_bits(start_segue, tmp_path):
    folder, path, rate = tmp_path / "music", tmp_path / "heard.raw", 96000
    folder.mkdir()
    data = noise_of_32_bits(folder / "one.wav", rate)
    server = start_segue(songs=1, local={"music_directory": folder}, output=[
        {"type": "pipe", "name": "Program", "command": f"cat > '{path}'", "format": f"{rate}:32:2"}])
    play(server, ["one.wav"])
    assert server.stop()[0] == 0
    assert (path.read_bytes() == data) is True
