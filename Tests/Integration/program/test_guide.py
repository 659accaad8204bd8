"""The listeners' guide: every command in it is run, in its order, against a real server."""
import os
import re
import shutil
import subprocess

import pytest
from harness.segue import ROOT, binary

GUIDE = ROOT / "docs/guide.md"
BLOCK = re.compile(r"(<!-- not run: [^\n]+ -->\n)?```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks():
    """The guide's pieces of shell, each with whether it is run."""
    return [(text, not skipped) for skipped, text in BLOCK.findall(GUIDE.read_text(encoding="utf-8"))]


@pytest.fixture
def shell(start_segue, library, tmp_path):
    """Runs lines of shell as the guide's reader would, with a server of the generated music."""
    if not shutil.which("mpc"):
        pytest.skip("mpc is not installed")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]},
                         output=[{"type": "null", "name": "Speakers"}, {"type": "null", "name": "Kitchen"}])
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "segue").symlink_to(binary())
    (tmp_path / "home/segue").mkdir(parents=True)
    shutil.copy(server.configuration, tmp_path / "home/segue/segue.toml")
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "MPD_HOST": server.host,
                   "MPD_PORT": str(server.port), "XDG_CONFIG_HOME": str(tmp_path / "home"), "LC_ALL": "C.UTF-8"}

    def run(line):
        return subprocess.run(["bash", "-o", "pipefail", "-c", line], env=environment, capture_output=True, text=True,
                              timeout=60, check=False)
    return run


@pytest.mark.smoke
def test_the_commands_do_what_the_guide_says(shell):
    lines = [line for text, is_run in blocks() if is_run for line in text.splitlines()]
    assert len(lines) > 20
    for line in lines:
        result = shell(line)
        assert result.returncode == 0, f"{line}: {result.stdout}{result.stderr}"
        assert "error" not in result.stderr.lower(), f"{line}: {result.stderr}"


def test_few_commands_are_left_out():
    assert sum(1 for _, is_run in blocks() if not is_run) <= 3
