"""An ALSA device that is given back in a pause: others get it, and the song goes on where it was."""
import pathlib
import random
import shutil
import tempfile

import pytest
from harness.music import RATE, write_wav
from harness.sound_servers import Ear, PulseAudio, need_alsa_plugin
from harness.waiting import wait_for

STEREO = "front-left,front-right"
MONITOR_BEHIND = 0.05
"""A sink begins a stream anew so many seconds back; those who listen to it have heard silence there."""


class Sink(PulseAudio):
    """PulseAudio with a sink of the song's format."""

    sink = ("sink_name=out", f"rate={RATE}", "format=s16le", f"channel_map={STEREO}")


@pytest.fixture
def sounding():
    """The server of the sound, whose socket's path has to be short."""
    need_alsa_plugin()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    server = Sink(folder).start()
    yield server
    server.kill()
    shutil.rmtree(folder, ignore_errors=True)


def test_a_device_is_given_back_in_a_pause_and_the_song_goes_on_where_it_was(start_segue, sounding, tmp_path):
    folder = tmp_path / "music"
    folder.mkdir()
    source = random.Random(3)
    # No frame is silent.
    whole = b"".join(source.randint(1, 12000).to_bytes(2, "little") for _ in range(RATE * 5 * 2))
    write_wav(folder / "one.wav", whole)
    server = start_segue(songs=1, local={"music_directory": folder}, kind=sounding.kind, output=[
        {"type": "alsa", "name": "Desk", "device": "desk", "close_on_pause": 1, "buffer_time": 500_000}])
    client = server.client()
    ear = Ear(sounding, STEREO, RATE)
    wait_for(lambda: len(ear.samples) > RATE // 5, 30, "the silence before it")
    client.add("one.wav")
    client.play(0)
    wait_for(lambda: float(client.status()["elapsed"]) > 1.5, 30, "the first seconds")
    client.pause(1)
    wait_for(lambda: sounding.stream == "", 30, "the device for others")
    client.pause(0)
    wait_for(lambda: sounding.stream != "", 30, "the device")
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    wait_for(lambda: whole[-4000:] in ear.samples.tobytes(), 30, "the last samples")
    ear.close()
    heard = ear.samples.tobytes()
    frames = [heard[place:place + 4] for place in range(0, len(heard), 4)]
    sound = b"".join(frame for frame in frames if frame != bytes(4))
    known = int(RATE * MONITOR_BEHIND) * 4
    begin = whole.find(sound[:4000])
    assert 0 <= begin <= known, f"the beginning is not in {len(sound)} bytes"
    together = next((at for at in range(0, len(sound), 4) if sound[at:at + 4] != whole[begin + at:begin + at + 4]),
                    len(sound))
    rest = sound[together:]
    # Behind the pause the song goes on. Those who listen to the sink hear a little that it has not played when the
    # stream stops, and miss a little where it begins anew.
    assert whole.endswith(rest) and len(rest) > RATE * 4
    missing = (len(whole) - len(rest) - (begin + together)) / 4 / RATE
    assert abs(missing) < 0.1, f"{missing:.3f} s are missing behind the pause"
