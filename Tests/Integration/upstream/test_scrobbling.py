"""Plays arrive at the server, once each, whatever happens on the way."""
import time

import pytest
from harness.supysonic import navidrome_section
from harness.waiting import wait_for


def begin(client, title):
    """Begins a song; gives the times of day between which its first sound was heard."""
    client.clear()
    client.findadd("title", title)
    before = time.time()
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.1, 20, "the song's start", every=0.01)
    return before, time.time()


def play_to_the_end(client, title):
    """Plays a song of four seconds; gives the times of day between which its first sound was heard."""
    between = begin(client, title)
    wait_for(lambda: client.status()["state"] == "stop", 20, "the song's end")
    return between


def test_a_play_counts_once_with_the_time_of_its_start(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic))
    earliest, latest = play_to_the_end(server.client(), "Sill")
    wait_for(lambda: own_supysonic.listens.plays("Sill"), 15, "the play on the server")
    assert server.stop()[0] == 0
    plays = own_supysonic.listens.plays("Sill")
    assert len(plays) == 1
    # Servers are told whole seconds.
    assert earliest - 1 <= plays[0] <= latest
    assert own_supysonic.listens.now_playing("Sill") == 1


def test_a_skipped_song_does_not_count(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic))
    client = server.client()
    for title in ("Road", "Sill"):
        client.findadd("title", title)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 20, "the first song's start")
    # A jump near the end is position, not time heard.
    client.seekcur("290")
    client.next()
    wait_for(lambda: own_supysonic.listens.plays("Sill"), 20, "the second song's play")
    assert own_supysonic.listens.plays("Road") == []


def test_each_repetition_counts(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic))
    client = server.client()
    client.findadd("title", "Sill")
    client.repeat(1)
    began = time.time()
    client.play(0)
    wait_for(lambda: len(own_supysonic.listens.plays("Sill")) >= 3, 60, "three plays on the server")
    # Each with the time of its own start: a song of four seconds can't be over sooner, and no play is sent twice. A
    # machine that stands still for a moment may note one of them late.
    starts = own_supysonic.listens.plays("Sill")[:3]
    assert starts == sorted(starts) and starts[2] - starts[0] >= 2 * 4 - 2, starts
    assert began - 1 <= starts[0] and starts[2] <= time.time() - 2, (began, starts)


def test_nothing_is_sent_when_switched_off(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic, scrobble=False))
    play_to_the_end(server.client(), "Sill")
    assert server.stop()[0] == 0
    assert own_supysonic.listens.received == []


@pytest.mark.smoke
def test_a_play_survives_an_outage_and_a_kill(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic))
    client = server.client()
    # What has begun to play is in the cache soon; the outage comes before half of the song was heard.
    earliest, latest = begin(client, "Window")
    own_supysonic.kill()
    wait_for(lambda: client.status()["state"] == "stop", 20, "the song's end")
    server.kill()
    server.start()
    own_supysonic.start()
    wait_for(lambda: own_supysonic.listens.plays("Window"), 60, "the play on the server", every=0.3)
    server.stop()
    server.start(songs=len(library[1]))
    server.stop()
    plays = own_supysonic.listens.plays("Window")
    assert len(plays) == 1
    assert earliest - 1 <= plays[0] <= latest
