"""Songs that overlap beat on beat, from their files through the analysis to what is heard."""
import array
import math
import pathlib
import struct

import pytest
from harness.music import MP3_ENCODER, RATE, encode_flac, launch, wav_samples, write_wav
from harness.segue import Segue
from harness.waiting import wait_for

# One worker measures the songs for all.
pytestmark = pytest.mark.xdist_group("test_beats")

SECONDS = 21
PLUGINS = pathlib.Path("/usr/lib/x86_64-linux-gnu/gstreamer-1.0")


def drums(tempo, first, side):
    """Kick drums on one side, as 16 bit stereo samples; 0 is the left one."""
    period = 60 / tempo * RATE
    kick = array.array("h", (int(26000 * math.exp(-30 * n / RATE) * math.sin(2 * math.pi * 80 * n / RATE))
                             for n in range(RATE // 5)))
    sound = array.array("h", bytes(SECONDS * RATE * 4))
    beat = 0
    while (start := int(first * RATE + beat * period)) + len(kick) < SECONDS * RATE:
        sound[2 * start + side:2 * (start + len(kick)) + side:2] = kick
        beat += 1
    return sound.tobytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One song at 120 beats a minute, and others at 123 and 131: one of them with an encoder's padding in front."""
    music = tmp_path_factory.mktemp("beats")
    encode_flac(music / "before.flac", drums(120, .1, 0))
    encode_flac(music / "far.flac", drums(131, .3, 1))
    write_wav(music / "after.wav", drums(123, .3, 1))
    launch("filesrc", f"location={music}/after.wav", "!", "wavparse", "!", "audioconvert", "!", *MP3_ENCODER, "!",
           "filesink", f"location={music}/after.mp3")
    (music / "after.wav").unlink()
    return music


def onsets(samples, begin, end):
    """When drums begin between two places, in seconds."""
    found, quiet = [], int(begin * RATE)
    for place in range(int(begin * RATE), int(end * RATE)):
        if place >= quiet and abs(samples[place]) > 2500:
            found.append(place / RATE)
            quiet = place + RATE // 4
    return found


@pytest.fixture(scope="module")
def server(folder, registry, tmp_path_factory):
    """A program that has measured the songs, and plays as fast as it can."""
    own = tmp_path_factory.mktemp("heard")
    running = Segue(own, registry, local={"music_directory": folder}, playback={"beat_match": True},
                    discovery={"analyse": "library"}, output=[
                        {"type": "file", "name": "Recording", "path": own / "heard.wav", "format": "44100:16:2",
                         "enabled": False},
                        {"type": "null", "name": "Fast", "sync": False}])
    client = running.start(songs=3).client()
    for name in ("before.flac", "far.flac", "after.mp3"):
        wait_for(lambda name=name: "tempo" in client.sticker_list("song", name), 240, f"the tempo of {name}")
    yield running
    running.kill()


def overlap(server, second):
    """Plays the end of the first song and the second one; gives both sides of what was heard."""
    client, recording = server.client(), server.folder / "heard.wav"
    client.clear()
    client.crossfade(8)
    client.add("before.flac")
    client.add(second)
    recording.unlink(missing_ok=True)
    client.enableoutput(0)
    client.play(0)
    client.pause(1)
    client.seekcur(SECONDS - 10)
    client.pause(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the second song")
    client.disableoutput(0)
    wait_for(lambda: client.outputs()[0]["outputenabled"] == "0", 30, "the end of the recording")
    samples = struct.unpack(f"<{len(wav_samples(recording)) // 2}h", wav_samples(recording))
    return samples[::2], samples[1::2]


def test_drums_of_a_flac_and_an_mp3_fall_on_each_other(server):
    def do_they():
        left, right = overlap(server, "after.mp3")
        end = max(place for place in range(0, len(left), 50) if abs(left[place]) > 300) / RATE
        before, after = onsets(left, end - 6, end - 2), onsets(right, end - 6, end - 2)
        assert len(after) >= 6
        off = [min(abs(time - other) for other in before) for time in after]
        assert max(off) < .015, off
        # Behind that it has its own tempo again.
        alone = onsets(right, end + 4.5, end + 6.5)
        assert all(abs(later - earlier - 60 / 123) < .003 for earlier, later in zip(alone, alone[1:]))
        assert len(alone) > 2
        return True
    # Players know of a tempo a moment after the sticker.
    wait_for(do_they, 60, "the drums of both", every=0.5)


def test_songs_too_far_apart_keep_their_tempo(server):
    left, right = overlap(server, "far.flac")
    end = max(place for place in range(0, len(left), 50) if abs(left[place]) > 300) / RATE
    after = onsets(right, end - 5, end - 1)
    assert all(abs(later - earlier - 60 / 131) < .003 for earlier, later in zip(after, after[1:])) and len(after) > 5


def test_without_the_element_there_is_one_line_and_no_harm(folder, tmp_path, start_segue):
    if not PLUGINS.is_dir():
        pytest.skip("GStreamer's plug-ins are elsewhere")
    server = start_segue(songs=3, local={"music_directory": folder}, playback={"beat_match": True})
    server.stop()
    own = tmp_path / "plugins"
    own.mkdir()
    for plugin in PLUGINS.iterdir():
        if "soundtouch" not in plugin.name:
            (own / plugin.name).symlink_to(plugin)
    server.environment.update({"GST_PLUGIN_SYSTEM_PATH_1_0": str(own), "GST_REGISTRY": str(tmp_path / "registry.bin")})
    server.start(songs=3)
    client = server.client()
    client.newpartition("kitchen")
    client.crossfade(8)
    client.add("before.flac")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > .5, 30, "the music")
    said = [line for line in server.log.splitlines() if "beat_match has no effect" in line]
    assert len(said) == 1 and "GStreamer's pitch is missing, install gstreamer1.0-plugins-bad" in said[0]
