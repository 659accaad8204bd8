"""Live broadcasts in HLS: every piece is heard in its turn, for as long as they come."""
import pytest
from harness.broadcast import Broadcast, assert_in_turn, assert_whole, tones
from harness.music import TONES, wav_samples
from harness.waiting import wait_for


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """Where the pieces are kept, since several tests send the same."""
    return tmp_path_factory.mktemp("broadcasts")


@pytest.fixture
def broadcast(sounds):
    """Begins broadcasts and ends them after the test."""
    begun = []

    def begin(**settings):
        begun.append(Broadcast(sounds, **settings))
        return begun[-1]
    yield begin
    for one in begun:
        one.close()


@pytest.fixture
def listeners(start_segue, tmp_path):
    """Plays broadcasts at the same time, each with a program and a recording of its own; gives them and their
    clients."""
    def start(broadcasts, radio_timeout=60):
        begun = []
        for one in broadcasts:
            recording = tmp_path / f"{one.port}.wav"
            server = start_segue(
                output=[{"type": "file", "name": "Recording", "path": recording, "format": "44100:16:2"}],
                playback={"radio_timeout": radio_timeout})
            server.recording = recording
            begun.append((server, server.client()))
        for one, (_, client) in zip(broadcasts, begun):
            one.begin()
            client.add(one.url)
            client.play(0)
        for _, client in begun:
            wait_for(lambda: float(client.status()["elapsed"]) > 0.5, 60, "sound")
        return begun
    return start


def heard(server):
    """The tones of the recording, after the server was stopped in order."""
    assert server.stop()[0] == 0
    return tones(wav_samples(server.recording))


def elapsed(client):
    return float(client.status()["elapsed"])


@pytest.mark.parametrize("settings", [
    {"kind": "ts"}, {"kind": "aac"}, {"kind": "mp3"}, {"kind": "ts", "variants": True},
    {"kind": "aac", "key": bytes(range(16))},
], ids=["transport stream", "AAC", "MP3", "variants", "encrypted"])
def test_a_broadcast_of_each_kind_is_heard_piece_by_piece(broadcast, listeners, settings):
    # What comes after `TONES` pieces has times of its own.
    (server, client), = listeners([broadcast(first=TONES - 6, waits=True, **settings)])
    wait_for(lambda: elapsed(client) > 7.5, 60, "the pieces")
    status = client.status()
    assert status["state"] == "play" and "error" not in status and "duration" not in status
    assert "is interrupted" not in server.log
    sounds = heard(server)
    assert_whole(sounds)
    assert {TONES - 1, 0} < {number for number, _ in sounds}, sounds


def test_broadcasts_outlast_what_goes_wrong(broadcast, listeners):
    holed, away, still, over = broadcast(window=8), broadcast(kind="aac"), broadcast(), broadcast(kind="mp3")
    listening = listeners([holed, away, still, over], radio_timeout=5)
    gone = holed.newest + 2
    holed.missing = {gone}
    away.refuse()
    still.frozen = still.newest
    over.frozen, over.over = over.newest, True

    server, client = listening[2]
    wait_for(lambda: "is interrupted" in server.log, 60, "the interruption of what stands still")
    still.go_on()
    server, client = listening[1]
    wait_for(lambda: "error" in client.status(), 60, "the error of what is away")
    assert client.status()["state"] == "play" and str(away.port) not in client.status()["error"]
    away.listen()

    server, client = listening[3]
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of what is over")
    assert "error" not in client.status() and "can't be played" not in server.log
    server, client = listening[1]
    place = elapsed(client)
    wait_for(lambda: "error" not in client.status() and elapsed(client) > place + 2, 60, "sound again")
    assert "sounds again" in server.log
    server, client = listening[2]
    wait_for(lambda: "error" not in client.status() and elapsed(client) > 8, 60, "sound that goes on")
    assert_in_turn(heard(server))
    server, client = listening[0]
    wait_for(lambda: elapsed(client) > 9, 60, "the pieces behind the one that is missing")
    assert client.status()["state"] == "play" and "can't be played" not in server.log
    numbers = [number for number, _ in heard(server)]
    assert gone % TONES not in numbers and (gone + 1) % TONES in numbers, numbers
