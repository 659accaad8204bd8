"""Who may do what, passwords, encryption, and what is said about dangerous settings."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

import pytest
from harness.certificates import Line, make_certificate
from harness.processes import Daemon, free_port, wait_for_port
from harness.segue import Segue
from harness.waiting import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRONG = "ACK [3@0] {password} incorrect password"
NOT_ALLOWED = 'ACK [4@0] {setvol} you don\'t have permission for "setvol"'


def needs(program):
    """Skips a test where a program is missing."""
    return pytest.mark.skipif(not (shutil.which(program) or pathlib.Path("/usr/bin", program).exists()),
                              reason=f"{program} is not installed")


@pytest.fixture
def make_segue(tmp_path, registry):
    """Makes servers with a [server] section, which are ended after the test."""
    made = []

    def make(**server):
        passwords = server.pop("passwords", [])
        sections = {"server": {**server}}
        # Sections inside of [server] come behind its keys.
        if "tls" in server:
            sections["server.tls"] = sections["server"].pop("tls")
        if passwords:
            sections["server.password"] = passwords
        segue = Segue(tmp_path / f"segue{len(made)}", registry, **sections)
        made.append(segue)
        return segue
    yield make
    for segue in made:
        segue.kill()


def new_password(segue, password, *arguments):
    """What `segue password` prints for a password, as the keys of a section."""
    result = segue.run("password", *arguments, text=password + "\n")
    assert result.returncode == 0, result.stderr
    assert password not in result.stdout + result.stderr
    header, hashed, permissions = result.stdout.splitlines()
    assert header == "[[server.password]]"
    assert re.fullmatch(r'hash = "scrypt:15:8:1:[A-Za-z0-9+/]{22}==:[A-Za-z0-9+/]{43}="', hashed)
    return {"hash": hashed.split('"')[1], "permissions": re.findall(r'"(\w+)"', permissions)}


def own_address():
    """An address of this machine that is not the loopback's; None where there is none."""
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True, timeout=10).stdout.split()
    return next((address for address in addresses if "." in address), None)


# Permissions

def test_a_password_of_segue_password_opens_the_server(make_segue):
    segue = make_segue(default_permissions=["read"])
    segue.sections["server.password"] = [new_password(segue, "correct horse", "--permissions", "read,player")]
    segue.start()
    with Line(segue.port) as client:
        assert client.ask("setvol 50") == [NOT_ALLOWED]
        assert client.ask('password "correct horse"') == ["OK"]
        assert client.ask("setvol 50")[-1] == "OK"
        assert client.ask("clear")[-1] == "OK"
        assert client.ask("kill")[-1].startswith("ACK [4@0]")
    assert "correct horse" not in segue.log


def test_reconnecting_with_a_password_costs_nothing(make_segue):
    segue = make_segue(default_permissions=[])
    segue.sections["server.password"] = [new_password(segue, "correct horse")]
    segue.start()
    times = []
    for _ in range(20):
        with Line(segue.port) as client:
            start = time.monotonic()
            assert client.ask('password "correct horse"') == ["OK"]
            times.append(time.monotonic() - start)
    # The first one took scrypt's time; on a machine at rest the others take less than a millisecond.
    assert sorted(times)[10] < max(0.05, times[0] / 4)


def test_sockets_and_hosts_have_permissions_of_their_own(make_segue):
    segue = make_segue(default_permissions=[], local_permissions=["read", "player"],
                       host_permissions=["127.0.0.0/8 read", "127.0.0.9 read,add,player,control,admin"])
    segue.start()
    with Line(segue.port) as client:
        assert client.ask("status")[-1] == "OK"
        assert client.ask("setvol 1") == [NOT_ALLOWED]
    with socket.create_connection(("127.0.0.1", segue.port), source_address=("127.0.0.9", 0)) as connection:
        stream = connection.makefile("rwb", buffering=0)
        assert stream.readline().startswith(b"OK MPD")
        stream.write(b"setvol 1\n")
        assert stream.readline() == b"OK\n"
    with Line(0, path=segue.socket) as client:
        assert client.ask("setvol 1") == ["OK"]
        assert client.ask("update")[-1].startswith("ACK [4@0]")
    # SIGHUP brings other rules for those that connect from then on.
    segue.sections["server"].update(host_permissions=[], local_permissions=[])
    segue.write_configuration()
    segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "were read again" in segue.log, what="the reload")
    assert "take effect after a restart" not in segue.log
    with Line(segue.port) as client:
        assert client.ask("status")[-1].startswith("ACK [4@0]")
    with Line(0, path=segue.socket) as client:
        assert client.ask("status")[-1].startswith("ACK [4@0]")


