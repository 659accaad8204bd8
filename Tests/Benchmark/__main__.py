"""Compares Segue with MPD on this machine. Started by contrib/benchmark, which builds what it needs."""
import argparse
import contextlib
import datetime
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import gaps
import growth
import measurements
import report
import small
from comparing import compare, summary
from servers import MPD, FakeNavidrome, Segue, raise_file_limit
from workloads import Sample, all_workloads

_PARTS = ("work", "starting", "memory", "connections", "readers", "playing", "idle")


def arguments():
    """What was asked for."""
    parser = argparse.ArgumentParser(
        prog="contrib/benchmark", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Times the same work on Segue and on MPD, with the same generated songs, in turn (A B A B ...),\n"
        "and prints medians, their ratio, memory and processor time. Below 1, Segue is faster. A line is void\n"
        "when the two did not answer with the same number of songs, lines and bytes.",
        epilog="examples:\n"
        "  contrib/benchmark                                       50,000 songs, everything; about 12 minutes\n"
        "  contrib/benchmark --songs 500000 --runs 3 --json large.json\n"
        "  contrib/benchmark --only search --parts work            some lines only\n"
        "  contrib/benchmark --growth --json growth.json           and then: contrib/plot-benchmark growth.json\n"
        "  contrib/benchmark --from large.json --markdown          print an old run's table again\n\n"
        "Let nothing else run meanwhile. See docs/performance.md.")
    parser.add_argument("--songs", type=int, default=50_000, help="size of the library (default: %(default)s)")
    parser.add_argument("--runs", type=int, default=5, help="timed rounds of each line (default: %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the lines whose name contains TEXT")
    parser.add_argument("--parts", default=",".join(_PARTS), help="which parts to do (default: %(default)s)")
    parser.add_argument("--idle-seconds", type=int, default=60, help="how long to watch them idle (default: 60)")
    parser.add_argument("--play-seconds", type=int, default=30, help="how long to let them play (default: 30)")
    parser.add_argument("--growth", action="store_true",
                        help="instead, time each class of commands at several sizes of library and queue")
    parser.add_argument("--small", action="store_true", help="instead, measure what a small machine has to offer")
    parser.add_argument("--gaps", action="store_true", help="instead, measure the silence that a device plays on a busy "
                        "machine; needs PulseAudio and the right to run in real time")
    parser.add_argument("--sizes", help="the sizes of library, 1000,10000,100000,1000000 for --growth and 5000,50000 "
                        "for --small unless given")
    parser.add_argument("--json", metavar="FILE", help="write everything to FILE")
    parser.add_argument("--markdown", action="store_true", help="print tables as Markdown, at the end")
    parser.add_argument("--into", metavar="FILE", help="put the Markdown between the marks for it in FILE: "
                        "docs/performance.md, or docs/performance/figures.md")
    parser.add_argument("--from", dest="old", metavar="FILE", help="only print the tables of an earlier --json")
    parser.add_argument("--folder", metavar="FOLDER",
                        help="keep library, databases and logs here, and use what is there (default: a temporary one)")
    parser.add_argument("--mpd", default="mpd", metavar="PATH", help="the MPD to compare with (default: the installed)")
    parser.add_argument("--no-mpd", action="store_true", help="measure Segue alone")
    parser.add_argument("--segue", metavar="PATH", help="a segue that is built already")
    parser.add_argument("--fake-navidrome", metavar="PATH", help="a fake-navidrome that is built already")
    return parser.parse_args()


def say(text):
    """Shows progress."""
    print(text, file=sys.stderr, flush=True)


