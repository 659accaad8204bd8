"""What clients set of single outputs with `outputset`."""
import array
import math

import mpd
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
    assert attributes(client, "Kitchen") == {"volume": "100"} and attributes(client, "Bare") == {}
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
    assert attributes(client, "Kitchen") == {"volume": "60"} and client.status()["volume"] == "80"
    assert attributes(client, "Bath") == {"volume": "100"}
