"""Files that lie about what they hold, by what they lie about."""
import gzip
import random
import struct
import subprocess
import zlib

from mutagen.flac import FLAC
from mutagen.mp4 import MP4, AtomDataType, MP4FreeForm

from .music import launch

LONG = (b"0" * 8 + b" %08X %08X %016X" + b" 00000000" * 8)


def wav(rate=44100, channels=2, bits=16, code=1, block=None, size=None, data=b"\1\0" * 4000):
    """A WAV file with the header as it is wanted."""
    block = channels * bits // 8 if block is None else block
    head = struct.pack("<HHIIHH", code, channels & 65535, rate, rate * block & 0xffffffff, block & 65535, bits)
    size = len(data) if size is None else size
    return (b"RIFF" + struct.pack("<I", size + 36 & 0xffffffff) + b"WAVEfmt " + struct.pack("<I", len(head)) + head
            + b"data" + struct.pack("<I", size) + data)


def waves():
    """WAV files with headers that no sound card fulfils."""
    return {
        "1 Hz": wav(rate=1), "0 Hz": wav(rate=0), "7 Hz": wav(rate=7, channels=1, bits=8),
        "4 GHz": wav(rate=0xffffffff), "65535 channels": wav(channels=65535), "0 channels": wav(channels=0),
        "0 bits": wav(bits=0), "no block": wav(block=0), "endless": wav(size=0xffffffff),
        "NaN": wav(bits=32, code=3, data=struct.pack("<f", float("nan")) * 4000),
        "infinite": wav(bits=64, code=3, data=struct.pack("<d", 1e308) * 4000), "64 channels": wav(channels=64),
        "odd code": wav(code=0xfffe), "half": wav()[:40], "1 bit": wav(bits=1),
    }


def syncsafe(number):
    """A number of an ID3 header."""
    return bytes(number >> shift & 127 for shift in (21, 14, 7, 0))


def frame(name, body, size=None, flags=b"\0\0"):
    """A frame of ID3v2.3."""
    return name + struct.pack(">I", len(body) if size is None else size) + flags + body


def id3(frames, size=None, version=b"\3\0", flags=b"\0"):
    """A tag of ID3v2."""
    return b"ID3" + version + flags + syncsafe(len(frames) if size is None else size) + frames


def mp3s(sound):
    """MP3 files whose tags and headers lie; `sound` is an MP3 file without tags."""
    bomb = zlib.compress(b"\0" + b"A" * (96 << 20), 9)
    text = b"\3" + b"x\0y\x1b[2J\xff" * 20
    xing = sound[:36] + b"Xing" + struct.pack(">IIII", 15, 0xffffffff, 0xffffffff, 0) + b"\xff" * 100 + sound[160:]
    ape = (b"APETAGEX" + struct.pack("<IIII", 2000, 0xffffffff, 0xffffffff, 0x80000000) + b"\0" * 8)
    return {
        "endless tag": id3(b"", size=(1 << 28) - 1) + sound,
        "endless frame": id3(frame(b"TIT2", text, 0xffffffff)) + sound,
        "bomb": id3(frame(b"TXXX", struct.pack(">I", 96 << 20) + bomb, flags=b"\0\x80")) + sound,
        "nulls": id3(frame(b"TIT2", b"\1\xff\xfe" + b"\0\0a\0" * 900)) + sound,
        "odd UTF-16": id3(frame(b"TIT2", b"\1\xfe\xff\xd8\0\xdc") + frame(b"TPE1", b"\2\xd8")) + sound,
        "long": id3(frame(b"TIT2", b"\3" + b"\xc3\xbc" * 500_000)) + sound,
        "many": id3(frame(b"TPE1", b"\3artist") * 60_000) + sound,
        "picture": id3(frame(b"APIC", b"\0../../x\0\3\0" + b"\xff" * (6 << 20))) + sound,
        "empty picture": id3(frame(b"APIC", b"\0")) + sound,
        "lyrics": id3(frame(b"USLT", b"\3eng\0" + b"la\n" * 900_000)) + sound,
        "length": id3(frame(b"TLEN", b"\00099999999999999999999")) + sound, "xing": xing,
        "track": id3(frame(b"TRCK", b"\00099999999999999999999/-5") + frame(b"TDRC", b"\0-99999999999")) + sound,
        "version 9": id3(frame(b"TIT2", text), version=b"\x09\xff", flags=b"\xff") + sound, "ape": sound + ape,
        "v1": sound + b"TAG" + b"\x1b[31m\xff\xfe" * 18,
        "gain": id3(frame(b"RVA2", b"x\0\1\x7f\xff\xff" + b"\xff" * 40)) + sound,
    }


