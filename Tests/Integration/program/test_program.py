"""The program: its options, its errors, its signals and its log."""
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest
from harness.processes import free_port
from harness.segue import Demo, Segue, binary
from harness.supysonic import PASSWORD, navidrome_section
from harness.waiting import wait_for


@pytest.fixture
def idle_segue(tmp_path, registry, library):
    """A segue that is configured but not started."""
    server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]})
    server.write_configuration()
    yield server
    server.kill()


def one_line(result):
    """The one line that a failed command printed."""
    lines = [line for line in result.stderr.splitlines() if line]
    assert len(lines) == 1, result.stderr
    return lines[0]


@pytest.mark.smoke
def test_version_and_help(idle_segue):
    version = idle_segue.run("--version")
    assert version.returncode == 0 and re.match(r"segue \d+\.\d+", version.stdout)
    overview = idle_segue.run("--help")
    assert overview.returncode == 0
    for command in ("serve", "demo", "login", "check", "sync"):
        assert command in overview.stdout
        details = idle_segue.run(command, "--help")
        assert details.returncode == 0 and "USAGE" in details.stdout


@pytest.mark.parametrize("arguments", [["no-such-command"], ["serve", "--no-such-option"], ["login"]])
def test_wrong_usage_ends_with_2(idle_segue, arguments):
    result = idle_segue.run(*arguments)
    assert result.returncode == 2
    assert result.stderr and not result.stdout


@pytest.mark.smoke
@pytest.mark.parametrize(("text", "says"), [
    ("[server]\nlistne = []\n", r"segue\.toml:2: server\.listne: unknown key; did you mean server\.listen\?"),
    ("[server]\nmax_connections = \"many\"\n", r"segue\.toml:2: server\.max_connections: expected a whole number"),
    ("[server\n", r"segue\.toml:1: not valid TOML"),
], ids=["unknown key", "wrong type", "no TOML"])
def test_a_wrong_configuration_is_one_line(idle_segue, text, says):
    idle_segue.configuration.write_text(text)
    for command in ("serve", "sync"):
        result = idle_segue.run(command, "--config", idle_segue.configuration)
        assert result.returncode == 1
        assert re.search(says, one_line(result))


def test_a_missing_configuration_is_one_line(idle_segue):
    result = idle_segue.run("serve", "--config", idle_segue.folder / "nowhere.toml")
    assert result.returncode == 1
    assert "nowhere.toml" in one_line(result) and "no such file" in one_line(result)
    result = idle_segue.run("sync")
    assert result.returncode == 1
    assert "segue demo" in one_line(result)


def test_a_used_port_is_one_line(idle_segue):
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", idle_segue.port))
        taken.listen()
        result = idle_segue.run("serve", "--config", idle_segue.configuration)
    assert result.returncode == 1
    assert f"127.0.0.1:{idle_segue.port}" in result.stderr and "another program uses it" in one_line(result)


@pytest.mark.parametrize("path", ["file/state", "/proc/state"])
def test_an_impossible_state_directory_is_one_line(idle_segue, path):
    (idle_segue.folder / "file").write_text("")
    idle_segue.sections["server"]["state_directory"] = idle_segue.folder / path
    idle_segue.write_configuration()
    result = idle_segue.run("serve", "--config", idle_segue.configuration)
    assert result.returncode == 1
    assert "state_directory" in one_line(result)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_state_directory_is_one_line(idle_segue):
    state = idle_segue.folder / "state"
    state.mkdir(mode=0o500)
    result = idle_segue.run("serve", "--config", idle_segue.configuration)
    assert result.returncode == 1
    assert "state_directory" in one_line(result)


def test_a_second_server_on_the_same_state_is_refused(idle_segue, registry, library):
    idle_segue.start()
    other = Segue(idle_segue.folder / "other", registry, local={"music_directory": library[0]},
                  server={"state_directory": idle_segue.folder / "state"})
    other.write_configuration()
    result = other.run("serve", "--config", other.configuration)
    assert result.returncode == 1
    assert str(idle_segue.folder / "state") in result.stderr
    idle_segue.fail_unless_running()


