"""Measures songs whose truth is known: how well and how fast the analysis does. See contrib/measure-discovery."""
import argparse
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import idle
import songs as music
from quality import (Row, key_rows, loudness_row, measured, neighbour_rows, ramp_rows, step_rows,
                     tempo_rows)

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
        found = measured(folder / library.name / "state")
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
