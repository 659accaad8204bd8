"""What an open page hears of the library's server, of syncs, of marks and of its own rights."""
import contextlib
import itertools
import threading
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.web import Web, events

ALL = ["read", "add", "player", "control", "admin"]
SONGS = 60


@pytest.fixture(scope="module")
def navidrome(tmp_path_factory):
    """A server with a few songs."""
    server = FakeNavidrome(tmp_path_factory.mktemp("navidrome"), songs=SONGS).start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def server(navidrome, registry, tmp_path_factory):
    """Segue in front of it; strangers may look, and a password allows everything."""
    running = Segue(
        tmp_path_factory.mktemp("changes") / "segue", registry,
        navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        server={"default_permissions": ["read"], "local_permissions": ALL},
        **{"server.password": [{"password": "open-sesame", "permissions": ALL}]}).start()
    yield running
    running.stop()


@pytest.fixture
def web(server):
    """A browser that has signed in."""
    web = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
    assert web.sign_in("open-sesame").status == 200
    wait_for(lambda: web.get("/api/status")["library"]["songs"] == SONGS, 60, "the library")
    # The songs are there before the sync has ended.
    wait_for(lambda: web.get("/api/status")["sync"]["phase"] is None, 60, "the end of the sync")
    return web


@pytest.fixture
def socket(web):
    """Its open page, which has got the status."""
    with web.socket() as socket:
        socket.wait_for("status")
        yield socket


@pytest.mark.smoke
def test_a_sync_is_told_from_its_beginning_to_its_end(web, socket):
    """The page shows that the library is brought up to date, and that it is."""
    assert web.get("/api/status")["sync"] == {"phase": None, "done": 0, "total": 0}
    web.post("/api/sync")
    assert socket.wait_for("sync", lambda sync: sync["phase"])
    socket.wait_for("sync", lambda sync: not sync["phase"])
    assert web.get("/api/status")["sync"] == {"phase": None, "done": 0, "total": 0}


def test_a_first_sync_says_how_far_it_is(registry, tmp_path):
    """Of a large library, with how many songs there are."""
    navidrome = FakeNavidrome(tmp_path, songs=3_000).start()
    # Slow enough that an open page, which is told four times a second, hears of it.
    navidrome.control("fault", mode="delay", ms=1000, match="search3")
    server = Segue(tmp_path / "segue", registry, web={"listen": [f"127.0.0.1:{free_port()}"]},
                   navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD}).start()
    web = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
    with web.socket() as socket:
        part = socket.wait_for("sync", lambda sync: 0 < sync["done"])
        assert part["phase"] == "songs" and part["total"] in (0, 3_000)
        navidrome.control("fault", mode="none")
        socket.wait_for("sync", lambda sync: not sync["phase"])
    assert web.get("/api/status")["library"]["songs"] == 3_000
    server.stop()
    navidrome.kill()


def test_stars_name_the_songs_that_got_them(web, socket):
    """Stars and ratings, given over HTTP or MPD's protocol; counted plays are no news."""
    first, second = (song["id"] for song in web.get("/api/songs?count=2")["items"])
    web.request("PUT", f"/api/songs/{first}/star", {"starred": True})
    assert socket.wait_for("marks") == {"songs": [first]}
    web.request("PUT", f"/api/songs/{second}/rating", {"rating": 8})
    assert socket.wait_for("marks") == {"songs": [second]}
    album = web.get("/api/albums?count=1")["items"][0]["id"]
    web.request("PUT", f"/api/albums/{album}/star", {"starred": True})
    assert socket.wait_for("marks") == {"songs": None}, "albums are read anew with their songs"