class Bench:
    """Sets the servers up for libraries of any size."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.sync_seconds = None
        self.navidrome = None

    @contextlib.contextmanager
    def servers(self, songs):
        """Segue and MPD with that many songs."""
        folder = self.folder / str(songs)
        folder.mkdir(parents=True, exist_ok=True)
        music = self._flac()
        navidrome = FakeNavidrome(folder, self.options.fake_navidrome)
        segue = Segue(folder / "segue", self.options.segue, navidrome.port)
        mpd = MPD(folder / "mpd", self.options.mpd)
        running = [navidrome, segue, mpd]
        try:
            self.navidrome = navidrome
            say(f"generating {songs:,} songs: {navidrome.start(songs, mpd.database, music.parent):.1f} s")
            is_new = not (folder / "segue" / "state").exists()
            begin = time.monotonic()
            segue.start()
            segue.wait_for_songs(songs)
            self.sync_seconds = time.monotonic() - begin if is_new else None
            say(f"Segue's first start and sync: {self.sync_seconds:.1f} s" if is_new else "Segue's index is there")
            # The first start and sync are not what the table is about.
            segue.stop()
            segue.start()
            segue.wait_for_songs(songs)
            servers = [segue]
            if not self.options.no_mpd:
                mpd.start()
                mpd.wait_for_songs(songs)
                servers.append(mpd)
            # A folder that was used before has queues, each server its own.
            for server in servers:
                with server.connect() as client:
                    client.command("clear")
            yield servers
        finally:
            for process in reversed(running):
                process.stop()

    def _flac(self):
        """Five minutes of noise as FLAC, which is the hardest to decode."""
        file = self.folder / "audio" / "noise.flac"
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(
                ["gst-launch-1.0", "-q", "audiotestsrc", "wave=pink-noise", "volume=0.3", "num-buffers=3000",
                 "samplesperbuffer=4410", "!", "audio/x-raw,format=S16LE,rate=44100,channels=2", "!", "flacenc", "!",
                 "filesink", f"location={file}"], check=True, stdout=subprocess.DEVNULL)
        return file


class Run:
    """One run over one size of library."""

    def __init__(self, options, bench, servers, table):
        self.options, self.bench, self.servers, self.table = options, bench, servers, table
        self.parts = options.parts.split(",")
        self.workloads, self.measures = [], []

    def measure(self, name, unit, values, target=None, absolute=False, remark=""):
        """Takes a figure down. The target is for the ratio, or for Segue's figure if it is absolute."""
        ours, theirs = values.get("Segue"), values.get("MPD")
        ratio = ours / theirs if ours is not None and theirs else None
        judged = ours if absolute else ratio
        if target is not None and judged is not None and judged > target:
            remark = "missed" + (", " + remark if remark else "")
        line = {"name": name, "unit": unit, "values": values, "ratio": ratio, "target": target, "absolute": absolute,
                "remark": remark}
        self.measures.append(line)
        report.print_measure(line, self.table)

    def each(self, body):
        """A figure of each server."""
        return {server.name: body(server) for server in self.servers}

    def memory(self, when, target=None):
        """Memory of both, now."""
        found = self.each(lambda server: server.memory())
        for key, title in (("rss", "resident memory"), ("pss", "proportional memory")):
            self.measure(f"{title} {when}", "MiB", {name: value[key] / 1024 for name, value in found.items()},
                         target if key == "rss" else None)

    def everything(self):
        """All parts that were asked for."""
        large = self.options.songs >= 400_000
        if self.bench.sync_seconds:
            self.measure("first start and the library into the index", "s", {"Segue": self.bench.sync_seconds})
        if "memory" in self.parts:
            self.memory("after the start")
        if "connections" in self.parts:
            self.measure("each of 5,000 idle connections", "KiB", self.each(measurements.idle_connections), 4, True)
        if "work" in self.parts:
            self.work()
        others = [name for name in _PARTS if name != "work" and name in self.parts]
        if others:
            self.table.heading("Other figures", ["What", "Segue", "MPD", "ratio", "target", ""])
        if "memory" in self.parts:
            for server in self.servers:
                server.fill_queue()
            self.memory("after the work, the library in the queue", 0.5 if large else 1.0)
        if "readers" in self.parts:
            self.readers()
        if "playing" in self.parts:
            self.playing()
        if "idle" in self.parts:
            self.idle()
        if "memory" in self.parts:
            for server in self.servers:
                server.fill_queue()
            self.memory("at the end, the library in the queue", 0.5 if large else 1.0)
            peaks = self.each(lambda server: server.memory()["peak"] / 1024)
            self.measure("highest resident memory", "MiB", peaks)
        if "starting" in self.parts:
            self.starting()

    def work(self):
        """The table of times."""
        sample = Sample(self.servers[0])
        self.table.heading("Times", ["Work", "Segue ms", "MPD ms", "ratio", "target", ""])
        for workload in all_workloads():
            if self.options.only not in workload.name:
                continue
            before = self.each(lambda server: server.cpu())
            line = compare(workload, self.servers, sample, self.options.runs)
            for server in self.servers:
                line["servers"][server.name]["cpu_s"] = server.cpu() - before[server.name]
            self.workloads.append(line)
            report.print_workload(line, self.table)
        if not self.options.only:
            self.measure("processor time of all that work", "s",
                         self.each(lambda server: sum(line["servers"][server.name]["cpu_s"]
                                                      for line in self.workloads)))

    def readers(self):
        """Clients that get in each other's way."""
        self.measure("first byte of listallinfo", "ms",
                     self.each(lambda server: measurements.first_byte(server, self.options.runs)), 20, True)
        slow = self.each(measurements.beside_a_slow_reader)
        for key, title in (("median", "median"), ("p99", "99th percentile"), ("highest", "highest")):
            self.measure(f"status beside a slow listallinfo, {title}", "ms",
                         {name: value[key] for name, value in slow.items()}, 5 if key == "p99" else None, True)
        self.measure("memory that the slow listallinfo takes", "MiB",
                     {name: value["memory"] for name, value in slow.items()})
        fast = self.each(measurements.beside_fast_readers)
        for key, title in (("median", "median"), ("p99", "99th percentile")):
            self.measure(f"status beside endless listallinfo, {title}", "ms",
                         {name: value[key] for name, value in fast.items()})

    def playing(self):
        """Decoding a FLAC into nothing, in time."""
        with self.servers[0].connect() as client:
            song = client.values("search \"(title contains 'e')\" window 0:1", "file")[0]
        for server in self.servers:
            if isinstance(server, MPD):
                target = server.music / song
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.bench.folder / "audio" / "noise.flac", target)
        values = measurements.playing(self.servers, song, self.options.play_seconds)
        seconds = ", ".join(f"{name} {value['played']:.1f} s" for name, value in values.items())
        self.measure("processor while playing a FLAC", "% of a core",
                     {name: value["cpu"] for name, value in values.items()}, 2.0, remark=f"played {seconds}")
        self.measure("wake-ups while playing", "a second", {name: value["wakeups"] for name, value in values.items()})
        for key, title in (("rss", "resident memory"), ("pss", "proportional memory")):
            self.measure(f"{title} while playing", "MiB",
                         {name: value[key] / 1024 for name, value in values.items()}, 1.5 if key == "rss" else None)

    def idle(self):
        """No client asks for anything."""
        values = measurements.idle(self.servers, self.options.idle_seconds)
        self.measure("processor while idle and stopped", "% of a core",
                     {name: value["cpu"] for name, value in values.items()}, 0.1, True,
                     f"over {self.options.idle_seconds} s")
        self.measure("wake-ups while idle and stopped", "a second",
                     {name: value["wakeups"] for name, value in values.items()})

    def starting(self):
        """Stopping and starting again, the library at hand."""
        for server in self.servers:
            with server.connect() as client:
                client.command("clear")
        values = self.each(lambda server: measurements.restarts(server, self.options.runs))
        self.measure("start to greeting", "ms", {name: value["ms"] for name, value in values.items()}, 200, True)
        self.measure("processor time of a start", "ms", {name: value["cpu_ms"] for name, value in values.items()})
        for key, title in (("rss", "resident memory"), ("pss", "proportional memory")):
            self.measure(f"{title} after a start", "MiB",
                         {name: value[key] / 1024 for name, value in values.items()})


