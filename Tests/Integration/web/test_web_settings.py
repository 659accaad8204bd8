"""Settings that administrators change on the page: kept, read again, refused; a file of its own beside segue.toml."""
import signal
import stat

import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.web import Web

ALL = ["read", "add", "player", "control", "admin"]


@pytest.fixture
def make(library, registry, tmp_path):
    """Starts Segue with a page, where a password is needed for more than looking."""
    running = []

    def start(environment=None, settings=None, **sections):
        segue = Segue(
            tmp_path / "segue", registry, local={"music_directory": library[0]},
            web={"listen": [f"127.0.0.1:{free_port()}"]},
            server={"default_permissions": ["read"], "local_permissions": ALL},
            **{"server.password": [{"password": "open-sesame", "permissions": ALL},
                                   {"password": "half-open", "permissions": ALL[:-1]}], **sections})
        segue.environment.update(environment or {})
        if settings is not None:
            (segue.folder / "state").mkdir(mode=0o700)
            kept(segue).write_text(settings)
        segue.start()
        running.append(segue)
        return segue, administrator(segue)
    yield start
    for segue in running:
        segue.kill()


def administrator(segue, password="open-sesame"):
    """A browser that is signed in."""
    web = Web(int(segue.sections["web"]["listen"][0].split(":")[1]))
    assert web.sign_in(password).status == 200
    return web


def kept(segue):
    """The file with what was set on the page."""
    return segue.folder / "state" / "settings.toml"


def setting(web, key):
    """A key as the page shows it."""
    return next(each for each in web.get("/api/settings")["writable"] if each["key"] == key)


def shown(web, section, key):
    """A key among those of the configuration in use."""
    keys = next(each["keys"] for each in web.get("/api/settings")["sections"] if each["name"] == section)
    return next(each["value"] for each in keys if each["key"] == key)


@pytest.mark.smoke
def test_what_is_set_counts_and_stays(make):
    """One key at once, another after a restart; both stay until they are taken back."""
    segue, web = make()
    assert setting(web, "server.log_level") == {
        "key": "server.log_level", "type": "choice", "value": "debug", "source": "file", "onPage": False, "inFile": True,
        "atOnce": True, "waitsForRestart": False,
        "choices": ["trace", "debug", "info", "notice", "warning", "error", "critical"]}
    before = segue.configuration.read_bytes()
    answer = web.request("PUT", "/api/settings", {"server.log_level": "notice", "playback.resume": "stop",
                                                  "playback.fade_on_pause": 0.25, "discovery.playlists": ["daily"]})
    assert answer.status == 200, answer.body
    found = {each["key"]: (each["value"], each["source"], each["waitsForRestart"]) for each in answer.json["settings"]}
    assert found == {"server.log_level": ("notice", "page", False), "playback.resume": ("stop", "page", True),
                     "playback.fade_on_pause": (0.25, "page", True), "discovery.playlists": (["daily"], "page", True)}
    # The log is written by a thread of its own.
    wait_for(lambda: "settings were changed on the page" in segue.log, 30, "the line in the log")
    assert "playback.resume, server.log_level" in segue.log and "peer=127.0.0.1" in segue.log
    assert shown(web, "server", "log_level") == "notice" and shown(web, "playback", "resume") == "pause"
    assert stat.S_IMODE(kept(segue).stat().st_mode) == 0o600
    assert segue.configuration.read_bytes() == before
    checked = segue.run("check", "--config", segue.configuration).stdout
    assert f"{kept(segue)} contains settings from the page: server.log_level" in checked
    assert f"the page overrides {segue.configuration} in server.log_level" in checked
    segue.stop()
    segue.start()
    web = administrator(segue)
    assert shown(web, "playback", "resume") == "stop"
    assert setting(web, "playback.fade_on_pause")["waitsForRestart"] is False
    assert not any(each["waitsForRestart"] for each in web.get("/api/settings")["writable"])
    answer = web.request("PUT", "/api/settings", {"server.log_level": None, "playback.resume": None})
    assert [(each["key"], each["source"]) for each in answer.json["settings"]] == [
        ("server.log_level", "file"), ("playback.resume", "default")]
    assert "log_level" not in kept(segue).read_text() and "daily" in kept(segue).read_text()


def test_sighup_reads_it_again(make):
    """Also where it is broken by then; the values of the configuration count in its place."""
    segue, web = make()
    kept(segue).write_text('server.log_level = "info"\n')
    segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: setting(web, "server.log_level")["source"] == "page", 30, "the page's level")
    kept(segue).write_text("[server\n")
    segue.process.send_signal(signal.SIGHUP)
    wait_for(lambda: "settings.toml, written by the page, is ignored in whole or in part" in segue.log, 30, "a line")
    wait_for(lambda: setting(web, "server.log_level")["source"] == "file", 30, "the file's level")
    assert web.request("PUT", "/api/settings", {"cache.prefetch": 4}).status == 200
    assert "prefetch" in kept(segue).read_text()


