"""The life of the process: how it starts without what it needs, what it survives, and how it ends."""
import os
import pathlib
import subprocess

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import wait_for_port
from harness.segue import Segue, binary
from harness.waiting import wait_for


@pytest.fixture
def navidrome(tmp_path):
    """A fake Navidrome."""
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    server = FakeNavidrome(tmp_path, songs=5, seconds=20).start()
    yield server
    server.kill()


@pytest.fixture
def bare(tmp_path, registry):
    """A segue without a source of songs; not started."""
    server = Segue(tmp_path / "segue", registry)
    yield server
    server.kill()


@pytest.fixture
def mounted(tmp_path):
    """Mounts a small file system in memory at a folder; what it is given are mount's options."""
    mounts = []

    def mount(name, options):
        folder = tmp_path / name
        folder.mkdir()
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False)
        if done.returncode != 0:
            pytest.skip("this machine mounts no tmpfs")
        mounts.append(folder)
        return folder
    yield mount
    for folder in mounts:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)


def failure(server):
    """The one line with which the program refuses to start."""
    server.write_configuration()
    result = server.run("serve", "--config", server.configuration)
    assert result.returncode == 1, result
    lines = [line for line in result.stderr.splitlines() if line.startswith("segue: ")]
    assert len(lines) == 1, result.stderr
    return lines[0]


def test_without_a_source_it_serves_nothing_and_says_what_to_do(bare):
    bare.start()
    client = bare.client()
    assert client.stats()["songs"] == "0"
    assert "segue login" in client.status()["error"]
    assert "segue login" in bare.log
    assert "priority" not in bare.log


@pytest.mark.parametrize("section", [{}, {"navidrome": {"sync_interval": 1}}], ids=["nothing", "no login"])
def test_a_login_is_taken_up_without_a_restart(bare, navidrome, section):
    bare.sections.update(section)
    bare.start()
    before = bare.process.pid
    assert bare.client().stats()["songs"] == "0"
    done = bare.run("login", navidrome.url, USER, "--config", bare.configuration, text=PASSWORD + "\n")
    assert done.returncode == 0, done.stderr
    wait_for(lambda: "beginning anew" in bare.log, what="the login to be noticed")
    wait_for_port(bare, bare.port)
    bare.wait_for_songs(5)
    assert bare.process.pid == before
    assert "error" not in bare.client().status()
    assert bare.stop()[0] == 0


@pytest.mark.needs_root
def test_a_read_only_file_system_is_one_line(bare, mounted):
    folder = mounted("readonly", "size=4m")
    (folder / "state").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    bare.sections["server"]["state_directory"] = folder / "state"
    line = failure(bare)
    assert str(folder / "state") in line and "Read-only file system" in line and "remount,rw" in line


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_read_only_database_is_one_line(bare):
    bare.start()
    bare.stop()
    database = pathlib.Path(bare.folder / "state" / "segue.db")
    database.chmod(0o400)
    line = failure(bare)
    assert str(database) in line and "state_directory" in line


def test_the_limit_of_descriptors_is_raised(bare):
    bare.start()
    limits = pathlib.Path(f"/proc/{bare.process.pid}/limits").read_text()
    soft, hard = next(line.split()[3:5] for line in limits.splitlines() if line.startswith("Max open files"))
    assert soft == hard
