"""Music whose names are not UTF-8: Latin-1 and Shift-JIS on the disk, UTF-8 for clients, and everything works."""
import os
import shutil
import urllib.parse

import pytest
from clients.desktop import MediaPlayer, SessionBus
from harness.clients import RawClient
from harness.music import COVER, noise, wav_samples
from harness.old_mpd import OldMPD
from harness.old_names import OldDisk, files, put, put_song, raw
from harness.reference import ReferenceMPD, mpd_binary
from harness.programs import need
from harness.segue import Segue
from harness.waiting import wait_for

DISKS = {"latin-1": ("iso-8859-1", "Mötley & Fräulein", "Übung Größe é"),
         # The second bytes of the first and the second letter are those of `\` and `|`.
         "shift-jis": ("cp932", "ソポ十表", "曲ソ能")}
TWO = [noise(1, 2), noise(2, 1)]


@pytest.fixture(params=DISKS)
def disk(request, tmp_path, tracks):
    """A disk of each charset; five songs beside the disc, of which two are its tracks."""
    return OldDisk(tmp_path / "music", *DISKS[request.param]).fill(tracks["Sill"].path, TWO)


@pytest.fixture
def server(disk, tmp_path, start_segue):
    """Segue on the disk, with a recording."""
    return start_segue(songs=5, local={"music_directory": disk.folder, "filename_charset": disk.charset},
                       output=[{"type": "file", "name": "Recording", "path": tmp_path / "out.wav"}])


def names(disk):
    """The paths as clients see them."""
    folder, song = disk.artist, disk.song
    return sorted([f"{folder}/{song}.flac", f"{folder}/{song} 2.wav", f"{folder}/disc/{song}.cue/track0001",
                   f"{folder}/disc/{song}.cue/track0002", f"Ünïcode 曲/{song[:1]}.flac"])


def test_songs_have_readable_names_their_tags_and_sound(disk, server, tmp_path):
    client = server.client()
    folder, song = disk.artist, disk.song
    assert files(client) == names(disk)
    assert "names that are" not in server.log
    (found,) = [entry for entry in client.lsinfo(folder) if entry.get("file") == f"{folder}/{song}.flac"]
    assert (found["title"], found["artist"], found["time"]) == (song, folder, "4")
    assert [entry["file"] for entry in client.find("file", f"{folder}/{song}.flac")] == [f"{folder}/{song}.flac"]
    assert client.readcomments(f"{folder}/{song}.flac")["title"] == song
    listed = client.listfiles(folder)
    assert {entry["file"] for entry in listed if "file" in entry} >= {f"{song}.flac", f"{song}.lrc", "cover.png"}
    client.add(f"{folder}/{song} 2.wav")
    client.add(f"{folder}/disc")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    assert "error" not in client.status()
    assert server.stop()[0] == 0
    # The sound of the file, and that of both tracks of the sheet, which names the disc's file.
    assert wav_samples(tmp_path / "out.wav") == TWO[0] + TWO[0] + TWO[1]


def test_covers_words_lists_and_fingerprints_are_found_beside_and_in_them(disk, server):
    client = server.client()
    path = f"{disk.artist}/{disk.song}.flac"
    picture = client.albumart(path)
    assert picture["binary"] == COVER and picture["file"] == f"{disk.artist}/cover.png"
    assert client.readpicture(path)["binary"] == COVER
    with RawClient(server) as raw_client:
        answer = raw_client.ask(f'readcomments "{path}"'.encode())
        assert any(disk.song.encode() in line for line in answer)
        assert raw_client.ask(f'getfingerprint "{path}"'.encode())[0].startswith(b"chromaprint: ")
        raw_client.send(f'readlyrics "{path}" 0\n'.encode())
        assert raw_client.line().startswith(b"size: ")
    songs = f"{disk.artist}/{disk.song}.m3u"
    assert {"playlist": songs} in [{"playlist": entry.get("playlist")} for entry in client.lsinfo(disk.artist)]
    assert client.listplaylist(songs) == [path, f"{disk.artist}/{disk.song} 2.wav"]
    client.load(songs)
    assert len(client.playlistinfo()) == 2
    client.clear()
    client.load(f"{disk.artist}/disc/{disk.song}.cue")
    assert [song["title"] for song in client.playlistinfo()] == [f"{disk.song} 1", f"{disk.song} 2"]


def test_changes_are_noticed_by_themselves(disk, server, tracks):
    client = server.client()

    def expect(what, *paths):
        wait_for(lambda: files(client) == sorted([*names(disk), *paths]), 30, what)
    put_song(disk.folder, f"{disk.artist}/{disk.song}3.flac", disk.charset, tracks["Lamp"].path)
    expect("a new file", f"{disk.artist}/{disk.song}3.flac")
    client.add(f"{disk.artist}/{disk.song}3.flac")
    os.rename(disk.path(f"{disk.artist}/{disk.song}3.flac"), disk.path(f"{disk.song}4.flac"))
    expect("a renamed file", f"{disk.song}4.flac")
    # It is the same song, which the queue still has.
    assert client.playlistinfo()[0]["file"] == f"{disk.song}4.flac"
    os.mkdir(disk.path(f"{disk.song}5"))
    os.rename(disk.path(f"{disk.song}4.flac"), disk.path(f"{disk.song}5/{disk.song}.flac"))
    expect("a new folder", f"{disk.song}5/{disk.song}.flac")
    os.rename(disk.path(f"{disk.song}5"), disk.path(f"{disk.song}6"))
    expect("a renamed folder", f"{disk.song}6/{disk.song}.flac")
    os.remove(disk.path(f"{disk.song}6/{disk.song}.flac"))
    expect("a lost file")


