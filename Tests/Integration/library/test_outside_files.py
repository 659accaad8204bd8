"""Files outside of the library, which clients on the Unix socket play by path."""
import os
import pathlib

import pytest
from harness.clients import RawClient
from harness.music import encode_flac, noise, wav_samples, write_wav
from harness.processes import can_connect_to
from harness.waiting import wait_for


def local_client(server):
    """A connection by the Unix socket, which may be there a moment after the port."""
    wait_for(lambda: can_connect_to(server.socket), what="the socket")
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
    (tmp_path / "empty.flac").touch()
    (tmp_path / "folder.flac").mkdir()
    os.mkfifo(tmp_path / "pipe.flac")
    (tmp_path / "device.flac").symlink_to("/dev/zero")
    (tmp_path / "loop.flac").symlink_to("loop.flac")
    write_wav(tmp_path / "gone.wav", noise(1, 1))
    no_song = [str(tmp_path / name) for name in (
        "text.flac", "empty.flac", "folder.flac", "pipe.flac", "device.flac", "")]
    no_song += ["/dev/zero", "/dev/null", "/dev/tty", "/proc/self/environ", "/proc/version", "/proc/self/mem",
                f"{tmp_path}/../{tmp_path.name}/gone.wav", f"/{tmp_path}/gone.wav", "/"]
    server = start_segue()
    with local_client(server) as local:
        for path in no_song:
            for command in (b"add", b"addid"):
                if path == "/" and command == b"add":
                    continue
                assert local.ask(b'%s "%s"' % (command, path.encode())) == [
                    b"ACK [50@0] {%s} No such song" % command], path
        for name, reason in (("missing.flac", "No such file or directory"),
                             ("loop.flac", "Too many levels of symbolic links")):
            path = f"{tmp_path}/{name}"
            assert local.ask(f'add "{path}"'.encode()) == [
                f"ACK [52@0] {{add}} Failed to access {path}: {reason}".encode()]
        for name in ("text.flac", "pipe.flac", "device.flac"):
            path = f"{tmp_path}/{name}".encode()
            assert local.ask(b'readpicture "%s" 0' % path) == [b"ACK [50@0] {readpicture} Failed to load file"]
            assert local.ask(b'readcomments "%s"' % path) == [b"ACK [50@0] {readcomments} Failed to load file"]
        assert local.ask(b'add "%s"' % str(tmp_path / "gone.wav").encode()) == [b"OK"]
        (tmp_path / "gone.wav").unlink()
        local.ask(b"play 0")
        client = server.client()
        wait_for(lambda: "isn't there" in client.status().get("error", ""), what="the error")
    with RawClient(server) as remote:
        for command in (b"add /etc/passwd", b"addid /etc/passwd", b"lsinfo /etc/passwd", b"listfiles /etc",
                        b"load /etc/x.m3u", b"listplaylist /etc/x.m3u", b"readcomments /etc/passwd",
                        b"readpicture /etc/passwd 0", b"albumart /etc/passwd 0", b"add file:///etc/passwd"):
            assert remote.ask(command) == [
                b"ACK [4@0] {%s} Access to local files via TCP is not allowed" % command.split()[0]]
    assert server.stop()[0] == 0


