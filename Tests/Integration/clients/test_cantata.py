"""Cantata on a virtual screen, steered by D-Bus."""
import contextlib
import os
import re
import sqlite3

import pytest
from harness.clients import mpc
from harness.music import make_two_genres
from harness.processes import Daemon
from harness.programs import need
from harness.segue import ROOT
from harness.waiting import wait_for

from .desktop import MediaPlayer, Screen, SessionBus
from .driving import MEETING, PATIENCE

SCREENSHOTS = ROOT / ".build/client-screenshots"


class Cantata(Daemon):
    """Cantata with a home of its own."""

    def __init__(self, folder, server, bus, screen):
        super().__init__(folder / "cantata.log")
        self.bus, self.folder = bus, folder
        self.player = MediaPlayer(bus, "cantata")
        self.database = folder / f".local/share/cantata/library/{server.host}_{server.port}.sql"
        (folder / ".config/cantata").mkdir(parents=True)
        (folder / "runtime").mkdir(mode=0o700)
        (folder / ".config/cantata/cantata.conf").write_text(
            "[General]\nversion=2.5.0\npage=LibraryPage\nshowPlaylist=true\nstopOnExit=false\n"
            f"[Connection]\nallowLocalStreaming=false\nautoUpdate=false\nhost={server.host}\nport={server.port}\n")
        self.launch(["cantata"], {
            "PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "DISPLAY": screen.display,
            "QT_QPA_PLATFORM": "xcb", "XDG_RUNTIME_DIR": str(folder / "runtime"), "NO_PROXY": "*",
            "DBUS_SESSION_BUS_ADDRESS": bus.address})

    def trigger(self, action):
        """Does what a menu entry does."""
        self.bus.gdbus("mpd.cantata", "/cantata", "mpd.cantata.triggerAction", action)

    def library(self, query):
        """Rows of Cantata's copy of the library."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            return database.execute(query).fetchall()

    def songs(self):
        """How many songs Cantata has taken; OSError while its database is being made."""
        try:
            return self.library("SELECT count(*) FROM songs")[0][0]
        except sqlite3.OperationalError as error:
            raise OSError(error) from None


@pytest.fixture(scope="module")
def desktop(tmp_path_factory):
    """A bus and a screen."""
    need("cantata", "Xvfb", "dbus-daemon", "gdbus")
    folder = tmp_path_factory.mktemp("desktop")
    with contextlib.ExitStack() as started:
        bus = SessionBus(folder)
        started.callback(bus.kill)
        screen = Screen(folder)
        started.callback(screen.kill)
        yield bus.start(), screen.start()


@pytest.fixture(scope="module")
def cantata(server, desktop, tmp_path_factory, collection_size):
    """Cantata, connected, with the library in its database."""
    running = Cantata(tmp_path_factory.mktemp("cantata"), server, *desktop)
    try:
        wait_for(running.database.exists, PATIENCE, "Cantata's database")
        wait_for(lambda: running.songs() == collection_size, PATIENCE, "Cantata's library")
        wait_for(lambda: running.player.property("PlaybackStatus"), PATIENCE, "Cantata on the bus")
        yield running
        running.fail_unless_running()
    finally:
        running.kill()


@pytest.mark.smoke
def test_cantata_takes_the_whole_library(server, cantata):
    client = server.client()
    ours = {song["file"] for song in client.listallinfo() if "file" in song}
    client.disconnect()
    assert {file for file, in cantata.library("SELECT file FROM songs")} == ours
    artists = {name for name, in cantata.library("SELECT DISTINCT artistId FROM songs")}
    assert {"Ada Quartet", "Nora Hale", "Various Voices", "Émile Borel", "Ángel Ruiz"} <= artists
    assert cantata.library(f"SELECT album, disc, track, time, year, genre2 FROM songs WHERE file = "
                           f"'{MEETING}/1-02 Table.flac'") == [("Meeting Point", 1, 2, 31, 2012, "Live")]


def test_cantata_plays_and_shows_it(client, long_songs, cantata, desktop):
    for song in long_songs:
        client.add(song["file"])

    def plays():
        # Cantata has nothing to play until it has noticed the songs.
        cantata.player.call("Play")
        return client.status()["state"] == "play"
    wait_for(plays, PATIENCE, "the music", every=0.5)
    wait_for(lambda: "'Road'" in cantata.player.property("Metadata"), PATIENCE, "the title")
    cantata.player.call("Next")
    wait_for(lambda: client.status()["song"] == "1", PATIENCE, "the next song")
    wait_for(lambda: "'River'" in cantata.player.property("Metadata"), PATIENCE, "the next title")
    before = float(client.status()["elapsed"])
    cantata.trigger("seekfwd60")
    wait_for(lambda: float(client.status()["elapsed"]) > before + 50, PATIENCE, "the place")
    cantata.player.call("Pause")
    wait_for(lambda: client.status()["state"] == "pause", PATIENCE, "the pause")
    assert desktop[1].save(SCREENSHOTS / "cantata.png") > 50


def test_cantata_edits_the_queue(client, cantata):
    cantata.trigger("addrandomalbumtoplayqueue")
    wait_for(client.playlistinfo, PATIENCE, "an album in the queue")
    assert len({song.get("album") for song in client.playlistinfo()}) == 1
    for action, option in (("randomplaylist", "random"), ("repeatplaylist", "repeat"), ("consumeplaylist", "consume")):
        for wanted in "10":
            def is_switched(action=action, option=option, wanted=wanted):
                # A status on its way to Cantata may turn the entry back that was just chosen: then it is chosen anew.
                if client.status()[option] != wanted:
                    cantata.trigger(action)
                return client.status()[option] == wanted
            wait_for(is_switched, PATIENCE, f"{option} {wanted}", every=2)
    cantata.trigger("decreasevolume")
    wait_for(lambda: int(client.status()["volume"]) < 100, PATIENCE, "a lower volume")
    cantata.trigger("stopplayback")
    cantata.trigger("playpausetrack")
    wait_for(lambda: client.status()["state"] == "play", PATIENCE, "the album")


def test_cantata_fetches_the_covers_of_folders(client, collection, cantata):
    client.add("Ada Quartet")
    client.add(MEETING)
    covers = cantata.folder / ".cache/cantata/covers"
    for name, file in (("Ada Quartet/First Light.png", "Ada Quartet/First Light/cover.png"),
                       ("Various Voices/Meeting Point.png", f"{MEETING}/cover.png")):
        wait_for((covers / name).exists, PATIENCE, name)
        wait_for(lambda name=name, file=file: (covers / name).read_bytes() == (collection / file).read_bytes(),
                 PATIENCE, f"{name} as it is in the folder")


def test_cantata_hears_what_others_do(client, long_songs, cantata):
    client.add(long_songs[1]["file"])
    client.play(0)
    wait_for(lambda: "'River'" in cantata.player.property("Metadata"), PATIENCE, "the title")
    client.setvol(35)
    wait_for(lambda: round(float(re.search(r"[\d.]+", cantata.player.property("Volume"))[0]), 2) == 0.35, PATIENCE,
             "the volume")
    client.stop()
    wait_for(lambda: "Stopped" in cantata.player.property("PlaybackStatus"), PATIENCE, "the stop")


@contextlib.contextmanager
def cantata_of(server, songs, screen, folder):
    """Another Cantata, with the server's library, until the end of the block."""
    bus = SessionBus(folder).start()
    (folder / "home").mkdir()
    running = None
    try:
        running = Cantata(folder / "home", server, bus, screen)
        wait_for(running.database.exists, PATIENCE, "Cantata's database")
        wait_for(lambda: running.songs() == songs, PATIENCE, "Cantata's library")
        yield running
    finally:
        if running is not None:
            running.kill()
        bus.kill()


