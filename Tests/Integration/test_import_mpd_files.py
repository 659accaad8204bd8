"""Moving in from files as an MPD leaves them behind; none has to be installed."""
import gzip
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.segue import Segue, binary

STREAM = "http://127.0.0.1:9/radio"


class OldMPD:
    """The files of an MPD that isn't there: its settings, state, stickers, playlists and database."""

    def __init__(self, folder, music, settings=""):
        (folder / "playlists").mkdir(parents=True)
        self.settings = folder / "mpd.conf"
        self.state = folder / "state"
        self.stickers = folder / "sticker.sql"
        self.database = folder / "database"
        self.playlists = folder / "playlists"
        self.settings.write_text(
            f'music_directory "{music}"\nplaylist_directory "{self.playlists}"\ndb_file "{self.database}"\n'
            f'state_file "{self.state}"\nsticker_file "{self.stickers}"\nmax_connections "77"\n' + settings)

    def write_stickers(self, *rows):
        """Makes the database as MPD does."""
        connection = sqlite3.connect(self.stickers)
        connection.executescript(
            "CREATE TABLE IF NOT EXISTS sticker(  type VARCHAR NOT NULL,   uri VARCHAR NOT NULL,   name VARCHAR NOT NULL,"
            "   value VARCHAR NOT NULL);CREATE UNIQUE INDEX IF NOT EXISTS sticker_value ON sticker(type, uri, name);")
        connection.executemany("INSERT INTO sticker VALUES (?, ?, ?, ?)", rows)
        connection.commit()
        connection.close()

    def write_database(self, *songs):
        """Writes a database of songs at the top, each a path and its lines."""
        blocks = [f"song_begin: {path}\n" + "".join(f"{line}\n" for line in lines) + "song_end\n" for path, lines in songs]
        text = "info_begin\nformat: 2\nmpd_version: 0.24.13\nfs_charset: UTF-8\ntag: Artist\ninfo_end\n" + "".join(blocks)
        self.database.write_bytes(gzip.compress(text.encode()))


def state(version, first, second, third):
    """The state file of a version: its numbers and words differ, and later ones say more of a song."""
    later = version == "0.24"
    return (
        "sw_volume: 63\naudio_device_state:1:Nothing\nstate: pause\ncurrent: 1\n"
        f"time: {'1.5' if later else '1.500000'}\nrandom: 0\nrepeat: 1\nsingle: {'oneshot' if later else '2'}\nconsume: 0\n"
        f"crossfade: 4\nmixrampdb: {'-17' if later else '-17.000000'}\nmixrampdelay: {'0' if later else '-1.000000'}\n"
        + ("lastloadedplaylist: Evening\n" if later else "") + "playlist_begin\n"
        f"0:{first}\nPrio: 7\n1:{second}\nsong_begin: {third}\nRange: 500-2000\nTime: {'4' if later else '4.000000'}\n"
        "Title: Elsewhere\nFormat: 44100:16:2\nmtime: 1700000000\n" + ("added: 1700000001\n" if later else "")
        + f"song_end\nsong_begin: {STREAM}\nTitle: A station\nsong_end\nplaylist_end\n")


@pytest.fixture
def newcomer(tmp_path, registry):
    """A Segue without a configuration, beside which state and cache of its own are kept."""
    server = Segue(tmp_path / "segue", registry)
    server.environment |= {"SEGUE_SERVER_STATE_DIRECTORY": str(server.folder / "state"),
                           "SEGUE_SERVER_CACHE_DIRECTORY": str(server.folder / "cache")}
    yield server
    server.kill()


def import_mpd(server, old, *options):
    """Moves in, and returns what was printed."""
    result = server.run("import", "mpd", old.settings, *options)
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


def serve(server):
    """Starts Segue with the configuration that was written, for one client."""
    server.environment["SEGUE_SERVER_LISTEN"] = f"127.0.0.1:{server.port}"
    server.environment["SEGUE_PLAYLISTS_HIDE"] = "recently_added,recently_played,most_played,starred,random_albums"
    server.write_configuration = lambda: None
    server.start()
    return server.client()


def paths(library):
    """The songs' paths below the music folder."""
    music, tracks = library
    return [str(track.path.relative_to(music)) for track in tracks]


