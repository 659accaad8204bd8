"""Fast random commands to the whole server, from several clients at once, while ThreadSanitizer looks on.

    contrib/check-races --server [--commands 300] [--seed 1]

The server plays songs of a fake Navidrome and a station (its own stream over HTTP) into outputs in two partitions,
while songs change and fail at the fake, which is asked for news every five seconds, and the configuration is read anew.
Meanwhile two browsers use the page's interface and its WebSocket, the auto-DJ fills both queues, all songs are measured,
and a broker and a message bus, where the machine has programs for them, send commands as well.
Every command must be answered, the server must end in order, and no report of ThreadSanitizer may be there.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
from harness.web import Web  # noqa: E402  (it needs the folder of the other tests)

PATIENCE = 180
"""Seconds for an answer: what is watched is slow, and the machine may be busy."""
SONGS = 40

WISHES = ["on", "on", "on library", "off", "more", "less", "skip", "like", "why", "stats", "undo", "mode random_albums",
          "prompt calm 90s jazz", "prompt"]
"""What is said to the auto-DJ."""
MIXES = ["[Similar to current]", "[Auto DJ]", "[New arrivals]", "[Mood: Calm]"]
PARTS = ["status", "queue", "outputs", "partitions", "playlists", "albums", "artists", "genres", "search?q=a", "stations",
         "mixes", "decades", "settings"]
"""Parts of the page's interface, each behind /api/."""


def free_port():
    """A TCP port that is free."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        return holder.getsockname()[1]


def wait_for(condition, what):
    """Waits until `condition` gives something true, and returns that."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if result := condition():
                return result
        except OSError:
            pass
        time.sleep(0.1)
    raise TimeoutError(f"{what} did not come")


