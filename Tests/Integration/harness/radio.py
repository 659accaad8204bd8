"""Internet radio on this machine: stations that sound, say what they play, and fail on demand."""
import datetime
import io
import math
import pathlib
import socket
import ssl
import struct
import threading
import time

import mutagen
from mutagen.ogg import OggPage

from .certificates import openssl
from .music import RATE, frequency, generate, launch
from .processes import free_port

ENCODERS = {
    "mp3": ("audio/mpeg", ("lamemp3enc", "target=bitrate", "bitrate=128", "cbr=true")),
    "aac": ("audio/aac", ("voaacenc", "bitrate=128000", "!", "aacparse", "!", "audio/mpeg,stream-format=adts")),
    "ogg": ("audio/ogg", ("vorbisenc", "!", "oggmux")),
}
METADATA_INTERVAL = 8192


def encoded(folder, kind, frequency, seconds=20):
    """A tone as a station sends it, with its content type."""
    content_type, encoder = ENCODERS[kind]
    path = pathlib.Path(folder) / f"{frequency}.{kind}"
    if not path.exists():
        generate(path, seconds, encoder, frequency=frequency)
    return path.read_bytes(), content_type


def renumbered(sound, serial):
    """An Ogg stream with another serial number."""
    file, pages = io.BytesIO(sound), b""
    while file.tell() < len(sound):
        page = OggPage(file)
        page.serial = serial
        pages += page.write()
    return pages


def chained(folder, kind, parts, seconds, serial=None):
    """Tones one after the other, each in an Ogg stream of its own with its own tags, rate and channels, as content
    type, sound and bytes a second. With a serial number all of them have that."""
    encoder = {"ogg": ["vorbisenc"], "opus": ["opusenc"], "flac": ["flacenc", "!", "flacparse"]}[kind]
    sound = b""
    for number, (rate, channels) in enumerate(parts):
        path = pathlib.Path(folder) / f"part{number}.{'oga' if kind == 'flac' else kind}"
        launch("audiotestsrc", f"freq={frequency(number)}", f"num-buffers={seconds * 10}",
               f"samplesperbuffer={rate // 10}", "!", f"audio/x-raw,rate={rate},channels={channels}", "!",
               "audioconvert", "!", *encoder, "!", "oggmux", "!", "filesink", f"location={path}")
        file = mutagen.File(path)
        file["title"], file["artist"] = f"Title {number}", f"Artist {number}"
        file.save()
        part = path.read_bytes()
        sound += part if serial is None else renumbered(part, serial)
    return "application/ogg", sound, len(sound) / seconds / len(parts)


