"""The sound that Segue gives of each format, compared sample by sample with what the format's own decoder gives."""
import dataclasses
import pathlib
import random
import shutil
import struct
import subprocess

import pytest
from harness import wav
from harness.waiting import wait_for

SECONDS = 1.6
LATE = 1.2
"""Where a part begins that is played by itself."""
LSB = 1 / 2**15
"""One step of 16 bits."""


@dataclasses.dataclass(frozen=True)
class Sound:
    """What a file is encoded of."""

    rate: int = 44100
    bits: int = 16
    channels: int = 2

    def write(self, path):
        """Writes it as WAV: tones, wide noise and a rest, different in each channel."""
        chance, frames = random.Random(str(self)), int(self.rate * SECONDS)
        full = 2**(self.bits - 1)
        data = bytearray()
        for frame in range(frames):
            for channel in range(self.channels):
                tone = ((frame * (3 + channel) * 401 % self.rate) / self.rate * 2 - 1) * 0.3
                value = int((tone + chance.uniform(-0.15, 0.15)) * full * (frame * 5 // frames != 3))
                data += (value + 128).to_bytes(1, "little") if self.bits == 8 else value.to_bytes(
                    self.bits // 8, "little", signed=True)
        width, is_plain = self.bits // 8, self.channels <= 2 and self.bits <= 16
        form = struct.pack("<HHIIHH", 1 if is_plain else 0xFFFE, self.channels, self.rate,
                           self.rate * self.channels * width, self.channels * width, self.bits)
        if not is_plain:
            form += struct.pack("<HHIH", 22, self.bits, {1: 4, 2: 3, 6: 0x3F}[self.channels], 1)
            form += bytes.fromhex("000000001000800000aa00389b71")
        path.write_bytes(b"RIFF" + struct.pack("<I", 20 + len(form) + len(data)) + b"WAVEfmt " + struct.pack("<I", len(form))
                         + form + b"data" + struct.pack("<I", len(data)) + data)

    def __str__(self):
        return f"{self.rate}:{self.bits}:{self.channels}"


@dataclasses.dataclass(frozen=True)
class Format:
    """A way to encode and its own decoder; in commands {0} is the input and {1} the output."""

    suffix: str
    encode: str
    decode: str
    name: str
    is_lossless: bool = False
    adds_frames: bool = False
    """Whether the decoder gives the encoder's padding at the end as well."""


def ffmpeg(codec, more=""):
    return f"ffmpeg -v error -y -i {{0}} -c:a {codec} {more} {{1}}"


BY_FFMPEG = "ffmpeg -v error -y -i {0} -c:a pcm_f32le {1}"
WIDE = "ffmpeg -v error -y -i {0} -c:a pcm_s32le {1}"
FORMATS = {
    "FLAC": Format("flac", "flac -s -f -o {1} {0}", "flac -s -d -f -o {1} {0}", "flac", True),
    "WAV": Format("wav", "cp {0} {1}", "cp {0} {1}", "its samples", True),
    "AIFF": Format("aiff", ffmpeg("pcm_s{bits}be"), WIDE, "ffmpeg", True),
    "WavPack": Format("wv", "wavpack -q -y {0} -o {1}", "wvunpack -q -y {0} -o {1}", "wvunpack", True),
    "WavPack hybrid": Format("wv", "wavpack -q -y -b256 {0} -o {1}", "wvunpack -q -y {0} -o {1}", "wvunpack", True),
    "ALAC": Format("m4a", ffmpeg("alac"), WIDE, "ffmpeg", True),
    "TTA": Format("tta", ffmpeg("tta"), WIDE, "ffmpeg", True),
    "Vorbis": Format("ogg", "oggenc -Q -q 3 -o {1} {0}", "oggdec -Q -o {1} {0}", "oggdec"),
    # oggdec leaves the channels in another order than WAV's.
    "Vorbis 5.1": Format("ogg", "oggenc -Q -q 3 -o {1} {0}", BY_FFMPEG, "ffmpeg"),
    "Opus, 24 kbit/s": Format(
        "opus", "opusenc --quiet --bitrate 24 {0} {1}", "opusdec --quiet --float --rate 48000 --force-wav {0} {1}", "opusdec"),
    "Opus, 96 kbit/s": Format(
        "opus", "opusenc --quiet --bitrate 96 {0} {1}", "opusdec --quiet --float --rate 48000 --force-wav {0} {1}", "opusdec"),
    "MP3, 64 kbit/s": Format("mp3", "lame --quiet -b 64 {0} {1}", "mpg123 -q -w {1} {0}", "mpg123"),
    "MP3, variable": Format("mp3", "lame --quiet -V 2 {0} {1}", "mpg123 -q -w {1} {0}", "mpg123"),
    "AAC": Format("m4a", ffmpeg("aac", "-b:a 96k -aac_pns 0"), BY_FFMPEG, "ffmpeg", adds_frames=True),
    "Musepack": Format("mpc", "mpcenc --silent --overwrite {0} {1}", "mpcdec {0} {1}", "mpcdec"),
}

OF_WHOLE = [(8000, 16, 1), (44100, 16, 1), (44100, 16, 2), (44100, 16, 6), (48000, 24, 2), (96000, 24, 6),
            (192000, 24, 2)]
SOUNDS = {
    # GStreamer 1.22 has no decoder for FLAC of 32 bits.
    "FLAC": [*OF_WHOLE, (44100, 8, 2)], "WAV": [*OF_WHOLE, (44100, 32, 2), (44100, 8, 2)],
    "AIFF": [*OF_WHOLE, (44100, 32, 2)], "WavPack": [*OF_WHOLE, (44100, 32, 2)], "WavPack hybrid": [(44100, 16, 2)],
    "ALAC": [(8000, 16, 1), (44100, 16, 1), (44100, 16, 2), (44100, 16, 6), (48000, 24, 2)],
    "TTA": [(8000, 16, 1), (44100, 16, 2), (48000, 24, 2), (96000, 24, 2)],
    "Vorbis": [(8000, 16, 1), (44100, 16, 1), (44100, 16, 2), (96000, 24, 2)], "Vorbis 5.1": [(48000, 16, 6)],
    "Opus, 24 kbit/s": [(48000, 16, 1), (48000, 16, 2)],
    "Opus, 96 kbit/s": [(48000, 16, 1), (48000, 16, 2), (48000, 16, 6), (44100, 16, 2)],
    "MP3, 64 kbit/s": [(16000, 16, 1), (22050, 16, 2), (44100, 16, 1), (44100, 16, 2)],
    "MP3, variable": [(44100, 16, 1), (44100, 16, 2), (48000, 16, 2)],
    "AAC": [(44100, 16, 1), (44100, 16, 2), (48000, 16, 6)], "Musepack": [(44100, 16, 2), (48000, 16, 2)],
}
TAGS = {
    "FLAC": "Vorbis comments", "WAV": "ID3, RIFF INFO", "AIFF": "ID3, its own chunks", "WavPack": "APEv2",
    "WavPack hybrid": "APEv2", "ALAC": "iTunes", "TTA": "ID3, APEv2", "Vorbis": "Vorbis comments",
    "Vorbis 5.1": "Vorbis comments", "Opus, 24 kbit/s": "Vorbis comments", "Opus, 96 kbit/s": "Vorbis comments",
    "MP3, 64 kbit/s": "ID3, APEv2", "MP3, variable": "ID3, APEv2", "AAC": "iTunes", "Musepack": "APEv2",
}
CASES = [(name, Sound(*sound)) for name, sounds in SOUNDS.items() for sound in sounds]


def run(command, source, target, sound):
    """Runs a line of a format; skips the test where its program is not there."""
    words = [word.format(source, target, bits=sound.bits) for word in command.split()]
    if not shutil.which(words[0]):
        pytest.skip(f"{words[0]} is not installed")
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (words, done.stderr[-500:])


def differences(heard, wanted):
    """The largest difference, and how many samples there are too many or too few."""
    return max(map(abs, map(float.__sub__, heard, wanted)), default=0.0), len(heard) - len(wanted)


@pytest.mark.parametrize("name, sound", CASES, ids=[f"{name}-{sound}" for name, sound in CASES])
def test_a_format_sounds_as_its_own_decoder_has_it_also_from_a_place_in_it(name, sound, start_segue, tmp_path):
    form = FORMATS[name]
    music, source, reference = tmp_path / "music", tmp_path / "source.wav", tmp_path / "reference.wav"
    music.mkdir()
    sound.write(source)
    song = music / f"song.{form.suffix}"
    run(form.encode, source, song, sound)
    run(form.decode, song, reference, sound)
    rate, channels, wanted = wav.read(reference)
    if form.adds_frames:
        wanted = wanted[:len(wav.read(source)[2])]
    heard = tmp_path / "heard.wav"
    outputs = [{"type": "file", "name": "Recording", "path": heard, "format": "*:32:*"},
               {"type": "null", "name": "Fast", "sync": False}]
    server = start_segue(songs=1, local={"music_directory": music}, output=outputs)
    client = server.client()
    client.add(song.name)
    client.rangeid(client.addid(song.name), f"{LATE}:")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    assert "error" not in client.status()
    assert server.stop()[0] == 0
    assert wav.read(heard)[:2] == (rate, channels)
    samples, limit = wav.read(heard)[2], 0 if form.is_lossless else LSB
    whole, part = samples[:len(wanted)], samples[len(wanted):]
    found = [differences(whole, wanted), differences(part, wanted[round(LATE * rate) * channels:])]
    assert all(most <= limit and count == 0 for most, count in found), [
        f"{most / LSB:.2f} steps of 16 bits, {count // channels} frames more" for most, count in found]


def table():
    """The table of docs/formats.md."""
    rows = ["| Format | Decoder beside it | Equal to it | Sound compared (rate:bits:channels) | Tags |",
            "|---|---|---|---|---|"]
    for name, form in FORMATS.items():
        sounds = ", ".join(str(Sound(*sound)) for sound in SOUNDS[name])
        equal = "every bit" if form.is_lossless else "one step of 16 bits"
        rows.append(f"| {name} (`.{form.suffix}`) | {form.name} | {equal} | {sounds} | {TAGS[name]} |")
    return "\n".join(rows) + "\n"


def test_the_document_has_the_table_of_what_is_compared():
    assert table() in (pathlib.Path(__file__).parents[3] / "docs/formats.md").read_text()
