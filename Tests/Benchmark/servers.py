"""The two servers and the fake Navidrome as processes, and what they cost."""
import contextlib
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import time

from connection import Connection


def free_port():
    """A TCP port that is free at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def raise_file_limit():
    """Allows as many open files as the system does; the servers inherit it."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def wait_until(condition, seconds, what):
    """Waits for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"gave up waiting for {what} after {seconds} s")
        time.sleep(0.02)


class Process:
    """A program that runs until it is stopped, with its output in a file."""

    def __init__(self, folder, name):
        self.folder = folder
        self.log = folder / f"{name}.log"
        self.process = None

    def launch(self, *arguments, environment=None, limit=None):
        """Starts the program; `limit` is bytes of private memory, on one processor core."""
        def restrict():
            if limit:
                resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
                os.sched_setaffinity(0, {0})
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(argument) for argument in arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment, preexec_fn=restrict)

    def stop(self):
        """Ends the program and waits for it."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def fail_unless_running(self):
        """Says what the log says when the program has ended."""
        if self.process.poll() is not None:
            raise RuntimeError(f"{pathlib.Path(self.process.args[0]).name} ended:\n{self.log.read_text(errors='replace')[-2000:]}")

    # What it costs

    @property
    def pid(self):
        return self.process.pid

    def cpu(self):
        """Seconds of processor time, of all threads that ever ran."""
        # The clock of another process, as clock_getcpuclockid(3) makes it.
        return time.clock_gettime((~self.pid << 3) | 2)

    def memory(self):
        """Resident, proportional and highest resident memory in KiB, and the number of threads."""
        text = pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        text += pathlib.Path(f"/proc/{self.pid}/status").read_text()
        found = dict(re.findall(r"(?m)^(Rss|Pss|VmHWM|Threads):\s+(\d+)", text))
        return {"rss": int(found["Rss"]), "pss": int(found["Pss"]), "peak": int(found["VmHWM"]),
                "threads": int(found["Threads"])}

    @contextlib.contextmanager
    def on_one_core(self):
        """Keeps its threads and this one on the first core they may use."""
        allowed = os.sched_getaffinity(0)
        tasks = [int(task.name) for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir()]
        for task in [0, *tasks]:
            os.sched_setaffinity(task, {min(allowed)})
        try:
            yield
        finally:
            for task in [0, *tasks]:
                # A thread may have ended.
                with contextlib.suppress(ProcessLookupError):
                    os.sched_setaffinity(task, allowed)

    def switches(self):
        """How often each thread went to sleep of its own will, which is how often it was woken."""
        found = {}
        for task in pathlib.Path(f"/proc/{self.pid}/task").iterdir():
            text = (task / "status").read_text()
            found[task.name] = int(re.search(r"(?m)^voluntary_ctxt_switches:\s+(\d+)", text)[1])
        return found

    def wakeups_since(self, before):
        """How often its threads were woken since `switches` said `before`."""
        return sum(count - before.get(task, 0) for task, count in self.switches().items())


class FakeNavidrome(Process):
    """The library behind Segue; writes MPD's database of the same songs."""

    def __init__(self, folder, program):
        super().__init__(folder, "fake-navidrome")
        self.program = program
        self.port = free_port()

    def start(self, songs, database, audio):
        """Generates and serves; returns the seconds that it took."""
        begin = time.monotonic()
        size = self.log.stat().st_size if self.log.exists() else 0
        self.launch(self.program, "--catalogue", "--songs", songs, "--port", self.port, "--mpd-database", database,
                    "--audio-folder", audio)

        def is_ready():
            self.fail_unless_running()
            return b"songs on" in self.log.read_bytes()[size:]
        wait_until(is_ready, 600, "the fake Navidrome")
        return time.monotonic() - begin


class MusicServer(Process):
    """What both servers have in common."""

    name = ""

    def __init__(self, folder, name):
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder, name)
        self.port = free_port()
        self.queue_is_whole = False

    def connect(self, **options):
        return Connection(self.port, **options)

    def run(self):
        """Starts the program."""
        raise NotImplementedError

    def start(self):
        """Starts the program and returns the seconds until it greets a client."""
        self.queue_is_whole = False
        begin = time.perf_counter()
        self.run()
        while True:
            self.fail_unless_running()
            try:
                self.connect().close()
                return time.perf_counter() - begin
            except OSError:
                if time.perf_counter() - begin > 600:
                    raise
                time.sleep(0.0005)

    def wait_for_songs(self, count):
        """Waits until the library is complete and nothing goes on."""
        with self.connect() as client:
            def is_complete():
                self.fail_unless_running()
                return (client.values("stats", "songs") == [str(count)]
                        and not client.values("status", "updating_db"))
            wait_until(is_complete, 3600, f"{count} songs in {self.name}")

    def fill_queue(self):
        """Puts the whole library into the queue, unless it is there in its order."""
        if self.queue_is_whole:
            return
        with self.connect() as client:
            client.command("clear")
            client.command('add ""')
        self.queue_is_whole = True


class Segue(MusicServer):
    """Segue with a null output; its library is the fake Navidrome's."""

    name = "Segue"

    def __init__(self, folder, program, navidrome_port):
        super().__init__(folder, "segue")
        self.program = program
        self.limit = None
        self.configuration = folder / "segue.toml"
        self.configuration.write_text(
            f'[server]\nlisten = ["127.0.0.1:{self.port}"]\nstate_directory = "{folder}/state"\n'
            f'cache_directory = "{folder}/cache"\nmax_connections = 6000\n'
            f'[navidrome]\nurl = "http://127.0.0.1:{navidrome_port}"\nusername = "admin"\npassword = "secret"\n'
            '[[output]]\ntype = "null"\nname = "Nothing"\n'
            # MPD has none of these, and they are in the answer to lsinfo.
            '[playlists]\nhide = '
            '["recently_added", "recently_played", "most_played", "starred", "random_albums"]\n')
        self.environment = {**os.environ, "HOME": str(folder), "GST_REGISTRY": str(folder / "gstreamer-registry.bin")}

    def run(self):
        self.launch(self.program, "serve", "--config", self.configuration, environment=self.environment,
                    limit=self.limit)


class MPD(MusicServer):
    """MPD with a null output and a database that was written for it."""

    name = "MPD"

    def __init__(self, folder, program):
        super().__init__(folder, "mpd")
        self.program = program
        self.database = folder / "database"
        self.music = folder / "music"
        for path in (self.music, folder / "playlists"):
            path.mkdir(exist_ok=True)
        self.configuration = folder / "mpd.conf"
        # The tags are those of the database file, so that other versions than 0.23 take it too.
        self.configuration.write_text(
            f'music_directory "{self.music}"\nplaylist_directory "{folder}/playlists"\ndb_file "{self.database}"\n'
            f'state_file "{folder}/state"\nsticker_file "{folder}/stickers"\nbind_to_address "127.0.0.1"\n'
            f'port "{self.port}"\nauto_update "no"\nmax_connections "6000"\nmax_playlist_length "2000000"\n'
            'max_output_buffer_size "2097152"\nconnection_timeout "3600"\n'
            'metadata_to_use "artist,album,albumartist,title,track,genre,date,composer,disc"\n'
            'audio_output {\n type "null"\n name "Nothing"\n}\n')

    def run(self):
        self.launch(self.program, "--no-daemon", "--stderr", self.configuration)
