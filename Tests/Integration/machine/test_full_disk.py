"""A disk that is full for one kind of file: said once, everything else goes on, and it works again with room."""
import errno

import pytest
from harness.clients import RawClient
from harness.failing import FailingSystem
from harness.fake_navidrome import PASSWORD, USER
from harness.waiting import wait_for

SONGS = 20


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs last a second."""
    return start_navidrome(songs=SONGS, seconds=1)


@pytest.fixture
def on_full_disk(navidrome, tmp_path, start_segue):
    """Starts segue whose files below a path can't be written; gives it, and what makes room."""
    def start(place, error=errno.ENOSPC):
        system = FailingSystem(tmp_path)
        running = start_segue(
            songs=SONGS, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
            output=[{"type": "null", "name": "Nothing"},
                    {"type": "file", "name": "Recording", "path": tmp_path / "recordings" / "heard.wav"}])
        running.stop()
        (tmp_path / "recordings").mkdir(exist_ok=True)
        running.environment.update(system.environment(place(running.folder)))
        running.start(songs=SONGS)
        system.fail("write", 1, error)
        return running, system
    return start


def lines(server, text):
    """The lines of the log with that text."""
    return [line for line in server.log.splitlines() if text in line]


def told(server, text):
    """The same, once there is one: a thread beside the loop writes the log."""
    return wait_for(lambda: lines(server, text), what=f"a line with {text}")


def files(client):
    """All songs."""
    return sorted(entry["file"] for entry in client.listallinfo() if "file" in entry)


def play_all(client, songs):
    """Plays songs to their end, or as far as they can be played."""
    client.clear()
    for song in songs:
        client.add(song)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")


def test_songs(on_full_disk):
    server, system = on_full_disk(lambda folder: folder / "cache" / "tracks")
    client = server.client()
    songs = files(client)[:4]
    play_all(client, songs)
    assert "No space left" in client.status()["error"]
    assert len(told(server, "songs can't be stored")) == 1
    system.fail("write", 0)
    client.clearerror()
    play_all(client, songs)
    assert "error" not in client.status()
    assert len(told(server, "songs are stored again")) == 1


def test_pictures(on_full_disk):
    server, system = on_full_disk(lambda folder: folder / "cache" / "covers")
    client = server.client()
    songs = files(client)
    for song in songs[:6]:
        # It comes nevertheless, from the server.
        assert client.albumart(song)["binary"]
    assert len(told(server, "pictures can't be stored")) == 1
    system.fail("write", 0)
    for song in songs[6:12]:
        client.albumart(song)
    wait_for(lambda: lines(server, "pictures are stored again"), what="a line")


def test_recordings(on_full_disk, tmp_path):
    server, system = on_full_disk(lambda folder: tmp_path / "recordings")
    client = server.client()
    songs = files(client)[:3]
    play_all(client, songs)
    assert "error" not in client.status()
    assert len(told(server, 'Output "Recording" doesn\'t play: writing failed: No space left')) == 1
    system.fail("write", 0)
    client.repeat(1)
    play = client.play(0)
    assert play is None
    wait_for(lambda: lines(server, 'Output "Recording" plays'), 40, "the recording")
    client.repeat(0)
    assert server.stop()[0] == 0


def test_the_end_of_a_recording(on_full_disk, tmp_path):
    server, system = on_full_disk(lambda folder: tmp_path / "recordings")
    system.fail("write", 0)
    client = server.client()
    play_all(client, files(client)[:2])
    system.fail("write", 1, errno.ENOSPC)
    assert not lines(server, "No space left")
    client.disableoutput(1)
    wait_for(lambda: lines(server, "The end of the recording"), what="a line")
    line, = lines(server, "The end of the recording")
    assert "heard.wav is missing: writing failed: No space left" in line


@pytest.mark.smoke
def test_refused_edits_name_the_disk_and_the_log_says_it_once(on_full_disk):
    server, system = on_full_disk(lambda folder: folder / "state" / "segue.db")
    song = files(server.client())[0].encode()
    with RawClient(server, 20) as client:
        for line in (b'playlistadd Full "%s"', b'sticker set song "%s" note x', b'sticker set song "%s" rating 4') * 3:
            answer = client.ask(line % song)[-1].decode()
            assert "is full" in answer and str(server.folder / "state") in answer, answer
        system.fail("write", 0)
        wait_for(lambda: client.ask(b'playlistadd Full "%s"' % song)[-1] == b"OK", 30, "room")
    said = told(server, "edits are refused")
    assert len(said) == 1 and str(server.folder / "state") in said[0], said
    assert not lines(server, "a command failed")


@pytest.mark.parametrize(("error", "text"), [(errno.ENOSPC, "is full; make room"), (errno.EROFS, "The disk with")])
def test_playlists_and_the_journal_of_additions(on_full_disk, error, text):
    server, system = on_full_disk(lambda folder: folder / "state" / "segue.db", error)
    songs = files(server.client())
    with RawClient(server, 20) as client:
        for song in songs[:5]:
            answer = client.ask(b'playlistadd Full "%s"' % song.encode())[-1]
            assert answer.startswith(b"ACK [52@0]"), answer
            answer = client.ask(b'sticker set song "%s" note x' % song.encode())[-1]
            assert answer.startswith(b"ACK"), answer
        assert client.ask(b"status")[-1] == b"OK"
        system.fail("write", 0)
        wait_for(lambda: client.ask(b'playlistadd Full "%s"' % songs[0].encode())[-1] == b"OK", 30, "room")
        assert client.ask(b"listplaylist Full") == [b"file: " + songs[0].encode(), b"OK"]
    said = told(server, text)
    assert len(said) <= 10, said
    assert server.stop()[0] == 0


def test_exports(on_full_disk, tmp_path):
    place = tmp_path / "export"
    place.mkdir()
    server, system = on_full_disk(lambda folder: place)
    result = server.run("export", "--config", server.configuration, place / "library.json")
    assert result.returncode == 1 and "space" in result.stderr, result.stderr
    assert list(place.glob("library.json")) == []
    system.fail("write", 0)
    assert server.run("export", "--config", server.configuration, place / "library.json").returncode == 0


def test_clients_leave_room_on_the_disk(library, start_segue):
    # An eighth of what no disk has free.
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, cache={"keep_free": "64 TiB"})
    song = files(server.client())[0].encode()
    with RawClient(server, 20) as client:
        for line in (b'save Full', b'playlistadd Full "%s"' % song, b'sticker set song "%s" note x' % song):
            answer = client.ask(line)[-1].decode()
            assert answer.startswith("ACK [52@0]") and "nearly full" in answer, answer
            assert str(server.folder / "state") in answer, answer
        for line in (b'sticker set song "%s" rating 4' % song, b'add "%s"' % song, b'listplaylists'):
            assert client.ask(line)[-1] == b"OK", line
    assert len(told(server, "edits are refused")) == 1
