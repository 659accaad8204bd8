"""The HTTP interface as scripts and the page use it, on the running program."""
import random
import socket
import urllib.parse

import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.web import Web, events

pytestmark = pytest.mark.smoke

ALL = ["read", "add", "player", "control", "admin"]


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a folder of music, and its page."""
    folder, tracks = tmp_path_factory.mktemp("web"), library[1]
    running = Segue(
        folder / "segue", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        output=[{"type": "null", "name": "Nothing"}, {"type": "null", "name": "Another"}],
        station=[{"name": "Radio \"Nova\"", "url": "http://127.0.0.1:9/stream"}]).start(songs=len(tracks))
    yield running
    running.stop()


@pytest.fixture
def web(server):
    """A script; the queue is empty."""
    port = int(server.sections["web"]["listen"][0].split(":")[1])
    web = Web(port)
    web.request("DELETE", "/api/queue", {"all": True})
    web.post("/api/player/options", {"repeat": False, "random": False, "single": "off", "consume": "off"})
    return web


def test_status_has_what_mpds_clients_see(server, web):
    """Both doors show the same player."""
    web.post("/api/queue", {"folder": "", "play": True})
    client = server.client()
    status, own = web.get("/api/status"), client.status()
    assert status["queue"]["length"] == int(own["playlistlength"])
    assert status["queue"]["version"] == int(own["playlist"])
    assert status["player"]["state"] == own["state"] == "play"
    assert status["song"]["uri"] == client.currentsong()["file"]
    assert status["song"]["queueId"] == own["songid"]
    assert status["next"]["queueId"] == own["nextsongid"]
    assert status["permissions"] == ALL and status["passwords"] is False
    assert status["library"]["songs"] == int(client.stats()["songs"])


def test_player_is_controlled(server, web):
    """Each of the player's addresses does what its name says."""
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    web.post("/api/player/play", {"position": 1})
    assert client.status()["song"] == "1"
    web.post("/api/player/next")
    assert client.status()["song"] == "2"
    web.post("/api/player/previous")
    web.post("/api/player/pause")
    assert client.status()["state"] == "pause" and client.status()["song"] == "1"
    web.post("/api/player/toggle")
    assert client.status()["state"] == "play"
    web.post("/api/player/volume", {"to": 40})
    web.post("/api/player/volume", {"by": -10})
    assert client.status()["volume"] == "30"
    web.post("/api/player/options", {"repeat": True, "consume": "oneshot", "crossfade": 3, "replayGain": "album"})
    status = client.status()
    assert (status["repeat"], status["consume"], status["xfade"]) == ("1", "oneshot", "3")
    assert "album" in str(client.replay_gain_status())
    web.post("/api/player/seek", {"to": 0.5})
    web.post("/api/player/options", {"crossfade": 0, "repeat": False, "consume": "off", "replayGain": "off"})
    web.post("/api/player/stop")
    assert client.status()["state"] == "stop"
    web.post("/api/player/volume", {"to": 100})


def test_lists_come_in_windows_and_orders(library, web):
    """Windows put together are the whole list; an order turned round is the other one."""
    tracks = library[1]
    whole = web.get("/api/songs?count=1000")
    assert whole["total"] == len(tracks) == len(whole["items"])
    parts = [web.get(f"/api/songs?start={start}&count=3")["items"] for start in range(0, len(tracks), 3)]
    assert [song["id"] for part in parts for song in part] == [song["id"] for song in whole["items"]]
    for sort in ("title", "artist", "year", "added", "duration", "rating"):
        forth = [song["id"] for song in web.get(f"/api/songs?count=1000&sort={sort}")["items"]]
        back = [song["id"] for song in web.get(f"/api/songs?count=1000&sort=-{sort}")["items"]]
        assert back == forth[::-1], sort
    titles = [song["title"].casefold() for song in whole["items"]]
    assert titles == sorted(titles)
    assert web.get("/api/songs?sort=random&seed=5") == web.get("/api/songs?sort=random&seed=5")
    orders = [[song["id"] for song in web.get("/api/songs?sort=random")["items"]] for _ in range(6)]
    assert any(order != orders[0] for order in orders), "without a seed each order is another one"
    for letter in whole["letters"]:
        assert letter["letter"] == "#" or whole["items"][letter["offset"]]["title"].upper().startswith(letter["letter"])
    assert web.request("GET", "/api/songs?count=1001").error["field"] == "count"
    assert web.request("GET", "/api/songs?sort=bogus").status == 400


