"""Songs are measured in the background, and their loudness evens out what has no ReplayGain."""
import math
import re
import shutil
import struct
import subprocess

import pytest
from harness.music import RATE, encode_flac, wav_samples
from harness.waiting import wait_for
from mutagen.flac import FLAC

SECONDS = 4


def tone(decibels):
    """A tone of 997 Hz on both channels, whose loudness in LUFS is its level in decibels."""
    level = 10 ** (decibels / 20) * 32767
    frames = (int(level * math.sin(2 * math.pi * 997 * n / RATE)) for n in range(RATE * SECONDS))
    return b"".join(struct.pack("<hh", sample, sample) for sample in frames)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two tones of different loudness, one of them with tags for ReplayGain in a copy, and a broken file."""
    music = tmp_path_factory.mktemp("tones")
    for name, decibels in (("loud", -12), ("soft", -28)):
        encode_flac(music / f"{name}.flac", tone(decibels))
    shutil.copy(music / "loud.flac", music / "tagged.flac")
    file = FLAC(music / "tagged.flac")
    file.update({"replaygain_track_gain": "-1.00 dB", "title": "tagged"})
    file.save()
    whole = (music / "loud.flac").read_bytes()
    (music / "broken.flac").write_bytes(whole[:4000] + bytes(len(whole) - 4000))
    return music


def measured(client, path):
    """The stickers of a song once it was measured."""
    return wait_for(lambda: "loudness" in client.sticker_list("song", path) and client.sticker_list("song", path), 30,
                    f"what was measured of {path}")


def start(start_segue, folder, tmp_path, **discovery):
    """A server that records what it plays at once, brought to the loudness of ReplayGain."""
    output = [{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav"}]
    return start_segue(songs=4, local={"music_directory": folder}, output=output, playback={"replay_gain": "track"},
                       discovery=discovery)


def loudness(path):
    """A file's loudness as ffmpeg has it."""
    result = subprocess.run(["ffmpeg", "-hide_banner", "-i", str(path), "-af", "ebur128", "-f", "null", "-"],
                            capture_output=True, text=True, timeout=60)
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", result.stderr)[-1])


def peak(path):
    """The largest sample of a recording in decibels."""
    samples = wav_samples(path)
    return 20 * math.log10(max(abs(value) for (value,) in struct.iter_unpack("<h", samples)) / 32767)


def test_a_library_is_measured_as_ffmpeg_does(folder, tmp_path, start_segue):
    if not shutil.which("ffmpeg"):
        pytest.skip("no ffmpeg to compare with")
    client = start(start_segue, folder, tmp_path, analyse="library").client()
    for name in ("loud", "soft", "tagged"):
        found = float(measured(client, f"{name}.flac")["loudness"])
        assert abs(found - loudness(folder / f"{name}.flac")) <= 0.1
    assert "loudness" not in client.sticker_list("song", "broken.flac")
    assert client.sticker_find("song", "", "loudness")


def heard(client, path, name):
    """Plays a song to its end and says how loud its recording was at most, in decibels."""
    client.clear()
    client.add(name)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the song")
    client.disableoutput(0)
    return peak(path)


@pytest.mark.parametrize("name, decibels", [("loud", -18), ("soft", -18), ("tagged", -13)])
def test_measured_songs_are_equally_loud_and_tags_count_more(folder, tmp_path, start_segue, name, decibels):
    client = start(start_segue, folder, tmp_path, analyse="library").client()
    for other in ("loud", "soft", "tagged"):
        measured(client, f"{other}.flac")
    assert abs(heard(client, tmp_path / "heard.wav", f"{name}.flac") - decibels) < 0.3


@pytest.mark.parametrize("discovery", [{}, {"analyse": "library", "measured_gain": False}])
def test_nothing_changes_without_it(folder, tmp_path, start_segue, discovery):
    client = start(start_segue, folder, tmp_path, **discovery).client()
    if discovery:
        measured(client, "soft.flac")
    assert abs(heard(client, tmp_path / "heard.wav", "soft.flac") + 28) < 0.3
    assert discovery or client.sticker_list("song", "soft.flac") == {}


def test_what_is_heard_is_measured_and_what_comes_next(folder, tmp_path, start_segue):
    server = start(start_segue, folder, tmp_path, analyse="heard")
    client = server.client()
    client.add("loud.flac")
    client.add("soft.flac")
    client.play(0)
    assert measured(client, "loud.flac") and measured(client, "soft.flac")
    assert "loudness" not in client.sticker_list("song", "tagged.flac")
