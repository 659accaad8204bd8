"""A state that was edited by hand, or by a fault of the disk: whatever stands in it, the program starts."""
import contextlib
import shutil
import sqlite3

import pytest
from harness.clients import RawClient
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.segue import Segue
from harness.watch import PATIENCE

SONGS = 60


@pytest.fixture(scope="module")
def state(library, registry, tmp_path_factory):
    """A server that was stopped with something in every table that a user can fill, and a copy of its state."""
    folder = tmp_path_factory.mktemp("state")
    fake = FakeNavidrome(folder, songs=SONGS, seconds=30).start()
    running = Segue(
        folder / "segue", registry,
        navidrome={"url": fake.url, "username": USER, "password": PASSWORD, "mount": "navidrome"},
        station=[{"name": "Nowhere", "url": "http://127.0.0.1:9/x"}]).start(SONGS)
    with RawClient(running, timeout=20 * PATIENCE) as client:
        songs = [line[6:] for line in client.ask(b"listall") if line.startswith(b"file: ")]
        lines = [b"add navidrome", b"addid http://127.0.0.1:9/y", b"save kept", b"newpartition other", b"random 1",
                 b"prio 5 3:6", b"rangeid 2 0:7", b"crossfade 3", b"mixrampdelay 2", b"setvol 40",
                 b'sticker set song "%s" rating 8' % songs[0], b'sticker set song "%s" note x' % songs[1],
                 b'playlistadd kept "%s"' % songs[2], b"play 1", b"seekcur 12", b"pause 1"]
        assert [client.ask(line)[-1] for line in lines] == [b"OK"] * len(lines)
    assert running.stop(seconds=20 * PATIENCE)[0] == 0
    shutil.copytree(folder / "segue" / "state", folder / "kept")
    yield running, folder / "kept"
    running.kill()
    fake.kill()


def columns(database):
    """The tables with their columns, and whether each is a part of the key.

    Without that of versions, and that of rendered answers, which are sent as they are.
    """
    names = [name for name, in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        " AND name NOT IN ('grdb_migrations', 'block') AND sql NOT LIKE '%VIRTUAL%'")]
    return {name: [(column, bool(is_key)) for _, column, _, _, _, is_key in database.execute(
        f"PRAGMA table_info({name})")] for name in names}


def spoil(path, table, value):
    """Puts a value into every column of a table, and into one key, where the schema lets it; gives how many it were."""
    spoilt = 0
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        for column, is_key in columns(database)[table]:
            where = f"WHERE {column} = (SELECT max({column}) FROM {table})" if is_key else ""
            with contextlib.suppress(sqlite3.Error):
                spoilt += database.execute(f"UPDATE OR IGNORE {table} SET {column} = ? {where}", (value,)).rowcount
    return spoilt


def use(server):
    """Asks for everything that is read from the state."""
    with RawClient(server, timeout=20 * PATIENCE) as client:
        for line in (b"status", b"currentsong", b"stats", b"playlistinfo", b"plchanges 0", b"listplaylists",
                     b"listplaylistinfo kept", b"listallinfo", b"find \"(any contains 'a')\" sort -Date",
                     b"count group album",
                     b"sticker find song \"\" rating", b"sticker find song \"\" playCount", b"listpartitions",
                     b"random 0", b"random 1", b"shuffle", b"play 0", b"next", b"pause 1", b"seekcur +1", b"seekcur 5",
                     b"add navidrome", b"delete 0", b"outputs", b"replay_gain_status", b"partition other", b"status",
                     b"playlistinfo", b"load kept", b"playlistlength kept", b"save anew", b"stop", b"clear"):
            client.ask(line)
    server.fail_unless_running()


@pytest.mark.parametrize("value", [2**63 - 1, -2**63, -1, 2**31, "9223372036854775807", "nan", "", b"\xff" * 9, 1e308],
                         ids=repr)
def test_one_value_in_every_column(state, value):
    server, kept = state
    failed = []
    with contextlib.closing(sqlite3.connect(kept / "segue.db")) as database:
        tables = list(columns(database))
    for table in tables:
        server.kill()
        shutil.rmtree(server.folder / "state")
        shutil.copytree(kept, server.folder / "state")
        if not spoil(server.folder / "state" / "segue.db", table, value):
            continue
        try:
            server.start()
            use(server)
            server.stop(seconds=20 * PATIENCE)
        except (AssertionError, OSError, EOFError, RuntimeError) as error:
            failed.append(f"{table}: {error}\n{server.log[-1500:]}")
    assert not failed, "\n".join(failed)