class Station:
    """A web server on a port of its own that sends one sound without an end, at the speed at which it plays.

    `mode` says what happens to listeners that come: "plays", "silent" (an answer, but no sound), "mute" (no answer
    at all), "stalled" (no more sound), "garbage", "page" (a web page), "private" (it wants ada's password), or a
    number, which is the status that is answered. `head` replaces the answer's first lines. With `certificate`, the
    path of a file, it speaks TLS.
    """

    def __init__(self, sound, content_type="audio/mpeg", seconds=20, name="Test FM", burst=2, mode="plays", head=None,
                 certificate=None):
        self.head, self.certificate = head, certificate
        self.sound, self.content_type, self.name, self.burst, self.mode = sound, content_type, name, burst, mode
        self.speed = len(sound) / seconds
        self.title = "Nobody - Nothing"
        self.connections = []
        """When each listener came, and what it asked for."""
        self.bytes_sent = 0
        self.files = {}
        """What else is served: (content type, bytes) by path."""
        self.redirects = {}
        """Where else a path leads."""
        self.sockets = set()
        self.lock = threading.Lock()
        self.is_refusing = False
        self.listener = None
        self.port = free_port()
        self.listen()

    @property
    def url(self):
        """Where the stream is."""
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}/live"

    @property
    def listeners(self):
        """How many are connected."""
        return len(self.sockets)

    @property
    def listened(self):
        """How often the stream was asked for."""
        return sum(path.startswith("/live") for _, path, _ in self.connections)

    def listen(self):
        """Accepts listeners, on the same port as before."""
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(16)
        self.is_refusing = False
        self.port = listener.getsockname()[1]
        self.listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def drop(self):
        """Hangs up on everybody."""
        with self.lock:
            sockets, self.sockets = self.sockets, set()
        for client in sockets:
            hang_up(client)

    def refuse(self):
        """Hangs up and lets no client in until `listen`, also none that was accepted already and is yet to ask."""
        self.is_refusing = True
        hang_up(self.listener)
        self.drop()

    close = refuse

    def _accept(self, listener):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self.certificate:
                client = self._encrypted(client)
            request = b""
            while b"\r\n\r\n" not in request:
                data = client.recv(4096)
                if not data:
                    return
                request += data
            head = request.decode("latin-1")
            path = head.split(" ")[1]
            with self.lock:
                if self.is_refusing:
                    return
                self.connections.append((time.monotonic(), path, head))
                self.sockets.add(client)
            if self.mode == "private" and "\r\nAuthorization: Basic YWRhOnNlY3JldA==\r\n" not in head:
                client.sendall(b'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm="fm"\r\nContent-Length: 0\r\n'
                               b"Connection: close\r\n\r\n")
                return
            self._answer(client, path, "icy-metadata: 1" in head.lower())
        except OSError:
            pass
        finally:
            with self.lock:
                self.sockets.discard(client)
            hang_up(client)

    def _encrypted(self, client):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        return context.wrap_socket(client, server_side=True)

    def _answer(self, client, path, wants_titles):
        name = path.split("?")[0]
        if name in self.redirects:
            client.sendall(f"HTTP/1.1 302 Found\r\nLocation: {self.redirects[name]}\r\nContent-Length: 0\r\n"
                           "Connection: close\r\n\r\n".encode())
            return
        if name in self.files:
            content_type, data = self.files[name]
            client.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(data)}\r\n"
                           "Connection: close\r\n\r\n".encode() + data)
            return
        if name != "/live":
            client.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        if isinstance(self.mode, int):
            client.sendall(f"HTTP/1.1 {self.mode} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
            return
        if self.mode == "mute":
            self._wait(client)
            return
        if self.mode == "page":
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n"
                           b"<!DOCTYPE html><html><body>Click here to listen!</body></html>" * 40)
            return
        titles = f"icy-metaint: {METADATA_INTERVAL}\r\n" if wants_titles else ""
        head = self.head or (f"HTTP/1.0 200 OK\r\nContent-Type: {self.content_type}\r\nicy-name: {self.name}\r\n"
                             "icy-br: 128\r\n")
        client.sendall(f"{head}{titles}\r\n".encode("latin-1"))
        if self.mode == "silent":
            self._wait(client)
        elif self.mode == "garbage":
            client.sendall(bytes(range(256)) * 2000)
            self._wait(client)
        else:
            self._stream(client, bool(wants_titles))

    @staticmethod
    def _wait(client):
        """Says nothing until the listener goes."""
        while client.recv(4096):
            pass

    def _stream(self, client, with_titles):
        began, sent, told = time.monotonic(), 0, None
        while True:
            due = int((time.monotonic() - began + self.burst) * self.speed)
            if sent >= due or self.mode == "stalled":
                time.sleep(0.02)
                continue
            start = sent % len(self.sound)
            room = METADATA_INTERVAL - sent % METADATA_INTERVAL if with_titles else 4096
            piece = self.sound[start:start + min(room, due - sent)]
            client.sendall(piece)
            sent += len(piece)
            self.bytes_sent += len(piece)
            if with_titles and sent % METADATA_INTERVAL == 0:
                title = self.title if isinstance(self.title, bytes) else self.title.encode()
                text = b"" if told == self.title else b"StreamTitle='" + title + b"';StreamUrl='';"
                told = self.title
                size = (len(text) + 15) // 16
                client.sendall(bytes([size]) + text.ljust(size * 16, b"\0"))


