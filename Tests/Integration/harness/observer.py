"""Another client of a server under attack: asks for its status all the while and notes how long the answers take.

A process of its own, so that what the attacker does with its interpreter delays nothing here. It is started by
`harness.watch` with the server's host, port and process id, ends with its standard input, and prints JSON.
"""
import json
import pathlib
import select
import socket
import sys
import threading
import time

PAUSE = 0.01
"""Seconds between two questions."""


def waited(schedstat):
    """Seconds for which a thread was ready to run while others had the processors."""
    try:
        return int(schedstat.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def loop_thread(process):
    """The file that says how long the server's event loop waited for a processor."""
    loops = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        try:
            if (task / "comm").read_text().startswith("NIO-ELT"):
                loops.append(int(task.name))
        except OSError:
            continue
    return pathlib.Path(f"/proc/{process}/task/{min(loops, default=process)}/schedstat")


class Standstills(threading.Thread):
    """Counts the time in which the whole machine stood still, as virtual ones do: a thread that sleeps for a moment
    wakes up late then, although no other program has its processor."""

    def __init__(self):
        super().__init__(daemon=True)
        self.seconds = 0.0

    def run(self):
        """Sleeps again and again; what a busy machine takes is no standstill."""
        own = pathlib.Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")
        while True:
            before, began = waited(own), time.monotonic()
            time.sleep(PAUSE)
            late = time.monotonic() - began - PAUSE - (waited(own) - before)
            if late > 0.05:
                self.seconds += late

    def noticed(self, took):
        """The seconds so far; after an answer that took long, with what is only just being noticed."""
        if took > 0.05:
            time.sleep(3 * PAUSE)
        return self.seconds


class Observer:
    """The connection and what was seen on it."""

    def __init__(self, host, port, process):
        self.socket = socket.create_connection((host, port), timeout=30)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()
        self.delays = (loop_thread(process), pathlib.Path("/proc/self/schedstat"))
        self.standstills = Standstills()
        self.standstills.start()
        self.raw, self.own = [], []

    def ask(self):
        """Asks once; notes the time, and the time without what other programs and standstills took of it."""
        before, began = sum(map(waited, self.delays)) + self.standstills.seconds, time.monotonic()
        self.socket.sendall(b"status\n")
        while True:
            line = self.lines.readline()
            if not line or line.startswith(b"ACK"):
                raise EOFError(f"status was answered by {line!r}")
            if line == b"OK\n":
                break
        took = time.monotonic() - began
        self.raw.append(took)
        lost = sum(map(waited, self.delays)) + self.standstills.noticed(took) - before
        self.own.append(max(0.0, took - lost))

    def report(self, error):
        """What was seen, in seconds."""
        ordered = sorted(self.own) or [0]
        return {"answers": len(self.raw), "worst": ordered[-1], "percentile_99": ordered[len(ordered) * 99 // 100],
                "worst_raw": max(self.raw, default=0), "error": error}


def main():
    """Asks until standard input ends."""
    observer = Observer(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    print("ready", flush=True)
    error = None
    try:
        while not select.select([sys.stdin], [], [], PAUSE)[0]:
            observer.ask()
        observer.ask()
    except (OSError, EOFError) as problem:
        error = repr(problem)
    print(json.dumps(observer.report(error)), flush=True)


if __name__ == "__main__":
    main()
