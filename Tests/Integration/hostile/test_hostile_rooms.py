"""Attacks by Snapcast servers: garbage and lies over their control port, and a port for sound that takes none.

What such a server can say is a table in `HostileSnapcastTests.swift`; here are the most different of these attacks, on
the whole program, and those that need real connections.
"""
import contextlib
import itertools
import json
import threading
import time

import pytest
from harness.raw_server import RawServer
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE, waiting_bytes

MARKER = json.dumps({"jsonrpc": "2.0", "method": "Client.OnConnect", "params": {"id": "x"}}).encode() + b"\r\n"
"""News after which Segue asks for the server's state: when it does, it has heard all that was said before."""


class FakeSnapcast:
    """The two ports of a Snapcast server. What a test has it say goes over one connection to the port for control; over
    all others it is honest, and has one client."""

    def __init__(self):
        self.talk = None
        """What to say over the next connection; takes the connection and its reader of lines, and returns when all was
        heard."""
        self.heard, self.may_hang_up = threading.Event(), threading.Event()
        self.client_name = "honest"
        self.took_sound = threading.Event()
        self.times = []
        """When each connection was made."""
        self.current = None
        """The honest connection, or the one that is attacked over."""
        self.control = RawServer(self._control)
        self.source = RawServer(self.take_sound)

    def _control(self, connection):
        self.times.append(time.monotonic())
        # A test that waits in vain says so before.
        connection.settimeout(120 * PATIENCE)
        lines = connection.makefile("rb")
        talk, self.talk, self.current = self.talk, None, connection
        if talk is None:
            return honest(lambda: status([client(self.client_name)]))(connection, lines)
        try:
            with contextlib.suppress(OSError, ValueError):
                talk(connection, lines)
        finally:
            self.heard.set()
        self.may_hang_up.wait(60 * PATIENCE)
        self.hang_up()

    def take_sound(self, connection):
        """Reads all that is played."""
        while connection.recv(65536):
            self.took_sound.set()

    def hang_up(self):
        """Ends the connection, for Segue to make another one."""
        with contextlib.suppress(OSError, AttributeError):
            self.current.shutdown(2)

    def close(self):
        """Closes both ports."""
        self.may_hang_up.set()
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


@pytest.fixture(scope="module")
def songs_before(library):
    """All songs."""
    return len(library[1])


def outputs(target):
    """The ids of all outputs by name; what is said of them is lines of text."""
    found, number = {}, None
    for line in target.lines(b"outputs"):
        line.decode("utf-8")
        assert line == b"OK" or b": " in line, line
        name, _, value = line.partition(b": ")
        if name == b"outputid":
            number = value
        elif name == b"outputname":
            found[value] = number
    return found


NUMBERS = itertools.count()


@pytest.fixture
def say(snapcast, target):
    """Has the server talk in some way while Segue plays, uses the outputs when all was heard, and has it be honest
    again: its client is an output then."""
    def run(talk, meanwhile=lambda: None):
        playing = [b"clear", b"add /", b"repeat 1", b"play 3"]
        assert target.ask(*playing) == [b"OK"] * len(playing)
        snapcast.heard.clear()
        snapcast.may_hang_up.clear()
        snapcast.client_name = f"honest {next(NUMBERS)}"
        snapcast.talk = talk
        snapcast.hang_up()
        try:
            wait_for(snapcast.heard.is_set, 30 * PATIENCE, "the end of the attack")
            meanwhile()
            for number in sorted(outputs(target).values())[:6]:
                target.ask(b"outputset %s volume 40" % number)
                if number > b"1":
                    target.ask(b"toggleoutput " + number, b"toggleoutput " + number)
        finally:
            snapcast.may_hang_up.set()
        honest_client(snapcast, target)
    yield run
    target.ask(b"stop")


def honest_client(snapcast, target):
    """Waits until the honest server's client is an output."""
    wait_for(lambda: snapcast.client_name.encode() in outputs(target), 20 * PATIENCE, "the honest server's client")


def client(name="kitchen", percent=50, latency=0):
    """A client as the server describes it."""
    return {"id": name, "connected": True, "host": {"name": name, "mac": "", "ip": "", "os": "", "arch": ""},
            "config": {"name": name, "latency": latency, "instance": 1, "volume": {"percent": percent, "muted": False}}}


