"""Music made for the tests: tagged files whose samples are known."""
import dataclasses
import pathlib
import random
import shutil
import struct
import subprocess
import wave
import zlib

from mutagen.flac import FLAC, Picture
from mutagen.id3 import APIC, ID3, TALB, TCON, TDRC, TIT2, TPE1, TPE2, TRCK
from mutagen.oggvorbis import OggVorbis

RATE = 44100
TONES = 12
"""How many tones there are that can be told apart by their numbers."""


def frequency(number):
    """The tone of a number."""
    return 400 + 100 * (number % TONES)


@dataclasses.dataclass(frozen=True)
class Track:
    """One file and what its tags say."""
    path: pathlib.Path
    title: str
    artist: str
    album: str
    number: int
    genre: str
    date: str
    seconds: float
    samples: bytes | None = None
    """The song's samples, 16 bit little endian stereo, where they can be compared."""


def noise(seed, seconds):
    """Samples that occur nowhere else: a misplaced one would show."""
    return random.Random(seed).randbytes(int(RATE * seconds) * 4)


def png(color, size=32):
    """A one-coloured picture."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(color) * size) * size
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


COVER = png((200, 40, 90))


def launch(*pipeline):
    """Runs a GStreamer pipeline to its end."""
    subprocess.run(["gst-launch-1.0", "-q", *pipeline], check=True, timeout=120, capture_output=True)


def write_wav(path, samples):
    """Writes 16 bit stereo samples."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples)


def encode_flac(path, samples):
    """Encodes samples without loss."""
    wav = path.with_suffix(".wav")
    write_wav(wav, samples)
    launch("filesrc", f"location={wav}", "!", "wavparse", "!", "flacenc", "!", "filesink", f"location={path}")
    wav.unlink()


def generate(path, seconds, encoder, wave_form="sine", frequency=330):
    """Generates a tone of a given length with one of GStreamer's encoders."""
    buffers = int(seconds * 10)
    launch("audiotestsrc", f"wave={wave_form}", f"freq={frequency}", f"num-buffers={buffers}",
           f"samplesperbuffer={RATE // 10}", "!", f"audio/x-raw,rate={RATE},channels=2", "!", "audioconvert", "!",
           *encoder, "!", "filesink", f"location={path}")


def tag(track):
    """Writes a track's tags into its file."""
    fields = {"title": track.title, "artist": track.artist, "album": track.album, "albumartist": track.artist,
              "tracknumber": str(track.number), "genre": track.genre, "date": track.date}
    if track.path.suffix == ".mp3":
        tags = ID3()
        for frame, value in ((TIT2, track.title), (TPE1, track.artist), (TPE2, track.artist), (TALB, track.album),
                             (TRCK, str(track.number)), (TCON, track.genre), (TDRC, track.date)):
            tags.add(frame(encoding=3, text=value))
        tags.add(APIC(encoding=3, mime="image/png", type=3, desc="", data=COVER))
        tags.save(track.path)
        return
    file = FLAC(track.path) if track.path.suffix == ".flac" else OggVorbis(track.path)
    file.update(fields)
    if track.path.suffix == ".flac":
        picture = Picture()
        picture.data, picture.type, picture.mime = COVER, 3, "image/png"
        file.add_picture(picture)
    file.save()


FLAC_ENCODER = ("flacenc",)
MP3_ENCODER = ("lamemp3enc", "target=bitrate", "bitrate=128", "cbr=true", "!", "id3v2mux")
OGG_ENCODER = ("vorbisenc", "!", "oggmux")


def make_library(folder):
    """Fills a folder with three albums and returns their tracks.

    `First Light` has short songs whose samples are known, `Long Way Home` songs that outlast any test, and `Côte
    d'Émail` other formats and letters beyond ASCII.
    """
    tracks = []

    def add(artist, album, number, title, extension, genre, date, seconds, make, samples=None):
        path = folder / artist / album / f"{number:02} {title}.{extension}"
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
        track = Track(path, title, artist, album, number, genre, date, seconds, samples)
        tag(track)
        tracks.append(track)

    for number, title in enumerate(("Sill", "Lamp", "Window"), 1):
        samples = noise(number, 4)
        add("Ada Quartet", "First Light", number, title, "flac", "Chamber", "2019", 4.0,
            lambda path, samples=samples: encode_flac(path, samples), samples)
    for number, title in enumerate(("Road", "River"), 1):
        add("Nora Hale", "Long Way Home", number, title, "flac", "Folk", "2021", 300.0,
            lambda path, number=number: generate(path, 300, FLAC_ENCODER, frequency=220 * number))
    add("Émile Borel", "Côte d'Émail", 1, "Café à l'été", "mp3", "Electronic", "2005-06-01", 3.0,
        lambda path: generate(path, 3, MP3_ENCODER))
    add("Émile Borel", "Côte d'Émail", 2, "Ørsted 東京", "ogg", "Electronic", "2005-06-01", 3.0,
        lambda path: generate(path, 3, OGG_ENCODER))
    (folder / "Ada Quartet" / "First Light" / "cover.png").write_bytes(COVER)
    return tracks


def make_two_noises(folder, seconds):
    """Writes the songs one.flac and two.flac of so many seconds of noise, and gives their samples by their names."""
    samples = {}
    for number, name in enumerate(("one.flac", "two.flac"), 100):
        samples[name] = noise(number, seconds)
        encode_flac(folder / name, samples[name])
    return samples


def make_two_genres(folder, songs, title, seconds=4):
    """Songs by eight artists with an album each: four of dub from 1990 on, four of folk from 1994 on."""
    generate(folder / "tone.flac", seconds, FLAC_ENCODER)
    for number in range(songs):
        artist = number % 8
        path = folder / f"Artist {artist}" / f"{title} {number:02}.flac"
        path.parent.mkdir(exist_ok=True)
        shutil.copy(folder / "tone.flac", path)
        file = FLAC(path)
        file.update({"title": path.stem, "artist": f"Artist {artist}", "album": f"Album {artist}",
                     "genre": "Dub" if artist < 4 else "Folk", "date": str(1990 + artist)})
        file.save()
    (folder / "tone.flac").unlink()


def make_one_title(folder, artists):
    """Albums of one title, with a song each, by these artists."""
    generate(folder / "tone.flac", 1, FLAC_ENCODER)
    for artist in artists:
        path = folder / artist / "1.flac"
        path.parent.mkdir()
        shutil.copy(folder / "tone.flac", path)
        tag(Track(path, "Hit", artist, "Greatest Hits", 1, "Folk", "2001", 1.0))
    (folder / "tone.flac").unlink()


def wav_samples(path):
    """The samples of a WAV file that may still be being written, so its header's lengths are not believed."""
    data = path.read_bytes()
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE", data[:12]
    position = 12
    while data[position:position + 4] != b"data":
        position += 8 + struct.unpack("<I", data[position + 4:position + 8])[0]
        assert position < len(data), "the WAV file has no data part"
    return data[position + 8:]


def wav_format(path):
    """Format code, channels, rate and bits of a WAV file."""
    data = path.read_bytes()
    start = data.index(b"fmt ") + 8
    code, channels, rate, _, _, bits = struct.unpack("<HHIIHH", data[start:start + 16])
    return code, channels, rate, bits
