"""Attacks by those who may do a little on those who may do more: codes, sessions, and addresses behind a proxy."""
import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.watch import PATIENCE
from harness.web import Web

OWNER, GUEST = "open-sesame", "may I look"
ALL = ["read", "add", "player", "control", "admin"]


@pytest.fixture(scope="module")
def server(library, registry, tmp_path_factory):
    """Segue behind a proxy on this machine, where strangers may do nothing and this machine everything."""
    running = Segue(
        tmp_path_factory.mktemp("sharing") / "segue", registry, local={"music_directory": library[0]},
        web={"listen": [f"127.0.0.1:{free_port()}"], "hosts": ["music.example.org"], "trusted_proxies": ["127.0.0.1"]},
        server={"default_permissions": [], "local_permissions": ALL, "host_permissions": ["127.0.0.1 " + ",".join(ALL)]},
        **{"server.password": [{"password": OWNER, "permissions": ALL}, {"password": GUEST, "permissions": ["read"]}]})
    yield running
    running.kill()


class Forwarded(Web):
    """Someone behind the proxy, who can send it what they like; it writes their address behind all of that."""

    def __init__(self, server, address, said=()):
        super().__init__(int(server.sections["web"]["listen"][0].split(":")[1]))
        self.own_origin = "http://music.example.org"
        self.fields = {"Host": "music.example.org", "X-Forwarded-For": ", ".join([*said, address])}

    def request(self, method, path, body=None, headers=None, timeout=20 * PATIENCE):
        return super().request(method, path, body, {**self.fields, **(headers or {})}, timeout)


@pytest.fixture
def asks(server, target):
    """Makes clients behind the proxy; the watch asks over the socket."""
    target.over_socket = True
    return lambda *where: Forwarded(server, *where)


LIES = ([], ["127.0.0.1"], ["127.0.0.1"] * 900, ["::1", "localhost"], ["192.0.2.1, 127.0.0.1"], [" ", "", ","], ["unknown", "\x80"],
        ["127.0.0.1, " * 1000])


def test_no_client_of_the_proxy_passes_for_this_machine(server, asks):
    assert Web(asks("127.0.0.1").port).request("GET", "/api/settings").status == 200, "this machine itself"
    for said in LIES:
        for address in ("203.0.113.5", "2001:db8::5", "::ffff:203.0.113.5", "203.0.113.5:4711"):
            stranger = asks(address, said)
            assert stranger.request("GET", "/api/status").status == 401, (said, address)
            assert stranger.request("POST", "/api/mpd", [["clear"]]).status in (401, 403), (said, address)
    for nonsense in ("", "unknown", "203.0.113.5,", "999.1.1.1", "127.1", "0x7f000001", "[::1", "127.0.0.1\t1"):
        answer = asks(nonsense, ["127.0.0.1"]).request("GET", "/api/status")
        assert answer.status == 400, (nonsense, answer.status)
    for field in ("Forwarded", "X-Real-IP", "X-Forwarded", "Client-IP", "True-Client-IP"):
        stranger = asks("203.0.113.5")
        stranger.fields[field] = "for=127.0.0.1" if field == "Forwarded" else "127.0.0.1"
        assert stranger.request("GET", "/api/status").status == 401, field


@pytest.mark.smoke
def test_who_guesses_behind_a_proxy_slows_down_no_other(server, asks):
    guessing = asks("203.0.113.66")
    statuses = {guessing.sign_in(f"guess {number}").status for number in range(8)}
    assert 200 not in statuses
    assert "203.0.113.66" in server.log
    owner = asks("203.0.113.7")
    assert owner.sign_in(OWNER).status == 200
    assert owner.request("GET", "/api/settings").status == 200
    assert guessing.sign_in(OWNER).status != 200, "the one who guessed has to wait, also with the right one"


def test_a_guest_signs_out_nobody_and_takes_nobodys_codes(asks):
    owner = asks("203.0.113.7")
    assert owner.sign_in(OWNER).status == 200
    shown = owner.post("/api/pair", {"permissions": ["read"]})["code"]
    guest = asks("203.0.113.20")
    assert guest.sign_in(GUEST).status == 200
    let_in = 0
    for number in range(120):
        answer = guest.request("POST", "/api/pair", {"permissions": ["read", "admin"] if number % 2 else ["read"]})
        if answer.status == 200 and answer.json.get("code"):
            friend = asks(f"198.51.100.{number}")
            let_in += friend.request("POST", "/api/pair", {"code": answer.json["code"], "device": "x" * 500}).status == 200
    assert let_in > 16
    assert owner.request("GET", "/api/settings").status == 200
    assert len(owner.get("/api/sessions")["items"]) <= 40
    phone = asks("203.0.113.8")
    assert phone.request("POST", "/api/pair", {"code": shown, "device": "phone"}).status == 200, "the owner's code is still good"
