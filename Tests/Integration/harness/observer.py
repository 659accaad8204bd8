"""Another client of a server under attack: asks for its status all the while and notes how long the server was to blame
for each answer.

A process of its own, so that what the attacker does with its interpreter delays nothing here. It is started by
`harness.watch` with the server's host, port and process id, ends with its standard input, and prints JSON.

The server can't help what other programs take of the processors: the time for which its event loop and this process
waited for one is left out, and that of the thread of the server that waited longest: the loop may wait for it.
A loop that computes, sleeps, or waits for a lock that a computing thread holds is found however busy the machine is.
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
LOOKS = 0.2
"""Seconds between two looks at all threads of the server."""


def waited(schedstat):
    """Seconds for which a thread was ready to run while others had the processors."""
    try:
        return int(schedstat.read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def delays(process):
    """The same of each thread of a process."""
    try:
        return {task.name: waited(task / "schedstat") for task in pathlib.Path(f"/proc/{process}/task").iterdir()}
    except OSError:
        return {}


def longest_delay(before, now):
    """For how long the thread that waited longest did between two looks; one that has ended counts no more."""
    return max((delay - before.get(thread, 0.0) for thread, delay in now.items()), default=0.0)


def loop_thread(process):
    """The number of the thread that the server's event loop runs on."""
    loops = []
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        try:
            if (task / "comm").read_text().startswith("NIO-ELT"):
                loops.append(int(task.name))
        except OSError:
            continue
    return str(min(loops, default=process))


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
        self.socket = socket.create_connection((host, port), timeout=300)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()
        self.process, self.loop = process, loop_thread(process)
        self.look, self.looked = delays(process), time.monotonic()
        self.standstills = Standstills()
        self.standstills.start()
        self.raw, self.own = [], []

    def loop_delay(self):
        """For how long the loop has waited for a processor since it began."""
        return waited(pathlib.Path(f"/proc/{self.process}/task/{self.loop}/schedstat"))

    def own_delay(self):
        """For how long the thread that asks has."""
        return waited(pathlib.Path("/proc/self/schedstat"))

    def ask(self):
        """Asks once; notes the time, and the time that the server is to blame for."""
        if time.monotonic() - self.looked > LOOKS:
            self.look, self.looked = delays(self.process), time.monotonic()
        loop, own, still = self.loop_delay(), self.own_delay(), self.standstills.seconds
        began = time.monotonic()
        self.socket.sendall(b"status\n")
        while True:
            line = self.lines.readline()
            if not line or line.startswith(b"ACK"):
                raise EOFError(f"status was answered by {line!r}")
            if line == b"OK\n":
                break
        took = time.monotonic() - began
        self.raw.append(took)
        lost = self.own_delay() - own + self.standstills.noticed(took) - still + self.loop_delay() - loop
        if took - lost > 0.1:
            # The loop may have waited for another thread that had no processor.
            now = delays(self.process)
            for one in (now, self.look):
                one.pop(self.loop, None)
            lost += longest_delay(self.look, now)
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
