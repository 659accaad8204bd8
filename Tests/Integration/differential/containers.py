"""Files in which the sound lies in chunks, with ID3 tags as programs write them."""
import io
import os
import struct

from harness.music import COVER, encode_flac
from mutagen.id3 import (APIC, ID3, TALB, TCOM, TCON, TDOR, TDRC, TIT1, TIT2, TPE1, TPE2, TPE3, TPE4, TPOS, TPUB, TRCK,
                         TSO2, TSOP, TXXX, UFID)

FRAMES = {"title": TIT2, "artist": TPE1, "albumartist": TPE2, "album": TALB, "track": TRCK, "disc": TPOS, "genre": TCON,
          "date": TDRC, "originaldate": TDOR, "artistsort": TSOP, "albumartistsort": TSO2, "composer": TCOM,
          "conductor": TPE3, "performer": TPE4, "grouping": TIT1, "label": TPUB}
SOUND = bytes(44_100 * 4)
ID = "21111111-2222-3333-4444-555555555555"
PLAIN = {"artist": "Ada", "albumartist": "Both", "album": "Boxes", "track": "3/12", "disc": "1/2", "genre": "Rock",
         "composer": "Clara", "date": "2004-05-06"}
FULL = PLAIN | {"artist": ["Ada", "Bob"], "artistsort": "Ada, the", "albumartistsort": "Both, The",
                "originaldate": "1999-01-02", "conductor": "Kim", "performer": "Lee", "grouping": "Group",
                "label": "Quiet"}
"""What MPD reads of such a tag by itself; of WAV and AIFF files FFmpeg or libsndfile reads it, and less of it."""


def id3(title, tags, version=4):
    """The bytes of a tag."""
    frames = ID3()
    encoding = 3 if version == 4 else 1
    for name, value in (tags | {"title": title}).items():
        frames.add(FRAMES[name](encoding=encoding, text=value))
    frames.add(TXXX(encoding=encoding, desc="MusicBrainz Artist Id", text=ID))
    if tags.keys() == FULL.keys():
        frames.add(UFID(owner="http://musicbrainz.org", data=ID.encode()))
    frames.add(APIC(encoding=0, mime="image/png", type=3, desc="", data=COVER))
    if version == 3:
        frames.update_to_v23()
    file = io.BytesIO()
    frames.save(file, v2_version=version, v23_sep="/", padding=lambda _: 0)
    return file.getvalue()


def chunk(name, body, order="<"):
    """A chunk of RIFF, or of IFF by its order of bytes."""
    return name + struct.pack(order + "I", len(body)) + body + bytes(len(body) % 2)


def wav(*before, after=b""):
    """A WAV file with chunks before its sound and behind it."""
    sound = chunk(b"fmt ", struct.pack("<HHIIHH", 1, 2, 44_100, 176_400, 4, 16))
    return chunk(b"RIFF", b"WAVE" + sound + b"".join(before) + chunk(b"data", SOUND) + after)


def aiff(after):
    """An AIFF file with a chunk behind its sound."""
    common = struct.pack(">hIh", 2, len(SOUND) // 4, 16) + bytes.fromhex("400eac44000000000000")
    parts = chunk(b"COMM", common, ">") + chunk(b"SSND", bytes(8) + SOUND, ">")
    return chunk(b"FORM", b"AIFF" + parts + after, ">")


def dsf(tag):
    """A DSF file of whole blocks."""
    data = b"\x69" * (4096 * 2 * 172)
    end = 92 + len(data)
    return (b"DSD " + struct.pack("<QQQ", 28, end + len(tag), end) + b"fmt "
            + struct.pack("<QIIIIIIQII", 52, 1, 0, 2, 2, 2_822_400, 1, len(data) // 2 * 8, 4096, 0)
            + b"data" + struct.pack("<Q", 12 + len(data)) + data + tag)


def make_containers(folder):
    """Fills a folder with such files."""
    files = {
        "dsf/new.dsf": dsf(id3("DSF new", FULL)),
        "dsf/old.dsf": dsf(id3("DSF old", FULL, version=3)),
        "wav/before.wav": wav(chunk(b"odd ", b"abc"), chunk(b"id3 ", id3("WAV before", PLAIN, version=3))),
        "wav/behind.wav": wav(after=chunk(b"id3 ", id3("WAV behind", PLAIN))),
        "aiff/behind.aif": aiff(chunk(b"ID3 ", id3("AIFF behind", PLAIN), ">")),
    }
    for path, content in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
    # What scenarios begin with.
    encode_flac(folder / "root song.flac", SOUND)
    for number, path in enumerate(sorted(folder.rglob("*"), key=lambda path: (-len(path.parts), path))):
        os.utime(path, (1_500_000_000 + 86_400 * number,) * 2)
    return len(files) + 1
