"""Moving in from files as an MPD leaves them behind; none has to be installed."""
import contextlib
import gzip
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile

import pytest
from harness.fake_navidrome import PASSWORD, USER
from harness.old_mpd import RECORDED, OldMPD, import_mpd, observed, paths, serve
from harness.segue import ROOT, Segue


@pytest.fixture
def newcomer(tmp_path, registry):
    """A Segue without a configuration, beside which state and cache of its own are kept."""
    server = Segue(tmp_path / "segue", registry)
    server.environment |= {"SEGUE_SERVER_STATE_DIRECTORY": str(server.folder / "state"),
                           "SEGUE_SERVER_CACHE_DIRECTORY": str(server.folder / "cache")}
    yield server
    server.kill()


@pytest.mark.parametrize("version", RECORDED)
def test_what_each_version_wrote_moves_in(version, tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0], 'audio_output {\n type "null"\n name "Nothing"\n}\n'
                 f'audio_output {{\n type "fifo"\n name "Pipe"\n path "{tmp_path}/pipe"\n}}\n')
    was = old.take_recorded(version)
    is_newer = not version.startswith("0.23")
    count = sum(map(len, was["stickers"].values())) + 3 + 3 * is_newer
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    for line in ("Queue: 5 entries.", "Playlists: 2 new", f"Stickers: {count} new", "share is a network"):
        assert line in output, output
    assert "not understood" not in output and "not found" not in output
    client = serve(newcomer)
    assert observed(client) == was
    assert client.playlistinfo()[3]["title"] == "A station"
    if is_newer:
        assert client.status()["lastloadedplaylist"] == "Evening"
        assert client.sticker_get("playlist", "Evening", "note") == "of mine"
        assert client.sticker_get("Artist", "Ada Quartet", "rating") == "6"
        assert client.sticker_get("filter", "(Artist == 'Nora Hale')", "seen") == "1"


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
    old.take_recorded(RECORDED[-1])
    # More than fit a page, so that what is cut off has some.
    old.stickers.unlink()
    old.write_stickers(*(("song", song, f"note {number}", "x" * 400) for song in songs for number in range(10)))
    old.write_database(*((f"nowhere {number}.flac", [f"Title: {os.urandom(9).hex()}"]) for number in range(50)))
    (old.playlists / "Evening.m3u").write_text(f"{songs[0]}\n")
    which, harm = DAMAGE[damage]
    path = getattr(old, which)
    harm(path)
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert len([line for line in output.splitlines() if line.startswith(f"{path} ")]) == 1, output
    assert "\0" not in output and "Playlists: 2 new" in output
    assert ("Queue: 5 entries." in output) == (which != "state")
    assert (f"Stickers: {10 * len(songs)} new" in output) == (which != "stickers")
    assert "max_connections = 77" in newcomer.configuration.read_text()


def test_names_in_another_charset_are_kept_byte_by_byte(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0])
    (old.playlists / "Evening.m3u").write_bytes(b"gone/Caf\xe9.mp3\n")
    old.state.write_bytes(b"state: stop\nplaylist_begin\n0:gone/\xff\xfe.mp3\nplaylist_end\n")
    import_mpd(newcomer, old, "--config", newcomer.configuration)
    missing = newcomer.folder / "state/mpd-import"
    assert (missing / "playlists/Evening.missing.m3u").read_bytes() == b"gone/Caf\xe9.mp3\n"
    assert (missing / "queue.missing.m3u").read_bytes() == b"gone/\xff\xfe.mp3\n"


def shipped(folder):
    """The package's configuration, made as the package makes it, with a state and a cache in a folder."""
    function = re.search(r"^service_configuration\(\) \{.*?^\}", (ROOT / "contrib/package").read_text(), re.M | re.S)
    text = subprocess.run(["bash", "-ec", function[0] + "\nservice_configuration"], cwd=ROOT, capture_output=True,
                          text=True, check=True).stdout
    return text.replace("/var/lib/segue", f"{folder}/state").replace("/var/cache/segue", f"{folder}/cache")


