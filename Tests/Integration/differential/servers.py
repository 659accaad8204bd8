"""The two servers: Segue, and an MPD that was not told about it."""
import shutil
import socket

from harness.reference import ReferenceMPD, mpd_binary
from harness.segue import Segue
from harness.waiting import wait_for

from .containers import make_containers
from .folder import make_discs, make_folder

PASSWORDS = {"reader": ["read"], "listener": ["read", "player"], "editor": ["read", "add", "control"],
             "owner": ["read", "add", "player", "control", "admin"]}
"""What the servers of the kind `passwords` know; without one a client may only read."""


def has_assertions():
    """Whether it was built with assertions, which end it where a release answers with an error."""
    with open(shutil.which(mpd_binary()) or mpd_binary(), "rb") as program:
        return b"__assert_fail" in program.read()


DISCS = {
    "discs": ({}, "", ""),
    "discs-as-playlists": ({"cue_sheets": False}, "", 'playlist_plugin {\n name "cue"\n as_directory "no"\n}\n'),
    "discs-beside-files": ({"hide_cue_targets": False}, ' hide_playlist_targets "no"\n', ""),
}
"""The kinds of servers that read cue sheets: Segue's settings, and MPD's in its database and beside it."""


class OriginalMPD(ReferenceMPD):
    """MPD with everything that the scenarios need."""

    def __init__(self, folder, music, with_passwords=False, binary=None, discs=("", "")):
        super().__init__(folder, music, binary)
        self.with_passwords = with_passwords
        configuration = folder / "mpd.conf"
        text = configuration.read_text(encoding="utf-8").replace(
            f'db_file "{folder}/database"\n',
            f'database {{\n plugin "simple"\n path "{folder}/database"\n{discs[0]}}}\n{discs[1]}')
        configuration.write_text(text, encoding="utf-8")
        more = f'sticker_file "{folder}/stickers"\nzeroconf_enabled "no"\n'
        if with_passwords:
            more += 'default_permissions "read"\n' + "".join(
                f'password "{word}@{",".join(allowed)}"\n' for word, allowed in PASSWORDS.items())
        with open(folder / "mpd.conf", "a", encoding="utf-8") as configuration:
            configuration.write(more)

    def hangs(self):
        """Whether it doesn't greet: MPD 0.23 may wait for itself without an end when a song ends."""
        try:
            with socket.create_connection((self.host, self.port), 5) as connection:
                return not connection.recv(16).startswith(b"OK MPD")
        except OSError:
            return True

    def update(self, client):
        """Starts an update, for which a password may be needed."""
        if self.with_passwords:
            client.password("owner")
        client.update()


KINDS = {"permissions": "passwords", "cue": "discs", "cue-playlists": "discs-as-playlists",
         "cue-files": "discs-beside-files", "containers": "containers"}
"""The kinds of servers that files of scenarios want, where the plain ones don't do."""


OWN_MUSIC = {**dict.fromkeys(DISCS, make_discs), "containers": make_containers}
"""The kinds of servers that have music of their own, and what makes it."""


def make_music(kind, folder):
    """Fills a folder with the music of a kind; gives the number of songs."""
    folder.mkdir()
    return OWN_MUSIC.get(kind, make_folder)(folder)


def original_mpd(kind, folder, music, binary=None):
    """MPD of a kind."""
    return OriginalMPD(folder, music, kind == "passwords", binary, DISCS.get(kind, DISCS["discs"])[1:])


def is_filled(server):
    """Whether a server has songs, and takes no more."""
    client = server.client()
    try:
        return client.find("file", "root song.flac") and "updating_db" not in client.status()
    finally:
        client.disconnect()


def start_pair(kind, folder, music, songs, registry):
    """Segue and MPD on the same music."""
    with_passwords = kind == "passwords"
    # A stream that is never sent is given up soon.
    local = DISCS.get(kind, DISCS["discs"])[0]
    sections = {"local": {"music_directory": music, **local}, "playback": {"radio_timeout": 2}}
    if with_passwords:
        sections["server"] = {"default_permissions": ["read"]}
        sections["server.password"] = [
            {"password": word, "permissions": allowed} for word, allowed in PASSWORDS.items()]
    segue = Segue(folder / "segue", registry, **sections)
    original = original_mpd(kind, folder / "mpd", music)
    try:
        original.start(songs)
        segue.start(songs if kind not in DISCS else None)
        if kind in DISCS:
            # The tracks of discs are songs, too, and each kind has another number of them.
            wait_for(lambda: is_filled(segue), 120, "a whole library")
    except BaseException:
        original.kill()
        segue.kill()
        raise
    return segue, original
