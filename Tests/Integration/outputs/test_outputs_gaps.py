"""Moments in which a device has nothing to play: each counts once, whichever buffer ran dry, and nothing else does."""
import array
import contextlib
import itertools
import pathlib
import shutil
import signal
import tempfile
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

    def __init__(self, server, sounding, ear):
        self.server, self.sounding = server, sounding
        self.client = server.client()
        self.ear = ear

    @property
    def count(self):
        """How many gaps were counted, and problems that were told: a device that gets nothing for long has one."""
        return sum(figure(self.server, f"segue_{name}_total", output="Desktop")
                   for name in ("underruns", "output_failures"))

    @property
    def waited(self):
        """For how many milliseconds threads of the program and of the sound server were ready to run while others had
        the processors, all together."""
        milliseconds = 0
        for process in (self.server.process, self.sounding.process):
            for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
                # Threads come and go.
                with contextlib.suppress(OSError):
                    milliseconds += int((task / "schedstat").read_text().split()[1]) / 1e6
        return milliseconds

    def listen(self, seconds):
        """Waits until so much more was heard."""
        end = len(self.ear.samples) + int(SECOND * seconds)
        wait_for(lambda: len(self.ear.samples) > end, 30, "more sound")

    def wait_for_steady_sound(self):
        """Waits until a second and a half of sound had no silence: some devices begin, then pause for a while."""
        length = int(1.5 * SECOND)
        wait_for(lambda: len(self.ear.samples) > length and all(self.ear.samples[-length:]), 60, "steady sound",
                 every=0.2)

    def silences(self, since):
        """The milliseconds of each silence that was heard between sounds."""
        runs = [(is_silent, sum(1 for _ in run))
                for is_silent, run in itertools.groupby(self.ear.samples[since:], lambda sample: sample == 0)]
        return [length * 1000 / SECOND for is_silent, length in runs[1:-1] if is_silent]


@pytest.fixture
def rate(request):
    """The song's."""
    return getattr(request, "param", 44100)


BUFFER = 1000
"""The output's buffer in milliseconds: so much that a machine with other work tears no hole into the sound."""


@pytest.fixture
def buffer_time():
    """The output's, in microseconds."""
    return BUFFER * 1000


@pytest.fixture(params=["alsa", "pulse"])
def listening(request, start_segue, tmp_path, rate, buffer_time):
    """A sound server on which a song of one steady sound plays."""
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
            output=[{"type": request.param, "name": "Desktop", "buffer_time": buffer_time}
                    | ({"device": "desk"} if request.param == "alsa" else {})])
        ear = Ear(made, "front-left,front-right")
        found = Listening(server, made, ear)
        found.client.add("song.wav")
        found.client.play(0)
        found.wait_for_steady_sound()
        yield found
        ear.close()
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("rate", [44100, 48000], indirect=True)
def test_music_that_goes_on_has_no_gap(listening):
    # A device that has just begun may pause for a while, which is no gap of ours.
    since, counted, waited = len(listening.ear.samples), listening.count, listening.waited
    listening.listen(5)
    count, silences, waited = listening.count - counted, listening.silences(since), listening.waited - waited
    # Nothing is missing and nothing counted but what a machine with other work took, or what was told as a problem.
    assert count <= len(silences) + (waited > BUFFER), (count, silences, waited)
    assert sum(silences) <= waited or count > 0, (count, silences, waited)
    # A program that is too slow by itself falls behind, and has less and less in store.
    wait_for(lambda: listening.sounding.in_store > 0.5, 30, "a buffer that is full")


def test_music_that_is_paused_and_sought_has_no_gap(listening):
    begun, waited, client = listening.count, listening.waited, listening.client
    for command in (lambda: client.pause(1), lambda: client.pause(0), lambda: client.seekcur(10), client.stop,
                    lambda: client.play(0)):
        command()
        listening.listen(0.5)
    listening.listen(1)
    # What commands make silent is no gap. Behind one there is little in store, which other work may take.
    waited = listening.waited - waited
    assert listening.count == begun or waited > BUFFER / 10, (listening.count - begun, waited)


@pytest.mark.parametrize("buffer_time", [200_000])
@pytest.mark.parametrize("seconds", [0.1, 0.4])
def test_a_program_that_stands_still_has_one_gap(listening, seconds):
    """Nothing of the program runs until so much silence was heard."""
    ear, silent = listening.ear, int(SECOND * seconds)
    # As much as the buffer, so that commands are heard within it.
    assert listening.sounding.in_store < 0.25
    before, since = listening.count, len(ear.samples)
    listening.server.process.send_signal(signal.SIGSTOP)
    try:
        wait_for(lambda: len(ear.samples) > since + silent and not any(ear.samples[-silent:]), 30, "silence", every=0.01)
    finally:
        listening.server.process.send_signal(signal.SIGCONT)
    listening.wait_for_steady_sound()
    count, silences = listening.count - before, listening.silences(since)
    # On a machine with other work there may be more than one; none is counted twice.
    assert 1 <= count <= len(silences) and max(silences) >= seconds * 1000, (count, silences)
