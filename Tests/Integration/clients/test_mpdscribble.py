"""mpdscribble: it hears each play once, writes it down and sends it."""
import http.server
import threading
import urllib.parse

import pytest
from harness.processes import Daemon
from harness.programs import need
from harness.waiting import wait_for

from .driving import PATIENCE

LONG_ENOUGH = 18
"""Seconds after which a song of 31 s counts as played; its rest is long enough to go on before its end."""


class Scrobbler:
    """A server with the Audioscrobbler 1.2 protocol that notes what arrives."""

    def __init__(self):
        self.played, self.playing = [], []
        scrobbler = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Accepts everything."""

            def answer(self, text):
                """Sends a plain text."""
                self.send_response(200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def do_GET(self):
                self.answer(f"OK\nsession\n{scrobbler.url}/now\n{scrobbler.url}/submit\n")

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {key: values[0] for key, values in urllib.parse.parse_qs(body).items()}
                if self.path == "/now":
                    scrobbler.playing.append((form["a"], form["t"], form["b"], form["l"]))
                else:
                    number = 0
                    while f"t[{number}]" in form:
                        scrobbler.played.append(tuple(form[f"{key}[{number}]"] for key in "atbl"))
                        number += 1
                self.answer("OK\n")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def scrobbler():
    """A running scrobbler server."""
    running = Scrobbler()
    yield running
    running.close()


@pytest.fixture
def mpdscribble(server, scrobbler, tmp_path):
    """mpdscribble with a server and a file."""
    need("mpdscribble")
    configuration = tmp_path / "mpdscribble.conf"
    configuration.write_text(
        f"log = -\nverbose = 2\nhost = {server.host}\nport = {server.port}\njournal_interval = 1\n"
        f"[test]\nurl = {scrobbler.url}/\nusername = ada\npassword = secret\njournal = {tmp_path / 'journal'}\n"
        f"[file]\nfile = {tmp_path / 'plays'}\n")
    running = Daemon(tmp_path / "mpdscribble.log")
    running.plays = lambda: (tmp_path / "plays").read_text()
    running.launch(["mpdscribble", "--no-daemon", "--conf", configuration],
                   {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)})
    wait_for(lambda: "connected to mpd" in running.log, PATIENCE, "mpdscribble's connection")
    yield running
    running.kill()


def hear(client, seconds):
    """Waits until the current song was heard for so long from now on: mpdscribble counts from when it noticed it."""
    begin = float(client.status()["elapsed"])
    wait_for(lambda: float(client.status()["elapsed"]) > begin + seconds, seconds + PATIENCE, f"{seconds} s of music")


def test_mpdscribble_sees_each_play_once(client, songs, scrobbler, mpdscribble):
    def announced(*titles):
        return [play[1] for play in scrobbler.playing] == list(titles)
    for title in ("Road", "Late Bus", "Arrival"):
        client.add(songs[title]["file"])
    client.play(0)
    wait_for(lambda: announced("Road"), PATIENCE, "the song announced")
    # Not heard for long, so it is announced only.
    client.next()
    wait_for(lambda: announced("Road", "Late Bus"), PATIENCE, "the second song announced")
    hear(client, LONG_ENOUGH)
    client.next()
    wait_for(lambda: announced("Road", "Late Bus", "Arrival"), PATIENCE, "the third song announced")
    client.stop()
    wait_for(lambda: scrobbler.played == [("Ángel Ruiz", "Late Bus", "Meeting Point", "31")], PATIENCE, "the play")
    wait_for(lambda: mpdscribble.plays().count("\n") == 1 and "Late Bus" in mpdscribble.plays(), PATIENCE, "the file")


@pytest.mark.smoke
def test_mpdscribble_listens_on_its_channel(client, mpdscribble):
    wait_for(lambda: "mpdscribble" in client.channels(), PATIENCE, "mpdscribble's channel")
