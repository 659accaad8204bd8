"""Measures what the page costs the server, one figure after the other."""
import contextlib
import http.client
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "Integration"), str(TESTS / "LoopTimes")]
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome  # noqa: E402
from harness.processes import free_port  # noqa: E402
from harness.segue import Segue  # noqa: E402
from harness.web import Socket  # noqa: E402
from watching import Watcher  # noqa: E402

MIB, KIB = 1 << 20, 1 << 10
PAGES = 10


class Table:
    """What was measured, a line each; those beyond their bound are marked."""

    def __init__(self):
        self.is_good = True
        print(f"{'what':58} {'bound':>10}  measured", flush=True)

    def line(self, what, bound, value, unit, more=""):
        """Shows a figure."""
        is_within = bound is None or value <= bound
        self.is_good = self.is_good and is_within
        shown = "" if bound is None else f"{bound:g} {unit}"
        print(f"{what:58} {shown:>10}  {value:.4g} {unit}{more}{'' if is_within else '   BEYOND'}", flush=True)


def percentile(values, part):
    """The value below which this part of them lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


class Client:
    """A browser's connection that stays open."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, body=None):
        """Asks, and gives the answer's bytes and how long it took in milliseconds."""
        began = time.perf_counter()
        self.connection.request(method, path, None if body is None else json.dumps(body),
                                {"Content-Type": "application/json"} if body is not None else {})
        answer = self.connection.getresponse()
        data = answer.read()
        took = (time.perf_counter() - began) * 1000
        assert answer.status < 300, (path, answer.status, data[:200])
        return data, took

    def get(self, path):
        """The JSON of an address."""
        return json.loads(self.ask("GET", path)[0])


class Pages:
    """Open pages that hear of changes and answer pings."""

    def __init__(self, port, count):
        self.sockets = [Socket(port, timeout=600) for _ in range(count)]
        for socket in self.sockets:
            socket.wait_for("status")
        self.heard = []
        for socket in self.sockets:
            threading.Thread(target=self.listen, args=[socket], daemon=True).start()

    def listen(self, socket):
        """Notes what comes, and when."""
        with contextlib.suppress(AssertionError, OSError, ValueError):
            while True:
                kind = socket.message()["type"]
                self.heard.append((time.perf_counter(), kind))

    def close(self):
        """Closes all of them."""
        for socket in self.sockets:
            with contextlib.suppress(OSError):
                socket.connection.shutdown(2)


def start(server, songs, port=None):
    """Starts the program with the page or without, and waits until nothing is left to do."""
    server.sections["web"] = {"listen": [f"127.0.0.1:{port}"] if port else []}
    server.start()
    server.wait_for_songs(songs, seconds=900)
    at_rest(server)


def at_rest(server):
    """Waits until the program has used no processor for two seconds."""
    def used():
        fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    last, since = used(), time.monotonic()
    while time.monotonic() - since < 2:
        time.sleep(0.25)
        if used() > last + 1:
            last, since = used(), time.monotonic()


def switches(server):
    """How often the kernel switched to each thread of the program."""
    seen = {}
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        with contextlib.suppress(OSError):
            lines = (task / "status").read_text().splitlines()
            seen[task.name] = sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return seen


def memory(table, server, songs, port):
    """With the page and without it, and for each open page."""
    plain, on = [], []
    for _ in range(3):
        start(server, songs)
        plain.append(server.memory)
        server.stop()
        start(server, songs, port)
        on.append(server.memory)
        server.stop()
    without, used = statistics.median(plain), statistics.median(on)
    table.line("memory with the page on, without visitors", 3, (used - without) / MIB, "MiB",
               f" ({without / MIB:.1f} without the page)")
    start(server, songs, port)
    first = Pages(port, 4)
    at_rest(server)
    before = server.memory
    more = Pages(port, 48)
    at_rest(server)
    table.line("memory of an open page, of 48", 64, (server.memory - before) / 48 / KIB, "KiB")
    before = server.memory
    client = Client(port)
    for path in ("/api/albums?count=200", "/api/queue", "/api/songs?count=200"):
        client.get(path)
    at_rest(server)
    table.line("memory of the library's lists, once a page looked", None, (server.memory - before) / MIB, "MiB")
    more.close()
    first.close()


