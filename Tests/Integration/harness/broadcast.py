"""Live broadcasts in HLS: playlists whose pieces roll on, from a web server of this machine."""
import http.server
import math
import pathlib
import struct
import threading
import time

from .certificates import openssl
from .music import RATE, TONES, frequency, launch, write_wav
from .processes import free_port
from .radio import hang_up

MEDIA = {"ts": "video/mp2t", "aac": "audio/aac", "mp3": "audio/mpeg"}


def pieces(folder, kind, length=1):
    """The pieces of a broadcast as bytes: each has a tone of its own for `length` seconds, and follows the one before
    without a seam."""
    folder = pathlib.Path(folder) / f"pieces-{kind}-{length}"
    if not folder.exists():
        folder.mkdir()
        _encode(folder, kind, length)
    return [path.read_bytes() for path in sorted(folder.glob("piece*"))]


def _encode(folder, kind, length):
    phase, samples = 0.0, bytearray()
    for number in range(TONES):
        step = 2 * math.pi * frequency(number) / RATE
        for _ in range(length * RATE):
            phase += step
            value = int(20000 * math.sin(phase))
            samples += struct.pack("<hh", value, value)
    write_wav(folder / "whole.wav", bytes(samples))
    encoder = ["lamemp3enc", "target=bitrate", "bitrate=128", "cbr=true", "!", "mpegaudioparse"]
    if kind != "mp3":
        encoder = ["voaacenc", "bitrate=128000", "!", "aacparse", "!", "audio/mpeg,stream-format=adts"]
    encoder += ["!", "mpegtsmux"] if kind == "ts" else []
    launch("filesrc", f"location={folder}/whole.wav", "!", "wavparse", "!", "audioconvert", "!", *encoder,
           "!", "filesink", f"location={folder}/whole")
    whole = (folder / "whole").read_bytes()
    cut = {"ts": _transport_frames, "aac": _aac_frames, "mp3": _mp3_frames}[kind](whole)
    for number in range(TONES):
        first, end = (f"{bound * length * RATE // cut.size}" for bound in (number, number + 1))
        last = len(cut.frames) if number == TONES - 1 else int(end)
        (folder / f"piece{number:02}").write_bytes(cut.head + b"".join(cut.frames[int(first):last]))


class Frames:
    """A sound cut into frames of `size` samples; every piece begins with `head`."""

    def __init__(self, frames, size, head=b""):
        self.frames, self.size, self.head = frames, size, head


def _aac_frames(sound):
    frames, place = [], 0
    while place + 7 <= len(sound):
        size = (sound[place + 3] & 3) << 11 | sound[place + 4] << 3 | sound[place + 5] >> 5
        frames.append(sound[place:place + size])
        place += size
    return Frames(frames, 1024)


def _mp3_frames(sound):
    frames, place = [], 0
    while place + 4 <= len(sound):
        # 128 kbit/s at 44.1 kHz.
        size = 417 + (sound[place + 2] >> 1 & 1)
        frames.append(sound[place:place + size])
        place += size
    return Frames(frames, 1152)


def _transport_frames(sound):
    """Cuts a transport stream at the packets that begin a frame of sound."""
    tables, frames, program = {}, [], None
    for place in range(0, len(sound) - 187, 188):
        packet = sound[place:place + 188]
        number = (packet[1] & 31) << 8 | packet[2]
        if number == 0:
            tables[0] = packet
            # Behind the table's start and its eight bytes stands the number of the program's own table.
            table = 5 + (1 + packet[4] if packet[3] & 32 else 0)
            program = (packet[table + 10] & 31) << 8 | packet[table + 11]
        elif number == program:
            tables[1] = packet
        elif number != 17:
            if packet[1] & 64 or not frames:
                frames.append(b"")
            frames[-1] += packet
    return Frames(frames, 1024, tables[0] + tables[1])


