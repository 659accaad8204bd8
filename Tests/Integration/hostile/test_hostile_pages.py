"""Attacks over HTTP: other websites, wrong passwords, requests that are too large, too slow or no requests at all."""
import concurrent.futures
import contextlib
import json
import random
import socket
import time

import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE
from harness.web import Socket, Web

PASSWORD = "open-sesame"


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue with a page where strangers may only look, and a password for the rest."""
    running = Segue(
        tmp_path_factory.mktemp("pages") / "segue", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"]}, server={
            "default_permissions": ["read"], "local_permissions": ["read", "add", "player", "control", "admin"]},
        **{"server.password": [{"password": PASSWORD, "permissions": ["read", "add", "player", "control", "admin"]}]})
    yield running
    running.kill()


@pytest.fixture
def web(server, target):
    """A stranger's script; the watch, whose server lets no client do much over the network, asks over the socket."""
    target.over_socket = True
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


def connect(web):
    """A connection that says nothing yet."""
    return socket.create_connection(("127.0.0.1", web.port), timeout=30 * PATIENCE)


def ask(web, request):
    """What is answered to bytes until the server ends the connection, as it does behind what is no request."""
    with connect(web) as client:
        answer = b""
        with contextlib.suppress(ConnectionError):
            client.sendall(request)
        with contextlib.suppress(ConnectionError):
            while part := client.recv(65536):
                answer += part
        return answer