class Client:
    """A connection that sends commands and waits for their answers."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.file = self.socket.makefile("rb")
        assert self.file.readline().startswith(b"OK MPD")

    def ask(self, line):
        """The lines of the answer, the last of which is OK or an error."""
        self.socket.sendall(line.encode() + b"\n")
        lines = []
        while True:
            answer = self.file.readline()
            if not answer:
                raise EOFError(f"no answer to {line}")
            if answer.startswith(b"binary: "):
                self.file.read(int(answer[8:]) + 1)
            lines.append(answer.rstrip(b"\n").decode("utf-8", "replace"))
            if answer == b"OK\n" or answer.startswith(b"ACK "):
                return lines


def commands(chance, files):
    """Makers of random commands with their weights."""
    number, choice = chance.randrange, chance.choice
    return [
        (8, lambda: "next"), (4, lambda: "previous"), (8, lambda: f"seekcur {choice(['', '+', '-'])}{number(0, 25)}"),
        (5, lambda: f"pause {number(2)}"), (3, lambda: "stop"), (6, lambda: "play"), (6, lambda: f"play {number(12)}"),
        (8, lambda: f'add "{choice(files)}"'), (5, lambda: f"delete {number(12)}"), (2, lambda: "add Radio-station"),
        (3, lambda: f"move {number(12)} {number(12)}"), (2, lambda: "shuffle"), (1, lambda: "clear"),
        (3, lambda: f"crossfade {number(4)}"), (1, lambda: f"mixrampdb -{number(30)}"),
        (1, lambda: f"mixrampdelay {choice(['nan', '1'])}"),
        (2, lambda: f"{choice(['random', 'repeat', 'single', 'consume'])} {number(2)}"),
        (3, lambda: f"setvol {number(101)}"), (2, lambda: f"toggleoutput {number(4)}"),
        (2, lambda: f"moveoutput {choice(['Nothing', 'Recording', 'Second'])}"),
        (2, lambda: f"partition {choice(['default', 'room'])}"),
        (1, lambda: f"replay_gain_mode {choice(['off', 'track', 'album', 'auto'])}"),
        (3, lambda: "status"), (2, lambda: "currentsong"), (2, lambda: "playlistinfo"), (1, lambda: "outputs"),
        (1, lambda: "listallinfo"), (1, lambda: f"search any {number(10)}"), (1, lambda: "update"),
        (1, lambda: f"{choice(['save', 'load', 'rm'])} list"), (1, lambda: f'albumart "{choice(files)}" 0'),
        (1, lambda: f'readpicture "{choice(files)}" 0'), (1, lambda: f'sticker set song "{choice(files)}" rating 3'),
        (1, lambda: f"rangeid {number(40)} 1:4"), (1, lambda: f"prio {number(255)} {number(12)}"),
        (2, lambda: f'playlistadd list "{choice(files)}"'), (1, lambda: f"playlistdelete list {number(4)}"),
        (1, lambda: f"playlistmove list {number(4)} {number(4)}"), (1, lambda: "listplaylistinfo list"),
        (1, lambda: f'sticker inc song "{choice(files)}" playCount 1'), (1, lambda: 'sticker find song "" rating'),
        (1, lambda: f"search \"(title =~ '[a-{choice('bmz')}]+ ')\" sort -date"), (1, lambda: "list album group date"),
        (1, lambda: f'searchadd any {number(10)} window 0:3'), (1, lambda: "listplaylists"), (1, lambda: "stats"),
        (1, lambda: f"{choice(['subscribe', 'unsubscribe'])} talk"), (1, lambda: "sendmessage talk hello"),
        (3, lambda: f'sendmessage dj "{choice(WISHES)}"'), (1, lambda: f'load "{choice(MIXES)}"'),
        (1, lambda: "readmessages"), (1, lambda: f'readcomments "{choice(files)}"'), (1, lambda: "decoders"),
    ]


class Crowd:
    """Clients that all do something at the same time."""

    def __init__(self, port, stream, page, navidrome, server, house, arguments):
        self.port, self.stream, self.station = port, stream, f"http://127.0.0.1:{stream}/"
        self.page, self.house, self.visits = page, house, 0
        self.navidrome, self.server, self.arguments = navidrome, server, arguments
        self.problems, self.answered, self.refused, self.looked = [], 0, 0, 0
        self.is_over = threading.Event()
        self.lock = threading.Lock()

    def run(self):
        """Sends everything; returns when all of it was answered."""
        setup = Client(self.port)
        files = [line[6:] for line in setup.ask("listall") if line.startswith("file: ")]
        for line in ["newpartition room", "partition room", "moveoutput Second", "partition default"]:
            setup.ask(line)
        for line in [*(f'add "{file}"' for file in files[:8]), f"add {self.station}", "play 0"]:
            assert setup.ask(line)[-1] == "OK", line
        senders = [threading.Thread(target=self.guarded, args=(self.send, number, files)) for number in range(3)]
        others = [threading.Thread(target=self.guarded, args=(work,), daemon=True)
                  for work in (self.idle, self.listen, self.disturb, self.browse, self.browse, self.automate)]
        for thread in senders + others:
            thread.start()
        for thread in senders:
            thread.join()
        self.is_over.set()
        # A client that says nothing for a minute has been disconnected.
        Client(self.port).ask("setvol 50")
        for thread in others:
            thread.join(PATIENCE)

    def guarded(self, work, *arguments):
        """Does the work and notes how it fails."""
        try:
            work(*arguments)
        except (OSError, EOFError, AssertionError, ValueError) as error:
            self.problems.append(f"{work.__name__}: {error!r}")

    def send(self, number, files):
        """Sends random commands, each as soon as the one before is answered, sometimes a moment later."""
        chance = random.Random(self.arguments.seed * 100 + number)
        client = Client(self.port)
        if number == 2:
            client.ask("partition room")
            client.ask(f'add "{files[0]}"')
        weights, makers = zip(*commands(chance, files))
        for _ in range(self.arguments.commands):
            line = chance.choices(makers, weights)[0]().replace("Radio-station", self.station)
            answer = client.ask(line)[-1]
            with self.lock:
                self.answered += 1
                self.refused += answer != "OK"
            if chance.random() < 0.3:
                time.sleep(chance.random() * 0.3)

    def idle(self):
        """Waits for changes and looks at what has changed."""
        client = Client(self.port)
        while not self.is_over.is_set():
            client.ask("idle")
            for line in ("status", "plchanges 0", "outputs"):
                client.ask(line)

    def listen(self):
        """Hears the stream, again and again."""
        while not self.is_over.is_set():
            try:
                with urllib.request.urlopen(self.station, timeout=5) as answer:
                    answer.read(100_000)
            except OSError:
                time.sleep(0.2)

    def browse(self):
        """Does as a browser with the page does: looks at parts, steers by requests and by the WebSocket, and leaves."""
        with self.lock:
            self.visits += 1
            chance = random.Random(f"{self.arguments.seed} {self.visits}")
        web = Web(self.page)
        while not self.is_over.is_set():
            socket = web.socket(timeout=PATIENCE)
            assert socket.status == 101, socket.status
            for _ in range(chance.randrange(3, 12)):
                if self.is_over.is_set():
                    break
                socket.call(*chance.choice([
                    [["status"], ["currentsong"]], [["next"]], [["play", "0"]], [["pause", "1"], ["pause", "0"]],
                    [["setvol", str(chance.randrange(101))]], [["sendmessage", "dj", "on"]], [["outputs"]]]))
                for path in [*chance.sample(PARTS, 3), "metrics"]:
                    answer = web.request("GET", f"/{path}" if path == "metrics" else f"/api/{path}", timeout=PATIENCE)
                    assert answer.status < 500, (path, answer.status)
                    with self.lock:
                        self.looked += answer.status == 200
                answer = web.request("POST", f"/api/player/{chance.choice(['next', 'play', 'pause'])}", {},
                                     timeout=PATIENCE)
                assert answer.status < 500, answer.status
                time.sleep(chance.random() * 0.3)
            # Now and then without a word, as tabs are closed.
            if chance.random() < 0.5:
                socket.send(b"\x03\xe8", opcode=8)
            socket.connection.close()

    def automate(self):
        """Steers from the home and the desktop, where there are programs for it."""
        chance = random.Random(self.arguments.seed + 7)
        while not self.is_over.wait(0.5):
            if command := self.house.command(chance):
                subprocess.run(command, timeout=PATIENCE, check=False, env=self.house.environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def disturb(self):
        """Changes the library at the server, lets that fail for a few answers, and has settings read anew."""
        chance = random.Random(self.arguments.seed)
        while not self.is_over.wait(2):
            what = chance.choice(["touch?n=3", "add?n=2", "remove?n=1", "restore?n=1", "move?n=2",
                                  "fault?mode=cut&after=3000&count=3", "fault?mode=http500&count=2",
                                  "fault?mode=delay&ms=700&count=3", "reload"])
            if what == "reload":
                self.server.send_signal(signal.SIGHUP)
                continue
            with urllib.request.urlopen(f"{self.navidrome}/_control/{what}", timeout=PATIENCE) as answer:
                answer.read()


class House:
    """A broker for home automations and a message bus, as far as the machine has programs for them."""

    BUS = """<busconfig><type>session</type><listen>unix:path={folder}/bus</listen>
