"""A C program on libmpdclient: what the library makes of Segue's answers is what it makes of MPD's.

Only of those for which mpc and ncmpcpp, which are built on it, never ask.
"""
import pathlib
import shutil
import subprocess

import pytest
from harness.clients import RawClient
from harness.waiting import wait_for

from .driving import PATIENCE, without_attributes, without_names

# A group's name, and the commands without which it has nothing to ask.
GROUPS = {
    "ranges": ("rangeid",), "queue_tags": (), "tag_types": (), "idle": (),
    "partitions": ("newpartition", "delpartition", "moveoutput"),
}
SOURCE = pathlib.Path(__file__).with_name("libmpdclient_calls.c")


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    """The program, compiled."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None or subprocess.run(["pkg-config", "--exists", "libmpdclient"]).returncode != 0:
        pytest.skip("no C compiler or no libmpdclient-dev; contrib/test installs both")
    program = tmp_path_factory.mktemp("libmpdclient") / "calls"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libmpdclient"], text=True, capture_output=True,
                           check=True)
    subprocess.run([compiler, "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-o", program, SOURCE,
                    *flags.stdout.split()], check=True, timeout=PATIENCE)

    def call(server, group):
        done = subprocess.run([program, server.host, str(server.port), group], text=True, capture_output=True,
                              timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()
    return call


def commands(server):
    """What a server says that it understands."""
    with RawClient(server) as raw:
        return {line.decode().removeprefix("command: ") for line in raw.ask(b"commands")[:-1]}


def rest(server):
    """Stops, empties and switches everything back, and waits until nothing is being updated."""
    connection = server.client()
    connection.stop()
    connection.clear()
    for option in ("repeat", "random", "single", "consume", "crossfade"):
        getattr(connection, option)(0)
    connection.setvol(100)
    connection.mixrampdelay("nan")
    wait_for(lambda: "updating_db" not in connection.status(), PATIENCE, "the update's end")
    connection.disconnect()


@pytest.mark.smoke
@pytest.mark.parametrize("group", GROUPS)
def test_libmpdclient_understands_segue_as_it_understands_mpd(server, real_mpd, calls, group):
    assert set(GROUPS[group]) <= commands(server)
    rest(server)
    rest(real_mpd)
    ours, theirs = (without_names("\n".join(calls(each, group))) for each in (server, real_mpd))
    if group == "partitions":
        ours, theirs = without_attributes(ours), without_attributes(theirs)
    assert ours == theirs


def test_libmpdclient_gets_a_fingerprint_where_it_is_listed(server, calls):
    lines = calls(server, "fingerprint")
    if "getfingerprint" in commands(server):
        assert "  it is long: 1" in lines
    else:
        assert any("ACK 5 unknown command" in line for line in lines)
