"""ReplayGain from the server's answers and from files, as loud as it comes out of an output."""
import array
import json
import math

import mutagen
import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import launch, wav_samples
from harness.waiting import wait_for

RATE = 48000
SECONDS = 2
LEVEL = 0.25
"""What the tones are as a part of full scale."""


def tone(path, *encoder):
    """A tone of a known level."""
    launch("audiotestsrc", f"volume={LEVEL}", "freq=400", f"num-buffers={SECONDS * 10}",
           f"samplesperbuffer={RATE // 10}",
           "!", f"audio/x-raw,rate={RATE},channels=2", "!", "audioconvert", "!", *encoder, "!", "filesink",
           f"location={path}")


def checksum(page):
    """Ogg's checksum of a page in which it is left out."""
    value = 0
    for byte in page:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value


def set_header_gain(path, decibels):
    """Sets the gain that an Opus file's header asks for."""
    data = bytearray(path.read_bytes())
    length = 27 + data[26] + sum(data[27:27 + data[26]])
    place = data.index(b"OpusHead") + 16
    data[place:place + 2] = round(decibels * 256).to_bytes(2, "little", signed=True)
    data[22:26] = bytes(4)
    data[22:26] = checksum(data[:length]).to_bytes(4, "little")
    path.write_bytes(data)


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """The tone without tags, and with values in its file."""
    folder = tmp_path_factory.mktemp("tones")
    made = {name: folder / name for name in ("plain.wav", "tagged.flac", "tagged.opus")}
    tone(made["plain.wav"], "wavenc")
    tone(made["tagged.flac"], "flacenc")
    tone(made["tagged.opus"], "opusenc", "bitrate=192000", "!", "oggmux")
    flac = mutagen.File(made["tagged.flac"])
    flac["replaygain_track_gain"], flac["replaygain_track_peak"] = "-8.00 dB", "0.25"
    flac.save()
    opus = mutagen.File(made["tagged.opus"])
    # Ten decibels below -23 LUFS are five below ReplayGain's reference.
    opus["R128_TRACK_GAIN"] = str(-10 * 256)
    opus.save()
    set_header_gain(made["tagged.opus"], -6)
    return made


PREAMP, MISSING = 2, -3
SONGS = [
    # What the server says, the file, and what comes out by track and by album, in decibels.
    ({"trackGain": -6, "albumGain": -9, "trackPeak": 0.9, "albumPeak": 0.95}, "plain.wav", -6 + PREAMP, -9 + PREAMP),
    ({"albumGain": -9}, "plain.wav", -9 + PREAMP, -9 + PREAMP),
    ({"trackGain": -6}, "plain.wav", -6 + PREAMP, -6 + PREAMP),
    ({}, "plain.wav", MISSING, MISSING),
    # Before 0.55 Navidrome sent peaks of 1 for songs without tags.
    ({"trackPeak": 1, "albumPeak": 1}, "plain.wav", MISSING, MISSING),
    ({"trackGain": 0, "albumGain": 0, "trackPeak": 0, "albumPeak": 0}, "plain.wav", PREAMP, PREAMP),
    # No louder than the peak allows.
    ({"trackGain": 10, "trackPeak": 0.5}, "plain.wav", 6.02, 6.02),
    ({"fallbackGain": -5}, "plain.wav", -5 + PREAMP, -5 + PREAMP),
    ({"albumGain": -7, "fallbackGain": -5}, "plain.wav", -7 + PREAMP, -7 + PREAMP),
    # Where the server knows a gain the file's own is not added; where it knows none the file's counts.
    ({"trackGain": -6, "trackPeak": 0.9}, "tagged.flac", -6 + PREAMP, -6 + PREAMP),
    ({"trackPeak": 1, "albumPeak": 1}, "tagged.flac", -8 + PREAMP, -8 + PREAMP),
    # An Opus file's header lowers it by six decibels once, whichever element knows of that.
    ({}, "tagged.opus", -6 - 10 + 5 + PREAMP, -6 - 10 + 5 + PREAMP),
    ({"trackGain": -3, "baseGain": -6}, "tagged.opus", -6 - 3 + PREAMP, -6 - 3 + PREAMP),
]


def decibels(samples, song):
    """How much louder or softer than the tone a song of the recording is, measured within its ends."""
    start = (song * SECONDS * RATE + RATE // 2) * 2
    part = samples[start:start + RATE * 2]
    power = sum(sample * sample for sample in part) / len(part)
    return 10 * math.log10(power / (LEVEL * 32768) ** 2 * 2)


@pytest.mark.parametrize("mode", ["off", "track", "album", "auto"])
def test_songs_are_as_loud_as_the_server_and_their_files_say(mode, sounds, start_segue, tmp_path):
    navidrome = FakeNavidrome(tmp_path, songs=len(SONGS)).start()
    try:
        for number, (loudness, file, _, _) in enumerate(SONGS):
            navidrome.control("song", n=number, title=f"Tone {number}", sound=sounds[file],
                              loudness=json.dumps(loudness))
        server = start_segue(
            songs=len(SONGS), navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
            playback={"replay_gain": mode, "replay_gain_preamp": PREAMP, "replay_gain_missing_preamp": MISSING},
            output=[{"type": "null", "name": "Fast", "sync": False},
                    {"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": f"{RATE}:16:2"}])
        client = server.client()
        for number in range(len(SONGS)):
            client.findadd("title", f"Tone {number}")
        client.play(0)
        wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
        assert "error" not in client.status()
        assert server.stop()[0] == 0
    finally:
        navidrome.kill()
    samples = array.array("h", wav_samples(tmp_path / "heard.wav"))
    assert len(samples) == len(SONGS) * SECONDS * RATE * 2
    for number, (loudness, file, by_track, by_album) in enumerate(SONGS):
        header = -6 if file.endswith("opus") else 0
        # In turn, `auto` takes the album's.
        expected = {"off": header, "track": by_track}.get(mode, by_album)
        assert abs(decibels(samples, number) - expected) < 0.1, (number, loudness, file)
