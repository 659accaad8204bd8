"""A Lidarr that answers in the shapes of Lidarr's openapi.json (API version 1), as far as requests need it."""
import http.server
import json
import threading
import urllib.parse
import uuid

KEY = "5f1d2c3b4a59687766554433221100ff"

ARTIST_FIELDS = {
    "id", "artistMetadataId", "status", "ended", "artistName", "foreignArtistId", "mbId", "tadbId", "discogsId",
    "allMusicId", "overview", "artistType", "disambiguation", "links", "nextAlbum", "lastAlbum", "images", "members",
    "remotePoster", "path", "qualityProfileId", "metadataProfileId", "monitored", "monitorNewItems", "rootFolderPath",
    "folder", "genres", "cleanName", "sortName", "tags", "added", "addOptions", "ratings", "statistics"}
ALBUM_FIELDS = {
    "id", "title", "disambiguation", "overview", "artistId", "foreignAlbumId", "monitored", "anyReleaseOk", "profileId",
    "duration", "albumType", "secondaryTypes", "mediumCount", "ratings", "releaseDate", "releases", "genres", "media",
    "artist", "images", "links", "lastSearchTime", "statistics", "addOptions", "remoteCover"}


def release_group(number):
    """A MusicBrainz id."""
    return str(uuid.UUID(int=number))


