"""Fixtures: generated music, real servers on it, and segue in front of them; and how workers share the tests."""
import collections
import contextlib
import os

import pytest
from harness.fake_navidrome import FakeNavidrome
from harness.music import make_library
from harness.reference import ReferenceMPD, mpd_version
from harness.segue import Demo, Segue, binary
from harness.sharing import made_once, shared_folder
from harness.supysonic import Supysonic, navidrome_section
from harness.terminal import Terminal


def pytest_sessionstart(session):
    """Says early what would make every test fail."""
    if not binary().exists() and not session.config.option.collectonly and not ReferenceMPD.is_wanted():
        pytest.exit(f"{binary()} does not exist; run `swift build`, or set SEGUE_BINARY", returncode=2)


APART = {
    "test_hostile_pages", "test_hostile_clients", "test_hostile_files", "test_hostile_floods", "test_hostile_listeners", "test_hostile_memory",
    "test_hostile_queue", "test_hostile_rooms", "test_hostile_servers", "test_hostile_state", "test_hostile_stations", "test_hostile_wishes",
    "test_analysis", "test_auto_dj", "test_beats", "test_failing_system", "test_full_disk", "test_clocks", "test_restored_server",
    "test_dash", "test_kill_nine", "test_lifetime", "test_marks", "test_navidrome", "test_network",
    "test_outputs_devices", "test_outputs_files", "test_outputs_latency", "test_outputs_mixers",
    "test_outputs_snapcast", "test_outputs_streams", "test_playlists_both_ways", "test_radio", "test_scrobbling",
    "test_returns", "test_sound", "test_state", "test_upkeep", "test_wishes",
}
"""Files whose tests share no server: any worker may run any of them, after those of the other files."""

LONGEST = (
    "test_many_encoders", "test_hostile_library", "test_hostile_disks", "test_analysis_quality", "test_kill_nine", "test_hostile_queue",
    "test_hostile_files", "test_dependencies", "test_outputs_gaps",
)
"""What is begun first, so that no worker is left with it in the end: files with a few long tests."""


def pytest_configure(config):
    """Declares the marks, that of pytest-xdist also where that is not installed."""
    config.addinivalue_line("markers", "xdist_group(name): tests that one worker runs, one after the other")
    config.addinivalue_line("markers", "smoke: runs in every contrib/test; everything else only with --all")
    config.addinivalue_line("markers", "needs_root: tests that only root can run; `contrib/test` as root runs them apart")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keeps the tests of a file together, those of another kind of server apart (`--dist loadgroup`).

    Before pytest-xdist looks: groups that come later count for nothing.
    """
    items.sort(key=lambda item: (item.path.stem not in LONGEST, item.path.stem in APART))
    for item in items:
        if item.get_closest_marker("needs_root") and os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason="needs root"))
        if item.path.stem in APART:
            continue
        group = item.path.parent.stem if item.path.parent.stem == "differential" else item.path.stem
        source = item.callspec.params.get("server") if hasattr(item, "callspec") else None
        item.add_marker(pytest.mark.xdist_group(f"{group}-{source}" if source in SOURCES else group))


COMPARED = collections.Counter()
"""How many answers the tests in `differential` compared, and with what result; those of all workers in the end."""


@pytest.fixture(scope="session")
def counts():
    """Where tests count the answers that they compare."""
    return COMPARED


def pytest_sessionfinish(session):
    """Hands a worker's counts over."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compared"] = dict(COMPARED)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    """Takes a worker's counts."""
    COMPARED.update(getattr(node, "workeroutput", {}).get("compared", {}))


def pytest_unconfigure(config):
    """Says how many answers were compared; the last line."""
    if COMPARED and not hasattr(config, "workerinput"):
        print(f"compared {COMPARED['live']} answers with MPD {'.'.join(map(str, mpd_version()))} and "
              f"{COMPARED['written']} with those of 0.24: {COMPARED['equal']} equal, "
              f"{COMPARED['deliberate']} different on purpose, {COMPARED['different']} different")


@pytest.fixture(scope="session")
def registry(tmp_path_factory):
    """GStreamer's list of plug-ins, made once and not anew for every process."""
    return shared_folder(tmp_path_factory) / "gstreamer-registry.bin"


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """The folder with the generated music, and its tracks."""
    return made_once(tmp_path_factory, "music", make_library)


@pytest.fixture(scope="session")
def tracks(library):
    """The generated tracks by title."""
    return {track.title: track for track in library[1]}


@pytest.fixture(scope="session")
def supysonic(library, tmp_path_factory):
    """A running supysonic with the generated music; tests that stop it use `own_supysonic`."""
    server = Supysonic(tmp_path_factory.mktemp("supysonic"), library[0]).start()
    yield server
    server.close()


@pytest.fixture
def own_supysonic(library, tmp_path):
    """A supysonic that a test may stop and start."""
    folder = tmp_path / "supysonic"
    folder.mkdir()
    server = Supysonic(folder, library[0]).start()
    yield server
    server.close()


@pytest.fixture
def start_segue(tmp_path, registry):
    """Starts segue processes with a given configuration and ends them after the test."""
    with contextlib.ExitStack() as started:
        count = 0

        def start(songs=None, kind=Segue, **sections):
            nonlocal count
            count += 1
            server = kind(tmp_path / f"segue{count}", registry, **sections)
            started.callback(server.kill)
            return server.start(songs)
        yield start


@pytest.fixture
def start_navidrome(tmp_path):
    """Starts fake Navidromes and ends them after the test."""
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    with contextlib.ExitStack() as started:
        def start(**settings):
            server = FakeNavidrome(tmp_path, **settings)
            started.callback(server.kill)
            return server.start()
        yield start


HAS_REFERENCE = ReferenceMPD.is_wanted()
SOURCES = ["navidrome", "local", "demo"] + (["reference"] if HAS_REFERENCE else [])
"""The ways of having a library; `every_source` in protocol/test_basic_run.py is for tests about them."""


@pytest.fixture(scope="module")
def server(request, library, registry, tmp_path_factory):
    """A running server on a folder of music, or on another source of a test's choice; shared by the tests of a file."""
    source = getattr(request, "param", "reference" if HAS_REFERENCE else "local")
    folder = tmp_path_factory.mktemp(source)
    music, tracks = library
    if source == "navidrome":
        upstream = request.getfixturevalue("supysonic")
        running = Segue(folder, registry, navidrome=navidrome_section(upstream))
    elif source == "local":
        running = Segue(folder, registry, local={"music_directory": music})
    elif source == "demo":
        running = Demo(folder, registry)
    else:
        running = ReferenceMPD(folder, music)
    try:
        yield running.start(songs=len(tracks))
    finally:
        running.kill()


@pytest.fixture
def client(server):
    """A python-mpd2 connection to a server whose queue is empty and whose options are the usual ones."""
    connection = server.client()
    connection.stop()
    connection.clear()
    for option in ("repeat", "random", "single", "consume"):
        getattr(connection, option)(0)
    connection.setvol(100)
    yield connection
    connection.disconnect()


@pytest.fixture
def songs(client):
    """All songs of the server's library as the protocol shows them."""
    return [entry for entry in client.listallinfo() if "file" in entry]


@pytest.fixture
def terminal(tmp_path):
    """A terminal for one program."""
    screen = Terminal(tmp_path)
    yield screen
    screen.close()
