"""Another client: asks `ping` without a pause, and on a line of standard input tells its longest wait since the last."""
import json
import pathlib
import select
import socket
import sys
import time


def waited(schedstat):
    """Seconds for which a thread was ready to run while others had the processors."""
    try:
        return int(schedstat.read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


def event_loop(process):
    """Where the kernel counts for the server's event loop, the first of its threads of that name."""
    tasks = pathlib.Path(f"/proc/{process}/task").iterdir()
    loops = [int(task.name) for task in tasks if (task / "comm").read_text().startswith("NIO-ELT")]
    return pathlib.Path(f"/proc/{process}/task/{min(loops)}/schedstat")


def main():
    """Asks until standard input ends."""
    counts = (event_loop(sys.argv[3]), pathlib.Path("/proc/self/schedstat"))
    connection = socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=60)
    answers = connection.makefile("rb")
    answers.readline()
    print("ready", flush=True)
    waits = []
    while True:
        wants_report = select.select([sys.stdin], [], [], 0.0005)[0]
        if wants_report and not sys.stdin.readline():
            return
        others, began = sum(map(waited, counts)), time.monotonic()
        connection.sendall(b"ping\n")
        if answers.readline() != b"OK\n":
            return
        waits.append(max(0, time.monotonic() - began - (sum(map(waited, counts)) - others)))
        if wants_report:
            waits.sort()
            print(json.dumps({"worst": waits[-1] * 1000, "median": waits[len(waits) // 2] * 1000,
                              "most": waits[len(waits) * 99 // 100] * 1000, "answers": len(waits)}), flush=True)
            waits.clear()


main()
