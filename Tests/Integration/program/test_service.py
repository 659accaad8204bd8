"""The program as a service: what it tells systemd, sockets that it inherits, its log in the journal, its health."""
import contextlib
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess

import pytest
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.processes import free_port
from harness.segue import ROOT, Segue, binary
from harness.waiting import wait_for
from harness.web import Web


class Manager:
    """systemd's end of the notification socket."""

    def __init__(self, path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        self.socket.setblocking(False)
        self.messages = []

    def receive(self):
        """Takes what has come, and returns all messages so far."""
        with contextlib.suppress(BlockingIOError):
            while True:
                self.messages.append(self.socket.recv(4096).decode())
        return self.messages

    def wait_for(self, beginning, seconds=20):
        """The first message from now on that begins so; those before it are forgotten."""
        def found():
            return next((text for text in self.receive() if text.startswith(beginning)), None)
        message = wait_for(found, seconds, f"a message {beginning}; there are {self.messages}")
        del self.messages[:self.messages.index(message) + 1]
        return message


@pytest.fixture
def managed(tmp_path, registry, library):
    """A segue with a folder of music, and the manager that it will talk to."""
    server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]})
    server.songs = len(library[1])
    server.titles = [track.title for track in library[1]]
    manager = Manager(tmp_path / "notify")
    server.environment["NOTIFY_SOCKET"] = str(manager.path)
    yield server, manager
    server.kill()


@pytest.mark.smoke
def test_the_manager_hears_of_start_music_reload_and_end(managed):
    server, manager = managed
    server.environment["WATCHDOG_USEC"] = "1000000"
    server.start(server.songs)
    ready = manager.wait_for("READY=1")
    assert re.fullmatch(r"READY=1\nSTATUS=Stopped, [\d,]+ songs", ready), ready
    # Twice in each second.
    for _ in range(3):
        manager.wait_for("WATCHDOG=1")
    client = server.client()
    client.add("/")
    client.play()
    status = manager.wait_for("STATUS=Playing", 30)
    assert any(title in status for title in server.titles), status
    server.process.send_signal(signal.SIGHUP)
    assert re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", manager.wait_for("RELOADING=1"))
    manager.wait_for("READY=1")
    server.process.send_signal(signal.SIGTERM)
    manager.wait_for("STOPPING=1")
    assert server.process.wait(10) == 0


def test_without_a_manager_nothing_is_missed(managed):
    server, manager = managed
    server.environment["NOTIFY_SOCKET"] = "/nonexistent/notify"
    server.environment["WATCHDOG_USEC"] = "nonsense"
    server.start(server.songs)
    assert server.stop()[0] == 0


def listening(family, address):
    """A socket as systemd passes it on."""
    found = socket.socket(family, socket.SOCK_STREAM)
    found.bind(address)
    found.listen(16)
    return found


@pytest.mark.smoke
def test_inherited_sockets_take_the_place_of_listen(managed, tmp_path):
    server, manager = managed
    path = tmp_path / "inherited"
    sockets = [listening(socket.AF_INET, ("127.0.0.1", 0)), listening(socket.AF_UNIX, str(path))]
    server.write_configuration()

    def pass_on():
        # Only the child knows its own number.
        for number, found in enumerate([os.dup(each.fileno()) for each in sockets]):
            os.dup2(found, 3 + number, inheritable=True)
        os.environ["LISTEN_PID"] = str(os.getpid())
    script = 'export LISTEN_PID=$$; exec "$0" serve --config "$1"'
    with open(server.log_path, "ab") as log:
        server.process = subprocess.Popen(
            ["/bin/sh", "-c", script, str(binary()), str(server.configuration)], stdout=log, stderr=log,
            env={**server.environment, "LISTEN_FDS": "2", "LISTEN_FDNAMES": "segue.socket:segue.socket"},
            preexec_fn=pass_on, close_fds=False, start_new_session=True)
    manager.wait_for("READY=1", 30)
    for family, address in ((socket.AF_INET, sockets[0].getsockname()), (socket.AF_UNIX, str(path))):
        with socket.socket(family, socket.SOCK_STREAM) as client:
            client.settimeout(10)
            client.connect(address)
            assert client.recv(100).startswith(b"OK MPD ")
    with socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect(("127.0.0.1", server.port))
    assert server.stop()[0] == 0
    assert stat.S_ISSOCK(os.stat(path).st_mode)
    # Clients that come while nothing runs wait for the next start.
    with socket.socket() as client:
        client.connect(sockets[0].getsockname())


def test_the_pages_socket_is_told_from_those_of_mpds_clients_by_its_name(managed):
    """As segue-web.socket passes it on: browsers get the page there, MPD's clients the usual addresses."""
    server, manager = managed
    page = listening(socket.AF_INET, ("127.0.0.1", 0))
    server.sections["web"] = {"listen": [f"127.0.0.1:{free_port()}"]}
    server.write_configuration()
    unit = (ROOT / "contrib/systemd/segue-web.socket").read_text()
    name = re.search("^FileDescriptorName=(.*)$", unit, re.M)[1]

    def pass_on():
        os.dup2(os.dup(page.fileno()), 3, inheritable=True)
    with open(server.log_path, "ab") as log:
        server.process = subprocess.Popen(
            ["/bin/sh", "-c", 'export LISTEN_PID=$$; exec "$0" serve --config "$1"', str(binary()),
             str(server.configuration)], stdout=log, stderr=log,
            env={**server.environment, "LISTEN_FDS": "1", "LISTEN_FDNAMES": name},
            preexec_fn=pass_on, close_fds=False, start_new_session=True)
    manager.wait_for("READY=1", 30)
    port = page.getsockname()[1]
    assert Web(port).get("/api/status")["server"]["name"] == "Segue"
    assert server.client().status()["state"] == "stop"
    configured = int(server.sections["web"]["listen"][0].split(":")[1])
    with socket.socket() as client, pytest.raises(ConnectionRefusedError):
        client.connect(("127.0.0.1", configured))
    assert server.stop()[0] == 0


