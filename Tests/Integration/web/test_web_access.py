"""Who may what over HTTP: tokens, codes, passwords; and figures, MPD's protocol by WebSocket, listening."""
import base64
import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import urllib.parse
import urllib.request

import pytest
from harness.clients import mpc
from harness.processes import Daemon, free_port, wait_for_port
from harness.segue import ROOT, Segue
from harness.waiting import wait_for
from harness.web import Web

ALL = ["read", "add", "player", "control", "admin"]


@pytest.fixture(scope="module")
def locked(library, registry, tmp_path_factory):
    """Segue that lets no client do anything without a password, with a stream."""
    running = Segue(
        tmp_path_factory.mktemp("locked") / "segue", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        server={"default_permissions": [], "local_permissions": ALL},
        output=[{"type": "httpd", "name": "Any where", "port": free_port(), "bind_to_address": "127.0.0.1",
                 "encoder": "wave", "always_on": True}],
        **{"server.password": [{"password": "open-sesame", "permissions": ALL}]}).start()
    yield running
    running.stop()


@pytest.fixture
def stranger(locked):
    """Who has no password."""
    return Web(int(locked.sections["web"]["listen"][0].split(":")[1]))


@pytest.mark.smoke
def test_tokens_of_the_command_line(locked, stranger):
    """A token works at once, does what it allows and no more, and ends when it is taken back."""
    assert stranger.request("GET", "/api/status").status == 401
    made = locked.run("token", "--config", locked.configuration, "--permissions", "read,player", "--name", "door bell")
    assert made.returncode == 0, made.stderr
    script = Web(stranger.port, token=made.stdout.strip())
    assert script.get("/api/status")["permissions"] == ["read", "player"]
    script.post("/api/player/stop")
    assert script.request("POST", "/api/queue", {"folder": ""}).status == 403
    listed = locked.run("token", "--config", locked.configuration, "--list").stdout
    assert "read,player  door bell" in listed and script.token not in listed
    assert locked.run("token", "--config", locked.configuration, "--revoke", listed.split()[0]).returncode == 0
    assert script.request("GET", "/api/status").status == 401
    assert locked.run("token", "--config", locked.configuration, "--revoke", "nonsense").returncode == 1
    assert locked.run("token", "--config", locked.configuration, "--permissions", "everything").returncode == 2


@pytest.mark.smoke
def test_pairing_from_the_page_and_the_terminal(locked, stranger):
    """A code lets one device in, with no more rights than who showed it."""
    owner = Web(stranger.port)
    assert owner.sign_in("open-sesame").status == 200
    for wrong in ("read", [5], {}, ["everything"]):
        assert owner.request("POST", "/api/pair", {"permissions": wrong}).status == 400
    shown = owner.post("/api/pair", {"permissions": ["read", "add"]})
    assert shown["url"].endswith("#pair=" + shown["code"]) and shown["svg"].startswith("<svg")
    guest = Web(stranger.port)
    answer = guest.request("POST", "/api/pair", {"code": shown["code"].lower().replace("-", ""), "device": "phone"})
    assert answer.status == 200 and answer.json["permissions"] == ["read", "add"]
    guest.cookie = answer.headers["set-cookie"].split(";")[0]
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=Strict" in answer.headers["set-cookie"]
    assert guest.get("/api/status")["permissions"] == ["read", "add"]
    assert guest.request("POST", "/api/player/stop").status == 403
    assert guest.request("POST", "/api/pair", {"permissions": ["player"]}).status == 403
    assert stranger.request("POST", "/api/pair", {"code": shown["code"]}).status == 401
    assert stranger.request("POST", "/api/pair", {}).status == 401
    assert [one["name"] for one in owner.get("/api/sessions")["items"]].count("phone") == 1
    printed = locked.run("pair", "--config", locked.configuration, "--permissions", "read")
    assert printed.returncode == 0, printed.stderr
    code = printed.stdout.split("#pair=")[1].split()[0]
    assert stranger.request("POST", "/api/pair", {"code": code}).json == {"permissions": ["read"]}
    assert stranger.request("POST", "/api/pair", {"code": code}).status == 401
    other = owner.post("/api/pair", {"permissions": ["read"]})["code"]
    for _ in range(30):
        last = stranger.request("POST", "/api/pair", {"code": "0000-0000"})
    assert last.status == 429
    assert stranger.request("POST", "/api/pair", {"code": other}).status == 429, "a right code may be a guess, too"
    # The party is over: all who came in by a code go, and the owner stays.
    assert guest.request("DELETE", "/api/guests").status == 403
    assert owner.request("DELETE", "/api/guests").json == {"ended": 2}
    assert guest.request("GET", "/api/status").status == 401
    assert [one["paired"] for one in owner.get("/api/sessions")["items"] if one["current"]] == [False]


