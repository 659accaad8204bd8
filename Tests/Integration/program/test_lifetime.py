"""The life of the process: how it starts without what it needs, what it survives, and how it ends."""
import contextlib
import os
import pathlib
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.processes import wait_for_port
from harness.segue import ROOT, Segue
from harness.waiting import wait_for


@pytest.fixture
def navidrome(start_navidrome):
    """A fake Navidrome."""
    return start_navidrome(songs=5, seconds=20)


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


def failure(server, status=1):
    """The one line with which the program refuses to start."""
    server.write_configuration()
    result = server.run("serve", "--config", server.configuration)
    assert result.returncode == status, result
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


@pytest.mark.parametrize("section", [
    pytest.param({}, id="nothing", marks=pytest.mark.smoke),
    pytest.param({"navidrome": {"sync_interval": 1}}, id="no login")])
def test_a_login_is_taken_up_without_a_restart(bare, navidrome, section):
    bare.sections.update(section)
    bare.start()
    before = bare.process.pid
    assert bare.client().stats()["songs"] == "0"
    done = bare.run("login", navidrome.url, USER, "--config", bare.configuration, text=PASSWORD + "\n")
    assert done.returncode == 0, done.stderr
    wait_for(lambda: "restarting with it" in bare.log, what="the login to be noticed")
    wait_for_port(bare, bare.port)
    bare.wait_for_songs(5)
    assert bare.process.pid == before
    assert "error" not in bare.client().status()
    assert bare.stop()[0] == 0


def test_settings_that_break_while_a_login_is_awaited_are_told_once(bare, navidrome):
    bare.start()
    text = bare.configuration.read_text()
    bare.configuration.write_text(text + "\n[[[\n")
    wait_for(lambda: "the settings can't be read" in bare.log, 30, "the trouble with the settings")
    line = next(line for line in bare.log.splitlines() if "the settings can't be read" in line)
    assert str(bare.configuration) in line, line
    bare.configuration.write_text(text)
    assert bare.run("login", navidrome.url, USER, "--config", bare.configuration, text=PASSWORD + "\n").returncode == 0
    wait_for(lambda: "restarting with it" in bare.log, what="the login to be noticed")
    assert bare.log.count("the settings can't be read") == 1


@pytest.mark.needs_root
def test_a_read_only_file_system_is_one_line(bare, mounted):
    folder = mounted("readonly", "size=4m")
    (folder / "state").mkdir()
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    bare.sections["server"]["state_directory"] = folder / "state"
    line = failure(bare)
    assert str(folder / "state") in line and "Read-only file system" in line and "remount,rw" in line


@pytest.mark.parametrize("version, told", [(99, "newer version"), (19, "older version")])
def test_a_database_of_another_version_is_one_line_and_the_unit_does_not_try_again(bare, version, told):
    bare.start()
    bare.stop()
    database = bare.folder / "state" / "segue.db"
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {version}")
    line = failure(bare, status=78)
    assert str(database) in line and told in line
    for unit in ("segue.service", "segue.user.service"):
        text = (ROOT / "contrib/systemd" / unit).read_text(encoding="utf-8")
        assert "RestartPreventExitStatus=78" in text


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


def test_files_are_the_users_own(bare, library, tmp_path):
    recording = tmp_path / "recording.wav"
    bare.sections["local"] = {"music_directory": library[0]}
    bare.sections["output"] = [{"type": "file", "name": "Recording", "path": recording}]
    bare.start(songs=len(library[1]))
    client = bare.client()
    client.findadd("title", "Road")
    client.play(0)
    wait_for(lambda: recording.exists() and recording.stat().st_size > 1000, 30, "the recording")
    for file in (bare.folder / "state").rglob("*"):
        assert file.stat().st_mode & 0o077 == 0, file
    for file in (bare.folder / "cache").rglob("*"):
        assert file.stat().st_mode & 0o077 == 0, file
    mask = os.umask(0o077)
    os.umask(mask)
    assert recording.stat().st_mode & 0o777 == 0o666 & ~mask
    limits = pathlib.Path(f"/proc/{bare.process.pid}/limits").read_text()
    assert next(line.split()[4:6] for line in limits.splitlines() if line.startswith("Max core file")) == ["0", "0"]


def silence(navidrome):
    """Stops the fake Navidrome in mid-sentence; connections stay open and nothing answers."""
    navidrome.process.send_signal(signal.SIGSTOP)


