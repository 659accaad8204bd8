"""An MPD that is moved out of: its files, and the move."""
import gzip
import json
import shutil
import sqlite3

from .reference import ReferenceMPD
from .segue import ROOT

FIXTURES = ROOT / "Tests/Fixtures/mpd"
RECORDED = sorted(path.name for path in FIXTURES.iterdir() if path.is_dir())
"""The versions of MPD whose files Tests/Fixtures/mpd/make.py recorded, the oldest first."""

STREAM = "http://127.0.0.1:9/radio"


class MovingMPD(ReferenceMPD):
    """An MPD with a sticker database and two outputs."""

    def __init__(self, folder, music):
        super().__init__(folder, music)
        text = (folder / "mpd.conf").read_text()
        (folder / "more.conf").write_text('replaygain "album"\nmax_connections "77"\n')
        (folder / "mpd.conf").write_text(
            text + f'sticker_file "{folder}/sticker.sql"\nstate_file_interval "1"\ninclude "more.conf"\n'
            'password "open \\"sesame@read,add,player,control,admin"\n'
            'default_permissions "read,add,player,control,admin"\n'
            'audio_output {\n type "fifo"\n name "Pipe" # raw\n path "' + str(folder / "pipe")
            + '"\n format "44100:16:2"\n}\n')


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

    def take_recorded(self, version):
        """Takes the files that an MPD of a version wrote, and returns what its clients saw last."""
        shutil.copytree(FIXTURES / version, self.settings.parent, dirs_exist_ok=True)
        seen = json.loads((FIXTURES / version / "observed.json").read_text())
        return seen | {"queue": [tuple(entry) for entry in seen["queue"]]}

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


def observed(client):
    """What a client sees of the things that move."""
    status = client.status()
    queue = [(song["file"], song.get("prio"), song.get("range")) for song in client.playlistinfo()]
    playlists = {entry["playlist"]: client.listplaylist(entry["playlist"]) for entry in client.listplaylists()}
    songs = sorted({song for song, *_ in queue if "://" not in song})
    return {
        "queue": queue, "playlists": playlists,
        "status": {key: status.get(key) for key in ("random", "repeat", "single", "consume", "volume", "xfade", "song")},
        "outputs": {output["outputname"]: output["outputenabled"] for output in client.outputs()},
        "stickers": {song: client.sticker_list("song", song) for song in songs},
    }
