"""Who may do what, passwords, the log, and what is said about dangerous settings."""
import concurrent.futures
import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import time

import pytest
from harness.access import NOT_ALLOWED, WRONG, needs, servers
from harness.certificates import Line, make_certificate
from harness.segue import ROOT, binary
from harness.waiting import wait_for


@pytest.fixture
def make_segue(tmp_path, registry):
    """Makes servers with a [server] section, which are ended after the test."""
    with servers(tmp_path, registry) as make:
        yield make


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

@pytest.mark.smoke
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

    def work_of(connections):
        """The processor seconds that these cost the server."""
        before = segue.processor_seconds
        for _ in range(connections):
            with Line(segue.port) as client:
                assert client.ask('password "correct horse"') == ["OK"]
        return segue.processor_seconds - before
    first = work_of(1)
    # Scrypt's work is done once; for each of these it would be twenty times as much.
    assert work_of(20) < 4 * first + 0.2


@pytest.mark.smoke
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
    wait_for(lambda: "SIGHUP: reread" in segue.log, what="the reload")
    assert "take effect after a restart" not in segue.log
    with Line(segue.port) as client:
        assert client.ask("status")[-1].startswith("ACK [4@0]")
    with Line(0, path=segue.socket) as client:
        assert client.ask("status")[-1].startswith("ACK [4@0]")


@pytest.mark.parametrize(("keys", "mode"), [
    ({}, 0o660), ({"socket_mode": "0600"}, 0o600),
    pytest.param({"socket_mode": "0666", "socket_group": "root"}, 0o666, marks=pytest.mark.needs_root)])
def test_the_socket_has_the_mode_that_was_set(make_segue, keys, mode):
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

def has_answer(line):
    """Whether something has come on a connection that was not read yet."""
    return bool(select.select([line.socket], [], [], 0)[0])


def test_a_wrong_password_takes_a_second_of_that_client_alone(make_segue):
    segue = make_segue(default_permissions=["read"], passwords=[{"password": "right", "permissions": ["admin"]}])
    segue.start()

    def others_are_answered_meanwhile():
        with Line(segue.port) as guesser, Line(segue.port) as other:
            start = time.monotonic()
            guesser.file.write(b"password a\npassword b\nping\n")
            assert other.ask("status")[-1] == "OK"
            is_first = not has_answer(guesser)
            answers = [guesser.file.readline().decode().rstrip("\n") for _ in range(3)]
            assert answers == [WRONG, WRONG, "OK"]
            assert time.monotonic() - start >= 2
        return is_first
    # A busy machine may hold everybody up for a second; a fault of ours is there each time.
    wait_for(others_are_answered_meanwhile, what="an answer that comes before the guesser's")


def test_guesses_from_this_machine_are_slowed_down_and_lock_nobody_out(make_segue):
    segue = make_segue(default_permissions=[], passwords=[{"password": "right", "permissions": ["read"]}])
    segue.start()

    def guess(number):
        with Line(segue.port) as client:
            return client.ask(f"password wrong{number}")

    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        assert list(pool.map(guess, range(10))) == [[WRONG]] * 10
    with Line(segue.port) as client:
        assert client.ask("password right") == ["OK"]

    def the_owner_is_first():
        with Line(segue.port) as guesser, Line(0, path=segue.socket) as owner:
            guesser.file.write(b"password wrong\n")
            assert owner.ask("password right") == ["OK"]
            return not has_answer(guesser)
    # The owner's scripts don't even wait.
    wait_for(the_owner_is_first, what="the owner's answer before that to a guess")


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

    def answers_meanwhile():
        """How often another client is answered before the first of twenty guesses is."""
        count = 0
        with contextlib.ExitStack() as lines:
            guessers = [lines.enter_context(Line(segue.port)) for _ in range(20)]
            other = lines.enter_context(Line(segue.port))
            for number, guesser in enumerate(guessers):
                guesser.file.write(f"password {number}\n".encode())
            while not any(map(has_answer, guessers)):
                assert other.ask("status")[-1] == "OK"
                count += 1
        return count
    # Each guess takes a second; a client that waited for the work of one would be answered a few times at most.
    wait_for(lambda: answers_meanwhile() > 50, 60, "answers while others guess")
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
    for sentence in ("and do everything without a password", "every user of this machine can connect",
                     "number 1 is in plain text", "no password has an effect",
                     "contains secrets that every user", "ends on", "chmod o= "):
        assert sentence in said
    assert "hunter2" not in said + result.stderr
    segue.start()
    wait_for(lambda: "and do everything without a password" in segue.log, what="the warning")
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


def test_the_journal_gets_levels_and_no_second_time(make_segue):
    segue = make_segue()
    segue.log_path.touch()
    status = segue.log_path.stat()
    segue.environment["JOURNAL_STREAM"] = f"{status.st_dev}:{status.st_ino}"
    segue.start()
    # Clients are let in first, and the log is written beside the loop.
    wait_for(lambda: re.search(r"^<6>info segue\.server: listening address=", segue.log, re.MULTILINE), what="the line")
    assert not re.search(r"^\d{4}-\d\d-\d\dT", segue.log, re.MULTILINE)


def test_a_log_that_nobody_reads_holds_nobody_up(make_segue):
    segue = make_segue(log_level="trace")
    segue.write_configuration()
    read_end, write_end = os.pipe()
    segue.process = subprocess.Popen([binary(), "serve", "--config", segue.configuration], stdin=subprocess.DEVNULL,
                                     stdout=write_end, stderr=write_end, env=segue.environment, start_new_session=True)
    os.close(write_end)
    wait_for(lambda: Line(segue.port).__exit__() is None, what="the port")
    # The pipe is filled by another's bytes as well: nothing can be written to it any more.
    filler = os.open(f"/proc/{segue.process.pid}/fd/2", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while os.write(filler, b"x" * 65536):
            pass
    except BlockingIOError:
        pass
    with Line(segue.port) as client:
        for number in range(300):
            client.ask("password wrong" if number == 0 else "status")
    segue.process.send_signal(signal.SIGTERM)
    assert segue.process.wait(60) == 0
    os.close(filler)
    os.close(read_end)
