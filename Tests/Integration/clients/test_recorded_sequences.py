"""What clients send that no package here has: their lines as recorded, and what they rely on in the answers."""
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


def refused(raw, line):
    """The ACK with which a line is answered."""
    last = raw.ask(line.encode())[-1].decode()
    assert last.startswith("ACK "), f"{line}: {last}"
    return last


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


def test_malp_lists_albums_with_three_groups_of_lines(raw):
    line = ("list album albumartist \"Various Voices\" group albumartist group albumartistsort "
            "group musicbrainz_albumid group date")
    assert pairs(ask(raw, line))[-1] == ("Album", "Meeting Point")
    assert values(ask(raw, line), "AlbumArtistSort") == ["Voices, Various"]
    assert "Nora Hale" in values(ask(raw, "list albumartist group MUSICBRAINZ_ARTISTID"), "AlbumArtist")
    assert "Meeting Point" in values(ask(raw, f'list album base "{MEETING}" group albumartist'), "Album")


def test_malp_sends_double_blanks_and_is_never_told_of_mopidy(raw):
    ask(raw, f'addid "{TABLE}"  0')
    ask(raw, 'save "attic"')
    assert values(ask(raw, 'playlistlength "attic" '), "songs") == ["1"]
    ask(raw, f'playlistadd "attic" "{TABLE}"')
    ask(raw, 'playlistdelete "attic" 0')
    assert values(ask(raw, f'playlistfind file "{TABLE}"'), "Pos") == ["0"]
    ask(raw, "delete 0:1")
    assert len(values(ask(raw, "listall"), "file")) == 11
    for line in ("list", "find", "play x", "list nothing", 'find "(a"', "seekcur", "prio", "count x", "albumart x y"):
        assert "not able to parse args" not in refused(raw, line)


def test_mympd_connects_and_pages_the_library(raw, collection_size):
    ask(raw, "binarylimit 4096")
    ask(raw, "protocol all")
    assert "Title" in values(ask(raw, "tagtypes available"), "tagtype")
    ask(raw, "tagtypes clear")
    ask(raw, 'tagtypes enable "Artist" "Album" "AlbumArtist" "Title" "Track" "Disc" "Date"')
    albums = ask(raw, "search \"((Album != '') AND (AlbumArtist != ''))\" sort AlbumArtist window 0:10000")
    assert len(values(albums, "file")) == collection_size - 1
    assert not values(albums, "Genre")
    first = values(ask(raw, "search \"(file contains '')\" window 0:4"), "file")
    then = values(ask(raw, "search \"(file contains '')\" window 4:8"), "file")
    assert len(first) == len(then) == 4 and not set(first) & set(then)
    assert len(values(ask(raw, "search \"(added-since '1970-01-01')\""), "file")) == collection_size
    assert values(ask(raw, "search \"(Title starts_with 'tab')\" sort -Title window 0:10"), "Title") == ["Table"]
    assert values(ask(raw, "search \"(Title =~ '^(Road|River)$')\" sort Title"), "Title") == ["River", "Road"]
    assert "Meeting Point" in values(ask(raw, "list Album \"(Artist == 'Ilse Brandt')\" group AlbumArtist"), "Album")


def test_mympd_edits_queue_and_playlists(raw):
    ask(raw, f'add "{MEETING}"')
    ask(raw, "play 0")
    ask(raw, "pause 1")
    added = values(ask(raw, 'addid "Ada Quartet/First Light/01 Sill.flac" +0'), "Id")
    ask(raw, f"moveid {added[0]} +1")
    ask(raw, 'save "mix" create')
    assert "exist" in refused(raw, 'save "mix" create')
    ask(raw, 'save "mix" append')
    assert values(ask(raw, 'playlistlength "mix"'), "songs") == ["8"]
    ask(raw, 'playlistdelete "mix" 4:8')
    assert values(ask(raw, 'listplaylist "mix" 1:3'), "file")[0].endswith("1-02 Table.flac")
    assert len(values(ask(raw, 'listplaylistinfo "mix" 0:2'), "Title")) == 2
    ask(raw, "clear")
    ask(raw, 'load "mix" 0:2 +0' if values(ask(raw, "status"), "song") else 'load "mix" 0:2 0')
    assert len(values(ask(raw, "playlistinfo"), "file")) == 2
    ask(raw, "searchadd \"(Artist == 'Nora Hale')\" sort Title window 0:1 position 0")
    assert values(ask(raw, "playlistinfo"), "Title")[0] == "Arrival"
    ask(raw, "searchaddpl \"mix\" \"(Title == 'Lamp')\" position 0")
    assert values(ask(raw, 'listplaylistinfo "mix"'), "Title")[0] == "Lamp"
    assert values(ask(raw, "plchangesposid 0"), "cpos") == ["0", "1", "2"]
    for line in ("consume oneshot", "consume 0", "single oneshot", "single 0", "getvol", "replay_gain_status"):
        ask(raw, line)
    assert "Table" in dict((key.lower(), value) for key, value in pairs(ask(raw, f'readcomments "{TABLE}"')))["title"]


