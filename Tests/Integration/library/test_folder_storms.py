"""Folders and files that come and go as fast as the disk allows, below a folder of music that Segue watches."""
import multiprocessing
import shutil

from harness.waiting import wait_for

ROUNDS = 2000
"""How many folders each storm makes and removes, with seven changes each."""
SHARE = 0.2
"""The largest part of a storm that may pass while another client waits for its `status`."""
GROWTH = 60 << 20
"""The most memory, in bytes, by which the process may grow meanwhile."""


def storm(music, song, changes):
    """Makes and removes folders with songs in them."""
    for number in range(ROUNDS):
        folder = music / f"storm {number % 50}"
        folder.mkdir()
        (folder / "song.flac").hardlink_to(song)
        (folder / "deep").mkdir()
        (folder / "deep").rmdir()
        (folder / "song.flac").rename(folder / "other.flac")
        shutil.rmtree(folder)
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
        target=storm, args=(folder, song, changes)) for folder in (music / "a", music / "b")]
    for folder, process in zip(("a", "b"), storms):
        (music / folder).mkdir()
        process.start()
    # How long is counted in changes: a machine with other work slows the storms down as well.
    most, statuses, longest = before, 0, 0
    while any(process.is_alive() for process in storms):
        begun = changes.value
        client.status()
        statuses, longest = statuses + 1, max(longest, changes.value - begun)
        most = max(most, server.memory)
    for process in storms:
        process.join()
        assert process.exitcode == 0
    # What is left is what the index has.
    (music / "a/kept").mkdir()
    shutil.copy(song, music / "a/kept/song.flac")
    wait_for(lambda: sorted(line["file"] for line in client.listall() if "file" in line) == [
        "a/kept/song.flac", "steady.flac"], 60, "the songs that are on the disk")
    wait_for(lambda: "updating_db" not in client.status(), 30, "the end of the scan")
    assert sorted(line["file"] for line in client.listall() if "file" in line) == ["a/kept/song.flac", "steady.flac"]
    lines = len(server.log.splitlines()) - lines
    print(f"{changes.value} changes, {statuses} answers, {longest} changes during one of them, "
          f"{(most - before) >> 20} MiB more, {lines} lines")
    assert longest < SHARE * changes.value and statuses > 100
    assert most - before < GROWTH
    assert lines < changes.value / 100, server.log
