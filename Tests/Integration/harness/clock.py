"""A time of day that jumps; see clock.c."""
import mmap
import pathlib
import shutil
import struct
import subprocess

import pytest

YEAR = 365 * 24 * 3600


class Clock:
    """The library and the file by which it is steered."""

    def __init__(self, folder):
        if not shutil.which("gcc"):
            pytest.skip("gcc is not installed")
        self.library, self.file = folder / "clock.so", folder / "clock.ahead"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(self.library),
                        str(pathlib.Path(__file__).with_name("clock.c")), "-ldl"], check=True)
        self.file.write_bytes(bytes(16))
        with open(self.file, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    @property
    def environment(self):
        """What a program needs that is to see this clock."""
        return {"LD_PRELOAD": str(self.library), "CLOCK_FILE": str(self.file)}

    def jump(self, seconds):
        """Shows a time that is so far ahead of the true one."""
        self.memory[:8] = struct.pack("<q", round(seconds * 1_000_000_000))

    def sleep(self, seconds):
        """Shows the clocks of a machine that has slept for so long and has just woken up."""
        self.jump(seconds)
        self.memory[8:16] = self.memory[:8]