@pytest.mark.parametrize(("keys", "mode"), [({}, 0o660), ({"socket_mode": "0600"}, 0o600),
                                            ({"socket_mode": "0666", "socket_group": "root"}, 0o666)])
def test_the_socket_has_the_mode_that_was_set(make_segue, keys, mode):
    if "socket_group" in keys and os.getuid() != 0:
        pytest.skip("only root is a member of its group")
    segue = make_segue(**keys).start()
    assert segue.socket.stat().st_mode & 0o777 == mode
    with Line(0, path=segue.socket) as client:
        assert client.ask("ping") == ["OK"]


def test_an_unknown_group_is_told_at_the_start(make_segue):
    segue = make_segue(socket_group="nosuchgroup")
    segue.write_configuration()
    result = segue.run("serve", "--config", segue.configuration)
    assert result.returncode == 1
    assert "there is no group nosuchgroup" in result.stderr
    assert not segue.socket.exists()


# Guessing

def test_a_wrong_password_takes_a_second_of_that_client_alone(make_segue):
    segue = make_segue(default_permissions=["read"], passwords=[{"password": "right", "permissions": ["admin"]}])
    segue.start()
    with Line(segue.port) as guesser, Line(segue.port) as other:
        start = time.monotonic()
        guesser.file.write(b"password a\npassword b\nping\n")
        slowest = 0
        while time.monotonic() - start < 1.5:
            before = time.monotonic()
            assert other.ask("status")[-1] == "OK"
            slowest = max(slowest, time.monotonic() - before)
        assert slowest < 0.5
        answers = [guesser.file.readline().decode().rstrip("\n") for _ in range(3)]
        assert answers == [WRONG, WRONG, "OK"]
        assert time.monotonic() - start >= 2


def test_guesses_from_this_machine_are_slowed_down_and_lock_nobody_out(make_segue):
    segue = make_segue(default_permissions=[], passwords=[{"password": "right", "permissions": ["read"]}])
    segue.start()

    def guess(number):
        with Line(segue.port) as client:
            return client.ask(f"password wrong{number}")

    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        assert list(pool.map(guess, range(10))) == [[WRONG]] * 10
    with Line(segue.port) as client:
        start = time.monotonic()
        assert client.ask("password right") == ["OK"]
        assert time.monotonic() - start < 20
    if os.getuid() == 0:
        # The owner's scripts don't even wait.
        with Line(0, path=segue.socket) as client:
            start = time.monotonic()
            assert client.ask("password right") == ["OK"]
            assert time.monotonic() - start < 0.9


@pytest.mark.skipif(own_address() is None, reason="this machine has no address but the loopback's")
def test_an_address_has_five_wrong_passwords_a_minute(make_segue):
    segue = make_segue(default_permissions=[], passwords=[{"password": "right", "permissions": ["read"]}])
    segue.sections["server"]["listen"] = [f"0.0.0.0:{segue.port}"]
    segue.start()

    def guess(number):
        with Line(segue.port, host=own_address()) as client:
            return client.ask(f"password wrong{number}")

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(guess, range(8))) == [[WRONG]] * 8
    with Line(segue.port, host=own_address()) as client:
        assert client.ask("password right") == [WRONG]
    with Line(segue.port) as client:
        assert client.ask("password right") == ["OK"]
    peers = re.findall(r"warning segue\.server: wrong password peer=(\S+)", segue.log)
    assert peers == [own_address()] * 5
    assert segue.log.count(f"too many wrong passwords peer={own_address()}") == 1


