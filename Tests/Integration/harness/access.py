"""What the tests of permissions, passwords and encryption share."""
import contextlib
import pathlib
import shutil

import pytest

from .segue import Segue

WRONG = "ACK [3@0] {password} incorrect password"
NOT_ALLOWED = 'ACK [4@0] {setvol} you don\'t have permission for "setvol"'


def needs(program):
    """Skips a test where a program is missing."""
    return pytest.mark.skipif(not (shutil.which(program) or pathlib.Path("/usr/bin", program).exists()),
                              reason=f"{program} is not installed")


@contextlib.contextmanager
def servers(folder, registry):
    """Makes servers with a [server] section, which are ended at the end."""
    made = []

    def make(passwords=(), tls=None, **server):
        # Sections inside of [server] come behind its keys.
        sections = {"server": server}
        if tls:
            sections["server.tls"] = tls
        if passwords:
            sections["server.password"] = passwords
        segue = Segue(folder / f"segue{len(made)}", registry, **sections)
        # The port, for which the start waits, is bound last.
        segue.sections["server"]["listen"].reverse()
        made.append(segue)
        return segue
    try:
        yield make
    finally:
        for segue in made:
            segue.kill()
