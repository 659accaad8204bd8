"""mpDris2: media keys and desktop widgets, by way of D-Bus."""
import re

import pytest
from harness.processes import Daemon
from harness.programs import need
from harness.waiting import wait_for

from .desktop import MediaPlayer, SessionBus
from .driving import PATIENCE


@pytest.fixture
def player(server, tmp_path):
    """mpDris2 on a bus of its own, connected."""
    need("mpDris2", "dbus-daemon", "gdbus")
    bus = SessionBus(tmp_path)
    bridge = Daemon(tmp_path / "mpdris2.log")
    (tmp_path / "mpDris2.conf").write_text(
        f"[Connection]\nhost = {server.host}\nport = {server.port}\n[Bling]\nnotify = False\nmmkeys = False\n")
    try:
        bus.start()
        bridge.launch(["mpDris2", "--debug", f"--config={tmp_path / 'mpDris2.conf'}"], {
            "PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8", "DBUS_SESSION_BUS_ADDRESS": bus.address})
        player = MediaPlayer(bus, "mpd")
        wait_for(lambda: player.property("PlaybackStatus"), PATIENCE, "mpDris2 on the bus")
        yield player
        bridge.fail_unless_running()
        assert "Traceback" not in bridge.log and "Disconnected" not in bridge.log, bridge.log[-4000:]
    finally:
        bridge.kill()
        bus.kill()


def wait_for_property(player, name, *parts):
    """Waits until a property's text has all parts."""
    def shown():
        text = player.property(name)
        assert all(part in text for part in parts), text
        return True
    wait_for(shown, PATIENCE, f"{name} with {parts}")


@pytest.mark.smoke
def test_mpdris2_plays_pauses_skips_and_stops(client, long_songs, player):
    for song in long_songs:
        client.add(song["file"])
    player.call("PlayPause")
    wait_for(lambda: client.status()["state"] == "play", PATIENCE, "the music")
    wait_for_property(player, "PlaybackStatus", "Playing")
    player.call("Next")
    wait_for(lambda: client.status()["song"] == "1", PATIENCE, "the next song")
    wait_for_property(player, "Metadata", "'River'", "'Nora Hale'", "'Long Way Home'", "int64 300000000")
    player.call("Previous")
    wait_for(lambda: client.status()["song"] == "0", PATIENCE, "the previous song")
    wait_for_property(player, "Metadata", "'Road'")
    player.call("Pause")
    wait_for_property(player, "PlaybackStatus", "Paused")
    player.call("Stop")
    wait_for_property(player, "PlaybackStatus", "Stopped")
    assert client.status()["state"] == "stop"


def test_mpdris2_seeks(client, long_songs, player):
    client.add(long_songs[0]["file"])
    client.play(0)
    client.pause(1)
    wait_for_property(player, "PlaybackStatus", "Paused")
    player.call("Seek", "int64 60000000")
    wait_for(lambda: 59 <= float(client.status()["elapsed"]) <= 65, PATIENCE, "the place")
    track = re.search(r"'(/org/mpris/\S+)'", player.property("Metadata"))[1]
    player.call("SetPosition", track, "int64 120000000")
    wait_for(lambda: 119 <= float(client.status()["elapsed"]) <= 125, PATIENCE, "the other place")
    wait_for_property(player, "Position", "int64 120000000")


def test_mpdris2_sets_volume_and_modes(client, player):
    player.set("Volume", "<0.4>")
    wait_for(lambda: client.status()["volume"] == "40", PATIENCE, "the volume")
    client.setvol(75)
    wait_for_property(player, "Volume", "0.75")
    player.set("Shuffle", "<true>")
    wait_for(lambda: client.status()["random"] == "1", PATIENCE, "random")
    for loop, wanted in (("Playlist", ("1", "0")), ("Track", ("1", "1")), ("None", ("0", "0"))):
        player.set("LoopStatus", f"<'{loop}'>")
        wait_for(lambda wanted=wanted: (client.status()["repeat"], client.status()["single"]) == wanted, PATIENCE, loop)
        wait_for_property(player, "LoopStatus", loop)
