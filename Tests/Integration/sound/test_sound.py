"""What comes out of the outputs, compared with the songs' own samples."""
import itertools
import os
import threading

import pytest
from harness.music import wav_format, wav_samples
from harness.supysonic import navidrome_section
from harness.waiting import wait_for


FAST = {"type": "null", "name": "Fast", "sync": False}
"""An output that waits for nothing."""


@pytest.fixture
def recorder(request, library, start_segue):
    """Starts segue with an output, and the songs of a folder or, where a test says so, of a server; plays as fast as it
    can where that is wanted."""
    def start(output, is_fast=False):
        if getattr(request, "param", "local") == "navidrome":
            source = {"navidrome": navidrome_section(request.getfixturevalue("supysonic"))}
        else:
            source = {"local": {"music_directory": library[0]}}
        outputs = [output, FAST] if is_fast else [output]
        return start_segue(songs=len(library[1]), output=outputs, **source)
    return start


of_both = pytest.mark.parametrize("recorder", ["navidrome", "local"], indirect=True)
"""Tests whose point is also where the songs come from."""


def play_titles(server, *titles):
    """Queues songs by title, plays them and waits for the queue's end."""
    client = server.client()
    for title in titles:
        client.findadd("title", title)
    assert len(client.playlistinfo()) == len(titles)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    assert "error" not in client.status()
    return client


@pytest.mark.smoke
@of_both
def test_songs_are_recorded_sample_by_sample_and_joined_without_a_gap(recorder, tmp_path, tracks):
    path = tmp_path / "songs.wav"
    server = recorder({"type": "file", "name": "Recording", "path": path}, is_fast=True)
    titles = ("Sill", "Lamp")
    play_titles(server, *titles)
    assert server.stop()[0] == 0
    assert wav_format(path)[1:] == (2, 44100, 16)
    assert wav_samples(path) == b"".join(tracks[title].samples for title in titles)


@of_both
def test_a_seek_lands_on_the_sample(recorder, tmp_path, tracks):
    path = tmp_path / "sought.wav"
    server = recorder({"type": "file", "name": "Recording", "path": path})
    client = server.client()
    client.findadd("title", "Lamp")
    client.play(0)
    client.pause(1)
    client.seekcur("3.0")
    client.pause(0)
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the queue")
    assert server.stop()[0] == 0
    recorded, wanted = wav_samples(path), tracks["Lamp"].samples[3 * 44100 * 4:]
    assert recorded.endswith(wanted)


FRAME = 4
LATE = 2.6
"""Where the last seconds of a song of four seconds begin."""


def from_late(track):
    """What is left of a song."""
    return track.samples[int(LATE * 44100) * FRAME:]


def test_random_with_consume_joins_every_song_once(recorder, tmp_path, tracks):
    path = tmp_path / "random.wav"
    server = recorder({"type": "file", "name": "Recording", "path": path}, is_fast=True)
    client = server.client()
    client.random(1)
    client.consume(1)
    play_titles(server, "Sill", "Lamp", "Window")
    assert client.playlistinfo() == []
    assert server.stop()[0] == 0
    recorded = wav_samples(path)
    songs = [tracks[title].samples for title in ("Sill", "Lamp", "Window")]
    assert any(recorded == b"".join(order) for order in itertools.permutations(songs))


def heard_late(client, change, following):
    """Plays the last seconds of a song, changes something shortly before its end, and hears the song after it begin.

    False if the song was over before the change was made.
    """
    client.seek(0, LATE)
    song = client.currentsong()["id"]
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 3.7, 30, "the song's last moments")
    change(client)
    status = client.status()
    in_time = status.get("songid") == song and 3.5 < float(status.get("elapsed", 0)) < 3.95
    wait_for(lambda: not in_time or (client.currentsong().get("title") == following
                                     and 0.2 < float(client.status().get("elapsed", 0)) < LATE), 30, "the next song")
    client.stop()
    return in_time


def replace_next(client):
    """Deletes all but the current song and adds another one."""
    client.delete((1,))
    client.findadd("title", "Window")


CHANGES = [
    ("repeat", ("Sill",), lambda client: client.repeat(1), "Sill"),
    ("single and repeat", ("Sill", "Lamp"), lambda client: (client.single(1), client.repeat(1)), "Sill"),
    ("no change", ("Sill", "Lamp"), lambda client: None, "Lamp"),
    ("delete", ("Sill", "Lamp", "Window"), lambda client: client.delete(1), "Window"),
    ("move", ("Sill", "Lamp", "Window"), lambda client: client.move(2, 1), "Window"),
    ("insert", ("Sill", "Lamp"),
     lambda client: client.addid(client.find("title", "Window")[0]["file"], 1), "Window"),
    ("replace", ("Sill", "Lamp"), replace_next, "Window"),
]
"""What is changed in a song's last half second, when what joins on is mixed already, and what must join on then."""


