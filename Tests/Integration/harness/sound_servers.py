"""Sound servers with a sink that plays nothing: PulseAudio, and PipeWire with what makes it one."""
import os
import re
import subprocess

from .processes import Daemon
from .rooms import need
from .segue import Segue
from .waiting import wait_for

LIBRARIES = "context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }"
CORE = """
context.properties = { core.daemon = true core.name = pipewire-0 }
%s
context.modules = [
  { name = libpipewire-module-protocol-native } { name = libpipewire-module-metadata }
  { name = libpipewire-module-spa-device-factory } { name = libpipewire-module-spa-node-factory }
  { name = libpipewire-module-client-node } { name = libpipewire-module-client-device }
  { name = libpipewire-module-access } { name = libpipewire-module-adapter }
  { name = libpipewire-module-link-factory } { name = libpipewire-module-session-manager }
]
context.objects = [ { factory = adapter args = { factory.name = support.null-audio-sink node.name = out
  media.class = Audio/Sink object.linger = true audio.position = [ FL FR ] } } ]
""" % LIBRARIES
PULSE = """
context.properties = {}
%s
context.modules = [
  { name = libpipewire-module-protocol-native } { name = libpipewire-module-client-node }
  { name = libpipewire-module-adapter } { name = libpipewire-module-metadata }
  { name = libpipewire-module-protocol-pulse args = { server.address = [ "unix:SOCKET" ] } }
]
""" % LIBRARIES


class SoundServer(Daemon):
    """What the two have in common; `pactl` steers both."""

    def __init__(self, folder):
        # Paths of sockets have to be short.
        super().__init__(folder / "sound.log")
        self.folder = folder
        self.socket = folder / "native"
        (folder / "run").mkdir(mode=0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder / "run"),
            "PULSE_RUNTIME_PATH": str(folder / "run"), "PULSE_STATE_PATH": str(folder / "run"),
            "PULSE_SERVER": f"unix:{self.socket}"}

    def pactl(self, *arguments):
        """What `pactl` says."""
        return subprocess.run(["pactl", *arguments], env=self.environment, capture_output=True, text=True,
                              timeout=30).stdout

    def wait(self):
        """Waits until the sink is there."""
        def ready():
            self.fail_unless_running()
            return "\tout\t" in self.pactl("list", "short", "sinks")
        wait_for(ready, 60, "the sink")
        return self

    @property
    def stream(self):
        """The number of the stream that plays."""
        return self.pactl("list", "short", "sink-inputs").split("\t")[0]

    @property
    def volume(self):
        """The stream's volume in percent and in decibels, as other apps show it; no percent without a stream."""
        found = re.search(r"Volume:.*?(\d+)% / (-?[\d.]+|-inf) dB", self.pactl("list", "sink-inputs"))
        return (int(found[1]), float(found[2])) if found else (None, 0.0)

    def set_volume(self, percent):
        """Sets the stream's volume, as another app would."""
        self.pactl("set-sink-input-volume", self.stream, f"{percent}%")

    @property
    def kind(self):
        """A kind of Segue process that finds this server."""
        server = self

        class Listener(Segue):
            """Plays through the server."""

            def __init__(self, folder, registry, **sections):
                super().__init__(folder, registry, **sections)
                self.environment |= {key: value for key, value in server.environment.items()
                                     if key.startswith(("PULSE", "XDG"))}
        return Listener


class PulseAudio(SoundServer):
    """PulseAudio."""

    def start(self):
        """Starts serving."""
        need("pulseaudio", "pactl")
        self.launch(["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "-L",
                     "module-null-sink sink_name=out", "-L",
                     f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}"], self.environment)
        return self.wait()


class PipeWire(SoundServer):
    """PipeWire with a session manager and its PulseAudio server."""

    def start(self):
        """Starts all three."""
        need("pipewire", "wireplumber", "dbus-run-session", "pactl")
        core, pulse = self.folder / "core.conf", self.folder / "pulse.conf"
        core.write_text(CORE)
        pulse.write_text(PULSE.replace("SOCKET", str(self.socket)))
        script = (f"pipewire -c {core} & while ! [ -S {self.folder}/run/pipewire-0 ]; do sleep 0.05; done; "
                  f"wireplumber & pipewire -c {pulse} & wait")
        self.launch(["dbus-run-session", "--", "sh", "-c", script], self.environment)
        return self.wait()
