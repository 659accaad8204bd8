"""What Prometheus is told when something is wrong: sound that ran out, outputs and songs that fail, downloads, plays."""
import pathlib
import re
import shutil
import signal
import tempfile
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import free_port
from harness.sound_servers import Ear, PulseAudio
from harness.waiting import wait_for
from harness.web import Web


def figure(server, name, **labels):
    """One figure, which has to be told."""
    port = int(server.sections["web"]["listen"][0].rpartition(":")[2])
    text = Web(port).request("GET", "/metrics").body.decode()
    shown = ",".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
    found = re.search(rf"^{name}{re.escape('{' + shown + '}' if shown else '')} (\S+)$", text, re.MULTILINE)
    assert found, f"{name} is not told"
    return float(found[1])


@pytest.fixture
def sound_server():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = PulseAudio(folder)
    try:
        made.start()
        yield made
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def is_loud(samples):
    return any(abs(value) > 1000 for value in samples)


def test_sound_that_runs_out_and_outputs_that_fail_are_counted(start_segue, library, sound_server):
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, kind=sound_server.kind,
        web={"listen": [f"127.0.0.1:{free_port()}"]}, output=[{"type": "pulse", "name": "Desktop"}])
    client = server.client()
    for title in ("Sill", "Lamp", "Window"):
        client.findadd("title", title)
    client.repeat(1)
    client.play(0)
    ear = Ear(sound_server)
    wait_for(lambda: is_loud(ear.samples[-4800:]), 60, "the sound")
    before = figure(server, "segue_underruns_total", output="Desktop")

    def breathless():
        """Nothing of the program runs for longer than it gives ahead, as on a machine that does too much."""
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        server.process.send_signal(signal.SIGCONT)
        wait_for(lambda: is_loud(ear.samples[-2400:]), 30, "the sound again")
        return figure(server, "segue_underruns_total", output="Desktop") > before
    wait_for(breathless, 30, "the gap in the figures")
    ear.close()
    sound_server.kill()
    wait_for(lambda: figure(server, "segue_output_failures_total", output="Desktop") >= 1, 60, "the failure")


def test_downloads_plays_stalls_and_broken_songs_are_counted(start_segue, tmp_path):
    navidrome = FakeNavidrome(tmp_path, songs=12, seconds=4).start()
    try:
        server = start_segue(
            songs=navidrome.songs, cache={"prefetch": 0}, web={"listen": [f"127.0.0.1:{free_port()}"]},
            navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD})
        client = server.client()
        songs = sorted((entry for entry in client.listallinfo() if "file" in entry),
                       key=lambda song: float(song["duration"]))
        client.add(songs[0]["file"])
        # A third of what the song needs.
        navidrome.control("fault", mode="slow", rate=60_000, match="stream")
        client.play(0)
        wait_for(lambda: figure(server, "segue_stalls_total", partition="default") == 1, 60, "the stall")
        wait_for(lambda: client.status()["state"] == "stop", 120, "the end")
        kept = sum(path.stat().st_size for path in (server.folder / "cache" / "tracks").glob("*.wav"))
        assert figure(server, "segue_download_bytes_total") == kept > 0
        navidrome.control("fault", mode="none")
        wait_for(lambda: [row for row in navidrome.control("scrobbles")["rows"] if row["submission"]], 30, "the play")
        wait_for(lambda: figure(server, "segue_plays_total", result="sent") == 1, 30, "the play in the figures")
        assert figure(server, "segue_plays_total", result="refused") == 0
        client = server.client()
        client.clear()
        client.add("http://127.0.0.1:9/nothing")
        client.play(0)
        wait_for(lambda: figure(server, "segue_play_failures_total", partition="default") >= 1, 60, "the failure")
    finally:
        navidrome.kill()