@pytest.mark.smoke
def test_it_ends_in_three_seconds_whatever_hangs(bare, navidrome, tmp_path):
    recording = tmp_path / "recording.flac"
    bare.sections["navidrome"] = {"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1}
    bare.sections["output"] = [{"type": "file", "name": "Recording", "path": recording},
                               {"type": "null", "name": "Nothing"}]
    bare.start(songs=5)
    client = bare.client()
    client.add("/")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1, 30, "music")
    client.crossfade(7)
    silence(navidrome)
    # A client that asks for much and reads none of it.
    deaf = socket.create_connection((bare.host, bare.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.sendall(b"listallinfo\n" * 20000)
    # Another process that keeps the database busy.
    holder = sqlite3.connect(bare.folder / "state" / "segue.db", isolation_level=None)
    client.update()
    client.rescan()
    wait_for(lambda: saved(bare, "crossfade") == "7", 30, "the change to be saved")
    client.crossfade(8)
    holder.execute("BEGIN")
    holder.execute("SELECT count(*) FROM song").fetchone()
    # Three seconds are promised; a machine with other work may need longer. What hangs here never goes on.
    status, _ = bare.stop(seconds=20)
    holder.close()
    deaf.close()
    assert status == 0
    assert saved(bare, "crossfade") == "8"
    navidrome.process.send_signal(signal.SIGCONT)
    if shutil.which("flac"):
        test = subprocess.run(["flac", "--test", "--warnings-as-errors", recording], capture_output=True, text=True,
                              timeout=60)
        assert test.returncode == 0, test.stderr


def saved(server, key):
    """An option as the database has it."""
    with contextlib.closing(sqlite3.connect(server.folder / "state" / "segue.db")) as database:
        row = database.execute("SELECT value FROM player WHERE partition = 1 AND key = ?", [key]).fetchone()
    return row and str(row[0])


def test_a_second_signal_ends_it_at_once(bare, navidrome):
    bare.sections["navidrome"] = {"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1}
    bare.start(songs=5)
    client = bare.client()
    client.add("/")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 30, "music")
    silence(navidrome)
    client.pause(1)
    client.pause(0)
    bare.process.send_signal(signal.SIGTERM)
    bare.process.send_signal(signal.SIGINT)
    assert bare.process.wait(20) in (0, 128 + signal.SIGTERM, 128 + signal.SIGINT)
    navidrome.process.send_signal(signal.SIGCONT)


@pytest.mark.smoke
def test_a_damaged_database_is_kept_aside_and_the_queue_comes_back(bare, library):
    bare.sections["local"] = {"music_directory": library[0]}
    bare.start(songs=len(library[1]))
    client = bare.client()
    client.findadd("title", "Road")
    client.save("Kept")
    client.sticker_set("song", client.playlistinfo()[0]["file"], "note", "x")
    before = [song["file"] for song in client.playlistinfo()]
    bare.stop()
    database = bare.folder / "state" / "segue.db"
    # A log that is left would have the damaged page once more.
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(database, "r+b") as file:
        file.write(bytes(range(100)))
    bare.start(songs=len(library[1]))
    assert [path for path in database.parent.iterdir() if ".damaged-" in path.name]
    assert "was damaged" in bare.log and "kept as" in bare.log
    client = bare.client()
    wait_for(lambda: [song["file"] for song in client.playlistinfo()] == before, 30, "the queue")
    assert client.listplaylist("Kept") == before
    assert client.sticker_get("song", before[0], "note") == "x"


@pytest.mark.needs_root
def test_a_full_disk_is_said_once_and_the_queue_is_saved_when_there_is_room(bare, library, mounted):
    folder = mounted("small", "size=4m")
    bare.sections["local"] = {"music_directory": library[0]}
    bare.sections["server"]["state_directory"] = folder / "state"
    bare.start(songs=len(library[1]))
    client = bare.client()
    filler = folder / "filler"
    with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    for _ in range(200):
        client.add("/")
    wait_for(lambda: "can't be saved" in bare.log, 30, "the full disk to be said")
    line = next(line for line in bare.log.splitlines() if "can't be saved" in line)
    assert str(folder / "state") in line and "database or disk is full" in line, line
    for number in range(5):
        client.crossfade(number)
    assert client.status()["state"] == "stop"
    count = client.status()["playlistlength"]
    filler.unlink()
    wait_for(lambda: "are saved again" in bare.log, 30, "the queue to be saved again")
    assert bare.log.count("can't be saved") == 1
    bare.stop()
    bare.start()
    assert bare.client().status()["playlistlength"] == count


def test_without_descriptors_it_goes_on_and_says_so(bare):
    bare.sections["server"]["max_connections"] = 500
    bare.prepare = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (110, 110))
    bare.start()
    kept = bare.client()
    crowd = []
    with contextlib.suppress(OSError):
        for _ in range(150):
            crowd.append(socket.create_connection((bare.host, bare.port), timeout=5))
    wait_for(lambda: "out of descriptors" in bare.log, 30, "the message")
    used = bare.processor_seconds
    start = time.monotonic()
    wait_for(lambda: time.monotonic() - start > 2 and kept.status()["state"] == "stop", 30, "two seconds")
    assert bare.processor_seconds - used < 1
    assert bare.log.count("out of descriptors") <= 2
    for connection in crowd:
        connection.close()

    def accepted():
        with contextlib.closing(socket.create_connection((bare.host, bare.port), timeout=2)) as connection:
            connection.settimeout(2)
            return connection.recv(100).startswith(b"OK MPD")
    wait_for(accepted, 30, "a free place")
