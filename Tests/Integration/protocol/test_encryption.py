"""TLS for clients: beside the plain port, with new certificates, with those who don't speak it."""
import contextlib
import http.client
import os
import shutil
import signal
import socket
import ssl
import subprocess
import time

import pytest
from harness.access import NOT_ALLOWED, WRONG, needs, servers
from harness.certificates import Line, make_certificate
from harness.processes import Daemon, can_connect_to, free_port, wait_for_port
from harness.waiting import wait_for


@pytest.fixture
def make_segue(tmp_path, registry):
    """Makes servers with a [server] section, which are ended after the test."""
    with servers(tmp_path, registry) as make:
        yield make


@pytest.fixture
def encrypted(make_segue, tmp_path):
    """A server with a plain and an encrypted port, and the certificate's files."""
    certificate, key = make_certificate(tmp_path, "first")
    segue = make_segue(tls={"certificate": certificate, "key": key})
    segue.tls_port = free_port()
    segue.sections["server"]["listen"] = [
        f"tls://127.0.0.1:{segue.tls_port}", str(segue.socket), f"127.0.0.1:{segue.port}"]
    segue.certificate, segue.key = certificate, key
    return segue


@pytest.mark.smoke
def test_plain_and_encrypted_clients_stand_side_by_side(encrypted):
    encrypted.start()
    with Line(encrypted.port) as plain, Line(encrypted.tls_port, encrypted.certificate) as secret:
        assert secret.socket.version() == "TLSv1.3"
        assert plain.ask("status")[-1] == secret.ask("status")[-1] == "OK"
        # Both are clients of one player.
        plain.file.write(b"idle mixer\n")
        assert secret.ask("setvol 33") == ["OK"]
        assert plain.file.readline() == b"changed: mixer\n"
        answer = secret.ask("command_list_begin\n" + "status\n" * 2000 + "command_list_end")
        assert answer.count("volume: 33") == 2000


def test_old_versions_of_tls_are_refused(encrypted):
    encrypted.start()
    for version, works in ((ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)):
        context = ssl.create_default_context(cafile=encrypted.certificate)
        context.set_ciphers("DEFAULT:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = version
        with socket.create_connection(("127.0.0.1", encrypted.tls_port), timeout=20) as connection:
            try:
                with context.wrap_socket(connection, server_hostname="localhost") as secret:
                    assert secret.recv(100).startswith(b"OK MPD")
                    assert works
            except (ssl.SSLError, ConnectionError):
                assert not works


def test_permissions_and_passwords_count_for_encrypted_clients(encrypted):
    encrypted.sections["server"].update(default_permissions=[], host_permissions=["127.0.0.1 read"])
    encrypted.sections["server.password"] = [{"password": "right", "permissions": ["read", "player"]}]
    encrypted.start()
    with Line(encrypted.tls_port, encrypted.certificate) as client:
        assert client.ask("setvol 1") == [NOT_ALLOWED]
        start = time.monotonic()
        assert client.ask("password wrong") == [WRONG]
        assert time.monotonic() - start >= 1
        assert client.ask("password right") == ["OK"]
        assert client.ask("setvol 1") == ["OK"]
    assert "wrong password peer=127.0.0.1\n" in encrypted.log


def test_a_new_certificate_is_taken_over_while_clients_stay(encrypted, tmp_path):
    encrypted.start()
    old = encrypted.certificate.read_bytes()
    (tmp_path / "old.pem").write_bytes(old)
    lines = [Line(encrypted.tls_port, encrypted.certificate) for _ in range(100)]
    certificate, key = make_certificate(tmp_path, "second")
    # First the certificate alone: it doesn't fit the key, and the old pair stays.
    os.replace(certificate, encrypted.certificate)
    encrypted.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "the old certificate stays in use" in encrypted.log, what="the complaint")
    with Line(encrypted.tls_port, tmp_path / "old.pem") as client:
        assert client.peer_name == "first"
    os.replace(key, encrypted.key)
    encrypted.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "the certificate was read again" in encrypted.log, what="the new certificate")
    with Line(encrypted.tls_port, encrypted.certificate) as client:
        assert client.peer_name == "second"
    for line in lines:
        assert line.ask("ping") == ["OK"]
        line.__exit__()


@pytest.mark.parametrize(("break_it", "says"), [
    (lambda segue, other: segue.sections["server.tls"].update(key=other[1]), "don't belong together"),
    (lambda segue, other: segue.sections["server.tls"].update(key="/nonexistent/key.pem"), "Cannot read /nonexistent"),
    (lambda segue, other: segue.certificate.write_text("nothing"), "is no certificate"),
    (lambda segue, other: segue.key.write_text("nothing"), "is no private key"),
], ids=["another pair", "missing", "no certificate", "no key"])
def test_a_certificate_that_cannot_be_used_is_told(encrypted, tmp_path, break_it, says):
    break_it(encrypted, make_certificate(tmp_path, "other"))
    encrypted.write_configuration()
    for command in ("serve", "check"):
        result = encrypted.run(command, "--config", encrypted.configuration)
        assert result.returncode == 1
        assert says in result.stdout + result.stderr


