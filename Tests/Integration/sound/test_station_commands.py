"""Stations in a queue: seeks are refused, a gain in the address counts, and one without sound is skipped."""
import pytest
from harness.music import wav_samples
from harness.radio import Station, encoded, loudness
from harness.waiting import wait_for
from mpd import CommandError


@pytest.fixture
def station(tmp_path):
    """A station that sends a tone of 440 Hz and is closed after the test."""
    started = Station(*encoded(tmp_path, "mp3", 440))
    yield started
    started.close()


def test_a_seek_in_a_station_is_refused_and_changes_nothing(start_segue, station):
    client = start_segue().client()
    client.add(station.url)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.3, what="sound")
    began = float(client.status()["elapsed"])
    for seek in (lambda: client.seek(0, 5), lambda: client.seekid(client.status()["songid"], 999),
                 lambda: client.seekcur(5), lambda: client.seekcur("+5")):
        with pytest.raises(CommandError, match=r"\[5@0\] {seek\w*} Not seekable"):
            seek()
    assert float(client.status()["elapsed"]) >= began and client.status()["state"] == "play"
    client.seekcur(0)
    wait_for(lambda: float(client.status()["elapsed"]) > began, what="the station's own time")


@pytest.mark.parametrize("mode", ["mute", "silent", "refused", 404, 500])
def test_a_station_without_sound_behind_a_song_is_skipped(start_segue, station, library, mode):
    station.mode = "plays" if mode == "refused" else mode
    if mode == "refused":
        station.refuse()
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, playback={"radio_timeout": 3})
    client = server.client()
    client.findadd("title", "Sill")
    client.add(station.url)
    client.findadd("title", "Lamp")
    client.play(0)
    client.seekcur(3)
    wait_for(lambda: client.status()["song"] == "2" and float(client.status().get("elapsed", 0)) > 0.3, 60,
             "the song behind the station")
    assert "error" in client.status()
    assert station.listened < 8, "it was asked again and again"
    assert "the device takes no sound" not in server.log


@pytest.mark.parametrize("mode", ["off", "track", "album"])
def test_the_address_of_a_station_says_how_loud_it_is(start_segue, station, tmp_path, mode):
    other = Station(*encoded(tmp_path, "mp3", 660))
    server = start_segue(
        playback={"replay_gain": mode, "radio_crossfade": 0},
        output=[{"type": "file", "name": "Recording", "path": tmp_path / "heard.wav", "format": "44100:16:2"}])
    client = server.client()
    for number, url in enumerate([station.url, other.url + "#gain=-20"]):
        client.add(url)
        client.play(number)
        wait_for(lambda number=number: client.status()["song"] == str(number)
                 and float(client.status().get("elapsed", 0)) > 2, what="two seconds of sound")
    assert server.stop()[0] == 0
    samples = wav_samples(tmp_path / "heard.wav")
    loudest = [max(loudness(samples, frequency, at / 10) for at in range(len(samples) // 17640))
               for frequency in (440, 660)]
    assert loudest[1] / loudest[0] == pytest.approx(1 if mode == "off" else 0.1, rel=0.2)
    other.close()
