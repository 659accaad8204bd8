"""Songs overlap as far as they were measured to be quiet at their ends, from the analysis to what is heard."""
import math
import sqlite3
import struct

import pytest
from harness.music import RATE, encode_flac, wav_samples
from harness.waiting import wait_for

SECONDS, QUIET, CROSSFADE, DELAY = 20, 4, 8, 1
THRESHOLD = -17


def tone(levels):
    """A tone on both channels, with a level in decibels for each second."""
    samples = []
    for second, decibels in enumerate(levels):
        level = 10 ** (decibels / 20) * 32767
        samples += (int(level * math.sin(2 * math.pi * 997 * (second + n / RATE))) for n in range(RATE))
    return b"".join(struct.pack("<hh", sample, sample) for sample in samples)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A song whose last four seconds are quiet, and one that is loud at once; neither has tags."""
    music = tmp_path_factory.mktemp("ramps")
    encode_flac(music / "first.flac", tone([-12] * (SECONDS - QUIET) + [-60] * QUIET))
    encode_flac(music / "second.flac", tone([-12] * SECONDS))
    return music


def reaches(profile, decibels):
    """How many seconds a profile of MixRamp takes to reach a loudness, as MPD reads it."""
    pairs = [tuple(map(float, pair.split())) for pair in profile.split(";") if pair.strip()]
    for (level, time), (before, earlier) in zip(pairs, [(None, None), *pairs]):
        if level >= decibels:
            return time if before is None else earlier + (decibels - before) / (level - before) * (time - earlier)
    return None


@pytest.mark.parametrize("discovery", [{}, {"measured_ramps": False}])
def test_the_overlap_is_as_long_as_the_end_is_quiet(folder, tmp_path, start_segue, discovery):
    output = [{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": "44100:16:2"},
              {"type": "null", "name": "Nothing", "sync": False}]
    server = start_segue(songs=2, local={"music_directory": folder}, output=output,
                         discovery={"analyse": "library", **discovery})
    client = server.client()
    for name in ("first.flac", "second.flac"):
        wait_for(lambda name=name: "loudness" in client.sticker_list("song", name), 240, f"the loudness of {name}")
    with sqlite3.connect(f"file:{server.folder}/state/segue.db?mode=ro", uri=True) as database:
        profiles = dict(database.execute(
            "SELECT s.uri, CASE s.uri WHEN 'first.flac' THEN ramp_end ELSE ramp_start END "
            "FROM analysis a JOIN song s ON s.id = a.song"))
    falling, rising = reaches(profiles["first.flac"], THRESHOLD), reaches(profiles["second.flac"], THRESHOLD)
    assert 1 < falling <= QUIET and rising < .1
    overlap = CROSSFADE if discovery else falling + rising - DELAY
    client.crossfade(CROSSFADE)
    client.mixrampdb(THRESHOLD)
    client.mixrampdelay(DELAY)
    client.add("first.flac")
    client.add("second.flac")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 90, "the end of both songs")
    client.disableoutput(0)
    seconds = len(wav_samples(tmp_path / "heard.wav")) / 4 / RATE
    assert abs(seconds - (2 * SECONDS - overlap)) < 0.1
