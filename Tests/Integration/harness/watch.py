"""Watches a server under attack: it lives, answers others quickly, stays small, and after all attacks of a file starts
again on its state."""
import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
import time

from .clients import RawClient
from .observer import delays, longest_delay
from .processes import can_connect_to
from .segue import binary
from .waiting import wait_for

IS_RELEASE = binary().parent.name != "debug"
IS_OPTIMISED = IS_RELEASE or "optimised" in binary().parts
"""Whether Segue's own code is optimised, as in the build that `SEGUE_OPTIMISED=1` makes, where its packages are not (decision 148)."""
SLOWNESS = float(os.environ.get("SEGUE_SLOWNESS", 1 if IS_RELEASE else 3 if IS_OPTIMISED else 8))
"""By what promised times are multiplied where a test asserts them: so much slower than a release may the program be."""
PATIENCE = float(os.environ.get("SEGUE_PATIENCE", 1 if IS_RELEASE else 8))
"""By what time-outs are multiplied, how long a test waits for something at the most: they cost time only in a failure,
and machines that test several servers at once are slow now and then."""
LATENCY = 0.25
"""Seconds within which another client's `status` is answered, without those in which the machine was busy."""
MEMORY = 250
"""Mebibytes that the process may take at the most."""
ENDING = 3
"""Seconds within which the process ends, without those in which the machine was busy."""


def quoted(text):
    """An argument in quotes."""
    return b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'


def drain(connection):
    """Reads what comes until the connection ends."""
    with contextlib.suppress(OSError, ValueError):
        while connection.recv(1 << 20):
            pass


def waiting_bytes(connection):
    """How many bytes have come over a connection that nobody has read."""
    return struct.unpack("i", fcntl.ioctl(connection, termios.FIONREAD, b"\0" * 4))[0]


def has_bytes(connection, count):
    """Whether more than so many bytes wait at a connection that nobody reads, or it was closed."""
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) or waiting_bytes(connection) > count
    except BlockingIOError:
        return False
    except OSError:
        return True


def send_until_stuck(connection, data):
    """Sends the same over and over until the server takes no more, or closes the connection."""
    connection.setblocking(False)
    with contextlib.suppress(OSError):
        while True:
            connection.send(data)


class Watch:
    """What one attack is judged by; `verify` is called by conftest.py after the test's own assertions."""

    def __init__(self, server, songs):
        self.server, self.songs = server, songs
        self.memory_limit = MEMORY
        # Whether the server is started again after this attack, and not only after all of the file.
        self.restarts = False
        # Seconds that 99 of 100 answers take at the most. It is asked of releases: of others, whose packages are not
        # optimised, it says more about the machine.
        self.usual_latency = None
        self.over_socket = False
        self._observer = None

    def __enter__(self):
        self._forget_peak()
        self._observer = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("observer.py")), self.server.host,
             str(self.server.port), str(self.server.process.pid)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._observer.stdout.readline() == "ready\n", "the observer could not connect"
        return self

    def __exit__(self, *_):
        self._observer.kill()
        self._observer.communicate()

    def begin_again(self, *forgotten):
        """Starts the server anew, without the folders of its cache that are named, and watches it from then on."""
        self.__exit__()
        self.server.stop(seconds=20 * PATIENCE)
        for name in forgotten:
            shutil.rmtree(self.server.folder / "cache" / name, ignore_errors=True)
        self.server.start()
        self.__enter__()

    # MARK: For attacks

    def raw(self, timeout=20 * PATIENCE, over_socket=False):
        """A connection that sends exactly what it is told."""
        return RawClient(self.server, timeout, over_socket)

    def ask(self, *lines, over_socket=False):
        """Sends lines on one connection; gives the last line of each answer, None where the connection was closed."""
        with self.raw(over_socket=over_socket) as client:
            answers = []
            for line in lines:
                try:
                    client.send(line if line.endswith(b"\n") else line + b"\n")
                    answers.append(client.answer_or_end())
                except (BrokenPipeError, ConnectionResetError):
                    answers.append(None)
            return answers

    def lines(self, line):
        """The whole answer to one line."""
        with self.raw() as client:
            return client.ask(line)

    # MARK: The verdict

    def verify(self):
        """Fails unless the server withstood the attack."""
        self.server.fail_unless_running()
        report = self._end_observing()
        self.server.fail_unless_running()
        assert not report["error"], f"another client lost its connection: {report['error']}"
        limit = LATENCY * SLOWNESS
        assert report["worst"] < limit, (
            f"another client waited {report['worst']:.2f} s for its status ({report['worst_raw']:.2f} s with what other "
            f"programs took), {limit:.2f} s are allowed; {report['answers']} answers")
        if self.usual_latency is not None and IS_RELEASE:
            usual, limit = report["percentile_99"], self.usual_latency * SLOWNESS
            assert usual < limit, f"one of a hundred answers took {usual * 1000:.1f} ms, {limit * 1000:.1f} are allowed"
        peak = self.peak_memory()
        assert peak < self.memory_limit, f"the process took {peak} MiB, {self.memory_limit} are allowed"
        if self.restarts:
            self.restart()

    def restart(self):
        """Ends the server and starts it again on its state."""
        status, seconds = self._stop()
        assert status == 0, f"the process ended with {status}:\n{self.server.log[-3000:]}"
        assert seconds < ENDING * SLOWNESS, f"it took {seconds:.1f} s to end"
        self.server.start()
        if self.over_socket:
            # The port is bound first.
            wait_for(lambda: can_connect_to(self.server.socket), 10 * PATIENCE, "the socket")
        answers = self.ask(b"status", b"stats", b"playlistinfo", b"listplaylists", b"sticker find song \"\" rating",
                           over_socket=self.over_socket)
        assert answers == [b"OK"] * 5, f"after a restart: {answers}"

    def _stop(self):
        """Asks the server to end; its status, and the seconds that it took without those that the thread which waited
        longest for a processor spent so."""
        process = self.server.process
        before, began, lost = delays(process.pid), time.monotonic(), 0.0
        process.send_signal(signal.SIGTERM)
        while process.poll() is None and time.monotonic() < began + 20 * PATIENCE:
            lost = max(lost, longest_delay(before, delays(process.pid)))
            time.sleep(0.02)
        took = time.monotonic() - began
        self.server.stop(seconds=1)
        return process.returncode, took - lost

    def _end_observing(self):
        report, _ = self._observer.communicate(timeout=60 * PATIENCE)
        assert report.strip(), "the observer died"
        return json.loads(report)

    # MARK: The process

    def peak_memory(self):
        """Mebibytes at the most since the attack began."""
        text = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", text)[1]) >> 10

    def _forget_peak(self):
        with contextlib.suppress(OSError):
            pathlib.Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5")

    def descriptors(self):
        """How many files and sockets the process has open."""
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def threads(self):
        """How many threads the process has."""
        return len(os.listdir(f"/proc/{self.server.process.pid}/task"))


def fresh(server, songs):
    """Makes a server ready for an attack: with a new state where the last attack has ended it."""
    if server.is_running and not getattr(server, "is_suspect", False):
        return server
    server.kill()
    for name in ("state", "cache"):
        shutil.rmtree(server.folder / name, ignore_errors=True)
    server.is_suspect = False
    return server.start(songs)
