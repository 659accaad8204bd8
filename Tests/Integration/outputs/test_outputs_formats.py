"""What clients set of an output's formats while it plays, as MPD has it: the device hears of it at once, and gets every
sample once."""
import array
import pathlib
import random
import re
import shutil
import tempfile
import wave

import mpd
import pytest
from harness.programs import need
from harness.reference import ReferenceMPD, mpd_binary, mpd_version
from harness.sound_servers import PulseAudio, need_alsa_plugin
from harness.waiting import wait_for
from outputs.test_dsd import dsf, turned
from outputs.test_outputs_attributes import attributes

RATE = 44100
BUFFER = 1.5
"""More seconds than a device has in store."""


@pytest.fixture
def taped(start_segue, tmp_path):
    """Starts a segue whose ALSA device plays to PulseAudio and keeps what it is given."""
    need_alsa_plugin()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-sound-"))
    made = PulseAudio(folder)
    tape = tmp_path / "tape"

    class Taping(made.kind):
        """Plays to the tape."""

        def __init__(self, folder, registry, **sections):
            super().__init__(folder, registry, **sections)
            with (folder / ".asoundrc").open("a") as file:
                file.write(f"pcm.tape {{ type file slave.pcm desk file \"|cat >> '{tape}'\" format raw }}\n"
                           "pcm.pair { type multi slaves.a { pcm { type mmap_emul slave.pcm tape } channels 2 } bindings {"
                           " 0 { slave a channel 0 } 1 { slave a channel 1 } } }\n")

    def start(music, songs=1, **settings):
        server = start_segue(songs=songs, kind=Taping, local={"music_directory": music}, output=[
            {"type": "alsa", "name": "Device", "device": "tape", **settings}])
        return server, tape
    try:
        made.start()
        yield start
    finally:
        made.kill()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_second(client, second):
    """Waits until so much of the song was heard."""
    wait_for(lambda: float(client.status().get("elapsed", 0)) > second, 60, f"{second} s of the song", every=0.02)


def play_and_change(server, second, attribute, value):
    """Plays the song, sets the attribute in the middle of it, and waits for the end; gives the seconds of the song
    between which the device has to have heard of it."""
    client = server.client()
    client.add(client.listall()[0]["file"])
    client.play(0)
    wait_for_second(client, second)
    client.outputset(0, attribute, value)
    latest = float(client.status()["elapsed"])
    # Nothing but that: it goes on by itself.
    assert client.status()["state"] == "play"
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    assert "error" not in client.status()
    assert server.stop()[0] == 0
    return second, latest + BUFFER


