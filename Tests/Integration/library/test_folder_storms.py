"""Folders and files that come and go as fast as the disk allows, below a folder of music that Segue watches."""
import multiprocessing
import shutil
import time

from harness.observer import Observer
from harness.waiting import wait_for

SECONDS = 5
LATENCY = 0.25
"""The longest that another client may wait for its `status`."""
GROWTH = 60 << 20
"""The most memory, in bytes, by which the process may grow meanwhile."""


def storm(music, song, seconds, changes):
    """Makes and removes folders with songs in them until the time is over."""
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end:
        folder = music / f"storm {number % 50}"
        folder.mkdir()
        (folder / "song.flac").hardlink_to(song)
        (folder / "deep").mkdir()
        (folder / "deep").rmdir()
        (folder / "song.flac").rename(folder / "other.flac")
        shutil.rmtree(folder)
        number += 1
        with changes.get_lock():
            changes.value += 7


def test_a_storm_of_folders_disturbs_nobody(start_segue, tmp_path, tracks):
    music = tmp_path / "music"
    music.mkdir()
    shutil.copy(tracks["Sill"].path, music / "steady.flac")
    song = tmp_path / "song.flac"
    shutil.copy(tracks["Lamp"].path, song)
    server = start_segue(songs=1, local={"music_directory": music})
    client = server.client()
    client.status()
    before, lines = server.memory, len(server.log.splitlines())
    changes = multiprocessing.get_context("fork").Value("Q", 0)
    storms = [multiprocessing.get_context("fork").Process(
        target=storm, args=(folder, song, SECONDS, changes)) for folder in (music / "a", music / "b")]
    for folder, process in zip(("a", "b"), storms):
        (music / folder).mkdir()
        process.start()
    # It asks for the status as clients do, and leaves out what the storms and other programs took of the processors.
    observer, most = Observer(server.host, server.port, server.process.pid), before
    while any(process.is_alive() for process in storms):
        observer.ask()
        most = max(most, server.memory)
        time.sleep(0.01)
    longest = max(observer.own)
    for process in storms:
        process.join()
        assert process.exitcode == 0
    assert changes.value > 1000 * SECONDS
    # What is left is what the index has.
    (music / "a/kept").mkdir()
    shutil.copy(song, music / "a/kept/song.flac")
    wait_for(lambda: sorted(line["file"] for line in client.listall() if "file" in line) == [
        "a/kept/song.flac", "steady.flac"], 60, "the songs that are on the disk")
    wait_for(lambda: "updating_db" not in client.status(), 30, "the end of the scan")
    assert sorted(line["file"] for line in client.listall() if "file" in line) == ["a/kept/song.flac", "steady.flac"]
    print(f"{changes.value / SECONDS:.0f} changes a second, status {longest * 1000:.0f} ms at most, "
          f"{(most - before) >> 20} MiB more, {len(server.log.splitlines()) - lines} lines")
    assert longest < LATENCY
    assert most - before < GROWTH
    assert len(server.log.splitlines()) - lines < 60, server.log
