"""ncmpcpp and ncmpc in a terminal: what a user sees and does."""
import re

import pytest
from harness.clients import mpc
from harness.music import make_two_genres
from harness.waiting import wait_for


def long_songs(songs):
    """Two songs of one album, the longest there are."""
    first = max(songs, key=lambda song: float(song["duration"]))
    album = sorted((song for song in songs if song["album"] == first["album"]), key=lambda song: song["file"])
    return album[:2]


def artists(song):
    """All artists of a song; python-mpd2 gives a list where there are several."""
    return {song["artist"]} if isinstance(song["artist"], str) else set(song["artist"])


def clock(screen):
    """The seconds that a client shows as elapsed, or None."""
    match = re.search(r"\[(\d+):(\d\d)/\d+:\d\d\]", screen) or re.search(r"(\d+):(\d\d)/\d+:\d\d", screen)
    return int(match[1]) * 60 + int(match[2]) if match else None


def start_ncmpcpp(server, terminal, tmp_path):
    """Starts ncmpcpp, connected, showing the queue."""
    configuration = tmp_path / "ncmpcpp.conf"
    configuration.write_text(
        f"ncmpcpp_directory = {tmp_path}\nlyrics_directory = {tmp_path}\nmpd_host = {server.host}\n"
        f"mpd_port = {server.port}\nuser_interface = classic\nmouse_support = no\nautocenter_mode = no\n"
        "colors_enabled = no\nmessage_delay_time = 1\nask_before_clearing_playlists = no\n"
        "external_editor = true\nseek_time = 10\nincremental_seeking = no\nplaylist_display_mode = columns\n"
        "song_columns_list_format = (50)[]{t} (50)[]{a}\nsong_status_format = {%t}\n")
    terminal.start(["ncmpcpp", "-c", configuration, "-b", tmp_path / "bindings"])
    terminal.wait_for("Playlist")
    return terminal


@pytest.fixture
def ncmpcpp(server, terminal, tmp_path):
    """ncmpcpp, connected, showing the queue."""
    return start_ncmpcpp(server, terminal, tmp_path)


@pytest.fixture
def ncmpc(server, terminal, tmp_path):
    """ncmpc, connected, showing the queue."""
    configuration = tmp_path / "ncmpc.conf"
    configuration.write_text(
        'enable-colors = no\nenable-mouse = no\nseek-time = 10\nscreen-list = queue browse artist search\n'
        'list-format = "%title%"\nstatus-format = "%title%"\nsearch-format = "%title%"\n')
    terminal.start(["ncmpc", f"--host={server.host}", f"--port={server.port}", f"--config={configuration}",
                    f"--key-file={tmp_path / 'keys'}"])
    terminal.wait_for("Queue")
    return terminal


def test_ncmpcpp_shows_the_library(client, songs, ncmpcpp):
    ncmpcpp.type("4")
    screen = ncmpcpp.wait_for("Media library", *set().union(*map(artists, songs)))
    assert "Albums" in screen
    ncmpcpp.type("2")
    ncmpcpp.wait_for("Browse", songs[0]["file"].split("/")[0])


def test_ncmpcpp_searches(client, songs, ncmpcpp):
    ncmpcpp.type("3")
    ncmpcpp.wait_for("Search engine", "Any")
    ncmpcpp.type("Enter")
    # A title that is no album's name, by which all songs of the album would be found.
    albums = {song.get("album") for song in songs}
    title = next(song["title"] for song in songs if song["title"] not in albums)
    ncmpcpp.write(title)
    ncmpcpp.type("Enter", "y")
    ncmpcpp.wait_for("Found 1 song", title)


def test_ncmpcpp_plays_seeks_and_edits_the_queue(client, songs, ncmpcpp):
    first, second = long_songs(songs)
    client.add(first["file"])
    ncmpcpp.wait_for("Playlist (1 item", first["title"])
    ncmpcpp.type("Enter")
    ncmpcpp.wait_for("Playing:", first["title"], absent=("[0:00/",))
    assert client.status()["state"] == "play"
    before = float(client.status()["elapsed"])
    # Once: two steps would lead to the last seconds of the demo's songs.
    ncmpcpp.type("f")
    wait_for(lambda: float(client.status()["elapsed"]) > before + 1, what="the place that was sought")
    wait_for(lambda: (clock(ncmpcpp.screen) or 0) >= int(before) + 1, what="the clock after seeking")
    client.add(second["file"])
    ncmpcpp.wait_for("Playlist (2 items", first["title"], second["title"])
    ncmpcpp.type("p")
    ncmpcpp.wait_for("Paused:")
    ncmpcpp.type("End", "DC")
    ncmpcpp.wait_for("Playlist (1 item")
    assert [song["file"] for song in client.playlistinfo()] == [first["file"]]
    ncmpcpp.type("c")
    wait_for(lambda: client.playlistinfo() == [], what="an empty queue")


