"""Fixtures for the client matrix: music with every kind of tag, Segue on it, MPD beside it, and terminals."""
import contextlib
import random
import shutil
import struct
import zlib

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import FLAC_ENCODER, OGG_ENCODER, generate
from harness.programs import need
from harness.segue import Segue, binary
from harness.sharing import made_once
from mutagen.flac import FLAC

from .driving import MEETING, ComparedMPD

OUTPUTS = ("Nothing", "Nowhere")


def noisy_png(size=150):
    """A picture that does not compress, so that clients need several pieces for it."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    random_bytes = random.Random(7)
    rows = b"".join(b"\0" + random_bytes.randbytes(size * 3) for _ in range(size))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def add_meeting_point(folder):
    """Adds an album with every tag that a client asks for, and a file without any."""
    album = folder / MEETING
    album.mkdir(parents=True)
    (album / "cover.png").write_bytes(noisy_png())
    for number, (title, artists) in enumerate((("Arrival", ["Ilse Brandt", "Nora Hale"]), ("Table", ["Ilse Brandt"]),
                                               ("Late Bus", ["Ángel Ruiz"])), 1):
        path = album / f"1-{number:02} {title}.flac"
        generate(path, 31, FLAC_ENCODER, frequency=200 + 40 * number)
        file = FLAC(path)
        file.clear()  # The encoder leaves a description, which MPD takes for a comment.
        file.update({
            "title": title, "artist": artists, "album": "Meeting Point", "tracknumber": str(number), "discnumber": "1",
            "date": "2012-03-04", "genre": ["Folk", "Live"], "composer": "Clara Composer", "performer": "Pia Performer",
            "comment": f"comment {number}", "musicbrainz_albumid": "a1b2c3d4-0000-4000-8000-000000000001",
            "musicbrainz_artistid": f"a1b2c3d4-0000-4000-8000-00000000001{number}",
            "musicbrainz_trackid": f"a1b2c3d4-0000-4000-8000-00000000002{number}",
        })
        if number < 3:
            file.update({"albumartist": "Various Voices", "albumartistsort": "Voices, Various"})
        file.save()
    (folder / "Loose").mkdir()
    generate(folder / "Loose" / "untagged.ogg", 5, OGG_ENCODER)


@pytest.fixture(scope="session")
def collection(library, tmp_path_factory):
    """The folder with all the music of the client tests."""
    def make(folder):
        shutil.copytree(library[0], folder, dirs_exist_ok=True)
        add_meeting_point(folder)
    return made_once(tmp_path_factory, "collection", make)[0]


@pytest.fixture(scope="session")
def collection_size(library):
    """How many songs the collection has."""
    return len(library[1]) + 4


@pytest.fixture(scope="module")
def server(collection, collection_size, registry, tmp_path_factory):
    """Segue on the collection; shared by the tests of a file."""
    folder = tmp_path_factory.mktemp("segue")
    running = Segue(folder, registry, local={"music_directory": collection},
                    output=[{"type": "null", "name": name} for name in OUTPUTS])
    try:
        yield running.start(songs=collection_size)
    finally:
        running.kill()


@pytest.fixture(scope="module")
def real_mpd(collection, collection_size, tmp_path_factory):
    """MPD on the same collection, to compare with."""
    need("mpd")
    running = ComparedMPD(tmp_path_factory.mktemp("mpd"), collection, OUTPUTS)
    try:
        yield running.start(songs=collection_size)
    finally:
        running.kill()


@pytest.fixture(scope="module")
def navidrome_server(registry, tmp_path_factory):
    """Segue in front of the fake Navidrome with 200 songs."""
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    folder = tmp_path_factory.mktemp("navidrome")
    with contextlib.ExitStack() as started:
        upstream = FakeNavidrome(folder).start()
        started.callback(upstream.kill)
        running = Segue(folder / "segue", registry, navidrome={
            "url": upstream.url, "username": USER, "password": PASSWORD, "sync_interval": 60})
        started.callback(running.kill)
        running.start(songs=upstream.songs)
        running.upstream = upstream
        yield running


@pytest.fixture
def client(server):
    """A python-mpd2 connection to a server whose queue is empty, whose options are the usual ones."""
    connection = server.client()
    connection.stop()
    connection.clear()
    for option in ("repeat", "random", "single", "consume", "crossfade"):
        getattr(connection, option)(0)
    connection.setvol(100)
    for playlist in connection.listplaylists():
        connection.rm(playlist["playlist"])
    for output in connection.outputs():
        connection.enableoutput(output["outputid"])
    yield connection
    connection.disconnect()


@pytest.fixture
def songs(client):
    """All songs by title; the one without tags is not among them."""
    return {song["title"]: song for song in client.listallinfo() if "title" in song}


@pytest.fixture
def long_songs(songs):
    """Two songs that outlast any test."""
    return songs["Road"], songs["River"]


@pytest.fixture
def ncmpcpp(server, terminal, tmp_path):
    """Starts ncmpcpp with more lines for its configuration."""
    need("ncmpcpp")

    def start(*more, wait="Playlist", at=server):
        configuration = tmp_path / "ncmpcpp.conf"
        configuration.write_text("\n".join((
            f"ncmpcpp_directory = {tmp_path}", f"lyrics_directory = {tmp_path}", f"mpd_host = {at.host}",
            f"mpd_port = {at.port}", "user_interface = classic", "mouse_support = no", "autocenter_mode = no",
            "colors_enabled = no", "message_delay_time = 1", "ask_before_clearing_playlists = no",
            "ask_before_shuffling_playlists = no", "seek_time = 10", "incremental_seeking = no",
            "playlist_display_mode = columns", "song_columns_list_format = (50)[]{t} (50)[]{a}",
            "song_status_format = {%t}", "fetch_lyrics_for_current_song_in_background = no", *more)) + "\n")
        terminal.start(["ncmpcpp", "-c", configuration, "-b", tmp_path / "bindings"])
        terminal.wait_for(wait, seconds=60)
        return terminal
    return start


@pytest.fixture
def ncmpc(server, terminal, tmp_path):
    """ncmpc with all its screens, connected, showing the queue."""
    need("ncmpc")
    configuration = tmp_path / "ncmpc.conf"
    configuration.write_text(
        "enable-colors = no\nenable-mouse = no\nseek-time = 10\n"
        "screen-list = help queue browse artist search song outputs chat keydef lyrics\n"
        'list-format = "%title%"\nstatus-format = "%title%"\nsearch-format = "%title%"\n')
    terminal.start(["ncmpc", f"--host={server.host}", f"--port={server.port}", f"--config={configuration}",
                    f"--key-file={tmp_path / 'keys'}"])
    # Keys that come before the server's first status are lost.
    terminal.wait_for("Queue", "Volume", seconds=60, absent=("Volume n/a",))
    return terminal