def test_albums_and_artists_lead_to_their_songs(library, web):
    """Every song is on the album that it names, and every album with the artist that it names."""
    albums = web.get("/api/albums?count=1000")
    assert 0 < albums["total"] == len(albums["items"])
    seen = 0
    for album in albums["items"]:
        whole = web.get(f"/api/albums/{album['id']}")
        assert len(whole["items"]) == album["songs"] == whole["songs"]
        assert {song["albumId"] for song in whole["items"]} == {album["id"]}
        assert album["id"] in [one["id"] for one in web.get(f"/api/artists/{album['artistId']}")["albums"]]
        found = web.get(f"/api/songs?q={urllib.parse.quote(album['title'])}&count=1000")
        assert {song["id"] for song in whole["items"]} <= {song["id"] for song in found["items"]}
        seen += album["songs"]
    assert seen == len(library[1])
    assert web.request("GET", "/api/albums/0000000000000000").status == 404
    assert web.request("GET", "/api/albums/..%2f..%2fetc").status == 404


def test_a_list_that_is_known_is_not_sent_again(web):
    """The tag moves with stars, and not by itself."""
    answer = web.request("GET", "/api/albums")
    again = web.request("GET", "/api/albums", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status == 304 and again.body == b""
    song = web.get("/api/songs?count=1")["items"][0]["id"]
    assert web.request("PUT", f"/api/songs/{song}/star", {"starred": True}).status == 204
    wait_for(lambda: web.request("GET", "/api/albums", headers={"If-None-Match": answer.headers["etag"]}).status == 200,
             10, "another tag")
    assert web.request("PUT", f"/api/songs/{song}/star", {"starred": False}).status == 204


def test_search_finds_in_groups(web):
    """Names that are there are found, in any case; without words there is an error."""
    song = web.get("/api/songs?count=1")["items"][0]
    found = web.get(f"/api/search?q={urllib.parse.quote(song['title'].upper())}")
    assert song["id"] in [one["id"] for one in found["songs"]["items"]]
    assert found["stations"]["total"] == 0
    assert web.get("/api/search?q=nova")["stations"]["items"][0]["name"] == 'Radio "Nova"'
    assert web.request("GET", "/api/search?q=").status == 400


def test_folders_and_playlists(server, web):
    """Folders show what MPD's clients see; a playlist that was saved can be opened."""
    client = server.client()
    entries = web.get("/api/folders")
    assert [e["path"] for e in entries["items"] if e["kind"] == "folder"] == [
        e["directory"] for e in client.lsinfo("/") if "directory" in e]
    web.post("/api/queue", {"folder": ""})
    name = "Evening & more? 100%"
    web.post("/api/mpd", [["save", name]])
    shown = web.get("/api/playlists/" + urllib.parse.quote(name, safe=""))
    assert [song["uri"] for song in shown["items"]] == client.listplaylist(name)
    listed = {one["name"]: one for one in web.get("/api/playlists")["items"]}[name]
    assert (listed["songs"], listed["duration"]) == (len(shown["items"]), shown["duration"])
    assert shown["duration"] == pytest.approx(sum(song["duration"] for song in shown["items"]), abs=0.01)
    assert listed["conflictOf"] is None
    assert web.post("/api/queue", {"playlist": name, "replace": True})["added"] == len(shown["items"])
    web.post("/api/mpd", [["rm", name]])
    assert web.request("GET", "/api/folders?path=no/such").status == 404


def test_queue_is_edited_and_conflicts_are_told(server, web):
    """Adding, moving and removing; an edit of a queue that has changed is refused with the new version."""
    songs = [song["id"] for song in web.get("/api/songs?count=5")["items"]]
    added = web.post("/api/queue", {"songs": songs})
    assert added["added"] == 5
    items = web.get("/api/queue")["items"]
    assert [item["id"] for item in items] == songs
    ids = [item["queueId"] for item in items]
    moved = web.request("PATCH", "/api/queue", {"ids": [ids[0], ids[2]], "to": 3, "version": added["version"]})
    assert moved.status == 200
    now = [item["queueId"] for item in web.get("/api/queue")["items"]]
    assert now == [ids[1], ids[3], ids[4], ids[0], ids[2]]
    stale = web.request("DELETE", "/api/queue", {"ids": [ids[1]], "version": added["version"]})
    assert stale.status == 409 and stale.error["version"] == moved.json["version"]
    changed = web.get(f"/api/queue?since={added['version']}")
    assert {c["position"] for c in changed["changes"]} <= set(range(5)) and changed["changes"]
    gone = web.request("DELETE", "/api/queue", {"ids": [ids[1], ids[4]], "version": moved.json["version"]})
    assert gone.json["length"] == 3
    web.post("/api/player/play", {"queueId": ids[0]})
    web.post("/api/queue", {"songs": songs[:2], "position": "next"})
    positions = [item["id"] for item in web.get("/api/queue")["items"]]
    current = int(server.client().status()["song"])
    assert positions[current + 1:current + 3] == songs[:2]
    assert web.request("POST", "/api/queue", {"uris": ["no/such"]}).status == 404
    assert web.request("POST", "/api/queue", {}).error["field"] == "uris"


def test_moves_of_many_entries_bring_them_where_they_should_be(web):
    """Whatever stands before and behind the place, the entries stand there in their order afterwards."""
    songs = [song["id"] for song in web.get("/api/songs?count=8")["items"]]
    web.post("/api/queue", {"songs": songs})
    rng = random.Random(4)
    for _ in range(25):
        before = [item["queueId"] for item in web.get("/api/queue")["items"]]
        chosen = sorted(rng.sample(before, rng.randint(1, 4)), key=before.index)
        to = rng.randint(0, len(before) - len(chosen))
        if any(before.index(id) < to for id in chosen) and any(before.index(id) > to for id in chosen):
            continue
        assert web.request("PATCH", "/api/queue", {"ids": chosen, "to": to}).status == 200
        after = [item["queueId"] for item in web.get("/api/queue")["items"]]
        assert after[to:to + len(chosen)] == chosen, (before, chosen, to, after)


def test_stars_and_ratings_are_stickers(server, web):
    """What the page marks MPD's clients see as stickers."""
    song = web.get("/api/songs?count=1")["items"][0]
    client = server.client()
    assert web.request("PUT", f"/api/songs/{song['id']}/rating", {"rating": 7}).status == 204
    assert client.sticker_get("song", song["uri"], "rating") == "7"
    assert web.get(f"/api/songs/{song['id']}")["rating"] == 7
    assert web.request("PUT", f"/api/songs/{song['id']}/rating", {"rating": None}).status == 204
    assert web.get(f"/api/songs/{song['id']}")["rating"] is None
    album = song["albumId"]
    assert web.request("PUT", f"/api/albums/{album}/star", {"starred": True}).status == 204
    assert album in [one["id"] for one in web.get("/api/albums?starred=1")["items"]]
    assert web.request("PUT", f"/api/albums/{album}/star", {"starred": False}).status == 204
    assert web.request("PUT", f"/api/songs/{song['id']}/rating", {"rating": 11}).error["field"] == "rating"


def test_any_command_can_be_sent(web):
    """Answers are pairs in their order; the first error names its command."""
    web.post("/api/queue", {"folder": ""})
    answers = web.post("/api/mpd", [["setvol", 55], ["status"], ["playlistinfo", "0:1"]])["answers"]
    assert answers[0] == [] and ["volume", "55"] in answers[1] and answers[2][0][0] == "file"
    refused = web.request("POST", "/api/mpd", [["status"], ["nonsense"]])
    assert refused.status == 400 and refused.error["field"] == "1"
    for word in ("idle", "close", "password"):
        assert web.request("POST", "/api/mpd", [[word]]).status == 400
    web.post("/api/player/volume", {"to": 100})


def test_pages_and_scripts_hear_of_changes(server, web):
    """A change by MPD's client reaches the WebSocket and the events; commands over the socket are answered."""
    web.post("/api/queue", {"folder": ""})
    following = events(web.port)
    assert next(following)["type"] == "status"
    with web.socket() as page:
        assert page.status == 101
        assert page.message()["type"] == "status"
        server.client().setvol(21)
        assert page.wait_for("mixer")["volume"] == 21
        assert next(message for message in following if message["type"] == "mixer")["data"]["volume"] == 21
        assert page.call(["play", "2"])["answers"] == [[]]
        assert page.wait_for("player", lambda data: data["player"]["state"] == "play")["song"]["position"] == 2
        assert page.call(["nonsense"])["error"]["code"] == 5
        page.send("no json")
        page.send({"type": "ping"})
        while page.message().get("type") != "pong":
            pass
        server.client().random(1)
        assert page.wait_for("options")["random"] is True
        server.client().newpartition("garden")
        assert page.wait_for("partitions") == ["default", "garden"]
        assert web.get("/api/status?partition=garden")["queue"]["length"] == 0
        server.client().delpartition("garden")
    web.post("/api/player/stop")
    web.post("/api/player/volume", {"to": 100})
    assert web.request("GET", "/api/status?partition=garden").status == 404


def test_two_pages_and_mpd_agree_after_random_edits(server, web):
    """After hundreds of edits by three clients all see the same queue."""
    songs = [song["id"] for song in web.get("/api/songs?count=10")["items"]]
    web.post("/api/queue", {"songs": songs})
    client, rng = server.client(), random.Random(1)
    for step in range(200):
        state = web.get("/api/queue")
        ids = [item["queueId"] for item in state["items"]]
        match rng.randrange(4):
            case 0:
                web.post("/api/queue", {"songs": [rng.choice(songs)], "position": rng.randint(0, len(ids))})
            case 1 if len(ids) > 3:
                client.deleteid(rng.choice(ids))
            case 2 if ids:
                web.request("PATCH", "/api/queue", {"ids": [rng.choice(ids)], "to": rng.randrange(len(ids))})
            case _ if len(ids) > 1:
                client.moveid(rng.choice(ids), rng.randrange(len(ids)))
        if step % 40 == 0:
            own = [entry["id"] for entry in client.playlistinfo()]
            assert [item["queueId"] for item in web.get("/api/queue")["items"]] == own


def test_page_and_its_header(web):
    """The page is served with what keeps other websites out, whole once and then not again."""
    page = web.request("GET", "/")
    assert page.status == 200 and page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", "frame-ancestors 'none'"):
        assert part in policy
    assert page.headers["x-content-type-options"] == "nosniff"
    assert web.request("GET", "/", headers={"If-None-Match": page.headers["etag"]}).status == 304
    assert web.request("HEAD", "/").body == b""
    assert web.request("GET", "/no-such-file").status == 404
    squeezed = web.request("GET", "/api/songs?count=1000", headers={"Accept-Encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"


def test_secrets_are_in_no_answer(web):
    """The password in a stream's address is shown nowhere."""
    assert web.post("/api/queue", {"station": web.get("/api/stations")["items"][0]["id"]})["added"] == 1
    web.post("/api/mpd", [["add", "http://user:secret@127.0.0.1:9/stream"]])
    for path in ("/api/queue", "/api/settings", "/api/status", "/api/search?q=stream"):
        assert b"secret" not in web.request("GET", path).body.replace(b'"secret":true', b""), path


def test_health(web):
    """Health asks for no permission."""
    assert web.request("GET", "/healthz").body == b"ok\n"
    assert web.get("/readyz") == {"ready": True}


def test_page_from_a_folder(library, registry, tmp_path):
    """While the page is being worked on it comes from a folder, and nothing outside of that."""
    folder = tmp_path / "page"
    folder.mkdir()
    (folder / "index.html").write_text("<p>first")
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]},
                   web={"listen": [f"127.0.0.1:{free_port()}"], "directory": folder}).start()
    web = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
    assert web.request("GET", "/").body == b"<p>first"
    (folder / "index.html").write_text("<p>second")
    assert web.request("GET", "/index.html").body == b"<p>second"
    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/link.txt", "//etc/passwd", "/%2fetc%2fpasswd"):
        assert b"secret" not in web.request("GET", path).body.replace(b'"message"', b"")
        assert web.request("GET", path).status in (400, 404)
    server.stop()


