"""Measures songs whose truth is known: how well and how fast the analysis does. See contrib/measure-discovery."""
import argparse
import collections
import contextlib
import json
import math
import os
import pathlib
import random
import re
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import idle
import songs as music

CONFIGURATION = """
[server]
listen = ["127.0.0.1:{port}"]
state_directory = "{folder}/state"
cache_directory = "{folder}/cache"
[local]
music_directory = "{music}"
[[output]]
type = "null"
name = "Nothing"
"""


class Row:
    """What is found against what is wanted."""

    def __init__(self, what, found, wanted, is_met):
        self.what, self.found, self.wanted, self.is_met = what, found, wanted, is_met


def run(program, folder, library, *words):
    """Runs Segue over a folder of music; gives its processor time in seconds and its largest memory in MiB."""
    configuration = folder / f"{library.name}.toml"
    configuration.write_text(CONFIGURATION.format(port=6600, folder=folder / library.name, music=library))
    (folder / library.name).mkdir(exist_ok=True)
    command = [program, *words, "--config", configuration]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    largest = 0
    while True:
        # The resource usage would count what this program had before it became that one.
        with contextlib.suppress(OSError), open(f"/proc/{child.pid}/status") as file:
            peak = re.search(r"VmHWM:\s+(\d+)", file.read())
            largest = int(peak[1]) if peak else largest
        done, status, usage = os.wait4(child.pid, os.WNOHANG)
        if done:
            break
        time.sleep(.01)
    child.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime, largest / 1024


def speed(program, folder):
    """How much processor time and memory an MP3 of four minutes takes beyond one of two seconds: the least of three."""
    library = folder / "long"
    library.mkdir()
    tune = [music.compose(0)]
    music.make(tune, library, 60)
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-stream_loop", "3", "-i", library / tune[0].name,
                    "-b:a", "320k", "-t", "240", library / "song.mp3"], check=True)
    (library / tune[0].name).unlink()
    songs = {"song": library / "song.mp3", "start": library / "start.mp3"}
    subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-i", songs["song"], "-b:a", "320k", "-t", "2",
                    songs["start"]], check=True)
    taken = {name: [] for name in songs}
    for attempt in range(3):
        for name, song in songs.items():
            one = folder / f"{name}-{attempt}"
            one.mkdir()
            (one / song.name).hardlink_to(song)
            run(program, folder, one, "sync")
            taken[name].append(run(program, folder, one, "analyse"))
    seconds, memory = (min(run[part] for run in taken["song"]) - min(run[part] for run in taken["start"])
                       for part in (0, 1))
    return seconds, memory


def measured(folder, library):
    """What was measured of each song, by its path."""
    with sqlite3.connect(f"file:{folder / library.name}/state/segue.db?mode=ro", uri=True) as database:
        database.row_factory = sqlite3.Row
        rows = database.execute("SELECT s.uri, a.* FROM analysis a JOIN song s ON s.id = a.song WHERE a.tries = 0")
        return {row["uri"]: dict(row) for row in rows}


# Quality.

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


def quality_rows(program, folder, library):
    """The report that listeners see of their own library, on these songs."""
    text = subprocess.run([program, "analyse", "--json", "--config", folder / f"{library.name}.toml"],
                          capture_output=True, text=True, check=True).stdout
    quality = json.loads(text).get("quality") or {}
    return [Row(f"{name} of the five nearest, as `segue analyse --report` tells: by sound, by tags, by chance",
                f"{share['sound']:.2f}, {share['tags']:.2f}, {share['chance']:.2f}", "above chance",
                share["sound"] > share["chance"])
            for name, share in quality.items() if name != "hubs" and share["songs"]]


def idle_rows(program, folder, library):
    """What is done while nothing plays; the settings must not add to it."""
    figures = idle.measure(program, folder, lambda port: CONFIGURATION.format(
        port=port, folder=folder / library.name, music=library))
    least = figures[0][1]
    return [Row(f"wake-ups a minute with nothing playing, {name}", f"{wakeups:.0f} ({busy:.0f} ms)",
                "as with everything off", wakeups <= least * 1.25 + 6) for name, wakeups, busy in figures]


def large_rows(bench):
    """The figures of libraries too large to be generated as sound."""
    text = subprocess.run([bench], capture_output=True, text=True, check=True).stdout
    return [Row(row["what"], row["found"], row["wanted"], row["is_met"]) for row in json.loads(text)]


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


def main():
    """Makes the songs, has them measured, and prints the table; the status is 0 when all targets are met."""
    parser = argparse.ArgumentParser(prog="contrib/measure-discovery", description=__doc__)
    parser.add_argument("--segue", type=pathlib.Path, required=True, help="the program; a release unless it says so")
    parser.add_argument("--songs", type=int, default=400, help="how many songs (400)")
    parser.add_argument("--seconds", type=int, default=20, help="how long each is (20)")
    parser.add_argument("--mixramp", type=pathlib.Path, help="MPD's test program RunMixRampAnalyzer, to compare with")
    parser.add_argument("--bench", type=pathlib.Path, help="discovery-bench, which measures libraries of 500,000 songs")
    parser.add_argument("--folder", type=pathlib.Path, help="where the songs are kept for another run")
    parser.add_argument("--json", action="store_true", help="one object for scripts")
    options = parser.parse_args()
    program = options.segue.resolve()
    with tempfile.TemporaryDirectory(prefix="segue-discovery-") as temporary:
        folder = pathlib.Path(temporary)
        library = (options.folder or folder) / "music"
        library.mkdir(parents=True, exist_ok=True)
        tunes = [music.compose(number) for number in range(options.songs)]
        music.make([tune for tune in tunes if not (library / tune.name).exists()], library, options.seconds)
        run(program, folder, library, "sync")
        begin = time.monotonic()
        took, _ = run(program, folder, library, "analyse")
        print(f"{options.songs} songs of {options.seconds} s: {took:.0f} s of a processor, "
              f"{time.monotonic() - begin:.0f} s in all", file=sys.stderr)
        found = measured(folder, library)
        missing = [tune.name for tune in tunes if tune.name not in found]
        if missing:
            sys.exit(f"not measured: {missing[:5]}")
        rows = tempo_rows(tunes, found) + key_rows(tunes, found) + neighbour_rows(tunes, found)
        rows.append(loudness_row(tunes, found, library))
        if options.mixramp:
            rows += ramp_rows(tunes, found, library, options.mixramp.resolve())
        rows += step_rows(tunes, found) + quality_rows(program, folder, library)
        rows += idle_rows(program, folder, library)
        if options.bench:
            rows += large_rows(options.bench.resolve())
        seconds, memory = speed(program, folder)
        rows.append(Row("an MP3 of four minutes, 320 kbit/s", f"{seconds:.2f} s of a core", "<= 1.5", seconds <= 1.5))
        rows.append(Row("memory for that, beyond one of two seconds", f"{memory:.1f} MiB", "<= 12", memory <= 12))
    if options.json:
        print(json.dumps([vars(row) for row in rows], indent=2))
    else:
        print("| What | Found | Target | Met |\n|---|---|---|---|")
        for row in rows:
            print(f"| {row.what} | {row.found} | {row.wanted} | {'yes' if row.is_met else '**no**'} |")
    return 0 if all(row.is_met for row in rows) else 1


sys.exit(main())
