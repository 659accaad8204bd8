"""Albums that people request of Lidarr, on the running program."""
import urllib.parse

import pytest
from harness.lidarr import KEY, FakeLidarr, release_group
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.web import Web

ALL = ["read", "add", "player", "control", "admin"]


@pytest.fixture
def lidarr():
    """A Lidarr."""
    fake = FakeLidarr()
    yield fake
    fake.close()


@pytest.fixture
def segue(library, registry, tmp_path):
    """Starts the program with a Lidarr."""
    running = []

    def start(fake, keys=None, **more):
        running.append(Segue(
            tmp_path / "segue", registry, local={"music_directory": library[0]},
            web={"listen": [f"127.0.0.1:{free_port()}"]},
            lidarr={"url": fake.url, "api_key": KEY, **(keys or {})}, **more).start())
        return running[0]
    yield start
    for server in running:
        server.stop()


def web_of(server):
    """Its HTTP interface."""
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


def refused(answer, status):
    """The sentence of a refusal."""
    assert answer.status == status, (answer.status, answer.body)
    return answer.error["message"]


def test_an_album_of_a_new_artist_is_searched_requested_and_followed(segue, lidarr):
    """Search, request, download, arrival: with what Lidarr needs for an artist that it doesn't know."""
    blue = lidarr.add_to_catalogue("Blue Hours", "The Night Shift", 2003)
    server = segue(lidarr)
    web = web_of(server)
    assert web.get("/api/status")["server"]["requests"] is True
    found = web.get("/api/requests/search?q=blue%20hours")["items"]
    assert [(item["id"], item["title"], item["artist"], item["year"], item["state"]) for item in found] == [
        (blue, "Blue Hours", "The Night Shift", 2003, "new")]
    socket = web.socket()
    socket.message()
    made = web.post("/api/requests", {"album": blue})
    assert made["state"] == "asked"
    assert socket.wait_for("requests") == {}
    socket.close()
    sent = lidarr.bodies("POST", "album")[0]
    assert sent["monitored"] is True
    artist = sent["artist"]
    assert (artist["rootFolderPath"], artist["qualityProfileId"], artist["metadataProfileId"]) == ("/music0/", 2, 3)
    assert artist["monitored"] is True and artist["monitorNewItems"] == "none"
    assert artist["addOptions"] == {"albumsToMonitor": [blue], "searchForMissingAlbums": True}
    assert not lidarr.bodies("POST", "artist"), "the artist's first scan would bring the album before it is added"

    def state():
        return web.get("/api/requests")["items"][0]
    lidarr.queue = [{"id": 1, "albumId": lidarr.albums[blue]["id"], "title": "Blue Hours", "size": 4000.0, "sizeleft": 1000.0,
                     "status": "downloading", "trackedDownloadState": "downloading", "trackedDownloadStatus": "ok",
                     "statusMessages": []}]
    wait_for(lambda: (state()["state"], state()["percent"]) == ("loading", 75), 30, "the download")
    lidarr.queue[0].update(trackedDownloadState="importBlocked", trackedDownloadStatus="warning",
                           statusMessages=[{"title": "x", "messages": ["Has missing tracks"]}])
    wait_for(lambda: state()["state"] == "failed", 30, "the problem")
    assert state()["sentence"] == "Has missing tracks"
    lidarr.queue = []
    lidarr.has(blue, 10)
    wait_for(lambda: state()["state"] == "here", 30, "the album's arrival")
    assert (state()["have"], state()["songs"]) == (10, 10)
    server.stop()
    server.start()
    assert state()["state"] == "here", "requests are kept over a restart"


def test_an_album_with_a_note_leads_to_the_library_once_it_is_here(segue, lidarr, library):
    """The note that tells it from others of its name stands beside its title, by which the library knows it."""
    server = segue(lidarr)
    web = web_of(server)
    wait_for(lambda: web.get("/api/albums")["total"] > 0, 30, "the library")
    known = web.get("/api/albums")["items"][0]
    wanted = lidarr.add_to_catalogue(known["title"], known["artist"])
    lidarr.catalogue[-1]["disambiguation"] = "deluxe edition"
    (found,) = web.get(f"/api/requests/search?q={urllib.parse.quote(known['title'])}")["items"]
    assert (found["title"], found["note"]) == (known["title"], "deluxe edition")
    web.post("/api/requests", {"album": wanted})
    lidarr.has(wanted, 10)
    wait_for(lambda: web.get("/api/requests")["items"][0]["state"] == "here", 30, "the album's arrival")
    assert web.get("/api/requests")["items"][0]["albumId"] == known["id"]


