"""The program that plays, and the fake Navidrome from which its songs may come."""
import json
import os
import urllib.parse
import urllib.request

from connection import quoted
from servers import MusicServer, Process, free_port, wait_until


class Navidrome(Process):
    """A fake Navidrome with the songs."""

    def __init__(self, folder, program):
        super().__init__(folder, "fake-navidrome")
        self.program = program
        self.port = free_port()

    def start(self, songs):
        """Serves the songs' files, one after the other, as the sound of as many songs of its own."""
        self.launch(self.program, "--songs", len(songs), "--port", self.port, "--audio-folder", songs[0].path.parent)

        def is_ready():
            self.fail_unless_running()
            return b"songs on" in self.log.read_bytes()
        wait_until(is_ready, 60, "the fake Navidrome")

    def ask(self, method, **parameters):
        """Calls the Subsonic API and returns the answer's bytes."""
        query = urllib.parse.urlencode({"u": "admin", "p": "secret", "c": "soak", "v": "1.16.1", "f": "json",
                                        **parameters})
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/rest/{method}.view?{query}", timeout=30) as answer:
            return answer.read()

    def sounds(self):
        """What is sent for each song, by its path."""
        found = json.loads(self.ask("search3", query="", songCount=500, albumCount=0, artistCount=0))
        songs = found["subsonic-response"]["searchResult3"]["song"]
        return {song["path"]: self.ask("stream", id=song["id"]) for song in songs}


class Player(MusicServer):
    """Segue with a recording, beside which nothing takes time unless it is to be paced."""

    name = "Segue"

    def __init__(self, folder, program, songs, navidrome, is_paced):
        super().__init__(folder, "segue")
        self.program = program
        self.songs = songs
        self.navidrome = navidrome
        self.recording = folder / "recording.wav"
        self.recording.unlink(missing_ok=True)
        source = f'[local]\nmusic_directory = "{songs[0].path.parent}"\n'
        if navidrome:
            source = (f'[navidrome]\nurl = "http://127.0.0.1:{navidrome.port}"\nusername = "admin"\n'
                      'password = "secret"\n')
        self.configuration = folder / "segue.toml"
        self.configuration.write_text(
            f'[server]\nlisten = ["127.0.0.1:{self.port}"]\nstate_directory = "{folder}/state"\n'
            f'cache_directory = "{folder}/cache"\n{source}'
            f'[[output]]\ntype = "file"\nname = "Recording"\npath = "{self.recording}"\nformat = "44100:16:2"\n'
            f'[[output]]\ntype = "null"\nname = "Nothing"\nsync = {"true" if is_paced else "false"}\n')
        self.environment = {**os.environ, "HOME": str(folder), "GST_REGISTRY": str(folder / "gstreamer-registry.bin")}

    def run(self):
        """Starts the program."""
        self.launch(self.program, "serve", "--config", self.configuration, environment=self.environment)

    def fill_queue(self):
        """Queues every song, to be repeated; returns them in their order."""
        self.wait_for_songs(len(self.songs))
        with self.connect() as client:
            paths = sorted(client.values("listall", "file"))
            client.command("clear")
            client.list(["add " + quoted(path) for path in paths])
            client.command("repeat 1")
        if self.navidrome:
            by_bytes = {song.path.read_bytes(): song for song in self.songs}
            sounds = self.navidrome.sounds()
            return [by_bytes[sounds[path]] for path in paths]
        by_name = {song.path.name: song for song in self.songs}
        return [by_name[path] for path in paths]

    def play(self):
        """Begins."""
        with self.connect() as client:
            client.command("play 0")

    def stop_playing(self):
        """Ends."""
        with self.connect() as client:
            client.command("stop")

    def play_time(self):
        """The playing time that `stats` has, in seconds."""
        with self.connect() as client:
            return int(client.values("stats", "playtime")[0])

    def status(self):
        """What `status` says, for a person."""
        with self.connect() as client:
            return "; ".join(client.lines("status"))

    def open_files(self):
        """How many files and sockets are open."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))
