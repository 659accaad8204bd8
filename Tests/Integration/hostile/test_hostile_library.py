"""Attacks over HTTP on a large library: long answers in JSON, and edits of many songs that are taken back."""
import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import free_port
from harness.segue import Segue
from harness.watch import PATIENCE
from harness.web import Web

SONGS = 15_000
"""As many as have an answer to `listallinfo` that is just below the limit."""
ADDED = 4_900


@pytest.fixture(scope="module")
def server(registry, tmp_path_factory):
    """Segue in front of a fake Navidrome with many songs, with a page."""
    folder = tmp_path_factory.mktemp("library")
    fake = FakeNavidrome(folder, songs=SONGS, seconds=2).start()
    running = Segue(
        folder / "segue", registry, web={"listen": [f"127.0.0.1:{free_port()}"]},
        navidrome={"url": fake.url, "username": USER, "password": PASSWORD})
    yield running
    running.kill()
    fake.kill()


@pytest.fixture(scope="module")
def songs_before():
    """All of them."""
    return SONGS


@pytest.fixture
def web(server, target):
    """A script; what it asks for takes memory, but no other client's time."""
    target.memory_limit = 400
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


def test_long_answers_in_json_hold_nobody_up(web):
    for _ in range(3):
        answer = web.request("POST", "/api/mpd", [["listallinfo"]], timeout=60 * PATIENCE)
        assert answer.status in (200, 413, 503), answer.status
        pairs = answer.json["answers"][0] if answer.status == 200 else []
        assert not pairs or sum(key == "file" for key, _ in pairs) == SONGS
    window = [["find", "(title contains 'a')", "window", "0:5000"], ["status"]]
    answer = web.request("POST", "/api/mpd", window, timeout=60 * PATIENCE)
    assert answer.status == 200 and ["volume", "100"] in answer.json["answers"][1]


def test_taking_back_thousands_of_songs_holds_nobody_up(web, target):
    with target.raw() as client:
        uris = [line[6:].decode() for line in client.ask(b"listall") if line.startswith(b"file: ")]
        client.ask(b"clear")
        client.ask(b"random 1")
        for _ in range(4):
            assert client.ask(b"add /") == [b"OK"]
        answer = web.request("POST", "/api/queue", {"uris": uris[:ADDED], "position": "next"}, timeout=60 * PATIENCE)
        if answer.status != 200:
            answer = web.request("POST", "/api/queue", {"uris": uris[:ADDED]}, timeout=60 * PATIENCE)
        undo = answer.json["undo"]
        assert web.request("POST", "/api/queue/undo", {"undo": undo}, timeout=120 * PATIENCE).status in (200, 204)
        assert b"playlistlength: %d" % (4 * SONGS) in client.ask(b"status")
        assert client.ask(b"clear") == client.ask(b"random 0") == [b"OK"]
