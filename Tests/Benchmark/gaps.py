"""The silence that a device plays on a busy machine: with the threads of outputs in real time, without, and MPD's."""
import array
import contextlib
import os
import shutil
import statistics
import subprocess
import time
import wave

from servers import MPD, MusicServer, Process, wait_until

RATE = 48000
LOOPS = 6
"""Busy loops for each core."""


def measure(bench, run, say):
    """Takes down the medians and the most of some rounds in which the servers take turns."""
    folder = bench.folder / "gaps"
    folder.mkdir(parents=True, exist_ok=True)
    seconds, loops = bench.options.play_seconds, LOOPS * os.cpu_count()
    with contextlib.closing(SoundServer(folder)) as device:
        _write_tone(folder / "music" / "tone.wav", seconds + 30)
        servers = [Segue(folder / "with", bench.options.segue, device), MPDAtDevice(folder / "mpd", bench.options.mpd, device),
                   Segue(folder / "without", bench.options.segue, device, is_realtime=False)]
        found = {server: [] for server in servers if not (bench.options.no_mpd and isinstance(server, MPD))}
        for number in range(bench.options.runs):
            for server, silences in found.items():
                silences.append(_silence(server, device, seconds, loops))
                say(f"round {number + 1}, {server.title}: {silences[-1]:.0f} ms")
    for title, kind in (("in real time", True), ("not in real time", False)):
        values = {server.name: silences for server, silences in found.items() if server.is_realtime == kind}
        for name, figure in (("median", statistics.median), ("most", max)):
            run.measure(f"silence in {seconds} s beside {loops} busy loops, {title}, {name}", "ms",
                        {server: figure(silences) for server, silences in values.items()})


def _write_tone(path, seconds):
    """Sound that is never silent."""
    path.parent.mkdir(exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        for _ in range(seconds):
            file.writeframes(array.array("h", [3000, -3000] * RATE).tobytes())


def _silence(server, device, seconds, loops):
    """Milliseconds of silence between sounds while the machine is busy."""
    server.start()
    busy = []
    try:
        server.wait_for_songs(1)
        with server.connect() as client:
            client.command('add "tone.wav"')
            client.command("play")
            time.sleep(2)
            busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(loops)]
            heard = device.listen(seconds)
            client.command("clear")
    finally:
        for process in busy:
            process.kill()
            process.wait()
        server.stop()
    silent = [frame == 0 for frame in heard]
    if all(silent):
        raise RuntimeError(f"nothing was heard of {server.title}; see {server.log}")
    return sum(silent[silent.index(False):len(silent) - silent[::-1].index(False)]) * 1000 / RATE


class SoundServer(Process):
    """PulseAudio with a device that keeps time; in real time itself, so that it is not what is late."""

    def __init__(self, folder):
        super().__init__(folder, "pulseaudio")
        missing = [name for name in ("pulseaudio", "pactl", "parec", "chrt") if not shutil.which(name)]
        if missing:
            raise SystemExit("install what is missing: " + ", ".join(missing))
        self.socket = folder / "native"
        self.socket.unlink(missing_ok=True)
        (folder / "run").mkdir(mode=0o700, exist_ok=True)
        # ALSA's plug-in for PulseAudio is the only device without hardware that keeps time.
        (folder / ".asoundrc").write_text("pcm.device { type pulse }\n")
        self.environment = {
            **os.environ, "HOME": str(folder), "PULSE_SERVER": f"unix:{self.socket}",
            **dict.fromkeys(("XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH", "PULSE_STATE_PATH"), str(folder / "run"))}
        self.launch("chrt", "--rr", "20", "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
                    "--use-pid-file=no", "-L", f"module-null-sink sink_name=out rate={RATE}", "-L",
                    f"module-native-protocol-unix auth-anonymous=1 socket={self.socket}", environment=self.environment)

        def is_there():
            self.fail_unless_running()
            return "\tout\t" in subprocess.run(["pactl", "list", "short", "sinks"], env=self.environment,
                                               capture_output=True, text=True, check=False).stdout
        wait_until(is_there, 30, "the sound server, which needs the right to run in real time")

    def listen(self, seconds):
        """The left samples of so many seconds."""
        command = ["chrt", "--rr", "20", "parec", "-d", "out.monitor", "--format=s16le", f"--rate={RATE}",
                   "--channels=1", "--channel-map=front-left", "--latency-msec=20", "--raw"]
        with subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE) as ear:
            heard = ear.stdout.read(seconds * RATE * 2)
            ear.kill()
        return array.array("h", heard)

    def close(self):
        """Ends it."""
        self.stop()


class Segue(MusicServer):
    """Segue with the device, and with a folder of music."""

    name = "Segue"

    def __init__(self, folder, program, device, is_realtime=True):
        super().__init__(folder, "segue")
        self.program, self.device, self.is_realtime = program, device, is_realtime
        self.title = "Segue in real time" if is_realtime else "Segue not in real time"
        self.configuration = folder / "segue.toml"
        self.configuration.write_text(
            f'[server]\nlisten = ["127.0.0.1:{self.port}"]\nstate_directory = "{folder}/state"\n'
            f'cache_directory = "{folder}/cache"\n[local]\nmusic_directory = "{device.folder}/music"\n'
            '[[output]]\ntype = "alsa"\nname = "Device"\ndevice = "device"\n'
            f'realtime = {"true" if is_realtime else "false"}\n')

    def run(self):
        self.launch(self.program, "serve", "--config", self.configuration, environment=self.device.environment)


class MPDAtDevice(MPD):
    """MPD with the device, and the same music; its thread is in real time where it may be."""

    title = "MPD"
    is_realtime = True

    def __init__(self, folder, program, device):
        super().__init__(folder, program)
        self.device = device
        text = self.configuration.read_text().replace(str(self.music), f"{device.folder}/music")
        self.configuration.write_text(text.replace('type "null"\n name "Nothing"', 'type "alsa"\n name "Device"\n device "device"')
                                      .replace('auto_update "no"', 'auto_update "yes"'))

    def run(self):
        self.launch(self.program, "--no-daemon", "--stderr", self.configuration, environment=self.device.environment)
