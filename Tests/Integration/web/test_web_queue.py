"""Edits of the queue and marks over HTTP that happen as a whole, and what takes them back."""
import urllib.parse

import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.web import Web

pytestmark = pytest.mark.smoke


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a folder of music, and its page."""
    running = Segue(
        tmp_path_factory.mktemp("queue") / "segue", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        output=[{"type": "null", "name": "Nothing"}, {"type": "null", "name": "Another"}]).start(songs=len(library[1]))
    yield running
    running.stop()


@pytest.fixture
def web(server):
    """A script; the queue is empty."""
    web = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
    web.request("DELETE", "/api/queue", {"all": True})
    return web


def test_a_replaced_queue_is_never_empty_and_stays_where_the_songs_cannot_be_had(server, web):
    """What is missing leaves the queue as it was; else the songs take the place of those before."""
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    before = [song["file"] for song in client.playlistinfo()]
    version = int(client.status()["playlist"])
    for wrong in [{"album": "0123456789abcdef"}, {"uris": ["no/such.flac"]}, {"playlist": "None of this name"}]:
        assert web.request("POST", "/api/queue", {**wrong, "replace": True, "play": True}).status == 404
    assert int(client.status()["playlist"]) == version
    answer = web.post("/api/queue", {"uris": [before[2], before[0]], "replace": True})
    assert (answer["added"], [song["file"] for song in client.playlistinfo()]) == (2, [before[2], before[0]])


def test_several_songs_are_added_in_their_order_as_one_edit_or_not_at_all(server, web):
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    before = [song["file"] for song in client.playlistinfo()]
    version = int(client.status()["playlist"])
    wrong = {"uris": [before[3], "no/such.flac", before[5]], "position": 1}
    assert web.request("POST", "/api/queue", wrong).status == 404
    assert int(client.status()["playlist"]) == version
    added = [before[3], before[1], before[5]]
    answer = web.post("/api/queue", {"uris": added, "position": 1})
    assert answer["added"] == 3
    assert [song["file"] for song in client.playlistinfo()] == [before[0], *added, *before[1:]]
    assert answer["queueIds"] == [song["id"] for song in client.playlistinfo()[1:4]]
    assert int(client.status()["playlist"]) == version + 1


def test_several_entries_are_removed_as_one_edit_or_not_at_all(server, web):
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    before = [song["id"] for song in client.playlistinfo()]
    version = int(client.status()["playlist"])
    missing = web.request("DELETE", "/api/queue", {"ids": [before[0], "4000000000", before[2]]})
    assert (missing.status, int(client.status()["playlist"])) == (404, version)
    removed = web.request("DELETE", "/api/queue", {"ids": [before[4], before[0], before[2]]})
    assert removed.status == 200
    assert [song["id"] for song in client.playlistinfo()] == [before[1], before[3], *before[5:]]
    assert int(client.status()["playlist"]) == version + 1


def test_edits_of_the_queue_are_taken_back_with_ids_priorities_and_place(server, web):
    """`undo` of an answer brings back what is missing, and all of it where nothing is left."""
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    client.prio(7, 1)
    client.seek(2, 1)
    client.pause(1)
    before = client.playlistinfo()
    ids = [song["id"] for song in before]
    undo = web.request("DELETE", "/api/queue", {"ids": [ids[0], ids[1], ids[4]]}).json["undo"]
    assert [song["id"] for song in client.playlistinfo()] == [ids[2], ids[3], *ids[5:]]
    web.post("/api/queue/undo", {"undo": undo})
    now = client.playlistinfo()
    assert [(song["file"], song.get("prio")) for song in now] == [(song["file"], song.get("prio")) for song in before]
    assert (client.status()["songid"], client.status()["state"]) == (ids[2], "pause"), "what plays has stayed"
    assert web.request("POST", "/api/queue/undo", {"undo": undo}).status == 404, "once"
    undo = web.request("DELETE", "/api/queue", {"all": True}).json["undo"]
    client.add(before[0]["file"])
    web.post("/api/queue/undo", {"undo": undo})
    assert [song["file"] for song in client.playlistinfo()] == [song["file"] for song in before]
    status = client.status()
    assert (status["state"], status["song"], client.playlistinfo()[1]["prio"]) == ("pause", "2", "7")
    assert 0.9 <= float(status["elapsed"]) <= 1.5


def test_edits_that_go_on_with_each_other_are_taken_back_as_one(server, web):
    """More edits than the server keeps come back by one `undo`, as long as nobody else edits in between."""
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    before = [song["file"] for song in client.playlistinfo()]
    ids = [song["id"] for song in client.playlistinfo()]
    undo = None
    for id in ids[1:7]:
        answer = web.request("DELETE", "/api/queue", {"ids": [id], "undo": undo}).json["undo"]
        assert undo in (None, answer), "each goes on with the first"
        undo = answer
    assert [song["id"] for song in client.playlistinfo()] == [ids[0], *ids[7:]]
    web.post("/api/queue/undo", {"undo": undo})
    assert [song["file"] for song in client.playlistinfo()] == before
    assert web.request("POST", "/api/queue/undo", {"undo": undo}).status == 404, "once"
    first = web.post("/api/queue", {"uris": before[:1], "replace": True})["undo"]
    assert web.post("/api/queue", {"uris": before[1:3], "undo": first})["undo"] == first
    client.add(before[4])
    other = web.post("/api/queue", {"uris": before[3:4], "undo": first})["undo"]
    assert other != first, "what another client did in between is no part of it"
    web.post("/api/queue/undo", {"undo": other})
    assert [song["file"] for song in client.playlistinfo()] == [*before[:3], before[4]]
    web.post("/api/queue/undo", {"undo": first})
    assert [song["file"] for song in client.playlistinfo()] == before


def test_an_edit_of_an_older_queue_is_refused(server, web):
    """All that edit the queue obey the version that they name."""
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    songs = [song["file"] for song in client.playlistinfo()]
    ids = [song["id"] for song in client.playlistinfo()]
    now = int(client.status()["playlist"])
    edits = [("POST", {"uris": songs[:1]}), ("POST", {"uris": songs[:2], "position": "next"}),
             ("POST", {"uris": songs[:1], "replace": True}), ("POST", {"folder": "", "position": 0}),
             ("PATCH", {"ids": ids[:1], "to": 2}), ("DELETE", {"ids": ids[:1]}), ("DELETE", {"all": True})]
    for method, body in edits:
        refused = web.request(method, "/api/queue", {**body, "version": now - 1})
        assert (refused.status, refused.json["error"]["version"]) == (409, now), (method, body)
        assert web.request(method, "/api/queue", {**body, "version": "new"}).status == 400, (method, body)
    assert [song["id"] for song in client.playlistinfo()] == ids
    for method, body in edits:
        version = int(client.status()["playlist"])
        first = client.playlistinfo(0)[0]["id"]
        body = {**body, "version": version, **({"ids": [first]} if "ids" in body else {})}
        assert web.request(method, "/api/queue", body).status == 200, (method, body)


def test_changes_of_the_queue_come_in_a_window_where_one_is_named(server, web):
    web.post("/api/queue", {"folder": ""})
    length = len(server.client().playlistinfo())
    everything = web.get("/api/queue?since=0")["changes"]
    assert [each["position"] for each in everything] == list(range(length))
    assert web.get("/api/queue?since=0&start=1&count=2")["changes"] == everything[1:3]
    assert web.get(f"/api/queue?since=0&start={length}")["changes"] == []
    for wrong in ("since=1&count=-5", "since=1&start=-1", "since=-1", "since=1&count=x", "since=1&count=100000"):
        assert web.request("GET", f"/api/queue?{wrong}").status == 400, wrong


def test_entries_move_each_to_a_place_of_its_own(server, web):
    """The places of an answer take a move back; wrong ones move nothing."""
    web.post("/api/queue", {"folder": ""})
    client = server.client()
    before = [song["id"] for song in client.playlistinfo()]
    chosen = [before[4], before[1], before[3]]
    answer = web.request("PATCH", "/api/queue", {"ids": chosen, "to": 0})
    assert answer.json["places"] == [4, 1, 3]
    assert [song["id"] for song in client.playlistinfo()][:3] == chosen
    for wrong in [[4, 1], [4, 1, 1], [4, 1, len(before)], [4, 1, -1], [4, 1, "3"], [4, 1, 2**62]]:
        assert web.request("PATCH", "/api/queue", {"ids": chosen, "places": wrong}).status == 400
    assert web.request("PATCH", "/api/queue", {"ids": [chosen[0]] * 2, "to": 0}).status == 400
    web.request("PATCH", "/api/queue", {"ids": chosen, "places": answer.json["places"]})
    assert [song["id"] for song in client.playlistinfo()] == before


def test_many_songs_get_a_star_at_once(server, web):
    """One request stars a selection, and another takes the stars away, also of songs that have none."""
    songs = [song["id"] for song in web.get("/api/songs?count=4")["items"]]
    assert web.request("PUT", "/api/songs/star", {"songs": songs[:3], "starred": True}).status == 204
    assert [web.get(f"/api/songs/{song}")["starred"] for song in songs] == [True, True, True, False]
    assert web.request("PUT", "/api/songs/star", {"songs": songs, "starred": False}).status == 204
    assert not any(web.get(f"/api/songs/{song}")["starred"] for song in songs)
    for wrong in [[], ["x"], songs * 300]:
        assert web.request("PUT", "/api/songs/star", {"songs": wrong, "starred": True}).status == 400


def test_what_was_added_leaves_again_while_the_rest_plays_on(server, web):
    """`undo` of an addition removes it, also where it plays by now, and then the song before goes on."""
    client = server.client()
    songs = [song["uri"] for song in web.get("/api/songs?count=6")["items"]]
    assert web.post("/api/queue", {"uris": songs[:4]})["added"] == 4
    client.play(1)
    client.seek(1, 1)
    client.pause(1)
    before = [song["id"] for song in client.playlistinfo()]
    undo = web.post("/api/queue", {"uris": songs[4:], "position": "next"})["undo"]
    another = client.addid(songs[0])
    web.post("/api/queue/undo", {"undo": undo})
    assert [song["id"] for song in client.playlistinfo()] == [*before, another], "what others added stays"
    client.deleteid(another)
    assert (client.status()["state"], client.status()["songid"]) == ("pause", before[1])
    undo = web.post("/api/queue", {"uris": songs[4:], "position": "next", "play": True})["undo"]
    assert client.status()["song"] == "2"
    web.post("/api/queue/undo", {"undo": undo})
    assert [song["id"] for song in client.playlistinfo()] == before
    status = client.status()
    assert (status["state"], status["songid"]) == ("pause", before[1])
    assert 0.9 <= float(status["elapsed"]) <= 1.5
    web.request("DELETE", "/api/queue", {"all": True})
    undo = web.post("/api/queue", {"uris": songs, "play": True})["undo"]
    web.post("/api/queue/undo", {"undo": undo})
    assert client.playlistinfo() == []


def test_outputs_of_all_partitions_are_listed_switched_and_moved(server, web):
    """Each where it plays, from whichever partition a page looks."""
    web.post("/api/partitions", {"name": "Kitchen"})

    def seen(partition="default"):
        items = web.get(f"/api/outputs?partition={partition}")["items"]
        assert items == web.get(f"/api/status?partition={partition}")["outputs"]
        return {one["name"]: one for one in items}
    another = seen()["Another"]
    assert another["partition"] == "default" and another["id"].isdecimal()
    elsewhere = seen("Kitchen")["Another"]
    assert elsewhere["partition"] == "default" and elsewhere["id"] != another["id"]
    # From the other partition, to it, and back by the number that it had here.
    path = f"/api/outputs/{urllib.parse.quote(elsewhere['id'])}?partition=Kitchen"
    assert web.request("PATCH", path, {"enabled": False, "partition": "Kitchen"}).status == 204
    for partition in ("default", "Kitchen"):
        moved = seen(partition)["Another"]
        assert (moved["partition"], moved["enabled"]) == ("Kitchen", False)
    assert [one["outputname"] for one in server.client().outputs() if one["plugin"] == "dummy"] == ["Another"]
    path = f"/api/outputs/{urllib.parse.quote(seen()['Another']['id'])}"
    assert web.request("PATCH", path, {"enabled": True}).status == 204
    assert seen()["Another"]["enabled"] is True
    assert web.request("PATCH", f"/api/outputs/{another['id']}", {"partition": "default"}).status == 204
    assert seen()["Another"]["partition"] == "default"
    for wrong in ("99", "0:Attic", "x:Kitchen", ":", "9:"):
        assert web.request("PATCH", f"/api/outputs/{urllib.parse.quote(wrong)}", {"enabled": True}).status == 404
    assert web.request("DELETE", "/api/partitions/Kitchen").status == 204
