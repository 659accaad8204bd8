"""A Navidrome that was restored from a backup: nothing that was made here is lost without a reason."""
import sqlite3

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.waiting import wait_for

SONGS = 12


@pytest.fixture
def navidrome(start_navidrome):
    """A library whose songs last two seconds."""
    return start_navidrome(songs=SONGS, seconds=2)


@pytest.fixture
def server(navidrome, start_segue):
    """Segue in front of it."""
    return start_segue(songs=SONGS, navidrome={
        "url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1})


def files(client):
    """All songs."""
    return sorted(entry["file"] for entry in client.listallinfo() if "file" in entry)


def songs(navidrome):
    """The server's songs by their paths."""
    found = navidrome.call("search3", query="", songCount=100)["searchResult3"]["song"]
    return {song["path"]: song for song in found}


def playlists(navidrome):
    """The server's playlists: the paths of their songs."""
    lists = navidrome.call("getPlaylists")["playlists"].get("playlist", [])
    return {entry["name"]: [song["path"] for song in navidrome.call("getPlaylist", id=entry["id"])["playlist"].get(
        "entry", [])] for entry in lists}


def stickers(client, path):
    """A song's stickers."""
    return client.sticker_list("song", path)


def plays(navidrome):
    """How many plays the server was told of."""
    return sum(row["submission"] for row in navidrome.control("scrobbles")["rows"])


def test_a_backup_with_the_same_ids(server, navidrome):
    client = server.client()
    paths = files(client)
    client.sticker_set("song", paths[0], "rating", "4")
    client.playlistadd("Old", paths[0])
    client.playlistadd("Old", paths[1])
    wait_for(lambda: songs(navidrome)[paths[0]].get("userRating") == 2, what="the rating")
    wait_for(lambda: playlists(navidrome) == {"Old": paths[:2]}, what="the playlist")
    navidrome.control("backup")
    # After the backup: other ratings, a star, a play, a song more, songs that come, and a playlist.
    client.sticker_set("song", paths[0], "rating", "10")
    client.sticker_set("song", paths[2], "like", "2")
    client.playlistadd("New", paths[3])
    client.add(paths[4])
    client.play(0)
    wait_for(lambda: plays(navidrome) == 1, what="the play")
    navidrome.control("add", n=3)
    wait_for(lambda: len(files(client)) == SONGS + 3, 30, "the new songs")
    new = sorted(set(files(client)) - set(paths))
    client.sticker_set("song", new[0], "note", "kept")
    client.clear()
    for path in (paths[5], new[0], paths[6]):
        client.add(path)
    wait_for(lambda: songs(navidrome)[paths[0]].get("userRating") == 5, what="the later rating")
    wait_for(lambda: "starred" in songs(navidrome)[paths[2]], what="the star")
    wait_for(lambda: "New" in playlists(navidrome), what="the later playlist")
    wait_for(lambda: stickers(client, paths[4]).get("playCount") == "1", what="the count")
    # Edits that the server has not got when it goes back to the backup.
    navidrome.control("fault", mode="status", status=502)
    client.sticker_set("song", paths[7], "rating", "8")
    client.playlistadd("Old", paths[8])
    client.playlistadd("Waiting", paths[9])
    navidrome.control("recover")
    navidrome.control("fault", mode="none")
    # What waited is sent.
    wait_for(lambda: songs(navidrome)[paths[7]].get("userRating") == 4, 20, "the rating that waited")
    wait_for(lambda: playlists(navidrome).get("Old") == [paths[0], paths[1], paths[8]], 20, "the edit that waited")
    wait_for(lambda: playlists(navidrome).get("Waiting") == [paths[9]], 20, "the playlist that waited")
    # What the server has again as it was is so here, too, but nothing that was heard is unheard.
    wait_for(lambda: stickers(client, paths[0]).get("rating") == "4", 60, "the rating of the backup")
    wait_for(lambda: "like" not in stickers(client, paths[2]), 60, "the end of the star")
    wait_for(lambda: len(files(client)) == SONGS, 30, "the end of the songs that came later")
    assert stickers(client, paths[4])["playCount"] == "1"
    # The server finds the files again.
    navidrome.control("restore", n=3)
    wait_for(lambda: len(files(client)) == SONGS + 3, 30, "the songs again")
    assert stickers(client, new[0])["note"] == "kept"
    # As with MPD, what leaves the library leaves the queue; it is back at its place.
    in_queue = [paths[5], new[0], paths[6]]
    wait_for(lambda: [entry["file"] for entry in client.playlistinfo()] == in_queue, 20, "the song in the queue")
    assert plays(navidrome) == 1


def test_a_new_database_with_other_ids(server, navidrome):
    client = server.client()
    paths = files(client)
    client.sticker_set("song", paths[0], "rating", "8")
    client.sticker_set("song", paths[1], "note", "kept")
    client.playlistadd("Mine", paths[2])
    client.playlistadd("Mine", paths[3])
    for path in paths[4:7]:
        client.add(path)
    wait_for(lambda: songs(navidrome)[paths[0]].get("userRating") == 4, what="the rating")
    wait_for(lambda: playlists(navidrome) == {"Mine": paths[2:4]}, what="the playlist")
    ids = {path: song["id"] for path, song in songs(navidrome).items()}
    navidrome.control("fault", mode="status", status=502)
    client.sticker_set("song", paths[8], "rating", "6")
    navidrome.control("rebuild")
    navidrome.control("fault", mode="none")
    wait_for(lambda: songs(navidrome)[paths[0]].get("userRating") == 4, 60, "the rating, given again")
    wait_for(lambda: songs(navidrome)[paths[8]].get("userRating") == 3, 60, "the rating that waited")
    assert songs(navidrome)[paths[0]]["id"] != ids[paths[0]]
    assert stickers(client, paths[1])["note"] == "kept"
    assert [entry["file"] for entry in client.playlistinfo()] == paths[4:7]
    assert client.listplaylist("Mine") == paths[2:4]


def measurements(server):
    """What was measured of each song, and when."""
    with sqlite3.connect(f"file:{server.folder}/state/segue.db?mode=ro", uri=True) as database:
        return dict(database.execute("""
            SELECT s.uri, a.made || ' ' || a.version || ' ' || coalesce(a.loudness, '') FROM analysis a
            JOIN song s ON s.id = a.song AND a.size IS s.size WHERE a.tries = 0 AND s.walk IS NOT NULL"""))


def test_what_was_measured_survives_other_ids(navidrome, start_segue):
    server = start_segue(songs=SONGS, discovery={"analyse": "library"}, navidrome={
        "url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1})
    client = server.client()
    wait_for(lambda: len(measurements(server)) == SONGS, 120, "all songs to be measured")
    before, path = measurements(server), files(client)[0]
    ids = {name: song["id"] for name, song in songs(navidrome).items()}
    client.sticker_set("song", path, "rating", "8")
    wait_for(lambda: songs(navidrome)[path].get("userRating") == 4, what="the rating")
    navidrome.control("rebuild")
    wait_for(lambda: songs(navidrome)[path].get("userRating") == 4, 60, "the rating, given again")
    assert songs(navidrome)[path]["id"] != ids[path]
    assert measurements(server) == before
    assert len(client.sticker_find("song", "", "loudness")) == SONGS
    # Nothing is measured again, either.
    wait_for(lambda: "updating_db" not in client.status(), 30, "the end of the update")
    assert measurements(server) == before
