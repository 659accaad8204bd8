"""C code of our own under the compiler's sanitizers."""
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RING = ROOT / "Sources/Sound/CPipeWire"
THREADS = pathlib.Path(__file__).parent / "sanitizers/frame_ring_threads.c"


@pytest.mark.parametrize("sanitizers", ["address,undefined", "thread"])
def test_two_threads_share_a_ring_of_frames(tmp_path, sanitizers):
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    program = tmp_path / "threads"
    subprocess.run(["gcc", "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", f"-fsanitize={sanitizers}",
                    "-fno-sanitize-recover=all", "-I", RING / "include", RING / "frame_ring.c", THREADS,
                    "-o", program, "-lpthread"], check=True, timeout=60)
    result = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
