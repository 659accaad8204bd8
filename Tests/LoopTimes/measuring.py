"""Measures how long commands keep another client waiting."""
import os
import pathlib
import shutil
import sys
import tempfile
import time

from watching import Watcher
from work import works

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
from harness.clients import RawClient  # noqa: E402
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome  # noqa: E402
from harness.processes import free_port, wait_for_port  # noqa: E402
from harness.segue import Segue  # noqa: E402
from harness.web import Web  # noqa: E402

TAKEN_BACK = 4900
"""How many songs are added and taken back over HTTP; beyond 5,000 the whole queue is replaced."""


def ask(client, line):
    """Sends a line and reads its answer to the end, which may be a hundred megabytes; gives the last line.

    A function is something that is asked by another way.
    """
    if callable(line):
        return line()
    client.send(line + b"\n")
    tail = b"\n"
    while True:
        tail = (tail + client.socket.recv(1 << 20))[-400:]
        last = tail[:-1].rpartition(b"\n")[2]
        if tail.endswith(b"\n") and (last == b"OK" or last.startswith(b"ACK ")):
            return last


def taking_back(port, songs):
    """Adds songs over HTTP and takes that back."""
    web, uris = Web(port), [songs[number % len(songs)].decode() for number in range(TAKEN_BACK)]

    def run():
        added = web.request("POST", "/api/queue", {"uris": uris, "position": 0}, timeout=600)
        undone = web.request("POST", "/api/queue/undo", {"undo": added.json.get("undo")}, timeout=600)
        return b"OK" if undone.status in (200, 204) else undone.body
    return run


def measure(client, watcher, lines, runs=3):
    """The longest wait of each run, the time that the lines took, and the last answer."""
    waits, took = [], 0
    watcher.report()
    for _ in range(runs):
        began = time.monotonic()
        for line in lines:
            answer = ask(client, line)
        took = max(took, time.monotonic() - began)
        # Memory is given back, and state saved, a moment later.
        time.sleep(0.3)
        waits.append(watcher.report()["worst"])
    return sorted(waits), took, answer


def run(options, server):
    """Measures everything; gives the names of what was too slow."""
    slow = []
    with RawClient(server, timeout=600) as client:
        songs = [line[6:] for line in client.ask(b"listall") if line.startswith(b"file: ")]
        take_back = taking_back(int(server.sections["web"]["listen"][0].split(":")[1]), songs)
        filling = b"command_list_begin\n" + b"add /\n" * (options.entries // options.songs) + b"command_list_end"
        assert ask(client, filling) == b"OK"
        watcher = Watcher(server)
        print(f"{'command':<36} {'median ms':>9} {'worst ms':>9} {'took s':>7}")
        for name, lines, needed in works(options.entries, songs[0], take_back):
            if options.only not in name:
                for line in lines if needed else ():
                    ask(client, line)
                continue
            waits, took, answer = measure(client, watcher, lines, 1 if needed else 3)
            middle = waits[len(waits) // 2]
            said = "" if answer == b"OK" else f"  {answer.decode()}"
            print(f"{name:<36} {middle:9.1f} {waits[-1]:9.1f} {took:7.2f}{said}", flush=True)
            if middle > options.limit:
                slow.append(name)
        watcher.process.kill()
    return slow


def main(options):
    """Starts what is measured, and ends it."""
    os.environ["SEGUE_BINARY"] = options.segue
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-loop-times-"))
    fake = FakeNavidrome(folder, songs=options.songs, seconds=2).start()
    server = Segue(
        folder / "segue", folder / "registry.bin",
        server={"max_playlist_length": 2 * options.entries + 10, "memory_budget": 0, "log_level": "info"},
        navidrome={"url": fake.url, "username": USER, "password": PASSWORD},
        web={"listen": [f"127.0.0.1:{free_port()}"]})
    try:
        server.start(options.songs)
        wait_for_port(server, server.port)
        slow = run(options, server)
    finally:
        server.kill()
        fake.kill()
        shutil.rmtree(folder, ignore_errors=True)
    if slow:
        sys.exit(f"longer than {options.limit} ms: {', '.join(slow)}")
