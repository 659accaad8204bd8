"""What Segue needs on a small machine: room on the disk, work at the start, memory, and whether it runs with little."""
import pathlib
import re
import shutil
import subprocess
import time

import measurements
from connection import quoted


def measure(bench, sizes, run, say):
    """Takes figures down by `run.measure` for every size of library."""
    _program(bench.options.segue, run)
    for songs in sizes:
        say(f"{songs:,} songs")
        with bench.servers(songs) as servers:
            run.servers = servers
            _starts(servers[0], songs, run)
            _memory(servers, songs, run)
            for mebibytes in (512, 256, 128):
                _limited(servers[0], songs, mebibytes, run)


def _program(program, run):
    """What lies on the disk."""
    run.measure("program", "MiB", {"Segue": pathlib.Path(program).stat().st_size / 1024 ** 2})
    run.bench.folder.mkdir(parents=True, exist_ok=True)
    stripped = run.bench.folder / "segue-stripped"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    run.measure("program, stripped", "MiB", {"Segue": stripped.stat().st_size / 1024 ** 2})
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    libraries = [pathlib.Path(path).resolve() for path in re.findall(r"=> (/\S+)", listed)]
    swift = [path for path in libraries if "/swift/" in str(path)]
    run.measure("Swift's libraries beside it", "MiB", {"Segue": sum(path.stat().st_size for path in swift) / 1024 ** 2},
                remark=f"{len(swift)} of {len(libraries)} libraries")


def _starts(segue, songs, run):
    """The first start, which looks at every plug-in of GStreamer, and a later one."""
    for title, is_first in (("with a scan of plug-ins", True), ("later", False)):
        segue.stop()
        if is_first:
            pathlib.Path(segue.environment["GST_REGISTRY"]).unlink(missing_ok=True)
        milliseconds = segue.start() * 1000
        _settle(segue)
        run.measure(f"start {title}, {songs:,} songs: to greeting", "ms", {"Segue": milliseconds})
        run.measure(f"start {title}, {songs:,} songs: processor", "ms", {"Segue": segue.cpu() * 1000})
    loaded = plugins(segue)
    run.measure("plug-ins of GStreamer loaded by the start", "", {"Segue": len(loaded)}, remark=", ".join(loaded))


def _settle(server):
    """Waits until the server has nothing more to do."""
    before = -1.0
    while server.cpu() - before > 0.005:
        before = server.cpu()
        time.sleep(1)


def plugins(server):
    """The names of GStreamer's plug-ins that are loaded."""
    text = pathlib.Path(f"/proc/{server.pid}/maps").read_text()
    return sorted(set(re.findall(r"/libgst(\w+)\.so$", text, re.MULTILINE))
                  & set(re.findall(r"gstreamer-1.0/libgst(\w+)\.so$", text, re.MULTILINE)))


def _memory(servers, songs, run):
    """Memory after the start, after browsing, and while playing."""
    run.memory(f"after the start, {songs:,} songs")
    for server in servers:
        with server.connect() as client:
            for command in ("listallinfo", "list album group albumartist", "search \"(any contains 'moon')\""):
                client.command(command)
        server.fill_queue()
    run.memory(f"after browsing, the library in the queue, {songs:,} songs")
    run.playing()
    run.measure("plug-ins of GStreamer after playing", "", {"Segue": len(plugins(servers[0]))},
                remark=", ".join(plugins(servers[0])))
    run.measure(f"highest resident memory, {songs:,} songs", "MiB",
                run.each(lambda server: server.memory()["peak"] / 1024))


def _limited(segue, songs, mebibytes, run):
    """A first sync, a listing and a song with no more private memory than this; says what failed."""
    segue.stop()
    for name in ("state", "cache"):
        shutil.rmtree(segue.folder / name, ignore_errors=True)
    segue.limit = mebibytes * 1024 ** 2
    step = "start"
    try:
        begin = time.monotonic()
        segue.start()
        step = "sync"
        segue.wait_for_songs(songs)
        seconds = time.monotonic() - begin
        step = "listing"
        segue.queue_is_whole = False
        segue.fill_queue()
        measurements.first_byte(segue, 1)
        step = "playing"
        with segue.connect() as client:
            song = client.values("search \"(title contains 'e')\" window 0:1", "file")[0]
        for command in ("clear", "add " + quoted(song)):
            with segue.connect() as client:
                client.command(command)
        measurements.playing([segue], song, 5)
        remark = "works"
        values = {"Segue": seconds}
    except (RuntimeError, OSError, TimeoutError) as error:
        remark, values = f"{step} failed: {str(error).splitlines()[0]}", {"Segue": None}
    finally:
        segue.limit = None
    run.measure(f"start and first sync with {mebibytes} MiB of data, {songs:,} songs", "s", values, remark=remark)
