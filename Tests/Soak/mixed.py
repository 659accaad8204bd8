"""Everything at once for long: clients of all kinds, syncing with faults, plays, radio, listeners, partitions.

Started by contrib/soak mixed. Memory, descriptors, threads, and how long another client waits for its status go into a
table and a picture; the status is 0 only if none of them grew and nothing ended or was lost.
"""
import argparse
import collections
import contextlib
import csv
import json
import pathlib
import random
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import curves
from load import Load, Station, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Benchmark"))
from connection import Connection  # noqa: E402  (they need the benchmark's modules)
from servers import MusicServer, Process, free_port, raise_file_limit, wait_until  # noqa: E402

SONGS = 2000
FAULTS = ("down", "http500", "garbage", "html", "cut", "ratelimit", "delay", "slow")
CHANGES = ("touch", "add", "remove", "restore", "move", "scan")


def arguments(words):
    """What was asked for."""
    parser = argparse.ArgumentParser(
        prog="contrib/soak mixed", formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__,
        epilog="examples:\n  contrib/soak mixed --minutes 60\n"
        "  contrib/soak mixed --minutes 5 --segue .build/debug/segue --fake-navidrome .build/debug/fake-navidrome\n")
    parser.add_argument("--segue", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--fake-navidrome", type=pathlib.Path, required=True, help="the program with the library")
    parser.add_argument("--minutes", type=float, default=60, help="for how long (60)")
    parser.add_argument("--clients", type=int, default=50, help="how many (50)")
    parser.add_argument("--listeners", type=int, default=5, help="how many listen over HTTP (5)")
    parser.add_argument("--interval", type=float, default=3, help="seconds between two rows of the table (3)")
    parser.add_argument("--faults", type=float, default=7, help="seconds between two faults or changes (7)")
    parser.add_argument("--latency", type=float, default=50, help="milliseconds within which each status comes (50)")
    parser.add_argument("--analyse", choices=("library", "heard", "off"), default="library",
                        help="which songs it measures meanwhile (library)")
    parser.add_argument("--seed", type=int, default=1, help="another one makes another run (1)")
    parser.add_argument("--csv", type=pathlib.Path, default=pathlib.Path("soak.csv"), help="the table (soak.csv)")
    parser.add_argument("--picture", type=pathlib.Path, help="the picture, an SVG (the table's name with .svg)")
    parser.add_argument("--folder", type=pathlib.Path, help="where state, cache and logs go (a temporary one)")
    return parser.parse_args(words)


class Navidrome(Process):
    """The library, which changes and fails on demand."""

    def __init__(self, folder, program):
        super().__init__(folder, "fake-navidrome")
        self.program, self.port = program, free_port()

    def start(self):
        """Serves songs of ten seconds."""
        self.launch(
    self.program,
    "--songs",
    SONGS,
    "--port",
    self.port,
    "--audio-milliseconds",
    10_000,
     "--true-lengths")
        wait_until(lambda: b"songs on" in self.log.read_bytes(), 60, "the fake Navidrome")

    def control(self, name, **parameters):
        """Steers it."""
        query = urllib.parse.urlencode(parameters)
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/_control/{name}?{query}", timeout=30) as answer:
            return json.load(answer)


class Segue(MusicServer):
    """The program with two outputs, one of them over HTTP."""

    name = "Segue"

    def __init__(self, folder, program, navidrome, station, analyse):
        super().__init__(folder, "segue")
        self.program, self.stream, self.page = program, free_port(), free_port()
        self.configuration = folder / "segue.toml"
        self.configuration.write_text(
            f'[server]\nlisten = ["127.0.0.1:{self.port}"]\nstate_directory = "{folder}/state"\n'
            f'cache_directory = "{folder}/cache"\n[cache]\nsize = "64 MiB"\n[playback]\nresume = "play"\n'
            f'[navidrome]\nurl = "http://127.0.0.1:{navidrome}"\nusername = "admin"\npassword = "secret"\nsync_interval = 5\n'
            f'[[output]]\ntype = "httpd"\nname = "Anywhere"\nport = {self.stream}\nbind_to_address = "127.0.0.1"\n'
            'encoder = "mp3"\nalways_on = true\n[[output]]\ntype = "null"\nname = "Nothing"\n'
            f'[web]\nlisten = ["127.0.0.1:{self.page}"]\n[discovery]\nanalyse = "{analyse}"\n'
            '[[output]]\ntype = "null"\nname = "Other"\n'
            f'[[station]]\nname = "Soak"\nurl = "http://127.0.0.1:{station}/live"\n')

    def run(self):
        """Starts the program."""
        self.launch(self.program, "serve", "--config", self.configuration)

    def underruns(self):
        """How often an output had nothing to play in the middle of sound."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.page}/metrics", timeout=60) as answer:
            found = re.findall(r"^segue_underruns_total\S* (\S+)$", answer.read().decode(), re.MULTILINE)
        if not found:
            raise ValueError("the program does not tell of underruns")
        return int(sum(map(float, found)))

    def measured(self):
        """How many songs were measured."""
        path = f"file:{self.configuration.parent}/state/segue.db?mode=ro"
        with contextlib.closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
            return database.execute("SELECT count(*) FROM analysis WHERE tries = 0").fetchone()[0]

    def descriptors(self):
        """How many files and sockets are open."""
        return len(list(pathlib.Path(f"/proc/{self.pid}/fd").iterdir()))


class Questions(threading.Thread):
    """Another client that asks for the status ten times a second and notes how long the answers take."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.times, self.error, self.ends = port, [], None, threading.Event()

    def run(self):
        try:
            with Connection(self.port) as client:
                while not self.ends.wait(0.1):
                    began = time.perf_counter()
                    client.command("status")
                    self.times.append((time.perf_counter() - began) * 1000)
        except OSError as error:
            self.error = error

    def take(self):
        """The times since the last call, in milliseconds, sorted."""
        taken, self.times = self.times, []
        return sorted(taken) or [0.0]


def disturb(navidrome, chance, counts):
    """One fault or change of the server."""
    try:
        if chance.random() < 0.5:
            mode = chance.choice(FAULTS)
            navidrome.control(
    "fault", mode=mode, count=chance.randrange(
        1, 12), ms=chance.randrange(
            100, 3000), rate=20_000, after=chance.randrange(
                10, 5000), retry_after=2)
        else:
            mode = chance.choice(CHANGES)
            navidrome.control(mode, n=chance.randrange(1, 30))
        counts[mode] += 1
    except OSError as error:
        say(f"the fake Navidrome could not be disturbed: {error}")


def look(segue, begin, times, load):
    """One row of the table."""
    memory = segue.memory()
    return {"seconds": round(time.monotonic() - begin,
    1),
    "rss_mib": round(memory["rss"] / 1024,
    1),
    "pss_mib": round(memory["pss"] / 1024,
    1),
    "descriptors": segue.descriptors(),
    "threads": memory["threads"],
    "cpu_seconds": round(segue.cpu(),
    1),
    "answers": len(times),
    "status_p50_ms": round(times[len(times) // 2],
    2),
    "status_p99_ms": round(times[min(len(times) - 1,
    len(times) * 99 // 100)],
    2),
    "status_max_ms": round(times[-1],
    2),
    "commands": load.commands,
     "refused": load.refused,
     "underruns": segue.underruns(),
     "measured": segue.measured()}


def go_on(options, segue, navidrome, load, writer):
    """Lets all of it happen; returns the rows, all times of answers, and what was done to the server."""
    chance, counts, rows, all_times = random.Random(options.seed), collections.Counter(), [], []
    questions = Questions(segue.port)
    questions.start()
    begin = time.monotonic()
    next_row, next_fault = begin + options.interval, begin + options.faults
    while time.monotonic() < begin + options.minutes * 60:
        segue.fail_unless_running()
        if questions.error:
            raise ConnectionError(f"the client that asks for the status was left: {questions.error}")
        time.sleep(max(0, min(next_row, next_fault) - time.monotonic()))
        if time.monotonic() >= next_fault:
            disturb(navidrome, chance, counts)
            next_fault += options.faults
        if time.monotonic() >= next_row:
            times = questions.take()
            all_times += times
            rows.append(look(segue, begin, times, load))
            writer.writerow(rows[-1])
            next_row += options.interval
    navidrome.control("fault", mode="none")
    questions.ends.set()
    return rows, sorted(all_times), counts


def highest(rows, key, first, last):
    """The highest value in a part of the run, given as shares of it."""
    return max(row[key] for row in rows[int(len(rows) * first):max(int(len(rows) * last), int(len(rows) * first) + 1)])


def verdict(rows, times, options, load, ending, plays, log):
    """Sentences, each with whether it is well."""
    found = []
    for key, name, unit, slack in (
        ("rss_mib", "Resident memory", " MiB", 1.05),
        ("descriptors", "Descriptors", "", 1.1),
        ("threads", "Threads", "", 1.1)):
        early, late = highest(rows, key, 0.2, 0.6), highest(rows, key, 0.6, 1)
        found.append(
    (late <= early * slack + 4,
    f"{name}: at most {early:g}{unit} from a fifth of the run on, {late:g}{unit} in "
    "its last two fifths."))
    found.append(
        (times[-1] <=options.latency,
         f"`status` for another client, {len(times):,} times: median "
         f"{times[len(times) // 2]:.2f} ms, 99th percentile {times[len(times) * 99 // 100]:.2f} ms, at most {times[-1]:.1f} "
         "ms."))
    found.append((not load.errors,
                  f"{load.commands:,} commands by {options.clients} clients, {load.refused:,} of them refused; " +
                  (f"lost connections: {load.errors[:3]}" if load.errors else "no connection was lost.")))
    late = rows[-1]["underruns"]
    found.append((late == 0, f"{rows[-1]['measured']:,} songs were measured meanwhile; an output had nothing to play in "
                  f"the middle of sound {late} times."))
    twice = [play for play, count in collections.Counter(plays).items() if count > 1]
    found.append((not twice, f"{len(plays):,} plays arrived at the server, {len(twice)} of them twice."))
    found.append((ending < 3, f"It ended {ending:.2f} s after it was asked to."))
    found.append((not log, f"Lines of errors in the log: {len(log)}." + "".join(f"\n  {line}" for line in log[:5])))
    return found


def check_end(segue, navidrome):
    """Ends the program; the seconds that it took, the plays that the server has, and the errors in the log."""
    time.sleep(6)
    began = time.monotonic()
    segue.process.send_signal(signal.SIGTERM)
    segue.process.wait(60)
    ending = time.monotonic() - began
    rows = navidrome.control("scrobbles")["rows"]
    log = [line for line in segue.log.read_text(errors="replace").splitlines()
                                                if " error " in line or " critical " in line]
    return ending, [(row["id"], row["time"]) for row in rows if row["submission"]], log


def main(words):
    """Runs it, writes the table and the picture, and tells by the status whether all is well."""
    options = arguments(words)
    raise_file_limit()
    with contextlib.ExitStack() as cleaning:
        folder = options.folder or pathlib.Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="soak")))
        folder.mkdir(parents=True, exist_ok=True)
        station = Station()
        navidrome = Navidrome(folder, options.fake_navidrome)
        cleaning.callback(navidrome.stop)
        navidrome.start()
        segue = Segue(folder, options.segue, navidrome.port, station.port, options.analyse)
        cleaning.callback(segue.stop)
        segue.start()
        segue.wait_for_songs(SONGS)
        load = Load(segue.port, segue.stream, options, station.port)
        cleaning.callback(load.stop)
        load.start()
        with open(options.csv, "w", newline="", encoding="utf-8") as table:
            writer = csv.DictWriter(table, fieldnames=list(look(segue, time.monotonic(), [0.0], load)))
            writer.writeheader()
            rows, times, counts = go_on(options, segue, navidrome, load, writer)
        load.stop()
        ending, plays, log = check_end(segue, navidrome)
    picture = options.picture or options.csv.with_suffix(".svg")
    picture.write_text(curves.draw(rows), encoding="utf-8")
    print(f"{options.minutes:g} minutes, {options.clients} clients, {options.listeners} listeners over HTTP; "
          + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) + f"\n{options.csv}, {picture}\n")
    found = verdict(rows, times, options, load, ending, plays, log)
    print("\n".join(f"- {text}{'' if is_well else ' **Not well.**'}" for is_well, text in found))
    sys.exit(0 if all(is_well for is_well, _ in found) else 1)
