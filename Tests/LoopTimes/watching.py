"""Starts the other client, and asks it what it saw."""
import json
import pathlib
import subprocess
import sys


class Watcher:
    """The other client, in a process of its own."""

    def __init__(self, server):
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("watcher.py")), server.host, str(server.port),
             str(server.process.pid)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def report(self):
        """What was seen since the last report: the longest wait in milliseconds, the median, what 99 of 100 stay below,
        and how many answers came."""
        self.process.stdin.write("report\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())