<policy context="default"><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
</policy></busconfig>"""

    def __init__(self, folder, start):
        # Debian's broker is where only root looks.
        mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
        self.broker, self.environment, self.sections = None, {**os.environ}, ""
        if mosquitto and shutil.which("mosquitto_pub"):
            self.broker = free_port()
            (folder / "broker.conf").write_text(f"listener {self.broker} 127.0.0.1\nallow_anonymous true\n")
            start("broker", mosquitto, "-c", folder / "broker.conf")
            self.sections += f'[mqtt]\nhost = "127.0.0.1"\nport = {self.broker}\npartitions = true\n'
        self.has_bus = bool(shutil.which("dbus-daemon") and shutil.which("gdbus"))
        if self.has_bus:
            (folder / "bus.conf").write_text(self.BUS.format(folder=folder))
            start("bus", "dbus-daemon", f"--config-file={folder}/bus.conf", "--nofork")
            address = f"unix:path={folder}/bus"
            self.environment.update(DBUS_SESSION_BUS_ADDRESS=address, DBUS_SYSTEM_BUS_ADDRESS=address)
            self.sections += "[desktop]\npartitions = true\npause_on_sleep = true\n"
            wait_for(lambda: (folder / "bus").exists(), "the message bus")

    def command(self, chance):
        """A program's line that steers a player; None where there is nothing to steer by."""
        choices = []
        if self.broker:
            topic, text = chance.choice([("volume", str(chance.randrange(101))), ("random", "on"), ("random", "off"),
                                         *(("player", word) for word in ("play", "next", "toggle", "previous"))])
            partition = chance.choice(["default", "room"])
            choices.append(["mosquitto_pub", "-p", str(self.broker), "-t", f"segue/{partition}/set/{topic}", "-m", text])
        if self.has_bus:
            call = ["gdbus", "call", "--session", "--dest", "org.mpris.MediaPlayer2.segue", "--object-path",
                    "/org/mpris/MediaPlayer2", "--method"]
            choices += [
                [*call, f"org.mpris.MediaPlayer2.Player.{chance.choice(['PlayPause', 'Next', 'Previous', 'Play'])}"],
                [*call, "org.freedesktop.DBus.Properties.GetAll", "org.mpris.MediaPlayer2.Player"]]
        return chance.choice(choices) if choices else None


