"""Pictures in two sizes, lyrics, and long songs that go on where they stopped."""
import re
import shutil
import struct

import mpd
import pytest
from harness.clients import RawClient
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import COVER, FLAC_ENCODER, generate
from harness.supysonic import Supysonic, navidrome_section
from harness.waiting import wait_for
from mutagen.flac import FLAC
from mutagen.id3 import ID3, USLT

LRC = "[00:00.50]First line\n[00:02.00]Zweite Zeile, größer\n"
WORDS = "Plain words line one\nPlain words line two\n"


def width(png):
    """The width of a PNG or JPEG picture, in pixels."""
    if png[:4] == b"\x89PNG":
        return struct.unpack(">I", png[16:20])[0]
    size = re.search(rb"\xff[\xc0\xc2]..\x08(..)(..)", png, re.DOTALL)
    return struct.unpack(">H", size[2])[0]


def readlyrics(server, path):
    """The type and the text that readlyrics sends, fetched chunk by chunk; None without words."""
    text, kind = b"", None
    with RawClient(server) as client:
        while True:
            client.send(f'readlyrics "{path}" {len(text)}\n'.encode())
            line = client.line()
            if line == b"OK":
                return None
            assert line.startswith(b"size: "), line
            size = int(line[6:])
            kind = client.line().decode().removeprefix("type: ")
            count = int(client.line()[8:])
            while len(client.received) < count + 1:
                client.received += client.socket.recv(65536)
            text, client.received = text + client.received[:count], client.received[count + 1:]
            assert client.line() == b"OK"
            if len(text) == size:
                return kind, text.decode()


@pytest.fixture(scope="module")
def sung(library, tmp_path_factory):
    """A folder with an album whose songs have words of every kind; returns it with the paths of its songs."""
    folder = tmp_path_factory.mktemp("sung")
    album = folder / "Ada Quartet" / "First Light"
    album.mkdir(parents=True)
    (source,) = {track.path.parent for track in library[1] if track.album == "First Light"}
    songs = [shutil.copy(path, album) for path in sorted(source.glob("*.flac"))]
    lrc, embedded, beside = map(str, songs)
    (album / "01 Sill.lrc").write_bytes(b"\xef\xbb\xbf" + LRC.replace("\n", "\r\n").encode())
    file = FLAC(embedded)
    file["lyrics"] = WORDS
    file.save()
    (album / "03 Window.txt").write_bytes("Größe".encode("latin-1"))
    mp3 = next(track.path for track in library[1] if track.path.suffix == ".mp3")
    tagged = shutil.copy(mp3, album / "04 Tagged.mp3")
    tags = ID3(tagged)
    tags.add(USLT(encoding=3, lang="deu", desc="", text=WORDS))
    tags.save()
    wide = shutil.copy(mp3, album / "06 Wide.mp3")
    tags = ID3(wide)
    tags.add(USLT(encoding=1, lang="deu", desc="größer", text=LRC))
    tags.save(v2_version=3)
    ogg = next(track.path for track in library[1] if track.path.suffix == ".ogg")
    shutil.copy(ogg, album / "05 Silent.ogg")
    return folder, [f"Ada Quartet/First Light/{name}" for name in (
        "01 Sill.flac", "02 Lamp.flac", "03 Window.flac", "04 Tagged.mp3", "05 Silent.ogg",
        "06 Wide.mp3")]


@pytest.mark.smoke
def test_local_words(sung, start_segue):
    folder, songs = sung
    server = start_segue(songs=6, local={"music_directory": folder})
    client = server.client()
    assert "readlyrics" in client.commands()
    answers = [readlyrics(server, song) for song in songs]
    assert answers[:4] == [("text/x-lrc", LRC), ("text/plain", WORDS), ("text/plain", "Größe\n"), ("text/plain", WORDS)]
    assert answers[4] is None
    assert answers[5] == ("text/x-lrc", LRC)
    comments = client.readcomments(songs[0])
    assert comments["lyrics"] == LRC.splitlines() and comments["title"] == "Sill"
    assert "lyrics" not in client.readcomments(songs[4])
    with RawClient(server) as raw:
        assert raw.ask(b"readlyrics nothing") == [b"ACK [50@0] {readlyrics} No such song"]


@pytest.mark.smoke
def test_the_servers_words_and_pictures(sung, start_segue, tmp_path):
    folder, songs = sung
    upstream = tmp_path / "supysonic"
    upstream.mkdir()
    supysonic = Supysonic(upstream, folder).start()
    try:
        server = start_segue(
            songs=6, navidrome=navidrome_section(supysonic), cache={"cover_size": 16}, server={"log_level": "debug"})
        client = server.client()
        # supysonic looks for words in tags and in text files, and knows no times.
        assert readlyrics(server, songs[1]) == ("text/plain", WORDS)
        assert client.readcomments(songs[1])["lyrics"] == WORDS.splitlines()
        assert readlyrics(server, songs[0]) is None
        small = client.albumart(songs[0])["binary"]
        assert width(small) == 16
        assert client.readpicture(songs[0])["binary"] == COVER and width(COVER) == 32
        assert client.albumart(songs[1])["binary"] == small
    finally:
        supysonic.kill()
    # What was asked for is here without the server, and the rest is none, without a client waiting for it.
    assert client.albumart(songs[2])["binary"] == small
    assert client.readpicture(songs[0])["binary"] == COVER
    assert readlyrics(server, songs[1]) == ("text/plain", WORDS)
    assert readlyrics(server, songs[3]) is None
    other = [song for song in songs if not client.readpicture(song)]
    assert songs[0] not in other
    server.stop()
    server.start(songs=6)
    client = server.client()
    assert client.albumart(songs[0])["binary"] == small
    assert client.readpicture(songs[0])["binary"] == COVER


