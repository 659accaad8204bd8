"""Discs in one file with a cue sheet, beside the same discs in a file for each track."""
import shutil
import subprocess

import pytest
from harness.clients import RawClient
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import MP3_ENCODER, encode_flac, generate, wav_samples
from harness.segue import ROOT
from harness.waiting import wait_for
from mutagen.flac import FLAC
from mutagen.id3 import ID3, TIT1, TIT2, TXXX
from mutagen.mp4 import MP4, MP4FreeForm

TITLES = ("Sill", "Lamp", "Window")
FRAME = 4
FAST = {"type": "null", "name": "Fast", "sync": False}
"""An output that waits for nothing."""
CD_FRAME = 588 * FRAME
"""Bytes of a 75th of a second."""


def parts(tracks):
    """The samples of three tracks, cut where a cue sheet can say it."""
    whole = b"".join(tracks[title].samples for title in TITLES)
    ends = [len(tracks["Sill"].samples) // CD_FRAME * CD_FRAME - 7 * CD_FRAME]
    ends.append(ends[0] + len(tracks["Lamp"].samples) // CD_FRAME * CD_FRAME - 11 * CD_FRAME)
    return whole[:ends[0]], whole[ends[0]:ends[1]], whole[ends[1]:]


def sheet(cut, file="disc.flac"):
    """A cue sheet of them."""
    lines = ['PERFORMER "Ada"', 'TITLE "Disc"', f'FILE "{file}" WAVE']
    start = 0
    for number, (title, samples) in enumerate(zip(TITLES, cut), 1):
        frames = start // CD_FRAME
        time = f"{frames // 75 // 60:02}:{frames // 75 % 60:02}:{frames % 75:02}"
        lines += [f"  TRACK {number:02} AUDIO", f'    TITLE "{title}"', f'    PERFORMER "{title} Players"']
        if number > 1:
            pause = frames - 30
            lines.append(f"    INDEX 00 {pause // 75 // 60:02}:{pause // 75 % 60:02}:{pause % 75:02}")
        lines.append(f"    INDEX 01 {time}")
        start += len(samples)
    return "\n".join(lines) + "\n"


def play(server, *arguments):
    """Plays what is in the queue to its end."""
    client = server.client()
    client.play(*arguments)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    assert "error" not in client.status()
    return client


@pytest.fixture
def disc(tmp_path, tracks, start_segue):
    """Starts Segue with the disc once as a file with a sheet and once as files."""
    cut = parts(tracks)

    def start(place="beside the file"):
        music = tmp_path / "music"
        (music / "one").mkdir(parents=True)
        (music / "each").mkdir()
        encode_flac(music / "one/disc.flac", b"".join(cut))
        if place == "in its tag":
            file = FLAC(music / "one/disc.flac")
            file["cuesheet"] = sheet(cut)
            file.save()
        elif place == "in its block":
            (tmp_path / "disc.cue").write_text(sheet(cut))
            subprocess.run(["metaflac", f"--import-cuesheet-from={tmp_path}/disc.cue", music / "one/disc.flac"],
                           check=True)
        else:
            (music / "one/disc.cue").write_text(sheet(cut))
        for number, (title, samples) in enumerate(zip(TITLES, cut), 1):
            encode_flac(music / f"each/{number}.flac", samples)
            file = FLAC(music / f"each/{number}.flac")
            file.update({"title": title, "artist": f"{title} Players", "album": "Disc", "albumartist": "Ada",
                         "tracknumber": f"{number:02}"})
            file.save()
        output = {"type": "file", "name": "Recording", "path": tmp_path / "out.wav"}
        return start_segue(songs=6, output=[output, FAST], local={"music_directory": music})
    return start, cut, tmp_path / "out.wav"


@pytest.mark.parametrize("place", [
    "beside the file", "in its tag",
    pytest.param("in its block", marks=pytest.mark.skipif(not shutil.which("metaflac"), reason="needs metaflac")),
])
def test_a_disc_in_one_file_sounds_as_its_file_does(disc, place):
    start, cut, recording = disc
    server = start(place)
    client = server.client()
    client.add("one")
    assert [song["track"].lstrip("0") for song in client.playlistinfo()] == ["1", "2", "3"]
    play(server, 0)
    assert server.stop()[0] == 0
    assert wav_samples(recording) == b"".join(cut)


@pytest.mark.parametrize("name", ["disc.mp3", "disc.m4a"])
def test_a_disc_with_a_sheet_in_its_tag_is_its_tracks(name, tmp_path, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    text = sheet([bytes(CD_FRAME * 10)] * 2, name).replace("\n", "\r\n")
    if name == "disc.mp3":
        generate(music / name, 1, MP3_ENCODER)
        tags = ID3()
        tags.add(TXXX(encoding=3, desc="CUESHEET", text=text))
        tags.save(music / name)
    else:
        shutil.copy(ROOT / "Tests/Fixtures/audio/a-alac.m4a", music / name)
        file = MP4(music / name)
        file["----:com.apple.iTunes:CUESHEET"] = [MP4FreeForm(text.encode())]
        file.save()
    songs = start_segue(songs=2, local={"music_directory": music}).client().listallinfo()
    assert [(song["title"], song["track"]) for song in songs if "file" in song] == [("Sill", "01"), ("Lamp", "02")]


@pytest.mark.smoke
def test_a_single_track_begins_and_ends_on_the_sample(disc):
    start, cut, recording = disc
    server = start()
    client = server.client()
    client.add("one/disc.cue/track0002")
    client.add("each/2.flac")
    client.add("one/disc.cue/track0001")
    play(server, 0)
    assert server.stop()[0] == 0
    assert wav_samples(recording) == cut[1] + cut[1] + cut[0]


def test_a_disc_in_one_file_answers_as_the_disc_in_files(disc):
    start, _, _ = disc
    client = start().client()

    def seen(songs):
        own = ("file", "realuri", "range", "last-modified", "added", "pos", "id", "format", "time", "duration")
        return [{name: int(value) if name == "track" else value for name, value in song.items() if name not in own}
                for song in songs]
    assert seen(client.find("base", "one")) == seen(client.find("base", "each"))
    for one, each in zip(client.find("base", "one"), client.find("base", "each")):
        # Both ends of a track are cut to milliseconds.
        assert abs(float(one["duration"]) - float(each["duration"])) < 0.0015
    assert len(client.find("title", "Lamp")) == 2
    assert client.count("base", "one")["songs"] == client.count("base", "each")["songs"] == "3"
    client.sticker_set("song", "one/disc.cue/track0003", "rating", "8")
    assert client.sticker_get("song", "one/disc.cue/track0003", "rating") == "8"
    client.load("one/disc.cue")
    assert [song["title"] for song in client.playlistinfo()] == list(TITLES)


def test_elapsed_and_seeking_count_from_the_track_s_beginning(disc):
    start, _, _ = disc
    client = start().client()
    client.disableoutput(1)
    client.add("one/disc.cue/track0002")
    client.play(0)
    client.pause(1)
    client.seekcur("1.5")
    status = client.status()
    assert 1.4 < float(status["elapsed"]) < 1.6
    # Once the engine has opened the file, its duration counts, whose ends are not cut to milliseconds.
    assert abs(float(status["duration"]) - float(client.playlistinfo()[0]["duration"])) < 0.0015


@pytest.fixture
def served_disc(tmp_path, tracks):
    """A fake Navidrome each of whose songs sounds like the disc, and a folder for sheets."""
    cut = parts(tracks)
    (tmp_path / "audio").mkdir()
    (tmp_path / "sheets/deep").mkdir(parents=True)
    encode_flac(tmp_path / "audio/disc.flac", b"".join(cut))
    server = FakeNavidrome(tmp_path, songs=20, audio=tmp_path / "audio").start()
    yield server, cut, tmp_path / "sheets"
    server.kill()


def start_with_sheets(start_segue, tmp_path, served, songs, sheets):
    """Starts Segue on a server's songs with a folder of sheets."""
    output = [{"type": "file", "name": "Recording", "path": tmp_path / "out.wav"}, FAST]
    return start_segue(songs=songs, output=output, navidrome={
        "url": served.url, "username": USER, "password": PASSWORD, "sync_interval": 1, "cue_folder": sheets})


def test_a_disc_that_the_server_shows_as_one_song_is_divided_by_a_sheet(served_disc, tmp_path, start_segue):
    served, cut, sheets = served_disc
    disc = served.call("search3", query="", songCount=1)["searchResult3"]["song"][0]
    stem = disc["path"].rpartition("/")[2].rpartition(".")[0]
    server = start_with_sheets(start_segue, tmp_path, served, 20, sheets)
    client = server.client()
    assert [song["file"] for song in client.find("title", disc["title"])] == [disc["path"]]
    (sheets / "deep/my disc.cue").write_text(sheet(cut, file=f"C:\\rips\\{stem}.wav"))
    server.wait_for_songs(22)
    assert not client.find("file", disc["path"])
    assert client.lsinfo(disc["path"])[0]["title"] == disc["title"]
    client.playlistadd("whole", disc["path"])
    assert client.listplaylist("whole") == [disc["path"]]
    # Its picture is there, and what the server says of it is taken in both directions.
    assert client.albumart(disc["path"])["binary"]
    served.call("star", id=disc["id"])
    wait_for(lambda: client.sticker_list("song", disc["path"]).get("like") == "2", what="the server's star")
    served.call("unstar", id=disc["id"])
    wait_for(lambda: "like" not in client.sticker_list("song", disc["path"]), what="no star")
    songs = client.find("base", f"{disc['path'].rpartition('/')[0]}/my disc.cue")
    assert [song["title"] for song in songs] == list(TITLES)
    assert songs[1]["artist"] == "Lamp Players" and "range" in songs[1] and songs[1]["realuri"] == disc["path"]
    assert [song["file"] for song in client.search("title", "lamp") if song["title"] == "Lamp"] == [songs[1]["file"]]
    client.sticker_set("song", songs[2]["file"], "rating", "8")
    client.add(songs[1]["file"])
    client.add(songs[0]["file"])
    client.add(songs[1]["file"])
    play(server, 0)
    # A play of a track is none of the disc's.
    assert served.call("getSong", id=disc["id"])["song"].get("playCount", 0) == disc.get("playCount", 0)
    # The sheet goes, and the server's song is back.
    (sheets / "deep/my disc.cue").unlink()
    server.wait_for_songs(20)
    assert [song["file"] for song in client.find("title", disc["title"])] == [disc["path"]]
    assert client.listplaylist("whole") == [disc["path"]]
    wait_for(lambda: client.status()["playlistlength"] == "0", what="a queue without the tracks")
    # And the other way round; what belongs to the tracks is theirs again.
    (sheets / "my disc.cue").write_text(sheet(cut, file=f"{disc['title']}.flac"))
    server.wait_for_songs(22)
    assert client.sticker_get("song", songs[2]["file"], "rating") == "8"
    assert server.stop()[0] == 0
    assert wav_samples(tmp_path / "out.wav") == cut[1] + cut[0] + cut[1]


def test_a_disc_is_divided_by_the_sheet_that_navidrome_found_in_its_tags_or_lyrics(
        served_disc, tmp_path, start_segue):
    served, cut, sheets = served_disc
    served.control("song", n=0, title="Whole Disc", duration=3600)
    disc = served.call("search3", query="whole disc")["searchResult3"]["song"][0]
    server = start_with_sheets(start_segue, tmp_path, served, 20, sheets)
    client = server.client()
    served.control("song", n=0, cuesheet=sheet(cut, file="CDImage.wav").replace("\n", "\r\n"))
    server.wait_for_songs(22)
    place = disc["path"].rpartition(".")[0] + ".cue"
    songs = client.find("base", place)
    assert [song["file"] for song in songs] == [f"{place}/track000{number}" for number in (1, 2, 3)]
    assert [song["title"] for song in songs] == list(TITLES)
    assert songs[1]["album"] == "Disc" and songs[1]["realuri"] == disc["path"] and "range" in songs[1]
    assert [song["file"] for song in client.search("title", "lamp") if song["title"] == "Lamp"] == [songs[1]["file"]]
    assert not client.find("title", "Whole Disc")
    client.playlistadd("whole", songs[0]["realuri"])
    assert client.listplaylistinfo("whole")[0]["title"] == "Whole Disc"
    client.sticker_set("song", songs[2]["file"], "rating", "8")
    for song in (songs[1], songs[0], songs[1]):
        client.add(song["file"])
    play(server, 0)
    assert served.call("getSong", id=disc["id"])["song"].get("playCount", 0) == disc.get("playCount", 0)
    # A failure of the list of tags leaves the tracks where they are.
    served.control("fault", mode="http500", match="song")
    served.control("song", n=1, title="Touched")
    wait_for(lambda: client.find("title", "Touched"), what="the change")
    assert "cue sheets in the server's tags can't be read" in server.log
    assert client.stats()["songs"] == "22" and client.status()["playlistlength"] == "3"
    served.control("fault", mode="none")
    # The sheet goes, and the server's song is back.
    served.control("song", n=0, cuesheet="")
    server.wait_for_songs(20)
    assert [song["file"] for song in client.find("title", "Whole Disc")] == [disc["path"]]
    wait_for(lambda: client.status()["playlistlength"] == "0", what="a queue without the tracks")
    # In the lyrics it does the same, and is not shown as such.
    served.control("lyrics", n=0, text=sheet(cut))
    server.wait_for_songs(22)
    assert client.sticker_get("song", songs[2]["file"], "rating") == "8"
    with RawClient(server) as raw:
        for uri in (disc["path"], songs[0]["file"]):
            assert raw.ask(f'readlyrics "{uri}" 0'.encode()) == [b"OK"]
    # A sheet in the folder wins.
    (sheets / "whole disc.cue").write_text(sheet(cut[:2] + (b"",)))
    tracks = [f"{place.rpartition('/')[0]}/whole disc.cue/track000{number}" for number in (1, 2, 3)]
    wait_for(lambda: [song["file"] for song in client.search("file", ".cue/")] == tracks, what="the folder's tracks")
    assert server.stop()[0] == 0
    assert wav_samples(tmp_path / "out.wav") == cut[1] + cut[0] + cut[1]


def test_sheets_that_fit_no_song_or_two_change_nothing(served_disc, tmp_path, start_segue):
    served, cut, sheets = served_disc
    disc = served.call("search3", query="", songCount=1)["searchResult3"]["song"][0]
    late = sheet(cut, file=f"{disc['title']}.flac").replace("INDEX 01 00:0", "INDEX 01 99:0")
    (sheets / "late.cue").write_text(late)
    (sheets / "other.cue").write_text(sheet(cut, file="no song of that name.flac"))
    (sheets / "nonsense.cue").write_bytes(bytes(range(256)) * 100)
    (sheets / "huge.cue").write_bytes(b"REM " * 1_000_000)
    server = start_with_sheets(start_segue, tmp_path, served, 20, sheets)
    # A folder that goes leaves everything as it is, and says so.
    sheets.rename(tmp_path / "gone")
    wait_for(lambda: "cue_folder" in server.log, 20, "the warning")
    assert server.client().stats()["songs"] == "20"
    assert server.stop()[0] == 0


def test_old_tags_are_read_in_the_charset_of_the_configuration(tmp_path, start_segue):
    """Also those of files that were read in another one before, without an update."""
    music = tmp_path / "music"
    music.mkdir()
    generate(music / "one.mp3", 2, MP3_ENCODER)
    tags = ID3()
    # What is called Latin-1 there has always been the charset of the machine.
    for frame, text in ((TIT2, "Мир"), (TIT1, "Дом")):
        tags.add(frame(encoding=0, text=text.encode("cp1251").decode("latin-1")))
    tags.save(music / "one.mp3", v1=0)
    server = start_segue(songs=1, local={"music_directory": music})
    client = server.client()
    assert client.listallinfo()[0]["title"] == "Ìèð"
    assert server.stop()[0] == 0
    server.sections["local"]["legacy_charset"] = "windows-1251"
    server.start(songs=1)
    client = server.client()
    wait_for(lambda: client.listallinfo()[0]["title"] == "Мир", 30, "the title in its charset")
    assert client.listallinfo()[0]["grouping"] == "Дом"


def test_covers_have_the_names_of_the_configuration_and_feeds_are_playlists(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    shutil.copy(tracks["Sill"].path, music / "one.flac")
    jpeg, png = b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n"
    (music / "cover.jpg").write_bytes(jpeg + b"usual")
    (music / "BOOKLET.png").write_bytes(png + b"wanted")
    (music / "feed.rss").write_text("<rss><channel><item><title>Talk</title>"
                                    "<enclosure url='http://127.0.0.1:1/a.mp3'/></item></channel></rss>")
    client = start_segue(songs=1, local={"music_directory": music, "cover_names": ["sleeve", "booklet"]}).client()
    picture = client.albumart("one.flac")
    assert (picture["binary"], picture["file"]) == (png + b"wanted", "BOOKLET.png")
    (music / "sleeve.jpg").write_bytes(jpeg + b"better")
    assert client.albumart("one.flac")["binary"] == jpeg + b"better"
    assert "feed.rss" in [entry.get("playlist") for entry in client.lsinfo()]
    client.load("feed.rss")
    assert client.playlistinfo()[0]["title"] == "Talk"


def test_new_files_appear_by_themselves(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    shutil.copy(tracks["Sill"].path, music / "one.flac")
    server = start_segue(songs=1, local={"music_directory": music})
    (music / "New").mkdir()
    shutil.copy(tracks["Lamp"].path, music / "New/two.flac")
    server.wait_for_songs(2)
    shutil.rmtree(music / "New")
    server.wait_for_songs(1)
    shutil.copy(tracks["Lamp"].path, music / "two.flac")
    server.wait_for_songs(2)
    (music / ".mpdignore").write_text("one*\n")
    server.wait_for_songs(1)


def test_folders_are_left_alone_where_that_is_wanted(tmp_path, tracks, start_segue):
    music = tmp_path / "music"
    music.mkdir()
    shutil.copy(tracks["Sill"].path, music / "one.flac")
    server = start_segue(songs=1, local={"music_directory": music, "auto_update": False})
    shutil.copy(tracks["Lamp"].path, music / "two.flac")
    client = server.client()
    client.update("one.flac")
    wait_for(lambda: "updating_db" not in client.status(), 30, "the update")
    assert client.stats()["songs"] == "1"
    client.update()
    server.wait_for_songs(2)
