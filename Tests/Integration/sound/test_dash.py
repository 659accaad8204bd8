"""Recordings and live broadcasts in DASH, which MPD plays with ffmpeg only."""
import pathlib
import subprocess

import pytest
from harness.music import wav_samples
from harness.radio import Station, loudness
from harness.programs import need
from harness.waiting import wait_for

TYPES = {".mpd": "application/dash+xml", ".m4s": "audio/mp4"}


class Folder:
    """The files of a folder as a station serves them, as they are at the moment."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def __contains__(self, name):
        return (self.path / name[1:]).is_file()

    def __getitem__(self, name):
        path = self.path / name[1:]
        return TYPES[path.suffix], path.read_bytes()


@pytest.fixture
def dash(tmp_path):
    """Begins to send a tone of some seconds, all at once or as time passes; gives the station."""
    running = []

    def start(seconds, *options, is_live=False):
        need("ffmpeg")
        folder = tmp_path / "dash"
        folder.mkdir()
        station = Station(b" " * 20)
        station.files = Folder(folder)
        running.append(subprocess.Popen(
            ["ffmpeg", "-v", "error", "-nostdin", *(["-re"] if is_live else []), "-f", "lavfi", "-i",
             f"sine=frequency=440:duration={seconds}:sample_rate=44100", "-filter:a", "volume=10dB", "-c:a", "aac",
             "-b:a", "128k", "-ac", "2", "-seg_duration", "1", *options, "-f", "dash", folder / "list.mpd"]))
        if not is_live:
            assert running[-1].wait(60) == 0
        wait_for(lambda: "/list.mpd" in station.files, 60, "the list of the pieces")
        running.append(station)
        return station
    yield start
    for one in running:
        if isinstance(one, Station):
            one.close()
        else:
            one.kill()
            one.wait()


@pytest.fixture
def listener(start_segue, tmp_path):
    """A program that records what is heard."""
    server = start_segue(
        output=[{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": "44100:16:2"}],
        playback={"radio_timeout": 30})
    server.recording = tmp_path / "heard.wav"
    return server


def play(server, station):
    client = server.client()
    client.add(station.url.replace("/live", "/list.mpd"))
    client.play(0)
    return client


def seconds_heard(server):
    """For how long the tone was heard; the server is stopped in order."""
    assert server.stop()[0] == 0
    samples = wav_samples(server.recording)
    return sum(loudness(samples, 440, at / 10) > 0.1 for at in range(len(samples) // 17640)) / 10


@pytest.mark.smoke
def test_a_recording_in_dash_plays_to_its_end(dash, listener):
    client = play(listener, dash(6))
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1, 60, "sound")
    assert 5.9 < float(client.status()["duration"]) < 6.2
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    assert "error" not in client.status() and "is interrupted" not in listener.log
    assert 5.7 < seconds_heard(listener) < 6.3


def test_a_live_broadcast_in_dash_goes_on(dash, listener):
    client = play(listener, dash(120, "-window_size", "4", "-use_timeline", "0", is_live=True))
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 8, 90, "more pieces than the list has at a time")
    status = client.status()
    assert status["state"] == "play" and "error" not in status and "duration" not in status
    assert "is interrupted" not in listener.log
    assert seconds_heard(listener) > 7


def test_a_broadcast_in_dash_without_its_pieces_says_why(dash, listener):
    station = dash(6)
    for piece in station.files.path.glob("*.m4s"):
        piece.unlink()
    client = play(listener, station)
    wait_for(lambda: client.status()["state"] == "stop", 60, "giving up")
    assert "there is nothing at its address (404)" in client.status()["error"]
