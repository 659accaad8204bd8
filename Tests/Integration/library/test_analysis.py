"""Songs are measured in the background, and their loudness evens out what has no ReplayGain."""
import functools
import json
import math
import re
import shutil
import struct
import subprocess

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import RATE, encode_flac, wav_samples
from harness.waiting import wait_for
from mutagen.flac import FLAC

SECONDS = 4
FAST = {"type": "null", "name": "Fast", "sync": False}
"""An output that waits for nothing."""
PATIENCE = 240
"""Seconds: songs are measured while nothing else wants the processors."""


@functools.cache
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
    return wait_for(lambda: "loudness" in client.sticker_list("song", path) and client.sticker_list("song", path),
                    PATIENCE, f"what was measured of {path}")


def start(start_segue, folder, tmp_path, **discovery):
    """A server that records what it plays, as fast as it can, brought to the loudness of ReplayGain."""
    output = [{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav"}, FAST]
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
    client.disableoutput(0)
    path.unlink(missing_ok=True)
    client.enableoutput(0)
    client.clear()
    client.add(name)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the song")
    client.disableoutput(0)
    return peak(path)


def test_measured_songs_are_equally_loud_and_tags_count_more(folder, tmp_path, start_segue):
    client = start(start_segue, folder, tmp_path, analyse="library").client()
    levels = {"loud": -18, "soft": -18, "tagged": -13}
    for name in levels:
        measured(client, f"{name}.flac")
    for name, decibels in levels.items():
        # Players know of it a moment after the sticker.
        wait_for(lambda name=name, decibels=decibels: abs(
            heard(client, tmp_path / "heard.wav", f"{name}.flac") - decibels) < 0.3, PATIENCE, f"the loudness of {name}")


def test_songs_of_an_album_keep_their_differences_and_a_song_alone_does_not(tmp_path, start_segue):
    music = tmp_path / "music"
    for folder, album in (("album", "One"), ("single", None)):
        (music / folder).mkdir(parents=True)
        for name, decibels in (("loud", -12), ("soft", -28)):
            path = music / folder / f"{name}.flac"
            encode_flac(path, tone(decibels))
            file = FLAC(path)
            file.update({"title": name, **({"album": album} if album else {})})
            file.save()
    recording = tmp_path / "heard.wav"
    server = start_segue(songs=4, local={"music_directory": music}, playback={"replay_gain": "album"},
                         output=[{"type": "file", "name": "Recording", "path": recording}, FAST],
                         discovery={"analyse": "library"})
    client = server.client()
    names = [f"{folder}/{name}.flac" for folder in ("album", "single") for name in ("loud", "soft")]
    for name in names:
        measured(client, name)

    def has_levels():
        found = [heard(client, recording, name) for name in names]
        assert all(abs(value - expected) < 0.3 for value, expected in zip(found, (-15.1, -31.1, -18, -18))), found
        return True
    # Together the songs of the album have -14.9 LUFS, so that all of it is played 3.1 dB softer. Players know of that a
    # moment after the stickers, as albums are read rarely.
    wait_for(has_levels, PATIENCE, "the loudness of the album")


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


def test_segue_analyse_measures_a_library_and_reports_what_failed(folder, tmp_path, start_segue):
    music = shutil.copytree(folder, tmp_path / "music")
    server = start(start_segue, music, tmp_path)
    refused = server.run("analyse", "--config", server.configuration)
    assert refused.returncode == 1 and "--report" in refused.stderr
    server.stop()
    # As long as before, so that it is the same song still.
    (music / "broken.flac").write_bytes(b"x" * (music / "broken.flac").stat().st_size)
    done = server.run("analyse", "--config", server.configuration, seconds=120)
    assert done.returncode == 0, done.stderr
    report = json.loads(server.run("analyse", "--json", "--config", server.configuration).stdout)
    assert (report["songs"], report["measured"], report["failed"]) == (4, 3, 1)
    assert "quality" not in report, "three songs say nothing of how well the sound fits a library"
    (failure,) = report["failures"]
    assert failure["path"] == "broken.flac" and failure["tries"] == 3 and failure["reason"]
    assert "3 of 4 songs are measured, 1 can't be." in done.stdout and "broken.flac" in done.stdout
    server.start(songs=4)
    assert "loudness" in server.client().sticker_list("song", "soft.flac")


def test_a_file_that_is_replaced_is_measured_anew(folder, tmp_path, start_segue):
    music = shutil.copytree(folder, tmp_path / "music")
    server = start(start_segue, music, tmp_path, analyse="library")
    client = server.client()
    assert abs(float(measured(client, "soft.flac")["loudness"]) + 28) < .2
    for name in ("loud", "tagged"):
        measured(client, f"{name}.flac")
    encode_flac(music / "soft.flac", tone(-12) + tone(-12))
    client.update()
    wait_for(lambda: abs(float(client.sticker_get("song", "soft.flac", "loudness")) + 12) < .2, PATIENCE,
             "what was measured of the new file")


@pytest.mark.parametrize("analyse", ["library", "heard"])
def test_tracks_of_a_cue_sheet_are_measured_by_themselves(tmp_path, start_segue, analyse):
    music = tmp_path / "disc"
    music.mkdir()
    encode_flac(music / "disc.flac", tone(-28) + tone(-12) + tone(-20))
    (music / "disc.cue").write_text('TITLE "Disc"\nFILE "disc.flac" WAVE\n' + "".join(
        f'  TRACK {number:02} AUDIO\n    TITLE "{number}"\n    INDEX 01 00:{(number - 1) * SECONDS:02}:00\n'
        for number in (1, 2, 3)))
    client = start_segue(songs=3, local={"music_directory": music}, discovery={"analyse": analyse}).client()
    if analyse == "heard":
        client.add("/")
        client.play(1)
        client.pause(1)
    for number, decibels in ((2, -12), (3, -20)):
        path = f"disc.cue/track{number:04}"
        assert abs(float(measured(client, path)["loudness"]) - decibels) < .2


@pytest.fixture
def navidrome(tmp_path):
    """A server with six songs of two seconds."""
    fake = FakeNavidrome(tmp_path, songs=6, seconds=2).start()
    yield fake
    fake.stop()


def test_a_servers_songs_are_measured_past_the_cache_and_after_an_outage(navidrome, tmp_path, start_segue):
    server = start_segue(songs=6, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD})
    server.stop()
    navidrome.stop()
    away = server.run("analyse", "--config", server.configuration)
    assert away.returncode == 1 and "can't be reached" in away.stderr
    navidrome.start()
    wait_for(lambda: "6 of 6 songs are measured." in server.run(
        "analyse", "--config", server.configuration, seconds=120).stdout, 120, "all songs to be measured")
    cache = server.folder / "cache"
    assert [path for name in ("tracks", "passing") for path in (cache / name).iterdir()] == []


def test_a_bandwidth_holds_fetching_back(navidrome, tmp_path, start_segue):
    server = start_segue(songs=6, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                         discovery={"analyse": "library", "analyse_bandwidth": "70 kB"})
    client = server.client()
    wait_for(lambda: client.sticker_find("song", "", "loudness"), PATIENCE, "a song that was measured")
    # Each has some 350 kB, so that all six take half a minute.
    assert len(client.sticker_find("song", "", "loudness")) < 6


@pytest.mark.parametrize("albums", [False, pytest.param(True, marks=pytest.mark.smoke)])
def test_songs_of_an_album_join_unless_a_crossfade_is_wanted_there(tmp_path, start_segue, albums):
    music = tmp_path / "album"
    music.mkdir()
    for number in (1, 2):
        encode_flac(music / f"{number}.flac", tone(-12) * 5)
        file = FLAC(music / f"{number}.flac")
        file.update({"album": "One", "title": str(number), "tracknumber": str(number)})
        file.save()
    output = [{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav"},
              FAST]
    server = start_segue(songs=2, local={"music_directory": music}, output=output,
                         playback={"crossfade_albums": albums})
    client = server.client()
    client.crossfade(5)
    client.add("1.flac")
    client.add("2.flac")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 90, "the end of the album")
    client.disableoutput(0)
    seconds = len(wav_samples(tmp_path / "heard.wav")) / 4 / RATE
    assert abs(seconds - (2 * 5 * SECONDS - (5 if albums else 0))) < 0.2


def test_measuring_leaves_nothing_but_lines_of_the_log(folder, tmp_path, start_segue):
    server = start_segue(songs=4, local={"music_directory": folder}, output=[{"type": "null", "name": "Nothing"}],
                         discovery={"analyse": "library"})
    measured(server.client(), "loud.flac")
    # Threads of the lowest priority may have no other one, which GLib complains of.
    assert "scheduler settings" not in server.log
    assert [line for line in server.log.splitlines() if not re.match(r"[\dT:.-]+Z [a-z]+ [\w.]+: ", line)] == []
