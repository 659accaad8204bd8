"""Files that a cue sheet divides: their names, the sheet's tags in queues, and sheets within them."""
import shutil
import subprocess

import pytest
from harness.clients import RawClient
from harness.music import FLAC_ENCODER, generate
from harness.processes import can_connect_to, free_port
from harness.waiting import wait_for
from harness.web import Web
from mutagen.flac import FLAC

SHEET = """REM GENRE "Synth Pop"
PERFORMER "The Band"
TITLE "The Disc"
FILE "disc.flac" WAVE
  TRACK 01 AUDIO
    TITLE "One"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Two"
    PERFORMER "Guest"
    INDEX 01 00:04:00
"""


@pytest.fixture
def music(tmp_path):
    """A folder with a disc in one file."""
    folder = tmp_path / "music"
    (folder / "disc").mkdir(parents=True)
    generate(folder / "disc/disc.flac", 9, FLAC_ENCODER)
    file = FLAC(folder / "disc/disc.flac")
    file.delete()
    file.update({"title": "Whole", "artist": "File Artist", "label": "Loud"})
    file.save()
    return folder


def titles(songs):
    """What clients see of songs."""
    return [(song["title"], song["artist"], song.get("album"), song.get("range")) for song in songs]


PARTS = [("One", "File Artist", "The Disc", "0.000-4.000"), ("Two", "Guest", "The Disc", "4.000-")]


def test_tracks_of_a_loaded_sheet_keep_its_tags_in_the_queue_over_a_restart(music, start_segue):
    (music / "disc/disc.cue").write_text(SHEET)
    port = free_port()
    server = start_segue(songs=1, local={"music_directory": music, "cue_sheets": False},
                         web={"listen": [f"127.0.0.1:{port}"]})
    client = server.client()
    client.load("disc/disc.cue")
    assert titles(client.playlistinfo()) == titles(client.listplaylistinfo("disc/disc.cue")) == PARTS
    assert titles(client.plchanges(0)) == PARTS
    assert titles(client.playlistfind("genre", "Synth Pop")) == PARTS
    assert client.playlistfind("title", "Whole") == []
    client.play(1)
    wait_for(lambda: client.status()["state"] == "play", what="playing")
    client.pause(1)
    assert titles([client.currentsong()]) == PARTS[1:]
    assert client.currentsong()["label"] == "Loud"
    assert [row["title"] for row in Web(port).get("/api/queue")["items"]] == ["One", "Two"]
    assert server.stop()[0] == 0
    client = server.start(songs=1).client()
    assert titles(client.playlistinfo()) == PARTS
    assert titles([client.currentsong()]) == PARTS[1:]


def test_what_belongs_to_a_file_stays_when_its_sheet_comes_and_goes(music, start_segue):
    (music / "all.m3u").write_text("disc/disc.flac\n")
    port = free_port()
    server = start_segue(songs=1, local={"music_directory": music}, web={"listen": [f"127.0.0.1:{port}"]})
    client = server.client()
    client.add("disc/disc.flac")
    client.playlistadd("mine", "disc/disc.flac")
    client.sticker_set("song", "disc/disc.flac", "mood", "calm")
    before = client.playlistinfo()

    def check():
        assert client.playlistinfo() == before
        assert client.listplaylistinfo("mine")[0]["title"] == "Whole"
        assert client.sticker_get("song", "disc/disc.flac", "mood") == "calm"
        assert client.lsinfo("disc/disc.flac")[0]["title"] == "Whole"
        assert client.listplaylist("all.m3u") == ["disc/disc.flac"]
        assert client.readcomments("disc/disc.flac")["artist"] == "File Artist"
    check()
    (music / "disc/disc.cue").write_text(SHEET)
    server.wait_for_songs(2)
    check()
    assert [song["title"] for song in client.find("base", "disc")] == ["One", "Two"]
    assert client.search("any", "whole") == []
    assert "Whole" not in str(Web(port).get("/api/search?q=whole"))
    assert server.stop()[0] == 0
    client = server.start(songs=2).client()
    check()
    client.load("all.m3u")
    client.play(1)
    wait_for(lambda: client.status()["state"] == "play", what="the whole file")
    client.delete(1)
    (music / "disc/disc.cue").unlink()
    server.wait_for_songs(1)
    check()
    assert [song["title"] for song in client.find("base", "disc")] == ["Whole"]


