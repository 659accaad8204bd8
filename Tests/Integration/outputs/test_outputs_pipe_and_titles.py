"""Programs that get the sound, and recordings of every title."""
import json
import subprocess

import pytest
from harness.radio import Station, encoded
from harness.recordings import decoded, play_to_the_end
from harness.waiting import wait_for
from mutagen.flac import FLAC


FAST = {"type": "null", "name": "Fast", "sync": False}
"""An output that waits for nothing."""


def tags(path):
    """A file's tags, in small letters."""
    run = subprocess.run(["ffprobe", "-v", "error", "-show_format", "-of", "json", path], capture_output=True,
                         timeout=60, check=True)
    return {key.lower(): value for key, value in json.loads(run.stdout)["format"].get("tags", {}).items()}


def test_a_program_gets_the_samples(start_segue, library, tracks, tmp_path):
    heard = tmp_path / "heard.raw"
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "pipe", "name": "Program", "command": f"cat > '{heard}'"}])
    play_to_the_end(server, "Sill", "Lamp")
    assert server.stop()[0] == 0
    assert heard.read_bytes() == tracks["Sill"].samples + tracks["Lamp"].samples


def test_every_title_is_a_file_with_tags(start_segue, library, tracks, tmp_path):
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "file", "name": "Tape", "format_path": tmp_path / "tape" / "%Album%" / "%Artist% - %Title%.flac"}, FAST])
    play_to_the_end(server, "Sill", "Lamp")
    assert server.stop()[0] == 0
    found = {path.stem.partition(" - ")[2]: path for path in (tmp_path / "tape").rglob("*.flac")}
    assert set(found) == {"Sill", "Lamp"}
    for title, path in found.items():
        assert decoded(path) == tracks[title].samples
        assert tags(path)["title"] == title and tags(path)["artist"] == path.stem.partition(" - ")[0]


@pytest.mark.parametrize("ending", ["mp3", "wav"])
def test_titles_in_mp3_and_wav_have_tags_too(start_segue, library, tracks, tmp_path, ending):
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "file", "name": "Tape", "format_path": tmp_path / "tape" / f"%Title%.{ending}"}, FAST])
    play_to_the_end(server, "Sill", "Lamp")
    assert server.stop()[0] == 0
    for title in ("Sill", "Lamp"):
        path, track = tmp_path / "tape" / f"{title}.{ending}", tracks[title]
        found = tags(path)
        assert (found["title"], found["artist"], found["album"]) == (title, track.artist, track.album)
        assert found["genre"] == track.genre and found["track"] == str(track.number)
        # GStreamer's muxer for ID3 takes no date of which the day may be missing.
        if ending == "wav":
            assert found["date"].startswith(track.date[:4])
            assert decoded(path) == track.samples


def test_every_title_of_a_station_is_a_file(start_segue, tmp_path):
    one = Station(*encoded(tmp_path, "mp3", 440), burst=3)
    server = start_segue(station=[{"name": "Night FM", "url": one.url}], output=[
        {"type": "file", "name": "Tape", "format_path": tmp_path / "tape/%Name%/%Artist% - %Title%.flac"}])
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    for artist, title in (("Ada", "Lamp"), ("Bo", "Sill")):
        one.title = f"{artist} - {title}"
        wait_for(lambda: client.currentsong().get("title") == one.title, what="the title")
        wait_for(lambda: list((tmp_path / "tape").rglob(f"*{title}.flac")), what="its file")
        began = float(client.status()["elapsed"])
        wait_for(lambda: float(client.status()["elapsed"]) > began + 2, what="two seconds of it")
    assert server.stop()[0] == 0
    found = {path.name: path for path in (tmp_path / "tape").rglob("*.flac")}
    for name in ("Lamp", "Sill"):
        (path,) = [path for title, path in found.items() if title.endswith(f"{name}.flac")]
        assert FLAC(path)["title"][0].endswith(name) and FLAC(path).info.length > 1
    one.close()
