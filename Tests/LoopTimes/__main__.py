"""How long commands on long queues and playlists keep other clients waiting; contrib/loop-times runs this.

While each command runs, another client asks `ping` without a pause and notes its longest wait. What other programs took
of the processors meanwhile is subtracted, by the kernel's count for both threads.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from work import works

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
from harness.clients import RawClient  # noqa: E402
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome  # noqa: E402
from harness.processes import wait_for_port  # noqa: E402
from harness.segue import Segue  # noqa: E402


def arguments():
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="contrib/loop-times", description=__doc__)
    parser.add_argument("--segue", required=True, help="the program; fake-navidrome lies beside it")
    parser.add_argument("--entries", type=int, default=1_000_000, help="entries of the queue and of a playlist")
    parser.add_argument("--songs", type=int, default=1000, help="songs of the library")
    parser.add_argument("--limit", type=float, default=5, help="milliseconds that a client may wait")
    parser.add_argument("--only", default="", help="a word in the names of the commands to be measured")
    return parser.parse_args()


class Watcher:
    """The other client, in a process of its own."""

    def __init__(self, server):
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("watcher.py")), server.host, str(server.port),
             str(server.process.pid)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def report(self):
        """What was seen since the last report: the longest wait in milliseconds, and how many answers came."""
        self.process.stdin.write("report\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def ask(client, line):
    """Sends a line and reads its answer to the end, which may be a hundred megabytes; gives the last line."""
    client.send(line + b"\n")
    tail = b"\n"
    while True:
        tail = (tail + client.socket.recv(1 << 20))[-400:]
        last = tail[:-1].rpartition(b"\n")[2]
        if tail.endswith(b"\n") and (last == b"OK" or last.startswith(b"ACK ")):
            return last


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
        song = next(line[6:] for line in client.ask(b"listall") if line.startswith(b"file: "))
        filling = b"command_list_begin\n" + b"add /\n" * (options.entries // options.songs) + b"command_list_end"
        assert ask(client, filling) == b"OK"
        watcher = Watcher(server)
        print(f"{'command':<36} {'median ms':>9} {'worst ms':>9} {'took s':>7}")
        for name, lines, needed in works(options.entries, song):
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


def main():
    """Starts what is measured, and ends it."""
    options = arguments()
    os.environ["SEGUE_BINARY"] = options.segue
    folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-loop-times-"))
    fake = FakeNavidrome(folder, songs=options.songs, seconds=2).start()
    server = Segue(
        folder / "segue", folder / "registry.bin",
        server={"max_playlist_length": 2 * options.entries + 10, "memory_budget": 0, "log_level": "info"},
        navidrome={"url": fake.url, "username": USER, "password": PASSWORD})
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


main()