def comment_block(comments, count=None, vendor=b"v", last=True):
    """A block of comments of FLAC."""
    body = struct.pack("<I", len(vendor)) + vendor + struct.pack("<I", len(comments) if count is None else count)
    body += b"".join(struct.pack("<I", len(comment)) + comment for comment in comments)
    return bytes([4 | (128 if last else 0)]) + struct.pack(">I", len(body))[1:] + body


def flacs(sound):
    """FLAC files whose blocks lie; `sound` is a FLAC file."""
    info = sound[8:42]
    frames = sound[first_frame(sound):]

    def made(*blocks, stream=info):
        return b"fLaC\0\0\0\x22" + stream + b"".join(blocks) + frames
    picture = struct.pack(">II", 3, 0xffffffff) + b"image/png"
    gain = [b"REPLAYGAIN_TRACK_GAIN=" + value for value in (b"1e308 dB", b"nan", b"-inf dB", b"99999999999999 dB")]
    peaks = [b"REPLAYGAIN_TRACK_PEAK=" + value for value in (b"nan", b"1e-320", b"-1", b"0")]
    return {
        "count": made(comment_block([b"TITLE=x"], count=0xffffffff)), "vendor": made(b"\x84\0\0\x08" + b"\xff" * 8),
        "many": made(comment_block([b"ARTIST=a%d" % number for number in range(100_000)])),
        "long": made(comment_block([b"TITLE=" + b"t" * (8 << 20)])),
        "no equals": made(comment_block([b"x" * 99, b"", b"="])),
        "nulls": made(comment_block([b"TITLE=a\0b\nOK\nACK", b"TRACKNUMBER=99999999999999999999", b"DATE=\xff\xff"])),
        "gain": made(comment_block(gain)), "peak": made(comment_block([b"REPLAYGAIN_TRACK_GAIN=-5 dB", *peaks])),
        "picture": made(b"\x06" + struct.pack(">I", len(picture))[1:] + picture, comment_block([])),
        "short picture": made(b"\x86\xff\xff\xff" + picture),
        "samples": made(comment_block([]), stream=info[:13] + b"\xff" * 21),
        "rate": made(comment_block([]), stream=info[:10] + b"\xff\xff\xff\xff" + info[14:]),
        "no rate": made(comment_block([]), stream=info[:10] + b"\0\0\0\0" + info[14:]),
        "blocks": made(comment_block([]), stream=b"\0\0\xff\xff" + info[4:]),
        "endless blocks": made(b"\x01\0\0\0" * 200_000),
        "cue": made(b"\x05\0\x01\x90" + b"\xff" * 400, comment_block([b"CUESHEET=" + b"TRACK 99 AUDIO\nINDEX 01 99:99:99\n" * 20_000])),
        "seek": made(b"\x03\0\x17\x70" + b"\xff" * 6000, comment_block([])),
        "mood": made(comment_block([b"COMPILATION=" + b"9" * 4000, b"DISCNUMBER=-9223372036854775808", b"MUSICBRAINZ_TRACKID=\x1b[2J"])),
    }


def first_frame(sound):
    """Where the frames of a FLAC file begin."""
    place = 4
    while True:
        kind, size = sound[place], int.from_bytes(sound[place + 1:place + 4], "big")
        place += 4 + size
        if kind & 128:
            return place


