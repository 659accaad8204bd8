"""What clients set of single outputs with `outputset`."""
import array
import math
import wave

import mpd
import pytest
from harness.music import wav_samples
from harness.waiting import wait_for

mpd.MPDClient.add_command("outputset", mpd.MPDClient._parse_nothing)


def attributes(client, name):
    """An output's attributes, by its name."""
    entry = next(entry for entry in client.outputs() if entry["outputname"] == name)
    lines = entry.get("attribute", [])
    return dict(line.split("=", 1) for line in ([lines] if isinstance(lines, str) else lines))


def play_to_the_end(client, title):
    """Plays a song alone and waits for its end."""
    client.clear()
    client.findadd("title", title)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the song")


def factor(volume):
    """What MPD's curve makes of a volume."""
    return (math.exp(volume / 25) - 1) / (math.exp(4) - 1)


def largest_error(heard, song, scale):
    """By how much 16-bit samples differ from those of a song, scaled."""
    heard, song = array.array("h", heard), array.array("h", song)
    assert len(heard) == len(song)
    return max(abs(one - other * scale) for one, other in zip(heard, song, strict=True))


def test_an_outputs_own_volume_is_heard_and_kept(start_segue, library, tracks, tmp_path):
    outputs = [{"type": "file", "name": name, "path": tmp_path / f"{name}.wav"} for name in ("Kitchen", "Bath")]
    outputs.append({"type": "null", "name": "Bare", "mixer_type": "none"})
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=outputs)
    client = server.client()
    assert attributes(client, "Kitchen")["volume"] == "100" and "volume" not in attributes(client, "Bare")
    watcher = server.client()
    client.outputset(0, "volume", 60)
    assert watcher.idle("output") == ["output"]
    client.setvol(80)
    play_to_the_end(client, "Lamp")
    # The state is saved a moment after a change.
    assert server.stop()[0] == 0
    song = tracks["Lamp"].samples
    assert largest_error(wav_samples(tmp_path / "Kitchen.wav"), song, factor(60) * factor(80)) <= 2
    assert largest_error(wav_samples(tmp_path / "Bath.wav"), song, factor(80)) <= 2

    server.start()
    client = server.client()
    assert attributes(client, "Kitchen")["volume"] == "60" and client.status()["volume"] == "80"
    assert attributes(client, "Bath")["volume"] == "100"


def tone(path, hertz, seconds, rate=44100):
    """Writes a tone into a WAV file, with tags in its name alone."""
    samples = array.array("h", (
        int(8192 * math.sin(2 * math.pi * hertz * frame / rate)) for frame in range(rate * seconds) for _ in "lr"))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def loudness(samples, hertz, rate=44100):
    """How loud a tone is in the left channel, in decibels of the one that `tone` writes."""
    left = array.array("h", samples)[::2]
    real = sum(sample * math.cos(2 * math.pi * hertz * place / rate) for place, sample in enumerate(left))
    imaginary = sum(sample * math.sin(2 * math.pi * hertz * place / rate) for place, sample in enumerate(left))
    return 20 * math.log10(2 * math.hypot(real, imaginary) / len(left) / 8192)


def record_tone(start_segue, tmp_path, **presets):
    """Plays a tone of 200 Hz until more than a second of it was heard; gives the server, a client and the recording."""
    music, recording = tmp_path / "music", tmp_path / "out.wav"
    music.mkdir()
    tone(music / "tone.wav", 200, 8)
    server = start_segue(songs=1, local={"music_directory": music}, **presets, output=[
        {"type": "file", "name": "Tape", "path": recording, "format": "44100:16:2"}])
    client = server.client()
    assert {attributes(client, "Tape")[name] for name in ("equalizer", "effects", "graph")} == {"off"}
    client.add("tone.wav")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 1.2, 60, "a second of the tone")
    return server, client, recording


def check_change(server, client, recording, decibels):
    """Waits for the end: the tone has become so much louder without a click."""
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end")
    assert server.stop()[0] == 0
    heard = wav_samples(recording)
    second = 44100 * 4
    assert abs(loudness(heard[:second], 200)) < 0.1
    assert abs(loudness(heard[-second:], 200) - decibels) < 0.1
    left = array.array("h", heard)[::2]
    # A click would be a step that a tone of 200 Hz doesn't make; -60 dB of full scale is 33.
    bends = (abs(one - 2 * two + three) for one, two, three in zip(left, left[1:], left[2:]))
    assert max(bends) < 33


@pytest.mark.smoke
def test_an_equalizer_is_switched_while_it_plays_without_a_click(start_segue, tmp_path):
    server, client, recording = record_tone(
        start_segue, tmp_path, equalizer=[{"name": "Deep", "filters": "-3; PK 200 -9 1"}])
    client.outputset(0, "equalizer", "Deep")
    assert attributes(client, "Tape")["equalizer"] == "Deep"
    with pytest.raises(mpd.CommandError, match="Invalid value for attribute equalizer"):
        client.outputset(0, "equalizer", "No such")
    check_change(server, client, recording, -12)


def test_plug_ins_are_switched_while_it_plays_and_kept_over_a_restart(start_segue, tmp_path):
    server, client, recording = record_tone(
        start_segue, tmp_path,
        graph=[{"name": "Copy", "filters": "asplit[a][b];[a][b]amix=normalize=0, volume=0.25"}])
    client.outputset(0, "effects", "ladspa-amp-so-amp-stereo gain=0.5")
    client.outputset(0, "graph", "Copy")
    for name, value, reason in (
            ("effects", "nothing-such", "GStreamer has no such element"), ("effects", "filesink", "no filter of sound"),
            ("effects", "volume volume=11", "from 0 to 10"), ("graph", "amovie=/x", "none of the filters that clients"),
            ("graph", "volume=loud", "Undefined constant")):
        with pytest.raises(mpd.CommandError, match=f"Invalid value for attribute {name}: .*{reason}"):
            client.outputset(0, name, value)
    assert attributes(client, "Tape")["graph"] == "Copy"
    check_change(server, client, recording, -12.04)

    server.start()
    kept = attributes(server.client(), "Tape")
    assert kept["effects"] == "ladspa-amp-so-amp-stereo gain=0.5" and kept["graph"] == "Copy"
