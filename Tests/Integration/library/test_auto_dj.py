"""The auto-DJ as clients see it: a switch, a channel, stickers, and a queue that does not end."""
import shutil
import time

import mpd
import pytest
from harness.auto_dj import listen, switch, titles, wait_for_songs
from harness.clients import RawClient, mpc
from harness.music import make_two_genres
from harness.waiting import wait_for

ARTISTS = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Twenty-four songs of two seconds by eight artists."""
    music = tmp_path_factory.mktemp("dj")
    make_two_genres(music, 24, "Song", seconds=2)
    return music


@pytest.fixture
def server(folder, start_segue):
    """A server whose switch clients see."""
    return start_segue(songs=24, local={"music_directory": folder}, dj={"switch": True, "artist_gap": 3})


def test_it_is_no_output_unless_it_is_configured(folder, start_segue):
    client = start_segue(songs=24, local={"music_directory": folder}).client()
    assert [output["plugin"] for output in client.outputs()] == ["null"]
    assert client.channels() == []


@pytest.mark.smoke
def test_mpc_switches_it_on_and_the_queue_stays_ahead(server):
    client = server.client()
    status = client.outputs()
    assert (status[-1]["outputname"], status[-1]["outputenabled"]) == ("Auto DJ", "0")
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    mpc(server, "enable", "Auto DJ")
    songs = wait_for_songs(client, 4)
    assert len(set(songs)) == 4 and songs[0] == "Song 00"
    assert switch(client)["outputenabled"] == "1"
    # The songs are over soon: others follow, and none comes again.
    wait_for(lambda: len(titles(client)) >= 6, 30, "the queue to go on")
    songs = titles(client)
    assert len(set(songs)) == len(songs)
    artists = [song["artist"] for song in client.playlistinfo()]
    assert all(len(set(artists[place:place + 4])) == 4 for place in range(len(artists) - 3))
    mpc(server, "disable", "Auto DJ")
    assert switch(client)["outputenabled"] == "0"


@pytest.mark.smoke
def test_it_says_why_and_takes_back(server):
    client, expect = server.client(), listen(server)
    assert "dj" in client.channels()
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.pause(1)
    client.sendmessage("dj", "on")
    expect("on, similar")
    assert ":" in expect("added Song")
    wait_for_songs(client, 4)
    path = client.playlistinfo()[1]["file"]
    wait_for(lambda: "djWhy" in client.sticker_list("song", path), 10, "the reason as a sticker")
    assert "why" in str(switch(client))
    client.sendmessage("dj", "why")
    expect("you chose it yourself")
    client.play(1)
    client.pause(1)
    wait_for_songs(client, 5)
    client.sendmessage("dj", "undo")
    expect("took 1 songs back")
    client.sendmessage("dj", "off")
    expect("off")
    client.sendmessage("dj", "nonsense")
    expect("say: on [MODE]")


def test_skips_change_what_comes_and_are_counted(server):
    client, expect = server.client(), listen(server)
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.sendmessage("dj", "on")
    wait_for_songs(client, 4)
    client.next()
    first = client.currentsong()["file"]
    client.next()
    client.next()
    client.pause(1)
    assert expect("two skips")
    wait_for(lambda: client.sticker_list("song", first).get("skipCount") == "1", 10, "the skip as a sticker")
    wait_for(lambda: len(titles(client)) == 7, 20, "three songs behind the present one")
    client.sendmessage("dj", "stats")
    expect("skipped 2")


def test_songs_of_others_are_left_alone_and_picks_go_behind_them(server):
    client = server.client()
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.pause(1)
    mpc(server, "enable", "Auto DJ")
    picked = wait_for_songs(client, 4)[1:]
    client.add("Artist 7/Song 07.flac")
    if "Song 07" in picked:
        pytest.skip("the auto-DJ chose the same song")
    wait_for(lambda: titles(client)[1] == "Song 07", 20, "the picks behind the listener's song")
    assert titles(client)[2:] == picked
    client.clear()
    client.add("Artist 1")
    own = titles(client)
    client.play(0)
    client.pause(1)
    wait_for(lambda: len(titles(client)) == 4, 20, "songs behind the listener's")
    assert titles(client)[:3] == own


def test_modes_and_ratings_are_kept_to(server):
    client, expect = server.client(), listen(server)
    for number in range(24):
        if number % ARTISTS != 2:
            client.sticker_set("song", f"Artist {number % ARTISTS}/Song {number:02}.flac", "rating", "2")
    client.sendmessage("dj", "on library")
    expect("on, library")
    songs = wait_for_songs(client, 3)
    assert all(int(title.split()[1]) % ARTISTS == 2 for title in songs)
    with RawClient(server) as raw:
        assert "Invalid value for attribute mode" in str(raw.ask(b"outputset 1 mode loudest"))
        assert "Unsupported attribute" in str(raw.ask(b"outputset 1 colour red"))
    mpc(server, "outputset", "Auto DJ", "mode=album")
    expect("mode album")
    for number in range(24):
        client.sticker_set("song", f"Artist {number % ARTISTS}/Song {number:02}.flac", "like", "0")
    client.clear()
    client.sendmessage("dj", "off")
    client.sendmessage("dj", "on")
    expect("nothing to pick")
    assert titles(client) == []


@pytest.mark.parametrize("off_before", [True, False])
def test_switched_on_with_an_emptied_queue_it_adds_songs(server, off_before):
    client, expect = server.client(), listen(server)
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.sendmessage("dj", "on")
    wait_for_songs(client, 4)
    if off_before:
        client.sendmessage("dj", "off")
        expect("off")
    client.clear()
    client.sendmessage("dj", "on")
    wait_for_songs(client, 3)
    assert client.status()["state"] == "stop"


def test_a_library_of_one_star_has_nothing_to_pick(server):
    client, expect = server.client(), listen(server)
    for number in range(24):
        client.sticker_set("song", f"Artist {number % ARTISTS}/Song {number:02}.flac", "rating", "2")
    client.sendmessage("dj", "on")
    expect("nothing to pick: every song is rated too low")
    assert titles(client) == []
    # What the listener puts on is the listener's business.
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "play", 20, "the song to play")
    client.sticker_set("song", "Artist 1/Song 01.flac", "rating", "4")
    client.sendmessage("dj", "off")
    client.sendmessage("dj", "on")
    expect("added Song 01")


def test_it_is_on_after_a_restart(server):
    client = server.client()
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.pause(1)
    client.sendmessage("dj", "on genre")
    songs = wait_for_songs(client, 4)
    server.stop()
    server.start(24)
    client = server.client()
    assert titles(client) == songs
    wait_for(lambda: switch(client)["outputenabled"] == "1", 20, "the switch as it was")
    assert "mode=genre" in str(switch(client)) or "genre" in str(switch(client))
    client.play(1)
    client.pause(1)
    wait_for_songs(client, 5)


def test_a_restart_keeps_what_was_heard_apart_from_what_the_listener_chose(server):
    client = server.client()
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.sendmessage("dj", "on library")
    wait_for_songs(client, 4)
    client.play(1)
    wait_for(lambda: client.status()["song"] == "2", 20, "the first pick to be heard")
    client.pause(1)
    server.stop()
    server.start(24)
    client, expect = server.client(), listen(server)
    wait_for(lambda: switch(client)["outputenabled"] == "1", 20, "the switch as it was")
    client.play(1)
    client.pause(1)
    client.sendmessage("dj", "why")
    expect("because it")
    client.play(0)
    client.pause(1)
    client.sendmessage("dj", "why")
    expect("you chose it yourself")


def test_an_end_while_songs_are_picked_is_no_error(folder, start_segue):
    server = start_segue(songs=24, local={"music_directory": folder}, dj={"switch": True, "ahead": 20})
    # Picking begins 0.2 s after it was asked for; the end comes at moments around that, whatever they hit.
    for moment in (0.19, 0.195, 0.2, 0.205, 0.21):
        client = server.client()
        client.sendmessage("dj", "off")
        client.clear()
        client.sendmessage("dj", "on library")
        time.sleep(moment)
        assert server.stop()[0] == 0
        server.start(songs=24)
    assert " error " not in server.log


def test_partitions_have_their_own(server):
    client, other = server.client(), server.client()
    other.newpartition("garden")
    other.partition("garden")
    other.sendmessage("dj", "on")
    wait_for_songs(other, 3)
    assert titles(client) == []
    assert switch(client)["outputenabled"] == "0"
    assert switch(other)["outputenabled"] == "1"


def test_three_songs_go_on_for_ever(folder, tmp_path, start_segue):
    music = tmp_path / "three"
    music.mkdir()
    for number in (0, 8, 16):
        shutil.copy(folder / "Artist 0" / f"Song {number:02}.flac", music)
    server = start_segue(songs=3, local={"music_directory": music}, dj={"switch": True})
    client = server.client()
    client.add("Song 00.flac")
    client.play(0)
    mpc(server, "enable", "Auto DJ")
    wait_for(lambda: len(titles(client)) >= 6, 40, "the three songs again")
    assert client.status()["state"] == "play"


@pytest.mark.parametrize("is_known", [False, True])
def test_picks_that_cannot_be_played_are_no_skips(folder, tmp_path, start_segue, is_known):
    music = shutil.copytree(folder, tmp_path / "music")
    server = start_segue(songs=24, local={"music_directory": music}, dj={"switch": True, "artist_gap": 3})
    client = server.client()
    client.add("Artist 0/Song 00.flac")
    client.play(0)
    client.pause(1)
    mpc(server, "enable", "Auto DJ")
    broken = wait_for_songs(client, 4) and client.playlistinfo()[2:]
    # The one before them is decoded already, as it comes next.
    for song in broken:
        path = music / song["file"]
        path.write_bytes(b"x" * path.stat().st_size)
    if is_known:
        # Files that a scan found broken fail at once, before there are other picks.
        wait_for(lambda: server.log.count("is skipped: this is not audio") == 2, 30, "a scan to notice it")
    client.play(2)
    wait_for(lambda: int(client.status().get("song", 0)) > 3 and client.status()["state"] == "play", 30,
             "a song that can be played")
    client.pause(1)
    client.subscribe("dj")

    def outcomes():
        client.sendmessage("dj", "stats")
        return [message["message"] for message in client.readmessages() if "heard 0" in message["message"]]
    # The last one may not be written yet.
    wait_for(lambda: "heard 0, skipped 0, removed 0, failed 2" in outcomes(), 20, "two failures")
    assert client.sticker_find("song", "", "skipCount") == []
    again = {song["file"] for song in client.playlistinfo()[4:]} & {song["file"] for song in broken}
    assert not again


def test_undo_gives_the_sticker_back_that_there_was(server):
    client, expect = server.client(), listen(server)
    path = "Artist 0/Song 00.flac"
    client.sticker_set("song", path, "like", "1")
    client.add(path)
    client.play(0)
    client.pause(1)
    client.sendmessage("dj", "like")
    expect("starred Song 00")
    wait_for(lambda: client.sticker_get("song", path, "like") == "2", 10, "the star")
    client.sendmessage("dj", "undo")
    expect("took the star back: Song 00")
    wait_for(lambda: client.sticker_get("song", path, "like") == "1", 10, "the sticker of before")


def test_lines_of_a_chat_and_a_seed_as_an_attribute(server):
    client, other = server.client(), server.client()
    other.subscribe("chat")
    heard = []

    def said(words):
        heard.extend(message["message"] for message in other.readmessages())
        return next((text for text in heard if words in text), None)
    client.sendmessage("chat", "<ada> hello")
    client.sendmessage("chat", "<ada> dj on library")
    wait_for(lambda: said("on, library"), 20, "the answer in the chat")
    wait_for_songs(client, 3)
    client.sendmessage("chat", "dj why")
    wait_for(lambda: said("nothing plays"), 20, "an answer without a name in front")
    assert "<ada> hello" in heard
    mpc(server, "outputset", "Auto DJ", "seed=Artist 3/Song 03.flac")
    wait_for(lambda: "Artist 3/Song 03.flac" in str(switch(client)), 20, "the seed among the attributes")
    wait_for(lambda: said("near Song 03"), 20, "the seed's title")
    client.sendmessage("dj", "mode")
    expect = listen(server)
    client.sendmessage("dj", "mode mood")
    expect("mode mood")


def test_a_wrong_filter_is_said_at_the_start(folder, tmp_path, start_segue):
    with pytest.raises(Exception):
        start_segue(songs=24, local={"music_directory": folder}, dj={"except": "(genre =="})
    logs = "".join(path.read_text() for path in tmp_path.glob("*/segue.log"))
    assert "dj.except: is no filter" in logs


def test_playlists_are_listed_as_they_load(folder, start_segue):
    server = start_segue(songs=24, local={"music_directory": folder}, discovery={"playlists": ["similar", "new"]})
    client = server.client()

    def names():
        return [playlist["playlist"] for playlist in client.listplaylists()]
    wait_for(lambda: "[Never played]" in names(), 20, "the playlists")
    assert names() == ["[Never played]", "[New arrivals]"]
    listed = client.listplaylist("[Never played]")
    assert len(listed) == 24 and listed == client.listplaylist("[Never played]")
    assert len(client.listplaylistinfo("[Never played]")) == 24
    client.load("[Never played]")
    assert [song["file"] for song in client.playlistinfo()] == listed
    with pytest.raises(mpd.CommandError):
        client.playlistclear("[Never played]")
    client.play(0)
    wait_for(lambda: "[Similar to current]" in names(), 20, "what is like the song")
    assert listed[0] not in client.listplaylist("[Similar to current]")
    watcher = server.client()
    client.next()
    assert "stored_playlist" in wait_for(lambda: watcher.idle("stored_playlist"), 20, "the next song's playlists")


def test_no_playlists_unless_they_are_wanted(server):
    assert server.client().listplaylists() == []


def test_loading_its_playlist_switches_it_on(folder, start_segue):
    server = start_segue(songs=24, local={"music_directory": folder},
                         dj={"switch": True, "artist_gap": 0, "repeat_hours": 0}, discovery={"playlists": ["dj"]})
    client = server.client()
    wait_for(lambda: "[Auto DJ]" in [playlist["playlist"] for playlist in client.listplaylists()], 20, "its playlist")
    assert len(client.listplaylist("[Auto DJ]")) >= 20
    client.load("[Auto DJ]", "0:2")
    wait_for(lambda: switch(client)["outputenabled"] == "1", 10, "the switch")
    client.play(0)
    wait_for_songs(client, 4)


def test_a_wish_in_words_becomes_a_query(server):
    client = server.client()
    expect = listen(server)
    client.add("Artist 5/Song 05.flac")
    client.play(0)
    client.pause(1)
    client.sendmessage("dj", "prompt some dub of the early 90s, please")
    expect("looking for dub, 1990 to 1999")
    wait_for_songs(client, 4)
    assert {song["genre"] for song in client.playlistinfo()[1:]} == {"Dub"}
    client.sendmessage("dj", "prompt xyzzy")
    expect("no genre and no mood of these words")
    client.sendmessage("dj", "prompt")
    expect("any music again")
    client.sendmessage("dj", "say dub of the 80s")
    expect("looking for dub, 1980 to 1989")
