"""Speed, the sleep timer, and music that waits for listeners."""
import socket

import mpd
from harness.clients import mpc
from harness.music import wav_samples
from harness.processes import free_port
from harness.waiting import wait_for

for word in ("speed", "sleeptimer"):
    mpd.MPDClient.add_command(word, mpd.MPDClient._parse_object)


def start(start_segue, library, output, **playback):
    """Starts segue on the library with one output."""
    return start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output],
                       playback=playback)


def test_a_recording_at_a_speed_is_as_much_shorter(start_segue, library, tracks, tmp_path):
    path = tmp_path / "fast.wav"
    server = start(start_segue, library, {"type": "file", "name": "Recording", "path": path})
    client = server.client()
    assert {"speed", "sleeptimer"} <= set(client.commands())
    # A client that knows only MPD's own commands.
    mpc(server, "sendmessage", "segue", "speed 1.5")
    assert client.status()["speed"] == "1.5" and client.speed() == {"speed": "1.5"}
    client.findadd("title", "Lamp")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1, 60, "a second of the song")
    length = len(tracks["Lamp"].samples) / 4 / 44100
    # The song's own time, whatever the speed.
    assert abs(float(client.status()["duration"]) - length) < 0.1
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the song")
    assert server.stop()[0] == 0
    assert abs(len(wav_samples(path)) / 4 / 44100 - length / 1.5) < 0.2
    server.start()
    assert server.client().status()["speed"] == "1.5"


def test_the_sleep_timer_pauses(start_segue, library):
    server = start(start_segue, library, {"type": "null", "name": "Nothing"})
    client = server.client()
    client.findadd("title", "Lamp")
    client.repeat(1)
    client.play(0)
    client.sleeptimer("0.02")
    assert float(client.status()["sleep"]) <= 1.2
    wait_for(lambda: client.status()["state"] == "pause", 60, "the pause")
    assert "sleep" not in client.status()


def test_music_waits_for_listeners(start_segue, library):
    port = free_port()
    output = {"type": "httpd", "name": "Stream", "port": port, "bind_to_address": "127.0.0.1", "encoder": "wave"}
    server = start(start_segue, library, output, pause_without_listeners=True)
    client = server.client()
    for title in ("Lamp", "Sill", "Window"):
        client.findadd("title", title)
    client.repeat(1)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "pause", 60, "the pause without listeners")

    def listen():
        listener = socket.create_connection(("127.0.0.1", port), timeout=60)
        listener.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return listener
    with listen() as listener:
        wait_for(lambda: client.status()["state"] == "play", 60, "music for the first listener")
        assert "listeners=1" in client.outputs()[0]["attribute"]
        assert listener.recv(16).startswith(b"HTTP/1.")
    wait_for(lambda: client.status()["state"] == "pause", 60, "the pause after the last listener")
    client.stop()
    with listen() as listener:
        listener.recv(16)
        assert client.status()["state"] == "stop"


def test_one_partition_waits_for_listeners_and_another_does_not(start_segue, library):
    streams = [{"type": "httpd", "name": name, "port": free_port(), "bind_to_address": "127.0.0.1", "encoder": "wave"}
               for name in ("Here", "There")]
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, output=streams,
        playback={"pause_without_listeners": True},
        partition=[{"name": "there", "outputs": ["There"], "pause_without_listeners": False}])
    here, there = server.client(), server.client()
    there.partition("there")
    for client in (there, here):
        client.findadd("title", "Lamp")
        client.repeat(1)
        client.play(0)
    wait_for(lambda: here.status()["state"] == "pause", 60, "the pause without listeners")
    assert there.status()["state"] == "play"
