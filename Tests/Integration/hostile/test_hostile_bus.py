"""Attacks by programs on the session's D-Bus: values that are none, addresses that are not for them, floods."""
import asyncio
import os
import shutil
import threading

import dbus_next.aio
import pytest
from dbus_next import Message, MessageFlag, MessageType, Variant
from harness.message_bus import MessageBus
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE

NAME, PATH = "org.mpris.MediaPlayer2.segue", "/org/mpris/MediaPlayer2"
PLAYER, PROPERTIES = "org.mpris.MediaPlayer2.Player", "org.freedesktop.DBus.Properties"
LETTER = "e" + "\u0301" * 100_000


@pytest.fixture(scope="module")
def bus(tmp_path_factory):
    """A session's bus."""
    if not shutil.which("dbus-daemon"):
        pytest.skip("dbus-daemon is not installed")
    made = MessageBus(tmp_path_factory.mktemp("bus")).start()
    yield made
    made.kill()


@pytest.fixture(scope="module")
def server(library, registry, bus, tmp_path_factory):
    """Segue in that session."""
    folder = tmp_path_factory.mktemp("desktop")
    running = Segue(folder / "segue", registry, local={"music_directory": library[0]}, desktop={"partitions": True},
                    output=[{"type": "null", "name": "Nothing"}])
    running.environment.update({"DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
                                "XDG_RUNTIME_DIR": str(folder)})
    yield running
    running.kill()


class Stranger:
    """A program on the bus that sends what it likes."""

    def __init__(self, address):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.bus = self._run(self._connect(address))

    @staticmethod
    async def _connect(address):
        return await dbus_next.aio.MessageBus(bus_address=address).connect()

    def _run(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60 * PATIENCE)

    def call(self, member, signature="", body=(), interface=PLAYER, path=PATH):
        """What is answered to a call: the error's name, or the body."""
        answer = self._run(self.bus.call(Message(
            destination=NAME, path=path, interface=interface, member=member, signature=signature, body=list(body))))
        return answer.error_name if answer.message_type is MessageType.ERROR else answer.body

    def set(self, name, value):
        """Sets a property of the player."""
        return self.call("Set", "ssv", [PLAYER, name, value], PROPERTIES)

    def flood(self, count, member, signature="", body=()):
        """Sends as many calls, and waits for no answer."""
        async def send():
            for number in range(count):
                await self.bus.send(Message(
                    destination=NAME, path=PATH, interface=PLAYER, member=member, signature=signature, body=list(body),
                    flags=MessageFlag.NO_REPLY_EXPECTED))
                if number % 500 == 0:
                    await asyncio.sleep(0)
        self._run(send())

    def close(self):
        """Leaves the bus."""
        self.loop.call_soon_threadsafe(self.bus.disconnect)
        self.loop.call_soon_threadsafe(self.loop.stop)


@pytest.fixture
def stranger(bus, target):
    """A program on the bus while the songs are in the queue."""
    target.ask(b"clear", b"add /", b"play 0")
    made = Stranger(bus.address)
    wait_for(lambda: made.call("Get", "ss", [PLAYER, "PlaybackStatus"], PROPERTIES) != "org.freedesktop.DBus.Error.ServiceUnknown",
             30 * PATIENCE, "the player on the bus")
    yield made
    made.close()


def test_numbers_and_values_that_are_none(stranger, target):
    for number in (2**63 - 1, -2**63, 0, -1, 10**15):
        stranger.call("Seek", "x", [number])
        stranger.call("SetPosition", "ox", ["/org/mpris/MediaPlayer2/TrackList/NoTrack", number])
        stranger.call("SetPosition", "ox", ["/", number])
    for number in (float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, -0.0):
        stranger.set("Volume", Variant("d", number))
        stranger.set("Rate", Variant("d", number))
    for name in ("Volume", "Rate", "LoopStatus", "Shuffle", "Position", "Metadata", "CanControl", "", "x" * 10_000, LETTER):
        for value in (Variant("s", LETTER), Variant("b", True), Variant("x", -2**63), Variant("as", ["x"] * 10_000),
                      Variant("v", Variant("v", Variant("d", 1.0))), Variant("a{sv}", {LETTER: Variant("s", "x")})):
            stranger.set(name, value)
    assert target.ask(b"status") == [b"OK"]
    volume = next(int(line[8:]) for line in target.lines(b"status") if line.startswith(b"volume: "))
    assert 0 <= volume <= 100


def test_no_file_of_the_machine_is_opened(stranger, target):
    before = target.lines(b"playlistinfo")
    for address in ("file:///etc/passwd", "/etc/passwd", "FILE:///etc/passwd", "http:/etc/passwd", "smb://x/y", "cdda:///dev/sr0",
                    "", "\n", "http://" + "x" * 9000, "javascript:1", "data:audio/wav;base64,", "fd://0"):
        assert stranger.call("OpenUri", "s", [address]) == "org.freedesktop.DBus.Error.NotSupported", address
    assert target.lines(b"playlistinfo") == before


def test_calls_that_do_not_fit(stranger, target):
    for member in ("Seek", "SetPosition", "OpenUri", "Next", "Nothing", "x" * 200):
        for signature, body in (("", []), ("s", [LETTER]), ("d", [1.5]), ("ox", ["/", 1]),
                                ("a(sv)", [[["x", Variant("s", "y")]] * 1000])):
            stranger.call(member, signature, body)
            stranger.call(member, signature, body, interface="org.mpris.MediaPlayer2")
            stranger.call(member, signature, body, path="/")
    for arguments in (["", ""], [PLAYER, LETTER], [LETTER, "Volume"], ["org.freedesktop.DBus.Peer", "x"]):
        stranger.call("Get", "ss", arguments, PROPERTIES)
        stranger.call("GetAll", "s", arguments[:1], PROPERTIES)
    assert stranger.call("Quit", interface="org.mpris.MediaPlayer2") == [] and target.ask(b"ping") == [b"OK"]
    assert os.path.exists(f"/proc/{target.server.process.pid}")


def test_a_flood_of_calls_keeps_no_client_waiting(stranger, target):
    stranger.flood(3000, "Next")
    stranger.flood(3000, "Seek", "x", [1])
    stranger.flood(3000, "OpenUri", "s", ["file:///" + "x" * 1000])
    stranger.flood(300, "OpenUri", "s", ["http://127.0.0.1:1/" + "x" * 1000])
    wait_for(lambda: isinstance(stranger.call("Get", "ss", [PLAYER, "Volume"], PROPERTIES), list), 60 * PATIENCE, "an answer")
    assert target.ask(b"stop", b"clear", b"status") == [b"OK"] * 3
