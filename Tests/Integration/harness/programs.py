"""Programs that tests drive, and that a system may not have."""
import shutil

import pytest


def need(*programs):
    """Skips the test where a program is missing, and says which."""
    missing = [program for program in programs if shutil.which(program) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}; contrib/test installs it where the system has it")