def test_port_that_is_taken_leaves_the_music_alone(library, registry, tmp_path):
    """One line says why there is no page; MPD's clients are served."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]},
                       web={"listen": [f"127.0.0.1:{port}"]}).start()
        assert server.client().status()["state"] == "stop"
        # Clients are let in first, and the log is written beside the loop.
        wait_for(lambda: "no page on" in server.log, what="the line")
        server.stop()
        assert server.log.count("no page on") == 1


def test_speed_and_sleep_are_set(server, web):
    """As the commands of these names do; the status tells both."""
    web.post("/api/player/options", {"speed": 1.25})
    web.post("/api/player/sleep", {"minutes": 30})
    options = web.get("/api/status")["options"]
    assert options["speed"] == 1.25 and 1790 < options["sleepsIn"] <= 1800
    assert server.client().status()["speed"] == "1.25"
    web.post("/api/player/options", {"speed": 1})
    web.post("/api/player/sleep", {"minutes": None})
    assert web.get("/api/status")["options"]["sleepsIn"] is None
    for wrong in ({}, {"minutes": -1}, {"minutes": 1e9}, {"minutes": "30"}):
        assert web.request("POST", "/api/player/sleep", wrong).status == 400
    assert web.request("POST", "/api/player/options", {"speed": 9}).status == 400


def test_music_is_taken_along_to_another_partition(server, web):
    """The queue with its options, at the very place; what played here pauses."""
    web.post("/api/partitions", {"name": "Kitchen"})
    another = next(one["id"] for one in web.get("/api/outputs")["items"] if one["name"] == "Another")
    assert web.request("PATCH", f"/api/outputs/{another}", {"partition": "Kitchen"}).status == 204
    web.post("/api/queue", {"folder": "", "play": True})
    web.post("/api/player/options", {"repeat": True, "consume": "oneshot"})
    web.post("/api/player/play", {"position": 2})
    wait_for(lambda: web.get("/api/status")["player"]["duration"], 30, "the song")
    web.post("/api/player/seek", {"to": 1.5})
    server.client().prio(9, "3:5")
    server.client().prio(200, "6:7")
    assert web.post("/api/player/transfer", {"to": "Kitchen"}) == {"outputs": 1}
    client = server.client()
    client.partition("Kitchen")
    assert [song.get("prio", "0") for song in client.playlistinfo()][:7] == ["0", "0", "0", "9", "9", "0", "200"]
    here, there = web.get("/api/status"), web.get("/api/status?partition=Kitchen")
    assert here["player"]["state"] == "pause" and there["player"]["state"] == "play"
    assert [song["uri"] for song in web.get("/api/queue?partition=Kitchen")["items"]] == [
        song["uri"] for song in web.get("/api/queue")["items"]]
    assert (there["queue"]["position"], there["options"]["repeat"], there["options"]["consume"]) == (2, True, "oneshot")
    assert 1 <= there["player"]["elapsed"] <= 8
    for wrong, status in (({"to": "default"}, 400), ({"to": "Attic"}, 404), ({}, 400)):
        assert web.request("POST", "/api/player/transfer", wrong).status == status
    web.post("/api/player/stop?partition=Kitchen")
    server.client().moveoutput("Another")
    assert web.post("/api/player/transfer", {"to": "Kitchen"}) == {"outputs": 0}, "nothing is heard there"
    web.post("/api/player/stop?partition=Kitchen")
    client.partition("default")
    assert web.request("DELETE", "/api/partitions/Kitchen").status == 204
