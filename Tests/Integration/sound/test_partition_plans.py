"""Partitions of the configuration: there from the start on, of a fixed size, filled by themselves."""
import shutil

import mpd
import pytest
from harness.clients import mpc
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import FLAC_ENCODER, generate
from harness.waiting import wait_for
from mutagen.flac import FLAC

SONGS = 130


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A hundred and thirty songs by two artists, so many by each that both are among a few that chance chooses."""
    music = tmp_path_factory.mktemp("plans")
    generate(music / "tone.flac", 2, FLAC_ENCODER)
    for number in range(SONGS):
        artist = "Second" if number < SONGS // 2 else "First"
        path = music / f"{number:03}.flac"
        shutil.copy(music / "tone.flac", path)
        file = FLAC(path)
        file.update({"title": f"Song {number:03}", "artist": artist})
        file.save()
    (music / "tone.flac").unlink()
    return music


def outputs(*names):
    """Outputs that sound nowhere."""
    return [{"type": "null", "name": name} for name in names]


def inside(server, name):
    """A client in a partition."""
    client = server.client()
    client.partition(name)
    return client


def test_a_partition_of_the_configuration_is_there_with_its_outputs_at_every_start(folder, start_segue):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, output=outputs("Kitchen", "Garden"),
                         partition=[{"name": "outside", "outputs": ["Garden"]}])
    for _ in range(2):
        client = inside(server, "outside")
        assert [output["outputname"] for output in client.outputs() if output["plugin"] == "null"] == ["Garden"]
        assert [partition["partition"] for partition in client.listpartitions()] == ["default", "outside"]
        client.disconnect()
        server.stop()
        server.start(songs=SONGS)


def test_the_song_after_the_last_is_refused_and_the_order_is_by_chance(folder, start_segue):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, output=outputs("Kitchen"),
                         partition=[{"name": "Shfl", "outputs": ["Kitchen"], "capacity": 120}])
    client = inside(server, "Shfl")
    for number in range(120):
        client.add(f"{number:03}.flac")
    with pytest.raises(mpd.CommandError, match=r"\[51@0\] \{add\} Playlist is too large"):
        client.add("120.flac")
    assert client.status()["random"] == "1"
    with pytest.raises(mpd.CommandError, match=r"\[4@0\] \{random\} random is fixed"):
        client.random(0)
    client.random(1)
    client.delete(0)
    client.add("120.flac")
    # The other partitions have no limit of theirs.
    server.client().add("/")
    server.stop()
    server.start(songs=SONGS)
    status = inside(server, "Shfl").status()
    assert (status["playlistlength"], status["random"]) == ("120", "1")


def test_options_can_be_fixed_one_by_one(folder, start_segue):
    server = start_segue(songs=SONGS, local={"music_directory": folder},
                         partition=[{"name": "default", "repeat": True, "consume": False}])
    client = server.client()
    assert client.status()["repeat"] == "1"
    for command in ("repeat 0", "consume 1", "consume oneshot"):
        with pytest.raises(mpd.CommandError, match="is fixed in the configuration"):
            getattr(client, command.split()[0])(command.split()[1])
    client.single(1)
    assert (client.status()["single"], client.status()["random"]) == ("1", "0")


@pytest.mark.parametrize("plan, expected", [
    ({"autofill": "library"}, {"First", "Second"}), ({"autofill": "artist", "autofill_from": "Second"}, {"Second"})])
def test_an_empty_queue_is_filled_at_the_start(folder, start_segue, plan, expected):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, output=outputs("Kitchen"),
                         partition=[{"name": "Shfl", "outputs": ["Kitchen"], "capacity": 25, **plan}])
    client = inside(server, "Shfl")
    wait_for(lambda: client.status()["playlistlength"] == "25", 20, "a full queue")
    assert {song["artist"] for song in client.playlistinfo()} == expected
    assert len({song["file"] for song in client.playlistinfo()}) == 25


def test_a_queue_that_begins_to_play_is_filled_up_by_its_artists(folder, start_segue):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, output=outputs("Kitchen"),
                         partition=[{"name": "Shfl", "outputs": ["Kitchen"], "capacity": 20, "autofill": "artist"}])
    client = inside(server, "Shfl")
    client.add("000.flac")
    assert client.status()["playlistlength"] == "1"
    client.play()
    wait_for(lambda: client.status()["playlistlength"] == "20", 20, "a full queue")
    assert {song["artist"] for song in client.playlistinfo()} == {"Second"}


def test_a_queue_is_filled_from_a_playlist_and_what_is_wrong_with_it_is_said(folder, start_segue):
    plan = {"name": "Shfl", "outputs": ["Kitchen"], "capacity": 20, "autofill": "playlist", "autofill_from": "Evening"}
    server = start_segue(songs=SONGS, local={"music_directory": folder}, output=outputs("Kitchen"), partition=[plan])
    client = inside(server, "Shfl")
    wait_for(lambda: "can't be filled up" in client.status().get("error", ""), 20, "a sentence that says what is wrong")
    for number in range(40, 45):
        client.playlistadd("Evening", f"{number:03}.flac")
    client.add("000.flac")
    client.play()
    wait_for(lambda: client.status()["playlistlength"] == "6", 20, "the songs of the playlist")
    assert "error" not in client.status()


def test_a_full_partition_says_what_is_wrong_while_the_server_is_away(tmp_path, start_segue):
    fake = FakeNavidrome(tmp_path, songs=40).start()
    try:
        server = start_segue(
            songs=40, output=outputs("Kitchen"),
            navidrome={"url": fake.url, "username": USER, "password": PASSWORD},
            partition=[{"name": "Shfl", "outputs": ["Kitchen"], "capacity": 12, "autofill": "library"}])
        client = inside(server, "Shfl")
        wait_for(lambda: client.status()["playlistlength"] == "12", 20, "a full queue")
        server.stop()
        fake.stop()
        server.start(songs=40)
        client = inside(server, "Shfl")
        wait_for(lambda: "can't be reached" in client.status().get("error", ""), 30, "a sentence about the server")
        assert client.status()["playlistlength"] == "12"
    finally:
        fake.stop()


@pytest.mark.parametrize("section, said", [
    ({"name": "Shfl", "outputs": ["Nowhere"]}, "there is no output named \"Nowhere\""),
    ({"name": "Shfl", "autofill": "playlist"}, "must name the playlist"),
    ({"name": "a b"}, "letters, digits, - and _"), ({"capacity": 5}, "missing; write name")])
def test_a_wrong_section_is_named(folder, start_segue, section, said):
    server = start_segue(songs=SONGS, local={"music_directory": folder})
    server.stop()
    server.sections["partition"] = [section]
    server.write_configuration()
    result = server.run("check", "--config", server.configuration)
    assert result.returncode != 0 and said in result.stdout + result.stderr


def test_mpc_meets_the_limit_of_the_partition_that_is_always_there(folder, start_segue):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, partition=[{"name": "default", "capacity": 3}])
    for number in range(3):
        mpc(server, "add", f"{number:03}.flac")
    with pytest.raises(AssertionError, match="Playlist is too large"):
        mpc(server, "add", "003.flac")
    assert "random: on" in mpc(server, "status")