@pytest.mark.smoke
def test_the_page_comes_encrypted_with_the_same_certificate(make_segue, tmp_path):
    """With cookies for encrypted pages only."""
    certificate, key = make_certificate(tmp_path, "page")
    segue = make_segue(tls={"certificate": certificate, "key": key})
    port = free_port()
    segue.sections["web"] = {"listen": [f"tls://127.0.0.1:{port}"]}
    segue.sections["server.password"] = [
        {"password": "open-sesame", "permissions": ["read", "add", "player", "control", "admin"]}]
    segue.start()
    trusting = ssl.create_default_context(cafile=certificate)

    def ask(method, path, body=None):
        connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=trusting)
        with contextlib.closing(connection):
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
    assert b"modulepreload" in ask("GET", "/")[2]
    status, headers, _ = ask("POST", "/api/session", b'{"password": "open-sesame"}')
    assert status == 200 and "; Secure" in headers["set-cookie"]
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"200 OK" not in plain.recv(1000), "nothing is said without encryption"
    with pytest.raises(ssl.SSLError):
        strange = ssl.create_default_context()
        http.client.HTTPSConnection("localhost", port, timeout=20, context=strange).request("GET", "/")


def test_the_page_takes_a_new_certificate_over_while_browsers_stay(make_segue, tmp_path):
    """After a hang-up, as a renewal sends it; a connection that is open keeps the old one until it is closed."""
    certificate, key = make_certificate(tmp_path, "first")
    port = free_port()
    segue = make_segue(tls={"certificate": certificate, "key": key})
    segue.sections["web"] = {"listen": [f"tls://127.0.0.1:{port}"]}
    segue.start()
    wait_for_port(segue, port)

    def browser():
        context = ssl.create_default_context(cafile=certificate)
        connection = http.client.HTTPSConnection("localhost", port, timeout=20, context=context)
        connection.request("GET", "/healthz")
        assert connection.getresponse().read()
        return connection
    before = browser()
    new, new_key = make_certificate(tmp_path, "second")
    os.replace(new, certificate)
    os.replace(new_key, key)
    with pytest.raises(ssl.SSLError):
        browser()
    segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "the certificate was read again" in segue.log, what="the new certificate")
    browser().close()
    before.request("GET", "/healthz")
    assert before.getresponse().status == 200
    before.close()


def test_handshakes_that_never_end_are_ended(encrypted):
    encrypted.start()
    start = time.monotonic()
    silent = [socket.create_connection(("127.0.0.1", encrypted.tls_port), timeout=30) for _ in range(40)]
    for connection in silent:
        connection.setblocking(False)

    def closed():
        return sum(map(is_closed, silent))
    # What is beyond one address's share is closed at once, the rest after ten seconds; no other client waits meanwhile.
    wait_for(lambda: closed() >= 24, what="what is too much to be closed")
    assert closed() < 40
    with Line(encrypted.port) as client:
        assert client.ask("ping") == ["OK"]
    wait_for(lambda: closed() == 40, 60, "the time-out")
    assert time.monotonic() - start > 9
    with Line(encrypted.tls_port, encrypted.certificate) as client:
        assert client.ask("ping") == ["OK"]
    # A client that knows no TLS, and one that speaks HTTP, get no answer in MPD's protocol.
    for bytes_sent in (b"status\n", b"GET / HTTP/1.1\r\n\r\n", os.urandom(400)):
        with socket.create_connection(("127.0.0.1", encrypted.tls_port), timeout=30) as connection:
            connection.sendall(bytes_sent)
            try:
                assert not connection.recv(100).startswith(b"OK MPD")
            except ConnectionError:
                pass


def is_closed(connection):
    """Whether the other side has closed a connection that doesn't block."""
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


@needs("mpc")
@needs("stunnel4")
def test_mpc_connects_by_stunnel(encrypted, tmp_path):
    encrypted.start()
    port = free_port()
    (tmp_path / "stunnel.conf").write_text(
        f"foreground = yes\npid =\n[segue]\nclient = yes\naccept = 127.0.0.1:{port}\n"
        f"connect = 127.0.0.1:{encrypted.tls_port}\nCAfile = {encrypted.certificate}\nverifyChain = yes\n"
        "checkHost = localhost\n")
    tunnel = Daemon(tmp_path / "stunnel.log")
    tunnel.launch([shutil.which("stunnel4") or "/usr/bin/stunnel4", tmp_path / "stunnel.conf"], dict(os.environ))
    try:
        wait_for_port(tunnel, port)
        result = subprocess.run(["mpc", "-h", "127.0.0.1", "-p", str(port), "volume", "41"], capture_output=True,
                                text=True, timeout=30)
        assert result.returncode == 0 and "volume: 41%" in result.stdout.replace("  ", " "), result
    finally:
        tunnel.kill()


@needs("mpc")
@needs("socat")
def test_socat_connects_as_the_manual_says(encrypted, tmp_path):
    encrypted.start()
    path = tmp_path / "segue.socket"
    tunnel = Daemon(tmp_path / "socat.log")
    tunnel.launch(["socat", f"UNIX-LISTEN:{path},mode=600,fork",
                   f"OPENSSL:127.0.0.1:{encrypted.tls_port},cafile={encrypted.certificate},commonname=localhost"],
                  dict(os.environ))
    try:
        wait_for(lambda: can_connect_to(path), what="socat's socket")
        result = subprocess.run(["mpc", "-h", str(path), "volume", "42"], capture_output=True, text=True, timeout=30)
        assert result.returncode == 0, result
    finally:
        tunnel.kill()
