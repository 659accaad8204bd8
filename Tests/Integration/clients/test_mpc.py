"""Every subcommand of mpc, most of them run against Segue and MPD: mpc has to say the same of both.

That the answers are MPD's to the byte is in differential/scenarios; here is what mpc makes of them.
"""
import contextlib
import os
import re
import shlex
import subprocess

import pytest
from harness.processes import Daemon
from harness.programs import need
from harness.waiting import wait_for

from .driving import MEETING, PATIENCE, run_mpc, run_mpc_bytes, without_attributes, without_names

FIRST = "Ada Quartet/First Light"
LONG = "Nora Hale/Long Way Home"
# Each scenario begins with an empty queue, stopped, with all options off.
SCENARIOS = {
    "the library": [
        "-f '[[%artist% - ]%title%]|[%file%]: %albumartist%/%album%/%track% %time% %genre% %date% %comment%' listall",
        "ls 'Ada Quartet'", "ls 'no such folder'", "lsplaylists", "find artist 'Ada Quartet'", "search any LAMP",
        "find '((artist == \"Ilse Brandt\") AND (title != \"Table\"))'", "find '(title =='",
        "list album group albumartist", "list title group album group artist", "list nosuchtag", "--wait update", f"--wait rescan '{FIRST}'",
    ],
    "the queue": [
        f"add '{FIRST}' '{LONG}/01 Road.flac'", "playlist", "add 'no such song'", "findadd artist 'Ilse Brandt'",
        "searchadd title amp", "play 2", "pause", f"insert '{MEETING}/1-01 Arrival.flac'", "playlist", "del 1",
        "del 99", "move 1 3", "mv 2 1", "prio 10 1", "prio 30 3:4", "-f '%position% %prio% %title%' playlist", "crop", "playlist",
        "shuffle", "clear", "playlist",
    ],
    "playing": [
        "play", f"add '{LONG}' '{MEETING}'", "play 2", "pause", "status", "current", "-f '%file% %time%' queued",
        "next", "pause", "prev", "pause", "toggle", "pause", "pause-if-playing", "cdprev", "pause", "searchplay title Table",
        "pause", "play 99", "play 1", "pause", "seek 30", "seek +0:0:20", "seek 50%", "seekthrough +250", "pause",
        "seek nonsense", "stop", "next", "seek +5",
    ],
    "options": [
        "repeat on", "random", "single once", "consume", "repeat maybe", "crossfade 4", "crossfade", "mixrampdb -17",
        "mixrampdb", "mixrampdelay 2", "mixrampdelay", "replaygain track", "replaygain", "replaygain off",
        "mixrampdb 0", "mixrampdelay nan", "volume 40", "volume +15", "volume", "volume -200", "clearerror", "status",
        "status '%volume% %random% %repeat% %single% %consume% %length% %state%'",
    ],
    "what is kept": [
        f"add '{LONG}'", "save evening", "save evening", "lsplaylists", "playlist evening", "clear",
        "--range=1: load evening", "playlist", "load nothing", "rm evening", "rm evening",
        f"sticker '{FIRST}/01 Sill.flac' set mood calm", f"sticker '{FIRST}/01 Sill.flac' list",
        f"sticker '{FIRST}' find mood", f"sticker '{FIRST}/01 Sill.flac' delete mood",
        f"sticker '{FIRST}/01 Sill.flac' get mood",
    ],
    "outputs and the rest": [
        "outputs", "disable 1", "enable only 2", "toggleoutput Nothing", "outputs", "enable 1 2", "enable 9",
        "outputset 1 no_such_attribute=1", "outputset 9 a=b", "mount", "unmount nothing-mounted",
        "mount here nonsense://x", "listneighbors", "channels", "sendmessage nobody hello",
    ],
}

# What the scenarios leave to tests of its own below.
ALONE = {"idle", "idleloop", "waitmessage", "subscribe", "albumart", "readpicture", "stats", "version"}