def self_signed(folder, name="certificate", subject="IP:127.0.0.1", days=2):
    """The path of a certificate with its key that no authority vouches for; with negative days it is out of date."""
    path = pathlib.Path(folder) / f"{name}.pem"
    now = datetime.datetime.now(datetime.timezone.utc)
    end = now + datetime.timedelta(days=days)
    times = [f"{moment:%Y%m%d%H%M%SZ}" for moment in (end - datetime.timedelta(days=30), end)]
    request, serial = path.with_suffix(".csr"), path.with_suffix(".ca")
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path,
            "-subj", f"/CN={name}", "-addext", f"subjectAltName={subject}", "-out", request)
    # Only `openssl ca` lets one choose both ends of the time in every version.
    serial.mkdir(exist_ok=True)
    (serial / "index").write_text("")
    (serial / "conf").write_text(
        f"[ca]\ndefault_ca = own\n[own]\ndatabase = {serial}/index\nnew_certs_dir = {serial}\nrand_serial = yes\n"
        "default_md = sha256\npolicy = any\ncopy_extensions = copy\n[any]\ncommonName = supplied\n")
    openssl("ca", "-batch", "-config", serial / "conf", "-selfsign", "-keyfile", path, "-in", request, "-out",
            f"{path}.crt", "-startdate", times[0], "-enddate", times[1], "-notext")
    path.write_bytes(path.read_bytes() + pathlib.Path(f"{path}.crt").read_bytes())
    return path


def vouched(folder):
    """The paths of an authority's certificate and of one with its key that the authority has signed."""
    folder = pathlib.Path(folder)
    authority, own = folder / "authority.pem", folder / "vouched.pem"
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *curve, "-subj", "/CN=Test Authority", "-days", "2", "-keyout", folder / "authority.key",
            "-out", authority, "-addext", "keyUsage=critical,keyCertSign")
    openssl("req", "-new", *curve, "-subj", "/CN=127.0.0.1", "-keyout", own, "-out", folder / "vouched.csr")
    (folder / "vouched.ext").write_text("subjectAltName=IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", folder / "vouched.csr", "-CA", authority, "-CAkey", folder / "authority.key",
            "-CAcreateserial", "-days", "2", "-extfile", folder / "vouched.ext", "-out", folder / "vouched.crt")
    own.write_bytes(own.read_bytes() + (folder / "vouched.crt").read_bytes())
    return authority, own


def zap(server, url):
    """Has a server play a URL and nothing else; returns the client."""
    client = server.client()
    client.clear()
    client.clearerror()
    client.add(url)
    client.play(0)
    return client


def hang_up(connection):
    """Closes a socket, whatever waits on it."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    connection.close()


def hls(folder, frequency, seconds=12, length=2):
    """Files of a recording in HLS as they are at the end of a broadcast: a playlist and its segments."""
    folder = pathlib.Path(folder)
    launch("audiotestsrc", f"freq={frequency}", f"num-buffers={seconds * 10}", f"samplesperbuffer={RATE // 10}", "!",
           f"audio/x-raw,rate={RATE},channels=2", "!", "voaacenc", "!", "aacparse", "!", "mpegtsmux", "!", "hlssink",
           f"location={folder}/segment%05d.ts", f"playlist-location={folder}/list.m3u8", f"target-duration={length}",
           "max-files=100", "playlist-length=0")
    files = {f"/{path.name}": ("video/mp2t", path.read_bytes()) for path in folder.glob("segment*.ts")}
    files["/list.m3u8"] = ("application/vnd.apple.mpegurl", (folder / "list.m3u8").read_bytes())
    return files


def loudness(samples, frequency, at, seconds=0.1):
    """How loud a tone is in 16 bit stereo samples, from 0 to about 1, at a place in seconds."""
    start = int(at * RATE) * 4
    piece = samples[start:start + int(seconds * RATE) * 4]
    left = struct.unpack(f"<{len(piece) // 2}h", piece)[::2]
    if not left:
        return 0.0
    step = 2 * math.pi * frequency / RATE
    real = sum(value * math.cos(step * index) for index, value in enumerate(left))
    imaginary = sum(value * math.sin(step * index) for index, value in enumerate(left))
    return 2 * math.hypot(real, imaginary) / len(left) / 32768