def test_guests_go_with_the_password_of_who_let_them_in(library, registry, tmp_path):
    """Also when it is changed while the server doesn't run; so do those of a token that is taken back."""
    server = Segue(
        tmp_path / "segue", registry, local={"music_directory": library[0]}, web={"listen": [f"127.0.0.1:{free_port()}"]},
        server={"default_permissions": [], "local_permissions": ALL},
        **{"server.password": [{"password": "open-sesame", "permissions": ALL}]}).start()
    port = int(server.sections["web"]["listen"][0].split(":")[1])

    def guest_of(host):
        guest = Web(port)
        answer = guest.request("POST", "/api/pair", {"code": host.post("/api/pair", {"permissions": ["read"]})["code"]})
        guest.cookie = answer.headers["set-cookie"].split(";")[0]
        assert guest.request("GET", "/api/status").status == 200
        return guest
    owner = Web(port)
    assert owner.sign_in("open-sesame").status == 200
    made = server.run("token", "--config", server.configuration, "--permissions", "read,player")
    guest, second = guest_of(owner), guest_of(Web(port, token=made.stdout.strip()))
    listed = server.run("token", "--config", server.configuration, "--list").stdout
    assert server.run("token", "--config", server.configuration, "--revoke", listed.split()[0]).returncode == 0
    assert second.request("GET", "/api/status").status == 401
    assert guest.request("GET", "/api/status").status == 200
    server.stop()
    server.sections["server.password"][0]["password"] = "closed-sesame"
    server.start()
    assert owner.request("GET", "/api/status").status == 401
    assert guest.request("GET", "/api/status").status == 401
    server.stop()


def test_a_session_that_is_ended_takes_its_open_page_along(locked, stranger):
    """A page that stays open has no more rights than one that is opened anew."""
    owner, guest = Web(stranger.port), Web(stranger.port)
    owner.sign_in("open-sesame")
    guest.sign_in("open-sesame")
    with guest.socket() as page:
        assert page.status == 101 and page.receive()
        session = next(one["id"] for one in guest.get("/api/sessions")["items"] if one["current"])
        assert owner.request("DELETE", f"/api/sessions/{session}").status in (200, 204)
        page.send(json.dumps({"id": 1, "mpd": [["stop"]]}))
        with contextlib.suppress(ConnectionResetError):
            while (message := page.receive()) is not None:
                assert b'"id":1' not in message[1]


def test_the_house_switches_outputs_and_sets_volumes_and_administrators_do_the_rest(library, registry, tmp_path):
    """With `control` an output is switched and made louder; what it is made of, and whose it is, needs `admin`."""
    server = Segue(
        tmp_path / "house", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        server={"default_permissions": ["read", "control"], "local_permissions": ["read", "control"]},
        output=[{"type": "null", "name": "Kitchen", "mixer_type": "software"}],
        **{"server.password": [{"password": "open-sesame", "permissions": ALL}]}).start()
    try:
        house = Web(int(server.sections["web"]["listen"][0].split(":")[1]))
        (output,) = house.get("/api/outputs")["items"]
        path = f"/api/outputs/{output['id']}"

        def patch(body):
            return house.request("PATCH", path, body)

        def now(key):
            return house.get("/api/outputs")["items"][0][key]
        assert patch({"enabled": False}).status == 204 and now("enabled") is False
        assert patch({"enabled": True, "volume": 35}).status == 204
        wait_for(lambda: now("enabled") and now("volume") == 35, 30, "the room to be on")
        for body in ({"attributes": {"volume": "5"}}, {"enabled": False, "partition": "default"}):
            answer = patch(body)
            assert answer.status in (401, 403) and answer.error["permission"] == "admin", answer.body
        assert now("enabled") is True, "nothing of a request that is refused was carried out"
        assert house.request("POST", "/api/mpd", [["disableoutput", output["id"]]]).status in (401, 403)
        house.sign_in("open-sesame")
        assert patch({"attributes": {"volume": "5"}}).status == 204
    finally:
        server.stop()