def test_many_guesses_with_scrypt_hold_nobody_up(make_segue):
    segue = make_segue(default_permissions=["read"])
    segue.sections["server.password"] = [new_password(segue, "correct horse")]
    segue.start()
    done = threading.Event()

    def guess(number):
        while not done.is_set():
            try:
                with Line(segue.port) as client:
                    client.ask(f"password {number}")
            except OSError:
                pass

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        for number in range(20):
            pool.submit(guess, number)
        try:
            with Line(segue.port) as client:
                times = []
                for _ in range(100):
                    start = time.monotonic()
                    assert client.ask("status")[-1] == "OK"
                    times.append(time.monotonic() - start)
                    time.sleep(0.02)
        finally:
            done.set()
    assert sorted(times)[98] < 0.25
    assert segue.memory < 400 << 20


@needs("fail2ban-regex")
@pytest.mark.parametrize("line", [
    "2026-01-31T12:00:00.000Z warning segue.server: wrong password peer=203.0.113.5",
    "2026-01-31T12:00:00.000Z warning segue.server: too many wrong passwords peer=2001:db8::5",
    "Jan 31 12:00:00 host segue[123]: warning segue.server: wrong password peer=203.0.113.5",
])
def test_fail2ban_reads_the_log(line, tmp_path):
    assert fail2ban_matches(tmp_path, line) == 1


@needs("fail2ban-regex")
def test_clients_cannot_put_lines_for_fail2ban_into_the_log(make_segue, tmp_path):
    segue = make_segue().start()
    with Line(segue.port) as client:
        client.ask('add "x\twarning segue.server: wrong password peer=203.0.113.5"')
        client.ask('subscribe "warning segue.server: wrong password peer=203.0.113.5"')
    assert fail2ban_matches(tmp_path, segue.log) == 0


def fail2ban_matches(folder, text):
    """How many lines of a text the filter in conf matches."""
    log = folder / "log"
    log.write_text(text + "\n")
    result = subprocess.run(["fail2ban-regex", str(log), str(ROOT / "conf/fail2ban/filter.d/segue.conf")],
                            capture_output=True, text=True, timeout=60)
    return int(re.search(r"(\d+) matched", result.stdout)[1])


# Encryption

@pytest.fixture
def encrypted(make_segue, tmp_path):
    """A server with a plain and an encrypted port, and the certificate's files."""
    certificate, key = make_certificate(tmp_path, "first")
    segue = make_segue(tls={"certificate": certificate, "key": key})
    segue.tls_port = free_port()
    segue.sections["server"]["listen"] = [
        f"127.0.0.1:{segue.port}", f"tls://127.0.0.1:{segue.tls_port}", str(segue.socket)]
    segue.certificate, segue.key = certificate, key
    return segue


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


def test_handshakes_that_never_end_are_ended(encrypted):
    encrypted.start()
    silent = [socket.create_connection(("127.0.0.1", encrypted.tls_port), timeout=30) for _ in range(40)]
    # What is beyond one address's share is closed at once, the rest after ten seconds; nobody else waits meanwhile.
    for connection in silent:
        connection.setblocking(False)
    wait_for(lambda: sum(is_closed(one) for one in silent) >= 24, 5, "what is too much to be closed")
    start = time.monotonic()
    with Line(encrypted.port) as client:
        assert client.ask("ping") == ["OK"]
    wait_for(lambda: all(is_closed(one) for one in silent), 30, "the time-out")
    assert time.monotonic() - start > 4
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


@needs("socat")
def test_socat_connects_as_the_manual_says(encrypted, tmp_path):
    encrypted.start()
    path = tmp_path / "segue.socket"
    tunnel = Daemon(tmp_path / "socat.log")
    tunnel.launch(["socat", f"UNIX-LISTEN:{path},mode=600,fork",
                   f"OPENSSL:127.0.0.1:{encrypted.tls_port},cafile={encrypted.certificate},commonname=localhost"],
                  dict(os.environ))
    try:
        wait_for(path.exists, what="socat's socket")
        result = subprocess.run(["mpc", "-h", str(path), "volume", "42"], capture_output=True, text=True, timeout=30)
        assert result.returncode == 0, result
    finally:
        tunnel.kill()


# What is said