def test_local_clients_name_a_hidden_file_by_its_absolute_path(music, start_segue):
    (music / "disc/disc.cue").write_text(SHEET)
    server = start_segue(songs=2, local={"music_directory": music})
    wait_for(lambda: can_connect_to(server.socket), what="the socket")
    with RawClient(server, over_socket=True) as local:
        assert local.ask(f'add "{music}/disc/disc.flac"'.encode()) == [b"OK"]
        assert b"file: disc/disc.flac" in local.ask(b"playlistinfo")


@pytest.mark.parametrize("cue_sheets", [True, False])
def test_a_sheet_within_a_file_may_have_one_track(music, start_segue, cue_sheets):
    file = FLAC(music / "disc/disc.flac")
    file["cuesheet"] = SHEET.partition("  TRACK 02")[0]
    file.save()
    client = start_segue(songs=1, local={"music_directory": music, "cue_sheets": cue_sheets}).client()
    assert client.listplaylist("disc/disc.flac") == ["disc/disc.flac"]
    client.load("disc/disc.flac")
    assert titles(client.playlistinfo()) == [("One", "File Artist", "The Disc", None)]


@pytest.mark.parametrize("place", [
    "tag", pytest.param("block", marks=pytest.mark.skipif(not shutil.which("metaflac"), reason="needs metaflac"))])
def test_a_sheet_within_a_file_is_loaded_by_the_file_s_name(music, tmp_path, start_segue, place):
    if place == "tag":
        file = FLAC(music / "disc/disc.flac")
        file["cuesheet"] = SHEET
        file.save()
    else:
        (tmp_path / "disc.cue").write_text(SHEET)
        subprocess.run(["metaflac", f"--import-cuesheet-from={tmp_path}/disc.cue", music / "disc/disc.flac"],
                       check=True)
    server = start_segue(songs=1, local={"music_directory": music, "cue_sheets": False})
    client = server.client()
    assert [entry.get("playlist") for entry in client.lsinfo("disc")] == [None, "disc/disc.flac"]
    client.load("disc/disc.flac")
    songs = client.playlistinfo()
    assert [(song["file"], song["range"]) for song in songs] == [
        ("disc/disc.flac", "0.000-4.000"), ("disc/disc.flac", "4.000-")]
    if place == "tag":
        assert titles(songs) == PARTS
    # Where tracks are songs the name of the file means them in lists, and the file where a song is wanted.
    assert server.stop()[0] == 0
    server.sections["local"]["cue_sheets"] = True
    client = server.start(songs=2).client()
    client.clear()
    client.add("disc/disc.flac")
    assert [song["file"] for song in client.playlistinfo()] == [
        f"disc/disc.flac/track000{number}" for number in (1, 2)]
    client.addid("disc/disc.flac")
    assert client.playlistinfo()[2]["title"] == "Whole"
    assert client.readcomments("disc/disc.flac")["artist"] == "File Artist"


@pytest.mark.parametrize("place", ["beside", "within"])
def test_tracks_name_the_file_that_plays_the_whole_disc(music, start_segue, place):
    if place == "beside":
        (music / "disc/disc.cue").write_text(SHEET)
    else:
        file = FLAC(music / "disc/disc.flac")
        file["cuesheet"] = SHEET
        file.save()
    client = start_segue(songs=2, local={"music_directory": music}).client()
    folder = "disc/disc.cue" if place == "beside" else "disc/disc.flac"
    client.add(f"{folder}/track0002")
    client.rangeid(client.playlistinfo()[0]["id"], "1:2")
    client.playlistadd("tracks", f"{folder}/track0001")
    answers = [client.lsinfo(folder), client.listallinfo("disc"), client.find("title", "Two"), client.playlistinfo(),
               client.listplaylistinfo("tracks"), client.playlistfind("title", "Two"), client.lsinfo("disc")]
    for songs in [[song for song in answer if "file" in song] for answer in answers[:-1]]:
        assert songs and {song["realuri"] for song in songs} == {"disc/disc.flac"}
        assert list(songs[0])[:3] == ["file", "realuri", "range"]
    client.tagtypes("clear")
    assert client.lsinfo(f"{folder}/track0001")[0]["realuri"] == "disc/disc.flac"
    client.tagtypes("all")
    client.addid("disc/disc.flac")
    whole = client.playlistinfo()[1]
    assert whole["title"] == "Whole" and "realuri" not in whole
