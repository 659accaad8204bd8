"""A machine of its own on the network: a network namespace, joined to this one by a cable of two ends."""
import contextlib
import os
import shutil
import socket
import subprocess
import threading

import mpd
import pytest

from .segue import Segue, binary
from .waiting import wait_for


class Machine:
    """The namespace. Only root can make one; where the system has none the test is skipped."""

    def __init__(self):
        if not shutil.which("ip"):
            pytest.skip("ip (iproute2) is not installed")
        number = os.getpid() % 250
        self.name = f"segue{os.getpid()}"
        self.here, self.there = f"sg{os.getpid()}a", f"sg{os.getpid()}b"
        self.network = f"10.231.{number}"
        self.gateway = f"{self.network}.1"
        try:
            self._ip("netns", "add", self.name)
            self._ip("link", "add", self.here, "type", "veth", "peer", "name", self.there, "netns", self.name)
        except subprocess.CalledProcessError as error:
            self.close()
            pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
        self._ip("addr", "add", f"{self.gateway}/24", "dev", self.here)
        self._ip("link", "set", self.here, "up")
        self.inside("link", "set", "lo", "up")
        self.inside("link", "set", self.there, "up")
        self.address = None

    @staticmethod
    def _ip(*arguments):
        subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True, timeout=20)

    def inside(self, *arguments):
        """Runs `ip` there."""
        self._ip("-n", self.name, *arguments)

    def take_address(self, last):
        """Gives it another address, as a network does after a while; the old one is gone."""
        if self.address:
            self.inside("addr", "del", f"{self.address}/24", "dev", self.there)
        self.address = f"{self.network}.{last}"
        self.inside("addr", "add", f"{self.address}/24", "dev", self.there)

    def pull_cable(self, is_pulled=True):
        """Pulls the cable at the far end, so that nothing arrives and no side is told; or plugs it in again."""
        self._ip("link", "set", self.here, "down" if is_pulled else "up")

    def close(self):
        """Takes it away."""
        for arguments in (("link", "del", self.here), ("netns", "del", self.name)):
            with contextlib.suppress(subprocess.SubprocessError):
                self._ip(*arguments)


class Forwarder:
    """Takes connections at an address and passes them on to a port of this machine."""

    def __init__(self, address, port):
        self.port = port
        self.listener = socket.create_server((address, 0), backlog=64)
        self.url = f"http://{address}:{self.listener.getsockname()[1]}"
        self.sources = []
        """Where connections came from."""
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, (source, _) = self.listener.accept()
            except OSError:
                return
            self.sources.append(source)
            with contextlib.suppress(OSError):
                server = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                server.settimeout(None)
                for ends in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=ends, daemon=True).start()

    @staticmethod
    def _pass(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
                end.close()

    def close(self):
        """Takes no more connections."""
        self.listener.close()


def resident(machine):
    """A kind of Segue process that lives on that machine, and is reached by its local socket."""
    class Resident(Segue):
        """Lives there."""

        def start(self, songs=None):
            """Starts serving there."""
            self.write_configuration()
            self.launch(["ip", "netns", "exec", machine.name, binary(), "serve", "--config", self.configuration],
                        self.environment)
            wait_for(lambda: self.is_running and self.client().ping() is None, 30, "the local socket")
            if songs is not None:
                self.wait_for_songs(songs)
            return self

        def client(self, timeout=20):
            """A new connection over the local socket."""
            client = mpd.MPDClient()
            client.timeout = timeout
            client.connect(str(self.socket))
            return client
    return Resident
