"""What clients rely on in answers that no package here has.

That those are MPD's is in differential/scenarios, what these clients send in clients.txt there.
"""
import re

import pytest
from harness.clients import RawClient
from harness.waiting import wait_for

from .driving import MEETING, PATIENCE

TABLE = f"{MEETING}/1-02 Table.flac"


@pytest.fixture
def raw(server, client):
    """A bare connection to a server at rest."""
    with RawClient(server, timeout=PATIENCE) as connection:
        yield connection


def ask(raw, line):
    """The answer's lines without the OK; fails when there is an ACK."""
    lines = [part.decode() for part in raw.ask(line.encode())]
    assert lines[-1] == "OK", f"{line}: {lines[-1]}"
    return lines[:-1]


def pairs(lines):
    """Lines as keys and values."""
    return [tuple(line.split(": ", 1)) for line in lines]


def values(lines, key):
    """The values of one key."""
    return [value for name, value in pairs(lines) if name == key]


def picture(raw, command, uri):
    """A picture in pieces until an empty one comes, as Plattenalbum fetches it."""
    data, sizes = b"", set()
    while True:
        raw.send(f'{command} "{uri}" {len(data)}\n'.encode())
        header = {}
        while "binary" not in header:
            line = raw.line().decode()
            assert not line.startswith("ACK"), line
            key, value = line.split(": ", 1)
            header[key] = value
        length = int(header["binary"])
        while len(raw.received) < length + 1:
            raw.received += raw.socket.recv(65536)
        data, raw.received = data + raw.received[:length], raw.received[length + 1:]
        assert raw.line() == b"OK"
        sizes.add(header["size"])
        if length == 0:
            assert sizes == {str(len(data))}
            return data


def test_malp_connects_and_detects_what_it_may_use(raw):
    version = re.fullmatch(rb"OK MPD (\d+)\.(\d+)\.(\d+)", raw.greeting)
    assert version and int(version[2]) >= 21
    assert {"idle", "searchadd", "albumart", "readpicture", "playlistfind", "listpartitions"} <= set(
        values(ask(raw, "commands"), "command"))
    # It stops reading at the first MusicBrainz tag.
    tags = values(ask(raw, "tagtypes"), "tagtype")
    first = next(number for number, tag in enumerate(tags) if tag.startswith("MUSICBRAINZ"))
    assert {"AlbumArtist", "AlbumArtistSort", "ArtistSort", "Date"} <= set(tags[:first])


def test_plattenalbum_asks_ten_times_a_second_without_idle(raw):
    ask(raw, f'add "{MEETING}/1-01 Arrival.flac"')
    ask(raw, "play 0")
    ask(raw, f'add "{TABLE}" +0')
    version = values(ask(raw, "status"), "playlist")[0]
    for _ in range(50):
        status = dict(pairs(ask(raw, "status")))
        assert status["state"] == "play" and status["playlist"] == version and "volume" in status
    assert ask(raw, f"plchanges {version}") == []


@pytest.mark.parametrize("uri", [TABLE, f"{MEETING}/"], ids=["Plattenalbum: of a song", "Cantata: of a folder"])
def test_a_cover_comes_in_pieces_until_an_empty_one(raw, collection, uri):
    assert picture(raw, "albumart", uri) == (collection / MEETING / "cover.png").read_bytes()


@pytest.mark.smoke
def test_rmpc_gets_numbers_where_it_expects_them(raw):
    ask(raw, f'add "{MEETING}"')
    ask(raw, "play 1")
    wait_for(lambda: float(dict(pairs(ask(raw, "status")))["elapsed"]) > 0, PATIENCE, "the music")
    status = dict(pairs(ask(raw, "status")))
    for key in ("volume", "repeat", "random", "playlist", "playlistlength", "song", "songid", "nextsong", "nextsongid",
                "bitrate"):
        assert re.fullmatch(r"\d+", status[key]), (key, status[key])
    assert re.fullmatch(r"\d+\.\d+", status["elapsed"]) and re.fullmatch(r"\d+:\d+:\d+", status["audio"])
    assert values(ask(raw, "getvol"), "volume") == [status["volume"]]
    raw.send(b"command_list_begin\nstatus\nplaylistinfo\noutputs\ncommand_list_end\n")
    lines = [line.decode() for line in raw.answer()]
    assert lines[-1] == "OK" and len(values(lines[:-1], "Title")) == 3 and len(values(lines[:-1], "outputid")) == 2
    assert len(values(ask(raw, f'lsinfo "{MEETING}"'), "Title")) == 3
    assert len(values(ask(raw, "find \"(Artist == 'Ilse Brandt')\""), "Title")) == 2
