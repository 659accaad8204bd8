"""The auto-DJ with the songs of a server: while that is away, by its stars, and by what it finds alike."""
import pytest
from harness.auto_dj import listen, wait_for_songs
from harness.clients import mpc
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.waiting import wait_for


def test_it_goes_on_while_the_server_is_away(tmp_path, start_segue):
    upstream = FakeNavidrome(tmp_path, songs=60, seconds=3).start()
    server = start_segue(
        songs=60, navidrome={"url": upstream.url, "username": USER, "password": PASSWORD}, dj={"switch": True})
    client = server.client()
    client.add(client.listall("")[-1]["file"])
    upstream.kill()
    mpc(server, "enable", "Auto DJ")
    client.play(0)
    assert len(wait_for_songs(client, 4)) == 4


def test_ten_picks_come_from_the_cache_while_the_server_is_away(tmp_path, start_segue):
    upstream = FakeNavidrome(tmp_path, songs=60, seconds=1).start()
    server = start_segue(
        songs=60, navidrome={"url": upstream.url, "username": USER, "password": PASSWORD},
        dj={"switch": True, "repeat_hours": 0, "artist_gap": 1},
        output=[{"type": "null", "name": "Fast", "sync": False}, {"type": "null", "name": "Real", "enabled": False}])
    client = server.client()
    for song in [entry["file"] for entry in client.listall() if "file" in entry][:30]:
        client.add(song)
    client.play(0)
    cache = server.folder / "cache" / "tracks"

    def cached():
        return [path for path in cache.iterdir() if path.suffix != ".part" and not (
            path.with_name(path.name + ".part")).exists()]
    wait_for(lambda: len(cached()) >= 16, 60, "songs in the cache")
    client.disableoutput(0)
    client.enableoutput(1)
    client.clear()
    upstream.kill()
    kept = len(cached())
    assert 16 <= kept < 50
    client.sendmessage("dj", "on library")
    wait_for_songs(client, 3)
    expect = listen(server)
    client.play(0)
    # Each lasts a second; one that had to be fetched would be waited for two minutes.
    wait_for(lambda: int(client.status().get("song", 0)) >= 9, 60, "ten picks in a row")
    assert "here while your server is away" in expect("added")
    client.sendmessage("dj", "stats")
    assert expect("skipped 0, removed 0, failed 0")


@pytest.mark.smoke
def test_a_star_at_the_server_counts_for_picks_and_a_like_reaches_it(tmp_path, start_segue):
    upstream = FakeNavidrome(tmp_path, songs=60, seconds=20).start()
    try:
        server = start_segue(
            songs=60, navidrome={"url": upstream.url, "username": USER, "password": PASSWORD, "sync_interval": 1},
            dj={"switch": True})
        client, expect = server.client(), listen(server)
        found = upstream.call("search3", query="", songCount=60)["searchResult3"]["song"]
        songs = {song["title"]: song for song in found}
        client.sendmessage("dj", "on favourites")
        expect("nothing fits favourites")
        wait_for_songs(client, 3)
        starred = sorted(songs)[:6]
        for title in starred:
            upstream.call("star", id=songs[title]["id"])
        wait_for(lambda: len(client.sticker_find("song", "", "like", "=", "2")) == 6, 60, "the server's stars")
        client.clear()
        client.sendmessage("dj", "on")
        assert set(wait_for_songs(client, 3)) <= set(starred)

        def is_starred(title):
            return "starred" in upstream.call("getSong", id=songs[title]["id"])["song"]
        title = next(title for title in sorted(songs) if title not in starred)
        client.clear()
        client.sendmessage("dj", "off")
        client.searchadd(f"(title == '{title}')")
        client.play(0)
        client.pause(1)
        client.sendmessage("dj", "like")
        expect(f"starred {title}")
        wait_for(lambda: is_starred(title), 30, "the star at the server")
        client.sendmessage("dj", "undo")
        expect(f"took the star back: {title}")
        wait_for(lambda: not is_starred(title), 30, "no star at the server")
    finally:
        upstream.stop()


@pytest.mark.parametrize("hears_sound", [True, False])
def test_what_the_server_finds_alike_comes_into_the_similar_playlist(tmp_path, start_segue, hears_sound):
    fake = FakeNavidrome(tmp_path, songs=300, seconds=20, options=["--hears-sound"] if hears_sound else []).start()
    try:
        server = start_segue(songs=300, navidrome={"url": fake.url, "username": USER, "password": PASSWORD},
                             discovery={"playlists": ["similar"]})
        client = server.client()
        client.add(client.listall()[-1].get("file") or "/")
        client.play(0)

        def calls():
            return [row.split()[1] for row in fake.control("requests")["rows"]]
        asked = "getSonicSimilarTracks" if hears_sound else "getSimilarSongs2"
        wait_for(lambda: asked in calls(), 30, f"the server to be asked by {asked}")
        assert ("getTopSongs" in calls()) != hears_sound
        wait_for(lambda: client.listplaylist("[Similar to current]"), 20, "the playlist")
        client.seekcur(3)
        client.pause(1)
        assert calls().count(asked) == 1
    finally:
        fake.stop()


@pytest.mark.parametrize("hears_sound", [True, False])
@pytest.mark.parametrize("answers", ["empty", "wrong", "slow"])
def test_a_server_that_knows_nothing_or_nonsense_leaves_it_to_tags(tmp_path, start_segue, answers, hears_sound):
    fake = FakeNavidrome(tmp_path, songs=300, seconds=20, options=["--hears-sound"] if hears_sound else []).start()
    try:
        if answers == "slow":
            fake.control("fault", mode="delay", ms=5000, match="Similar")
        else:
            fake.control("similarity", mode=answers)
        server = start_segue(songs=300, navidrome={"url": fake.url, "username": USER, "password": PASSWORD},
                             dj={"switch": True}, discovery={"playlists": ["similar"]})
        client, expect = server.client(), listen(server)
        client.add(next(entry["file"] for entry in client.listall() if "file" in entry))
        client.play(0)
        mpc(server, "enable", "Auto DJ")
        assert "as your server finds" not in expect("added")
        wait_for_songs(client, 4)
        asked = "getSonicSimilarTracks" if hears_sound else "getSimilarSongs2"

        def calls():
            return [row.split()[1] for row in fake.control("requests")["rows"]]
        wait_for(lambda: asked in calls(), 30, f"the server to be asked by {asked}")
        wait_for(lambda: len(client.listplaylist("[Similar to current]")) >= 20, 30, "songs by their tags")
        client.next()
        wait_for_songs(client, 5)
        assert " error " not in server.log
    finally:
        fake.stop()


@pytest.mark.parametrize("fault", [{"mode": "http500"}, {"mode": "garbage"}, {"mode": "delay", "ms": 60_000}])
def test_a_server_that_fails_or_sleeps_keeps_no_song_waiting(tmp_path, start_segue, fault):
    fake = FakeNavidrome(tmp_path, songs=60, seconds=20, options=["--hears-sound"]).start()
    try:
        server = start_segue(songs=60, navidrome={"url": fake.url, "username": USER, "password": PASSWORD},
                             dj={"switch": True})
        fake.control("fault", match="getSonicSimilarTracks", **fault)
        client = server.client()
        client.add(next(entry["file"] for entry in client.listall() if "file" in entry))
        client.play(0)
        mpc(server, "enable", "Auto DJ")
        wait_for_songs(client, 4)
    finally:
        fake.stop()
