"""Killed at any moment, while it syncs, plays, sends and is edited, segue loses nothing and counts nothing twice."""
import collections
import contextlib
import os
import random
import sqlite3
import time

import mpd
import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.waiting import wait_for

KILLS = int(os.environ.get("SEGUE_KILLS", "15"))
SEED = int(os.environ.get("SEGUE_RANDOM_SEED", "1"))
SONGS = 40
PLAYLIST = "Kept"


@pytest.fixture
def navidrome(start_navidrome):
    """A fake Navidrome whose songs are a second long."""
    return start_navidrome(songs=SONGS, seconds=1)


class Edits:
    """A client that edits, and what it may expect to find afterwards: never less than was acknowledged, never older."""

    def __init__(self, chance, paths):
        self.chance = chance
        self.paths = paths
        # What was acknowledged, by song and name, and what may have been written too because the answer never came.
        self.values = {}
        self.unsure = None
        self.listed = []
        self.count = self.compared = 0

    def until(self, server, deadline):
        """Edits until the deadline, or until the connection breaks."""
        with contextlib.suppress(OSError, EOFError, mpd.ConnectionError):
            client = server.client(timeout=5)
            # What was saved last may be the moment before it played.
            if client.status()["state"] != "play":
                client.play()
            while time.monotonic() < deadline:
                self.one(client)
                time.sleep(self.chance.uniform(0, 0.05))

    def one(self, client):
        """One edit at random."""
        path = self.chance.choice(self.paths)
        kind = self.chance.randrange(12)
        self.count += 1
        if kind < 4:
            self.set(client, path, "rating", str(self.chance.randrange(11)))
        elif kind < 7:
            self.set(client, path, "like", str(self.chance.randrange(3)))
        elif kind < 9:
            # Each value is there once, so that an older one would show.
            self.set(client, path, "note", str(self.count))
        elif kind == 9 and len(self.listed) > 3:
            place = self.chance.randrange(len(self.listed))
            self.list(self.listed[:place] + self.listed[place + 1:], lambda: client.playlistdelete(PLAYLIST, place))
        else:
            self.list([*self.listed, path], lambda: client.playlistadd(PLAYLIST, path))

    def set(self, client, path, name, value):
        """Sets a sticker."""
        self.unsure = ((path, name), value)
        client.sticker_set("song", path, name, value)
        self.values[path, name], self.unsure = value, None

    def list(self, wanted, edit):
        """Edits the playlist, which has the `wanted` entries afterwards."""
        self.unsure = (PLAYLIST, wanted)
        edit()
        self.listed, self.unsure = wanted, None

    def compare(self, client):
        """Compares everything with what was acknowledged; what was cut off is found done or not done, and stays so."""
        cut_off, result = self.unsure or (None, None)
        for key, value in self.values.items():
            shown = client.sticker_get("song", *key)
            assert shown == value or (key == cut_off and shown == result), (
                f"{key[1]} of {key[0]} is {shown}; acknowledged was {value}, cut off {self.unsure}")
            self.values[key] = shown
            self.compared += 1
        if cut_off == PLAYLIST or self.listed:
            names = [each["playlist"] for each in client.listplaylists()]
            found = client.listplaylist(PLAYLIST) if PLAYLIST in names else []
            assert found == self.listed or (cut_off == PLAYLIST and found == result), (
                f"the playlist is {found}, acknowledged was {self.listed}, cut off {self.unsure}")
            self.listed = found
        if cut_off and cut_off != PLAYLIST and cut_off not in self.values:
            # The first value of a sticker: it is there or not.
            with contextlib.suppress(mpd.CommandError):
                self.values[cut_off] = client.sticker_get("song", *cut_off)
        self.unsure = None


def waiting_plays(server):
    """The plays in the outbox of a segue that does not run: the server's ids with their times."""
    database = sqlite3.connect(f"file:{server.folder / 'state' / 'segue.db'}", uri=True)
    try:
        return set(database.execute(
            "SELECT ifnull(s.source_value, s.source_id), p.started FROM play p JOIN song s ON s.id = p.song"))
    finally:
        database.close()


def has_saved_queue(server):
    """Whether a queue would be there after the next start."""
    database = sqlite3.connect(f"file:{server.folder / 'state' / 'segue.db'}?mode=ro", uri=True)
    try:
        return database.execute("SELECT count(*) FROM queue_entry").fetchone()[0] > 0
    finally:
        database.close()


def submitted(navidrome):
    """The plays that the server counted, in order."""
    return [(row["id"], row["time"]) for row in navidrome.control("scrobbles")["rows"] if row["submission"]]