def test_basic_authentication(locked, stranger):
    """A script may send a password with each request."""
    field = {"Authorization": "Basic " + base64.b64encode(b"me:open-sesame").decode()}
    assert stranger.request("GET", "/api/status", headers=field).json["permissions"] == ALL


@pytest.mark.smoke
def test_figures_are_what_prometheus_reads(locked, stranger, tmp_path):
    """promtool finds nothing wrong with them."""
    owner = Web(stranger.port)
    owner.sign_in("open-sesame")
    assert stranger.request("GET", "/metrics").status == 401
    text = owner.request("GET", "/metrics").body
    assert b"segue_library_items{kind=\"songs\"}" in text and b"process_resident_memory_bytes" in text
    # From the first look on, what MPD clients do is counted and timed.
    mpc(locked, "--host", "open-sesame@127.0.0.1", "version")
    text = owner.request("GET", "/metrics").body
    assert re.search(rb"^segue_commands_total{command=\"password\"} [1-9]", text, re.MULTILINE)
    counted = re.search(rb"^segue_command_seconds_count (\d+)$", text, re.MULTILINE)
    by_name = re.findall(rb"^segue_commands_total{command=\"\w+\"} (\d+)", text, re.MULTILINE)
    assert counted and int(counted[1]) == sum(map(int, by_name)) > 0
    assert re.search(rb"^segue_connections_total{result=\"accepted\"} [1-9]", text, re.MULTILINE)
    if shutil.which("promtool"):
        judged = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, timeout=60)
        assert judged.returncode == 0, judged.stdout + judged.stderr


@contextlib.contextmanager
def prometheus(folder, target):
    """A Prometheus that is configured as docs/install.md says; what it answers to a path of its interface."""
    said = re.search(r"^```yaml\n(scrape_configs:.*?)^```", (ROOT / "docs/install.md").read_text(), re.MULTILINE | re.DOTALL)
    settings = said[1].replace("/etc/prometheus/segue.token", f"{folder}/segue.token")
    settings = re.sub(r"targets: .*", f'targets: ["{target}"]', settings)
    (folder / "prometheus.yml").write_text(
        f"global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: [{ROOT}/contrib/grafana/alerts.yml]\n{settings}")
    port, server = free_port(), Daemon(folder / "prometheus.log")
    server.launch(["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/figures",
                   f"--web.listen-address=127.0.0.1:{port}"], dict(os.environ))

    def answer(path):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as response:
            return json.load(response)["data"]
    try:
        wait_for_port(server, port)
        yield answer
    finally:
        server.kill()


@pytest.mark.skipif(not shutil.which("prometheus"), reason="prometheus is not installed")
def test_prometheus_scrapes_with_a_token_until_it_is_taken_back(locked, stranger, library, tmp_path):
    made = locked.run("token", "--config", locked.configuration, "--permissions", "read", "--name", "prometheus")
    (tmp_path / "segue.token").write_text(made.stdout)
    with prometheus(tmp_path, f"127.0.0.1:{stranger.port}") as answer:
        def figure(query):
            found = answer("/api/v1/query?" + urllib.parse.urlencode({"query": query}))["result"]
            return [float(one["value"][1]) for one in found]
        wait_for(lambda: figure('up{job="segue"}') == [1], 30, "a scrape that succeeds")
        wait_for(lambda: figure('segue_library_items{kind="songs"}') == [len(library[1])], 30, "the number of songs")
        rules = wait_for(lambda: answer("/api/v1/rules")["groups"][0]["rules"], 30, "the alerts")
        wait_for(lambda: all(rule["health"] == "ok" for rule in answer("/api/v1/rules")["groups"][0]["rules"]), 90,
                 "all alerts to be looked at")
        assert len(rules) == 6
        listed = locked.run("token", "--config", locked.configuration, "--list").stdout
        (token,) = [line.split()[0] for line in listed.splitlines() if "prometheus" in line]
        assert locked.run("token", "--config", locked.configuration, "--revoke", token).returncode == 0
        wait_for(lambda: figure('up{job="segue"}') == [0], 30, "a scrape that is refused")


def test_description_for_programs(stranger):
    """It is there without signing in."""
    described = json.loads(stranger.request("GET", "/api/openapi.json").body)
    assert described["openapi"].startswith("3.1") and "/api/status" in described["paths"]


