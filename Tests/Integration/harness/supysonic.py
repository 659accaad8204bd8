"""A real supysonic: a server with the Subsonic API."""
import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import urllib.parse
import urllib.request

from .listens import ListenLog
from .processes import Daemon, can_connect, free_port, wait_for_port
from .waiting import wait_for

USER = "mia"
PASSWORD = "correct-horse-battery-5309"

SCANNED = {}
"""The databases of folders that were scanned, by the folder and what is in it; to scan takes seconds."""


def navidrome_section(server, **more):
    """The configuration for a Subsonic server."""
    return {"url": server.url, "username": USER, "password": PASSWORD, "sync_interval": 1, **more}


class Supysonic(Daemon):
    """supysonic with one user and one folder of music."""

    def __init__(self, folder, music):
        super().__init__(folder / "supysonic.log")
        self.folder = folder
        self.listens = ListenLog()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "supysonic.conf").write_text(
            f"[base]\ndatabase_uri = sqlite:///{folder}/supysonic.db\n"
            f"[webapp]\ncache_dir = {folder}/cache\nlog_level = WARNING\nmount_webui = off\n"
            f"[listenbrainz]\napi_url = {self.listens.url}\n"
            f"[daemon]\nsocket = {folder}/daemon.sock\nrun_watcher = off\n")
        # It reads supysonic.conf in the folder that it is started in.
        self.environment = {**os.environ, "HOME": str(folder), "NO_PROXY": "*", "PYTHONWARNINGS": "ignore"}
        database = folder / "supysonic.db"
        known = (str(music), *sorted(
            (str(path), path.stat().st_mtime_ns) for path in pathlib.Path(music).rglob("*")))
        if known in SCANNED:
            database.write_bytes(SCANNED[known])
        else:
            self.fill(database, music)
            SCANNED[known] = database.read_bytes()

    def fill(self, database, music):
        """Makes the user, and has the folder scanned."""
        self.command("user", "add", USER, "-p", PASSWORD)
        with contextlib.closing(sqlite3.connect(database)) as connection, connection:
            connection.execute("UPDATE user SET listenbrainz_session = ?, listenbrainz_status = 1", ("x" * 36,))
        self.command("folder", "add", "music", str(music))
        self.scan()

    def command(self, *arguments):
        """Runs supysonic-cli."""
        subprocess.run([sys.executable, "-c", "from supysonic.cli import main; main()", *arguments],
                       env=self.environment, cwd=self.folder, check=True, capture_output=True, timeout=240)

    def scan(self):
        """Takes up what has changed in the folder."""
        self.command("folder", "scan", "music", "-f")

    def start(self):
        """Starts serving, on the same port each time."""
        self.launch([sys.executable, "-c", "from supysonic.server import main; main()", "-S", "gunicorn", "-h",
                     "127.0.0.1", "-p", self.port, "--threads", "4"], self.environment, cwd=self.folder)
        wait_for_port(self, self.port)
        wait_for(lambda: self.call("ping"), what="supysonic's first answer")
        return self

    def kill(self):
        """Ends serving at once, and returns when the last worker has gone too."""
        super().kill()
        wait_for(self.is_silent, what="the end of supysonic's workers")

    def is_silent(self):
        """Whether nothing accepts connections."""
        try:
            return not can_connect(self.port)
        except ConnectionRefusedError:
            return True

    def call(self, method, **parameters):
        """Calls the Subsonic API and returns the answer."""
        query = urllib.parse.urlencode(
            {"u": USER, "p": PASSWORD, "c": "test", "v": "1.12.0", "f": "json", **parameters})
        with urllib.request.urlopen(f"{self.url}/rest/{method}.view?{query}", timeout=60) as answer:
            body = json.load(answer)["subsonic-response"]
        assert body["status"] == "ok", body
        return body

    def songs(self):
        """All songs as the server describes them, by title."""
        return {song["title"]: song for song in self.call("search3", query="", songCount=500)["searchResult3"]["song"]}

    def close(self):
        """Ends everything."""
        self.kill()
        self.listens.close()