class Broadcast:
    """A live broadcast: its playlist names the newest pieces, and goes on as time does.

    `window` is how many pieces it names, `first` the number of the first of them. With `key` the pieces are encrypted
    (AES-128), with `variants` the address is that of a list of playlists. One that `waits` is never further ahead of its
    listener than its playlist is long, however busy the machine is.
    """

    def __init__(self, folder, kind="ts", length=1, window=6, first=1, key=None, variants=False, waits=False):
        self.kind, self.length, self.window, self.key, self.variants = kind, length, window, key, variants
        self.first, self.waits = first, waits
        self.fetched = first - 1
        """The newest piece that was asked for."""
        self.pieces = pieces(folder, kind, length)
        if key:
            self.pieces = [_encrypted(piece, key, number) for number, piece in enumerate(self.pieces)]
        self.began = time.monotonic()
        """When the first pieces were sent."""
        self.missing = set()
        """The numbers of pieces that are not there though the playlist names them."""
        self.requests = []
        """The paths that were asked for."""
        self.frozen = None
        """The number of the newest piece when the broadcast stands still; nil while it goes on."""
        self.over = False
        """Whether the broadcast says that it has come to its end."""
        self.port = free_port()
        self.server = None
        self.connections = set()
        self.is_refusing = False
        self.listen()

    def begin(self):
        """Begins again with the first piece."""
        self.began = time.monotonic()

    @property
    def url(self):
        """Where the broadcast is."""
        return f"http://127.0.0.1:{self.port}/live/{'master' if self.variants else 'list'}.m3u8"

    def listen(self):
        """Lets listeners in, on the same port as before."""
        broadcast = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers one listener."""
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                broadcast.connections.add(self.connection)
                if broadcast.is_refusing:
                    # It was accepted before, and is not among those that were hung up.
                    hang_up(self.connection)

            def finish(self):
                broadcast.connections.discard(self.connection)

            def do_GET(self):
                broadcast.requests.append(self.path)
                content_type, body = broadcast.answer(self.path.split("?")[0])
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            """Says nothing of listeners who hang up."""
            def handle_error(self, *_):
                pass

        self.is_refusing = False
        self.server = Server(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def refuse(self):
        """Hangs up and lets no client in until `listen`; the broadcast goes on meanwhile."""
        self.is_refusing = True
        self.server.shutdown()
        self.server.server_close()
        for connection in list(self.connections):
            hang_up(connection)

    close = refuse

    @property
    def newest(self):
        """The number of the newest piece."""
        if self.frozen is not None:
            return self.frozen
        newest = self.first + self.window - 1 + int((time.monotonic() - self.began) / self.length)
        return min(newest, self.fetched + self.window) if self.waits else newest

    def go_on(self):
        """Goes on with the piece after that at which it stood still."""
        self.began = time.monotonic() - (self.frozen + 2 - self.first - self.window) * self.length
        self.frozen = None

    def answer(self, path):
        """Content type and body; no body for what isn't there."""
        name = path.removeprefix("/live/")
        playlist = "application/vnd.apple.mpegurl"
        if name == "master.m3u8":
            return playlist, self._variants().encode()
        if name == "key":
            return "application/octet-stream", self.key
        if name.endswith("list.m3u8"):
            return playlist, self._playlist().encode()
        number = int(name.removeprefix("low/").removeprefix("piece").split(".")[0])
        # A piece that has fallen out of the list stays for a while.
        if number in self.missing or not self.newest - 2 * self.window < number <= self.newest:
            return "text/plain", None
        self.fetched = max(self.fetched, number)
        return MEDIA[self.kind], self.pieces[number % TONES]

    def _variants(self):
        codecs = 'CODECS="mp4a.40.2"' if self.kind != "mp3" else 'CODECS="mp4a.40.34"'
        return ("#EXTM3U\n#EXT-X-VERSION:3\n"
                f"#EXT-X-STREAM-INF:BANDWIDTH=64000,{codecs}\nlow/list.m3u8\n"
                f"#EXT-X-STREAM-INF:BANDWIDTH=140000,{codecs}\nlist.m3u8\n")

    def _playlist(self):
        newest = self.newest
        first = newest - self.window + 1
        lines = ["#EXTM3U", "#EXT-X-VERSION:3", f"#EXT-X-TARGETDURATION:{self.length}",
                 f"#EXT-X-MEDIA-SEQUENCE:{first}", f"#EXT-X-DISCONTINUITY-SEQUENCE:{(first - 1) // TONES}"]
        if self.key:
            lines.append('#EXT-X-KEY:METHOD=AES-128,URI="key"')
        for number in range(first, newest + 1):
            if number % TONES == 0:
                lines.append("#EXT-X-DISCONTINUITY")
            suffix = {"ts": "ts", "aac": "aac", "mp3": "mp3"}[self.kind]
            lines += [f"#EXTINF:{self.length:.3f},", f"piece{number}.{suffix}"]
        return "\n".join(lines + (["#EXT-X-ENDLIST"] if self.over else [])) + "\n"


def _encrypted(piece, key, number):
    """AES-128 in CBC, padded; the number of the piece, which repeats here only after `TONES` pieces, is the vector."""
    return openssl("enc", "-aes-128-cbc", "-K", key.hex(), "-iv", f"{number:032x}", piped=piece)


def tones(samples, every=0.1):
    """The tones that are heard, as (number, seconds) in their order; None where there is none."""
    heard = []
    step = int(every * RATE)
    for start in range(0, len(samples) // 4 - step + 1, step):
        left = struct.unpack(f"<{step * 2}h", samples[start * 4:(start + step) * 4])[::8]
        number = max(range(TONES), key=lambda number: _power(left, frequency(number)))
        loud = _power(left, frequency(number)) > 0.05
        number = number if loud else None
        if heard and heard[-1][0] == number:
            heard[-1][1] = round(heard[-1][1] + every, 1)
        else:
            heard.append([number, every])
    return [tuple(entry) for entry in heard]


def assert_whole(heard, length=1, least=6):
    """Every tone came in its turn, whole, and nothing in between; the first and the last may be cut."""
    numbers = [number for number, _ in heard]
    assert len(heard) >= least and None not in numbers, heard
    assert_in_turn(heard, max(numbers) + 1 if max(numbers) < TONES - 1 else TONES)
    assert all(abs(seconds - length) < 0.25 for _, seconds in heard[1:-1]), heard


def assert_in_turn(heard, count=TONES):
    """The tones came in their turn, with silence at most between them."""
    numbers = [number for number, _ in heard if number is not None]
    turns = [number for place, number in enumerate(numbers) if place == 0 or number != numbers[place - 1]]
    assert all(later == (number + 1) % count for number, later in zip(turns, turns[1:])), heard


def _power(samples, tone):
    """Of every fourth sample."""
    step = 2 * math.pi * tone / (RATE / 4)
    real = sum(value * math.cos(step * index) for index, value in enumerate(samples))
    imaginary = sum(value * math.sin(step * index) for index, value in enumerate(samples))
    return 2 * math.hypot(real, imaginary) / len(samples) / 32768
