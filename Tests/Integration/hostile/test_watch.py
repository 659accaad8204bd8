"""The watch by which attacks are judged: it finds what it is there for."""
import signal
import time

import pytest
from harness.watch import LATENCY, PATIENCE, SLOWNESS, Watch


def test_a_server_that_stands_still_is_found(start_segue):
    server = start_segue()
    with Watch(server, None) as watch:
        assert watch.ask(b"status") == [b"OK"]
        server.process.send_signal(signal.SIGSTOP)
        # For longer than an answer may take.
        time.sleep(LATENCY * SLOWNESS + 0.5)
        server.process.send_signal(signal.SIGCONT)
        with pytest.raises(AssertionError, match="another client waited"):
            watch.verify()


def test_a_client_that_is_cut_off_is_found(start_segue):
    """Others than the one that attacks keep their connection."""
    server = start_segue(server={"connection_timeout": 60, "max_connections": 20})
    with Watch(server, None) as watch:
        server.stop(seconds=20 * PATIENCE)
        server.start()
        with pytest.raises(AssertionError, match="another client lost its connection"):
            watch.verify()