def test_an_album_that_lidarr_knows_is_monitored_and_searched(segue, lidarr):
    """One of a known artist that is added, and one that is there without its songs."""
    new = lidarr.add_to_catalogue("Second", "Known Band", known_artist=True)
    old = lidarr.add_to_catalogue("First", "Known Band", known={"monitored": False})
    web = web_of(segue(lidarr))
    web.post("/api/requests", {"album": new})
    assert lidarr.bodies("POST", "album")[0]["addOptions"] == {"searchForNewAlbum": True}
    states = {item["id"]: item["state"] for item in web.get("/api/requests/search?q=known")["items"]}
    assert states == {new: "asked", old: "missing"}
    web.post("/api/requests", {"album": old})
    number = lidarr.albums[old]["id"]
    assert lidarr.bodies("PUT", "album/monitor") == [{"albumIds": [number], "monitored": True}]
    assert lidarr.bodies("POST", "command") == [{"name": "AlbumSearch", "albumIds": [number]}]
    web.post("/api/requests", {"album": old})
    assert len(lidarr.bodies("POST", "command")) == 1, "asked once, however often somebody taps"


def test_the_albums_that_are_missing_of_an_artist(segue, lidarr):
    """Of an artist whom Lidarr has: all that are not here as a whole; of another one what the catalogue finds."""
    here = lidarr.add_to_catalogue("Complete", "Known Band", 1990, known={"monitored": True})
    lidarr.has(here, 10)
    part = lidarr.add_to_catalogue("Half", "Known Band", 1995, known={"monitored": False})
    lidarr.has(part, 4)
    loose = lidarr.add_to_catalogue("Later", "Known Band", 2005, known={"monitored": False})
    lidarr.add_to_catalogue("A Tribute to Known Band", "Other Band", 2010)
    new = lidarr.add_to_catalogue("First", "New Singer", 2001)
    lidarr.add_to_catalogue("Songs of New Singer", "Somebody", 2002)
    web = web_of(segue(lidarr))
    items = web.get("/api/requests/missing?artist=known%20band")["items"]
    assert [(item["id"], item["artist"], item["state"]) for item in items] == [
        (loose, "Known Band", "missing"), (part, "Known Band", "missing")]
    assert (items[1]["have"], items[1]["songs"]) == (4, 10) and items[0]["picture"]
    assert [item["id"] for item in web.get("/api/requests/missing?artist=New%20Singer")["items"]] == [new]
    assert "no artist" in refused(web.request("GET", "/api/requests/missing?artist=Band"), 404)
    assert web.get("/api/requests/search?q=known")["artists"] == ["Known Band"]
    for wrong in ("", "%20", "x" * 300):
        assert web.request("GET", f"/api/requests/missing?artist={wrong}").status == 400
    for call, fault, status, words in (
            ("artist", (503, {"message": "x"}), 503, "catalogue does not answer"),
            ("artist", (200, {"not": "a list"}), 503, "is not Lidarr"),
            ("album", (500, {"message": "Boom"}), 503, "Boom"), ("search", (200, []), 404, "no artist")):
        lidarr.faults["GET", call] = fault
        assert words in refused(web.request("GET", "/api/requests/missing?artist=known%20band"), status)
        lidarr.faults.clear()


def test_an_album_that_comes_with_its_artist_meanwhile_is_monitored(segue, lidarr):
    """Lidarr refuses an album that its artist's scan has brought just before."""
    lidarr.races = True
    album = lidarr.add_to_catalogue("Race", "Fast Band")
    web_of(segue(lidarr)).post("/api/requests", {"album": album})
    assert lidarr.albums[album]["monitored"] is True
    assert len(lidarr.bodies("POST", "command")) == 1


def test_the_configuration_chooses_folder_and_profiles(segue, lidarr):
    """A second root folder and profiles by their names; and sentences where Lidarr has none of them."""
    lidarr.folders = FakeLidarr(folders=2).folders
    one, two = lidarr.add_to_catalogue("One", "A"), lidarr.add_to_catalogue("Two", "B")
    web = web_of(segue(lidarr, {"root_folder": "/music1", "quality_profile": "Lossless"}))
    web.post("/api/requests", {"album": one})
    artist = lidarr.bodies("POST", "album")[0]["artist"]
    assert (artist["rootFolderPath"], artist["qualityProfileId"], artist["metadataProfileId"]) == ("/music1/", 7, 3)
    lidarr.folders = lidarr.folders[:1]
    assert "root_folder" in refused(web.request("POST", "/api/requests", {"album": two}), 503)


