"""How well songs are measured whose truth is known: tempo, key, style of neighbours, loudness, ramps."""
import collections
import math
import random
import re
import sqlite3
import statistics
import struct
import subprocess

import songs as music


class Row:
    """What is found against what is wanted."""

    def __init__(self, what, found, wanted, is_met):
        self.what, self.found, self.wanted, self.is_met = what, found, wanted, is_met


def measured(state):
    """What was measured of each song, by its path, in a state directory."""
    with sqlite3.connect(f"file:{state}/segue.db?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT s.uri, a.* FROM analysis a JOIN song s ON s.id = a.song WHERE a.tries = 0")
        return {row["uri"]: dict(row) for row in rows}


def tempo_rows(tunes, found):
    """How many tempi are right, exactly and but for octaves."""
    def share(tunes, ratios):
        right = [any(abs((found[tune.name]["tempo"] or 0) / tune.tempo / ratio - 1) < .04 for ratio in ratios)
                 for tune in tunes]
        return sum(right) / max(1, len(right))
    octaves = (1, 2, .5)
    drums, others = [tune for tune in tunes if tune.has_drums], [tune for tune in tunes if not tune.has_drums]
    exact, folded, soft = share(drums, (1,)), share(drums, octaves), share(others, octaves)
    return [Row("tempo within 4 %, with drums", f"{exact:.2f}", ">= 0.88", exact >= .88),
            Row("the same, octaves allowed", f"{folded:.2f}", ">= 0.94", folded >= .94),
            Row("the same, without drums", f"{soft:.2f}", ">= 0.40", soft >= .4)]


def key_rows(tunes, found):
    """How many keys are right, exactly and by relation: a fifth away, parallel, or relative."""
    def number(key):
        return music.KEYS.index(key.removesuffix("m")), key.endswith("m")

    def is_related(one, other):
        (a, minor), (b, other_minor) = number(one), number(other)
        step = (b - a) % 12
        if minor == other_minor:
            return step in (0, 5, 7)
        return step == 0 or step == (3 if minor else 9)
    keys = [(tune.key, found[tune.name]["key"]) for tune in tunes]
    exact = sum(one == other for one, other in keys) / len(keys)
    related = sum(other is not None and is_related(one, other) for one, other in keys) / len(keys)
    return [Row("key", f"{exact:.2f}", ">= 0.83", exact >= .83),
            Row("key or a related one", f"{related:.2f}", ">= 0.93", related >= .93)]


def step_rows(tunes, found):
    """How far loudness and tempo are apart from each song to the one that sounds most like it, and to any other."""
    places = points(tunes, found)
    chance = random.Random(5)

    def steps(pairs):
        loudness = [abs(found[tunes[a].name]["loudness"] - found[tunes[b].name]["loudness"]) for a, b in pairs]
        tempos = [abs(math.log2(found[tunes[b].name]["tempo"] / found[tunes[a].name]["tempo"])) for a, b in pairs
                  if found[tunes[a].name]["tempo"] and found[tunes[b].name]["tempo"]]
        # Half and double tempo are the same beat.
        folded = [2 ** abs(step - round(step)) - 1 for step in tempos]
        return statistics.median(loudness), statistics.median(folded or [0])
    near, other = [], []
    for index, place in enumerate(places):
        near.append((index, min((sum((a - b) ** 2 for a, b in zip(place, places[number])), number)
                                for number in range(len(places)) if number != index)[1]))
        other.append((index, chance.randrange(len(places))))
    (loudness, tempo), (any_loudness, any_tempo) = steps(near), steps(other)
    return [Row(f"loudness step to the nearest (to any {any_loudness:.1f}), median", f"{loudness:.1f} dB", "<= 2.5 dB",
                loudness <= 2.5),
            Row(f"tempo step to the nearest (to any {any_tempo * 100:.0f} %), median", f"{tempo * 100:.0f} %", "<= 10 %",
                tempo <= .1)]