def test_plattenalbum_asks_ten_times_a_second_without_idle(raw, collection):
    for line in ("commands", "tagtypes reset track title artist album albumartist albumartistsort date", "stats"):
        ask(raw, line)
    assert int(values(ask(raw, "stats"), "songs")[0]) > 0
    ask(raw, f'add "{MEETING}/1-01 Arrival.flac"')
    ask(raw, "play 0")
    ask(raw, f'add "{TABLE}" +0')
    version = values(ask(raw, "status"), "playlist")[0]
    for _ in range(50):
        status = dict(pairs(ask(raw, "status")))
        assert status["state"] == "play" and status["playlist"] == version and "volume" in status
    assert ask(raw, f"plchanges {version}") == []
    # Around every cover it narrows the tags and widens them again.
    ask(raw, "tagtypes clear")
    album = "(albumartist == 'Various Voices') AND (album == 'Meeting Point')"
    assert [key for key, _ in pairs(ask(raw, f'find "({album})" window 0:1'))][0] == "file"
    ask(raw, "tagtypes reset track title artist album albumartist albumartistsort date")
    assert picture(raw, "albumart", TABLE) == (collection / MEETING / "cover.png").read_bytes()
    listed = pairs(ask(raw, "list albumartist \"(albumartist != '')\" group albumartistsort"))
    assert ("AlbumArtistSort", "Voices, Various") in listed and ("AlbumArtistSort", "Ada Quartet") in listed
    ask(raw, f'findadd "({album})"')
    ask(raw, "delete 1:")
    assert len(values(ask(raw, "playlistinfo"), "Id")) == 1
    assert values(ask(raw, "update"), "updating_db")[0] != "0"


def test_plattenalbum_recognises_a_refusal(start_segue, collection, collection_size):
    server = start_segue(songs=collection_size, local={"music_directory": collection},
                         server={"default_permissions": ["read"]})
    with RawClient(server, timeout=PATIENCE) as raw:
        assert "you don't have permission" in refused(raw, "clear")


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


def test_rmpc_asks_for_stickers_of_every_song(raw):
    line = f'sticker list song "{TABLE}"\n'
    raw.send(f"command_list_ok_begin\n{line}{line}command_list_end\n".encode())
    assert raw.answer() == [b"list_OK", b"list_OK", b"OK"]


def test_mympd_keeps_ratings_and_play_counts_as_stickers(raw):
    ask(raw, f'sticker set song "{TABLE}" rating 8')
    ask(raw, f'sticker inc song "{TABLE}" playCount 1')
    ask(raw, f'sticker inc song "{TABLE}" playCount 2')
    ask(raw, f'sticker dec song "{TABLE}" playCount 1')
    assert values(ask(raw, f'sticker list song "{TABLE}"'), "sticker") == ["playCount=2", "rating=8"]
    assert values(ask(raw, 'sticker find song "" playCount sort value_int window 0:10'), "file") == [TABLE]
    assert {"playCount", "rating"} <= set(values(ask(raw, "stickernames"), "name"))
    assert {"song", "playlist", "filter"} <= set(values(ask(raw, "stickertypes"), "stickertype"))
    for name in ("rating", "playCount"):
        ask(raw, f'sticker delete song "{TABLE}" {name}')


def test_cantata_stores_radio_stations_with_their_names(raw):
    station = "http://127.0.0.1:9/radio.ogg#Night%20Radio"
    ask(raw, f'playlistadd "[Radio Streams]" "{station}"')
    assert values(ask(raw, 'listplaylist "[Radio Streams]"'), "file") == [station]
    assert refused(raw, 'lsinfo "mpd-client://cantata/2.5.0"')


def test_cantata_rates_and_finds_what_was_rated(raw):
    assert refused(raw, f'sticker get song "{TABLE}" rating').startswith("ACK [50@0] {sticker}")
    ask(raw, f'sticker set song "{TABLE}" rating 6')
    assert values(ask(raw, f'sticker get song "{TABLE}" rating'), "sticker") == ["rating=6"]
    assert pairs(ask(raw, 'sticker find song "" rating')) == [("file", TABLE), ("sticker", "rating=6")]
    assert values(ask(raw, f'find file "{TABLE}"'), "Title") == ["Table"]
    ask(raw, f'sticker delete song "{TABLE}" rating')


def test_cantata_asks_for_the_cover_of_a_folder(raw, collection):
    assert picture(raw, "albumart", f"{MEETING}/") == (collection / MEETING / "cover.png").read_bytes()


def test_a_folder_with_a_slash_means_the_root_only(raw, collection_size):
    assert len(values(ask(raw, 'listall "/"'), "file")) == collection_size
    assert values(ask(raw, 'lsinfo "/"'), "directory") == values(ask(raw, "lsinfo"), "directory")
    assert int(values(ask(raw, 'update "/"'), "updating_db")[0]) > 0