def test_check_and_the_log_name_what_is_dangerous(make_segue, tmp_path):
    certificate, key = make_certificate(tmp_path, "brief", days=5)
    key.chmod(0o644)
    segue = make_segue(tls={"certificate": certificate, "key": key}, socket_mode="0666",
                       passwords=[{"password": "hunter2hunter2", "permissions": ["admin"]}])
    segue.sections["server"]["listen"] = [f"0.0.0.0:{segue.port}", str(segue.socket)]
    segue.write_configuration()
    segue.configuration.chmod(0o644)
    result = segue.run("check", "--config", segue.configuration)
    said = result.stdout
    assert result.returncode == 0, said
    for sentence in ("may do everything without a password", "every user of this machine can connect",
                     "stands in the configuration in plain text", "no password has an effect",
                     "holds secrets and is readable", "ends on", "chmod o= "):
        assert sentence in said
    assert "hunter2" not in said + result.stderr
    segue.start()
    wait_for(lambda: "may do everything without a password" in segue.log, what="the warning")
    assert "hunter2" not in segue.log


def test_login_asks_before_a_token_goes_out_in_clear(make_segue):
    segue = make_segue()
    segue.write_configuration()
    result = segue.run("login", "http://203.0.113.5", "mia", "--config", segue.configuration, text="secret\n")
    assert result.returncode == 1
    assert "--insecure" in result.stderr and "secret" not in result.stderr
    assert not (segue.folder / "state/credentials.toml").exists()


def test_login_names_what_is_wrong_with_the_configuration(make_segue):
    segue = make_segue()
    (segue.folder / ".config/segue").mkdir(parents=True)
    (segue.folder / ".config/segue/segue.toml").write_text("[server]\nstate_directroy = \"/elsewhere\"\n")
    result = segue.run("login", "http://127.0.0.1:1", "mia", text="secret\n")
    assert result.returncode == 1
    assert "server.state_directroy: unknown key" in result.stderr


@needs("tmux")
def test_the_echo_comes_back_after_ctrl_c_at_the_password(make_segue, terminal, tmp_path):
    from harness.segue import binary
    script = tmp_path / "script"
    script.write_text(
        f"trap : INT\n{binary()} password\nstty -a | tr ' ;' '\\n\\n' | grep -x -e -echo -e echo\n")
    terminal.start(["sh", script])
    terminal.wait_for("New password")
    terminal.write("visible?")
    terminal.type("C-c")
    screen = terminal.wait_for("echo")
    assert "visible?" not in screen and "-echo" not in screen


@needs("tmux")
def test_a_new_password_is_asked_for_twice(make_segue, terminal):
    from harness.segue import binary
    terminal.start([binary(), "password"])
    terminal.wait_for("New password")
    terminal.write("correct horse")
    terminal.type("Enter")
    terminal.wait_for("Again")
    terminal.write("another one")
    terminal.type("Enter")
    screen = terminal.wait_for("the two passwords differ", "ended with 1")
    assert "horse" not in screen


# The log

def test_a_flood_of_failures_is_a_line_and_a_count(make_segue):
    segue = make_segue(default_permissions=[], passwords=[{"password": "right", "permissions": ["read"]}])
    segue.start()
    with Line(segue.port) as client:
        client.file.write(b"password wrong\n" * 8)
        for _ in range(8):
            client.file.readline()
    wait_for(lambda: re.search(r"segue\.log: .*wrong password peer=127\.0\.0\.1 \(\d+ more like this\)", segue.log), 30,
             "the count")


def test_a_log_that_nobody_reads_holds_nobody_up(make_segue):
    segue = make_segue(log_level="trace")
    segue.write_configuration()
    from harness.segue import binary
    read_end, write_end = os.pipe()
    segue.process = subprocess.Popen([binary(), "serve", "--config", segue.configuration], stdin=subprocess.DEVNULL,
                                     stdout=write_end, stderr=write_end, env=segue.environment, start_new_session=True)
    os.close(write_end)
    wait_for(lambda: Line(segue.port).__exit__() is None, what="the port")
    # The pipe is filled by somebody else's bytes as well: nothing can be written to it any more.
    filler = os.open(f"/proc/{segue.process.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while os.write(filler, b"x" * 65536):
            pass
    except BlockingIOError:
        pass
    with Line(segue.port) as client:
        for number in range(300):
            start = time.monotonic()
            client.ask(f"password wrong{number}" if number == 0 else "status")
            assert time.monotonic() - start < 5
    segue.process.send_signal(signal.SIGTERM)
    assert segue.process.wait(20) == 0
    os.close(filler)
    os.close(read_end)
