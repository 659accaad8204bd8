"""ncmpcpp in a terminal: every screen, and what a user does there."""
import re

import pytest
from harness.clients import mpc
from harness.music import make_two_genres
from harness.waiting import wait_for

from .driving import MEETING, PATIENCE


def files(client):
    """The queue's files."""
    return [song["file"] for song in client.playlistinfo()]


def wait_for_status(client, **wanted):
    """Waits until the status has these values."""
    wait_for(lambda: {key: client.status().get(key) for key in wanted} == wanted, PATIENCE, f"{wanted}")


def clock(screen):
    """The seconds that ncmpcpp shows as played."""
    minutes, seconds = re.search(r"\[(\d+):(\d\d)/\d+:\d\d\]", screen.screen).groups()
    return int(minutes) * 60 + int(seconds)


@pytest.mark.smoke
def test_options_volume_and_transport_by_keys(client, long_songs, ncmpcpp):
    for song in long_songs:
        client.add(song["file"])
    screen = ncmpcpp()
    screen.wait_for("Playlist (2 items", seconds=PATIENCE)
    for key, option, flag in (("r", "repeat", "[r]"), ("z", "random", "[z]"), ("y", "single", "[s]"),
                              ("R", "consume", "[c]")):
        screen.type(key)
        wait_for_status(client, **{option: "1"})
        # It switches from what it shows to the other.
        screen.wait_for(flag, seconds=PATIENCE)
        screen.type(key)
        wait_for_status(client, **{option: "0"})
        screen.wait_for("Playlist", absent=(flag,), seconds=PATIENCE)
    screen.type("x")
    wait_for_status(client, xfade="5")
    screen.wait_for("[x]", seconds=PATIENCE)
    screen.type("x")
    wait_for(lambda: client.status().get("xfade", "0") == "0", PATIENCE, "no crossfade")
    screen.type("-")
    wait_for(lambda: int(client.status()["volume"]) < 100, PATIENCE, "a lower volume")
    screen.type("Home", "Enter")
    wait_for_status(client, state="play", song="0")
    screen.wait_for("Playing:", long_songs[0]["title"], seconds=PATIENCE)
    screen.type(">")
    wait_for_status(client, song="1")
    screen.type("<")
    wait_for_status(client, song="0")
    screen.type("g")
    screen.wait_for("Position to go", seconds=PATIENCE)
    screen.write("50%")
    screen.type("Enter")
    wait_for(lambda: 150 <= float(client.status()["elapsed"]) < 240, PATIENCE, "the middle of the song")
    # A step goes from the place that ncmpcpp shows.
    wait_for(lambda: clock(screen) >= 150, PATIENCE, "the clock at the middle")
    before = float(client.status()["elapsed"])
    screen.type("f")
    wait_for(lambda: float(client.status()["elapsed"]) > before + 5, PATIENCE, "the place that was sought")
    wait_for(lambda: clock(screen) > before + 5, PATIENCE, "the clock at that place")
    screen.type("p")
    wait_for_status(client, state="pause")
    screen.wait_for("Paused:", seconds=PATIENCE)
    screen.type("s")
    wait_for_status(client, state="stop")


def test_priorities_moving_shuffling_and_deleting(client, songs, ncmpcpp):
    client.add(MEETING)
    screen = ncmpcpp()
    screen.wait_for("Playlist (3 items", "Arrival", "Late Bus", seconds=PATIENCE)
    client.random(1)
    screen.type("End", "C-p")
    screen.wait_for("riority", seconds=PATIENCE)
    screen.write("7")
    screen.type("Enter")
    wait_for(lambda: [song.get("prio") for song in client.playlistinfo()] == [None, None, "7"], PATIENCE, "the 7")
    screen.type("m")
    wait_for(lambda: [song["title"] for song in client.playlistinfo()] == ["Arrival", "Late Bus", "Table"],
             PATIENCE, "the moved song")
    before = files(client)
    version = client.status()["playlist"]
    screen.type("Z")
    wait_for(lambda: client.status()["playlist"] != version, PATIENCE, "the shuffled queue")
    assert sorted(files(client)) == sorted(before)
    screen.type("DC")
    wait_for(lambda: len(files(client)) == 2, PATIENCE, "the shorter queue")
    screen.wait_for("Playlist (2 items", seconds=PATIENCE)
    screen.type("c")
    wait_for(lambda: files(client) == [], PATIENCE, "an empty queue")


