"""What is plugged into a line input, such as a turntable, plays like a stream."""
import array
import math
import os
import struct
import threading
import time
import wave

import pytest
from harness.segue import Segue
from harness.waiting import wait_for
from mpd import CommandError

ASOUNDRC = """
pcm.tape {{ type file slave.pcm "null" file "/dev/null" infile "{sound}" format raw }}
pcm.phono {{ type plug slave {{ pcm tape format S16_LE rate 48000 channels 2 }} }}
"""
"""A device that is read from a file. It takes any format for that of the file, so another one in front says which."""


PERIOD = 480
"""The frames that are read at a time."""


@pytest.fixture
def turntable(start_segue, tmp_path):
    """Starts Segue on a machine with a capture device that gives 500 Hz on the left and nothing on the right."""
    pipe = tmp_path / "capture.raw"
    os.mkfifo(pipe)
    is_over = threading.Event()
    left = (round(8000 * math.sin(2 * math.pi * 500 * frame / 48000)) for frame in range(PERIOD))
    period = b"".join(struct.pack("<hh", sample, 0) for sample in left)

    def turn():
        """Writes at the pace of a device: also late ones arrive in the end."""
        descriptor = os.open(pipe, os.O_RDWR)
        begin, written = time.monotonic(), 0
        while not is_over.wait(0.005):
            while written < (time.monotonic() - begin) * 48000 and not is_over.is_set():
                os.write(descriptor, period)
                written += PERIOD
        os.close(descriptor)
    thread = threading.Thread(target=turn, daemon=True)

    def with_device(folder, registry, **sections):
        server = Segue(folder, registry, **sections)
        (folder / ".asoundrc").write_text(ASOUNDRC.format(sound=pipe))
        return server

    def start(*inputs):
        thread.start()
        return start_segue(
            kind=with_device, playback={"line_inputs": list(inputs), "radio_timeout": 3},
            output=[{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": "48000:16:2"}])
    yield start
    is_over.set()


def test_a_line_input_plays_like_a_stream(turntable, tmp_path):
    server = turntable("phono")
    client = server.client()
    assert "alsa://" in client.urlhandlers()
    client.add("alsa://phono?format=48000:16:2")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 2, what="two seconds")
    assert "error" not in client.status() and "duration" not in client.status()
    assert server.stop()[0] == 0
    with wave.open(str(tmp_path / "heard.wav")) as recording:
        samples = array.array("h", recording.readframes(48000))
    assert max(samples[0::2]) == pytest.approx(8000, abs=2)
    assert max(map(abs, samples[1::2])) <= 1


def test_only_devices_of_the_configuration_can_be_played(turntable):
    client = turntable("phono").client()
    with pytest.raises(CommandError, match="not among line_inputs"):
        client.add("alsa://default")
    with pytest.raises(CommandError, match="Malformed alsa:// URI"):
        client.add("alsa://phono?format=1")
    assert client.playlistinfo() == []


def test_without_such_devices_the_scheme_is_unknown(start_segue):
    client = start_segue().client()
    with pytest.raises(CommandError, match="Unsupported URI scheme"):
        client.add("alsa://default")
    assert "alsa://" not in client.urlhandlers()


def test_a_device_that_is_not_there_is_named(turntable):
    client = turntable("missing").client()
    client.add("alsa://missing")
    client.play(0)
    error = wait_for(lambda: client.status().get("error"), what="the error")
    assert "the device missing can't be read" in error
