"""Playlists, and the queue on the phone, with a real supysonic and with a fake Navidrome on the other side."""
import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.supysonic import navidrome_section
from harness.waiting import wait_for

PATIENCE = 40


def playlists(supysonic):
    """The server's playlists by name, with the titles of their songs."""
    found = {}
    for playlist in supysonic.call("getPlaylists")["playlists"].get("playlist", []):
        whole = supysonic.call("getPlaylist", id=playlist["id"])["playlist"]
        found[playlist["name"]] = [song["title"] for song in whole.get("entry", [])]
    return found


def titles(client, name):
    """The titles of a stored playlist's songs; a stream's address where there is no title."""
    return [song.get("title", song["file"]) for song in client.listplaylistinfo(name)]


def names(client):
    """The stored playlists' names."""
    return [entry["playlist"] for entry in client.listplaylists()]


@pytest.mark.smoke
def test_playlists_go_both_ways_and_through_an_outage(own_supysonic, start_segue):
    server = start_segue(songs=len(own_supysonic.songs()), navidrome=navidrome_section(own_supysonic))
    client = server.client()
    files = {song["title"]: song["file"] for song in client.search("any", "")}
    first, second, third = sorted(files)[:3]

    client.playlistadd("Mine", files[first])
    client.playlistadd("Mine", "http://127.0.0.1:1/radio")
    client.playlistadd("Mine", files[second])
    wait_for(lambda: playlists(own_supysonic) == {"Mine": [first, second]}, PATIENCE, "the playlist on the server")
    client.playlistclear("Mine")
    wait_for(lambda: playlists(own_supysonic) == {"Mine": []}, PATIENCE, "the empty playlist on the server")

    ids = {title: song["id"] for title, song in own_supysonic.songs().items()}
    own_supysonic.call("createPlaylist", name="Theirs/1", songId=ids[third])
    # It can't say when it scanned, so that it is looked at every ten minutes only.
    client.update()
    wait_for(lambda: "Theirs∕1" in names(client), PATIENCE, "the server's playlist")
    assert titles(client, "Theirs∕1") == [third]

    own_supysonic.kill()
    client.playlistadd("Theirs∕1", files[first])
    client.rename("Theirs∕1", "Ours∕1")
    client.rm("Mine")
    server.stop()
    server.start()
    client = server.client()
    assert names(client) == ["Ours∕1"]
    assert titles(client, "Ours∕1") == [third, first]
    own_supysonic.start()
    wait_for(lambda: playlists(own_supysonic) == {"Ours/1": [third, first]}, PATIENCE, "what waited")


@pytest.fixture
def navidrome(start_navidrome):
    """A running fake Navidrome, whose songs last longer than it takes to pause one."""
    return start_navidrome(seconds=20)


def saved_queue(navidrome):
    """How often the queue was saved."""
    return sum("savePlayQueueByIndex" in row for row in navidrome.control("requests")["rows"])


@pytest.mark.smoke
def test_the_queue_is_saved_when_music_pauses_and_taken_over_elsewhere(navidrome, start_segue):
    section = {"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1}
    one = start_segue(songs=navidrome.songs, navidrome=section)
    client = one.client()
    for song in client.search("any", "", "window", (0, 5)):
        client.add(song["file"])
    wait_for(lambda: "[Navidrome queue]" not in names(client), PATIENCE, "no queue of another client")
    client.play(2)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1, PATIENCE, "the music")
    assert saved_queue(navidrome) == 0
    client.pause(1)
    wait_for(lambda: saved_queue(navidrome) == 1, PATIENCE, "the saved queue")
    assert "[Navidrome queue]" not in names(client)

    # Another Segue of the same user sees it as another client's.
    two = start_segue(songs=navidrome.songs, navidrome=section)
    other = two.client()
    wait_for(lambda: "[Navidrome queue]" in names(other), PATIENCE, "the playlist")
    other.load("[Navidrome queue]")
    status = other.status()
    assert (status["state"], status["song"], status["playlistlength"]) == ("pause", "2", "5")
    assert abs(float(status["elapsed"]) - float(client.status()["elapsed"])) < 0.5
    assert saved_queue(navidrome) == 1
    other.play()
    wait_for(lambda: other.status()["state"] == "play", PATIENCE, "the music")
    other.stop()
    wait_for(lambda: saved_queue(navidrome) == 2, PATIENCE, "the queue of the other")
    wait_for(lambda: "[Navidrome queue]" not in names(other), PATIENCE, "the end of the other queue")


def test_virtual_playlists_can_be_hidden(library, start_segue):
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, playlists={"hide": ["random_albums"]})
    client = server.client()
    assert names(client) == ["[Recently added]"]
    song = client.search("any", "", "window", (0, 1))[0]["file"]
    client.sticker_set("song", song, "like", "2")
    client.sticker_set("song", song, "playCount", "3")
    assert names(client) == ["[Most played]", "[Recently added]", "[Starred]"]
    assert [entry["file"] for entry in client.listplaylistinfo("[Starred]")] == [song]
