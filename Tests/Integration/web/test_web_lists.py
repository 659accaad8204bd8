"""Lists of the HTTP interface: what narrows them down, what fits best, and what browsers keep of them."""
import urllib.parse

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.web import Web


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a folder of music."""
    running = Segue(tmp_path_factory.mktemp("lists") / "segue", registry, local={"music_directory": library[0]},
                    web={"listen": [f"127.0.0.1:{free_port()}"]}).start(len(library[1]))
    yield running
    running.stop()


@pytest.fixture
def web(server):
    """Its HTTP interface."""
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


def test_a_list_is_sent_again_after_a_restart(library, registry, tmp_path):
    """Stars are counted anew by each process, and lists of before must not pass for those of now."""
    server = Segue(tmp_path / "again", registry, local={"music_directory": library[0]},
                   web={"listen": [f"127.0.0.1:{free_port()}"]})
    server.start(len(library[1]))
    try:
        web = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
        old = web.request("GET", "/api/songs?count=1")
        song, tag = old.json["items"][0], old.headers["etag"]
        assert web.request("PUT", f"/api/songs/{song['id']}/star", {"starred": True}).status == 204
        server.stop()
        server.start(len(library[1]))
        answer = web.request("GET", "/api/songs?count=1", headers={"If-None-Match": tag})
        assert answer.status == 200 and answer.json["items"][0]["starred"]
    finally:
        server.stop()


def test_genres_folders_and_playlists_are_narrowed_down_by_words(server, web):
    """All words have to be in a name, in any case; letters stand where they do in what is left."""
    genres = web.get("/api/genres?count=1000")["items"]
    word = genres[0]["name"][:3].upper()
    found = web.get(f"/api/genres?q={urllib.parse.quote(word)}")
    assert found["items"] == [one for one in genres if word.casefold() in one["name"].casefold()]
    assert found["total"] == len(found["items"]) and found["letters"][0]["offset"] == 0
    assert web.get("/api/genres?q=xyzzy")["total"] == 0
    folders = web.get("/api/folders")["items"]
    name = (folders[0].get("name") or folders[0]["uri"]).casefold()
    assert folders[0] in web.get(f"/api/folders?q={urllib.parse.quote(name)}")["items"]
    assert web.get("/api/folders?q=xyzzy")["total"] == 0
    web.post("/api/queue", {"folder": ""})
    web.post("/api/mpd", [["save", "Sunday Evening"]])
    assert [one["name"] for one in web.get("/api/playlists?q=even%20sun")["items"]] == ["Sunday Evening"]
    assert web.get("/api/playlists?q=xyzzy")["total"] == 0
    web.post("/api/mpd", [["rm", "Sunday Evening"]])


def test_a_mix_is_read_by_its_name_or_title(tmp_path, start_segue):
    fake = FakeNavidrome(tmp_path, songs=300).start()
    try:
        server = start_segue(songs=300, navidrome={"url": fake.url, "username": USER, "password": PASSWORD},
                             discovery={"playlists": ["new"]}, web={"listen": [f"127.0.0.1:{free_port()}"]})
        web = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
        wait_for(lambda: web.get("/api/mixes")["items"], 30, "a mix")
        mix = web.get("/api/mixes")["items"][0]
        assert mix["name"] == f"[{mix['title']}]" and mix["songs"] >= 20
        whole = web.get(f"/api/mixes/{urllib.parse.quote(mix['title'])}?count=1000")
        assert whole["name"] == mix["name"] and whole["total"] == mix["songs"] == len(whole["items"])
        part = web.get(f"/api/mixes/{urllib.parse.quote(mix['name'])}?start=5&count=3")
        assert part["items"] == whole["items"][5:8]
        missing = web.request("GET", "/api/mixes/xyzzy")
        assert missing.status == 404 and "no such mix" in missing.json["error"]["message"]
    finally:
        fake.stop()


def test_what_fits_a_search_best_comes_first(library, web):
    """The title itself, then titles that begin with the words, then those in which words do."""
    def place(title, words):
        title, words = title.casefold(), words.casefold()
        return 0 if title == words else 1 if title.startswith(words) else 2 if f" {words}" in title else 3
    for song in web.get("/api/songs?count=1000")["items"]:
        for words in (song["title"], song["title"][:2]):
            if len(words.split()) != 1 or not words.isalpha():
                continue
            found = web.get(f"/api/search?count=100&q={urllib.parse.quote(words)}")
            for group, key in (("songs", "title"), ("albums", "title"), ("artists", "name")):
                places = [place(one[key], words) for one in found[group]["items"]]
                assert places == sorted(places), (group, words, found[group]["items"])
    listed = web.get(f"/api/songs?sort=relevance&q={urllib.parse.quote(song['title'])}")["items"]
    assert listed[0]["title"] == song["title"]
    assert web.get("/api/songs?sort=relevance") == web.get("/api/songs?sort=title") | {"letters": []}


def test_playlists_are_made_filled_renamed_and_deleted(server, web):
    """A program needs none of MPD's commands for its playlists."""
    client = server.client()
    web.post("/api/queue", {"folder": ""})
    uris = [song["file"] for song in client.playlistinfo()]
    ids = [song["id"] for song in web.get("/api/songs")["items"]]
    assert web.request("POST", "/api/playlists", {"name": "All & more", "queue": True}).status == 201
    assert client.listplaylist("All & more") == uris
    assert web.request("POST", "/api/playlists", {"name": "Some", "songs": ids[:2]}).status == 201
    assert web.request("POST", "/api/playlists/Some/songs", {"uris": uris[-1:]}).status == 204
    assert len(client.listplaylist("Some")) == 3 and client.listplaylist("Some")[-1] == uris[-1]
    assert web.request("POST", "/api/playlists", {"name": "Some", "songs": ids[:1]}).status == 409
    assert web.request("PUT", "/api/playlists/Some", {"name": "All & more"}).status == 409
    assert web.request("PUT", "/api/playlists/Some", {"name": "Other"}).status == 200
    for method, path, body in [("POST", "/api/playlists/Some/songs", {"uris": uris[:1]}),
                               ("PUT", "/api/playlists/Some", {"name": "X"}), ("DELETE", "/api/playlists/Some", None)]:
        assert web.request(method, path, body).status == 404, (method, path)
    for body in [{}, {"name": ""}, {"name": "X"}, {"name": "X", "songs": []}, {"name": "X", "songs": ["one"]},
                 {"name": "a/b", "songs": ids[:1]}, {"name": "X", "uris": [7]}]:
        assert web.request("POST", "/api/playlists", body).status == 400, body
    for name in ["Other", "All%20%26%20more"]:
        assert web.request("DELETE", f"/api/playlists/{name}").status == 204
    assert not client.listplaylists()
