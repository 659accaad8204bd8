"""The two servers."""
import contextlib

import pytest
from harness.programs import need
from harness.reference import mpd_binary, mpd_version

from .servers import OWN_MUSIC, make_music, start_pair


@pytest.fixture(scope="session")
def music_folder(tmp_path_factory):
    """The folder with its number of songs."""
    folder = tmp_path_factory.mktemp("differential") / "music"
    return folder, make_music("plain", folder)


@pytest.fixture(scope="session")
def servers(version, music_folder, registry, tmp_path_factory):
    """Starts a pair of servers of each kind when it is first asked for."""
    with contextlib.ExitStack() as started:
        pairs = {}

        def pair(kind):
            if kind not in pairs:
                music = music_folder
                if kind in OWN_MUSIC:
                    folder = tmp_path_factory.mktemp(f"{kind}-music") / "music"
                    music = folder, make_music(kind, folder)
                pairs[kind] = start_pair(kind, tmp_path_factory.mktemp(kind), *music, registry)
                for server in pairs[kind]:
                    started.callback(server.kill)
            return pairs[kind]
        yield pair


@pytest.fixture(scope="session")
def version():
    """The version of the MPD that runs beside Segue; without one these tests are skipped."""
    need(mpd_binary())
    return mpd_version()
