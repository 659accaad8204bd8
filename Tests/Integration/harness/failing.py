"""A system whose calls fail at random; see failing.c."""
import errno
import mmap
import pathlib
import shutil
import struct
import subprocess

import pytest

KINDS = ("write", "sync", "open", "accept", "socket", "memory", "thread", "read", "list")


class FailingSystem:
    """The library and the table by which it is steered."""

    def __init__(self, folder, seed=1):
        if not shutil.which("gcc"):
            pytest.skip("gcc is not installed")
        self.library, self.table, self.seed = folder / "failing.so", folder / "failing.table", seed
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", str(self.library),
                        str(pathlib.Path(__file__).with_name("failing.c")), "-ldl", "-lpthread"], check=True)
        self.most_threads = None
        self.table.write_bytes(bytes(16 * len(KINDS)))
        with open(self.table, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)

    def environment(self, path):
        """What a program needs whose files below `path` shall fail."""
        limit = {} if self.most_threads is None else {"FAILING_THREADS": str(self.most_threads)}
        return limit | {"LD_PRELOAD": str(self.library), "FAILING_TABLE": str(self.table), "FAILING_PATH": str(path),
                "FAILING_SEED": str(self.seed)}

    def limit_threads(self, most):
        """Lets a program that is started from now on have so many threads beside its first."""
        self.most_threads = most

    def fail(self, kind, share, error=errno.EIO):
        """Lets a share of the calls of a kind fail from now on; with 0 none."""
        place = KINDS.index(kind) * 16
        self.memory[place:place + 8] = struct.pack("<II", round(share * 1_000_000), error)

    def failed(self, kind):
        """How many calls of a kind have failed."""
        place = KINDS.index(kind) * 16
        return struct.unpack("<I", self.memory[place + 8:place + 12])[0]
