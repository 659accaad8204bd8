"""Folders of other machines, which GVfs mounts: real servers, a real session, and FUSE where the user may use it."""
import concurrent.futures
import os
import shutil
import socket

import mpd
import pytest
from harness.certificates import make_certificate
from harness.music import png
from harness.network_storages import ESCAPED, PASSWORD, StorageServer, StorageSession, missing_for_folders
from harness.segue import Segue
from harness.waiting import wait_for


@pytest.fixture
def served(tmp_path, tracks):
    """A folder with two songs on a WebDAV server."""
    music = tmp_path / "served"
    (music / "Albums").mkdir(parents=True)
    for title in ("Sill", "Lamp"):
        shutil.copy(tracks[title].path, music / "Albums" / f"{title}.flac")
    (music / "Albums/cover.png").write_bytes(png((200, 20, 20)))
    server = StorageServer(tmp_path, music).start()
    yield server
    server.kill()


@pytest.fixture
def other(tmp_path):
    """Another WebDAV server, with an empty folder."""
    (tmp_path / "other").mkdir()
    (tmp_path / "nothing").mkdir()
    server = StorageServer(tmp_path / "other", tmp_path / "nothing").start()
    yield server
    server.kill()


@pytest.fixture
def session(tmp_path):
    """A session with GVfs."""
    made = StorageSession(tmp_path).start()
    yield made
    made.close()


@pytest.fixture(params=["user", pytest.param("root", marks=pytest.mark.needs_root)])
def folders(request, session):
    """The same, where storages can be had as folders; root mostly may, users only where the machine lets them."""
    if missing := missing_for_folders():
        pytest.skip(missing)
    return session


@pytest.fixture
def begin(tmp_path, registry, library):
    """Starts segue in a session, or in none."""
    started = []

    def start(session=None, songs=None):
        server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]})
        if session:
            server.environment.update(session.environment)
        started.append(server)
        return server.start(songs=songs)
    yield start
    for server in started:
        server.kill()


def assert_secret(server, *texts):
    """Finds the password in none of the texts, not in the log, and on the disk only where no one else reads it."""
    for text in (*texts, server.log):
        assert PASSWORD not in text and ESCAPED not in text
    for folder, _, names in os.walk(server.folder / "state"):
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                assert os.stat(path).st_mode & 0o077 == 0, path


def test_a_storage_is_mounted_read_played_and_unmounted(folders, served, begin, library):
    count = len(library[1])
    server = begin(folders, songs=count)
    client, watcher = server.client(timeout=60), server.client(timeout=60)
    client.mount("nas", served.address("/Albums/"))
    assert "mount" in watcher.idle("mount")
    server.wait_for_songs(count + 2)
    assert sorted(entry["file"] for entry in client.lsinfo("nas") if "file" in entry) == ["nas/Lamp.flac", "nas/Sill.flac"]
    shown = {entry["mount"]: entry.get("storage") for entry in client.listmounts()}
    assert shown["nas"] == f"dav://127.0.0.1:{served.port}/Albums"
    assert "nas/cover.png" not in client.listall("nas") and len(client.listfiles("nas")) == 3
    assert len(client.albumart("nas/Sill.flac")["binary"]) > 50
    with pytest.raises(mpd.CommandError, match="already mounted"):
        client.mount("other", served.address("/Albums"))
    with pytest.raises(mpd.CommandError, match="no such folder"):
        client.mount("other", served.address("/Nowhere"))
    client.add("nas/Sill.flac")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, 30, "the song")
    shutil.copy(served.music / "Albums/Sill.flac", served.music / "Albums/New.flac")

    def has_new_song():
        # The server keeps its listings for a second.
        client.update("nas")
        server.wait_for_songs(count + 3, seconds=2)
        return True
    wait_for(has_new_song, 60, "the new song")
    client.stop()
    assert len(folders.volumes) == 1
    assert_secret(server, str(client.listmounts()), str(client.status()))
    client.unmount("nas")
    server.wait_for_songs(count)
    wait_for(lambda: not folders.volumes, 60, "the volume's end")
    assert {entry["mount"] for entry in client.listmounts()} == {""}
    assert server.stop()[0] == 0


def test_storages_of_one_server_are_unmounted_one_by_one(folders, served, other, begin, library):
    count = len(library[1])
    server = begin(folders, songs=count)
    client = server.client(timeout=60)
    client.mount("all", served.address())
    client.mount("albums", served.address("/Albums"))
    server.wait_for_songs(count + 4)
    assert len(folders.volumes) == 1
    # That of another server, which goes behind it, is gone by the time at which this one would be.
    client.mount("other", other.address())
    wait_for(lambda: len(folders.volumes) == 2, 60, "the other server's volume")
    client.unmount("albums")
    client.unmount("other")
    wait_for(lambda: len(folders.volumes) == 1, 60, "the end of the other server's volume")
    server.wait_for_songs(count + 2)
    assert len(client.listfiles("all/Albums")) == 3
    assert "can't be mounted" not in server.log
    client.unmount("all")
    wait_for(lambda: not folders.volumes, 60, "the volume's end")


