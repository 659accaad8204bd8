#!/usr/bin/env python3
"""Records the files that a real MPD leaves behind, in a folder here named after its version.

    SEGUE_MPD=/path/to/mpd .build/integration-venv/bin/python Tests/Fixtures/mpd/make.py

Without SEGUE_MPD it is the installed one. The MPD plays the tests' generated music, is used as its version allows, and
is stopped; its state, stickers, playlists and database are copied, and `observed.json` has what its clients saw last.
program/test_import_mpd_files.py moves in from each folder. Newer versions are asked for more; MPD 0.24 can be built
from its source with meson, in a minute.
"""
import json
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Integration"))
sys.dont_write_bytecode = True

from harness.music import make_library
from harness.old_mpd import STREAM, MovingMPD, observed, paths
from harness.reference import mpd_version


def use(client, songs, is_newer):
    """Leaves something of all that is kept."""
    for song in songs:
        client.sticker_set("song", song, "mood", f"calm 🎵 = {song}")
    client.sticker_set("song", songs[0], "rating", "8")
    for song in (*songs[3:5], STREAM, songs[0]):
        client.playlistadd("Evening", song)
    client.playlistadd("Été à Ørsted", songs[-1])
    client.add(songs[5])
    client.load("Evening")
    client.prioid(7, client.playlistinfo()[0]["id"])
    client.rangeid(client.playlistinfo()[2]["id"], "0.5:2")
    client.rangeid(client.playlistinfo()[4]["id"], "1:")
    client.addtagid(client.playlistinfo()[3]["id"], "Title", "A station")
    client.repeat(1)
    client.single("oneshot")
    client.crossfade(4)
    client.mixrampdb(-17)
    client.replay_gain_mode("album")
    client.setvol(63)
    client.disableoutput(1)
    if is_newer:
        client.consume("oneshot")
        client.sticker_set("playlist", "Evening", "note", "of mine")
        client.sticker_set("Artist", "Ada Quartet", "rating", "6")
        client.sticker_set("filter", "(Artist == 'Nora Hale')", "seen", "1")
    client.mount("share", "http://127.0.0.1:9/share")
    client.play(1)
    client.pause(1)
    client.seekcur("1.5")


def allow_mounts(folder):
    """Names the database in a block, which alone can say where mounts have theirs."""
    (folder / "cache").mkdir()
    settings = folder / "mpd.conf"
    text = settings.read_text().replace(f'db_file "{folder}/database"\n', "")
    settings.write_text(text + f'database {{\n plugin "simple"\n path "{folder}/database"\n'
                               f' cache_directory "{folder}/cache"\n}}\n')


def main():
    version = mpd_version()
    folder = HERE / ".".join(map(str, version))
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "music").mkdir()
        library = work / "music", make_library(work / "music")
        server = MovingMPD(work / "mpd", library[0])
        allow_mounts(work / "mpd")
        server.start()
        client = server.client()
        use(client, paths(library), version >= (0, 24))
        seen = observed(client)
        client.disconnect()
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(work / "mpd/playlists", folder / "playlists")
        for file in ("state", "sticker.sql", "database"):
            shutil.copy(work / "mpd" / file, folder)
    (folder / "observed.json").write_text(json.dumps(seen, ensure_ascii=False, indent=1) + "\n")
    print(folder)


main()
