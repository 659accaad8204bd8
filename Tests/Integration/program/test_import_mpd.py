"""Moving in from a real MPD: its queue, options, outputs, playlists and stickers are here afterwards, once.

SEGUE_MPD names one other than the installed.
"""
import shutil
import stat

import pytest
from differential.folder import make_discs
from harness.old_mpd import MovingMPD, observed
from harness.reference import mpd_binary
from harness.segue import Segue

pytestmark = pytest.mark.skipif(shutil.which(mpd_binary()) is None, reason="no mpd is installed")


@pytest.fixture
def mpd(library, tmp_path):
    """An MPD in use: it has been stopped, and its files are there."""
    music, _ = library
    server = MovingMPD(tmp_path / "mpd", music).start()
    client = server.client()
    songs = sorted(song["file"] for song in client.listall() if "file" in song)
    for place in range(500):
        client.add(songs[place % len(songs)])
    client.addtagid(client.addid("http://127.0.0.1:9/radio"), "Title", "A station")
    for mode in ("random", "repeat"):
        getattr(client, mode)(1)
    client.single("oneshot")
    client.crossfade(4)
    client.setvol(37)
    client.disableoutput(1)
    client.save("All of it")
    for number in range(20):
        client.playlistadd(f"List {number}", songs[number % len(songs)])
        client.playlistadd(f"List {number}", "http://127.0.0.1:9/radio")
    for song in songs:
        client.sticker_set("song", song, "mood", f"of {song}")
        client.sticker_set("song", song, "rating", "8")
        for number in range(300 // len(songs)):
            client.sticker_set("song", song, f"note {number}", f"{song}={number} 🎵")
    client.prioid(9, client.playlistinfo()[1]["id"])
    client.rangeid(client.playlistinfo()[2]["id"], "0.2:0.9")
    client.play(2)
    client.pause(1)
    server.was = observed(client)
    client.disconnect()
    server.stop()
    return server


def test_everything_moves_in_once(mpd, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry)
    target = server.folder / "new.toml"
    server.environment["SEGUE_SERVER_STATE_DIRECTORY"] = str(server.folder / "state")
    server.environment["SEGUE_SERVER_CACHE_DIRECTORY"] = str(server.folder / "cache")
    arguments = ("import", "mpd", mpd.folder / "mpd.conf", "--config", target)

    dry = server.run(*arguments, "--dry-run")
    assert dry.returncode == 0, dry.stderr
    assert not target.exists() and "Only the library's index was updated" in dry.stdout

    first = server.run(*arguments)
    assert first.returncode == 0, first.stderr
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert "max_connections = 77" in target.read_text() and "sesame" not in first.stdout + target.read_text()
    assert f"Queue: {len(mpd.was['queue'])} entries." in first.stdout
    assert "Playlists: 21 new, 0 already here." in first.stdout

    second = server.run(*arguments)
    assert second.returncode == 0, second.stderr
    assert "Playlists: 0 new, 21 already here." in second.stdout and "Stickers: 0 new" in second.stdout

    assert moved(server, target) == mpd.was


def moved(server, configuration):
    """What a client sees of Segue with the configuration that was written."""
    server.environment["SEGUE_SERVER_LISTEN"] = f"127.0.0.1:{server.port}"
    server.environment["SEGUE_PLAYLISTS_HIDE"] = "recently_added,recently_played,most_played,starred,random_albums"
    server.configuration = configuration
    server.write_configuration = lambda: None
    server.start()
    client = server.client()
    try:
        return observed(client)
    finally:
        client.disconnect()
        server.kill()


def test_parts_of_a_disc_move_in_with_the_tags_of_its_sheet(tmp_path, registry):
    music = tmp_path / "discs"
    music.mkdir()
    make_discs(music)
    original = MovingMPD(tmp_path / "mpd", music).start()
    client = original.client()
    client.load("disc/disc.cue")
    client.add("disc/disc.cue/track0003")
    client.add("disc/disc.flac")

    def seen(client):
        return [(song["file"], song.get("range"), song["title"]) for song in client.playlistinfo()]
    was = seen(client)
    assert was[1] == ("disc/disc.flac", "4.413-8.200", "Two") and was[4] == ("disc/disc.flac", None, "Whole Disc")
    client.disconnect()
    original.stop()
    server = Segue(tmp_path / "segue", registry, local={"music_directory": music})
    server.write_configuration()
    done = server.run("import", "mpd", original.folder / "mpd.conf", "--config", server.configuration)
    assert done.returncode == 0, done.stderr
    server.start()
    assert seen(server.client()) == was
    server.stop()


def test_songs_that_are_not_found_are_written_down(mpd, tmp_path, registry, library):
    music, _ = library
    moved_music = tmp_path / "elsewhere"
    shutil.copytree(music, moved_music / "Audio")
    lost = next(song for song, *_ in mpd.was["queue"] if "://" not in song)
    (moved_music / "Audio" / lost).unlink()
    server = Segue(tmp_path / "segue", registry, local={"music_directory": moved_music})
    server.write_configuration()
    result = server.run("import", "mpd", mpd.folder / "mpd.conf", "--config", server.configuration)
    assert result.returncode == 0, result.stderr
    assert "1 songs were not found" in result.stdout and "by the end of the path" in result.stdout
    assert lost in (server.folder / "state/mpd-import/queue.missing.m3u").read_text()


@pytest.mark.parametrize("text", ["port \"66", "audio_output {", "\0\xff\x80", "include \"mpd.conf\"", "x" * 100_000])
def test_broken_settings_are_named_and_nothing_is_lost(text, tmp_path, registry, library):
    (tmp_path / "mpd.conf").write_text(f'music_directory "{library[0]}"\n{text}\n', encoding="latin-1")
    server = Segue(tmp_path / "segue", registry)
    server.environment["SEGUE_SERVER_STATE_DIRECTORY"] = str(server.folder / "state")
    result = server.run("import", "mpd", tmp_path / "mpd.conf", "--config", tmp_path / "segue.toml")
    assert result.returncode == 0, result.stderr
    assert f"{tmp_path}/mpd.conf" in result.stdout
    assert "music_directory" in (tmp_path / "segue.toml").read_text()


def test_without_an_mpd_the_places_are_named(tmp_path, registry):
    server = Segue(tmp_path / "segue", registry)
    result = server.run("import", "mpd", tmp_path / "none.conf")
    assert result.returncode == 1 and "none.conf" in result.stderr