@pytest.mark.parametrize("number", [pytest.param(signal.SIGTERM, marks=pytest.mark.smoke), signal.SIGINT])
def test_signals_end_it_soon(number, supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(supysonic))
    client = server.client()
    client.findadd("title", "Road")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 30, "the song's start")
    # Two seconds are promised; a machine with other work may need longer.
    assert server.stop(number, seconds=20)[0] == 0, server.log[-2000:]
    assert not server.socket.exists()


@pytest.mark.smoke
def test_hangup_does_not_end_it(idle_segue):
    idle_segue.start()
    before = len(idle_segue.log)
    idle_segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: len(idle_segue.log) > before, what="a line about the configuration")
    idle_segue.sections["playlists"] = {"hide": ["random_albums"]}
    idle_segue.write_configuration()
    idle_segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "changes in [playlists] take effect after a restart" in idle_segue.log, what="the section's name")
    idle_segue.configuration.write_text("[server]\nlistne = []\n")
    idle_segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "server.listne" in idle_segue.log, what="the complaint")
    assert idle_segue.client().status()["state"] == "stop"


@pytest.mark.smoke
def test_check_is_content_with_a_good_configuration(supysonic, library, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry, navidrome=navidrome_section(supysonic))
    server.write_configuration()
    result = server.run("check", "--config", server.configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "connected" in result.stdout
    assert PASSWORD not in result.stdout + result.stderr


@pytest.mark.smoke
def test_sync_fills_the_library_and_says_how_far_it_is(supysonic, library, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry, navidrome=navidrome_section(supysonic))
    server.write_configuration()
    result = server.run("sync", "--config", server.configuration)
    assert result.returncode == 0, result.stderr
    assert str(len(library[1])) in result.stdout + result.stderr
    server.start()
    assert int(server.client().stats()["songs"]) == len(library[1])
    server.kill()


def test_no_secret_is_in_the_log_or_in_an_answer(supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(supysonic),
                         server={"log_level": "trace"})
    client = server.client()
    client.findadd("title", "Road")
    client.play(0)
    wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5, 30, "the song's start")
    answers = repr([client.status(), client.currentsong(), client.playlistinfo(), client.listallinfo()])
    server.stop()
    for secret in (PASSWORD, PASSWORD.encode().hex()):
        assert secret not in server.log and secret not in answers
    assert not re.search(r"[?&](p|t|s|u)=", server.log + answers)


def test_a_login_is_kept_without_the_password(supysonic, library, tmp_path, registry):
    server = Segue(tmp_path / "segue", registry)
    server.sections["navidrome"] = {}
    server.write_configuration()
    result = server.run("login", supysonic.url, "mia", "--config", server.configuration, text="wrong\n")
    assert result.returncode == 1
    assert "wrong" not in result.stdout
    stored = server.folder / "state" / "credentials.toml"
    assert not stored.exists()


def test_the_program_needs_no_build_folder(tmp_path, registry):
    copy = tmp_path / "segue-copy"
    shutil.copy(binary(), copy)
    result = subprocess.run([copy, "--version"], cwd="/", capture_output=True, text=True, timeout=20)
    assert result.returncode == 0 and result.stdout.startswith("segue ")


@pytest.mark.parametrize("is_taken", [False, True])
def test_the_demo_says_where_the_page_is_only_where_it_answers(registry, tmp_path, is_taken):
    port = free_port()
    demo = Demo(tmp_path / "demo", registry)
    with socket.socket() as holder:
        if is_taken:
            holder.bind(("127.0.0.1", 0))
            holder.listen()
            port = holder.getsockname()[1]
        demo.environment |= {"SEGUE_SERVER_LISTEN": f"127.0.0.1:{demo.port}", "SEGUE_WEB_LISTEN": f"127.0.0.1:{port}"}
        demo.launch([binary(), "demo"], demo.environment)
        try:
            wait_for(lambda: "Ctrl-C stops it" in demo.log, 120, "the demo")
            assert (f"In a browser: http://127.0.0.1:{port}/" in demo.log) != is_taken
            assert ("There is no page" in demo.log) == is_taken
        finally:
            demo.kill()