def test_update_takes_a_path_and_rules_leave_names_out(disk, tmp_path, tracks, start_segue):
    folder, song = disk.artist, disk.song
    server = start_segue(songs=5, local={"music_directory": disk.folder, "filename_charset": disk.charset,
                                         "auto_update": False})
    client = server.client()
    put_song(disk.folder, f"{folder}/{song}3.flac", disk.charset, tracks["Lamp"].path)
    put_song(disk.folder, f"{song}/x.flac", disk.charset, tracks["Lamp"].path)
    client.update(f"{folder}/{song}3.flac")
    wait_for(lambda: f"{folder}/{song}3.flac" in files(client), 30, "the file")
    assert f"{song}/x.flac" not in files(client)
    client.update(song)
    wait_for(lambda: f"{song}/x.flac" in files(client), 30, "the folder")
    put(disk.folder, ".mpdignore", disk.charset, f"{song}\n".encode(disk.charset))
    put(disk.folder, f"{folder}/.ndignore", disk.charset, f"{song}3.flac\n".encode())
    client.update()
    wait_for(lambda: files(client) == names(disk), 30, "fewer songs")


def test_a_song_goes_on_after_a_restart_and_without_the_charset_is_gone(disk, server):
    client = server.client()
    client.add(f"{disk.artist}/{disk.song}.flac")
    assert server.stop()[0] == 0
    server.start(songs=5)
    client = server.client()
    assert client.playlistinfo()[0]["file"] == f"{disk.artist}/{disk.song}.flac"
    assert server.stop()[0] == 0
    del server.sections["local"]["filename_charset"]
    server.start(songs=1)
    assert files(server.client()) == [f"Ünïcode 曲/{disk.song[:1]}.flac"]
    # The folder's name is all that is seen of what is in it.
    assert "has 1 names that are not UTF-8 and are skipped; set filename_charset in [local]" in server.log