@pytest.mark.parametrize("version", ["0.23", "0.24"])
def test_what_each_version_writes_moves_in(version, tmp_path, newcomer, library):
    songs = paths(library)
    old = OldMPD(tmp_path / "mpd", library[0], 'audio_output {\n type "null"\n name "Nothing"\n}\n')
    old.state.write_text(state(version, *songs[:3]))
    rows = [("song", songs[0], "mood", "calm 🎵"), ("song", songs[1], "rating", "8")]
    if version == "0.24":
        rows += [("playlist", "Evening", "note", "of mine"), ("Artist", "Ada Quartet", "rating", "6"),
                 ("filter", "(Artist == 'Nora Hale')", "seen", "1")]
    old.write_stickers(*rows)
    (old.playlists / "Evening.m3u").write_text(f"{songs[3]}\n{STREAM}\n{library[0]}/{songs[0]}\n")
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert "Queue: 4 entries." in output and "Playlists: 1 new" in output and f"Stickers: {len(rows)} new" in output
    assert "not understood" not in output and "not found" not in output
    client = serve(newcomer)
    queue = client.playlistinfo()
    assert [(song["file"], song.get("prio"), song.get("range")) for song in queue] == [
        (songs[0], None, None), (songs[1], "7", None), (songs[2], None, "0.500-2.000"), (STREAM, None, None)]
    assert queue[3]["title"] == "A station"
    status = client.status()
    assert {key: status[key] for key in ("volume", "repeat", "random", "single", "consume", "song", "xfade")} == {
        "volume": "63", "repeat": "1", "random": "0", "single": "oneshot", "consume": "0", "song": "1", "xfade": "4"}
    assert client.listplaylist("Evening") == [songs[3], STREAM, songs[0]]
    assert client.sticker_list("song", songs[0]) == {"mood": "calm 🎵"}
    if version == "0.24":
        assert status["lastloadedplaylist"] == "Evening"
        assert client.sticker_get("playlist", "Evening", "note") == "of mine"
        assert client.sticker_get("Artist", "Ada Quartet", "rating") == "6"


DAMAGE = {
    "stickers of another version": ("stickers", lambda path: make_table(path, "sticker(uri, name, value)")),
    "stickers of another program": ("stickers", lambda path: make_table(path, "songs(path)")),
    "no stickers": ("stickers", lambda path: path.write_bytes(b"")),
    "stickers that are none": ("stickers", lambda path: path.write_bytes(os.urandom(5000))),
    "stickers cut off": ("stickers", lambda path: path.write_bytes(path.read_bytes()[:4500])),
    "a database cut off": ("database", lambda path: path.write_bytes(path.read_bytes()[:-30])),
    "a database that is none": ("database", lambda path: path.write_bytes(bytes(range(256)) * 20)),
    "a damaged database": ("database", lambda path: path.write_bytes(path.read_bytes()[:40] + bytes(100))),
    "a state that is none": ("state", lambda path: path.write_bytes(bytes(range(256)) * 20)),
    "a folder for a state": ("state", lambda path: (path.unlink(), path.mkdir())),
}


def make_table(path, columns):
    """Replaces a file by a database with one table."""
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE {columns}")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_one_line_and_the_rest_moves_in(damage, tmp_path, newcomer, library):
    songs = paths(library)
    old = OldMPD(tmp_path / "mpd", library[0])
    old.state.write_text(state("0.24", *songs[:3]))
    old.write_stickers(*(("song", song, f"note {number}", "x" * 400) for song in songs for number in range(10)))
    old.write_database(*((f"nowhere {number}.flac", [f"Title: {os.urandom(9).hex()}"]) for number in range(50)))
    (old.playlists / "Evening.m3u").write_text(f"{songs[0]}\n")
    which, harm = DAMAGE[damage]
    path = getattr(old, which)
    harm(path)
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert len([line for line in output.splitlines() if line.startswith(f"{path} ")]) == 1, output
    assert "\0" not in output and "Playlists: 1 new" in output
    assert ("Queue: 4 entries." in output) == (which != "state")
    assert (f"Stickers: {10 * len(songs)} new" in output) == (which != "stickers")
    assert "max_connections = 77" in newcomer.configuration.read_text()


