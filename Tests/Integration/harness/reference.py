"""A real MPD, to see whether the tests ask for what MPD does."""
import os
import re
import shutil
import subprocess

import mpd

from .processes import Daemon, free_port, wait_for_port
from .waiting import wait_for


def mpd_binary():
    """The MPD to compare with and to move out of: the installed one, or $SEGUE_MPD."""
    return os.environ.get("SEGUE_MPD", "mpd")


def mpd_version():
    """Its version as three numbers."""
    text = subprocess.run([mpd_binary(), "--version"], text=True, capture_output=True, check=True, timeout=30).stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)\.(\d+)", text).groups()))


class ReferenceMPD(Daemon):
    """MPD with a null output on the tests' music."""

    def __init__(self, folder, music, binary=None):
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / "mpd.log")
        self.folder = folder
        self.binary = binary or mpd_binary()
        self.host = "127.0.0.1"
        self.port = free_port()
        self.socket = folder / "socket"
        (folder / "playlists").mkdir(exist_ok=True)
        (folder / "mpd.conf").write_text(
            f'music_directory "{music}"\nplaylist_directory "{folder}/playlists"\ndb_file "{folder}/database"\n'
            f'state_file "{folder}/state"\nbind_to_address "127.0.0.1"\nbind_to_address "{self.socket}"\n'
            f'port "{self.port}"\nauto_update "no"\n'
            'audio_output {\n type "null"\n name "Nothing"\n mixer_type "software"\n}\n')

    @staticmethod
    def is_wanted():
        """Whether the tests are asked to try MPD too."""
        return "SEGUE_REFERENCE" in os.environ and shutil.which(mpd_binary()) is not None

    def start(self, songs=None):
        """Starts MPD and waits for its first update."""
        self.launch([self.binary, "--no-daemon", "--stderr", self.folder / "mpd.conf"], dict(os.environ))
        wait_for_port(self, self.port)
        client = self.client()
        self.update(client)
        wait_for(lambda: "updating_db" not in client.status() and int(client.stats()["songs"]) > 0, 60, "MPD's update")
        client.disconnect()
        return self

    def update(self, client):
        """Starts an update."""
        client.update()

    def client(self, timeout=20):
        """A new connection with python-mpd2."""
        client = mpd.MPDClient()
        client.timeout = timeout
        client.connect(self.host, self.port)
        return client
