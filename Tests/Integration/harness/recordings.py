"""Playing songs to their end, and what recordings hold."""
import subprocess

from .programs import need
from .waiting import wait_for


def play_to_the_end(server, *titles):
    """Queues songs, plays them and waits for their end."""
    client = server.client()
    for title in titles:
        client.findadd("title", title)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    return client


def decoded(path, rate=44100):
    """A file's samples, 16 bit stereo; it must not have a fault."""
    need("ffmpeg")
    run = subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", path, "-f", "s16le", "-ac", "2", "-ar", str(rate),
                          "-"], capture_output=True, timeout=120)
    assert run.returncode == 0 and not run.stderr, run.stderr
    return run.stdout