def disturb(navidrome, chance):
    """Something that happens on the server."""
    what = chance.randrange(8)
    if what == 0:
        navidrome.control("touch", n=3)
    elif what == 1:
        navidrome.control("scan")
    elif what == 2:
        navidrome.control("fault", mode="down", match="scrobble", count=chance.randrange(1, 4))
    elif what == 3:
        navidrome.control("fault", mode="http500", match="setRating", count=chance.randrange(1, 4))
    elif what == 4:
        navidrome.control("fault", mode="delay", match="search3", ms=chance.randrange(50, 400), count=6)


@pytest.mark.parametrize("kills", [pytest.param(1, marks=pytest.mark.smoke), KILLS])
def test_killed_at_any_moment(navidrome, start_segue, kills):
    chance = random.Random(SEED)
    server = start_segue(
        songs=SONGS, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1},
        playback={"resume": "play"}, server={"log_level": "info"})
    client = server.client()
    paths = [entry["file"] for entry in client.listall() if "file" in entry]
    edits = Edits(chance, paths)
    for path in paths[:12]:
        client.add(path)
    client.repeat(1)
    client.play(0)
    client.disconnect()
    # The queue is saved a moment after a change; without one nothing would play later.
    wait_for(lambda: has_saved_queue(server), 30, "the saved queue")
    kept, cut_off = set(), set()
    if kills == 1:
        # More than one kill finds something that was played by itself.
        wait_for(lambda: edits.until(server, time.monotonic() + 0.5) or submitted(navidrome), 60, "a play")
    for _ in range(kills):
        disturb(navidrome, chance)
        edits.until(server, time.monotonic() + chance.choice([0, 0.2, 0.8, 1.5, 3]) * chance.uniform(0.5, 1.5))
        server.fail_unless_running()
        server.kill()
        # What it had sent before it died, the server has read when only this test's connection is left.
        wait_for(lambda: navidrome.control("connections")["count"] == 1, 30, "the end of segue's connections")
        # What arrived without segue knowing of the answer: the only plays that may come twice.
        plays, waiting = submitted(navidrome), waiting_plays(server)
        cut_off |= waiting & set(plays)
        kept |= waiting | set(plays)
        server.start()
        client = server.client()
        edits.compare(client)
        client.disconnect()
    navidrome.control("fault", mode="none")
    client = server.client(timeout=60)
    client.stop()
    wait_for(lambda: all(play in submitted(navidrome) for play in kept), 60, "every play that was kept")
    check_plays(submitted(navidrome), kept, cut_off, kills, navidrome, client)
    check_marks(edits, navidrome, client)
    check_playlist(edits, navidrome, client)
    edits.compare(client)
    print(f"{kills} kills, {edits.count} edits, {edits.compared} values compared, {len(kept)} plays, "
          f"{len(cut_off)} answers cut off")


def check_plays(plays, kept, cut_off, kills, navidrome, client):
    """Each play came once, but for those whose answer was cut off."""
    twice = {play for play, count in collections.Counter(plays).items() if count > 1}
    assert twice <= cut_off, f"counted twice although the server's answer was there: {twice - cut_off}"
    assert kept <= set(plays) and len(kept) > kills / 5, "hardly anything was played"
    for song_id, _ in plays[:1]:
        song = navidrome.call("getSong", id=song_id)["song"]
        wait_for(lambda: client.sticker_get("song", song["path"], "playCount") == str(
            navidrome.call("getSong", id=song_id)["song"]["playCount"]), 30, "the play count of the server")


def check_marks(edits, navidrome, client):
    """The server has every star and every rating that was acknowledged last."""
    def agree():
        fresh = {song["path"]: song
                 for song in navidrome.call("search3", query="", songCount=SONGS)["searchResult3"]["song"]}
        for path, name in edits.values:
            # What a kill cut off was looked up after it.
            shown = edits.values[path, name]
            if name == "rating":
                assert fresh[path].get("userRating", 0) == (int(shown) + 1) // 2, f"rating {shown} of {path}"
            elif name == "like":
                assert ("starred" in fresh[path]) == (shown == "2"), f"like {shown} of {path}"
        return True
    wait_for(agree, 60, "the server's stars and ratings")
    for key, value in edits.values.items():
        assert client.sticker_get("song", *key) == value, f"{key[1]} of {key[0]}"


def check_playlist(edits, navidrome, client):
    """Here and on the server the playlist has every entry that was acknowledged, in order, and none twice."""
    if not edits.listed:
        return
    assert client.listplaylist(PLAYLIST) == edits.listed

    def agree():
        lists = navidrome.call("getPlaylists")["playlists"].get("playlist", [])
        of_that_name = [each["id"] for each in lists if each["name"] == PLAYLIST]
        assert len(of_that_name) == 1, f"the server has {len(of_that_name)} playlists of that name"
        entries = navidrome.call("getPlaylist", id=of_that_name[0])["playlist"].get("entry", [])
        return [entry["path"] for entry in entries] == edits.listed
    wait_for(agree, 60, "the server's playlist")
