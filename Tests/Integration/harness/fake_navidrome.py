"""The project's own fake Navidrome as a process: it takes tokens and misbehaves on demand."""
import json
import os
import re
import urllib.parse
import urllib.request

from .processes import Daemon, free_port
from .segue import binary
from .waiting import wait_for

USER = "ada"
PASSWORD = "staple-battery-7731"


class FakeNavidrome(Daemon):
    """A generated library behind Navidrome's API."""

    def __init__(self, folder, songs=200, audio=None, seconds=None, options=()):
        """`audio` is a folder whose files are sent as the songs' sound; `seconds` makes every song so long;
        `options` go to the program."""
        super().__init__(folder / "fake-navidrome.log")
        self.songs = songs
        self.audio = ["--audio-folder", audio] if audio else []
        if seconds:
            self.audio = ["--audio-milliseconds", seconds * 1000, "--true-lengths"]
        self.audio += options
        self.url = ""

    def start(self):
        """Starts it on a free port, or again on the same one with the same songs."""
        port = self.url.rpartition(":")[2] or free_port()
        # The log also has the line of an earlier start.
        begin = len(self.log) if self.url else 0
        self.launch([binary().with_name("fake-navidrome"), "--songs", self.songs,
                     "--user", USER, "--password", PASSWORD,
                     "--port", port, *self.audio],
                    dict(os.environ))
        self.url = wait_for(lambda: re.search(r"on (http://\S+)", self.log[begin:]), what="the fake Navidrome")[1]
        return self

    def call(self, method, **parameters):
        """Calls the Subsonic API, as another client of the user does, and returns the answer."""
        query = urllib.parse.urlencode(
            {"u": USER, "p": PASSWORD, "c": "test", "v": "1.16.1", "f": "json", **parameters})
        with urllib.request.urlopen(f"{self.url}/rest/{method}.view?{query}", timeout=60) as answer:
            body = json.load(answer)["subsonic-response"]
        assert body["status"] == "ok", body
        return body

    def control(self, name, **parameters):
        """Steers it."""
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url}/_control/{name}?{query}", timeout=60) as answer:
            return json.load(answer)