def write_configuration(folder, navidrome, port, stream, page, sections):
    """Two partitions' worth of outputs, and a station, which is what the server itself plays."""
    path = folder / "segue.toml"
    path.write_text(f"""[server]
listen = ["127.0.0.1:{port}"]
state_directory = "{folder}/state"
cache_directory = "{folder}/cache"
log_level = "debug"
[navidrome]
url = "{navidrome}"
username = "ada"
password = "staple"
sync_interval = 5
[[station]]
name = "Self"
url = "http://127.0.0.1:{stream}/"
[[output]]
type = "null"
name = "Nothing"
[[output]]
type = "httpd"
name = "Stream"
port = {stream}
bind_to_address = "127.0.0.1"
encoder = "mp3"
always_on = true
[[output]]
type = "file"
name = "Recording"
path = "{folder}/heard.wav"
[[output]]
type = "null"
name = "Second"
[web]
listen = ["127.0.0.1:{page}"]
[discovery]
analyse = "library"
playlists = ["all"]
[dj]
switch = true
repeat_hours = 0
{sections}""", encoding="utf-8")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segue", type=pathlib.Path, required=True, help="the server, built with ThreadSanitizer")
    parser.add_argument("--fake-navidrome", type=pathlib.Path, required=True, help="the fake Navidrome, built anyhow")
    parser.add_argument("--preload", type=pathlib.Path, required=True, help="what mutex.c was made into")
    parser.add_argument("--commands", type=int, default=300, help="how many commands each of three clients sends")
    parser.add_argument("--seed", type=int, default=1, help="chooses the commands")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="segue-races-") as name:
        sys.exit(play(pathlib.Path(name), arguments))


def play(folder, arguments):
    """Runs everything in a folder; returns the exit status."""
    processes = []

    def start(what, *line, **environment):
        with open(folder / f"{what}.log", "wb") as log:
            processes.append(subprocess.Popen(
                [*map(str, line)], stdout=log, stderr=log, env={**os.environ, **environment}))
        return processes[-1]
    try:
        start("navidrome", arguments.fake_navidrome, "--songs", SONGS, "--user", "ada", "--password", "staple",
              "--port", 0, "--audio-milliseconds", 20_000, "--true-lengths")
        navidrome = wait_for(lambda: re.search(r"on (http://\S+)", (folder / "navidrome.log").read_text()), "Navidrome")
        house = House(folder, start)
        port, stream, page = free_port(), free_port(), free_port()
        configuration = write_configuration(folder, navidrome[1], port, stream, page, house.sections)
        server = start("segue", arguments.segue, "serve", "--config", configuration,
                       **{**house.environment, "LD_PRELOAD": str(arguments.preload)})
        wait_for(lambda: f"songs: {SONGS}" in Client(port).ask("stats"), "the library")
        began = time.monotonic()
        crowd = Crowd(port, stream, page, navidrome[1], server, house, arguments)
        crowd.run()
        server.terminate()
        status = server.wait(PATIENCE)
        print(f"{crowd.answered} commands were answered in {time.monotonic() - began:.0f} s ({crowd.refused} with an "
              f"error, as it should be), browsers read {crowd.looked} parts; the server ended with status {status}")
        problems = crowd.problems + ([f"the server ended with status {status}"] if status else [])
        for problem in problems:
            print(problem, file=sys.stderr)
        if problems:
            print((folder / "segue.log").read_text(errors="replace")[-5000:], file=sys.stderr)
        return 1 if problems else 0
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()


if __name__ == "__main__":
    main()