@pytest.mark.parametrize("is_given", [True, False])
def test_a_configuration_in_which_nothing_is_set_gets_the_settings(is_given, tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0])
    file = newcomer.configuration if is_given else newcomer.folder / ".config/segue/segue.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    before = shipped(newcomer.folder)
    file.write_text(before)
    file.chmod(0o640)
    options = ("--config", file) if is_given else ()
    dry = import_mpd(newcomer, old, *options, "--dry-run")
    assert "would be" in dry and file.read_text() == before
    import_mpd(newcomer, old, *options)
    text = file.read_text()
    assert "max_connections = 77" in text and str(library[0]) in text and f'"{newcomer.folder}/state"' in text
    assert 'socket_group = "audio"' in text and text.count("\nlisten = ") == 1
    assert '\nlisten = ["0.0.0.0:6600", "[::]:6600", "/run/segue/socket"]\n' in text
    assert file.stat().st_mode & 0o777 == 0o640
    assert (file.parent / "segue.toml.before-mpd").read_text() == before
    again = import_mpd(newcomer, old, *options)
    assert file.read_text() == text and "is unchanged" in again
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
    assert "format is skipped" in output
    assert newcomer.run("check", "--config", newcomer.configuration).stdout.count("unknown") == 0


def test_a_service_that_runs_is_named_before_anything_is_written(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0])
    with stopped(newcomer):
        result = newcomer.run("import", "mpd", old.settings, "--config", newcomer.folder / "other.toml")
        assert result.returncode == 1 and "systemctl stop segue" in result.stderr
    assert not (newcomer.folder / "other.toml").exists()
    import_mpd(newcomer, old, "--config", newcomer.folder / "other.toml")


@contextlib.contextmanager
def stopped(server):
    """A server that runs until the end of the block."""
    server.sections["server"].update(state_directory=server.folder / "state")
    server.start()
    yield
    assert server.stop()[0] == 0


def test_without_music_nothing_is_taken_over_until_there_is_some(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", "nfs://server/music")
    (old.playlists / "Evening.m3u").write_text(paths(library)[0] + "\n")
    refused = newcomer.run("import", "mpd", old.settings, "--config", newcomer.configuration)
    assert refused.returncode == 1
    assert "music_directory" in refused.stderr and str(newcomer.configuration) in refused.stderr
    text = newcomer.configuration.read_text()
    newcomer.configuration.write_text(text + f'\n[local]\nmusic_directory = "{library[0]}"\n')
    assert "Playlists: 1 new" in import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert serve(newcomer).listplaylist("Evening") == [paths(library)[0]]


def test_what_finds_nothing_is_taken_over_when_its_songs_are_there(tmp_path, newcomer, library):
    music = tmp_path / "music"
    music.mkdir()
    old = OldMPD(tmp_path / "mpd", music)
    song = library[1][0].path
    (old.playlists / "Evening.m3u").write_text(song.name + "\n")
    old.state.write_text(f"sw_volume: 63\nstate: stop\nplaylist_begin\n0:{song.name}\nplaylist_end\n")
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert "none of its 1 songs" in output and "Playlists: 0 new" in output and "Evening was skipped" in output
    shutil.copy(song, music)
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert "Queue: 1 entries." in output and "Playlists: 1 new" in output
    client = serve(newcomer)
    assert client.listplaylist("Evening") == [song.name] and client.status()["volume"] == "63"


@pytest.mark.parametrize("is_dry_first", [False, True])
def test_songs_of_a_mount_are_found(is_dry_first, tmp_path, newcomer, library):
    disk = tmp_path / "disk"
    disk.mkdir()
    song = shutil.copy(library[1][0].path, disk / "Only here.flac")
    old = OldMPD(tmp_path / "mpd", library[0])
    name = f"usb/{pathlib.Path(song).name}"
    (old.playlists / "Disk.m3u").write_text(name + "\n")
    old.state.write_text("".join(f"mount_begin\nuri: {uri}\nmounted_url: {url}\nmount_end\n" for uri, url in {
        "usb": disk, "gone": tmp_path / "gone", "share": "nfs://me:secret@server/music"}.items())
        + f"state: stop\nplaylist_begin\n0:{name}\nplaylist_end\n")
    for options in [("--dry-run",)] * is_dry_first + [()]:
        output = import_mpd(newcomer, old, "--config", newcomer.configuration, *options)
        for line in ("Queue: 1 entries.", "Playlists: 1 new", "Mounts: 2 new.", "mount gone was skipped", "share is a network"):
            assert line in output, output
    client = serve(newcomer)
    assert client.listplaylist("Disk") == [name] == [entry["file"] for entry in client.playlistinfo()]
    shown = {mount["mount"]: mount.get("storage") for mount in client.listmounts()}
    assert "usb" in shown and shown["share"] == "nfs://server/music"


def test_a_look_at_what_would_be_done_leaves_nothing_mounted(tmp_path, newcomer, library):
    (tmp_path / "disk").mkdir()
    shutil.copy(library[1][0].path, tmp_path / "disk")
    old = OldMPD(tmp_path / "mpd", library[0])
    old.state.write_text(f"mount_begin\nuri: usb\nmounted_url: {tmp_path}/disk\nmount_end\n")
    newcomer.configuration.write_text(f'[local]\nmusic_directory = "{library[0]}"\n')
    assert "index was updated" in import_mpd(newcomer, old, "--config", newcomer.configuration, "--dry-run")
    client = serve(newcomer)
    assert int(client.stats()["songs"]) == len(library[1])
    assert [entry for entry in client.lsinfo("") if entry.get("directory") == "usb"] == []


def test_lists_of_missing_songs_are_in_no_other_ones_way(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0])
    song, long = paths(library)[0], "n" * 250
    for name in ("queue", "stickers", long):
        (old.playlists / f"{name}.m3u").write_text(f"{song}\nmissing from {name}.mp3\n")
    (old.playlists / f"{long}8").write_text("not a playlist\n")
    old.state.write_text(f"state: stop\nplaylist_begin\n0:{song}\n1:gone.mp3\nplaylist_end\n")
    old.write_stickers(("song", "gone.mp3", "mood", "calm"), ("song", song, "mood", "calm"))
    output = import_mpd(newcomer, old, "--config", newcomer.configuration)
    assert "Playlists: 3 new" in output and "Stickers: 1 new" in output
    folder = newcomer.folder / "state/mpd-import"
    assert (folder / "queue.missing.m3u").read_text() == "gone.mp3\n"
    assert "mood=calm" in (folder / "stickers.missing.m3u").read_text()
    assert sorted(file.read_text() for file in (folder / "playlists").iterdir()) == sorted(
        f"missing from {name}.mp3\n" for name in ("queue", "stickers", long))


