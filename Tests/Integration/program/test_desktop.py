"""The players at the desktop by MPRIS, on a session bus of their own, and the machine's sleep by a logind of the tests."""
import asyncio
import os
import pathlib
import select
import shutil
import subprocess
import threading
import urllib.parse

import dbus_next.aio
import dbus_next.service
import mpd
import pytest
from harness.message_bus import MessageBus
from harness.segue import ROOT, Segue
from harness.waiting import wait_for

NAME = "org.mpris.MediaPlayer2.segue"


class Bus:
    """A message bus of the tests, which is the session's and the system's."""

    def __init__(self, folder):
        self.daemon = MessageBus(folder)
        self.address = self.daemon.address
        self.environment = {**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address,
                            "DBUS_SYSTEM_BUS_ADDRESS": self.address, "XDG_RUNTIME_DIR": str(folder)}

    def start(self):
        self.daemon.start(self.environment)

    def run(self, *command):
        """The output of a command that uses the bus."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=30, check=True)
        return done.stdout

    def playerctl(self, *arguments, player="segue"):
        """What playerctl prints; tries again while it refuses, as what can be done is told a moment later."""
        def attempt():
            try:
                return [self.run("playerctl", "--player", player, *arguments).strip()]
            except subprocess.CalledProcessError:
                return None
        return wait_for(attempt, 30, f"playerctl {' '.join(arguments)}")[0]

    def names(self):
        """The players on the bus."""
        text = self.run("gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path",
                        "/org/freedesktop/DBus", "--method", "org.freedesktop.DBus.ListNames")
        return sorted(name for name in text.replace("'", '"').split('"') if name.startswith("org.mpris"))


@pytest.fixture
def bus(tmp_path):
    for program in ("dbus-daemon", "gdbus", "playerctl"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    made = Bus(tmp_path)
    made.start()
    yield made
    made.daemon.kill()


@pytest.fixture
def start(bus, tmp_path, registry, library):
    """Starts segue in a session; its options are those of `[desktop]`."""
    started = []

    def begin(**desktop):
        server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]}, desktop=desktop,
                       output=[{"type": "null", "name": "Nothing"}])
        server.environment.update({key: bus.environment[key] for key in (
            "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "XDG_RUNTIME_DIR")})
        started.append(server)
        return server.start(len(library[1]))
    yield begin
    for server in started:
        server.kill()


def queue(server):
    """Adds all songs, in front two that outlast any test; gives the client and what is in the queue."""
    client = server.client()
    client.clear()
    client.findadd("album", "Long Way Home")
    client.add("")
    return client, client.playlistinfo()


def test_the_desktop_sees_what_plays(start, bus):
    client, songs = queue(start())
    wait_for(lambda: bus.names() == [NAME], 30, "the player on the bus")
    assert bus.playerctl("status") == "Stopped"
    client.play(1)
    wait_for(lambda: bus.playerctl("status") == "Playing", 30, "playing")
    wait_for(lambda: bus.playerctl("metadata", "title") == songs[1]["title"], 30, "the title")
    address = bus.playerctl("metadata", "xesam:url")
    path = pathlib.Path(urllib.parse.unquote(address.removeprefix("file://")))
    assert address.startswith("file:///") and path.is_file() and str(path).endswith(songs[1]["file"])
    length = int(bus.playerctl("metadata", "mpris:length"))
    assert length == pytest.approx(float(songs[1]["duration"]) * 1e6, abs=1e4)
    client.setvol(30)
    wait_for(lambda: bus.playerctl("volume") == "0.300000", 30, "the volume")
    client.random(1)
    wait_for(lambda: bus.playerctl("shuffle") == "On", 30, "random order")
    client.stop()
    wait_for(lambda: bus.playerctl("status") == "Stopped", 30, "the end")


def test_media_keys_control_the_music(start, bus):
    client, songs = queue(start())
    wait_for(lambda: bus.names() == [NAME], 30, "the player on the bus")

    def song():
        return int(client.status().get("song", -1))
    for command, wanted in (("play", ("play", 0)), ("next", ("play", 1)), ("previous", ("play", 0)),
                            ("pause", ("pause", 0)), ("play-pause", ("play", 0)), ("play-pause", ("pause", 0))):
        bus.playerctl(command)
        wait_for(lambda: (client.status()["state"], song()) == wanted, 30, f"{wanted} after {command}")
    bus.playerctl("position", "1")
    wait_for(lambda: float(client.status()["elapsed"]) == pytest.approx(1, abs=0.2), 30, "the place")
    wait_for(lambda: float(bus.playerctl("position")) == pytest.approx(1, abs=0.2), 30, "the place on the bus")
    bus.playerctl("loop", "Track")
    wait_for(lambda: (client.status()["repeat"], client.status()["single"]) == ("1", "1"), 30, "repeating the song")
    bus.playerctl("loop", "None")
    wait_for(lambda: (client.status()["repeat"], client.status()["single"]) == ("0", "0"), 30, "no repeating")
    bus.playerctl("shuffle", "On")
    bus.playerctl("volume", "0.4")
    wait_for(lambda: (client.status()["random"], client.status()["volume"]) == ("1", "40"), 30, "random order and 40")
    bus.playerctl("stop")
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end")


def test_jumps_are_told_and_the_picture_is_a_file(start, bus):
    client, songs = queue(start())
    wait_for(lambda: bus.names() == [NAME], 30, "the player on the bus")
    with subprocess.Popen(["gdbus", "monitor", "--session", "--dest", NAME], env=bus.environment,
                          stdout=subprocess.PIPE, text=True) as monitor:
        try:
            pictured = next(int(song["pos"]) for song in songs if has_picture(client, song["file"]))
            client.play(pictured)
            address = wait_for(lambda: bus.playerctl("metadata", "mpris:artUrl"), 30, "the picture")
            path = pathlib.Path(address.removeprefix("file://"))
            assert path.stat().st_mode & 0o077 == 0
            assert path.read_bytes() == client.albumart(songs[pictured]["file"])["binary"]
            client.pause(1)
            client.seekcur(1.5)
            wait_for(lambda: float(bus.playerctl("position")) == pytest.approx(1.5, abs=0.1), 30, "the place")
            client.seekcur(0)
            lines = []
            for line in monitor.stdout:
                lines.append(line)
                if "Seeked" in line:
                    break
            assert not [line for line in lines if "'Position'" in line]
        finally:
            monitor.kill()
    client.clear()
    wait_for(lambda: not path.exists(), 30, "the picture going with the song")


def has_picture(client, uri):
    """Whether the song has one."""
    try:
        return "binary" in client.albumart(uri)
    except mpd.CommandError:
        return False


def test_each_partition_is_a_player_where_wanted(start, bus):
    client, _ = queue(start(partitions=True))
    client.newpartition("kitchen-2")
    wait_for(lambda: bus.names() == [NAME, NAME + ".kitchen_2"], 30, "two players")
    client.partition("kitchen-2")
    client.add("")
    client.moveoutput("Nothing")
    bus.playerctl("play", player="segue.kitchen_2")
    wait_for(lambda: client.status()["state"] == "play", 30, "playing in the kitchen")
    assert bus.playerctl("status") == "Stopped"
    client.renamepartition("kitchen-2", "attic")
    wait_for(lambda: bus.names() == [NAME, NAME + ".attic"], 30, "the other name")
    wait_for(lambda: bus.playerctl("status", player="segue.attic") == "Playing", 30, "the music under its name")
    bus.playerctl("pause", player="segue.attic")
    wait_for(lambda: client.status()["state"] == "pause", 30, "pausing under the other name")
    client.stop()
    client.partition("default")
    client.moveoutput("Nothing")
    client.delpartition("attic")
    wait_for(lambda: bus.names() == [NAME], 30, "one player")


def test_an_address_that_the_desktop_opens_plays_behind_the_current_song(start, bus):
    client, songs = queue(start())
    client.play(1)
    bus.playerctl("open", "http://127.0.0.1:1/stream.mp3")
    wait_for(lambda: client.playlistinfo(2)[0]["file"].startswith("http://"), 30, "the address in the queue")
    assert len(client.playlistinfo()) == len(songs) + 1
    refused = subprocess.run(["playerctl", "--player", "segue", "open", "file:///etc/passwd"], env=bus.environment,
                             capture_output=True, text=True, timeout=30)
    assert "http" in refused.stderr
    assert len(client.playlistinfo()) == len(songs) + 1


def test_the_login_of_a_stream_is_not_told(start, bus):
    client, _ = queue(start())
    client.clear()
    client.add("http://listener:Sesame-7@127.0.0.1:1")
    client.play(0)
    wait_for(lambda: bus.playerctl("metadata", "xesam:url") == "http://127.0.0.1:1", 30, "the address")
    assert "Sesame" not in bus.playerctl("metadata")


def test_nothing_is_wrong_with_a_machine_without_a_desktop_or_with_one_that_goes(start, bus):
    server = start()
    wait_for(lambda: bus.names() == [NAME], 30, "the player on the bus")
    bus.daemon.kill()
    client, _ = queue(server)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "play", 30, "playing")
    assert server.stop()[0] == 0


def test_the_desktop_controls_the_music_again_when_its_bus_is_back(start, bus):
    server = start()
    wait_for(lambda: bus.names() == [NAME], 30, "the player on the bus")
    client, songs = queue(server)
    client.play(0)
    bus.daemon.kill()
    bus.daemon.path.unlink(missing_ok=True)
    wait_for(lambda: "until its bus is back" in server.log, 30, "the line")
    client.next()
    bus.start()
    wait_for(lambda: bus.names() == [NAME], 60, "the player on the new bus")
    wait_for(lambda: bus.playerctl("metadata", "title") == songs[1]["title"], 30, "the title")
    bus.playerctl("pause")
    wait_for(lambda: client.status()["state"] == "pause", 30, "the pause")
    assert server.log.count("until its bus is back") == 1 and "bus is back: the desktop" in server.log


def test_the_speed_is_the_desktops_too(start, bus):
    client, _ = queue(start())
    wait_for(lambda: bus.names() == [NAME], 30, "the player on the bus")
    client.repeat(1)
    client.play(0)

    def rate(name="Rate", *value):
        method = "Set" if value else "Get"
        return bus.run("gdbus", "call", "--session", "--dest", NAME, "--object-path", "/org/mpris/MediaPlayer2", "--method",
                       f"org.freedesktop.DBus.Properties.{method}", "org.mpris.MediaPlayer2.Player", name, *value).strip()
    assert (rate(), rate("MinimumRate"), rate("MaximumRate")) == ("(<1.0>,)", "(<0.5>,)", "(<3.0>,)")
    rate("Rate", "<1.5>")
    wait_for(lambda: client.status().get("speed") == "1.5", 30, "the speed")
    wait_for(lambda: rate() == "(<1.5>,)", 30, "the speed on the bus")
    rate("Rate", "<100.0>")
    wait_for(lambda: client.status().get("speed", "")[:1] == "3", 30, "the highest speed")
    rate("Rate", "<0.0>")
    wait_for(lambda: client.status()["state"] == "pause", 30, "a pause")
    with pytest.raises(subprocess.CalledProcessError):
        rate("Rate", "<-1.0>")


def test_it_can_be_switched_off(start, bus):
    server = start(enabled=False)
    queue(server)
    assert bus.names() == []
    assert server.stop()[0] == 0


LOGIN = "org.freedesktop.login1"


class Logind(dbus_next.service.ServiceInterface):
    """As much of logind as sleep needs."""

    def __init__(self):
        super().__init__(LOGIN + ".Manager")
        self.held = {}

    @dbus_next.service.method()
    def Inhibit(self, what: "s", who: "s", why: "s", mode: "s") -> "h":  # noqa: F821, N802
        reading, writing = os.pipe()
        self.held[f"{what} {mode}"] = reading
        # The other side has its own copy when this answer has been sent.
        asyncio.get_running_loop().call_later(0.5, os.close, writing)
        return writing

    @dbus_next.service.signal()
    def PrepareForSleep(self, begins: "b") -> "b":  # noqa: F821, N802
        return begins

    def is_held(self, kind):
        """Whether a lock of this kind is held; its holder closes the pipe to release it."""
        reading = self.held.get(kind)
        if reading is None:
            return False
        return not select.select([reading], [], [], 0)[0]


@pytest.fixture
def logind(bus):
    """A logind on a thread of its own; gives it, and a way to call it there."""
    loop = asyncio.new_event_loop()
    service = Logind()

    async def serve():
        connection = await dbus_next.aio.MessageBus(bus_address=bus.address, negotiate_unix_fd=True).connect()
        connection.export("/org/freedesktop/login1", service)
        await connection.request_name(LOGIN)
        return connection
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    connection = asyncio.run_coroutine_threadsafe(serve(), loop).result(10)
    yield service, lambda begins: loop.call_soon_threadsafe(service.PrepareForSleep, begins)
    loop.call_soon_threadsafe(connection.disconnect)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_the_music_pauses_before_sleep_which_waits_for_it(start, bus, logind):
    service, sleep = logind
    client, _ = queue(start(pause_on_sleep=True))
    wait_for(lambda: service.is_held("sleep delay"), 30, "sleep being held back")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "play", 30, "playing")
    sleep(True)
    wait_for(lambda: not service.is_held("sleep delay"), 30, "sleep going on")
    assert client.status()["state"] == "pause"
    sleep(False)
    wait_for(lambda: service.is_held("sleep delay"), 30, "sleep being held back again")
    assert client.status()["state"] == "pause"


def test_the_machine_stays_awake_while_music_plays(start, bus, logind):
    service, _ = logind
    client, _ = queue(start(inhibit_sleep=True))
    assert not service.is_held("sleep:idle block")
    client.play(0)
    wait_for(lambda: service.is_held("sleep:idle block"), 30, "the machine staying awake")
    client.pause(1)
    wait_for(lambda: not service.is_held("sleep:idle block"), 30, "the machine being free to sleep")


@pytest.fixture
def jack(tmp_path):
    """A sound card with a jack for headphones; gives its configuration, and what puts a plug in or out."""
    if not shutil.which("gcc"):
        pytest.skip("gcc is not installed")
    library, pipe = tmp_path / "jack.so", tmp_path / "jack"
    subprocess.run(["gcc", "-shared", "-fPIC", "-DPIC", "-O1", "-Wall", "-Werror", "-o", library,
                    ROOT / "Tests/Integration/harness/jack.c", "-lasound"], check=True)
    os.mkfifo(pipe)
    # Both ends: writing doesn't wait for a reader.
    with open(os.open(pipe, os.O_RDWR), "r+b", buffering=0) as end:
        yield (f'ctl_type.jack {{ lib "{library}" }}\nctl.!default {{ type jack path "{pipe}" }}\n'
               "pcm.desk { type null }\n", lambda plugged: push(end, b"1" if plugged else b"0"))


def push(pipe, state):
    """Puts a plug in or out, and waits until Segue has read of it."""
    pipe.write(state)
    wait_for(lambda: not select.select([pipe], [], [], 0)[0], 30, "the event that is read")


@pytest.mark.parametrize("kind", ["alsa", "null"])
def test_pulled_headphones_pause_what_plays_through_sound_cards(tmp_path, registry, library, jack, kind):
    configuration, plug = jack
    if list(pathlib.Path("/dev/snd").glob("controlC*")):
        pytest.skip("this machine has sound cards, which come first")
    output = {"alsa": {"type": "alsa", "name": "Card", "device": "desk"}, "null": {"type": "null", "name": "Far away"}}
    server = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]},
                   desktop={"pause_on_unplug": True}, output=[output[kind]])
    (tmp_path / "segue" / ".asoundrc").write_text(configuration)
    try:
        client, _ = queue(server.start(len(library[1])))
        client.repeat(1)
        client.play(0)
        wait_for(lambda: client.status()["state"] == "play", 30, "playing")
        plug(True)
        plug(False)
        if kind == "alsa":
            wait_for(lambda: client.status()["state"] == "pause", 30, "the pause")
            client.pause(0)
            plug(True)
        plug(True)
        plays_on(client)
        assert server.stop()[0] == 0
    finally:
        server.kill()


def plays_on(client):
    """Waits until the music has gone on by itself."""
    begin = float(client.status()["elapsed"])
    wait_for(lambda: client.status()["state"] == "play" and float(client.status()["elapsed"]) > begin + 0.3, 10,
             "the music going on")