def test_cantata_takes_a_navidrome_library(navidrome_server, desktop, tmp_path):
    with cantata_of(navidrome_server, navidrome_server.upstream.songs, desktop[1], tmp_path) as running:
        client = navidrome_server.client()
        albums = {entry["album"] for entry in client.list("album")}
        client.disconnect()
        # Its column for the name stays empty where the name serves as the album's identity.
        assert {album for album, in running.library("SELECT DISTINCT coalesce(album, albumId) FROM songs")} == albums


def go_on(cantata):
    """Goes on to the next song, once Cantata knows that there is one; before, it takes this for nothing."""
    wait_for(lambda: "true" in cantata.player.property("CanGoNext"), PATIENCE, "Cantata to know of the next song")
    cantata.player.call("Next")


def test_cantata_plays_what_the_auto_dj_adds(start_segue, desktop, tmp_path):
    music = tmp_path / "music"
    music.mkdir()
    make_two_genres(music, 40, "Tune", seconds=60)
    server = start_segue(songs=40, local={"music_directory": music}, dj={"switch": True, "artist_gap": 1})
    with cantata_of(server, 40, desktop[1], tmp_path) as running:
        client = server.client()
        mpc(server, "enable", "Auto DJ")
        wait_for(lambda: len(client.playlistinfo()) == 3, PATIENCE, "three picks")

        def plays():
            running.player.call("Play")
            return client.status()["state"] == "play"
        wait_for(plays, PATIENCE, "the music", every=0.5)
        wait_for(lambda: len(client.playlistinfo()) >= 4, PATIENCE, "songs behind that which plays")
        title = client.playlistinfo()[1]["title"]
        go_on(running)
        wait_for(lambda: title in running.player.property("Metadata"), PATIENCE, "the first pick's title")
        # It ends, and others follow.
        client.seekcur(58)
        wait_for(lambda: int(client.status().get("song", 0)) >= 2, PATIENCE, "the music to go on")
        running.fail_unless_running()


def test_songs_left_in_cantata_change_what_waits(start_segue, desktop, tmp_path):
    music = tmp_path / "music"
    music.mkdir()
    make_two_genres(music, 40, "Tune", seconds=60)
    server = start_segue(songs=40, local={"music_directory": music}, dj={"switch": True, "artist_gap": 1})
    with cantata_of(server, 40, desktop[1], tmp_path) as running:
        client, listener = server.client(), server.client()
        listener.subscribe("dj")
        mpc(server, "enable", "Auto DJ")
        wait_for(lambda: len(client.playlistinfo()) == 3, PATIENCE, "three picks")

        def plays():
            running.player.call("Play")
            return client.status()["state"] == "play"
        wait_for(plays, PATIENCE, "the music", every=0.5)
        wait_for(lambda: len(client.playlistinfo()) == 4, PATIENCE, "three songs behind that which plays")
        waiting = client.playlistinfo()[3]["id"]
        for _ in range(2):
            before = client.status()["songid"]
            go_on(running)
            wait_for(lambda before=before: client.status()["songid"] != before, PATIENCE, "the next song")
        wait_for(lambda: waiting not in [song["id"] for song in client.playlistinfo()], PATIENCE, "other picks")
        assert any("two skips" in message["message"] for message in listener.readmessages())
        wait_for(lambda: len(client.sticker_find("song", "", "skipCount")) == 2, PATIENCE, "both skips as stickers")
        running.fail_unless_running()
