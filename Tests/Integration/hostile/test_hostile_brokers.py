"""Attacks by an MQTT broker, and by those who publish there."""
import contextlib
import socket
import struct
import threading
import time

import pytest
from harness.raw_server import RawServer
from harness.waiting import wait_for
from harness.watch import PATIENCE, Watch

LETTER = "e" + "\u0301" * 1000
SET = "segue/default/set/"


def packet(first, body):
    """A packet of MQTT, with its length in front."""
    length, head = len(body), b""
    while True:
        length, rest = divmod(length, 128)
        head += bytes([rest | (128 if length else 0)])
        if not length:
            return bytes([first]) + head + body


class Broker(RawServer):
    """Lets Segue in, and then does what a test says; honest brokers confirm what they get."""

    def __init__(self, newest=5, attack=None):
        self.newest, self.attack = newest, attack
        self.greetings, self.connection, self.version = [], None, 0
        super().__init__(self._serve_one)

    def _serve_one(self, connection):
        stream = connection.makefile("rb")
        _, greeting = self.read(stream)
        self.greetings.append(greeting)
        self.version = greeting[6]
        if self.attack:
            return self.attack(self, connection)
        if self.version > self.newest:
            return connection.sendall(packet(0x20, b"\0\1"))
        self.let_in(connection)
        self.connection = connection
        self.confirm(stream, connection)

    @staticmethod
    def read(stream):
        """The next packet's first byte and its body."""
        first = stream.read(1)[0]
        length, shift = 0, 0
        while True:
            byte = stream.read(1)[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return first, stream.read(length)

    def let_in(self, connection):
        connection.sendall(packet(0x20, b"\0\0\0" if self.version == 5 else b"\0\0"))

    def confirm(self, stream, connection):
        """Confirms what Segue publishes and subscribes to."""
        while True:
            first, body = self.read(stream)
            new = b"\0" if self.version == 5 else b""
            if first >> 4 == 3 and first & 6:
                start = 2 + struct.unpack(">H", body[:2])[0]
                connection.sendall(packet(0x40, body[start:start + 2]))
            elif first >> 4 == 8:
                connection.sendall(packet(0x90, body[:2] + new + b"\1"))
            elif first >> 4 == 12:
                connection.sendall(packet(0xD0, b""))

    def publication(self, topic, payload):
        """The packet of a message."""
        topic, payload = (text.encode() if isinstance(text, str) else text for text in (topic, payload))
        new = b"\0" if self.version == 5 else b""
        return packet(0x30, struct.pack(">H", len(topic)) + topic + new + payload)

    def publish(self, topic, payload):
        """Sends a message."""
        self.connection.sendall(self.publication(topic, payload))


@pytest.fixture
def begin(start_segue, library):
    """Starts Segue with a broker; gives it with its client."""
    made = []

    def start(broker):
        made.append(broker)
        server = start_segue(songs=len(library[1]), local={"music_directory": library[0]},
                             output=[{"type": "null", "name": "Nothing"}],
                             mqtt={"host": "127.0.0.1", "port": broker.port})
        return server, server.client()
    yield start
    for broker in made:
        broker.close()


def obeys(broker, client, volume):
    """Whether an honest broker's message is done."""
    with contextlib.suppress(OSError, AttributeError):
        broker.publish(SET + "volume", str(volume))
    return client.status()["volume"] == str(volume)


def test_the_broker_is_told_how_long_messages_may_be_where_it_understands_that(begin):
    broker = Broker()
    _, client = begin(broker)
    wait_for(lambda: obeys(broker, client, 31), 30 * PATIENCE, "a message")
    greeting = broker.greetings[0]
    assert greeting[:6] == b"\0\4MQTT" and greeting[6] == 5
    properties = greeting[11:11 + greeting[10]]
    place = properties.index(b"\x27")
    assert struct.unpack(">I", properties[place + 1:place + 5])[0] <= 16_384


def test_a_broker_that_knows_the_older_version_alone_is_spoken_with_in_that(begin):
    broker = Broker(newest=4)
    server, client = begin(broker)
    wait_for(lambda: obeys(broker, client, 32), 30 * PATIENCE, "a message")
    assert [greeting[6] for greeting in broker.greetings[:2]] == [5, 4]
    assert "refuses" not in server.log and "is away" not in server.log


def test_messages_of_anyone_do_nothing_but_what_is_documented(begin):
    broker = Broker()
    server, client = begin(broker)
    wait_for(lambda: obeys(broker, client, 33), 30 * PATIENCE, "a message")
    client.add("")
    with Watch(server, None) as watch:
        for word in ("volume", "player", "playlist", "random", "repeat", "single", "consume", "seek", "song", "", "x/y"):
            for payload in ("", "nan", "-1e999", "9" * 4096, "\0", "\x1b[2J\x9b31m\n", LETTER, "../../../etc/passwd", "kill", '{"a":' * 800,
                            b"\xff\xfe" * 2000, "\n".join(["clear", "kill"])):
                broker.publish(SET + word, payload)
        for topic in (b"x" * 60_000, b"homeassistant/status", b"$SYS/x", b"segue//set/volume", b"segue/../default/set/volume"):
            broker.publish(topic, "50")
        broker.publish(SET + "volume", "5" * (4 << 20))
        flood = broker.publication(SET + "volume", "12") * 500
        for _ in range(100):
            broker.connection.sendall(flood)
        wait_for(lambda: obeys(broker, client, 34), 60 * PATIENCE, "a message behind all of them")
        assert client.status()["playlistlength"] != "0"
        assert all(character.isprintable() or character in "\n\t" for character in server.log)
        watch.verify()
    assert len(broker.greetings) == 1, "the connection was kept"
    assert server.stop()[0] == 0


def confirm(broker, connection):
    """Confirms what Segue sends until one of both goes."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        broker.confirm(connection.makefile("rb"), connection)


def let_in_and(*packets, pause=0.0):
    """Lets Segue in and sends these."""
    def attack(broker, connection):
        broker.let_in(connection)
        for bytes_ in packets:
            connection.sendall(bytes_)
            time.sleep(pause)
        threading.Thread(target=confirm, args=(broker, connection), daemon=True).start()
        broker.closing.wait(2)
        connection.shutdown(socket.SHUT_RDWR)
    return attack


def send(*packets):
    """Sends these in place of a welcome."""
    def attack(broker, connection):
        for bytes_ in packets:
            connection.sendall(bytes_)
        broker.closing.wait(1)
    return attack


BROKERS = {
    "another protocol": send(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
    "encrypted": send(b"\x16\x03\x01\x00\x02\x02\x28" * 1000),
    "silence": send(),
    "every reason at once": send(*(packet(0x20, bytes([0, code, 0])) for code in range(1, 256))),
    "properties without an end": send(packet(0x20, b"\0\0\xff\xff\xff\x7f" + b"\x1f\xff\xff" * 100)),
    "a size of five bytes": let_in_and(b"\x30\xff\xff\xff\xff\x7f" + b"x" * 1000),
    "256 MiB that never come": let_in_and(b"\x30\xff\xff\xff\x7f", *[b"x" * 1000] * 20, pause=0.05),
    "a topic longer than its packet": let_in_and(packet(0x30, b"\xff\xff" + b"x" * 10)),
    "aliases of nothing": let_in_and(*(packet(0x30, b"\0\0\3\x23" + struct.pack(">H", n) + b"7") for n in (0, 1, 65535))),
    "confirmations of nothing": let_in_and(*(packet(kind, struct.pack(">H", n)) for kind in (0x40, 0x50, 0x62, 0x70, 0x90, 0xB0)
                                             for n in range(100))),
    "messages that are begun and never done": let_in_and(
        *(packet(0x34, b"\0\1x" + struct.pack(">H", n) + b"\0" + b"y" * 1000) for n in range(1, 2000))),
    "topics that are no text": let_in_and(*(packet(0x30, struct.pack(">H", len(topic)) + topic + b"\0" + b"50")
                                            for topic in (b"segue/default/set/volume\0", b"\xff" * 300, b"", b"segue/+/set/volume", b"#"))),
    "rubbish": let_in_and(bytes(range(256)) * 4000),
    "a goodbye with a reason": let_in_and(packet(0xE0, b"\x8d\0")),
}


@pytest.mark.parametrize("name", BROKERS)
def test_a_broker_that_breaks_the_protocol_is_tried_again(begin, name):
    broker = Broker(attack=BROKERS[name])
    server, client = begin(broker)
    with Watch(server, None) as watch:
        wait_for(lambda: len(broker.greetings) >= 2, 60 * PATIENCE, "another try")
        broker.attack = None
        wait_for(lambda: obeys(broker, client, 35), 60 * PATIENCE, "an honest broker")
        assert all(character.isprintable() or character in "\n\t" for character in server.log)
        watch.verify()
    assert server.stop()[0] == 0
