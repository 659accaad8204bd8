"""What desktop clients need: a private D-Bus session, and a virtual screen."""
import os
import re
import struct
import subprocess
import zlib

from harness.message_bus import MessageBus
from harness.processes import Daemon
from harness.waiting import wait_for

from .driving import PATIENCE

PLAYER = "org.mpris.MediaPlayer2.Player"


class SessionBus(MessageBus):
    """A D-Bus session of the test's own."""

    def gdbus(self, name, path, method, *arguments):
        """Calls a method and returns what gdbus prints; OSError without an answer."""
        done = subprocess.run(
            ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method,
             *map(str, arguments)], text=True, capture_output=True, timeout=PATIENCE,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": self.address})
        if done.returncode != 0:
            raise OSError(done.stderr)
        return done.stdout.strip()


class MediaPlayer:
    """A player with MPRIS on a bus."""

    def __init__(self, bus, name):
        self.bus = bus
        self.name = f"org.mpris.MediaPlayer2.{name}"

    def call(self, method, *arguments):
        """Calls a method of the player."""
        return self.bus.gdbus(self.name, "/org/mpris/MediaPlayer2", f"{PLAYER}.{method}", *arguments)

    def property(self, name):
        """A property as gdbus prints it."""
        return self.bus.gdbus(self.name, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Get", PLAYER, name)

    def set(self, name, value):
        """Sets a property; `value` in GVariant's text form."""
        self.bus.gdbus(self.name, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Set", PLAYER, name, value)


class Screen(Daemon):
    """Xvfb, whose picture can be saved."""

    def __init__(self, folder):
        super().__init__(folder / "xvfb.log")
        self.folder = folder
        self.display = ""

    def start(self):
        """Starts it on a free display."""
        self.launch(["Xvfb", "-displayfd", "1", "-screen", "0", "1200x800x24", "-fbdir", self.folder,
                     "-nolisten", "tcp"], dict(os.environ))
        self.display = ":" + wait_for(lambda: re.search(r"^(\d+)$", self.log, re.MULTILINE), PATIENCE, "the display")[1]
        return self

    def rows(self):
        """The picture's rows as red, green and blue bytes."""
        data = (self.folder / "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", data[:100])
        width, height, line = header[4], header[5], header[12]
        start = header[0] + header[19] * 12
        rows = []
        for number in range(height):
            pixels = data[start + number * line:start + number * line + width * 4]
            row = bytearray(width * 3)
            row[0::3], row[1::3], row[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
            rows.append(bytes(row))
        return width, rows

    def save(self, path):
        """Writes a PNG; returns how many colours it has."""
        width, rows = self.rows()

        def chunk(kind, content):
            return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b""))
        return len({row[i:i + 3] for row in rows for i in range(0, len(row), 3)})
