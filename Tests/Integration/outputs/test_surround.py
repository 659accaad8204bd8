"""Songs of more than two channels: what clients see, and what outputs and a sound server with six speakers get."""
import array
import pathlib
import shutil
import struct
import tempfile

import pytest
from harness.music import wav_format, wav_samples
from harness.segue import ROOT
from harness.sound_servers import Ear, PulseAudio
from harness.waiting import wait_for

SPEAKERS = "front-left,front-right,front-center,lfe,rear-left,rear-right"
HALF = 0.5 ** 0.5


def write_song(path, channels, seconds, mask=0x3F):
    """A WAV file with a level of its own in each channel: 1000, 2000, ..."""
    data = struct.pack(f"<{channels}h", *(1000 * (channel + 1) for channel in range(channels))) * (48000 * seconds)
    kind = struct.pack("<HHIIHHHHI", 0xFFFE, channels, 48000, 96000 * channels, 2 * channels, 16, 22, 16, mask)
    kind += bytes.fromhex("0100000000001000800000aa00389b71")
    body = b"WAVEfmt " + struct.pack("<I", len(kind)) + kind + b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    return data


@pytest.fixture
def music(tmp_path):
    """A folder for songs."""
    folder = tmp_path / "music"
    folder.mkdir()
    return folder


def queue(server, *names):
    """Queues files and plays them."""
    client = server.client()
    for name in names:
        client.add(name)
    client.play(0)
    return client


def to_the_end(client):
    """Waits until all of it was played."""
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")


@pytest.mark.smoke
def test_clients_see_the_channels_and_each_output_gets_its_own(start_segue, music, tmp_path):
    first = write_song(music / "a.wav", 6, 3)
    second = write_song(music / "b.wav", 6, 1, mask=0x60F)
    record, stereo, routed = (tmp_path / f"{name}.wav" for name in ("six", "stereo", "routed"))
    server = start_segue(songs=2, local={"music_directory": music}, output=[
        {"type": "file", "name": "Recording", "path": record},
        {"type": "file", "name": "Stereo", "path": stereo, "format": "48000:16:2"},
        {"type": "file", "name": "Routed", "path": routed, "format": "48000:16:*",
         "route": "2>0, 3>3"}])
    client = queue(server, "a.wav", "b.wav")
    wait_for(lambda: client.status().get("audio") == "48000:16:6", 30, "the format")
    assert client.find("file", "a.wav")[0]["format"] == "48000:16:6"
    to_the_end(client)
    assert server.stop()[0] == 0
    # Joined without a sample between them.
    assert wav_format(record)[1] == 6 and wav_samples(record) == first + second
    heard = array.array("h", wav_samples(stereo))
    left, right = ((level + HALF * 3000 + HALF * behind) / (1 + 2 * HALF)
                   for level, behind in ((1000, 5000), (2000, 6000)))
    assert len(heard) == 48000 * 4 * 2
    assert all(abs(value - left) < 6 for value in heard[::2]) and all(abs(value - right) < 6 for value in heard[1::2])
    assert wav_samples(routed) == struct.pack("<4h", 3000, 0, 0, 4000) * (48000 * 4)


def test_files_of_every_decoder_are_told_by_their_channels(start_segue, music):
    fixtures = ROOT / "Tests/Fixtures/audio"
    files = {path.name: path.name.split("-")[1][0] for path in fixtures.glob("surround-*")}
    assert len(files) == 6
    for name in files:
        shutil.copy(fixtures / name, music)
    server = start_segue(songs=len(files), local={"music_directory": music}, output=[{"type": "null", "name": "Null"}])
    client = server.client()
    client.single(1)
    for name, channels in files.items():
        client.clear()
        client.add(name)
        client.repeat(1)
        client.play(0)
        wait_for(lambda expected=channels: client.status().get("audio", "").endswith(f":{expected}"), 30, name)


def test_a_sound_server_with_six_speakers_gets_six_channels(start_segue, music):
    class Six(PulseAudio):
        """PulseAudio with a device of six speakers."""

        sink = ("sink_name=out", "rate=48000", "channels=6", f"channel_map={SPEAKERS}")

    write_song(music / "a.wav", 6, 20)
    write_song(music / "b.wav", 2, 20, mask=3)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = Six(folder)
    try:
        made.start()
        server = start_segue(songs=2, local={"music_directory": music}, kind=made.kind,
                             output=[{"type": "pulse", "name": "Cinema"}])
        client = queue(server, "a.wav", "b.wav")
        ear = Ear(made, SPEAKERS)

        def frame():
            """The last whole frame that was heard."""
            end = len(ear.samples) // 6 * 6
            return list(ear.samples[end - 6:end]) if end else []
        wait_for(lambda: all(abs(value - wanted) < 30 for value, wanted in
                             zip(frame(), range(1000, 7000, 1000), strict=False)) and frame(), 60, "six channels")
        client.play(1)
        wait_for(lambda: frame()[:2] and abs(frame()[0] - 1000) < 30 and abs(frame()[1] - 2000) < 30
                 and client.status().get("audio") == "48000:16:2", 60, "the stereo song")
        ear.close()
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)
