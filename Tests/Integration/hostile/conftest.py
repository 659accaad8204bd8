"""Attacks on the running program: whatever a test does, a server that is attacked has to withstand it."""
import os
import shutil

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.segue import Segue
from harness.watch import Watch, fresh


@pytest.fixture(scope="module")
def attacks(server):
    """The watches of a file's attacks; after the last one the server is started again on the state that all have left."""
    watches = []
    yield watches
    if watches and server.is_running and not getattr(server, "is_suspect", False):
        watches[-1].restart()


@pytest.fixture
def target(server, songs_before, attacks):
    """The file's `server` while another client watches it; judged after the test."""
    fresh(server, songs_before)
    with Watch(server, songs_before) as watch:
        attacks.append(watch)
        yield watch


@pytest.fixture(scope="module")
def songs_before():
    """How many songs the server has before an attack; None where that is of no matter."""
    return None


@pytest.fixture(scope="module")
def two_sources(library, registry, tmp_path_factory):
    """Segue in front of a fake Navidrome of 500 songs and of a folder whose album has a cover of 4 MiB."""
    folder = tmp_path_factory.mktemp("clients")
    fake = FakeNavidrome(folder, songs=500, seconds=2).start()
    music = folder / "music"
    music.mkdir()
    shutil.copy(next(track.path for track in library[1] if track.title == "Sill"), music / "Sill.flac")
    (music / "cover.png").write_bytes(b"\x89PNG\r\n\x1a\n" + os.urandom(4 << 20))
    password = {"password": "open-sesame", "permissions": ["read", "add", "player", "control", "admin"]}
    running = Segue(
        folder / "segue", registry, server={"max_connections": 600, "max_playlist_length": 100_000},
        navidrome={"url": fake.url, "username": USER, "password": PASSWORD, "mount": "navidrome"},
        local={"music_directory": music, "mount": "local"}, **{"server.password": [password]})
    yield running
    running.kill()
    fake.kill()


@pytest.fixture
def song(target):
    """The path of a song of the fake Navidrome's."""
    with target.raw() as client:
        return next(line[6:] for line in client.ask(b"listall navidrome") if line.startswith(b"file: "))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Judges the server after the test's own assertions."""
    watch = item.funcargs.get("target") if hasattr(item, "funcargs") else None
    try:
        result = yield
        if isinstance(watch, Watch):
            watch.verify()
        return result
    except BaseException:
        if isinstance(watch, Watch):
            watch.server.is_suspect = True
        raise