def test_browser_goes_down_and_adds(client, ncmpcpp):
    screen = ncmpcpp()
    screen.type("2")
    screen.wait_for("Browse", "Ada Quartet", "Various Voices", seconds=PATIENCE)
    for part, seen in (("Various Voices", "Meeting Point"), ("Meeting Point", "Late Bus")):
        screen.type("/")
        screen.wait_for("Find forward", seconds=PATIENCE)
        screen.write(part)
        screen.type("Enter", "Enter")
        screen.wait_for(seen, seconds=PATIENCE)
    screen.type("/")
    screen.wait_for("Find forward", seconds=PATIENCE)
    screen.write("Table")
    screen.type("Enter", "Space")
    wait_for(lambda: files(client) == [f"{MEETING}/1-02 Table.flac"], PATIENCE, "the song in the queue")


def test_search_engine_by_field_and_for_anything(client, songs, ncmpcpp):
    screen = ncmpcpp()
    screen.type("3")
    screen.wait_for("Search engine", "Any", "Artist", seconds=PATIENCE)
    screen.type("Down", "Enter")
    screen.wait_for("Artist:", seconds=PATIENCE)
    screen.write("ilse")
    screen.type("Enter", "y")
    screen.wait_for("Found 2 songs", "Arrival", "Table", seconds=PATIENCE)
    screen.type("End", "Space")
    wait_for(lambda: files(client) == [songs["Table"]["file"]], PATIENCE, "the found song in the queue")


@pytest.mark.smoke
def test_media_library_with_three_and_two_columns(client, songs, ncmpcpp):
    screen = ncmpcpp()
    screen.type("4")
    screen.wait_for("Media library", "Artists", "Albums", "Songs", "Nora Hale", seconds=PATIENCE)
    screen.type("/")
    screen.wait_for("Find forward", seconds=PATIENCE)
    screen.write("Nora")
    screen.type("Enter")
    screen.wait_for("(2012-03-04) Meeting Point", "(2021) Long Way Home", "Arrival", seconds=PATIENCE)
    screen.type("Space")
    wait_for(lambda: {songs["Road"]["file"], songs["River"]["file"]} <= set(files(client)), PATIENCE, "her songs")
    screen.type("4")
    screen.wait_for("First Light", "Côte d'Émail", "Meeting Point", absent=("Artists",), seconds=PATIENCE)


def test_playlists_are_saved_edited_renamed_and_removed(client, songs, ncmpcpp):
    client.add(MEETING)
    screen = ncmpcpp()
    screen.wait_for("Playlist (3 items", seconds=PATIENCE)
    screen.type("S")
    screen.wait_for("Save", seconds=PATIENCE)
    screen.write("evening")
    screen.type("Enter")
    wait_for(lambda: [entry["playlist"] for entry in client.listplaylists()] == ["evening"], PATIENCE, "the playlist")
    screen.type("5")
    screen.wait_for("Playlist editor", "evening", "Arrival", "Late Bus", seconds=PATIENCE)
    screen.type("Right", "End", "DC")
    wait_for(lambda: len(client.listplaylist("evening")) == 2, PATIENCE, "the shorter playlist")
    screen.type("m", "Left", "e")
    screen.wait_for("Playlist:", seconds=PATIENCE)
    screen.type("C-u")
    screen.write("night")
    screen.type("Enter")
    wait_for(lambda: [entry["playlist"] for entry in client.listplaylists()] == ["night"], PATIENCE, "the new name")
    screen.wait_for("night", absent=("evening",), seconds=PATIENCE)
    client.clear()
    screen.type("Space")
    wait_for(lambda: files(client) == client.listplaylist("night") != [], PATIENCE, "the playlist in the queue")
    screen.type("DC")
    screen.wait_for("elete", seconds=PATIENCE)
    screen.type("y")
    wait_for(lambda: client.listplaylists() == [], PATIENCE, "no playlist")


def test_outputs_screen_switches(client, ncmpcpp):
    screen = ncmpcpp()
    screen.type("7")
    screen.wait_for("Outputs", "Nothing", "Nowhere", seconds=PATIENCE)
    screen.type("End", "Enter")
    wait_for(lambda: [output["outputenabled"] for output in client.outputs()] == ["1", "0"], PATIENCE, "the output off")

    def switched_on():
        # It switches from what it last heard, which need not be the newest; so until it does.
        if client.outputs()[1]["outputenabled"] == "0":
            screen.type("Enter")
        return client.outputs()[1]["outputenabled"] == "1"
    wait_for(switched_on, PATIENCE, "the output on", every=0.5)


