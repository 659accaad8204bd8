"""A real segue process with a configuration, a state and a cache of its own."""
import os
import pathlib
import signal
import subprocess

import mpd

from .processes import Daemon, free_port, wait_for_port
from .waiting import wait_for

ROOT = pathlib.Path(__file__).resolve().parents[3]

# A command that python-mpd2 does not know.
mpd.MPDClient.add_command("renamepartition", mpd.MPDClient._parse_nothing)


def binary():
    """The program under test: $SEGUE_BINARY or the debug build's."""
    return pathlib.Path(os.environ.get("SEGUE_BINARY", ROOT / ".build/debug/segue"))


CRASHES = {-signal.SIGABRT, -signal.SIGBUS, -signal.SIGFPE, -signal.SIGILL, -signal.SIGSEGV, -signal.SIGTRAP}
"""The statuses with which a program ends that the system or Swift's checks stopped."""

VIRTUAL_PLAYLISTS = ["recently_added", "recently_played", "most_played", "starred", "random_albums"]
"""The stored playlists that Segue makes of any library, by their names in the configuration."""


def toml(value):
    """A value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    if isinstance(value, (int, float)):
        return str(value)
    return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def toml_text(sections):
    """A configuration file's text; a list stands for several sections of the same name."""
    lines = []
    for name, content in sections.items():
        for section in content if isinstance(content, list) else [content]:
            lines.append(f"[[{name}]]" if isinstance(content, list) else f"[{name}]")
            lines += [f"{key} = {toml(value)}" for key, value in section.items()]
    return "\n".join(lines) + "\n"


class Segue(Daemon):
    """The server under test."""

    def __init__(self, folder, registry, **sections):
        """`sections` go into the configuration: navidrome={...}, output=[{...}], and so on."""
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / "segue.log")
        self.folder = folder
        self.host = "127.0.0.1"
        self.port = free_port()
        self.socket = folder / "socket"
        self.sections = {
            **sections,
            "server": {
                "listen": [f"127.0.0.1:{self.port}", str(self.socket)], "state_directory": folder / "state",
                "cache_directory": folder / "cache", "log_level": "debug",
                # On a busy machine a test's client may say nothing for longer than a minute.
                "connection_timeout": 600, **sections.get("server", {}),
            },
        }
        # The page's usual port is one; tests of the page choose another.
        self.sections.setdefault("web", {"listen": []})
        # Lists that Segue makes itself would stand among those of a test.
        self.sections.setdefault("playlists", {"hide": VIRTUAL_PLAYLISTS})
        # Songs are measured where a test is about that.
        self.sections["discovery"] = {"analyse": "off", **sections.get("discovery", {})}
        self.sections.setdefault("output", [{"type": "null", "name": "Nothing"}])
        self.configuration = folder / "segue.toml"
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "GST_REGISTRY": str(registry),
            **{key: os.environ[key] for key in ("LD_LIBRARY_PATH", "GST_PLUGIN_PATH") if key in os.environ},
        }

    def write_configuration(self):
        """Writes the configuration file."""
        self.configuration.write_text(toml_text(self.sections))
        # It may hold passwords; Segue warns where others can read them.
        self.configuration.chmod(0o600)

    def start(self, songs=None):
        """Starts serving; with `songs`, waits until the library has that many and nothing is being updated."""
        self.write_configuration()
        self.launch([binary(), "serve", "--config", self.configuration], self.environment)
        wait_for_port(self, self.port)
        for address in self.sections["web"]["listen"]:
            wait_for_port(self, int(address.rpartition(":")[2]))
        if songs is not None:
            self.wait_for_songs(songs)
        return self

    def kill(self):
        """Ends the process and its children at once; a process that crashed before fails the test, whatever that was
        about."""
        has_crashed = self.process is not None and self.process.poll() in CRASHES
        super().kill()
        assert not has_crashed, f"the process ended with {self.process.returncode}:\n{self.log[-4000:]}"

    def run(self, *arguments, text=None, seconds=60):
        """Runs a command of the program to its end."""
        return subprocess.run([binary(), *map(str, arguments)], env=self.environment, input=text, text=True,
                              capture_output=True, timeout=seconds)

    def client(self, timeout=20):
        """A new connection with python-mpd2."""
        client = mpd.MPDClient()
        client.timeout = timeout
        client.connect(self.host, self.port)
        return client

    def wait_for_songs(self, count, seconds=120):
        """Waits until the library has that many songs and nothing is being updated."""
        client = self.client()

        def complete():
            self.fail_unless_running()
            songs, status = int(client.stats()["songs"]), client.status()
            assert songs == count and "updating_db" not in status, (songs, status, self.log[-2000:])
            return True
        wait_for(complete, seconds, f"a library of {count} songs")
        client.disconnect()

    @property
    def memory(self):
        """Resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor_seconds(self):
        """How long the process has used a processor; no other program on the machine makes that longer."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Demo(Segue):
    """`segue demo`, which takes no configuration; the environment moves it off the usual port."""

    def start(self, songs=None):
        """Starts the demo and waits until its album is there."""
        self.environment["SEGUE_SERVER_LISTEN"] = f"127.0.0.1:{self.port},{self.socket}"
        self.environment["SEGUE_WEB_LISTEN"] = ""
        self.environment["SEGUE_SERVER_LOG_LEVEL"] = "debug"
        self.launch([binary(), "demo"], self.environment)
        wait_for_port(self, self.port)
        client = self.client()
        wait_for(lambda: int(client.stats()["songs"]) >= 8 and "updating_db" not in client.status(), 60,
                 "the demo's album")
        client.disconnect()
        return self