def m4as(folder):
    """M4A files whose lengths lie."""
    source = folder / "sound.m4a"
    launch("audiotestsrc", "num-buffers=60", "!", "audio/x-raw,rate=44100,channels=2",
           "!", "voaacenc", "!", "mp4mux", "!", "filesink", f"location={source}")
    sound, made = source.read_bytes(), {}
    for name, values in (
        ("long", (0x840, 0x1ca, 0x000fffffffffffff)),
        ("longest", (0x840, 0x1ca, 0xffffffffffffffff)),
        ("delay", (0xffffffff, 0xffffffff, 1)),
        ("none", (0, 0, 0)),
        ("half", (0x7fffffff, 0, 1 <<62))):
        path = folder / f"{name}.m4a"
        path.write_bytes(sound)
        file = MP4(path)
        file["----:com.apple.iTunes:iTunSMPB"] = MP4FreeForm(b" " + LONG % values, AtomDataType.UTF8)
        file["trkn"], file["tmpo"] = [(65535, 0)], [65535]
        file.save()
        made[name] = path.read_bytes()
    for name, old, new in (("size", b"moov", b"moov"), ("scale", b"mvhd", b"mvhd"), ("samples", b"stsz", b"stsz"),
                           ("times", b"stts", b"stts"), ("chunks", b"stco", b"stco"), ("media", b"mdhd", b"mdhd")):
        place = sound.index(old)
        body = sound[:place] + new + b"\0\0\0\0" + b"\xff" * 16 + sound[place + 24:]
        made[f"{name} of all"] = body
        made[f"{name} of 64 bits"] = sound[:place - 4] + b"\0\0\0\1" + new + b"\x7f" + b"\xff" * 7 + sound[place + 12:]
    return made


def oggs(sound):
    """Ogg files whose pages lie; the sums of the pages are not looked at here, decoders leave such pages out."""
    vorbis = sound.index(b"\3vorbis")
    head = bytearray(sound)
    head[sound.index(b"\1vorbis") + 12:sound.index(b"\1vorbis") + 16] = b"\1\0\0\0"
    opus = b"OpusHead\1\2\xff\xff\1\0\0\0\x7f\xff\0"
    page = b"OggS\0\2" + b"\0" * 8 + b"\1\0\0\0\0\0\0\0" + b"\0\0\0\0" + b"\1" + bytes([len(opus)]) + opus
    return {
        "comments": summed(sound[:vorbis + 7] + b"\xff\xff\xff\xff" + sound[vorbis + 11:]),
        "1 Hz": summed(bytes(head)),
        "opus": summed(page) + sound,
        "granules": summed(sound.replace(b"OggS\0\4", b"OggS\0\4", 1), granule=(1 << 63) - 1),
        "negative": summed(sound, granule=1 << 63), "pages": sound[:5000] + b"OggS" * 50_000, "one page": sound[:100],
    }


def summed(sound, granule=None):
    """An Ogg file whose pages have right sums, and if wanted the last of them a time of its own."""
    pages, place = [], 0
    while sound[place:place + 4] == b"OggS" and place + 27 <= len(sound):
        size = 27 + sound[place + 26] + sum(sound[place + 27:place + 27 + sound[place + 26]])
        pages.append(bytearray(sound[place:place + size]))
        place += size
    if granule is not None:
        pages[-1][6:14] = struct.pack("<Q", granule)
    for page in pages:
        page[22:26] = b"\0\0\0\0"
        page[22:26] = struct.pack("<I", ogg_sum(page))
    return b"".join(pages) + sound[place:]


TABLE = []


def ogg_sum(page):
    """The sum of a page of Ogg."""
    if not TABLE:
        for number in range(256):
            value = number << 24
            for _ in range(8):
                value = (value << 1 ^ (0x04c11db7 if value & 1 << 31 else 0)) & 0xffffffff
            TABLE.append(value)
    value = 0
    for byte in page:
        value = (value << 8 ^ TABLE[value >> 24 ^ byte]) & 0xffffffff
    return value


