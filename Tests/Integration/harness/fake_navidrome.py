"""The project's own fake Navidrome as a process: it takes tokens and misbehaves on demand."""
import json
import os
import re
import urllib.parse
import urllib.request

from .processes import Daemon
from .segue import binary
from .waiting import wait_for

USER = "ada"
PASSWORD = "staple-battery-7731"


class FakeNavidrome(Daemon):
    """A generated library behind Navidrome's API."""

    def __init__(self, folder, songs=200):
        super().__init__(folder / "fake-navidrome.log")
        self.songs = songs
        self.url = ""

    def start(self):
        """Starts it on a free port."""
        self.launch([binary().with_name("fake-navidrome"), "--songs", self.songs, "--user", USER, "--password", PASSWORD],
                    dict(os.environ))
        self.url = wait_for(lambda: re.search(r"on (http://\S+)", self.log), what="the fake Navidrome")[1]
        return self

    def control(self, name, **parameters):
        """Steers it."""
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"{self.url}/_control/{name}?{query}", timeout=10) as answer:
            return json.load(answer)