@pytest.mark.parametrize("recorder", ["navidrome"], indirect=True)
def test_what_joins_on_can_change_in_the_last_moment(recorder, tmp_path, tracks):
    path = tmp_path / "changed.wav"
    server = recorder({"type": "file", "name": "Recording", "path": path})
    client = server.client()
    parts = []
    for name, titles, change, following in CHANGES:
        for _ in range(10):
            client.clear()
            client.repeat(0)
            client.single(0)
            for title in titles:
                client.findadd("title", title)
            was_in_time = heard_late(client, change, following)
            parts.append((name, following, was_in_time))
            if was_in_time:
                break
        else:
            pytest.fail(f"{name}: the machine is too slow to make the change in time")
    assert server.stop()[0] == 0
    recorded = wav_samples(path)
    starts = []
    place = 0
    late = from_late(tracks["Sill"])
    for _ in parts:
        place = recorded.index(late[:FRAME * 100], place)
        starts.append(place)
        place += FRAME
    for (name, following, was_in_time), start, end in zip(parts, starts, starts[1:] + [len(recorded)]):
        if was_in_time:
            wanted = late + tracks[following].samples
            heard = recorded[start:end]
            assert heard == wanted[:len(heard)], name
            assert len(heard) > len(late) + 4410 * FRAME, name


def test_a_fifo_gets_the_samples(recorder, tmp_path, tracks):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    heard = bytearray()

    def listen():
        with open(path, "rb", buffering=0) as fifo:
            while data := fifo.read(65536):
                heard.extend(data)
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    server = recorder({"type": "fifo", "name": "Snapcast", "path": path, "format": "44100:16:2"})
    client = server.client()
    client.findadd("title", "Window")
    # A reader that is held up misses what the pipe has no room for, so the song comes again.
    client.repeat(1)
    client.play(0)
    wait_for(lambda: tracks["Window"].samples in heard, 60, "the song in the fifo", every=0.5)
    assert "error" not in client.status()


def test_half_volume_halves_the_samples(recorder, tmp_path, tracks):
    path = tmp_path / "quiet.wav"
    server = recorder({"type": "file", "name": "Recording", "path": path}, is_fast=True)
    server.client().setvol(30)
    play_titles(server, "Sill")
    assert server.stop()[0] == 0
    quiet, loud = memoryview(wav_samples(path)).cast("h"), memoryview(tracks["Sill"].samples).cast("h")
    assert len(quiet) == len(loud)
    assert 0 < sum(map(abs, quiet)) < 0.6 * sum(map(abs, loud))


def test_a_broken_song_is_reported_and_skipped(library, tmp_path, start_segue, tracks):
    music = tmp_path / "music"
    music.mkdir()
    (music / "1 good.flac").write_bytes(tracks["Sill"].path.read_bytes())
    (music / "2 bad.flac").write_bytes(tracks["Lamp"].path.read_bytes())
    (music / "3 good.flac").write_bytes(tracks["Window"].path.read_bytes())
    path = tmp_path / "song.wav"
    server = start_segue(songs=3, local={"music_directory": music},
                         output=[{"type": "file", "name": "Recording", "path": path}, FAST])
    client = server.client()
    (music / "2 bad.flac").write_bytes(b"this was a song once" * 1000)
    for name in ("1 good.flac", "2 bad.flac", "3 good.flac"):
        client.add(name)
    client.play(0)
    wait_for(lambda: "error" in client.status(), 30, "the error")
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the queue")
    assert "2 bad.flac: can't be played" in server.log
    server.stop()
    assert wav_samples(path) == tracks["Sill"].samples + tracks["Window"].samples


def test_a_queue_of_broken_songs_ends_in_stop(tmp_path, start_segue, tracks):
    music = tmp_path / "music"
    music.mkdir()
    for number in range(3):
        (music / f"{number}.flac").write_bytes(tracks["Sill"].path.read_bytes())
    server = start_segue(songs=3, local={"music_directory": music})
    client = server.client()
    for number in range(3):
        (music / f"{number}.flac").write_bytes(b"nothing")
        client.add(f"{number}.flac")
    client.repeat(1)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end")
    assert "error" in client.status()
