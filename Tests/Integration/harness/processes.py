"""Starting and ending processes."""
import collections
import os
import signal
import socket
import subprocess
import time

from .waiting import wait_for


RESERVED = collections.deque()
"""Sockets that hold ports for servers that are yet to start, or to start again."""


def free_port():
    """A TCP port that is free, and that the system gives to no other program or test meanwhile.

    It stays bound here, where nothing listens. Servers can have it nevertheless, because they set SO_REUSEADDR.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    RESERVED.append(holder)
    if len(RESERVED) > 200:
        RESERVED.popleft().close()
    return holder.getsockname()[1]


class Daemon:
    """A process in a group of its own with its output in a file."""

    def __init__(self, log_path):
        self.log_path = log_path
        self.process = None
        # Called in the new process before the program runs; sets limits.
        self.prepare = None

    def launch(self, arguments, environment, cwd=None):
        """Starts the process; its output is appended to the log."""
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [str(argument) for argument in arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment, cwd=cwd, start_new_session=True, preexec_fn=self.prepare)

    @property
    def log(self):
        """All that was written so far."""
        return self.log_path.read_text(encoding="utf-8", errors="replace") if self.log_path.exists() else ""

    @property
    def is_running(self):
        """Whether the process was started and has not ended."""
        return self.process is not None and self.process.poll() is None

    def stop(self, number=signal.SIGTERM, seconds=10):
        """Asks the process to end; returns its status and the seconds that it took."""
        start = time.monotonic()
        if self.is_running:
            self.process.send_signal(number)
        try:
            return self.process.wait(seconds), time.monotonic() - start
        finally:
            self.kill()

    def kill(self):
        """Ends the process and its children at once, as a power cut would."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(10)

    def fail_unless_running(self):
        """Says what the log says when the process has ended."""
        assert self.is_running, f"the process ended with {self.process.returncode}:\n{self.log[-4000:]}"


def can_connect(port):
    """Whether something accepts connections."""
    with socket.create_connection(("127.0.0.1", port), timeout=2):
        return True


def can_connect_to(path):
    """Whether something accepts connections on a Unix socket, whose file is there a moment before."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(2)
        connection.connect(str(path))
        return True


def wait_for_port(daemon, port, seconds=120):
    """Waits until a daemon accepts connections; it may have a queue of a million entries to read first."""
    def check():
        if not daemon.is_running:
            raise RuntimeError(f"the process ended with {daemon.process.returncode}:\n{daemon.log[-4000:]}")
        return can_connect(port)
    wait_for(check, seconds, f"port {port}")