def test_of_two_names_with_one_text_that_in_utf8_counts(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    put_song(music, "é.flac", "latin-1", tracks["Sill"].path, title="Old")
    put_song(music, "é.flac", "utf-8", tracks["Lamp"].path, title="New")
    server = start_segue(songs=1, local={"music_directory": music, "filename_charset": "iso-8859-1"})
    client = server.client()
    assert client.lsinfo()[0]["title"] == "New"
    assert "é.flac exists twice, its name in UTF-8 and in iso-8859-1" in server.log
    os.remove(raw(music, "é.flac", "utf-8"))
    wait_for(lambda: client.lsinfo()[0].get("title") == "Old", 30, "the other file")


def test_names_that_fit_nothing_are_counted_and_odd_ones_are_no_lines(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    put_song(music, "ok.flac", "utf-8", tracks["Sill"].path)
    for name in (b"\x81.flac", b"\xe9\n.flac", b"\n.flac", b"a\r\nb.flac", b"\x85.flac", b".\xe9.flac"):
        shutil.copy(tracks["Sill"].path, os.path.join(os.fsencode(music), name))
    server = start_segue(songs=2, local={"music_directory": music, "filename_charset": "windows-1252"})
    client = server.client()
    assert files(client) == ["ok.flac", "….flac"]
    assert "has 1 names that are neither UTF-8 nor windows-1252 and are skipped" in server.log
    shutil.copy(tracks["Sill"].path, os.path.join(os.fsencode(music), b"\xe8\n.flac"))
    shutil.copy(tracks["Sill"].path, os.path.join(os.fsencode(music), b"\xe8.flac"))
    wait_for(lambda: files(client) == ["ok.flac", "è.flac", "….flac"], 30, "the new file that has a name")


def test_links_out_of_the_folder_are_not_followed_by_a_like_name(tmp_path, tracks, start_segue):
    (music := tmp_path / "music").mkdir()
    put_song(tmp_path, "é/secret.flac", "latin-1", tracks["Sill"].path)
    put_song(music, "é/mine.flac", "utf-8", tracks["Sill"].path)
    os.symlink(raw(tmp_path, "é", "latin-1"), raw(music, "lö", "latin-1"))
    server = start_segue(songs=1, local={"music_directory": music, "filename_charset": "iso-8859-1",
                                         "follow_outside_symlinks": False})
    client = server.client()
    assert files(client) == ["é/mine.flac"]
    for path in ("é/../../é/secret.flac", "lö/secret.flac", "../é/secret.flac"):
        with RawClient(server) as client:
            assert client.ask(f'add "{path}"'.encode())[0].startswith(b"ACK")


def test_the_folder_itself_and_one_that_a_client_mounts_may_have_an_old_name(tmp_path, tracks, start_segue):
    for folder, song in (("Müsik", "é.flac"), ("Plattén", "ö.flac")):
        put_song(tmp_path, f"{folder}/{song}", "latin-1", tracks["Sill"].path, title=song)
    server = start_segue(songs=1, local={"music_directory": tmp_path / "Müsik", "filename_charset": "iso-8859-1"})
    client = server.client()
    checked = server.run("check", "--config", server.configuration)
    assert "music folder" in checked.stdout and checked.returncode == 0, checked.stdout
    assert files(client) == ["é.flac"]
    with RawClient(server, over_socket=True) as local:
        assert local.ask(f'mount disk "file://{tmp_path}/Platt%E9n"'.encode()) == [b"OK"]
        assert f"storage: {tmp_path}/Plattén".encode() in local.ask(b"listmounts")
    wait_for(lambda: files(client) == ["disk/ö.flac", "é.flac"], 30, "the other folder")
    put_song(tmp_path, "Plattén/ü.flac", "latin-1", tracks["Lamp"].path)
    wait_for(lambda: "disk/ü.flac" in files(client), 30, "a new file in it")
    client.add("disk/ö.flac")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.2, 30, "sound")


def test_songs_are_measured(disk, server):
    assert server.stop()[0] == 0
    run = server.run("analyse", "--config", server.configuration, seconds=300)
    assert run.returncode == 0 and "5 of 5 songs are measured." in run.stdout, run.stdout + run.stderr


def test_an_unknown_charset_is_an_error_with_a_cure(tmp_path, registry):
    (tmp_path / "music").mkdir()
    for charset in ("klingon-8", "utf-16"):
        server = Segue(tmp_path / "segue", registry, local={
            "music_directory": tmp_path / "music", "filename_charset": charset})
        server.write_configuration()
        for command in ("check", "serve"):
            run = server.run(command, "--config", server.configuration)
            assert run.returncode != 0
            assert "local.filename_charset" in run.stderr and "iconv -l" in run.stderr, run.stderr


def test_the_desktop_gets_addresses_with_the_bytes_of_names(disk, tmp_path, registry):
    need("dbus-daemon", "gdbus")
    (tmp_path / "bus").mkdir()
    bus = SessionBus(tmp_path / "bus")
    server = Segue(tmp_path / "segue", registry, local={
        "music_directory": disk.folder, "filename_charset": disk.charset})
    try:
        bus.start()
        server.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        server.start(songs=5)
        client = server.client()
        path = f"{disk.artist}/{disk.song}.flac"
        client.add(path)
        client.play(0)
        client.pause(1)
        address = "file://" + urllib.parse.quote(disk.path(path), safe="/!$&'()*+,=:@~")
        player = MediaPlayer(bus, "segue")
        wait_for(lambda: address in (player.property("Metadata") or ""), 30, address)
    finally:
        server.kill()
        bus.kill()


def test_an_import_takes_over_the_charset_and_finds_songs_by_it(disk, tmp_path, registry):
    folder, song = disk.artist, disk.song
    old = OldMPD(tmp_path / "mpd", disk.folder, f'filesystem_charset "{disk.charset}"\n')
    (old.playlists / "List.m3u").write_bytes(f"{folder}/{song}.flac\n".encode(disk.charset))
    old.state.write_text(f"state: stop\nplaylist_begin\n0:{folder}/{song} 2.wav\nplaylist_end\n")
    server = Segue(tmp_path / "segue", registry)
    for kind in ("state", "cache"):
        server.environment[f"SEGUE_SERVER_{kind.upper()}_DIRECTORY"] = str(server.folder / kind)
    run = server.run("import", "mpd", old.settings, "--config", server.configuration)
    assert run.returncode == 0, run.stderr
    assert f'filename_charset = "{disk.charset}"' in server.configuration.read_text()
    assert "Queue: 1 entries." in run.stdout and "Playlists: 1 new" in run.stdout, run.stdout


@pytest.mark.skipif(shutil.which(mpd_binary()) is None, reason="no mpd is installed")
def test_mpd_lists_a_folder_in_its_charset_alike(tmp_path, tracks, start_segue):
    (music := tmp_path / "music").mkdir()
    for name in ("Mötley/Übung é.flac", "Mötley/b.flac", "Größe.flac", "plain/ß/x.flac"):
        put_song(music, name, "latin-1", tracks["Sill"].path)
    mpd = ReferenceMPD(tmp_path / "mpd", music)
    with open(mpd.folder / "mpd.conf", "a", encoding="utf-8") as configuration:
        configuration.write('filesystem_charset "ISO-8859-1"\n')
    server = start_segue(songs=4, local={"music_directory": music, "filename_charset": "ISO-8859-1"})
    try:
        mpd.start()
        with RawClient(mpd) as theirs, RawClient(server) as ours:
            for command in (b"listall", "listall Mötley".encode(), "lsinfo plain/ß".encode()):
                answers = [sorted(line for line in client.ask(command) if line.startswith((b"file", b"directory")))
                           for client in (theirs, ours)]
                assert answers[0] == answers[1] and answers[0]
    finally:
        mpd.kill()
