"""Random commands on the queue, the player and playlists: a real MPD and Segue must agree after each of them.

SEGUE_RANDOM_SEED chooses the sequence, SEGUE_RANDOM_COMMANDS how many commands there are (300), in sequences of a
hundred. What differs is shortened to the fewest commands that still differ.
"""
import os
import shutil

import pytest
from harness.music import launch
from harness.programs import need
from harness.reference import ReferenceMPD, mpd_binary
from harness.segue import Segue
from harness.sequences import END, Sequence
from harness.twins import Twins
from mutagen.flac import FLAC

SEED = int(os.environ.get("SEGUE_RANDOM_SEED", "1"))
COMMANDS = int(os.environ.get("SEGUE_RANDOM_COMMANDS", "300"))
LENGTH = 100
PATIENCE = float(os.environ.get("SEGUE_RANDOM_PATIENCE", "20"))


@pytest.fixture(scope="module")
def quiet_songs(tmp_path_factory):
    """Twelve long songs in three folders: they outlast every sequence."""
    folder = tmp_path_factory.mktemp("quiet")
    silence = folder / "silence.flac"
    launch("audiotestsrc", "wave=silence", "num-buffers=1200", "samplesperbuffer=4000", "!",
           "audio/x-raw,format=S16LE,rate=8000,channels=1", "!", "flacenc", "!", "filesink", f"location={silence}")
    for number in range(12):
        path = folder / "music" / f"Folder {number // 5}" / f"{number:02}.flac"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(silence, path)
        file = FLAC(path)
        file.update({"title": str(number), "artist": "AB"[number % 2], "album": f"Album {number // 5}",
                     "tracknumber": str(number % 5 + 1)})
        file.save()
        os.utime(path, (1_600_000_000 + number, 1_600_000_000 + number))
    return folder / "music"


@pytest.fixture(scope="module")
def twins(quiet_songs, registry, tmp_path_factory):
    """An MPD and a Segue on the same folder."""
    need(mpd_binary())
    reference = ReferenceMPD(tmp_path_factory.mktemp("mpd"), quiet_songs)
    subject = Segue(tmp_path_factory.mktemp("segue"), registry, local={"music_directory": quiet_songs})
    try:
        reference.start()
        subject.start(songs=12)
        both = Twins(reference, subject, "Folder 0/00.flac", PATIENCE)
        yield both
        both.close()
    finally:
        reference.kill()
        subject.kill()


def run(twins, lines):
    """Sends commands to both; returns the place of the first that makes a difference, and the difference."""
    twins.reset()
    for number, line in enumerate(lines):
        difference = one(twins, line, number)
        if difference:
            return number, difference
    return None, None


def one(twins, line, number):
    """Sends a command to both and returns what differs, or None."""
    if line.startswith("shuffle"):
        return twins.shuffle(line)
    if line == END:
        # Both are led to the song's last moments and past them; then nothing more is sent.
        if not twins.has(b"state: play"):
            return None
        twins.end_song()
        line = "ping"
    if line.startswith("seekcur +") and twins.elapsed + float(line[9:]) > 590:
        # Behind the end MPD answers what its decoder says of it, or plays the next song; see docs/protocol.md.
        line = "ping"
    since = max(0, number - 7 - number % 5)
    if line != "random 1" and not twins.has(b"random: 1"):
        return twins.step(line, since)
    # Chance orders the rest of the queue, so what follows after a song may differ; from then on it is the same again.
    return twins.step(line, since, loose=True) or twins.meet()


def shortest(twins, lines, limit=60):
    """Fewer commands that make a difference, found by leaving out what isn't needed."""
    patience, twins.patience = twins.patience, min(twins.patience, 1.5)
    size = max(len(lines) // 2, 1)
    while size and limit:
        start = 0
        while start < len(lines) - 1 and limit:
            limit -= 1
            fewer = lines[:start] + lines[min(start + size, len(lines) - 1):]
            place, _ = run(twins, fewer)
            if place is None:
                start += size
            else:
                lines = fewer[:place + 1]
        size //= 2
    twins.patience = patience
    return lines


@pytest.mark.parametrize("seed", range(SEED, SEED + max(COMMANDS // LENGTH, 1)))
def test_random_commands_leave_both_servers_alike(twins, seed):
    files = [line[6:].decode() for line in twins.both[0].ask("listall") if line.startswith(b"file: ")]
    folders = [line[11:].decode() for line in twins.both[0].ask("listall") if line.startswith(b"directory: ")]
    sequence = Sequence(seed, sorted(files), sorted(folders))
    twins.reset()
    lines = []
    for number in range(LENGTH):
        length = twins.length
        sequence.ids += 1
        lines.append(sequence.next(length))
        difference = one(twins, lines[-1], number)
        if difference:
            few = shortest(twins, lines)
            _, again = run(twins, few)
            few = few if again else lines
            pytest.fail(f"seed {seed}, command {number}, {lines[-1]}: {difference}\n\nThe fewest commands that show it"
                        f" ({again or 'not seen again'}):\n" + "\n".join(few))
    assert len(lines) == LENGTH