def test_names_in_another_charset_are_kept_byte_by_byte(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0])
    (old.playlists / "Evening.m3u").write_bytes(b"gone/Caf\xe9.mp3\n")
    old.state.write_bytes(b"state: stop\nplaylist_begin\n0:gone/\xff\xfe.mp3\nplaylist_end\n")
    import_mpd(newcomer, old, "--config", newcomer.configuration)
    missing = newcomer.folder / "state/mpd-import"
    assert (missing / "Evening.missing.m3u").read_bytes() == b"gone/Caf\xe9.mp3\n"
    assert (missing / "queue.missing.m3u").read_bytes() == b"gone/\xff\xfe.mp3\n"


SHIPPED = '# Segue\'s configuration\n[server]\n#log_level = "info"\nstate_directory = "{0}/state"\n' \
          'cache_directory = "{0}/cache"\n\n[navidrome]\n#url = "http://127.0.0.1:4533"\n[cache]\n'


@pytest.mark.parametrize("is_given", [True, False])
def test_a_configuration_in_which_nothing_is_set_gets_the_settings(is_given, tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0])
    file = newcomer.configuration if is_given else newcomer.folder / ".config/segue/segue.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    shipped = SHIPPED.format(newcomer.folder)
    file.write_text(shipped)
    file.chmod(0o640)
    options = ("--config", file) if is_given else ()
    dry = import_mpd(newcomer, old, *options, "--dry-run")
    assert "would be" in dry and file.read_text() == shipped
    import_mpd(newcomer, old, *options)
    text = file.read_text()
    assert "max_connections = 77" in text and str(library[0]) in text and f'"{newcomer.folder}/state"' in text
    assert file.stat().st_mode & 0o777 == 0o640
    assert (file.parent / "segue.toml.before-mpd").read_text() == shipped
    again = import_mpd(newcomer, old, *options)
    assert file.read_text() == text and "stays as it is" in again
    assert sorted(path.name for path in file.parent.glob("segue.toml*")) == ["segue.toml", "segue.toml.before-mpd"]


def test_a_configuration_with_settings_stays_and_gets_the_others_beside_it(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0], 'audio_output {\n type "shout"\n name "Air"\n host "h"\n mount "/m"\n'
                 ' password "hunter2"\n}\n')
    newcomer.sections["local"] = {"music_directory": library[0]}
    newcomer.write_configuration = Segue.write_configuration.__get__(newcomer)
    newcomer.write_configuration()
    before = newcomer.configuration.read_text()
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert newcomer.configuration.read_text() == before
    beside = newcomer.configuration.with_name("segue.toml.mpd")
    assert "max_connections = 77" in output and "max_connections = 77" in beside.read_text()
    assert "hunter2" not in output and "hunter2" in beside.read_text()
    assert beside.stat().st_mode & 0o777 == 0o600


def test_a_value_that_is_refused_keeps_nothing_else_from_being_taken_over(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0], 'audio_output {\n type "alsa"\n name "DAC"\n format "44100:8:2"\n'
                 ' buffer_time "5"\n device "hw:0"\n}\naudio_output {\n type "fifo"\n name "Pipe"\n}\n')
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    text = newcomer.configuration.read_text()
    for line in ("max_connections = 77", 'device = "hw:0"', '# format = "44100:8:2"', "# buffer_time = 5", '# name = "Pipe"'):
        assert line in text.splitlines(), text
    assert "format is left out" in output
    assert newcomer.run("check", "--config", newcomer.configuration).stdout.count("unknown") == 0


@pytest.mark.needs_root
def test_nothing_of_roots_is_left_in_the_services_folders(tmp_path, registry, library):
    # The test's own folder is closed to others.
    with tempfile.TemporaryDirectory() as name:
        move_in_as_root(pathlib.Path(name), tmp_path, registry, library)