def test_another_format_is_heard_at_once_and_from_the_sample_on_that_comes_next(taped, tmp_path):
    music = tmp_path / "music"
    music.mkdir()
    source = random.Random(3)
    song = array.array("h", (source.randint(-12000, 12000) for _ in range(RATE * 4 * 2)))
    with wave.open(str(music / "song.wav"), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(song.tobytes())
    # So much in store that a machine with other work tears no hole into the sound. It is given once more.
    server, tape = taped(music, allowed_formats=["*:16:*"], buffer_time=1_000_000)
    earliest, latest = play_and_change(server, 1.5, "allowed_formats", "*:32:*")
    heard = tape.read_bytes()
    # Wherever it waits the device may be given silence, which the song has nowhere.
    same = frames = 0
    while (frame := heard[same:same + 4]) in (song[2 * frames:2 * frames + 2].tobytes(), bytes(4)):
        same, frames = same + 4, frames + (frame != bytes(4))
    rest = b"".join(heard[at:at + 8] for at in range(same, len(heard), 8) if any(heard[at:at + 8]))
    whole = array.array("i", (sample << 16 for sample in song)).tobytes()
    first = whole.find(rest[:400])
    assert first >= 0 and first % 8 == 0, "what follows is not in the song"
    first //= 8
    assert earliest * RATE < first <= frames and first < latest * RATE, f"{frames} of 16 bits, then from {first} on"
    assert (rest == whole[8 * first:]) is True


@pytest.mark.parametrize(("before", "after"), [({}, ("dop", "1")), ({}, ("allowed_formats", "*:*:* dsd64:2=dop"))])
def test_dop_begins_in_the_middle_of_a_song(taped, tmp_path, before, after):
    music = tmp_path / "music"
    music.mkdir()
    source = random.Random(7)
    channels = [source.randbytes(352_800 * 4), source.randbytes(352_800 * 4)]
    (music / "song.dsf").write_bytes(dsf(channels))
    # So much in store that a machine with other work tears no hole into the sound.
    server, tape = taped(music, buffer_time=1_000_000, **before)
    earliest, latest = play_and_change(server, 1.5, *after)
    heard = tape.read_bytes()
    left, right = (turned(channel) for channel in channels)
    # Samples of 32 bits: two bytes of DSD below a marker, and nothing below those.
    end = len(left) // 2

    def bits(frame):
        """A frame of DoP without its markers."""
        return [bytes([0, side[2 * frame + 1], side[2 * frame]]) for side in (left, right)]

    def is_frame(place, frame):
        one, two = heard[place:place + 4], heard[place + 4:place + 8]
        return [one[:3], two[:3]] == bits(frame) and one[3] == two[3] and one[3] in (0x05, 0xFA)
    silence = len(heard) - len(heard.rstrip(b"\0"))
    last = next(place for place in range(len(heard) - silence - 8, len(heard) - 8) if is_frame(place, end - 1))
    count = next(count for count in range(1, end) if not is_frame(last - 8 * count, end - 1 - count))
    first = end - count
    assert (earliest - 0.1) * 176_400 < first < latest * 176_400, f"DoP from frame {first} on"
    pcm = heard[:last - 8 * (count - 1)]
    # Decoded, it was 352,800 frames a second; a machine with other work also gives the device silence.
    frames = sum(pcm[place:place + 8] != bytes(8) for place in range(0, len(pcm), 8))
    assert abs(frames / 2 - first) < 200, f"{frames} frames before frame {first}"


def test_a_format_that_the_device_refuses_is_told_once_and_the_music_plays(taped, library):
    server, tape = taped(library[0], songs=len(library[1]), device="pair", allowed_formats=["*:*:6"])
    client = server.client()
    client.findadd("title", "Sill")
    for _ in range(2):
        client.play(0)
        client.seekcur(3)
        wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the song")
        assert "error" not in client.status()
    told = re.findall(r'warning.*Output "Device" gets 44100:32:2, because the device doesn\'t take 44100:\*:6', server.log)
    assert len(told) == 1, server.log
    assert any(tape.read_bytes())
    client.outputset(0, "allowed_formats", "*:*:2")
    client.play(0)
    client.seekcur(3)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the song")
    assert server.log.count("because the device") == 1


def test_formats_are_kept_over_a_restart(start_segue, library):
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "alsa", "name": "Device", "device": "null"}])
    client = server.client()
    client.outputset(0, "allowed_formats", "96000:24:2 *:*:*")
    client.outputset(0, "dop", "1")
    assert server.stop()[0] == 0
    server.start()
    shown = attributes(server.client(), "Device")
    assert (shown["allowed_formats"], shown["dop"]) == ("96000:24:2 *:*:*", "1")


VALUES = [
    ("dop", "1"), ("dop", "0"), ("dop", "yes"), ("dop", ""), ("dop", "01"),
    ("allowed_formats", "96000:24:2 *:*:*"), ("allowed_formats", "  44100:16:2   48000:f:* "), ("allowed_formats", ""),
    ("allowed_formats", "dsd64:2=dop dsd128:*"), ("allowed_formats", "*:dsd:2=dop 352800:dsd:2"),
    ("allowed_formats", "96000:24_3:2"), ("allowed_formats", "44100"), ("allowed_formats", "44100:16"),
    ("allowed_formats", "44100:17:2"), ("allowed_formats", "44100:16:2=dop"), ("allowed_formats", "44100:16:99"),
    ("allowed_formats", "x:16:2"), ("allowed_formats", "0:16:2"), ("allowed_formats", "dsd:2"),
    ("allowed_formats", "dsd64"), ("allowed_formats", "*:*:*" * 30), ("formats", "*:*:*"), ("Dop", "1"),
]
"""What is set of both, in turn."""


def test_attributes_and_refusals_are_those_of_mpd(start_segue, library, tmp_path):
    need(mpd_binary())
    if mpd_version() < (0, 23, 0):
        pytest.skip("the attributes are of MPD 0.23")
    reference = ReferenceMPD(tmp_path / "mpd", library[0])
    path = reference.folder / "mpd.conf"
    path.write_text(path.read_text().replace('type "null"', 'type "alsa"\n device "null"\n dop "no"'))
    segue = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "alsa", "name": "Nothing", "device": "null"}])
    try:
        clients = [reference.start().client(), segue.client()]
        told = [[said(client, *value) for value in VALUES] for client in clients]
    finally:
        reference.kill()
    assert told[0] == told[1]


def said(client, attribute, value):
    """The code of a refusal, and what is shown then, in the order of the lines."""
    try:
        client.outputset(0, attribute, value)
        code = None
    except mpd.CommandError as error:
        code = int(error.errno.value if hasattr(error.errno, "value") else error.errno)
    lines = client.outputs()[0]["attribute"]
    return attribute, value, code, [line for line in lines if line.partition("=")[0] in ("allowed_formats", "dop")]