def normal(text):
    """An answer without what depends on the moment: elapsed time, job numbers."""
    text = re.sub(r"(#\d+/\d+\s+)\d+:\d\d(/\d+:\d\d \()\d+%\)", r"\1T\2P%)", text)
    return without_attributes(without_names(re.sub(r"(Updating DB \(#)\d+", r"\1N", text)))


def reset(server):
    """An empty queue, everything off, no playlists."""
    for command in ("stop", "clear", "repeat off", "random off", "single off", "consume off", "volume 100",
                    "crossfade 0", "enable 1 2"):
        run_mpc(server, *command.split())
    for name in run_mpc(server, "lsplaylists").output.splitlines():
        run_mpc(server, "rm", name)


@pytest.mark.smoke
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_mpc_says_the_same_as_with_mpd(server, real_mpd, scenario):
    reset(server)
    reset(real_mpd)
    differences = []
    for step in SCENARIOS[scenario]:
        arguments = shlex.split(step)
        ours, theirs = run_mpc(server, *arguments), run_mpc(real_mpd, *arguments)
        for name in ("status", "output", "error"):
            mine, other = getattr(ours, name), getattr(theirs, name)
            if name != "status":
                mine, other = normal(mine), normal(other)
            if mine != other:
                differences.append(f"mpc {step}: {name}\n  Segue: {mine!r}\n  MPD:   {other!r}")
    assert not differences, "\n".join(differences)


def subcommands():
    """What `mpc help` lists."""
    done = subprocess.run(["mpc", "help"], text=True, capture_output=True, timeout=PATIENCE)
    return set(re.findall(r"^  mpc (\S+)", done.stdout + done.stderr, re.MULTILINE))


@pytest.mark.smoke
def test_every_subcommand_of_mpc_is_driven():
    need("mpc")
    words = {word for steps in SCENARIOS.values() for step in steps for word in shlex.split(step)}
    assert len(subcommands()) > 50
    assert subcommands() - words - ALONE == set()


class Waiting(Daemon):
    """mpc in the background, whose lines can be read as they come."""

    @classmethod
    @contextlib.contextmanager
    def on(cls, server, path, *arguments):
        """Starts mpc and ends it at last."""
        need("mpc")
        process = cls(path)
        process.launch(["stdbuf", "-oL", "mpc", *arguments], {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "MPD_HOST": server.host, "MPD_PORT": str(server.port)})
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.smoke
def test_mpc_idle_ends_with_the_event(server, client, tmp_path):
    with Waiting.on(server, tmp_path / "idle", "idle", "options", "mixer") as idle:
        def told():
            # Only those who wait already are told, so change it until a client heard.
            client.repeat(1 - int(client.status()["repeat"]))
            return not idle.is_running
        wait_for(told, PATIENCE, "mpc idle's end", every=0.2)
        assert idle.log == "options\n"


def test_mpc_idleloop_goes_on(server, client, tmp_path):
    with Waiting.on(server, tmp_path / "idleloop", "idleloop", "mixer", "options") as idle:
        def told():
            client.repeat(1 - int(client.status()["repeat"]))
            return "options\n" in idle.log
        wait_for(told, PATIENCE, "the first event", every=0.2)
        client.setvol(33)
        wait_for(lambda: "mixer\n" in idle.log, PATIENCE, "the second event")
        assert idle.is_running


def test_mpc_current_waits_for_the_next_song(server, client, long_songs, tmp_path):
    for song in long_songs:
        client.add(song["file"])
    client.play(0)
    with Waiting.on(server, tmp_path / "current", "-f", "%title%", "current", "--wait") as current:
        def told():
            client.play(1 - int(client.status()["song"]))
            return not current.is_running
        wait_for(told, PATIENCE, "mpc current's end", every=0.3)
        assert current.log.strip() in {song["title"] for song in long_songs}


