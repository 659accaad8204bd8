"""Programs in a terminal: tmux, 120 by 40, on a socket of its own."""
import os
import shlex
import subprocess

from .programs import need
from .waiting import wait_for


class Terminal:
    """One program on a screen that can be read and typed to."""

    def __init__(self, folder):
        need("tmux")
        self.folder = folder
        self.name = str(folder / "tmux")

    def tmux(self, *arguments):
        """Runs a tmux command."""
        return subprocess.run(["tmux", "-S", self.name, "-f", "/dev/null", *arguments], check=True, text=True,
                              capture_output=True, timeout=20).stdout

    def start(self, command):
        """Starts a program; the screen outlives it, so that its last words can be read."""
        environment = ["-e", "LANG=C.UTF-8", "-e", "LC_ALL=C.UTF-8", "-e", f"HOME={self.folder}",
                       "-e", f"PATH={os.environ['PATH']}"]
        self.tmux("new-session", "-d", "-x", "120", "-y", "40", *environment,
                  "unset LINES COLUMNS; " + shlex.join(map(str, command)) + "; echo ended with $?; cat")
        return self

    def close(self):
        """Ends the program and its terminal."""
        subprocess.run(["tmux", "-S", self.name, "kill-server"], capture_output=True, timeout=20)

    @property
    def screen(self):
        """What is to be seen."""
        return self.tmux("capture-pane", "-p")

    def type(self, *keys):
        """Types keys by tmux's names; single letters are themselves."""
        for key in keys:
            self.tmux("send-keys", key)

    def write(self, text):
        """Types a text."""
        self.tmux("send-keys", "-l", text)

    def wait_for(self, *texts, seconds=60, absent=()):
        """Waits until all `texts` are to be seen and none of `absent`; returns the screen."""
        last = ""

        def shown():
            nonlocal last
            last = self.screen
            return all(text in last for text in texts) and not any(text in last for text in absent)
        try:
            wait_for(shown, seconds)
        except AssertionError:
            raise AssertionError(f"the screen never showed {texts} without {absent}:\n{last}") from None
        return last
