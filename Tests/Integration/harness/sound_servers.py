"""Sound servers with a sink that plays nothing: PulseAudio, and PipeWire with what makes it one."""
import array
import glob
import os
import re
import signal
import subprocess
import threading

import pytest

from .processes import Daemon
from .programs import need
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
context.objects = [ { factory = adapter args = SINK } ]
""" % LIBRARIES
SINK = ("{ factory.name = support.null-audio-sink node.name = out media.class = Audio/Sink object.linger = true "
        "audio.position = [ FL FR ] }")
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

    @property
    def has_device(self):
        """Whether the sink is there."""
        return "\tout\t" in self.pactl("list", "short", "sinks")

    def wait(self):
        """Waits until the sink is there."""
        def ready():
            self.fail_unless_running()
            return self.has_device
        wait_for(ready, 60, "the sink")
        return self

    def freeze(self, is_frozen=True):
        """Stops all of its processes where they are, or lets them go on."""
        os.killpg(self.process.pid, signal.SIGSTOP if is_frozen else signal.SIGCONT)

    @property
    def stream(self):
        """The number of the stream that plays."""
        return self.pactl("list", "short", "sink-inputs").split("\t")[0]

    @property
    def volume(self):
        """The stream's volume in percent and in decibels, as other apps show it; no percent without a stream."""
        found = re.search(r"Volume:.*?(\d+)% / (-?[\d.]+|-inf) dB", self.pactl("list", "sink-inputs"))
        return (int(found[1]), float(found[2])) if found else (None, 0.0)

    @property
    def in_store(self):
        """How much of the stream the server has that it has not played, in seconds."""
        found = re.search(r"Buffer Latency: (\d+) usec", self.pactl("list", "sink-inputs"))
        return int(found[1]) / 1e6 if found else 0.0

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
                # For ALSA, whose plug-in for PulseAudio is the only device without hardware that keeps time.
                (folder / ".asoundrc").write_text("pcm.desk { type pulse }\n")
                self.environment |= {key: value for key, value in server.environment.items()
                                     if key.startswith(("PULSE", "XDG"))}
        return Listener


def need_alsa_plugin():
    """Skips the test when ALSA has no plug-in for PulseAudio."""
    if not glob.glob("/usr/lib/*/alsa-lib/libasound_module_pcm_pulse.so"):
        pytest.skip("libasound2-plugins is not installed")


class Ear:
    """A listener that hears what the sink plays in 16 or 32 bits: one channel, or those that a map names.

    PipeWire's whole graph works as often as the most impatient listener wants; `milliseconds` is how often that is.
    """

    def __init__(self, server, channel_map="mono", rate=48000, bits=16, milliseconds=5):
        need("parec")
        self.process = subprocess.Popen(
            ["parec", "-d", "out.monitor", f"--latency-msec={milliseconds}", f"--format=s{bits}le", f"--rate={rate}",
             f"--channels={len(channel_map.split(','))}", f"--channel-map={channel_map}", "--raw"],
            env=server.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.samples = array.array("h" if bits == 16 else "i")
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        """Collects what the sink plays."""
        rest = b""
        while piece := os.read(self.process.stdout.fileno(), 65536):
            rest += piece
            whole = len(rest) // self.samples.itemsize * self.samples.itemsize
            self.samples.frombytes(rest[:whole])
            rest = rest[whole:]

    def close(self):
        """Leaves."""
        self.process.kill()
        self.process.wait(10)
        self.thread.join(10)
        self.process.stdout.close()


class PulseAudio(SoundServer):
    """PulseAudio."""

    sink = ("sink_name=out",)
    """What its device is like."""

    def remove_device(self):
        """Unplugs the sink."""
        self.pactl("unload-module", "module-null-sink")

    def return_device(self):
        """Plugs it in again."""
        self.pactl("load-module", "module-null-sink", *self.sink)

    def start(self):
        """Starts serving, also after it was killed."""
        need("pulseaudio", "pactl")
        self.socket.unlink(missing_ok=True)
        self.launch(["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "-L",
                     "module-null-sink " + " ".join(self.sink), "-L",
                     f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}"], self.environment)
        return self.wait()


class PipeWire(SoundServer):
    """PipeWire with a session manager and its PulseAudio server."""

    def remove_device(self):
        """Unplugs the sink."""
        self.cli("destroy", self.pactl("list", "short", "sinks").split("\t")[0])

    def return_device(self):
        """Plugs it in again."""
        self.cli("create-node", "adapter", SINK)

    def cli(self, *arguments):
        """Tells PipeWire something."""
        need("pw-cli")
        subprocess.run(["pw-cli", *arguments], env=self.environment, capture_output=True, timeout=30, check=True)

    def start(self):
        """Starts all three, also after they were killed."""
        for name in ("run/pipewire-0", "run/pipewire-0.lock", "native"):
            (self.folder / name).unlink(missing_ok=True)
        need("pipewire", "wireplumber", "dbus-run-session", "pactl")
        core, pulse = self.folder / "core.conf", self.folder / "pulse.conf"
        core.write_text(CORE.replace("SINK", SINK))
        pulse.write_text(PULSE.replace("SOCKET", str(self.socket)))
        script = (f"pipewire -c {core} & while ! [ -S {self.folder}/run/pipewire-0 ]; do sleep 0.05; done; "
                  f"wireplumber & pipewire -c {pulse} & wait")
        self.launch(["dbus-run-session", "--", "sh", "-c", script], self.environment)
        return self.wait()
