"""The two servers, and the count at the end."""
import collections
import contextlib

import pytest

from .folder import make_folder
from .servers import mpd_version, start_pair

COUNTS = collections.Counter()


@pytest.fixture(scope="session")
def music_folder(tmp_path_factory):
    """The folder with its number of songs."""
    folder = tmp_path_factory.mktemp("differential") / "music"
    folder.mkdir()
    return folder, make_folder(folder)


@pytest.fixture(scope="session")
def servers(music_folder, registry, tmp_path_factory):
    """Starts a pair of servers of each kind when it is first asked for."""
    with contextlib.ExitStack() as started:
        pairs = {}

        def pair(kind):
            if kind not in pairs:
                pairs[kind] = start_pair(kind, tmp_path_factory.mktemp(kind), *music_folder, registry)
                for server in pairs[kind]:
                    started.callback(server.kill)
            return pairs[kind]
        yield pair


@pytest.fixture(scope="session")
def version():
    """The version of the MPD that runs beside Segue."""
    return mpd_version()


@pytest.fixture(scope="session")
def counts():
    """How many answers were compared, and with what result."""
    return COUNTS


def pytest_unconfigure(config):
    """Says how many answers were compared; the last line."""
    if COUNTS:
        equal, different = COUNTS["equal"], COUNTS["different"]
        print(f"compared {COUNTS['live']} answers with MPD {'.'.join(map(str, mpd_version()))} and "
              f"{COUNTS['written']} with those of 0.24: {equal} equal, {COUNTS['deliberate']} different on purpose, "
              f"{different} different")
