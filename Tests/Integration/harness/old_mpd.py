"""An MPD that is moved out of: its files, and the move."""
import gzip
import sqlite3

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
