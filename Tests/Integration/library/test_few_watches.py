"""A system that has too few watches for a folder of music: it is looked at again and again instead."""
import shutil
import subprocess

import pytest
from harness.processes import wait_for_port
from harness.segue import Segue, binary
from harness.waiting import wait_for


def limited(limit, file):
    """A kind of Segue process in a user namespace of its own, whose `limit` is `few` until the file is there."""
    class Limited(Segue):
        """Lives there."""

        few = 0

        def start(self, songs=None):
            """Starts serving there."""
            self.write_configuration()
            place = f"/proc/sys/user/{limit}"
            script = (f"echo {self.few} > {place}; (until [ -e '{file}' ]; do sleep 0.1; done; echo 1000 > {place}) & "
                      'exec "$@"')
            self.launch(["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh", binary(), "serve", "--config",
                         self.configuration], self.environment)
            wait_for_port(self, self.port)
            self.wait_for_songs(songs)
            return self
    return Limited


@pytest.fixture
def music(tmp_path, tracks):
    """A folder with two folders of songs."""
    can = shutil.which("unshare") and subprocess.run(
        ["unshare", "--user", "--map-root-user", "sh", "-c", "echo 9 > /proc/sys/user/max_inotify_watches"],
        capture_output=True, timeout=20).returncode == 0
    if not can:
        pytest.skip("this user may make no user namespace")
    for name in ("Sill", "Lamp"):
        (tmp_path / "music" / name).mkdir(parents=True)
        shutil.copy(tracks[name].path, tmp_path / "music" / name / "song.flac")
    return tmp_path / "music"


def test_without_a_watch_that_is_said_once_and_new_songs_are_found_all_the_same(start_segue, music, tmp_path):
    more = tmp_path / "more"
    server = start_segue(songs=2, kind=limited("max_inotify_instances", more),
                         local={"music_directory": music, "auto_update_interval": 1})
    for number in range(3):
        shutil.copy(music / "Sill/song.flac", music / f"{number}.flac")
        server.wait_for_songs(3 + number)
    assert server.log.count("fs.inotify.max_user_instances") == 1
    more.touch()
    wait_for(lambda: "for changes again" in server.log, 30, "a watch")
    assert server.log.count("fs.inotify.max_user_instances") == 1


def is_left_alone(server, client):
    """Whether two seconds of music are heard without a look at the folder."""
    looks = server.log.count("music folder:")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 2, 30, "two seconds of music")
    return server.log.count("music folder:") == looks


def test_too_few_watches_are_said_once_and_new_songs_are_found_all_the_same(start_segue, music, tmp_path):
    more = tmp_path / "more"
    kind = limited("max_inotify_watches", more)
    kind.few = 2
    server = start_segue(songs=2, kind=kind, local={"music_directory": music, "auto_update_interval": 1})
    for number, folder in enumerate(("Sill", "Lamp", "Sill")):
        shutil.copy(music / "Sill/song.flac", music / folder / f"{number}.flac")
        server.wait_for_songs(3 + number)
    assert server.log.count("fs.inotify.max_user_watches") == 1
    # Once there are enough, changes are noticed by themselves, and the folder is left alone.
    more.touch()
    client = server.client()
    client.add("Lamp/song.flac")
    wait_for(lambda: "updating_db" not in client.status() and is_left_alone(server, client), 30, "an end of the looks")
    shutil.copy(music / "Sill/song.flac", music / "Lamp/last.flac")
    server.wait_for_songs(6)
    assert server.log.count("fs.inotify.max_user_watches") == 1
