"""Attacks by a Lidarr that lies on the whole program: answers that are no answer, too large, or that lead elsewhere.
HostileLidarrTests shows many more in process, and those that are too slow."""
import gzip
import json
import os

import pytest
from harness.lidarr import KEY, release_group
from harness.processes import free_port
from harness.raw_server import WebServer, page, without_end
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE
from harness.web import Web

JSON = "application/json"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
API = "/api/v1/"
LETTER = "e" + "\u0301" * 200_000
ALBUM = {"foreignAlbumId": release_group(7), "title": LETTER, "disambiguation": LETTER, "albumType": LETTER, "id": 5,
         "releaseDate": "9" * 5000, "monitored": True, "artist": {"artistName": LETTER, "id": 2**62},
         "remoteCover": "http://127.0.0.1:1/x",
         "statistics": {"trackFileCount": -2**62, "trackCount": 2**62, "sizeOnDisk": 2**62}}


@pytest.fixture(scope="module")
def lidarr():
    """What Segue takes for a Lidarr."""
    made = WebServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(library, lidarr, registry, tmp_path_factory):
    """Segue with a page, a folder and that Lidarr."""
    running = Segue(
        tmp_path_factory.mktemp("lidarr") / "segue", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        lidarr={"url": lidarr.url, "api_key": KEY})
    yield running
    running.kill()


@pytest.fixture
def web(server, target, lidarr):
    """A listener's page; the watch sees what others feel meanwhile."""
    lidarr.answers.clear()
    lidarr.asked.clear()
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


def search(web):
    """What a search brings."""
    return web.request("GET", "/api/requests/search?q=blue", timeout=60 * PATIENCE)


ATTACKS = {
    "another protocol": b"\x16\x03\x01\x00\x02\x02\x28" * 100,
    "40 MB": page(b"[" + b" " * (40 << 20) + b"]", JSON),
    "100 MB packed": page(gzip.compress(b" " * (100 << 20)), JSON, "Content-Encoding: gzip"),
    "a body without an end": without_end(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b" " * 4096 + b"\r\n"),
    "headers without an end": without_end(b"HTTP/1.1 200 OK\r\n", b"X-Header: " + b"a" * 1000 + b"\r\n"),
    "a cut answer": HEAD + b"Content-Length: 60000\r\n\r\n[",
    "deep lists": page("[" * 60_000, JSON),
    "numbers that are none": page('[{"album": {"id": 1e999, "title": "x"}}]', JSON),
    "an error of a megabyte": page(json.dumps({"message": LETTER}), JSON, status="500 No"),
    "an error that clears the screen": page(json.dumps({"message": "\x1b[2J\x9b31m\nOK"}), JSON, status="500 No"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_whatever_lidarr_answers_is_a_short_refusal(web, lidarr, name):
    lidarr.answers["*"] = ATTACKS[name]
    answer = search(web)
    assert answer.status >= 400, (answer.status, answer.body[:200])
    assert len(answer.body) < 2000
    assert answer.error["message"].isprintable()


def test_a_redirection_is_not_followed_and_gets_no_key(web, lidarr):
    elsewhere = WebServer({"*": page("[]", JSON)})
    lidarr.answers["*"] = page("", JSON, f"Location: {elsewhere.url}/api/v1/search", status="307 Elsewhere")
    answer = search(web)
    assert answer.status >= 400 and "redirects" in answer.error["message"]
    assert not elsewhere.asked and "/elsewhere" not in lidarr.asked
    elsewhere.close()


def test_a_connection_that_lidarr_closes_as_it_is_used_again_costs_no_answer(web, lidarr):
    def answer(connection, _):
        connection.sendall(HEAD + b"Content-Length: 2\r\n\r\n[]")
        # The next call on this connection is read, and gets none.
        lidarr.asked.append(connection.recv(65536))
    lidarr.answers["*"] = answer
    for _ in range(4):
        assert search(web).status == 200
    assert any(b"GET" in call for call in lidarr.asked if isinstance(call, bytes)), "no connection was used again"


def test_albums_are_few_and_their_texts_and_numbers_short(web, lidarr):
    lidarr.answers[API + "search"] = page(json.dumps([{"album": ALBUM}], ensure_ascii=False), JSON)
    item = search(web).json["items"][0]
    assert all(len(item[field].encode()) <= 500 for field in ("title", "artist", "kind"))
    assert not item.get("songs") or item["songs"]["total"] <= 100_000
    many = [{"album": {"foreignAlbumId": release_group(number), "title": "x"}} for number in range(50_000)]
    lidarr.answers[API + "search"] = page(json.dumps(many), JSON)
    assert 1 <= len(search(web).json["items"]) <= 60


def test_requests_of_long_names_keep_the_file_small(web, lidarr, server):
    known = page(json.dumps([ALBUM], ensure_ascii=False), JSON)
    lidarr.answers.update({API + "album": known, API + "album/lookup": known, "*": page("{}", JSON)})
    answer = web.request("POST", "/api/requests", {"album": release_group(7)}, timeout=60 * PATIENCE)
    assert answer.status in (200, 201, 404, 502, 503), answer.body[:300]
    for name in os.listdir(server.folder / "state"):
        if "request" in name or "lidarr" in name:
            assert (server.folder / "state" / name).stat().st_size < 20_000
    wait_for(lambda: web.request("GET", "/api/requests").status == 200, 10 * PATIENCE, "the list of requests")