@pytest.mark.parametrize("call, fault, status, words", [
    ("GET search", (503, {"message": "SkyHook is down", "description": "…"}), 503, "catalogue does not answer"),
    ("GET search", (500, {"message": "Boom"}), 503, "Boom"),
    ("GET search", (302, b""), 503, "redirects"),
    ("GET search", (200, b"<html>"), 503, "is not Lidarr"),
    ("GET search", (200, {"not": "a list"}), 503, "is not Lidarr"),
    ("GET search", (200, b"[" * 100_000), 503, "is not Lidarr"),
    ("GET search", (200, b"[" + b" " * (9 << 20) + b"]"), 409, "more specific"),
    ("GET album/lookup", (200, b"[]"), 404, "no such album"),
    ("POST album", (400, [{"propertyName": "Artist.Path", "errorMessage": "Path is in use.", "errorCode": "X"}]), 409,
     "Path is in use."),
])
def test_every_failure_of_lidarr_is_a_sentence(segue, lidarr, call, fault, status, words):
    """Whatever Lidarr answers, people read why nothing was requested, and the server goes on."""
    album = lidarr.add_to_catalogue("Album", "Artist")
    method, path = call.split()
    web = web_of(segue(lidarr))
    lidarr.faults[method, path] = fault
    answer = web.request("GET", "/api/requests/search?q=album") if path == "search" else web.request(
        "POST", "/api/requests", {"album": album})
    assert words in refused(answer, status)
    assert web.get("/api/requests")["items"] == []
    lidarr.faults.clear()
    assert web.post("/api/requests", {"album": album})["state"] == "asked"


def test_a_lidarr_that_is_away_or_refuses_the_key_is_told(segue, lidarr):
    """The key appears nowhere: not in answers, settings or the log."""
    server = segue(lidarr, {"api_key": "0123-wrong-key"})
    web = web_of(server)
    assert "refuses the key" in refused(web.request("GET", "/api/requests/search?q=album"), 503)
    assert "refuses the key" in server.run("check", "--config", server.configuration).stdout
    lidarr.close()
    assert "can't be reached" in refused(web.request("GET", "/api/requests/search?q=album"), 503)
    section = next(one for one in web.get("/api/settings")["sections"] if one["name"] == "lidarr")
    assert {"key": "api_key", "secret": True} in section["keys"]
    assert "0123-wrong-key" not in str(section) + server.log
    assert web.get("/api/status")["server"]["requests"] is True


def test_requests_need_control_and_are_bounded(segue, lidarr):
    """Who may only look sees the list; nobody can have Lidarr searched without end."""
    album = lidarr.add_to_catalogue("Album", "Artist")
    server = segue(lidarr, server={"default_permissions": ["read", "add"]},
                   **{"server.password": [{"password": "open-sesame", "permissions": ALL}]})
    web = web_of(server)
    assert web.get("/api/requests")["items"] == []
    assert "control" in refused(web.request("GET", "/api/requests/search?q=album"), 401)
    assert "control" in refused(web.request("POST", "/api/requests", {"album": album}), 401)
    assert web.sign_in("open-sesame").status == 200
    for wrong in ({}, {"album": 5}, {"album": ""}):
        assert web.request("POST", "/api/requests", wrong).status in (400, 404)
    for wrong in ("../system/shutdown", release_group(77), "x" * 5000):
        assert web.request("POST", "/api/requests", {"album": wrong}).status == 404
    for wrong in ("", "a", "x" * 300):
        assert web.request("GET", f"/api/requests/search?q={wrong}").status == 400
    statuses = [web.request("GET", "/api/requests/search?q=album").status for _ in range(35)]
    assert statuses[0] == 200 and statuses[-1] == 429
    assert not any(path.startswith("system/shutdown") for _, path, _ in lidarr.calls)


def test_without_lidarr_there_is_nothing_to_request(library, registry, tmp_path):
    """Off by default: the page does not show requests."""
    server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]},
                   web={"listen": [f"127.0.0.1:{free_port()}"]}).start()
    web = web_of(server)
    assert web.get("/api/status")["server"]["requests"] is False
    assert "[lidarr]" in refused(web.request("GET", "/api/requests"), 404)
    server.stop()