def test_a_server_that_is_away_is_told_and_what_waits_for_it(web, socket, navidrome):
    """The page says so by itself, counts what waits, and takes it back when the server is there again."""
    assert web.get("/api/status")["connection"]["state"] == "connected"
    song = web.get("/api/songs?count=1&sort=-title")["items"][0]["id"]
    navidrome.kill()
    web.post("/api/sync")
    assert socket.wait_for("connection", lambda now: now["state"] == "unreachable")["sentence"]
    web.request("PUT", f"/api/songs/{song}/rating", {"rating": 6})
    assert socket.wait_for("waiting", lambda waiting: song in waiting["songs"])["edits"] > 0
    # Another test may have starred the first album, and a star that is there already is no edit.
    album = web.get("/api/albums?count=2")["items"][1]
    web.request("PUT", f"/api/albums/{album['id']}/star", {"starred": True})
    web.post("/api/mpd", [["playlistadd", "Waits for it", web.get("/api/songs?count=1")["items"][0]["uri"]]])
    waiting = socket.wait_for("waiting", lambda waiting: waiting["playlists"] and waiting["albums"])
    assert waiting["playlists"] == ["Waits for it"] and waiting["artists"] == []
    assert song in waiting["songs"] and album["id"] in waiting["albums"]
    navidrome.start()
    with contextlib.suppress(AssertionError):
        web.post("/api/sync")
    seen = {}
    end = time.monotonic() + 60
    while not (seen.get("connection", {}).get("state") == "connected" and seen.get("waiting", {}).get("edits") == 0):
        assert time.monotonic() < end, seen
        message = socket.message()
        seen[message["type"]] = message["data"]
    assert web.get("/api/status")["waiting"] == {
        "plays": 0, "edits": 0, "songs": [], "albums": [], "artists": [], "playlists": []}


def test_decades_are_those_of_the_albums(web):
    """The newest first, with as many albums as the list of each has."""
    items = web.get("/api/decades")["items"]
    assert items and items == sorted(items, key=lambda item: -item["decade"])
    for item in items:
        assert web.get(f"/api/albums?decade={item['decade']}&count=0")["total"] == item["albums"]


@pytest.mark.parametrize("protocol", [None, "mpd"])
def test_an_open_page_is_closed_when_its_session_is_ended_elsewhere(server, web, protocol):
    """At once, while nothing else happens."""
    phone = Web(web.port)
    assert phone.sign_in("open-sesame").status == 200
    with phone.socket(protocol=protocol) as socket:
        assert socket.receive()
        mine = [one["id"] for one in web.get("/api/sessions")["items"] if one["current"]]
        theirs = [one["id"] for one in phone.get("/api/sessions")["items"] if one["current"]]
        assert mine != theirs
        assert web.request("DELETE", f"/api/sessions/{theirs[0]}").status == 204
        while (frame := socket.receive()) is not None and frame[0] != 8:
            pass
    with web.socket() as own:
        own.wait_for("status")
        assert "answers" in own.call(["status"]), "others stay"


def test_a_script_whose_token_was_taken_back_can_do_nothing_more(server, web):
    """Its open socket is closed with the next thing that it sends."""
    made = server.run("token", "--config", server.configuration, "--permissions", "read,player", "--name", "bell")
    script = Web(web.port, token=made.stdout.strip())
    with script.socket() as socket:
        socket.wait_for("status")
        assert "answers" in socket.call(["status"])
        listed = server.run("token", "--config", server.configuration, "--list").stdout
        assert server.run("token", "--config", server.configuration, "--revoke", listed.split()[0]).returncode == 0
        socket.send({"id": 1, "mpd": [["stop"]]})
        while (frame := socket.receive()) is not None and frame[0] != 8:
            assert b"answers" not in frame[1]


def test_whatever_changes_meanwhile_the_status_comes_first(server, web):
    over = threading.Event()

    def change():
        client = server.client()
        client.password("open-sesame")
        for volume in itertools.cycle(range(100)):
            client.setvol(volume)
            client.random(volume % 2)
            if over.is_set():
                break
    changing = threading.Thread(target=change)
    changing.start()
    try:
        assert {next(events(web.port))["type"] for _ in range(50)} == {"status"}
        assert changing.is_alive()
    finally:
        over.set()
        changing.join()