@pytest.fixture
def upstream(tmp_path):
    """A fake Navidrome whose songs all sound for 200 seconds."""
    audio = tmp_path / "audio"
    audio.mkdir()
    generate(audio / "tone.flac", 200, FLAC_ENCODER)
    server = FakeNavidrome(tmp_path, songs=40, audio=audio).start()
    yield server
    server.kill()


def start(start_segue, upstream, **playback):
    return start_segue(
        songs=40, navidrome={"url": upstream.url, "username": USER, "password": PASSWORD, "sync_interval": 1},
        playback={"resume_long_songs": 1, **playback})


def bookmarks(upstream):
    """The server's bookmarks: seconds by path."""
    found = upstream.call("getBookmarks")["bookmarks"].get("bookmark", [])
    return {entry["entry"]["path"]: entry["position"] / 1000 for entry in found}


def calls(upstream):
    """The names of the calls that came, without the tests' own control."""
    return [row.split()[1] for row in upstream.control("requests")["rows"]]


def long_songs(client):
    """The paths of songs that are said to last about as long as they do."""
    return [song["file"] for song in client.listallinfo() if "file" in song and 150 <= float(song["duration"]) <= 200]


def elapsed(client):
    return float(client.status()["elapsed"])


def test_a_long_song_goes_on_where_it_stopped(upstream, start_segue):
    server = start(start_segue, upstream)
    client = server.client()
    first, second = long_songs(client)[:2]
    for song in (first, second):
        client.add(song)
    client.play(0)
    wait_for(lambda: elapsed(client) > 0, what="sound")
    client.seekcur(70)
    wait_for(lambda: bookmarks(upstream).get(first, 0) >= 70, what="a bookmark while it plays")
    client.seekcur(80)
    wait_for(lambda: elapsed(client) > 80, what="the seek")
    client.pause(1)
    wait_for(lambda: abs(bookmarks(upstream).get(first, 0) - elapsed(client)) < 0.05, what="a bookmark in pause")
    client.next()
    client.play(0)
    assert 80 <= elapsed(client) < 100, "it goes on"
    client.seekcur(0)
    wait_for(lambda: 0 < elapsed(client) < 60, what="the beginning, by a seek")
    client.stop()
    # Another client of the user: its place counts, here and now.
    song = next(entry for entry in upstream.call("getBookmarks")["bookmarks"]["bookmark"])["entry"]["id"]
    upstream.call("createBookmark", id=song, position=95_000)
    seen = calls(upstream).count("getBookmarks")
    wait_for(lambda: calls(upstream).count("getBookmarks") >= seen + 2, what="a look at the server's bookmarks")
    client.play(0)
    assert elapsed(client) >= 95
    # Heard to its end it begins anew.
    client.seekcur(float(client.status()["duration"]) - 1)
    wait_for(lambda: client.currentsong()["file"] == second, 60, "the next song")
    wait_for(lambda: first not in bookmarks(upstream), what="the end of the bookmark")
    client.play(0)
    assert elapsed(client) < 60


@pytest.mark.smoke
def test_places_survive_an_outage_and_a_kill(upstream, start_segue):
    server = start(start_segue, upstream)
    client = server.client()
    song = long_songs(client)[0]
    client.add(song)
    client.play(0)
    wait_for(lambda: elapsed(client) > 0, what="sound")
    client.seekcur(65)
    wait_for(lambda: bookmarks(upstream).get(song, 0) >= 65, what="a bookmark")
    upstream.control("fault", mode="down", match="ookmark")
    client.seekcur(90)
    wait_for(lambda: elapsed(client) > 90, what="the seek")
    client.stop()
    wait_for(lambda: "bookmarks wait until the server accepts them" in server.log, what="the failure")
    server.kill()
    upstream.control("fault", mode="none")
    server.start(songs=40)
    wait_for(lambda: bookmarks(upstream).get(song, 0) >= 90, what="the bookmark after the outage")
    client = server.client()
    client.play(0)
    assert elapsed(client) >= 90


def test_it_can_be_switched_off(upstream, start_segue):
    server = start(start_segue, upstream, resume_long_songs=0)
    client = server.client()
    client.add(long_songs(client)[0])
    client.play(0)
    wait_for(lambda: elapsed(client) > 0, what="sound")
    client.seekcur(80)
    wait_for(lambda: elapsed(client) > 80, what="the seek")
    client.stop()
    client.play(0)
    assert elapsed(client) < 60
    assert bookmarks(upstream) == {}


def test_the_queues_covers_are_fetched_ahead(upstream, start_segue):
    server = start(start_segue, upstream)
    client = server.client()
    songs = long_songs(client)[:3]

    def pictures():
        return sum(" getCoverArt " in row for row in upstream.control("requests")["rows"])
    assert pictures() == 0
    for song in songs:
        client.add(song)
    # One for the placeholder, and one for each album.
    wait_for(lambda: pictures() >= 2, what="requests for pictures")
    wait_for(lambda: len(list((server.folder / "cache" / "covers").glob("*.cover"))) >= 1, what="pictures on disk")
    known = {client.albumart(song)["binary"] for song in songs}
    assert known and all(width(picture) == 600 for picture in known)
    before = pictures()
    for song in songs:
        client.albumart(song)
    assert pictures() == before
    client.clear()
    with pytest.raises(mpd.CommandError, match="No file exists"):
        client.albumart("nowhere/at-all.flac")
