"""Stars and ratings: what clients do ends up on the server, and the other way round."""
import time

import mpd
import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.segue import binary
from harness.supysonic import navidrome_section
from harness.waiting import wait_for


@pytest.fixture
def navidrome(start_navidrome):
    """A running fake Navidrome."""
    return start_navidrome(songs=60)


def start(start_segue, navidrome):
    """Starts segue with the fake Navidrome."""
    return start_segue(songs=navidrome.songs, navidrome={
        "url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1})


def sticker(client, path, name, kind="song"):
    """What a sticker says; None without one."""
    try:
        return client.sticker_get(kind, path, name)
    except mpd.CommandError:
        return None


def songs(navidrome):
    """The server's songs by their paths."""
    found = navidrome.call("search3", query="", songCount=navidrome.songs)["searchResult3"]["song"]
    return {song["path"]: song for song in found}


@pytest.mark.smoke
def test_with_a_real_server(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic))
    client = server.client()
    theirs = own_supysonic.songs()
    paths = {song["title"]: song["file"] for song in client.listallinfo() if "file" in song}
    client.sticker_set("song", paths["Lamp"], "rating", "7")
    client.sticker_set("song", paths["Lamp"], "like", "2")
    wait_for(lambda: "starred" in own_supysonic.songs()["Lamp"], 30, "the star on the server")
    wait_for(lambda: own_supysonic.songs()["Lamp"].get("userRating") == 4, 30, "the rating on the server")
    own_supysonic.call("star", id=theirs["Sill"]["id"])
    own_supysonic.call("setRating", id=theirs["Sill"]["id"], rating=3)
    own_supysonic.call("unstar", id=theirs["Lamp"]["id"])
    wait_for(lambda: sticker(client, paths["Sill"], "like") == "2", 30, "the server's star")
    wait_for(lambda: sticker(client, paths["Sill"], "rating") == "6", 30, "the server's rating")
    wait_for(lambda: sticker(client, paths["Lamp"], "like") is None, 30, "the end of the star")
    assert sticker(client, paths["Lamp"], "rating") == "7"
    # While the server is away, edits wait for it, also over a restart.
    own_supysonic.kill()
    client.sticker_set("song", paths["Lamp"], "rating", "10")
    client.sticker_set("song", paths["Sill"], "like", "0")
    server.kill()
    server.start()
    own_supysonic.start()
    wait_for(lambda: own_supysonic.songs()["Lamp"].get("userRating") == 5, 60, "the rating made during the outage")
    wait_for(lambda: "starred" not in own_supysonic.songs()["Sill"], 60, "the dislike made during the outage")


def test_clients_are_told(navidrome, start_segue):
    server = start(start_segue, navidrome)
    path, song = next(iter(songs(navidrome).items()))
    # The first look at the server may come after the songs, and the end of the first sync is told a moment after it.
    looks = navidrome.control("requests")["count"]
    wait_for(lambda: navidrome.control("requests")["count"] > looks + 10, 30, "a few looks at the server")
    watcher, client = server.client(timeout=60), server.client()
    navidrome.call("setRating", id=song["id"], rating=4)
    assert watcher.idle("sticker", "database") == ["sticker"]
    assert sticker(client, path, "rating") == "8"
    assert [found["file"] for found in client.sticker_find("song", "", "rating")] == [path]


def test_albums_and_artists(navidrome, start_segue):
    server = start(start_segue, navidrome)
    client = server.client()
    song = next(iter(songs(navidrome).values()))
    client.sticker_set("Album", song["album"], "like", "2")
    client.sticker_set("AlbumArtist", song["artist"], "rating", "9")
    wait_for(lambda: navidrome.call("getAlbum", id=song["albumId"])["album"].get("starred"), 30, "the album's star")
    wait_for(lambda: navidrome.call("getArtist", id=song["artistId"])["artist"].get("userRating") == 5, 30,
             "the artist's rating")
    assert sticker(client, song["artist"], "rating", "Artist") == "9"
    navidrome.call("setRating", id=song["albumId"], rating=2)
    navidrome.call("unstar", albumId=song["albumId"])
    wait_for(lambda: sticker(client, song["album"], "rating", "Album") == "4", 30, "the album's rating")
    wait_for(lambda: sticker(client, song["album"], "like", "Album") is None, 30, "the end of the album's star")


def test_two_segues_agree(navidrome, start_segue):
    first, second = start(start_segue, navidrome), start(start_segue, navidrome)
    one, two = first.client(), second.client()
    paths = list(songs(navidrome))[:8]
    for turn, path in enumerate(paths):
        client = (one, two)[turn % 2]
        client.sticker_set("song", path, "rating", str(turn + 2))
        client.sticker_set("song", path, "like", "2")
    # Both edit the same song; whatever comes of it, all agree.
    one.sticker_set("song", paths[0], "rating", "2")
    two.sticker_set("song", paths[0], "rating", "8")

    def agree():
        there = songs(navidrome)
        for path in paths:
            rating = there[path]["userRating"]
            assert "starred" in there[path]
            for client in (one, two):
                assert sticker(client, path, "rating") in (str(2 * rating), str(2 * rating - 1))
                assert sticker(client, path, "like") == "2"
        return True
    wait_for(agree, 60, "the same stars and ratings everywhere")


def test_a_client_that_counts_plays_itself_counts_nothing_twice(start_segue, tmp_path):
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    short = FakeNavidrome(tmp_path, songs=5, seconds=1).start()
    try:
        server = start(start_segue, short)
        client = server.client()
        path, song = next(iter(songs(short).items()))
        client.add(path)
        before = int(time.time())
        client.play(0)
        wait_for(lambda: short.call("getSong", id=song["id"])["song"].get("playCount") == 1, 30, "the play")
        # As myMPD does after half of a song.
        count = int(sticker(client, path, "playCount"))
        client.sticker_set("song", path, "playCount", str(count + 1))
        client.sticker_set("song", path, "lastPlayed", str(int(time.time())))
        looks = short.control("requests")["count"]
        wait_for(lambda: short.control("requests")["count"] > looks + 10, 30, "a few looks at the server")
        assert sticker(client, path, "playCount") == "1"
        assert int(sticker(client, path, "lastPlayed")) >= before
        short.call("scrobble", id=song["id"], time=int(time.time() * 1000), submission="true")
        wait_for(lambda: sticker(client, path, "playCount") == "2", 30, "another client's play")
    finally:
        short.kill()
