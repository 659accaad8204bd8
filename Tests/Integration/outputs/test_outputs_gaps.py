"""Moments in which a device has nothing to play: each counts once, whichever buffer ran dry, and nothing else does."""
import array
import pathlib
import shutil
import signal
import tempfile
import time
import wave

import pytest
from harness.processes import free_port
from harness.sound_servers import Ear, PulseAudio, need_alsa_plugin
from harness.waiting import wait_for
from web.test_figures import figure

SECOND = 96000
"""How many samples the ear hears."""


class Listening:
    """A segue that plays a steady sound to a sound server, and somebody who hears it."""

    def __init__(self, server, ear):
        self.server = server
        self.client = server.client()
        self.ear = ear

    @property
    def count(self):
        """How many gaps were counted."""
        return figure(self.server, "segue_underruns_total", output="Desktop")

    def listen(self, seconds):
        """Waits until so much more was heard."""
        end = len(self.ear.samples) + int(SECOND * seconds)
        wait_for(lambda: len(self.ear.samples) > end, 30, "more sound")

    def silence(self, since):
        """How many milliseconds of silence were heard between sounds."""
        silent = [sample == 0 for sample in self.ear.samples[since:]]
        return sum(silent[silent.index(False):len(silent) - silent[::-1].index(False)]) * 1000 / SECOND

    def plays(self):
        """Plays, pauses, seeks, stops and starts; whether nothing was missing and nothing counted. A machine that is
        busy may tear a hole into that."""
        self.listen(1)
        before, since = self.count, len(self.ear.samples)
        self.listen(2)
        silence = self.silence(since)
        for command in (lambda: self.client.pause(1), lambda: self.client.pause(0), lambda: self.client.seekcur(10),
                        self.client.stop, lambda: self.client.play(0)):
            command()
            self.listen(0.3)
        self.listen(1)
        found = (self.count - before, silence)
        assert found == (0, 0)
        return True

    def goes_on(self):
        """Whether nothing is missing in what comes now, nor counted. A busy machine may tear a hole into it once; a
        program that is too slow by itself falls behind every few seconds."""
        since, before = len(self.ear.samples), self.count
        self.listen(8)
        found = (self.count - before, self.silence(since))
        assert found == (0, 0)
        return True

    def is_held(self, seconds):
        """Lets nothing of the program run for longer than its device has sound; whether one gap was heard and counted.
        The sound server has some sound itself."""
        self.listen(1)
        before, since = self.count, len(self.ear.samples)
        self.server.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.server.process.send_signal(signal.SIGCONT)
        self.listen(1.5)
        found = (self.count - before, self.silence(since) > 5)
        assert found == (1, True)
        return True


@pytest.fixture
def rate(request):
    """The song's."""
    return getattr(request, "param", 44100)


@pytest.fixture(params=["alsa", "pulse"])
def listening(request, start_segue, tmp_path, rate):
    if request.param == "alsa":
        need_alsa_plugin()
    music = tmp_path / "music"
    music.mkdir()
    with wave.open(str(music / "song.wav"), "wb") as file:
        file.setparams((2, 2, rate, 0, "NONE", ""))
        file.writeframes(array.array("h", [3000, -3000] * rate * 180).tobytes())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = PulseAudio(folder)
    try:
        made.start()
        server = start_segue(
            songs=1, local={"music_directory": music}, kind=made.kind,
            web={"listen": [f"127.0.0.1:{free_port()}"]},
            output=[{"type": request.param, "name": "Desktop"}
                    | ({"device": "desk"} if request.param == "alsa" else {})])
        ear = Ear(made, "front-left,front-right")
        found = Listening(server, ear)
        found.client.add("song.wav")
        found.client.play(0)
        wait_for(lambda: any(ear.samples[-4800:]), 60, "the sound")
        yield found
        ear.close()
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("rate", [44100, 48000], indirect=True)
def test_music_that_goes_on_has_no_gap(listening):
    wait_for(listening.goes_on, 120, "some seconds without a gap", every=0)


def test_music_that_is_paused_and_sought_has_no_gap(listening):
    wait_for(listening.plays, 60, "a round without a gap", every=0)


@pytest.mark.parametrize("seconds", [0.15, 0.3, 0.6])
def test_a_program_that_stands_still_has_one_gap(listening, seconds):
    wait_for(lambda: listening.is_held(seconds), 60, "a round with one gap", every=0)