def wakes(table, server, port, seconds):
    """How often it wakes up while nothing changes."""
    def counted():
        before = switches(server)
        time.sleep(seconds)
        # Threads that ended meanwhile don't count; none of them does while nothing is to be done.
        return sum(count - before.get(task, 0) for task, count in switches(server).items()) * 60 / seconds
    at_rest(server)
    alone = counted()
    pages = Pages(port, PAGES)
    at_rest(server)
    pages.heard.clear()
    together = counted()
    table.line("wake-ups a minute without a page", None, alone, "times")
    table.line(f"wake-ups a minute of {PAGES} open pages, pings each 20 s", None, together - alone, "times",
               f", {(together - alone) / PAGES / 3:.1f} for a ping")
    table.line(f"messages to {PAGES} open pages while nothing changes", 0, len(pages.heard), "messages")
    pages.close()


def taps(table, server, port):
    """From a request to its answer, and to the message that tells all pages."""
    client, pages = Client(port), Pages(port, PAGES)
    answers, told = [], []
    for tap in range(100):
        pages.heard.clear()
        began = time.perf_counter()
        answers.append(client.ask("POST", "/api/player/options", {"repeat": tap % 2 == 0})[1])
        while sum(kind == "options" for _, kind in list(pages.heard)) < PAGES:
            time.sleep(0.0005)
        told.append((max(when for when, kind in pages.heard if kind == "options") - began) * 1000)
        time.sleep(0.02)
    table.line("a tap is answered, 95 of 100", 50, percentile(answers, 0.95), "ms")
    table.line(f"a tap is told to {PAGES} pages, 95 of 100", 100, percentile(told, 0.95), "ms")
    covers = [album["cover"] for album in client.get("/api/albums?count=20")["items"] if album["cover"]]
    for key in covers:
        client.ask("GET", f"/cover/{key}/96")
    times = [client.ask("GET", f"/cover/{key}/96")[1] for _ in range(10) for key in covers]
    table.line("a cover from the cache, 95 of 100", 5, percentile(times, 0.95), "ms")
    pages.close()


def scroll(port, until, length):
    """A page that flings through the queue, ten windows a second."""
    client = Client(port)
    while not until.is_set():
        client.ask("GET", f"/api/queue?start={random.randrange(length)}&count=200")
        time.sleep(0.1)