def move_in_as_root(folder, tmp_path, registry, library):
    """Moves into folders of the service's user, who can't read MPD's files."""
    folder.chmod(0o755)
    shutil.copytree(library[0], folder / "music")
    server = Segue(folder / "segue", registry, local={"music_directory": folder / "music"})
    server.environment["GST_REGISTRY"] = str(folder / "segue/cache/registry")
    for name in ("state", "cache"):
        (server.folder / name).mkdir()
        os.chown(server.folder / name, 65534, 65534)
    old = OldMPD(tmp_path / "mpd", folder / "music")
    (old.playlists / "Evening.m3u").write_text("gone.mp3\n" + paths(library)[0] + "\n")
    (tmp_path / "mpd").chmod(0o700)
    server.write_configuration()
    output = import_mpd(server, old, "--config", server.configuration)
    assert "Playlists: 1 new" in output
    assert (server.folder / "state/mpd-import/Evening.missing.m3u").exists()
    found = subprocess.run(["find", server.folder / "state", server.folder / "cache", "!", "-user", "65534"],
                           capture_output=True, text=True, check=True).stdout
    assert found == ""


@pytest.fixture
def navidrome(tmp_path):
    """A running fake Navidrome, which also says what MPD would know of its songs."""
    if not binary().with_name("fake-navidrome").exists():
        pytest.skip("fake-navidrome was not built")
    server = FakeNavidrome(tmp_path, songs=60, options=["--mpd-database", tmp_path / "database"]).start()
    yield server
    server.kill()


def songs_of(database):
    """The songs of a database of MPD's: path, lines of tags."""
    folder, songs, lines = "", {}, None
    data = database.read_bytes()
    for line in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode().splitlines():
        name, _, value = line.partition(": ")
        if name == "begin":
            folder = value + "/"
        elif name == "end":
            folder = value.rpartition("/")[0] + "/" if "/" in value else ""
        elif name == "song_begin":
            lines = songs.setdefault(folder + value, [])
        elif line == "song_end":
            lines = None
        elif lines is not None:
            lines.append(line)
    return songs


def test_a_move_into_navidrome_finds_songs_in_every_way_once(tmp_path, newcomer, navidrome):
    newcomer.configuration.write_text(
        f'[server]\nlisten = ["127.0.0.1:{newcomer.port}"]\n[navidrome]\nurl = "{navidrome.url}"\nusername = "{USER}"\n'
        f'password = "{PASSWORD}"\n[[output]]\ntype = "null"\n[web]\nlisten = []\n')
    known = songs_of(tmp_path / "database")
    names = [re.sub(r".*/", "", path) for path in known]
    single = [path for path in known if names.count(re.sub(r".*/", "", path)) == 1]
    tagged = [path for path in single
              if any(line.startswith("Title: ") for line in known[path])
              and any(line.startswith("Artist: ") for line in known[path])]
    same, moved, retagged, renamed = single[0], single[1], tagged[2], single[3]
    length = next(line for line in known[renamed] if line.startswith("Time: "))
    old = OldMPD(tmp_path / "mpd", "/srv/music")
    file_name = re.sub(r".*/", "", renamed)
    # Each is what MPD knew of a song, and the song that it is in Navidrome.
    files = {same: same, "disk/" + moved: moved, "other.flac": retagged, f"elsewhere {length[6:]}/{file_name}": renamed}
    old.write_database(("other.flac", known[retagged]), (f"elsewhere {length[6:]}/{file_name}", [length]))
    old.state.write_text("state: stop\nplaylist_begin\n" + "".join(f"{n}:{file}\n" for n, file in enumerate(files))
                         + "4:gone.mp3\nplaylist_end\n")
    (old.playlists / "Evening.m3u").write_text("\n".join(files) + "\n")
    old.write_stickers(*(("song", file, "mood", song) for file, song in files.items()), ("song", same, "rating", "8"))
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    for line in ("Queue: 4 entries.", "Playlists: 1 new", "Stickers: 4 new", "1 ratings and stars", "1 songs were not found"):
        assert line in output, output
    for way in ("by the same path", "by the end of the path", "by artist, album and title", "by file name and length"):
        assert f"1 songs were found {way}." in output, output
    again = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert "Playlists: 0 new, 1 there" in again and "Stickers: 0 new, 4 there" in again and "one already" in again
    client = serve(newcomer)
    assert [song["file"] for song in client.playlistinfo()] == list(files.values())
    assert client.listplaylist("Evening") == list(files.values())
    for song in files.values():
        assert client.sticker_get("song", song, "mood") == song