def sentence(answer, status):
    """The sentence of a refusal that came as bytes."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), (status, answer)
    assert b"content-type: application/json" in head.lower(), head
    return json.loads(body)["error"]["message"]


def is_well(web):
    """Whether an ordinary request is answered."""
    return web.request("GET", "/api/status", timeout=10 * PATIENCE).status == 200


@pytest.mark.smoke
def test_foreign_names(web):
    """A name that a stranger may own is refused, whatever is asked."""
    for host in ("evil.example", "evil.example:6610", "127.0.0.1.evil.example", "localhost.", "a@127.0.0.1", "", "\x7f"):
        for path in ("/", "/api/status", "/healthz", "/api/socket"):
            assert web.request("GET", path, headers={"Host": host}).status in (400, 421), (host, path)
    assert b" 400 " in ask(web, b"GET / HTTP/1.1\r\n\r\n")
    assert b" 400 " in ask(web, b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n")
    assert is_well(web)


@pytest.mark.smoke
def test_other_websites(web):
    """A page of another website can change nothing, with or without the user's session."""
    signed_in = Web(web.port)
    assert signed_in.sign_in(PASSWORD).status == 200
    cookie = signed_in.cookie
    for origin in ("http://evil.example", "https://127.0.0.1.evil.example", "null", f"http://127.0.0.1:{web.port + 1}",
                   "http://127.0.0.1", f"http://localhost:{web.port}", "file://"):
        for headers in ({"Origin": origin}, {"Origin": origin, "Cookie": cookie}):
            for method, path in (("POST", "/api/player/next"), ("POST", "/api/mpd"), ("DELETE", "/api/queue"),
                                 ("PUT", "/api/songs/1/star"), ("POST", "/api/session")):
                assert web.request(method, path, {}, headers).status == 403, (origin, path)
        assert Socket(web.port, origin=origin, cookie=cookie).status == 403
    assert web.request("POST", "/api/player/next", {}, {"Cookie": cookie}).status == 403
    assert web.request("OPTIONS", "/api/mpd", None, {
        "Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    ).headers["access-control-allow-origin"] is None
    answer = web.request("GET", "/api/status", headers={"Origin": "http://evil.example", "Cookie": cookie})
    assert answer.headers["access-control-allow-origin"] is None
    assert signed_in.request("GET", "/api/settings").status == 200


def test_forms(web):
    """What a form can send is refused before it is read."""
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "", "application/json2"):
        answer = web.request("POST", "/api/mpd", b'[["clear"]]', {"Content-Type": kind})
        assert answer.status == 415, kind
    assert is_well(web)


def test_strangers_look_and_nothing_else(web):
    """Without a password nothing can be changed, by any of the ways; the answer says what is missing."""
    for method, path, body in (
            ("POST", "/api/player/next", {}), ("POST", "/api/queue", {"folder": ""}), ("DELETE", "/api/queue", {"all": True}),
            ("PATCH", "/api/outputs/0", {"enabled": False}), ("PUT", "/api/songs/1/star", {"starred": True}),
            ("POST", "/api/partitions", {"name": "x"}), ("GET", "/api/settings", None), ("GET", "/api/sessions", None),
            ("PUT", "/api/settings", {"server.log_level": "critical"}), ("POST", "/api/sync", {}),
            ("POST", "/api/mpd", [["setvol", "3"]]), ("POST", "/api/mpd", [["kill"]])):
        answer = web.request(method, path, body)
        assert answer.status in (401, 403), (path, answer.status)
        assert answer.error["permission"] in ("add", "player", "control", "admin"), path
    with web.socket() as page:
        page.message()
        assert page.call(["clear"])["error"]["code"] == 4


def test_wrong_passwords(web, server):
    """Few can be tried, each takes its time, and meanwhile others are not kept waiting."""
    start = time.monotonic()
    assert web.request("POST", "/api/session", {"password": "x"}).status == 401
    assert time.monotonic() - start > 0.9
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        tried = [pool.submit(web.request, "POST", "/api/session", {"password": str(number)}, None, 60 * PATIENCE)
                 for number in range(24)]
        assert is_well(web) and not all(future.done() for future in tried)
        assert {future.result().status for future in tried} == {401}
    for value in ("Bearer x", "Bearer " + "y" * 5000, "Basic !!!", "Basic " + "eDp4", "Digest x", "Bearer"):
        answer = web.request("GET", "/api/status", headers={"Authorization": value}, timeout=60 * PATIENCE)
        assert answer.status in (401, 431), value
    assert web.request("POST", "/api/session", {"password": "x" * 100_000}).status == 413
    for body in ({"password": ["x"]}, {"password": None}, {}, {"password": "x" * 3_000}):
        assert web.request("POST", "/api/session", body).status == 400


def test_sessions_end(web, server):
    """A session is worth nothing after its end, and no file holds its secret."""
    other = Web(web.port)
    assert other.sign_in(PASSWORD).status == 200
    secret = other.cookie.split("=")[1]
    assert other.request("GET", "/api/settings").status == 200
    kept = (server.folder / "state" / "web-sessions.json")
    assert secret not in kept.read_text() and kept.stat().st_mode & 0o077 == 0
    assert other.request("DELETE", "/api/session").status == 204
    assert other.request("GET", "/api/settings").status == 401
    assert web.request("GET", "/api/settings", headers={"Cookie": "segue-1=" + secret}).status == 401


@pytest.mark.smoke
def test_no_requests_at_all(web):
    """Whatever bytes come, the connection ends or gets an error, and others are served."""
    noise = random.Random(3).randbytes(20_000)
    starts = [b"", b"\x16\x03\x01\x02\x00", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"status\nlistall\n",
              b"GET http://evil/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
              b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n",
              b"GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
              b"GET /api/songs?start=99999999999999999999 HTTP/1.1\r\nHost: localhost\r\n\r\n",
              b"GET /api/songs?start=-1&count=1e9 HTTP/1.1\r\nHost: localhost\r\n\r\n"]
    head = b"POST /api/mpd HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    for body in (b"zz\r\n", b"ffffffffffffffffffff\r\n", b"2\r\n[]xx\r\n", b"-1\r\n\r\n"):
        assert "body" in sentence(ask(web, head + body), 400), body
    assert "HTTP/1.1" in sentence(ask(web, b"nonsense\r\n\r\n"), 400)
    # What follows a whole request is no reason to leave it unanswered.
    songs = ask(web, b"GET /api/songs HTTP/1.1\r\nHost: localhost\r\n\r\n\xff\xff\xff\r\n")
    assert songs.startswith(b"HTTP/1.1 200 ")
    for start in starts:
        answer = ask(web, start + noise)
        assert b" 200 " not in answer[:15] and b" 204 " not in answer[:15], start
    assert is_well(web)


def test_too_large(web):
    """Bodies, headers and addresses have limits, and the answer names them."""
    assert web.request("POST", "/api/mpd", b"[" + b" " * (2 << 20) + b"]").status == 413
    head = b"POST /api/mpd HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    assert b" 413 " in ask(web, head + b"Content-Length: 99999999999\r\n\r\n")
    assert web.request("GET", "/api/songs?q=" + "x" * 5000).status in (414, 431)
    assert b" 431 " in ask(web, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n")
    assert b" 200 " not in ask(web, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 50_000)
    chunks = head + b"Transfer-Encoding: chunked\r\n\r\n"
    assert b" 413 " in ask(web, chunks + (b"10000\r\n" + b"[" * 65536 + b"\r\n") * 20)
    assert web.request("POST", "/api/mpd", b"[" * 900_000).status == 400
    assert web.request("POST", "/api/mpd", [["ping"]] * 20_000).status == 413
    assert web.request("GET", "/api/" + "a/" * 1500).status in (404, 414)
    assert is_well(web)


def test_too_slow(web):
    """Those who dawdle over a request are told so and disconnected, and take no other's place meanwhile."""
    slow = [connect(web) for _ in range(40)]
    for number, client in enumerate(slow):
        client.sendall([b"", b"GET / HT", b"POST /api/mpd HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        b"Content-Length: 100\r\n\r\n["][number % 3])
    assert is_well(web)
    for number, client in enumerate(slow):
        client.settimeout(30 * PATIENCE)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while part := client.recv(65536):
                answer += part
        client.close()
        # One who has said nothing has asked for nothing.
        assert answer == b"" if number % 3 == 0 else "15 seconds" in sentence(answer, 408)
    assert is_well(web)


def test_too_many(web):
    """One address has so many connections and no more; when they are gone it is let in again."""
    many = [connect(web) for _ in range(100)]
    with contextlib.suppress(ConnectionError):
        assert many[-1].recv(100) == b"", "so many connections are not allowed"
    for client in many:
        client.close()
    wait_for(lambda: is_well(web), 10 * PATIENCE, "a place")


def test_sockets_that_never_read(web, server):
    """Pages that sleep cost the same however much happens meanwhile."""
    sleeping = []
    for number in range(40):
        page = web.socket() if number % 2 else None
        if page is None:
            client = connect(web)
            client.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            sleeping.append(client)
        else:
            sleeping.append(page.connection)
    client = server.client()
    client.password(PASSWORD)
    client.add("/")
    for step in range(1500):
        client.setvol(step % 100)
    client.clear()
    client.setvol(100)
    assert is_well(web)
    for connection in sleeping:
        connection.close()


def test_sockets_that_ping_and_never_read(web, target):
    """A page that is deaf and pings costs the same however many pings it sends; so does one that keeps saying goodbye."""
    ping, goodbye = b"\x89\xfd\0\0\0\0" + b"x" * 125, b"\x88\x82\0\0\0\0\x03\xe8"
    sockets = [web.socket() for _ in range(2)]
    before = target.peak_memory()
    for page, frame in zip(sockets, (ping, goodbye)):
        page.connection.settimeout(20 * PATIENCE)
        with contextlib.suppress(ConnectionError):
            for _ in range(600):
                page.connection.sendall(frame * 500)
    assert is_well(web)
    assert target.peak_memory() < before + 40
    for page in sockets:
        page.close()


def test_frames_that_are_none(web):
    """Frames that are too large, unmasked or senseless end their own socket only: see `HostileRequestTests.swift`."""
    too_large, half_a_ping = b"\x81\xff" + b"\xff" * 8, b"\x09\xfe\x01\x00"
    for attack in (b"\x81\xfe\xff\xff", too_large, b"\x81\x05hello", b"\xf1\x80....", b"\x83\x80....", half_a_ping,
                   random.Random(5).randbytes(3000)):
        with web.socket() as page:
            page.message()
            page.connection.sendall(attack)
            page.connection.settimeout(20 * PATIENCE)
            with contextlib.suppress(ConnectionError):
                while attack in (too_large, half_a_ping) and page.connection.recv(65536):
                    pass
            assert is_well(web)
    with web.socket() as page:
        page.message()
        with contextlib.suppress(OSError):
            for _ in range(5000):
                page.send("[" * 1000, final=False, opcode=1)
    with web.socket() as page:
        page.message()
        # Until no more can be sent, as the answers are not read.
        page.connection.setblocking(False)
        with contextlib.suppress(OSError):
            for _ in range(2000):
                page.send({"id": 1, "mpd": [["listallinfo"]]})
    assert is_well(web)


def test_random_json(web):
    """No body, however odd, is more than a refusal."""
    rng, signed_in = random.Random(9), Web(web.port)
    assert signed_in.sign_in(PASSWORD).status == 200

    def value(depth=0):
        kinds = [None, True, -1, 0, 1e308, 2**63, -2.5, "", "x" * 300, "\0\n", "next", "end", "../..", "é\u202e", [], {}]
        if depth < 3 and rng.random() < 0.4:
            return [value(depth + 1) for _ in range(rng.randrange(4))]
        return rng.choice(kinds)
    fields = ["uris", "songs", "album", "artist", "playlist", "station", "genre", "folder", "position", "replace", "play",
              "ids", "to", "by", "version", "starred", "rating", "enabled", "volume", "attributes", "partition", "name"]
    paths = [("POST", "/api/queue"), ("PATCH", "/api/queue"), ("DELETE", "/api/queue"), ("POST", "/api/player/seek"),
             ("POST", "/api/player/volume"), ("POST", "/api/player/options"), ("POST", "/api/player/play"),
             ("PATCH", "/api/outputs/0"), ("PUT", "/api/songs/1/rating"), ("PUT", "/api/songs/1/star"), ("POST", "/api/mpd")]
    for _ in range(300):
        method, path = rng.choice(paths)
        body = {field: value() for field in rng.sample(fields, 4)} if rng.random() < 0.9 else value()
        answer = signed_in.request(method, path, json.dumps(body).encode())
        assert answer.status in (200, 204, 400, 404, 409, 413, 503), (method, path, body, answer.body)
        assert answer.status != 503 or "Internal" not in answer.body.decode(), (path, body)
    assert is_well(web)


def test_names_of_a_megabyte_sign_nobody_out(web, server, target):
    """A device's name of one letter with many accents is cut, or refused where it is longer than a password needs: the
    file of sessions stays small and readable."""
    other, name = Web(web.port), "e" + "\u0301" * 1_900
    assert other.sign_in(PASSWORD).status == 200
    longer = json.dumps({"password": PASSWORD, "device": "e" + "\u0301" * 200_000}, ensure_ascii=False).encode()
    assert web.request("POST", "/api/session", longer, timeout=20 * PATIENCE).status == 413
    for _ in range(12):
        body = json.dumps({"password": PASSWORD, "device": name}, ensure_ascii=False).encode()
        assert web.request("POST", "/api/session", body, timeout=20 * PATIENCE).status == 200
    assert max(len(item["name"].encode()) for item in other.get("/api/sessions")["items"]) <= 240
    assert (server.folder / "state" / "web-sessions.json").stat().st_size < 200_000
    target.begin_again()
    assert other.request("GET", "/api/settings").status == 200
