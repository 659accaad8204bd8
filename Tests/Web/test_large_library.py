"""A library of 50,000 songs: lists of albums that play as they are shown, and a question before much music is queued."""
import json
import urllib.request

import pytest
from conftest import PASSWORD, USER, FakeNavidrome, Page, until
from harness.waiting import wait_for

LARGE = 50_000


@pytest.fixture(scope="module")
def server(registry, tmp_path_factory):
    """The program in front of 50,000 songs, in place of the small library that other modules share."""
    navidrome = FakeNavidrome(tmp_path_factory.mktemp("large-navidrome"), songs=LARGE, seconds=40).start()
    server = Page(tmp_path_factory.mktemp("large-segue"), registry,
                  navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD})
    try:
        server.start().wait_for_songs(LARGE, 600)
        yield server
    finally:
        server.kill()
        navidrome.kill()


def asked(server, path, method="GET", body=None):
    """An answer of the HTTP interface."""
    request = urllib.request.Request(f"{server.url}{path}", method=method, headers={"content-type": "application/json"},
                                     data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or "null")


def paths(client):
    return [song["file"] for song in client.playlistinfo()]


def songs_of(server, albums):
    """The paths of the songs of albums, one album after the other."""
    return [song["uri"] for album in albums for song in asked(server, f"/api/albums/{album['id']}")["items"]]


@pytest.fixture
def starred(server):
    """Three albums with a star, far from each other."""
    albums = [asked(server, f"/api/albums?start={start}&count=1&sort=title")["items"][0] for start in (40, 2000, 4000)]
    for album in albums:
        asked(server, f"/api/albums/{album['id']}/star", "PUT", {"starred": True})
    yield asked(server, "/api/albums?starred=1&sort=title")["items"]
    for album in albums:
        asked(server, f"/api/albums/{album['id']}/star", "PUT", {"starred": False})


def tap(page, button):
    page.tap(f".list-head .play-all button:has-text('{button}')")


def test_albums_with_a_star_play_one_after_the_other_as_they_are_listed(visit, server, mpd, starred):
    mpd.clear()
    page = visit("albums?starred=1", "phone")
    page.wait_for_selector(".tile:not(.skeleton) .title:not(:empty)")
    wanted = songs_of(server, starred)
    assert len(starred) >= 3 and len(wanted) > 20
    tap(page, "Play")
    wait_for(lambda: paths(mpd) == wanted, 60, "the songs of these albums in their order")
    wait_for(lambda: mpd.status()["state"] == "play", 60, "the music")
    tap(page, "Add to queue")
    wait_for(lambda: paths(mpd) == wanted * 2, 60, "the same songs once more")
    tap(page, "Shuffle")
    wait_for(lambda: sorted(paths(mpd)) == sorted(wanted), 60, "the same songs alone")
    assert paths(mpd) != wanted
    mpd.stop()


def test_albums_without_songs_say_that_there_is_nothing(visit, server, mpd, starred):
    page = visit("albums?starred=1", "phone")
    page.wait_for_selector(".tile:not(.skeleton) .title:not(:empty)")
    page.route("**/api/albums/*", lambda route: route.fulfill(json={"items": []}))
    page.route("**/api/songs?*", lambda route: route.fulfill(json={"items": [], "total": 0}))
    before = paths(mpd)
    tap(page, "Play")
    page.wait_for_selector(".notice:has-text('There is nothing here')")
    assert paths(mpd) == before


def test_a_decade_of_albums_is_queued_as_a_whole_after_a_question(visit, server, mpd):
    mpd.clear()
    decade = min(asked(server, "/api/decades")["items"], key=lambda each: each["albums"])
    albums = asked(server, f"/api/albums?decade={decade['decade']}&sort=title&count=1000")["items"]
    count = sum(album["songs"] for album in albums)
    assert count > 1000
    page = visit(f"albums?decade={decade['decade']}", "phone")
    page.wait_for_selector(".tile:not(.skeleton) .title:not(:empty)")
    tap(page, "Play")
    page.wait_for_selector(f"dialog h2:text-is('{count:,} songs')")
    page.tap("dialog button:text-is('Cancel')")
    page.wait_for_selector("dialog", state="detached")
    until(page, "!document.querySelector('.list-head .play-all button').disabled")
    assert paths(mpd) == []
    tap(page, "Play")
    page.tap("dialog button:text-is('Play')")
    wait_for(lambda: int(mpd.status()["playlistlength"]) == count, 60, "the whole decade")
    assert paths(mpd)[:30] == songs_of(server, albums[:12])[:30]
    mpd.clear()


