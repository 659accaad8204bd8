"""Killed at any moment, while it syncs, plays, sends and is edited, segue loses nothing and counts nothing twice."""
import collections
import contextlib
import os
import random
import sqlite3
import time

import mpd
import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.segue import binary
from harness.waiting import wait_for

KILLS = int(os.environ.get("SEGUE_KILLS", "15"))
SEED = int(os.environ.get("SEGUE_RANDOM_SEED", "1"))
SONGS = 40
PLAYLIST = "Kept"


@pytest.fixture
def navidrome(tmp_path):
    """A fake Navidrome whose songs are a second long."""
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    server = FakeNavidrome(tmp_path, songs=SONGS, seconds=1).start()
    yield server
    server.kill()


class Edits:
    """A client that edits, and what it may expect to find afterwards."""

    def __init__(self, chance, paths):
        self.chance = chance
        self.paths = paths
        # What was acknowledged, and what may have been written too because the answer never came.
        self.values = {}
        self.unsure = {}
        self.listed = []
        self.count = 0

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
        kind = self.chance.randrange(10)
        if kind < 4:
            self.set(client, path, "rating", str(self.chance.randrange(11)))
        elif kind < 8:
            self.set(client, path, "like", str(self.chance.randrange(3)))
        else:
            client.playlistadd(PLAYLIST, path)
            self.listed.append(path)
        self.count += 1

    def set(self, client, path, name, value):
        self.unsure.setdefault((path, name), set()).add(value)
        client.sticker_set("song", path, name, value)
        self.values[path, name] = value
        self.unsure[path, name] = set()


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


def test_killed_at_any_moment(navidrome, start_segue):
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
    for _ in range(KILLS):
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
    navidrome.control("fault", mode="none")
    client = server.client()
    client.stop()
    wait_for(lambda: all(play in submitted(navidrome) for play in kept), 60, "every play that was kept")
    check_plays(submitted(navidrome), kept, cut_off, navidrome, client)
    check_marks(edits, navidrome, client)
    check_playlist(edits, client)
    print(f"{KILLS} kills, {edits.count} edits, {len(kept)} plays, {len(cut_off)} answers cut off")


def check_plays(plays, kept, cut_off, navidrome, client):
    """Each play came once, but for those whose answer was cut off."""
    twice = {play for play, count in collections.Counter(plays).items() if count > 1}
    assert twice <= cut_off, f"counted twice although the server's answer was there: {twice - cut_off}"
    assert kept <= set(plays) and len(kept) > KILLS / 5, "hardly anything was played"
    for song_id, _ in plays[:1]:
        song = navidrome.call("getSong", id=song_id)["song"]
        wait_for(lambda: client.sticker_get("song", song["path"], "playCount") == str(
            navidrome.call("getSong", id=song_id)["song"]["playCount"]), 30, "the play count of the server")


def check_marks(edits, navidrome, client):
    """Every sticker says what was written last, and so does the server."""
    for (path, name), value in edits.values.items():
        shown = client.sticker_get("song", path, name)
        assert shown in {value} | edits.unsure[path, name], f"{name} of {path}"
    # The songs' titles were touched; their paths and ids stay.
    found = navidrome.call("search3", query="", songCount=SONGS)["searchResult3"]["song"]
    songs = {song["path"]: song for song in found}

    def agree():
        fresh = {song["path"]: song
                 for song in navidrome.call("search3", query="", songCount=SONGS)["searchResult3"]["song"]}
        for path, name in edits.values:
            shown = int(client.sticker_get("song", path, name))
            if name == "rating":
                assert fresh[path].get("userRating", 0) == (shown + 1) // 2, f"rating {shown} of {path}"
            else:
                assert ("starred" in fresh[path]) == (shown == 2), f"like {shown} of {path}"
        return True
    assert songs
    wait_for(agree, 60, "the server's stars and ratings")


def check_playlist(edits, client):
    """The playlist has every entry that was acknowledged, in order, and no more than was asked for."""
    wanted = edits.listed
    if not wanted:
        return
    found = client.listplaylist(PLAYLIST)
    rest = iter(found)
    assert all(path in rest for path in wanted), "an entry of the playlist is lost or out of order"
    assert len(found) <= len(wanted) + KILLS