def test_only_administrators_change_settings(make):
    """Others are told what they need, and nothing is written."""
    segue, _ = make()
    stranger = Web(int(segue.sections["web"]["listen"][0].split(":")[1]))
    for web, status in ((stranger, 401), (administrator(segue, "half-open"), 403)):
        answer = web.request("PUT", "/api/settings", {"server.log_level": "error"})
        assert answer.status == status and answer.error["permission"] == "admin"
    assert not kept(segue).exists()


def test_what_is_refused_changes_nothing(make):
    """Keys that do harm, that there are not, or that have such values; all of a request, or none of it."""
    segue, web = make()
    for body, status, field in (
            ({"server.listen": ["0.0.0.0:6600"]}, 403, "server.listen"), ({"web.origins": ["*"]}, 403, "web.origins"),
            ({"server.default_permissions": ["admin"]}, 403, "server.default_permissions"),
            ({"server.password": []}, 403, "server.password"), ({"resolver.command": ["sh"]}, 403, "resolver.command"),
            ({"server.state_directory": "/"}, 403, "server.state_directory"),
            ({"local.music_directory": "/"}, 403, "local.music_directory"),
            ({"server.loglevel": "info"}, 400, "server.loglevel"), ({"\n[server]": 1}, 400, "\n[server]"),
            ({"server.log_level": "loud"}, 400, "server.log_level"), ({"server.log_level": 3}, 400, "server.log_level"),
            ({"cache.prefetch": 4, "dj.ahead": 1000}, 400, "dj.ahead"), ({"dj.ahead": 1.5}, 400, "dj.ahead"),
            ({"dj.ahead": {"x": 1}}, 400, "dj.ahead"), ({"discovery.playlists": ["x" * 300]}, 400, "discovery.playlists"),
            ({"cache.size": '1 GiB"\nlisten = "x'}, 400, "cache.size"),
            ({"navidrome.scrobble": False}, 409, "navidrome.scrobble"), ({}, 400, None), ([], 400, None)):
        answer = web.request("PUT", "/api/settings", body)
        assert (answer.status, answer.error["field"]) == (status, field), (body, answer.body)
        assert answer.error["message"].strip()
    assert web.request("PUT", "/api/settings", {"cache.size": "x" * (1 << 22)}).status in (400, 413)
    assert not kept(segue).exists()


def test_the_environment_wins(make):
    """What it sets can't be set on the page, and what was set there before has no say."""
    segue, web = make({"SEGUE_SERVER_LOG_LEVEL": "debug"}, '[server]\nlog_level = "error"\n[cache]\nprefetch = 5\n')
    found = setting(web, "server.log_level")
    assert (found["value"], found["source"], found["onPage"]) == ("debug", "environment", True)
    assert setting(web, "cache.prefetch")["value"] == 5
    answer = web.request("PUT", "/api/settings", {"server.log_level": "info"})
    assert answer.status == 409 and "SEGUE_SERVER_LOG_LEVEL" in answer.error["message"]
    assert web.request("PUT", "/api/settings", {"server.log_level": None}).status == 200
    assert "log_level" not in kept(segue).read_text()


@pytest.mark.parametrize("text", ["[server", '[server]\nlisten = ["0.0.0.0:1"]\nlog_level = "loud"\n', "\0", "x" * 70_000])
def test_a_broken_file_does_not_stop_the_server(make, text):
    """One line tells of it, and `segue check` does, too; the next change mends it."""
    segue, web = make(None, text)
    lines = [line for line in segue.log.splitlines() if "written by the page" in line]
    assert len(lines) == 1 and "warning" in lines[0]
    assert "written by the page" in segue.run("check", "--config", segue.configuration).stdout
    assert setting(web, "server.log_level")["value"] == "debug"
    assert web.request("PUT", "/api/settings", {"dj.ahead": 4}).status == 200
    assert "written by the page" not in segue.run("check", "--config", segue.configuration).stdout


def test_a_state_directory_that_can_not_be_written(make):
    """The change is refused with the reason, and the old values count."""
    segue, web = make()
    (segue.folder / "state" / "settings.toml.new").mkdir()
    answer = web.request("PUT", "/api/settings", {"server.log_level": "error"})
    assert answer.status == 503 and "settings.toml" in answer.error["message"]
    assert setting(web, "server.log_level")["value"] == "debug"