def test_an_inherited_descriptor_that_is_no_socket_is_one_clear_line(managed):
    server, _ = managed
    server.write_configuration()
    result = subprocess.run(
        ["/bin/sh", "-c", 'export LISTEN_PID=$$; exec "$0" serve --config "$1" 3</dev/null', str(binary()),
         str(server.configuration)], env={**server.environment, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "page"}, text=True,
        capture_output=True, timeout=30)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("segue: the inherited socket page does not accept connections")


def test_the_journal_gets_priorities_and_keeps_the_time_itself(managed):
    server, manager = managed
    server.log_path.touch()
    place = os.stat(server.log_path)
    server.environment["JOURNAL_STREAM"] = f"{place.st_dev}:{place.st_ino}"
    server.start(server.songs)
    server.configuration.write_text("[sever]\n")
    server.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "nothing was changed" in server.log, what="the refusal")
    lines = server.log.splitlines()
    assert all(re.match(r"<[2-7]>\w+ segue[.:\w]* ", line) for line in lines if "segue" in line), lines
    assert any(line.startswith("<3>error segue: SIGHUP: nothing was changed") for line in lines)
    server.stop()


def test_a_check_tells_servers_that_answer_from_those_that_do_not(managed):
    server, _ = managed
    server.start(server.songs)
    result = server.run("check", "--running", "--config", server.configuration)
    answer = f"ok   server: 127.0.0.1:{server.port} answers as MPD 0."
    assert result.returncode == 0 and result.stdout.startswith(answer) and len(result.stdout.splitlines()) == 1
    result = server.run("check", "--running", server.socket)
    assert result.returncode == 0 and str(server.socket) in result.stdout
    result = server.run("check", "--running", f"0.0.0.0:{server.port}")
    assert result.returncode == 0
    assert server.run("check", f"0.0.0.0:{server.port}").returncode == 2, "an address needs --running"
    os.kill(server.process.pid, signal.SIGSTOP)
    hung = server.run("check", "--running", "--config", server.configuration, seconds=10)
    os.kill(server.process.pid, signal.SIGCONT)
    assert hung.returncode == 1 and "does not answer in time" in hung.stdout
    server.stop()
    for address in ((), (server.socket,), (f"localhost:{server.port}",)):
        gone = server.run("check", "--running", "--config", server.configuration, *address)
        assert gone.returncode == 1 and len(gone.stdout.splitlines()) == 1 and "doesn't serve" in gone.stdout


def test_a_check_knows_other_servers(managed):
    server, _ = managed
    with listening(socket.AF_INET, ("127.0.0.1", 0)) as other:
        address = "%s:%d" % other.getsockname()
        probe = subprocess.Popen([binary(), "check", "--running", address], env=server.environment,
                                 stdout=subprocess.PIPE, text=True)
        client, _ = other.accept()
        client.sendall(b"SSH-2.0-OpenSSH\r\n")
        assert "no MPD server" in probe.communicate(timeout=20)[0]
        assert probe.returncode == 1


@pytest.mark.parametrize("kind", ["folder", "forbidden", "empty"])
def test_a_credential_that_cannot_be_read_is_one_clear_line(managed, tmp_path, kind):
    if kind == "forbidden" and os.geteuid() == 0:
        pytest.skip("root reads everything")
    server, _ = managed
    credential = tmp_path / "credentials/navidrome-password"
    (credential if kind == "folder" else credential.parent).mkdir(parents=True)
    if kind != "folder":
        credential.write_text("" if kind == "empty" else "secret")
        credential.chmod(0 if kind == "forbidden" else 0o400)
    server.environment["CREDENTIALS_DIRECTORY"] = str(credential.parent)
    server.sections["navidrome"] = {"url": "http://127.0.0.1:9", "username": "me", "mount": "there"}
    server.sections["local"]["mount"] = "here"
    server.write_configuration()
    result = server.run("serve", "--config", server.configuration)
    assert result.returncode != 0
    assert [line for line in result.stderr.splitlines() if str(credential) in line] == result.stderr.splitlines()[-1:]
    assert "secret" not in result.stderr


@pytest.mark.needs_root
def test_root_leaves_no_files_of_its_own_in_a_service_s_folders(tmp_path, registry):
    user = 4242
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == 0 and parent != pathlib.Path("/"):
            parent.chmod(parent.stat().st_mode | 0o055)
    navidrome = FakeNavidrome(tmp_path, songs=20).start()
    server = Segue(tmp_path / "segue", registry, navidrome={"url": navidrome.url, "username": USER})
    try:
        server.write_configuration()
        for folder in (server.folder, server.folder / "state", server.folder / "cache"):
            folder.mkdir(exist_ok=True)
            os.chown(folder, user, user)
        os.chown(server.configuration, user, user)
        result = server.run("login", navidrome.url, USER, "--config", server.configuration, text=PASSWORD + "\n")
        assert result.returncode == 0, result.stderr
        for command in ("check", "sync"):
            server.run(command, "--config", server.configuration)
        found = [path for name in ("state", "cache") for path in (server.folder / name).rglob("*")]
        assert {path.name for path in found} >= {"credentials.toml", "segue.db"}
        assert not [path for path in found if path.stat().st_uid != user]
        server.start(songs=20)
        assert f"\nUid:\t{user}\t{user}" in pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        assert server.stop()[0] == 0
        assert not [path for path in (server.folder / "state").rglob("*") if path.stat().st_uid != user]
    finally:
        server.kill()
        navidrome.kill()
