"""Attacks by Snapcast servers: garbage and lies over their control port, and a port for sound that takes none."""
import contextlib
import json
import time

import pytest
from harness.raw_server import RawServer
from harness.segue import Segue


class FakeSnapcast:
    """The two ports of a Snapcast server; a test decides what the port for control says."""

    def __init__(self):
        self.talk = None
        """Takes the connection and its reader of lines."""
        self.control = RawServer(self._control)
        self.source = RawServer(self._source)
        self.takes_sound = True

    def _control(self, connection):
        lines = connection.makefile("rb")
        while self.talk is None:
            if not lines.readline():
                return
        self.talk(connection, lines)

    def _source(self, connection):
        while not self.source.closing.is_set():
            if self.takes_sound:
                if not connection.recv(65536):
                    return
            else:
                time.sleep(0.05)

    def close(self):
        """Closes both."""
        self.control.close()
        self.source.close()


@pytest.fixture(scope="module")
def snapcast():
    """A Snapcast server."""
    made = FakeSnapcast()
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(snapcast, library, registry, tmp_path_factory):
    """Segue whose sound goes to that server and nowhere."""
    running = Segue(tmp_path_factory.mktemp("rooms"), registry, local={"music_directory": library[0]}, output=[
        {"type": "snapcast", "name": "House", "host": "127.0.0.1", "port": snapcast.source.port,
         "control_port": snapcast.control.port}, {"type": "null", "name": "Nothing"}])
    yield running
    running.kill()


@pytest.fixture
def say(snapcast, target):
    """Has the server talk in some way while Segue plays, and asks for the outputs."""
    def run(talk, seconds=2.0):
        target.ask(b"clear", b"add /", b"repeat 1", b"play 3")
        snapcast.talk = talk
        # A connection that listens to what was said before begins anew.
        target.begin_again()
        target.restarts = False
        target.ask(b"play")
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in target.lines(b"outputs"):
                line.decode("utf-8")
                assert line == b"OK" or b": " in line, line
            target.ask(b"outputset 1 volume 40", b"outputset 2 volume 40", b"toggleoutput 1", b"toggleoutput 1")
            time.sleep(0.2)
        snapcast.talk = quiet
        target.ask(b"stop")
    yield run
    snapcast.talk = quiet
    snapcast.takes_sound = True


def quiet(_, lines):
    """Answers nothing."""
    while lines.readline():
        pass


def client(name="kitchen", percent=50, **more):
    """A client as the server describes it."""
    return {
    "id": name,
    "connected": True,
    "host": {
        "name": name,
        "mac": "",
        "ip": "",
        "os": "",
        "arch": ""},
        "config": {
            "name": name,
            "latency": 0,
            "instance": 1,
            "volume": {
                "percent": percent,
                "muted": False}},
                 **more}


def status(clients, groups=None):
    """The server's state as Segue asks for it."""
    groups = groups or [{"id": "g", "name": "All", "muted": False, "stream_id": "Segue", "clients": clients}]
    return {"server": {"groups": groups, "streams": [{"id": "Segue", "status": "playing"}], "server": {}}}


def answering(make):
    """Answers each request by what `make` gives: an object, or bytes as they are."""
    def talk(connection, lines):
        while line := lines.readline():
            made = make(json.loads(line))
            connection.sendall(made if isinstance(made, bytes) else json.dumps(made).encode() + b"\r\n")
    return talk


def result(value):
    """Answers each request with the same result."""
    return answering(lambda request: {"id": request["id"], "jsonrpc": "2.0", "result": value})


@pytest.mark.parametrize("percent", [2 ** 63 - 1, -2 ** 63, 10 ** 30,
                         1e308, -1, "50", None, [], 0.5, True, 101], ids=repr)
def test_volumes(say, percent):
    say(result(status([client(f"c{number}", percent) for number in range(4)])))


@pytest.mark.parametrize("latency", [2 ** 63 - 1, -2 ** 63, 10 ** 30, 1e308, "50", None, [], 0.5, 10_001], ids=repr)
def test_latencies(say, target, latency):
    def made(name):
        one = client(name)
        one["config"]["latency"] = latency
        return one
    say(result(status([made("a"), made("b")])))


def test_a_latency_that_is_set_goes_out_alone(snapcast, target, say):
    asked = []

    def make(request):
        asked.append(request)
        return {"id": request["id"], "jsonrpc": "2.0", "result": status([client("a"), client("b")])}

    def talk(connection, lines):
        answering(make)(connection, lines)
    snapcast.talk = talk
    target.begin_again()
    target.restarts = False
    end = time.monotonic() + 20
    while not any(one["method"] == "Client.SetLatency" for one in asked) and time.monotonic() < end:
        target.ask(b"outputset 2 latency 20000", b"outputset 2 latency x", b"outputset 2 latency 120")
        time.sleep(0.1)
    sent = [one["params"] for one in asked if one["method"] == "Client.SetLatency"]
    assert sent and all(one == {"id": "a", "latency": 120} for one in sent), sent
    assert not any(one["method"] == "Client.SetVolume" for one in asked)