def test_mpc_sends_messages(server, tmp_path):
    def channels():
        return run_mpc(server, "channels").output.split()

    def send(channel, text):
        assert run_mpc(server, "sendmessage", channel, text).status == 0
    with Waiting.on(server, tmp_path / "kitchen", "subscribe", "kitchen") as subscriber:
        with Waiting.on(server, tmp_path / "hall", "waitmessage", "hall") as waiter:
            wait_for(lambda: sorted(channels()) == ["hall", "kitchen"], PATIENCE, "both channels")
            send("kitchen", "tea is ready")
            send("hall", 'he said "go"')
            wait_for(lambda: waiter.log == 'he said "go"\n' and not waiter.is_running, PATIENCE, "the message")
        send("kitchen", "twice")
        wait_for(lambda: subscriber.log == "tea is ready\ntwice\n", PATIENCE, "both messages")
    wait_for(lambda: channels() == [], PATIENCE, "no channels")


@pytest.mark.smoke
@pytest.mark.parametrize("command", ["albumart", "readpicture"])
def test_mpc_fetches_covers(server, real_mpd, command):
    """Small ones in a file, large ones in pieces; none for a song without."""
    reset(server)
    reset(real_mpd)
    for file in (f"{FIRST}/01 Sill.flac", f"{MEETING}/1-02 Table.flac", "Loose/untagged.ogg", "no such song"):
        ours, theirs = (run_mpc_bytes(each, command, file) for each in (server, real_mpd))
        assert ours == theirs, file
    assert len(run_mpc_bytes(server, "albumart", f"{MEETING}/1-02 Table.flac")[1]) > 60_000


def test_mpc_prints_statistics(server, real_mpd):
    def counts(each):
        lines = run_mpc(each, "stats").output.splitlines()
        return [line for line in lines if line.startswith(("Artists:", "Albums:", "Songs:", "DB Play Time:"))]
    assert counts(server) == counts(real_mpd)
    assert len(counts(server)) == 4


def test_mpc_prints_the_version(server):
    assert run_mpc(server, "version").output == "mpd version: 0.24.0\n"


def test_mpc_reads_from_a_pipe_the_environment_and_the_socket(server, client, long_songs):
    names = "".join(song["file"] + "\n" for song in long_songs)
    assert run_mpc(server, "add", text=names).status == 0
    listed = run_mpc(server, "playlist", environment={"MPC_FORMAT": "%title%", "MPD_HOST": str(server.socket)}).output
    assert listed.splitlines() == [song["title"] for song in long_songs]
    assert run_mpc(server, "del", text="1\n").status == 0
    assert [song["title"] for song in client.playlistinfo()] == [long_songs[1]["title"]]


def test_mpc_with_a_password(start_segue, collection, collection_size):
    server = start_segue(
        songs=collection_size, local={"music_directory": collection}, server={"default_permissions": ["read"]},
        **{"server.password": [{"password": "sesame-open-41", "permissions": ["read", "add", "player", "control"]}]})
    assert run_mpc(server, "stats").status == 0
    refused = run_mpc(server, "clear")
    assert refused.status == 1 and "you don't have permission for \"clear\"" in refused.error
    wrong = run_mpc(server, "clear", environment={"MPD_HOST": f"wrong@{server.host}"})
    assert wrong.status == 1 and "incorrect password" in wrong.error
    assert run_mpc(server, "clear", environment={"MPD_HOST": f"sesame-open-41@{server.host}"}).status == 0
    assert "sesame" not in server.log


def test_mpc_on_a_navidrome_library(navidrome_server):
    songs = run_mpc(navidrome_server, "listall").output.splitlines()
    assert len(songs) == navidrome_server.upstream.songs == len(set(songs))
    artists = run_mpc(navidrome_server, "list", "albumartist").output.splitlines()
    found = [song for artist in artists for song in
             run_mpc(navidrome_server, "find", "albumartist", artist).output.splitlines()]
    assert sorted(found) == sorted(songs)
    run_mpc(navidrome_server, "add", songs[0])
    assert run_mpc(navidrome_server, "play").status == 0
    wait_for(lambda: "[playing]" in run_mpc(navidrome_server, "status").output, PATIENCE, "the music")
    run_mpc(navidrome_server, "clear")
    run_mpc(navidrome_server, "update", "--wait")