@pytest.mark.smoke
def test_mpds_protocol_by_websocket(locked, stranger):
    """The same greeting, commands and permissions as on MPD's port, also for long answers."""
    assert stranger.socket(protocol="mpd").status == 401
    owner = Web(stranger.port)
    owner.sign_in("open-sesame")

    def answer(page):
        text = b""
        while not text.endswith(b"OK\n") and b"ACK" not in text:
            text += page.receive()[1]
        return text
    wait_for(lambda: owner.get("/api/songs?count=1")["items"], what="the library")
    with owner.socket(protocol="mpd") as page:
        assert page.status == 101 and page.headers["sec-websocket-protocol"] == "mpd"
        assert page.receive()[1].startswith(b"OK MPD 0.24")
        page.send(b"status\n", opcode=2)
        assert b"volume:" in answer(page)
        page.send("command_list_begin\n" + "listallinfo\n" * 300 + "command_list_end\n")
        assert answer(page).count(b"file: ") > 1000
        page.send(b"nonsense\n", opcode=2)
        assert b"ACK [5@0]" in answer(page)


@pytest.mark.smoke
def test_listening_through_the_page(locked, stranger):
    """The stream of an output comes under the page's own address, for those who may."""
    owner = Web(stranger.port)
    owner.sign_in("open-sesame")
    path = owner.get("/api/outputs")["items"][0]["listen"]
    assert path == "/listen/Any%20where"
    assert stranger.request("GET", path).status == 401
    assert owner.request("GET", "/listen/nothing").status == 404
    owner.post("/api/queue", {"folder": "", "play": True})

    def sounds():
        connection = http.client.HTTPConnection("127.0.0.1", stranger.port, timeout=20)
        connection.request("GET", path, headers={"Cookie": owner.cookie})
        response = connection.getresponse()
        first = response.read(4000) if response.status == 200 else b""
        connection.close()
        return len(first) == 4000 and response.headers["content-type"].startswith("audio/")
    wait_for(sounds, 30, "the stream through the page")
    owner.post("/api/player/stop")


@contextlib.contextmanager
def listening(web):
    """The stream of an output, for as long as it is listened to."""
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", "/listen/Any%20where", headers={"Cookie": web.cookie})
        response = connection.getresponse()
        assert response.status == 200
        yield response


def test_a_stream_that_is_listened_to_ends_with_its_session(locked, stranger):
    """It has no more rights than the page that began it; others hear on."""
    owner, phone = Web(stranger.port), Web(stranger.port)
    assert owner.sign_in("open-sesame").status == 200 and phone.sign_in("open-sesame").status == 200
    owner.post("/api/queue", {"folder": "", "play": True})
    wait_for(lambda: owner.request("HEAD", "/listen/Any%20where").status == 200, 30, "the stream")
    with listening(phone) as ended, listening(owner) as stays:
        assert ended.read(1000) and stays.read(1000)
        theirs = [one["id"] for one in phone.get("/api/sessions")["items"] if one["current"]]
        assert owner.request("DELETE", f"/api/sessions/{theirs[0]}").status == 204
        with contextlib.suppress(http.client.IncompleteRead):
            while ended.read(65536):
                pass
        assert stays.read(1000)
    owner.post("/api/player/stop")


def test_status_in_a_terminal(locked, stranger):
    """People see what plays, scripts all of it, also where strangers see nothing; no token is left behind."""
    owner = Web(stranger.port)
    owner.sign_in("open-sesame")
    # Songs that outlast the commands, which show the same one then.
    wait_for(lambda: owner.post("/api/queue", {"folder": "Nora Hale", "replace": True, "play": True}), 30,
             "the library")
    song = wait_for(lambda: owner.get("/api/status")["song"], 30, "a song")
    shown = locked.run("status", "--config", locked.configuration)
    assert shown.returncode == 0, shown.stderr
    assert song["title"] in shown.stdout and "Output Any where: " in shown.stdout
    whole = json.loads(locked.run("status", "--config", locked.configuration, "--json").stdout)
    assert whole["queue"] == owner.get("/api/status")["queue"]
    assert locked.run("token", "--config", locked.configuration, "--list").stdout == ""
    owner.post("/api/player/stop")
    refused = locked.run("status", "--config", locked.folder / "missing.toml")
    assert refused.returncode == 1 and refused.stderr.count("\n") == 1
