"""Audio CDs: an image in place of a drive, which libcdio reads just as it reads a disc."""

import array
import math
import shutil
import subprocess
import wave

import pytest
from mpd import CommandError

from harness.waiting import wait_for

SECTOR = 588
"""Frames of a seventy-fifth of a second."""
TRACKS = (5 * 75, 3 * 75, 4 * 75)
"""Lengths in sectors."""

pytestmark = pytest.mark.skipif(
    not shutil.which("gst-inspect-1.0")
    or subprocess.run(["gst-inspect-1.0", "--exists", "cdiocddasrc"], check=False).returncode != 0,
    reason="GStreamer has no plug-in for audio CDs")


@pytest.fixture
def disc(tmp_path):
    """The path of a disc's image and its samples."""
    samples = array.array("h")
    for frame in range(sum(TRACKS) * SECTOR):
        samples.append(int(9000 * math.sin(frame / 20)))
        samples.append(int(7000 * math.sin(frame / 31)))
    (tmp_path / "disc.bin").write_bytes(samples.tobytes())
    lines = ['FILE "disc.bin" BINARY']
    start = 0
    for number, length in enumerate(TRACKS, 1):
        seconds, rest = divmod(start, 75)
        lines += [f"  TRACK {number:02} AUDIO", f"    INDEX 01 00:{seconds:02}:{rest:02}"]
        start += length
    (tmp_path / "disc.cue").write_text("\n".join(lines) + "\n")
    return tmp_path / "disc.cue", samples


def start(start_segue, tmp_path, *drives):
    return start_segue(
        playback={"cd_devices": [str(drive) for drive in drives]},
        output=[{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": "44100:16:2"}])


def test_a_disc_plays_track_by_track_without_a_gap(start_segue, tmp_path, disc):
    path, samples = disc
    server = start(start_segue, tmp_path, path)
    client = server.client()
    assert "cdda://" in client.urlhandlers()
    client.add(f"cdda://{path}/")
    songs = client.playlistinfo()
    assert [song["file"] for song in songs] == [f"cdda://{path}/{number}" for number in (1, 2, 3)]
    assert [float(song["duration"]) for song in songs] == [length / 75 for length in TRACKS]
    assert [song["title"] for song in songs] == ["Track 1", "Track 2", "Track 3"]
    client.delete(2)
    client.play(0)
    client.seekcur(4)
    wait_for(lambda: client.status()["state"] == "stop", seconds=30, what="the end of the second track")
    assert "error" not in client.status()
    assert server.stop()[0] == 0
    with wave.open(str(tmp_path / "heard.wav")) as recording:
        heard = array.array("h", recording.readframes(recording.getnframes()))
    end = (TRACKS[0] + TRACKS[1]) * SECTOR * 2
    rest = samples[4 * 75 * SECTOR * 2:end]
    assert heard[-len(rest):] == rest


def test_one_track_can_be_added_and_has_an_id(start_segue, tmp_path, disc):
    client = start(start_segue, tmp_path, disc[0]).client()
    client.addid("cdda:///3")
    assert client.playlistinfo()[0]["file"] == f"cdda://{disc[0]}/3"
    with pytest.raises(CommandError, match=r"\[50@0\] \{addid\} No such track"):
        client.addid(f"cdda://{disc[0]}/9")
    with pytest.raises(CommandError, match="whole disc"):
        client.addid(f"cdda://{disc[0]}/")
    with pytest.raises(CommandError, match="Malformed cdda:// URI"):
        client.add(f"cdda://{disc[0]}/x")


def test_only_drives_of_the_configuration_are_opened(start_segue, tmp_path, disc):
    client = start(start_segue, tmp_path, "/dev/no-such-drive").client()
    with pytest.raises(CommandError, match="not among cd_devices"):
        client.add(f"cdda://{disc[0]}/1")
    with pytest.raises(CommandError, match="can't be read.*is there an audio CD in the drive"):
        client.add("cdda:///dev/no-such-drive/1")
    assert client.playlistinfo() == []


def test_a_disc_that_was_taken_out_is_told(start_segue, tmp_path, disc):
    server = start(start_segue, tmp_path, disc[0])
    client = server.client()
    client.add("cdda:///1")
    for path in tmp_path.glob("disc.*"):
        path.unlink()
    client.play(0)
    wait_for(lambda: "error" in client.status(), what="the error")
    assert "is there an audio CD in the drive" in client.status()["error"]


def test_without_drives_the_scheme_is_unknown(start_segue):
    client = start_segue().client()
    assert "cdda://" not in client.urlhandlers()
    with pytest.raises(CommandError, match="Unsupported URI scheme"):
        client.add("cdda:///dev/cdrom/1")