def points(tunes, found):
    """The songs as points, as `SoundSpace` makes them."""
    vectors = [list(struct.unpack(f"<{len(blob) // 4}f", blob))[:32] for blob in
               (found[tune.name]["vector"] for tune in tunes)]
    columns = list(zip(*vectors))
    means = [sum(column) / len(column) for column in columns]
    deviations = [math.sqrt(max(0, sum((value - mean) ** 2 for value in column) / len(column)))
                  for column, mean in zip(columns, means)]
    return [[max(-4, min(4, (value - mean) / deviation)) if deviation > 1e-6 else 0
             for value, mean, deviation in zip(vector, means, deviations)] for vector in vectors]


def neighbour_rows(tunes, found):
    """Whether the nearest songs, of other artists, are of the same style, and whether some are near to too many."""
    places = points(tunes, found)
    right, asked, often = 0, 0, collections.Counter()
    artist_right = 0
    for index, place in enumerate(places):
        order = sorted((sum((a - b) ** 2 for a, b in zip(place, other)), number)
                       for number, other in enumerate(places) if number != index)
        often.update(number for _, number in order[:10])
        artist_right += sum(tunes[number].artist == tunes[index].artist for _, number in order[:5])
        others = [number for _, number in order if tunes[number].artist != tunes[index].artist][:5]
        right += sum(tunes[number].style == tunes[index].style for number in others)
        asked += len(others)
    counts = [often[number] for number in range(len(places))]
    mean = sum(counts) / len(counts)
    spread = math.sqrt(sum((count - mean) ** 2 for count in counts) / len(counts))
    skew = sum((count - mean) ** 3 for count in counts) / len(counts) / spread ** 3
    share = right / asked
    artists = artist_right / (5 * len(tunes))
    return [Row("style of the five nearest by other artists (by chance 0.12)", f"{share:.2f}", ">= 0.95", share >= .95),
            Row("artist of the five nearest (by chance 0.02)", f"{artists:.2f}", "none set", True),
            Row("hubs: skew of how often a song is among the ten nearest", f"{skew:.2f}", "<= 1.5", skew <= 1.5)]


def loudness_row(tunes, found, library):
    """The largest difference to ffmpeg's loudness, of 40 songs."""
    worst = 0
    for tune in tunes[::max(1, len(tunes) // 40)]:
        text = subprocess.run(["ffmpeg", "-nostdin", "-hide_banner", "-i", library / tune.name, "-af", "ebur128", "-f",
                               "null", "-"], capture_output=True, text=True, check=True).stderr
        # It rounds to a tenth.
        other = float(re.findall(r"I:\s+(-?[\d.]+) LUFS", text)[-1])
        worst = max(worst, abs(found[tune.name]["loudness"] - other))
    return Row("loudness against ffmpeg's ebur128, at most", f"{worst:.2f} LU", "<= 0.10 (+ 0.05)", worst <= .151)


def ramp_rows(tunes, found, library, program):
    """How often a level is reached within a tenth of a second, or 3 dB, of what MPD's own analyser says."""
    def steps(text):
        return [tuple(map(float, pair.split())) for pair in (text or "").split(";") if pair.strip()]
    near = asked = 0
    for tune in tunes[::max(1, len(tunes) // 100)]:
        sound = subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", library / tune.name, "-f", "f32le",
                                "-ac", "2", "-"], capture_output=True, check=True).stdout
        text = subprocess.run([program], input=sound, capture_output=True, check=True).stdout.decode()
        for name, column in (("MIXRAMP_START", "ramp_start"), ("MIXRAMP_END", "ramp_end")):
            theirs = steps(re.search(rf"{name}=(.*)", text)[1])
            ours = steps(found[tune.name][column])
            for level, seconds in theirs:
                asked += 1
                near += any(abs(seconds - other) <= .101 and abs(level - other_level) <= 3
                            for other_level, other in ours)
    share = near / max(1, asked)
    return [Row(f"ramps within 3 dB and 0.1 s of MPD's analyser, of {asked} steps", f"{share:.3f}", ">= 0.95",
                share >= .95)]