TEXTS = {
    "feeds": "a\nOK\noutputid: 0",
    "escapes": "\x1b[2J\x9b31m",
    "null": "a\0b",
    "long": "x" * 500_000,
    "empty": "",
    "accents": "e" + "\u0301" * 3000,
    "surrogate": "\ud800",
    "path": "../../etc/passwd",
    "quotes": '"\\"',
     "spaces": "   "}


@pytest.mark.parametrize("text", TEXTS)
def test_names(say, text):
    made = TEXTS[text]
    groups = [{"id": made, "name": made, "muted": False,
        "stream_id": made, "clients": [client(made), client(made + "2")]}]
    say(result(status([], groups)))


def test_thousands_of_clients(say):
    say(result(status([client(f"c{number}") for number in range(20_000)])), seconds=3)


def test_one_client_in_all_groups(say):
    say(result(status([], [{"id": "g", "name": "g", "muted": False,
        "stream_id": "s", "clients": [client()] * 40}] * 200)))


LINES = { "no JSON": b"\xff\xfe\0garbage\r\n",
    "deep": b"[" * 300_000 + b"]" * 300_000 + b"\r\n",
    "objects": b'{"a":' * 200_000 + b"\r\n",
    "array": b"[1,2,3]\r\n",
    "null": b"null\r\n",
    "huge id": b'{"id":99999999999999999999999,"jsonrpc":"2.0","result":{}}\r\n',
    "negative id": b'{"id":-9223372036854775808,"jsonrpc":"2.0","result":"x"}\r\n',
    "empty lines": b"\r\n" * 100_000,
    "error": b'{"id":1,"jsonrpc":"2.0","error":{"code":1e308,"message":"\\u001b[2J' + b"x" * 100_000 + b'"}}\r\n',
    "types": b'{"id":"1","method":7,"params":[{}],"result":[]}\r\n',
    "BOM": b"\xef\xbb\xbf{}\r\n",
    "batch": b"[" + b",".join([b'{"jsonrpc":"2.0","method":"Server.OnUpdate","params":{}}'] * 5000) + b"]\r\n",
    "HTTP": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
     }


@pytest.mark.parametrize("name", LINES)
def test_lines(say, name):
    say(answering(lambda _: LINES[name]), seconds=1.2)


def test_lines_without_end(say):
    def talk(connection, lines):
        lines.readline()
        while True:
            connection.sendall(b"x" * 65536)
    say(talk, seconds=3)


def test_news_without_end(say):
    update = json.dumps({"jsonrpc": "2.0", "method": "Server.OnUpdate",
                        "params": status([client("a", 1), client("b", 99)])})
    other = json.dumps({"jsonrpc": "2.0", "method": "Client.OnVolumeChanged", "params": {
        "id": "a", "volume": {"percent": 2 ** 62, "muted": True}}})

    def talk(connection, lines):
        line = lines.readline()
        connection.sendall(json.dumps({"id": json.loads(line)["id"], "result": status(
            [client("a"), client("b")])}).encode() + b"\n")
        while True:
            connection.sendall((update + "\r\n" + other + "\r\n").encode() * 50)
    say(talk, seconds=3)


def test_a_volume_that_two_sides_set_in_turn(say):
    """The server takes back every change at once, which must not become a loop as fast as it goes."""
    asked = []

    def make(request):
        asked.append(request)
        here = {"id": request["id"], "jsonrpc": "2.0", "result": status([client("a", 7), client("b", 8)])}
        news = {"jsonrpc": "2.0", "method": "Client.OnVolumeChanged", "params": {
            "id": "a", "volume": {"percent": len(asked) % 100, "muted": False}}}
        return (json.dumps(here) + "\r\n" + json.dumps(news) + "\r\n").encode()
    say(answering(make), seconds=2)
    assert len(asked) < 500, f"{len(asked)} requests"


def test_connections_that_are_hung_up_at_once(say, snapcast):
    before = snapcast.control.connections
    say(lambda connection, lines: None, seconds=3)
    assert snapcast.control.connections - before < 20, "Segue connects again without a pause"


def test_a_port_for_sound_that_takes_none(say, snapcast, target):
    snapcast.takes_sound = False
    say(result(status([client("a")])), seconds=3)
    assert b"state: " in b"".join(target.lines(b"status"))


def test_answers_that_drip(say, snapcast):
    def talk(connection, lines):
        lines.readline()
        with contextlib.suppress(OSError):
            while not snapcast.control.closing.wait(0.05):
                connection.sendall(b"{")
    say(talk)


def test_garbage_on_the_port_for_sound(target, snapcast):
    def push(connection):
        with contextlib.suppress(OSError):
            while not snapcast.source.closing.is_set():
                connection.sendall(b"\xff" * 65536)
    honest, snapcast.source.handler = snapcast.source.handler, push
    target.begin_again()
    target.restarts = False
    target.ask(b"clear", b"add /", b"play 3")
    time.sleep(2)
    snapcast.source.handler = honest