def status(clients, groups=None):
    """The server's state as Segue asks for it."""
    groups = groups or [{"id": "g", "name": "All", "muted": False, "stream_id": "Segue", "clients": clients}]
    return {"server": {"groups": groups, "streams": [{"id": "Segue", "status": "playing"}], "server": {}}}


def line_of(value):
    """A message."""
    return json.dumps(value).encode() + b"\r\n"


def honest(made):
    """Answers each request by the same result, for as long as Segue asks."""
    def talk(connection, lines):
        while line := lines.readline():
            connection.sendall(line_of({"id": json.loads(line)["id"], "jsonrpc": "2.0", "result": made()}))
    return talk


def answering(make):
    """Answers requests by what `make` gives, until Segue has heard the first answer, or hangs up."""
    def talk(connection, lines):
        line = lines.readline()
        connection.sendall(make(json.loads(line)) + MARKER)
        while line := lines.readline():
            connection.sendall(make(json.loads(line)))
            if json.loads(line)["method"] == "Server.GetStatus":
                return
    return talk


def result(value):
    """Answers requests with the same result."""
    return answering(lambda request: line_of({"id": request["id"], "jsonrpc": "2.0", "result": value}))


@pytest.mark.parametrize("percent", [1e308, -2 ** 63, "50"], ids=repr)
def test_volumes(say, percent):
    say(result(status([client(f"c{number}", percent) for number in range(4)])))


@pytest.mark.parametrize("latency", [10 ** 30, []], ids=repr)
def test_latencies(say, latency):
    say(result(status([client("a", latency=latency), client("b", latency=latency)])))


def test_a_latency_that_is_set_goes_out_alone(snapcast, target, say):
    asked = []

    def talk(connection, lines):
        while line := lines.readline():
            asked.append(json.loads(line))
            connection.sendall(line_of({"id": asked[-1]["id"], "result": status([client("a"), client("b")])}))
            if asked[-1]["method"] == "Client.SetLatency":
                return

    def set_latency():
        number = outputs(target)[b"a"]
        target.ask(b"outputset %s latency 20000" % number, b"outputset %s latency x" % number,
                   b"outputset %s latency 120" % number)
        return snapcast.heard.is_set()
    snapcast.talk = talk
    snapcast.heard.clear()
    snapcast.hang_up()
    wait_for(set_latency, 20 * PATIENCE, "a request that sets the latency")
    sent = [one["params"] for one in asked if one["method"] == "Client.SetLatency"]
    assert sent and all(one == {"id": "a", "latency": 120} for one in sent), sent
    assert not any(one["method"] == "Client.SetVolume" for one in asked)
    snapcast.may_hang_up.set()
    honest_client(snapcast, target)


TEXTS = {
    "feeds": "a\nOK\noutputid: 0", "escapes": "\x1b[2J\x9b31m", "long": "x" * 300_000, "surrogate": "\ud800",
}


@pytest.mark.parametrize("text", [
    pytest.param(name, marks=pytest.mark.smoke) if name == "feeds" else name for name in TEXTS])
def test_names(say, text):
    made = TEXTS[text]
    say(result(status([], [{"id": made, "name": made, "muted": False, "stream_id": made,
                            "clients": [client(made), client(made + "2")]}])))


def test_thousands_of_clients(say):
    say(result(status([client(f"c{number}") for number in range(15_000)])))


def test_one_client_in_all_groups(say):
    group = {"id": "g", "name": "g", "muted": False, "stream_id": "s", "clients": [client()] * 40}
    say(result(status([], [group] * 200)))


LINES = {
    "deep": b"[" * 300_000 + b"]" * 300_000 + b"\r\n",
    "no JSON": b"\xff\xfe\0garbage\r\n",
    "huge id": b'{"id":99999999999999999999999,"jsonrpc":"2.0","result":{}}\r\n',
    "error": b'{"id":null,"jsonrpc":"2.0","error":{"code":1e308,"message":"\\u001b[2J' + b"x" * 100_000 + b'"}}\r\n',
    "HTTP": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
}


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.smoke) if name == "deep" else name for name in LINES])
def test_lines(say, name):
    say(answering(lambda _: LINES[name]))


@pytest.mark.smoke
def test_lines_without_end(say):
    """Segue hangs up, which ends the attack."""
    def talk(connection, lines):
        lines.readline()
        while True:
            connection.sendall(b"x" * 65536)
    say(talk)


