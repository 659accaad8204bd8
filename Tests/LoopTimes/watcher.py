"""Another client: asks `ping` without a pause, and on a line of standard input tells its longest wait since the last."""
import json
import pathlib
import select
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Integration"))

from harness.observer import loop_thread, waited  # noqa: E402


def main():
    """Asks until standard input ends."""
    counts = (loop_thread(sys.argv[3]), pathlib.Path("/proc/self/schedstat"))
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
