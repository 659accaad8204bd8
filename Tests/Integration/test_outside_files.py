"""Files outside of the library, which clients on the Unix socket play by path."""
import os

from harness.clients import RawClient
from harness.music import encode_flac, noise, wav_samples, write_wav
from harness.waiting import wait_for


def local_client(server):
    """A connection by the Unix socket, which may be there a moment after the port."""
    wait_for(server.socket.exists, what="the socket")
    return RawClient(server, over_socket=True)


def fields(lines):
    """The pairs of an answer."""
    return [tuple(line.decode().split(": ", 1)) for line in lines[:-1]]


def test_local_clients_play_files_by_path_without_a_gap(start_segue, tmp_path):
    first, second = noise(1, 1.5), noise(2, 1.2)
    elsewhere = tmp_path / "Läs"
    elsewhere.mkdir()
    write_wav(elsewhere / "one.wav", first)
    encode_flac(elsewhere / "two.flac", second)
    heard = tmp_path / "heard.wav"
    server = start_segue(output=[{"type": "file", "name": "Recording", "path": heard}])
    with local_client(server) as local:
        path = str(elsewhere / "one.wav")
        listed = dict(fields(local.ask(b'lsinfo "%s"' % path.encode())))
        assert listed["file"] == path and listed["Time"] == "2" and listed["Format"] == "44100:16:2"
        assert local.ask(b'add "%s"' % path.encode()) == [b"OK"]
        assert local.ask(b'addid "file://%s"' % str(elsewhere / "two.flac").encode())[0].startswith(b"Id: ")
        queue = fields(local.ask(b"playlistinfo"))
        assert [value for key, value in queue if key == "file"] == [path, str(elsewhere / "two.flac")]
        assert local.ask(b"play 0") == [b"OK"]
        client = server.client()
        wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the queue")
        assert "error" not in client.status()
        # A seek in one, as in songs of the library.
        assert local.ask(b"seek 0 0.5") == [b"OK"]
        wait_for(lambda: float(client.status().get("elapsed", 0)) >= 0.5, what="the place")
    assert server.stop()[0] == 0
    assert wav_samples(heard).startswith(first + second)


def test_what_is_there_stays_in_the_queue_over_a_restart(start_segue, tmp_path):
    write_wav(tmp_path / "one.wav", noise(1, 3))
    server = start_segue()
    with local_client(server) as local:
        assert local.ask(b'add "%s"' % str(tmp_path / "one.wav").encode()) == [b"OK"]
    assert server.stop()[0] == 0
    server.start()
    client = server.client()
    assert client.playlistinfo()[0]["file"] == str(tmp_path / "one.wav")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.2, what="sound")
    assert float(client.status()["duration"]) == 3.0


def test_what_is_no_sound_or_is_gone_is_refused(start_segue, tmp_path):
    (tmp_path / "text.flac").write_text("no sound")
    os.mkfifo(tmp_path / "pipe.flac")
    write_wav(tmp_path / "gone.wav", noise(1, 1))
    server = start_segue()
    with local_client(server) as local:
        for name in ["text.flac", "pipe.flac", "missing.flac", ""]:
            answer = local.ask(b'add "%s"' % str(tmp_path / name).encode())
            assert answer == [b"ACK [50@0] {add} No such file"], name
        assert local.ask(b'add "%s"' % str(tmp_path / "gone.wav").encode()) == [b"OK"]
        (tmp_path / "gone.wav").unlink()
        local.ask(b"play 0")
        client = server.client()
        wait_for(lambda: "isn't there" in client.status().get("error", ""), what="the error")
    with RawClient(server) as remote:
        assert remote.ask(b"add /etc/passwd") == [
            b"ACK [4@0] {add} Access to local files via TCP is not allowed"]
    assert server.stop()[0] == 0