def test_thousands_of_news(say):
    update = {"jsonrpc": "2.0", "method": "Server.OnUpdate", "params": status([client("a", 1), client("b", 99)])}
    other = {"jsonrpc": "2.0", "method": "Client.OnVolumeChanged", "params": {
        "id": "a", "volume": {"percent": 2 ** 62, "muted": True}}}

    def make(request):
        here = {"id": request["id"], "result": status([client("a"), client("b")])}
        return line_of(here) + (line_of(update) + line_of(other)) * 1500
    say(answering(make))


def test_a_volume_that_two_sides_set_in_turn(say, snapcast, target):
    """The server takes back every change at once, which must not become a loop as fast as it goes."""
    asked = []

    def talk(connection, lines):
        with contextlib.suppress(OSError, ValueError):
            while line := lines.readline():
                asked.append(json.loads(line))
                here = {"id": asked[-1]["id"], "result": status([client("a", 7), client("b", 8)])}
                news = {"jsonrpc": "2.0", "method": "Client.OnVolumeChanged", "params": {
                    "id": "a", "volume": {"percent": len(asked) % 100, "muted": False}}}
                connection.sendall(line_of(here) + line_of(news))

    def count(method):
        return sum(one["method"] == method for one in asked)

    def set_volumes():
        number = wait_for(lambda: outputs(target)[b"a"], 20 * PATIENCE, "the client")
        for _ in range(10):
            assert target.ask(b"outputset %s volume 30" % number, b"outputset %s volume 60" % number) == [b"OK"] * 2
        for _ in range(5):
            before = count("Server.GetStatus")
            snapcast.current.sendall(MARKER)
            wait_for(lambda: count("Server.GetStatus") > before, 20 * PATIENCE, "a request for the state")
        assert 1 <= count("Client.SetVolume") <= 20, f"{count('Client.SetVolume')} requests for 20 changes"
    say(lambda connection, lines: threading.Thread(target=talk, args=(connection, lines), daemon=True).start(),
        meanwhile=set_volumes)


def test_connections_that_are_hung_up_at_once(snapcast, target):
    """Segue doesn't connect again without a pause, each of which is longer than the one before."""
    begin = len(snapcast.times)

    def refuse(*_):
        if len(snapcast.times) < begin + 2:
            snapcast.talk = refuse
    snapcast.talk = refuse
    snapcast.may_hang_up.set()
    snapcast.hang_up()
    wait_for(lambda: len(snapcast.times) >= begin + 3, 20 * PATIENCE, "three connections")
    first, second, third = snapcast.times[begin:begin + 3]
    # They are a second and two; each is seen a little late.
    assert second - first > 0.5 and third - second > 1, snapcast.times[begin:]
    honest_client(snapcast, target)


def test_a_port_for_sound_that_takes_none(say, snapcast, target):
    full, may_go_on = threading.Event(), threading.Event()

    def refuse(connection):
        before, now = 0, 1
        while before != now or now < 4096:
            before = now
            snapcast.source.closing.wait(0.3)
            now = waiting_bytes(connection)
        full.set()
        may_go_on.wait(60 * PATIENCE)
    snapcast.source.handler = refuse
    target.ask(b"disableoutput 0", b"enableoutput 0")
    try:
        say(result(status([client("a")])), meanwhile=lambda: wait_for(full.is_set, 60 * PATIENCE, "a full port"))
        assert b"state: " in b"".join(target.lines(b"status"))
    finally:
        snapcast.source.handler = snapcast.take_sound
        may_go_on.set()


def test_answers_that_drip(say):
    def talk(connection, lines):
        request = json.loads(lines.readline())
        for byte in line_of({"id": request["id"], "result": status([client("a")])}) + MARKER:
            connection.sendall(bytes([byte]))
        lines.readline()
    say(talk)


def test_garbage_on_the_port_for_sound(target, snapcast):
    """Segue reads it or not; it goes on, and plays to the port once that is honest."""
    pushed = threading.Event()

    def push(connection):
        connection.settimeout(0.5)
        try:
            for _ in range(1000):
                connection.sendall(b"\xff" * 65536)
        finally:
            pushed.set()
    snapcast.source.handler = push
    target.ask(b"clear", b"add /", b"repeat 1", b"disableoutput 0", b"enableoutput 0", b"play 3")
    wait_for(pushed.is_set, 30 * PATIENCE, "the end of the garbage")
    snapcast.source.handler = snapcast.take_sound
    snapcast.took_sound.clear()
    wait_for(snapcast.took_sound.is_set, 60 * PATIENCE, "sound at the honest port")
    assert target.ask(b"stop") == [b"OK"]
