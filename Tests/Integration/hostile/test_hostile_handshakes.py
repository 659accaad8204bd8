"""Attacks with handshakes of TLS: many clients at once have theirs computed, nobody else waits for it."""
import subprocess
import sys

import pytest
from harness.certificates import RSA, Line, make_certificate
from harness.processes import free_port
from harness.segue import Segue
from harness.watch import PATIENCE

TIMES = 4
"""How often each of the attackers begins ten handshakes at once."""
FLOOD = """
import socket, ssl, sys
port, address, times = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
context = ssl.create_default_context()
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
done = 0
for _ in range(times):
    lines = []
    for _ in range(10):
        # All say hello before the first of them waits for an answer.
        line = context.wrap_socket(
            socket.create_connection(("127.0.0.1", port), timeout=300, source_address=(address, 0)),
            do_handshake_on_connect=False)
        line.setblocking(False)
        try:
            line.do_handshake()
        except ssl.SSLWantReadError:
            pass
        lines.append(line)
    for line in lines:
        line.settimeout(300)
        try:
            line.do_handshake()
            done += 1
        except OSError:
            pass
        line.close()
print(done)
"""


@pytest.fixture(scope="module")
def server(registry, tmp_path_factory):
    """Segue with a key of RSA, whose signatures take longest."""
    folder = tmp_path_factory.mktemp("handshakes")
    certificate, key = make_certificate(folder, "rsa", kind=RSA)
    running = Segue(folder / "segue", registry, **{"server.tls": {"certificate": certificate, "key": key}})
    running.tls_port, running.certificate = free_port(), certificate
    running.sections["server"]["listen"].append(f"tls://127.0.0.1:{running.tls_port}")
    yield running
    running.kill()


def test_fifty_handshakes_at_once(target):
    target.usual_latency = 0.005
    port = str(target.server.tls_port)
    floods = [
        subprocess.Popen([sys.executable, "-c", FLOOD, port, f"127.0.0.{place}", str(TIMES)], stdout=subprocess.PIPE)
        for place in range(2, 7)]
    done = [int(flood.communicate(timeout=60 * PATIENCE)[0]) for flood in floods]
    assert all(done), f"handshakes by address: {done}"
    with Line(target.server.tls_port, target.server.certificate) as client:
        assert client.ask("status")[-1] == "OK"
