"""The threads of outputs, which run in real time where the system allows it."""
import os
import pathlib
import resource
import subprocess

import pytest
from harness.processes import free_port
from harness.waiting import wait_for


def policies(server):
    """How the system runs the program's threads, with their priorities."""
    found = {}
    for task in pathlib.Path(f"/proc/{server.process.pid}/task").iterdir():
        try:
            thread = int(task.name)
            policy = os.sched_getscheduler(thread) & ~os.SCHED_RESET_ON_FORK
            found[thread] = (policy, os.sched_getparam(thread).sched_priority)
        except OSError:
            continue
    return found


def may_run_in_real_time():
    """Whether this user's programs may have real time."""
    child = os.fork()
    if child == 0:
        try:
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(5))
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("realtime", [True, False])
@pytest.mark.parametrize("kind", ["fifo", "pipe", "snapcast", "httpd"])
def test_an_output_s_own_thread_runs_in_real_time_where_it_may(start_segue, library, tmp_path, kind, realtime):
    keys = {"fifo": {"path": tmp_path / "fifo"}, "pipe": {"command": "cat > /dev/null"},
            "snapcast": {"path": tmp_path / "fifo"}, "httpd": {"port": free_port(), "bind_to_address": "127.0.0.1"}}
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": kind, "name": "Out", "realtime": realtime} | keys[kind],
        {"type": "null", "name": "Nowhere"}])
    client = server.client()
    client.findadd("title", "Lamp")
    client.repeat(1)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 60, "sound")
    fast = [policy for policy in policies(server).values() if policy == (os.SCHED_RR, 5)]
    # Encoders and programs that are started run as before.
    assert len(fast) == (1 if realtime and may_run_in_real_time() else 0)
    for child in subprocess.run(["ps", "--no-headers", "-o", "cls", "--ppid", str(server.process.pid)], text=True,
                                capture_output=True, timeout=30).stdout.split():
        assert child == "TS"


@pytest.mark.parametrize("realtime", [True, False])
def test_threads_of_alsa_run_in_real_time_where_they_may(start_segue, library, realtime):
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "alsa", "name": "Nowhere", "device": "null", "realtime": realtime}])
    client = server.client()
    client.findadd("title", "Lamp")
    client.repeat(1)
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 60, "sound")
    fast = [policy for policy in policies(server).values() if policy == (os.SCHED_RR, 5)]
    if realtime and may_run_in_real_time():
        # The output's own, the one that converts, and the one that writes to the device.
        assert len(fast) >= 2
    else:
        assert fast == []
    # Everything else runs as before, whatever the limits are.
    assert len(fast) <= 3 < len(policies(server)), resource.getrlimit(resource.RLIMIT_RTPRIO)
