"""What the scripts in contrib say of themselves, on a machine that has nothing of what they need."""
import os
import subprocess

import pytest
from harness.segue import ROOT


@pytest.mark.parametrize("name", [
    "benchmark", "check-races", "fuzz", "loop-times", "measure-discovery", "measure-memory", "measure-page", "package",
    "simulate-listening", "soak", "test", "test-fresh", "test-home-assistant", "test-package"])
def test_help_needs_nothing_and_changes_nothing(name, tmp_path):
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONNOUSERSITE": "1", "PYTHONPATH": ""}
    run = subprocess.run([ROOT / "contrib" / name, "--help"], capture_output=True, text=True, timeout=30, cwd=tmp_path,
                         stdin=subprocess.DEVNULL, env=environment)
    assert run.returncode == 0, run.stderr
    assert f"contrib/{name}" in run.stdout and run.stderr == ""
    assert list(tmp_path.iterdir()) == []
