"""C code of our own under the compiler's sanitizers."""
import functools
import http.server
import shutil
import subprocess
import threading

import pytest
from harness.segue import ROOT

SOUND = ROOT / "Sources/Sound/CSound"
PROGRAMS = ROOT / "Tests/Integration/sanitizers"
THREADS = PROGRAMS / "frame_ring_threads.c"


@pytest.mark.parametrize("sanitizers", ["address,undefined", "thread"])
def test_two_threads_share_a_ring_of_frames(tmp_path, sanitizers):
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    program = tmp_path / "threads"
    subprocess.run(["gcc", "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", f"-fsanitize={sanitizers}",
                    "-fno-sanitize-recover=all", "-I", SOUND / "include", SOUND / "PipeWire/frame_ring.c", THREADS,
                    "-o", program, "-lpthread"], check=True, timeout=60)
    result = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr


def test_a_response_that_was_not_taken_is_closed(tmp_path):
    """Leaving a station at that moment ended the process, with libsoup up to 3.6.5."""
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    program = tmp_path / "cancelled"
    gio = subprocess.run(["pkg-config", "--cflags", "--libs", "gio-2.0"], check=True, capture_output=True, text=True)
    subprocess.run(["gcc", "-std=c11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-I", SOUND / "include",
                    SOUND / "GStreamer/web_responses.c", PROGRAMS / "response_not_taken.c", "-o", program,
                    *gio.stdout.split(), "-l:libsoup-3.0.so.0"], check=True, timeout=60)
    (tmp_path / "body").write_bytes(b"x" * 100_000)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        result = subprocess.run([program, f"http://127.0.0.1:{server.server_port}/body"], capture_output=True,
                                text=True, timeout=60)
        server.shutdown()
    assert result.returncode == 0, result.stderr
