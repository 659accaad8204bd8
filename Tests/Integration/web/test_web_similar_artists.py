"""Artists that the library's server finds like one, over the HTTP interface."""
import contextlib
import time

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.web import Web


@pytest.fixture(scope="module")
def navidrome(tmp_path_factory):
    """A server with a few artists."""
    server = FakeNavidrome(tmp_path_factory.mktemp("navidrome"), songs=300).start()
    yield server
    server.kill()


@contextlib.contextmanager
def segue(navidrome, registry, folder, **sections):
    """A fresh Segue in front of it, its HTTP interface, and the artists."""
    port = free_port()
    running = Segue(folder, registry, web={"listen": [f"127.0.0.1:{port}"]},
                    navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD}, **sections).start(300)
    try:
        web = Web(port)
        wait_for(lambda: web.get("/api/status")["sync"]["phase"] is None, 60, "the end of the sync")
        yield web, web.get("/api/artists")["items"]
    finally:
        running.stop()
        navidrome.control("fault", mode="none")
        navidrome.control("similarity", mode="right")


def asked(navidrome):
    """How often the server was asked for artists."""
    return sum(" getArtistInfo2 " in row for row in navidrome.control("requests")["rows"])


def test_artists_of_the_library_come_with_their_ids_and_others_with_their_names(navidrome, registry, tmp_path):
    """In the server's order; the server is asked when a client asks, once for each artist."""
    with segue(navidrome, registry, tmp_path / "segue") as (web, artists):
        before = asked(navidrome)
        shown = web.get(f"/api/artists/{artists[0]['id']}")
        assert asked(navidrome) == before, "the artist itself waits for no server"
        answer = web.get(f"/api/artists/{artists[0]['id']}/similar")
        assert answer["others"][-2:] == ["Far Away", "Elsewhere"] and answer["items"]
        assert all(one in artists and one["id"] != shown["id"] for one in answer["items"])
        assert web.get(f"/api/artists/{artists[0]['id']}/similar") == answer
        assert asked(navidrome) == before + 1
        assert web.request("GET", "/api/artists/1/similar").status == 404


def test_nothing_is_asked_where_the_configuration_says_so(navidrome, registry, tmp_path):
    """`server_similarity` is for artists as for songs."""
    with segue(navidrome, registry, tmp_path / "segue", discovery={"server_similarity": False}) as (web, artists):
        before = asked(navidrome)
        assert web.get(f"/api/artists/{artists[0]['id']}/similar") == {"items": [], "others": []}
        assert asked(navidrome) == before


def test_without_a_server_there_are_none(library, registry, tmp_path):
    """A folder of music knows no artists that are alike."""
    port = free_port()
    running = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]},
                    web={"listen": [f"127.0.0.1:{port}"]}).start(len(library[1]))
    try:
        artist = Web(port).get("/api/artists")["items"][0]
        assert Web(port).get(f"/api/artists/{artist['id']}/similar") == {"items": [], "others": []}
    finally:
        running.stop()


def test_strange_answers_are_names_at_most(navidrome, registry, tmp_path):
    """Wrong types, hostile and endless names, and ten megabytes of them: 20 names, none longer than 200 bytes."""
    with segue(navidrome, registry, tmp_path / "segue") as (web, artists):
        for artist, mode in zip(artists, ("empty", "wrong", "large")):
            navidrome.control("similarity", mode=mode)
            answer = web.get(f"/api/artists/{artist['id']}/similar")
            assert answer["items"] == [], mode
            assert len(answer["others"]) <= 20 and bool(answer["others"]) == (mode != "empty"), mode
            assert all(0 < len(name.encode()) <= 200 for name in answer["others"]), mode
        navidrome.control("similarity", mode="right")
        assert web.get(f"/api/artists/{artists[3]['id']}/similar")["items"], "none of them counts as a failure"


@pytest.mark.parametrize("fault", [{"mode": "http500"}, {"mode": "garbage"}, {"mode": "html"}, {"mode": "cut", "after": 200},
                                   {"mode": "delay", "ms": 20000}], ids=lambda fault: fault["mode"])
def test_a_server_that_fails_is_not_waited_for(navidrome, registry, tmp_path, fault):
    """The answer is empty, within the patience of a listener, and the next artist asks nothing for an hour; meanwhile
    the artist itself is there."""
    with segue(navidrome, registry, tmp_path / "segue") as (web, artists):
        navidrome.control("fault", match="getArtistInfo2", **fault)
        began = time.monotonic()
        assert web.get(f"/api/artists/{artists[0]['id']}/similar") == {"items": [], "others": []}
        assert time.monotonic() - began < 15
        assert web.get(f"/api/artists/{artists[0]['id']}")["albums"]
        if fault["mode"] != "delay":
            before = asked(navidrome)
            assert web.get(f"/api/artists/{artists[1]['id']}/similar")["others"] == []
            assert asked(navidrome) == before