def test_options_that_were_changed_since_stay_also_where_the_queue_is_empty(tmp_path, newcomer, library):
    old = OldMPD(tmp_path / "mpd", library[0], 'audio_output {\n type "null"\n name "Nothing"\n}\n')
    old.state.write_text("sw_volume: 63\naudio_device_state:0:Nothing\nstate: stop\nrepeat: 1\n")
    import_mpd(newcomer, old, "--config", newcomer.configuration)
    client = serve(newcomer)
    assert (client.status()["volume"], client.status()["repeat"], client.outputs()[0]["outputenabled"]) == ("63", "1", "0")
    client.enableoutput(0)
    client.setvol(20)
    client.repeat(0)
    client.disconnect()
    assert newcomer.stop()[0] == 0
    assert "imported before" in import_mpd(newcomer, old, "--config", newcomer.configuration)
    client = serve(newcomer)
    assert (client.status()["volume"], client.status()["repeat"], client.outputs()[0]["outputenabled"]) == ("20", "0", "1")


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
    assert (server.folder / "state/mpd-import/playlists/Evening.missing.m3u").exists()
    found = subprocess.run(["find", server.folder / "state", server.folder / "cache", "!", "-user", "65534"],
                           capture_output=True, text=True, check=True).stdout
    assert found == ""


@pytest.fixture
def navidrome(start_navidrome, tmp_path):
    """A running fake Navidrome, which also says what MPD would know of its songs."""
    return start_navidrome(songs=60, options=["--mpd-database", tmp_path / "database"])


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
    assert "Playlists: 0 new, 1 already" in again and "Stickers: 0 new, 4 already" in again and "one already" in again
    client = serve(newcomer)
    assert [song["file"] for song in client.playlistinfo()] == list(files.values())
    assert client.listplaylist("Evening") == list(files.values())
    for song in files.values():
        assert client.sticker_get("song", song, "mood") == song