class FakeLidarr:
    """A catalogue, and what was added of it. `calls` has every call with its body."""

    def __init__(self, folders=1):
        self.catalogue, self.artists, self.albums, self.queue, self.calls = [], {}, {}, [], []
        self.folders = [
            {"id": n + 1, "name": f"Music {n}", "path": f"/music{n}/", "defaultMetadataProfileId": 3,
             "defaultQualityProfileId": 2, "defaultMonitorOption": "all", "defaultNewItemMonitorOption": "all",
             "defaultTags": [], "accessible": True, "freeSpace": 1 << 40, "totalSpace": 1 << 41}
            for n in range(folders)]
        # What a call of this method and path answers instead: a status and a body.
        self.faults = {}
        # Makes the artist, whose scan brings the album, just before the album is added.
        self.races = False
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                server.answer(self)
            do_GET = do_POST = do_PUT = answer

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/lidarr"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Takes no more calls."""
        self.server.shutdown()
        self.server.server_close()

    def add_to_catalogue(self, title, artist, year=1999, known_artist=False, known=None):
        """An album that searches find; `known` are the fields of one that Lidarr has already."""
        number = len(self.catalogue) + 1
        artist_id = release_group(10_000 + sum(map(ord, artist)))
        who = {
            "artistMetadataId": 0, "status": "continuing", "ended": False, "artistName": artist, "tadbId": 0,
            "foreignArtistId": artist_id, "discogsId": 0, "overview": "…", "artistType": "Group", "disambiguation": "",
            "links": [], "images": [], "path": "", "qualityProfileId": 0, "metadataProfileId": 0, "monitored": False,
            "monitorNewItems": "all", "folder": artist, "genres": [], "cleanName": artist.lower(),
            "sortName": artist.lower(), "tags": [], "added": "0001-01-01T00:00:00Z", "ratings": {"votes": 0, "value": 0.0},
            "statistics": {"albumCount": 0, "trackFileCount": 0, "trackCount": 0, "totalTrackCount": 0, "sizeOnDisk": 0,
                           "percentOfTracks": 0.0}}
        album = {
            "title": title, "disambiguation": "", "overview": "", "artistId": 0, "monitored": False, "anyReleaseOk": True,
            "foreignAlbumId": release_group(number), "profileId": 0, "duration": 2400000, "albumType": "Album",
            "secondaryTypes": [], "mediumCount": 1, "ratings": {"votes": 0, "value": 0.0},
            "releaseDate": f"{year}-05-01T00:00:00Z", "releases": [], "genres": [], "media": [], "artist": who, "images": [],
            "links": [], "remoteCover": "https://images.example.org/cover.jpg"}
        if known_artist or known:
            who["id"] = album["artistId"] = self.artists.setdefault(artist_id, 50 + number)
        self.catalogue.append(album)
        if known:
            self.add(album, **known)
        return album["foreignAlbumId"]

    def add(self, album, **more):
        """An album among Lidarr's own."""
        added = {**album, "id": 100 + len(self.albums),
                 "statistics": {"trackFileCount": 0, "trackCount": 10, "totalTrackCount": 10, "sizeOnDisk": 0,
                                "percentOfTracks": 0.0}, **more}
        self.albums[album["foreignAlbumId"]] = added
        return added

    def has(self, album, files):
        """So many songs of an album, which has ten, have come."""
        self.albums[album]["statistics"]["trackFileCount"] = files

    def bodies(self, method, path):
        """What was sent by calls of this kind."""
        return [body for how, where, body in self.calls if (how, where) == (method, path)]

    def answer(self, request):
        """Answers a call."""
        target = urllib.parse.urlsplit(request.path)
        path, query = target.path.removeprefix("/lidarr/api/v1/"), urllib.parse.parse_qs(target.query)
        size = int(request.headers.get("content-length") or 0)
        body = json.loads(request.rfile.read(size)) if size else None
        self.calls.append((request.command, path, body))
        if request.headers.get("x-api-key") != KEY:
            status, value = 401, {"error": "Unauthorized"}
        elif (request.command, path) in self.faults:
            status, value = self.faults[request.command, path]
        else:
            status, value = self.result(request.command, path, query, body)
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        request.send_response(status)
        request.send_header("content-type", "application/json; charset=utf-8")
        request.send_header("content-length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def result(self, method, path, query, body):
        """A status and what is answered."""
        first = {key: values[0] for key, values in query.items()}
        if (method, path) == ("GET", "system/status"):
            return 200, {"appName": "Lidarr", "instanceName": "Lidarr", "version": "2.14.5.4836", "urlBase": "/lidarr"}
        if path == "search":
            found = [album for album in self.catalogue if first["term"].lower() in (album["title"] + album["artist"]["artistName"]).lower()]
            albums = [{"id": n + 1, "foreignId": album["foreignAlbumId"], "album": self.albums.get(album["foreignAlbumId"], album)}
                      for n, album in enumerate(found)]
            return 200, [{"id": 99, "foreignId": found[0]["artist"]["foreignArtistId"], "artist": found[0]["artist"]},
                         *albums] if found else []
        if path == "album/lookup":
            return 200, [album for album in self.catalogue if first["term"] == "lidarr:" + album["foreignAlbumId"]]
        if path == "rootfolder":
            return 200, self.folders
        if path in ("qualityprofile", "metadataprofile"):
            return 200, [{"id": 2, "name": "Standard"}, {"id": 7, "name": "Lossless"}]
        if path == "queue/details":
            return 200, [item for item in self.queue if str(item["albumId"]) in query["albumIds"]]
        if (method, path) == ("GET", "artist"):
            uuid.UUID(first["mbId"])
            return 200, [next(album["artist"] for album in self.catalogue if album["artist"]["foreignArtistId"] == one)
                         for one in self.artists if one == first["mbId"]]
        if (method, path) == ("GET", "album") and "artistId" in first:
            # Lists name neither the artist nor a remote cover, but images.
            return 200, [
                {**{key: value for key, value in album.items() if key not in ("artist", "remoteCover")}, "images": [
                    {"url": "/MediaCover/Albums/1/cover.jpg", "coverType": "cover", "extension": ".jpg",
                     "remoteUrl": album["remoteCover"]}]}
                for album in self.albums.values() if album["artistId"] == int(first["artistId"])]
        if (method, path) == ("GET", "album"):
            return 200, [album for album in self.albums.values() if album["foreignAlbumId"] == first["foreignAlbumId"]]
        if (method, path) == ("POST", "album"):
            return self.added(body)
        if (method, path) == ("PUT", "album/monitor"):
            for album in self.albums.values():
                if album["id"] in body["albumIds"]:
                    album["monitored"] = body["monitored"]
            return 202, list(self.albums.values())
        if (method, path) == ("POST", "command"):
            return 201, {"id": 1, "name": body["name"], "commandName": "Album Search", "status": "queued"}
        return 404, {"message": "NotFound"}

    def added(self, album):
        """Adds an album as Lidarr does, with its validators."""
        assert set(album) <= ALBUM_FIELDS, set(album) - ALBUM_FIELDS
        assert set(album["artist"]) <= ARTIST_FIELDS, set(album["artist"]) - ARTIST_FIELDS
        known = album["artist"]["foreignArtistId"] in self.artists
        if self.races:
            self.add({**album, "monitored": False})
        if album["foreignAlbumId"] in self.albums:
            return 400, [{"propertyName": "ForeignAlbumId", "errorMessage": "This album has already been added.",
                          "attemptedValue": album["foreignAlbumId"], "severity": "error",
                          "errorCode": "AlbumExistsValidator"}]
        if not known:
            for field, name in (("qualityProfileId", "QualityProfileId"), ("metadataProfileId", "MetadataProfileId"),
                                ("rootFolderPath", "RootFolderPath")):
                if not album["artist"].get(field):
                    return 400, [{"propertyName": f"Artist.{name}", "errorMessage": f"'{name}' must not be empty.",
                                  "severity": "error", "errorCode": "NotEmptyValidator"}]
        return 201, self.add(album)