def others():
    """Beginnings of rarer kinds, with the largest numbers behind them."""
    huge = b"\xff" * 4000
    aiff = b"COMM\0\0\0\x12\0\2\xff\xff\xff\xff\0\x10\x7f\xff" + b"\xff" * 8 + b"SSND\xff\xff\xff\xff" + huge
    return {
        "rate.aiff": b"FORM\xff\xff\xff\xffAIFF" + aiff, "slow.aiff": (
            b"FORM\0\0\xff\xffAIFFCOMM\0\0\0\x12\0\2\0\0\1\0\0\x10\x3f\xff\x80\0\0\0\0\0\0\0SSND\0\0\4\0" + b"\0" * 1032),
        "sizes.dsf": b"DSD " + struct.pack("<QQQ", 28, 1 << 63, 1 << 63) + b"fmt " + struct.pack("<Q", 1 << 62) + huge,
        "rate.dsf": (b"DSD " + struct.pack("<QQQ", 28, 9000, 0) + b"fmt " + struct.pack("<QIIIIIIQII", 52, 1, 0, 2, 2, 1, 1,
                     1 << 63, 4096, 0) + b"data" + struct.pack("<Q", 8204) + b"\x69" * 8192),
        "sizes.dff": b"FRM8" + b"\xff" * 8 + b"DSD " + huge,
        "a.wv": b"wvpk" + huge,
        "b.ape": b"MAC \x96\x0f\0\0" + huge,
        "c.mpc": b"MPCKSH\xff" + huge, "d.tta": b"TTA1\1\0\2\0\x10\0" + huge, "e.wma": (
            bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + huge), "f.mka": bytes.fromhex("1a45dfa3") + huge,
        "g.webm": bytes.fromhex("1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701") + huge,
        "h.spx": b"OggS\0\2" + b"\0" * 20 + b"\1\x50Speex   " + huge,
        "i.aac": b"\xff\xf1\xff" * 3000,
        "j.mp2": b"\xff\xfd\xff" * 3000,
    }


def disguised(trap):
    """Texts and pictures under the names of songs, which ask a player to look elsewhere at the address `trap`."""
    live = f"#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n{trap}/part.ts\n#EXTINF:5,\nfile:///etc/passwd\n"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="{trap}/a"/></svg>'
    return {name: text.encode() if isinstance(text, str) else text for name, text in {
        "list.mp3": live,
        "list.flac": live,
        "master.m4a": f"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n{trap}/low.m3u8\n",
        "dash.mp4": f'<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration='
                    f'"PT9S"><BaseURL>{trap}/</BaseURL><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" '
                    f'bandwidth="1"><BaseURL>a.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>',
        "smooth.wma": f'<?xml version="1.0"?><SmoothStreamingMedia Duration="9" Url="{trap}"></SmoothStreamingMedia>',
        "sdp.ogg": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
        "rtsp.mp3": "RTSPtext\nrtsp://127.0.0.1:9/x\n",
        "asx.mp3": f'<asx version="3.0"><entry><ref href="{trap}/x"/></entry></asx>',
        "xspf.ogg": f'<playlist version="1"><trackList><track><location>{trap}/x</location></track></trackList></playlist>',
        "pls.wav": f"[playlist]\nFile1={trap}/x\nNumberOfEntries=2147483647\n", "m3u.mp3": f"{trap}/x\n" * 10,
        "ref.mp3": f"[Reference]\nRef1={trap}/x\n", "words.mp3": "1\n00:00:01,000 --> 00:00:02,000\n<b>x\n" * 500,
        "svg.flac": svg,
        "laughs.ogg": laughs(),
        "png.mp3": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\2\0\0\0",
        "gz.flac": gzip.compress(b"\0" * (16 << 20)),
        "page.m4a": f'<html><meta http-equiv="refresh" content="0;{trap}/x"></html>',
        "swf.mp3": b"FWS\x0a" + b"\xff" * 99,
        "elf.wv": b"\x7fELF" + b"\2" * 99,
        "midi.wav": b"MThd\0\0\0\6\0\1\xff\xff\xff\xff" * 50,
        "uri.mp3": f"uri={trap}/x",
        "ram.ra.mp3": f"{trap}/x.rm\n--stop--\n",
        "cmml.ogg": f'<cmml><stream><import src="{trap}"/></stream></cmml>',
    }.items()}