def result_of(options, **more):
    """What every result file tells."""
    versions = {"Segue": report.version(options.segue)}
    if not options.no_mpd:
        versions["MPD"] = report.version(options.mpd)
    return {"date": datetime.date.today().isoformat(), "machine": report.machine(), "versions": versions,
            "load": options.load, "runs": options.runs, **more}


def print_again(result, table):
    """The tables of a result."""
    if "workloads" in result:
        report.print_result(result, table)
        return
    report.print_conditions(result, table)
    if "points" in result:
        growth.print_growth(result, table)
    else:
        report.print_measures("Figures", result, table)


def put_into(document, result):
    """Replaces the part of a document that such a result has."""
    kind = f"{result['songs']} songs" if "songs" in result else "growth" if "points" in result else result["kind"]
    begin, end = f"<!-- begin: {kind} -->\n", f"<!-- end: {kind} -->"
    text = document.read_text(encoding="utf-8")
    if begin not in text or end not in text:
        raise SystemExit(f"{document} has no part between {begin.strip()} and {end}")
    tables = io.StringIO()
    print_again(result, report.Table(True, tables))
    before, rest = text.split(begin, 1)
    document.write_text(before + begin + tables.getvalue() + "\n" + end + rest.split(end, 1)[1], encoding="utf-8")


def sizes_of(options, default):
    """The sizes that were asked for."""
    return [int(size) for size in (options.sizes or default).split(",")]


def run(options, folder):
    """Measures, and returns the result."""
    bench = Bench(options, folder)
    if options.growth:
        sizes = sizes_of(options, "1000,10000,100000,1000000")
        points = growth.measure(bench, sizes, options.runs, options.only, say)
        return result_of(options, sizes=sizes, points=points, exponents=growth.exponents(points))
    if options.small:
        measured = Run(options, bench, [], report.Table())
        measured.table.heading("Small machines", ["What", "Segue", "MPD", "ratio", "target", ""])
        small.measure(bench, sizes_of(options, "5000,50000"), measured, say)
        return result_of(options, kind="small machines", measures=measured.measures)
    if options.gaps:
        measured = Run(options, bench, [], report.Table())
        measured.table.heading("A busy machine", ["What", "Segue", "MPD", "ratio", "target", ""])
        gaps.measure(bench, measured, say)
        return result_of(options, kind="a busy machine", measures=measured.measures)
    with bench.servers(options.songs) as servers:
        measured = Run(options, bench, servers, report.Table())
        measured.everything()
        return result_of(options, songs=options.songs, workloads=measured.workloads, measures=measured.measures,
                         summary=summary(measured.workloads))


def main():
    options = arguments()
    if options.old:
        result = json.loads(pathlib.Path(options.old).read_text(encoding="utf-8"))
        if options.into:
            put_into(pathlib.Path(options.into), result)
        else:
            print_again(result, report.Table(options.markdown))
        return
    options.load = os.getloadavg()[0]
    raise_file_limit()
    # So that nothing is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="segue-benchmark-") as temporary:
        folder = pathlib.Path(options.folder).resolve() if options.folder else pathlib.Path(temporary)
        result = run(options, folder)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=1), encoding="utf-8")
    if options.into:
        put_into(pathlib.Path(options.into), result)
    if options.growth or options.markdown:
        print_again(result, report.Table(options.markdown))
    elif not (options.small or options.gaps):
        report.print_summary(result, report.Table())


if __name__ == "__main__":
    main()
