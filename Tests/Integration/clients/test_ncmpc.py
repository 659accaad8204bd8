"""ncmpc in a terminal: queue, browser, library, search, outputs, chat."""
import pytest
from harness.waiting import wait_for

from .driving import MEETING, PATIENCE


def titles(client):
    """The queue's titles."""
    return [song["title"] for song in client.playlistinfo()]


def test_options_and_volume(client, ncmpc):
    for key, option in (("r", "repeat"), ("z", "random"), ("C", "consume")):
        ncmpc.type(key)
        wait_for(lambda option=option: client.status()[option] == "1", PATIENCE, option)
        # It switches from what it shows to the other.
        ncmpc.wait_for(f"[{key.lower()}]", seconds=PATIENCE)
        ncmpc.type(key)
        wait_for(lambda option=option: client.status()[option] == "0", PATIENCE, f"no {option}")
        ncmpc.wait_for("──", absent=(f"[{key.lower()}]",), seconds=PATIENCE)
    ncmpc.type("y")
    wait_for(lambda: client.status()["single"] != "0", PATIENCE, "single")
    ncmpc.type("-")
    wait_for(lambda: int(client.status()["volume"]) < 100, PATIENCE, "a lower volume")


@pytest.mark.smoke
def test_songs_are_played_sought_paused_and_taken_away(client, long_songs, ncmpc):
    for song in long_songs:
        client.add(song["file"])
    ncmpc.wait_for("Road", "River", seconds=PATIENCE)
    ncmpc.type("Home", "Enter")
    ncmpc.wait_for("Playing", "Road", seconds=PATIENCE)
    before = float(client.status()["elapsed"])
    ncmpc.type("f", "f")
    wait_for(lambda: float(client.status()["elapsed"]) > before + 5, PATIENCE, "the place that was sought")
    ncmpc.type("P")
    ncmpc.wait_for("Paused", seconds=PATIENCE)
    ncmpc.type("End", "d")
    wait_for(lambda: titles(client) == ["Road"], PATIENCE, "the shorter queue")
    ncmpc.wait_for("Road", absent=("River",), seconds=PATIENCE)


def test_browser_goes_down_and_adds(client, ncmpc):
    ncmpc.type("3")
    for part in (*MEETING.split("/"), "Table"):
        ncmpc.wait_for("Browse", part, seconds=PATIENCE)
        ncmpc.type("/")
        ncmpc.write(part)
        ncmpc.type("Enter", *(["Enter"] if part != "Table" else []))
    ncmpc.type("a")
    wait_for(lambda: titles(client) == ["Table"], PATIENCE, "the song in the queue")


def test_queue_is_moved_shuffled_saved_and_cleared(client, songs, ncmpc):
    client.add(MEETING)
    ncmpc.wait_for("Arrival", "Table", "Late Bus", seconds=PATIENCE)
    ncmpc.type("Home", "C-j")
    wait_for(lambda: titles(client) == ["Table", "Arrival", "Late Bus"], PATIENCE, "the moved song")
    ncmpc.type("S")
    ncmpc.wait_for("Save", seconds=PATIENCE)
    ncmpc.write("morning")
    ncmpc.type("Enter")
    wait_for(lambda: [entry["playlist"] for entry in client.listplaylists()] == ["morning"], PATIENCE, "the playlist")
    ncmpc.type("c")
    wait_for(lambda: titles(client) == [], PATIENCE, "an empty queue")
    ncmpc.type("3")
    ncmpc.wait_for("Browse", "morning", seconds=PATIENCE)
    ncmpc.type("End", "a")
    wait_for(lambda: titles(client) == ["Table", "Arrival", "Late Bus"], PATIENCE, "the playlist in the queue")
    ncmpc.type("d")
    ncmpc.wait_for("elete", seconds=PATIENCE)
    ncmpc.type("y")
    wait_for(lambda: client.listplaylists() == [], PATIENCE, "no playlist")


def test_library_shows_artists_albums_and_songs(client, ncmpc):
    ncmpc.type("4")
    ncmpc.wait_for("Nora Hale", "Ada Quartet", seconds=PATIENCE)
    ncmpc.type("/")
    ncmpc.write("Nora")
    ncmpc.type("Enter", "Enter")
    ncmpc.wait_for("Long Way Home", absent=("Ada Quartet",), seconds=PATIENCE)
    ncmpc.type("Home", "Down", "a")
    wait_for(lambda: titles(client) == ["Road", "River"], PATIENCE, "the album in the queue")


def test_search_finds_and_adds(client, ncmpc):
    ncmpc.type("5")
    ncmpc.wait_for("New search", seconds=PATIENCE)
    ncmpc.type("5")
    ncmpc.wait_for("Search:", seconds=PATIENCE)
    ncmpc.write("bus")
    ncmpc.type("Enter")
    ncmpc.wait_for("Late Bus", seconds=PATIENCE)
    ncmpc.type("Home", "a")
    wait_for(lambda: titles(client) == ["Late Bus"], PATIENCE, "the song in the queue")


def test_outputs_screen_switches(client, ncmpc):
    ncmpc.type("8")
    ncmpc.wait_for("Outputs", "Nothing", "Nowhere", seconds=PATIENCE)
    ncmpc.type("Home", "Enter")
    wait_for(lambda: client.outputs()[0]["outputenabled"] == "0", PATIENCE, "the output off")


def test_chat_is_heard_by_others(server, client, ncmpc):
    other = server.client()
    other.subscribe("chat")
    ncmpc.type("9")
    wait_for(lambda: "chat" in client.channels(), PATIENCE, "the channel")
    ncmpc.type("Enter")
    ncmpc.wait_for("message", seconds=PATIENCE)
    ncmpc.write("hello there")
    ncmpc.type("Enter")
    heard = []

    def told():
        heard.extend(other.readmessages())
        return heard
    wait_for(told, PATIENCE, "the message")
    assert heard[0]["channel"] == "chat" and heard[0]["message"].endswith("hello there")
    other.sendmessage("chat", "<door> good evening")
    ncmpc.wait_for("good evening", seconds=PATIENCE)
    other.disconnect()


def test_song_screen_shows_the_tags(client, ncmpc):
    client.add(f"{MEETING}/1-01 Arrival.flac")
    ncmpc.wait_for("Arrival", seconds=PATIENCE)
    ncmpc.type("Home", "i")
    ncmpc.wait_for("Meeting Point", "Ilse Brandt", "2012-03-04", seconds=PATIENCE)