def test_ncmpcpp_adds_an_album_from_the_library(client, songs, ncmpcpp):
    ncmpcpp.type("4")
    ncmpcpp.wait_for("Media library", *artists(songs[0]))
    ncmpcpp.type("Home", "Space")
    wait_for(lambda: client.playlistinfo(), what="songs in the queue")
    assert set.intersection(*map(artists, client.playlistinfo())), "the songs have no artist in common"
    ncmpcpp.type("1")
    ncmpcpp.wait_for("Playlist (", client.playlistinfo()[0]["title"])


def test_ncmpcpp_and_mpc_drive_the_auto_dj(start_segue, terminal, tmp_path):
    music = tmp_path / "music"
    music.mkdir()
    # Each lasts longer than it takes to switch the auto-DJ on, and to see on the screen what came of it.
    make_two_genres(music, 60, "Tune", seconds=12)
    server = start_segue(songs=60, local={"music_directory": music}, dj={"switch": True, "artist_gap": 1})
    client, ear = server.client(), server.client()
    ear.subscribe("dj")
    heard = []

    def told(words):
        heard.extend(message["message"] for message in ear.readmessages())
        return [text for text in heard if words in text]

    def picks():
        return [song["file"] for song in client.playlistinfo()][int(client.status().get("song", -1)) + 1:]
    mpc(server, "add", "Artist 0/Tune 00.flac")
    screen = start_ncmpcpp(server, terminal, tmp_path)
    screen.wait_for("Playlist (1 item", "Tune 00")
    screen.type("Enter")
    screen.wait_for("Playing:", "Tune 00")
    # Switched on among the outputs, as a user of ncmpcpp does it.
    screen.type("7")
    screen.wait_for("Auto DJ")
    screen.type("End", "Enter")
    wait_for(lambda: len(picks()) == 3, 20, "three songs behind the first")
    assert "(Auto DJ) is enabled" in mpc(server, "outputs")
    screen.type("1")
    screen.wait_for("Playlist (4 items")
    # The music goes on by itself.
    wait_for(lambda: "Tune 00" != client.currentsong()["title"], 30, "the first pick to play")
    screen.wait_for("Playing:", client.currentsong()["title"])
    mpc(server, "sendmessage", "dj", "why")
    assert wait_for(lambda: told("because it "), 20, "the reason")
    wait_for(lambda: len(picks()) == 3, 20, "three songs behind it")
    before = picks()
    screen.type(">")
    wait_for(lambda: client.currentsong()["file"] == before[0], 20, "the next song")
    screen.type(">")
    wait_for(lambda: told("two skips: picking anew"), 20, "what it makes of that")
    wait_for(lambda: len(picks()) == 3 and not set(picks()) & set(before), 20, "other songs in place of those")
    assert client.status()["state"] == "play"
    mpc(server, "disable", "Auto DJ")
    wait_for(lambda: told("off"), 20, "the end of it")


def test_ncmpc_shows_plays_seeks_and_edits(client, songs, ncmpc):
    first, second = long_songs(songs)
    ncmpc.type("3")
    ncmpc.wait_for("Browse", songs[0]["file"].split("/")[0])
    client.add(first["file"])
    client.add(second["file"])
    ncmpc.type("2")
    ncmpc.wait_for(first["title"], second["title"])
    ncmpc.type("Home", "Enter")
    ncmpc.wait_for("Playing", first["title"])
    before = float(client.status()["elapsed"])
    ncmpc.type("f", "f")
    wait_for(lambda: float(client.status()["elapsed"]) > before + 1, what="the place that was sought")
    ncmpc.type("P")
    ncmpc.wait_for("Paused")
    ncmpc.type("End", "d")
    wait_for(lambda: [song["file"] for song in client.playlistinfo()] == [first["file"]], what="the shorter queue")
    ncmpc.wait_for(first["title"], absent=(second["title"],))


def test_ncmpc_adds_a_song_from_the_browser(client, songs, ncmpc):
    path = songs[0]["file"].split("/")
    ncmpc.type("3")
    for depth, part in enumerate(path):
        ncmpc.wait_for("Browse", part if depth < len(path) - 1 else songs[0]["title"])
        ncmpc.type("/")
        ncmpc.write(part if depth < len(path) - 1 else songs[0]["title"])
        ncmpc.type("Enter")
        if depth < len(path) - 1:
            ncmpc.type("Enter")
    ncmpc.type("a")
    wait_for(lambda: [song["file"] for song in client.playlistinfo()] == [songs[0]["file"]],
             what="the song in the queue")