def test_songs_stay_while_a_server_is_away_and_play_when_it_is_back(folders, served, begin, library):
    count = len(library[1]) + 2
    server = begin(folders, songs=count - 2)
    client = server.client(timeout=60)
    client.mount("nas", served.address())
    server.wait_for_songs(count)
    client.add("nas/Albums/Sill.flac")
    assert server.stop()[0] == 0
    served.stop()
    # As after a boot in which the server is the later one.
    folders.end()
    folders.start()
    server.start(songs=count)
    wait_for(lambda: "can't be mounted as nas" in server.log, 60, "a line about the server")
    client = server.client(timeout=60)
    assert client.playlistinfo()[0]["title"] == "Sill"
    client.update()
    wait_for(lambda: "updating_db" not in client.status(), 60, "the update's end")
    assert int(client.stats()["songs"]) == count
    served.start()
    wait_for(lambda: folders.volumes, 60, "the volume")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, 60, "the song")
    assert_secret(server)


@pytest.mark.parametrize("login, message", [
    ("me:wrong@", "refuses the login"), ("", "asks for a login"), ("me@", "asks for a login")])
def test_a_login_that_is_wrong_or_missing_is_named(login, message, session, served, begin):
    server = begin(session)
    client = server.client(timeout=60)
    with pytest.raises(mpd.CommandError, match=message):
        client.mount("nas", served.address(login=login))
    assert {entry["mount"] for entry in client.listmounts()} == {""}


def test_an_address_at_which_nothing_answers_is_named(session, served, begin):
    served.stop()
    client = begin(session).client(timeout=60)
    with pytest.raises(mpd.CommandError, match=r"\[52@0\].*(doesn't answer|can't be mounted).*") as caught:
        client.mount("nas", served.address())
    assert PASSWORD not in str(caught.value) and ESCAPED not in str(caught.value)
    with pytest.raises(mpd.CommandError, match="unknown|can't be mounted"):
        client.mount("nas", "dav://nowhere.invalid/x")


def test_a_storage_that_can_be_had_as_no_folder_says_what_is_missing(session, served, begin):
    if not missing_for_folders():
        pytest.skip("this user can have storages as folders")
    server = begin(session)
    client = server.client(timeout=60)
    for _ in range(2):
        with pytest.raises(mpd.CommandError, match="gvfs-fuse.*/dev/fuse"):
            client.mount("nas", served.address())
    assert_secret(server)


def test_a_server_whose_certificate_is_unknown_is_not_trusted(session, tmp_path, library, begin):
    served = StorageServer(tmp_path, library[0], make_certificate(tmp_path, "nas")).start()
    try:
        with pytest.raises(mpd.CommandError, match="not trusted yet"):
            begin(session).client(timeout=60).mount("nas", served.address())
    finally:
        served.kill()


def test_without_a_session_or_without_gvfs_the_cure_is_named(tmp_path, begin):
    server = begin()
    with pytest.raises(mpd.CommandError, match=r"\[2@0\].*session with D-Bus.*gvfs-backends"):
        server.client().mount("nas", "smb://me:secret@nas/music")
    server.kill()
    session = StorageSession(tmp_path, has_gvfs=False).start()
    try:
        client = begin(session).client(timeout=60)
        with pytest.raises(mpd.CommandError, match=r"\[2@0\].*smb:// storages: install gvfs-backends"):
            client.mount("nas", "smb://me:secret@nas/music")
        with pytest.raises(mpd.CommandError, match="Unrecognized storage URI"):
            client.mount("nas", "nope://nas/music")
    finally:
        session.close()


def test_a_server_that_is_silent_holds_up_the_client_that_asked_and_no_other(session, begin):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = begin(session)
        asking, other = server.client(timeout=60), server.client()
        address = f"dav://me:x@127.0.0.1:{silent.getsockname()[1]}/"
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answer = pool.submit(asking.mount, "nas", address)
            connection, _ = silent.accept()
            for arguments in (("nas", "dav://127.0.0.1:1/"), ("more", address)):
                with pytest.raises(mpd.CommandError, match="busy|already mounted"):
                    other.mount(*arguments)
            statuses = 0
            while not answer.done():
                other.status()
                statuses += 1
                concurrent.futures.wait([answer], 0.1)
        # One that waited would be the only one.
        assert statuses > 20
        connection.close()
        assert "30 seconds" in str(answer.exception())
        assert {entry["mount"] for entry in other.listmounts()} == {""}
        # It ends in time also with GIO's thread there.
        assert server.stop()[0] == 0
