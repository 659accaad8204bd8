"""The environment of the process: written only while no other thread could read it."""
import pathlib
import shutil
import subprocess

import pytest
from harness.segue import ROOT, Segue
from harness.waiting import wait_for


@pytest.fixture
def log(tmp_path):
    """Where changes are noted."""
    return tmp_path / "environment.log"


@pytest.fixture
def segue(tmp_path, registry, library, log):
    """Segue with a folder in another charset; its changes of the environment are noted."""
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    preloaded = tmp_path / "environment.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", preloaded,
                    ROOT / "Tests/Integration/harness/environment.c", "-ldl"], check=True)
    running = Segue(tmp_path / "segue", registry, local={
        "music_directory": library[0], "legacy_charset": "windows-1251"})
    running.environment.update(LD_PRELOAD=str(preloaded), ENVIRONMENT_LOG=str(log))
    yield running
    running.kill()


def changes(log):
    """The names that were set, with the most threads that there were."""
    found = {}
    for line in log.read_text().splitlines():
        name, count = line.split()
        found[name] = max(found.get(name, 0), int(count))
    return found


def test_a_server_sets_the_environment_before_there_are_threads(segue, library, log):
    segue.start(songs=len(library[1]))
    client = segue.client()
    client.add("/")
    client.play()
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, 20, "sound")
    found = changes(log)
    assert "GST_TAG_ENCODING" in found, found
    assert set(found.values()) == {1}, found
    environment = pathlib.Path(f"/proc/{segue.process.pid}/status").read_text()
    assert int(environment.split("Threads:")[1].split()[0]) > 1, "there were never any threads"


def test_a_sync_sets_the_environment_before_there_are_threads(segue, log):
    segue.write_configuration()
    result = segue.run("sync", "--config", segue.configuration, seconds=120)
    assert result.returncode == 0, result.stderr
    found = changes(log)
    assert "GST_TAG_ENCODING" in found and set(found.values()) == {1}, found