def test_links_lead_to_what_may_be_played(start_segue, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    write_wav(tmp_path / "elsewhere/one.wav", noise(1, 1))
    (tmp_path / "music").mkdir()
    (tmp_path / "link.wav").symlink_to("elsewhere/one.wav")
    (tmp_path / "music/inside.wav").symlink_to(tmp_path / "elsewhere/one.wav")
    server = start_segue(local={"music_directory": tmp_path / "music", "follow_outside_symlinks": False})
    with local_client(server) as local:
        assert local.ask(b'add "%s"' % str(tmp_path / "link.wav").encode()) == [b"OK"]
        # What lies in the folder of music is the library's: it says which links are followed.
        assert local.ask(b'add "%s"' % str(tmp_path / "music/inside.wav").encode()) == [
            b"ACK [50@0] {add} No such directory"]


def test_playlists_and_folders_of_this_machine_are_read_for_its_clients(start_segue, tmp_path):
    (tmp_path / "lists").mkdir()
    (tmp_path / "sound").mkdir()
    write_wav(tmp_path / "sound/one.wav", noise(1, 1.5))
    (tmp_path / "lists/my.m3u").write_text(
        f"../sound/one.wav\nhttp://127.0.0.1:1/x\n../sound/gone.wav\n/dev/zero\nfile://{tmp_path}/sound/one.wav\n")
    server = start_segue()
    with local_client(server) as local:
        assert local.ask(b'load "%s"' % str(tmp_path / "lists/my.m3u").encode()) == [b"OK"]
        queue = fields(local.ask(b"playlistinfo"))
        one = str(tmp_path / "sound/one.wav")
        assert [value for key, value in queue if key == "file"] == [one, "http://127.0.0.1:1/x", one]
        assert ("Time", "2") in queue
        listed = fields(local.ask(b'listfiles "%s"' % str(tmp_path / "sound").encode()))
        assert listed[:2] == [("file", "one.wav"), ("size", str((tmp_path / "sound/one.wav").stat().st_size))]
        assert local.ask(b'load "%s"' % str(tmp_path / "sound/one.wav").encode()) == [
            b"ACK [50@0] {load} No such playlist"]
        assert local.ask(b'listfiles "%s"' % one.encode())[0].endswith(b"Not a directory")


def test_a_cue_sheet_outside_of_the_library_plays_part_by_part(start_segue, tmp_path):
    parts = [noise(number, seconds) for number, seconds in ((1, 1), (2, 2), (3, 1.5))]
    (tmp_path / "disc").mkdir()
    write_wav(tmp_path / "disc/disc.wav", b"".join(parts))
    (tmp_path / "disc/disc.cue").write_bytes(
        'PERFORMER "Ada"\nTITLE "Мир"\nFILE disc.wav WAVE\n'.encode("cp1251")
        + b"".join(b"TRACK 0%d AUDIO\nTITLE T%d\nINDEX 01 00:0%d:00\n" % (number, number, start)
                   for number, start in ((1, 0), (2, 1), (3, 3), (4, 9))))
    heard = tmp_path / "heard.wav"
    server = start_segue(
        local={"music_directory": tmp_path / "music", "legacy_charset": "windows-1251"},
        output=[{"type": "file", "name": "Recording", "path": heard}])
    sheet = str(tmp_path / "disc/disc.cue").encode()
    with local_client(server) as local:
        listed = fields(local.ask(b'listplaylistinfo "%s"' % sheet))
        assert [value for key, value in listed if key == "Range"] == ["0.000-1.000", "1.000-3.000", "3.000-"]
        assert [value for key, value in listed if key == "Title"] == ["T1", "T2", "T3"]
        assert fields(local.ask(b'playlistlength "%s"' % sheet)) == [("songs", "4"), ("playtime", "4")]
        assert local.ask(b'load "%s"' % sheet) == [b"OK"]
        queue = fields(local.ask(b"playlistinfo"))
        assert [value for key, value in queue if key == "file"] == [str(tmp_path / "disc/disc.wav")] * 3
        assert [value for key, value in queue if key == "Range"] == ["0.000-1.000", "1.000-3.000", "3.000-"]
        assert [value for key, value in queue if key == "Title"] == ["T1", "T2", "T3"]
        assert [float(value) for key, value in queue if key == "duration"] == [1, 2, 1.5]
        assert ("Album", "Мир") in queue and ("AlbumArtist", "Ada") in queue
        assert local.ask(b"move 2 0") == [b"OK"]
        assert local.ask(b"play 0") == [b"OK"]
        client = server.client()
        wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the queue")
        assert "error" not in client.status()
    assert server.stop()[0] == 0
    assert wav_samples(heard) == parts[2] + parts[0] + parts[1]


class OtherUser:
    """A client that the system takes for nobody while it connects."""

    def __init__(self, server):
        wait_for(lambda: can_connect_to(server.socket), what="the socket")
        here, folder = os.getcwd(), server.socket.parent
        # That user may not walk to the test's folder, but stay there.
        os.chdir(folder)
        folder.chmod(0o755)
        server.socket.chmod(0o666)
        os.seteuid(65534)
        try:
            place = type("Place", (), {"socket": pathlib.Path(server.socket.name)})
            self.client = RawClient(place, over_socket=True)
        finally:
            os.seteuid(0)
            os.chdir(here)


@pytest.mark.needs_root
def test_each_user_plays_only_files_that_the_user_may_read(start_segue, tmp_path):
    for name, mode in (("mine.wav", 0o600), ("ours.wav", 0o640), ("everyones.wav", 0o644)):
        write_wav(tmp_path / name, noise(1, 1))
        (tmp_path / name).chmod(mode)
    (tmp_path / "closed").mkdir(mode=0o700)
    (tmp_path / "theirs.wav").write_bytes((tmp_path / "mine.wav").read_bytes())
    (tmp_path / "theirs.wav").chmod(0o600)
    os.chown(tmp_path / "theirs.wav", 65534, 65534)
    server = start_segue()
    with local_client(server) as local, OtherUser(server).client as other:
        for name in ("mine.wav", "ours.wav", "everyones.wav", "theirs.wav"):
            path = str(tmp_path / name).encode()
            assert local.ask(b'addid "%s"' % path)[-1] == b"OK", name
            local.ask(b'readpicture "%s" 0' % path)
            for command in (b'addid "%s"', b'lsinfo "%s"', b'readcomments "%s"', b'readpicture "%s" 0'):
                answer = other.ask(command % path)[-1]
                if name in ("everyones.wav", "theirs.wav"):
                    assert answer == b"OK", (command, name)
                else:
                    assert answer.endswith(b"Access to this local file denied due to file permissions"), (command, name)
                    assert answer.startswith(b"ACK [4@0]")
        for command in (b'listfiles "%s"', b'load "%s/x.m3u"'):
            answer = other.ask(command % str(tmp_path / "closed").encode())[-1]
            assert answer.startswith((b"ACK [4@0]", b"ACK [50@0]")) or b"No such file or directory" in answer
    assert server.stop()[0] == 0