def latency(table, server, port, watcher):
    """How long clients of MPD's protocol wait while pages scroll."""
    length = int(server.client().status()["playlistlength"])
    watcher.report()
    time.sleep(5)
    alone = watcher.report()
    until = threading.Event()
    threads = [threading.Thread(target=scroll, args=[port, until, length]) for _ in range(PAGES)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    watcher.report()
    time.sleep(10)
    busy = watcher.report()
    until.set()
    for thread in threads:
        thread.join()
    for name, seen in (("alone", alone), (f"{PAGES} pages scroll {length} songs", busy)):
        table.line(f"an MPD client waits, median; {name}", None, seen["median"], "ms",
                   f", 99 of 100 {seen['most']:.3g} ms, worst {seen['worst']:.3g} ms")
    table.line(f"an MPD client's longest wait while {PAGES} pages scroll", 5, busy["worst"], "ms")


def mark(server):
    """Every song was heard; every fifth has a star."""
    client = server.client(timeout=300)
    songs = [entry["file"] for entry in client.listall("") if "file" in entry]
    for at in range(0, len(songs), 500):
        client.command_list_ok_begin()
        for place, song in enumerate(songs[at:at + 500], at):
            client.sticker_set("song", song, "lastPlayed", 1_700_000_000 + place)
            if place % 5 == 0:
                client.sticker_set("song", song, "like", 2)
        client.command_list_end()
    client.disconnect()


def windows(table, port, songs):
    """Windows of 200 rows of plain lists, at their beginning, in the middle and at the end."""
    client = Client(port)
    bound = 10 if songs <= 50_000 else 15
    for kind, sort in (("songs", "title"), ("songs", "artist"), ("albums", "title"), ("albums", "-year")):
        path = f"/api/{kind}?sort={sort}&count=200"
        total = client.get(path)["total"]
        starts = [0, total // 2, max(0, total - 200)]
        times = [client.ask("GET", f"{path}&start={start}")[1] for _ in range(10) for start in starts]
        table.line(f"200 {kind} by {sort}, of {total}, 95 of 100", bound, percentile(times, 0.95), "ms",
                   f", median {statistics.median(times):.3g} ms")


def lists(table, server, port, watcher, songs, stations):
    """Lists that go through all plays, stars or stations, and how long they keep others waiting."""
    client = Client(port)
    found = client.get("/api/stations?count=100")["items"]
    client.ask("POST", "/api/queue", {"uris": [each["uri"] for each in found], "position": 0})
    asked = {
        "songs that were heard, the last ones first": "/api/songs?heard=1&sort=-played&count=200",
        "songs that never were heard": "/api/songs?heard=0&sort=-added&count=200",
        "albums that were heard, the last ones first": "/api/albums?heard=1&sort=-played&count=200",
        "songs with a star": "/api/songs?starred=1&count=200",
        "a window of stations": "/api/stations?count=200",
        "a window of the queue with stations": "/api/queue?count=200",
        "a search": "/api/search?q=an&count=12",
    }
    for name, path in asked.items():
        client.ask("GET", path)
        watcher.report()
        times = [client.ask("GET", path)[1] for _ in range(8)]
        waited = watcher.report()["worst"]
        table.line(f"{name}: others wait at most", 5, waited, "ms",
                   f", answered after {statistics.median(times):.3g} ms")
    pages = Pages(port, 1)
    song = client.get("/api/songs?count=1")["items"][0]["id"]
    watcher.report()
    stars = [{"starred": turn % 2 == 0} for turn in range(20)]
    times = [client.ask("PUT", f"/api/songs/{song}/star", star)[1] for star in stars]
    waited = watcher.report()["worst"]
    table.line("a star while a page is open: others wait at most", 5, waited, "ms",
               f", answered after {statistics.median(times):.3g} ms")
    pages.close()
    print(f"(a library of {songs} songs, all of them heard, every fifth with a star; {stations} stations)")


def main(given):
    """Measures one figure after the other; gives the status to end with."""
    if given.segue:
        os.environ["SEGUE_BINARY"] = given.segue
    with tempfile.TemporaryDirectory(prefix="segue-page-") as name:
        folder, port = pathlib.Path(name), free_port()
        navidrome = FakeNavidrome(folder / "navidrome", songs=given.songs, seconds=40)
        (folder / "navidrome").mkdir()
        navidrome.start()
        server = Segue(
            folder / "segue", folder / "registry.bin", server={"log_level": "warning"},
            navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 86400},
            station=[{"name": f"Radio {n}", "url": f"http://127.0.0.1:9/{n}"} for n in range(given.stations)])
        try:
            start(server, given.songs)
            server.stop()
            table = Table()
            memory(table, server, given.songs, port)
            client = server.client(timeout=300)
            client.clear()
            client.add("")
            client.play(0)
            client.pause(1)
            wakes(table, server, port, given.seconds)
            taps(table, server, port)
            windows(table, port, given.songs)
            watcher = Watcher(server)
            latency(table, server, port, watcher)
            mark(server)
            lists(table, server, port, watcher, given.songs, given.stations)
            watcher.process.kill()
        finally:
            server.kill()
            navidrome.kill()
    return 0 if table.is_good else 1