def test_songs_of_a_genre_are_shuffled_as_a_whole_after_a_question(visit, server, mpd):
    mpd.clear()
    genre = min(asked(server, "/api/genres")["items"], key=lambda each: each["songs"])
    page = visit(f"songs?genre={genre['name']}", "phone")
    page.wait_for_selector(".row:not(.skeleton) .title:not(:empty)")
    tap(page, "Shuffle")
    page.wait_for_selector(f"dialog h2:text-is('{genre['songs']:,} songs')")
    page.tap("dialog button:text-is('Shuffle')")
    wait_for(lambda: int(mpd.status()["playlistlength"]) == genre["songs"], 60, "the whole genre")
    mpd.clear()


@pytest.mark.parametrize("action", ["Play", "Play next", "Add to queue", "Replace queue"])
def test_a_genre_says_how_many_songs_it_has_before_all_of_them_are_queued(visit, server, mpd, action):
    mpd.clear()
    genre = asked(server, "/api/genres?count=1")["items"][0]
    page = visit("genres", "phone")
    page.wait_for_selector(".row:not(.skeleton) .title:not(:empty)")
    page.tap(".cell[data-index='0'] .icon-button")
    page.tap(f"dialog .sheet-item:text-is('{action}')")
    page.wait_for_selector(f"dialog h2:text-is('{genre['songs']:,} songs')")
    assert paths(mpd) == []
    page.tap("dialog .buttons .primary")
    wait_for(lambda: int(mpd.status()["playlistlength"]) == genre["songs"], 60, "the whole genre")
    mpd.clear()


@pytest.mark.parametrize("songs", [1000, 1001])
def test_an_artist_of_more_than_a_thousand_songs_is_asked_about(visit, server, mpd, songs):
    mpd.clear()
    artist = asked(server, "/api/artists?count=1")["items"][0]
    page = visit(f"artist/{artist['id']}", "phone")
    page.route("**/api/songs?artist=*", lambda route: route.fulfill(json={"items": [], "total": songs}))
    page.tap(".hero .primary")
    if songs > 1000:
        page.wait_for_selector("dialog h2:text-is('1,001 songs')")
        assert paths(mpd) == []
        page.tap("dialog .buttons .primary")
    wait_for(lambda: page.wait_for_timeout(20) or len(paths(mpd)) == artist["songs"], 60, "the artist's songs")
    assert not page.query_selector("dialog")
    mpd.clear()


@pytest.mark.parametrize("is_large", [False, True])
def test_a_folder_is_counted_before_it_is_queued(visit, server, mpd, is_large):
    mpd.clear()
    folder = asked(server, "/api/folders")["items"][0]["path"]
    count = int(mpd.count("base", folder)["songs"])
    page = visit("folders", "phone")
    page.wait_for_selector(".row:not(.skeleton) .title:not(:empty)")
    if is_large:
        page.route("**/api/mpd", lambda route: route.fulfill(json={"answers": [[["songs", "4321"], ["playtime", "1"]]]}))
    page.tap(".cell[data-index='0'] .icon-button")
    page.tap("dialog .sheet-item:text-is('Add to queue')")
    if is_large:
        page.wait_for_selector("dialog h2:text-is('4,321 songs')")
        assert paths(mpd) == []
        page.tap("dialog .buttons .primary")
    wait_for(lambda: page.wait_for_timeout(20) or len(paths(mpd)) == count, 60, "the folder's songs")
    mpd.clear()


def test_a_range_that_is_too_long_is_refused_with_a_sentence(visit, server, mpd):
    page = visit("songs", "desktop")
    page.wait_for_selector("main .row:not(.skeleton) .title:not(:empty)")
    page.click("main .cell[data-index='0'] .main", modifiers=["Control"])
    page.wait_for_selector("main .selection-bar .count:has-text('1')")
    page.evaluate("document.querySelector('.browse').scrollTop = 64 * 20000")
    page.wait_for_selector("main .cell[data-index='20000']:not(.skeleton)")
    page.click("main .cell[data-index='20000'] .main", modifiers=["Shift"])
    page.wait_for_selector(".notice:has-text('At most 5,000 songs')")
    assert "1 " in page.inner_text("main .selection-bar .count")