def laughs():
    """A thousand million laughs in XML, and a file of the system."""
    entities = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    return (
    f'<?xml version="1.0"?><!DOCTYPE playlist [{entities}<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    '<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>http://127.0.0.1/&a9;</location>'
    "<title>&f;</title></track></trackList></playlist>")


def flipped(sound, seed, count=12):
    """A file with bits changed at random, several times."""
    chance, made = random.Random(seed), {}
    for number in range(count):
        body = bytearray(sound)
        for _ in range(chance.randrange(1, 60)):
            # Headers stand in front, so that most changes hit them.
            place = chance.randrange(min(len(body), 600)) if chance.random() < 0.8 else chance.randrange(len(body))
            body[place] = chance.choice((0, 255, 127, 128, chance.randrange(256)))
        made[f"{seed}-{number}"] = bytes(body[:chance.randrange(200, len(body))] if number % 5 == 4 else body)
    return made


def torn(folder):
    """Files of Ogg, MP4 and Matroska that end early, lost a piece, or have bits changed at random."""
    chance, made = random.Random(5), {}
    for name, encoder in (("vorbis.ogg", ("vorbisenc", "!", "oggmux")), ("flac.ogg", ("flacenc", "!", "oggmux")),
                          ("aac.m4a", ("voaacenc", "!", "mp4mux")), ("vorbis.mka", ("vorbisenc", "!", "matroskamux"))):
        whole = folder / name
        launch("audiotestsrc", "wave=pink-noise", "num-buffers=200", "!", "audio/x-raw,rate=44100,channels=2",
               "!", "audioconvert", "!", *encoder, "!", "filesink", f"location={whole}")
        sound = whole.read_bytes()
        for size in (60, 200, 1000, 4000, 8000, len(sound) // 2, len(sound) - 5):
            made[f"cut {size} {name}"] = sound[:size]
        for number, body in enumerate(flipped(sound, chance.random()).values()):
            made[f"flipped {number} {name}"] = body
        made[f"empty {name}"] = sound[:4096] + bytes(len(sound) - 4096)
    return made


def without_tags(path):
    """An MP3 file's sound."""
    data = path.read_bytes()
    size = 0
    for byte in data[6:10]:
        size = size << 7 | byte
    return data[10 + size:] if data[:3] == b"ID3" else data


def endless_tags():
    """ID3 tags of many frames of a kind, and of one with many texts."""
    def tag(frames):
        frames = b"".join(name + syncsafe(len(text)) + b"\0\0" + text for name, text in frames)
        return b"ID3\4\0\0" + syncsafe(len(frames)) + frames
    texts = [b"%d" % number for number in range(40_000)]
    return {"frames": tag((b"TPE1", b"\3" + text) for text in texts), "texts": tag([(b"TPE1", b"\3" + b"\0".join(texts))]),
            "blobs": tag((b"PRIV", text) for text in texts)}


def in_wav(tag):
    """A WAV file with an ID3 tag."""
    return wav() + b"id3 " + struct.pack("<I", len(tag)) + tag


def small_flac(path, folder):
    """A FLAC file without tags and pictures."""
    target = folder / "bare.flac"
    target.write_bytes(path.read_bytes())
    file = FLAC(target)
    file.clear_pictures()
    file.delete()
    return target.read_bytes()


def sparse(path, size, head=b""):
    """A file that is said to be large and takes no room."""
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(size)


def make_fifo(path):
    """A named pipe without a writer."""
    subprocess.run(["mkfifo", str(path)], check=True)
