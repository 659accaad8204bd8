"""Programs that Segue starts: what they get of it, and what they keep."""
import os
import signal
import socket

from harness.processes import free_port
from harness.radio import Station
from harness.waiting import wait_for
from harness.web import Web

LIST = "for file in /proc/$$/fd/*; do test -e $file && echo ${file##*/} $(readlink $file); done"
"""A shell's open descriptors, a line for each."""


def descriptors(path):
    """What a program has written there, by number."""
    wait_for(lambda: path.exists() and path.read_text().endswith("end\n"), 30, "the program")
    return dict(line.split(" ", 1) for line in path.read_text().splitlines()[:-1])


def test_a_program_for_sound_has_no_socket_of_the_server(start_segue, library, tmp_path):
    sound, port = tmp_path / "sound", free_port()
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, web={"listen": [f"127.0.0.1:{port}"]},
        output=[{"type": "pipe", "name": "Program", "command": f"exec > '{sound}'; {LIST}; echo end; cat > /dev/null"}])
    client, page = server.client(), Web(port)
    assert page.get("/api/status")
    client.add(next(entry["file"] for entry in client.listall() if "file" in entry))
    client.play(0)
    found = descriptors(sound)
    assert set(found) == {"0", "1", "2"}
    assert found["1"] == str(sound) and found["2"] == str(server.log_path)


def test_a_program_for_addresses_has_no_socket_of_the_server(start_segue, tmp_path):
    station, found = Station(b"", "audio/mpeg"), tmp_path / "addresses"
    station.files["/watch"] = ("text/html; charset=utf-8", b"<!DOCTYPE html><html><body>A player</body></html>" * 50)
    program = tmp_path / "resolver"
    program.write_text(f"#!/bin/sh\nexec > '{found}'\n{LIST}\necho end\n")
    program.chmod(0o700)
    client = start_segue(resolver={"command": [str(program)], "hosts": ["127.0.0.1"]}).client()
    client.add(f"http://127.0.0.1:{station.port}/watch")
    client.play(0)
    shown = descriptors(found)
    # A shell keeps its script open as well, under a number of its own.
    assert {number for number, target in shown.items() if target != str(program)} == {"0", "1", "2"}
    station.close()


def test_a_program_that_goes_on_keeps_no_port_and_no_connection(start_segue, library, tmp_path):
    pid = tmp_path / "pid"
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]},
        output=[{"type": "pipe", "name": "Program",
                 "command": f"setsid sh -c 'echo $$ > \"{pid}\"; exec sleep 1000' & cat > /dev/null"}])
    client = server.client()
    silent = socket.create_connection(("127.0.0.1", server.port))
    assert silent.recv(100).startswith(b"OK MPD")
    client.add(next(entry["file"] for entry in client.listall() if "file" in entry))
    client.play(0)
    wait_for(lambda: pid.exists() and pid.read_text().strip(), 30, "the program")
    try:
        silent.sendall(b"close\n")
        silent.settimeout(10)
        assert silent.recv(100) == b"", "the client sees the end of its connection"
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        server.start(songs=len(library[1]))
        assert server.stop()[0] == 0
    finally:
        os.kill(int(pid.read_text()), signal.SIGKILL)