def test_song_info_server_info_and_random_songs(client, songs, ncmpcpp):
    client.add(f"{MEETING}/1-01 Arrival.flac")
    screen = ncmpcpp()
    screen.wait_for("Playlist (1 item", seconds=PATIENCE)
    screen.type("i")
    screen.wait_for("Arrival", "Clara Composer", "2012-03-04", MEETING, seconds=PATIENCE)
    screen.type("1", "@")
    screen.wait_for("Version: 0.24", "Uptime", "URL Handlers", seconds=PATIENCE)
    screen.type("1", "`")
    screen.wait_for("andom", seconds=PATIENCE)
    screen.type("s")
    screen.wait_for("umber", seconds=PATIENCE)
    screen.write("4")
    screen.type("Enter")
    wait_for(lambda: len(files(client)) == 5, PATIENCE, "four more songs")


def test_navidrome_library_in_two_columns(navidrome_server, ncmpcpp):
    screen = ncmpcpp("media_library_albums_split_by_date = no", at=navidrome_server)
    client = navidrome_server.client()
    client.clear()
    screen.type("4")
    artist = min(entry["artist"] for entry in client.list("artist"))
    screen.wait_for("Media library", "Artists", artist[:20], seconds=PATIENCE)
    screen.type("4")
    screen.wait_for("Media library", absent=("Artists",), seconds=PATIENCE)
    screen.type("Home", "Space")
    wait_for(lambda: client.playlistinfo(), PATIENCE, "an album in the queue")
    assert len({song["album"] for song in client.playlistinfo()}) == 1
    client.clear()
    client.disconnect()


def test_ncmpcpp_and_mpc_drive_the_auto_dj(start_segue, ncmpcpp, tmp_path):
    music = tmp_path / "music"
    music.mkdir()
    # Each lasts longer than it takes to see on the screen what came of the one before.
    make_two_genres(music, 40, "Tune", seconds=60)
    server = start_segue(songs=40, local={"music_directory": music}, dj={"switch": True, "artist_gap": 1})
    client, ear = server.client(), server.client()
    ear.subscribe("dj")
    heard = []

    def told(words):
        heard.extend(message["message"] for message in ear.readmessages())
        return [text for text in heard if words in text]

    def picks():
        return [song["file"] for song in client.playlistinfo()][int(client.status().get("song", -1)) + 1:]
    mpc(server, "add", "Artist 0/Tune 00.flac")
    screen = ncmpcpp(at=server)
    screen.wait_for("Playlist (1 item", "Tune 00", seconds=PATIENCE)
    screen.type("Enter")
    screen.wait_for("Playing:", "Tune 00", seconds=PATIENCE)
    # Switched on among the outputs, as a user of ncmpcpp does it.
    screen.type("7")
    screen.wait_for("Auto DJ", seconds=PATIENCE)
    screen.type("End", "Enter")
    wait_for(lambda: len(picks()) == 3, PATIENCE, "three songs behind the first")
    assert "(Auto DJ) is enabled" in mpc(server, "outputs")
    screen.type("1")
    screen.wait_for("Playlist (4 items", seconds=PATIENCE)
    # It ends, and the music goes on by itself.
    client.seekcur(58)
    wait_for(lambda: "Tune 00" != client.currentsong()["title"], PATIENCE, "the first pick to play")
    screen.wait_for("Playing:", client.currentsong()["title"], seconds=PATIENCE)
    mpc(server, "sendmessage", "dj", "why")
    assert wait_for(lambda: told("because it "), PATIENCE, "the reason")
    wait_for(lambda: len(picks()) == 3, PATIENCE, "three songs behind it")
    before = picks()
    screen.type(">")
    wait_for(lambda: client.currentsong()["file"] == before[0], PATIENCE, "the next song")
    screen.type(">")
    wait_for(lambda: told("two skips: picking anew"), PATIENCE, "what it makes of that")
    wait_for(lambda: len(picks()) == 3 and not set(picks()) & set(before), PATIENCE, "other songs in place of those")
    assert client.status()["state"] == "play"
    mpc(server, "disable", "Auto DJ")
    wait_for(lambda: told("off"), PATIENCE, "the end of it")
