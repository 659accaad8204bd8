"""How the clients' tests run programs: what is missing, the MPD to compare with, and mpc with its status."""
import dataclasses
import os
import re
import subprocess

from harness.programs import need
from harness.reference import ReferenceMPD

MEETING = "Various Voices/Meeting Point"
"""The folder of the album that has every tag and a large cover."""

PATIENCE = 60
"""Seconds that a wait may take on a machine that has other things to do."""


@dataclasses.dataclass(frozen=True)
class Result:
    """What a program said, and how it ended."""
    status: int
    output: str
    error: str


def run_mpc(server, *arguments, text=None, environment=None):
    """Runs mpc, whatever comes of it."""
    need("mpc")
    done = subprocess.run(
        ["mpc", *map(str, arguments)], text=True, capture_output=True, timeout=PATIENCE, input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "MPD_HOST": server.host, "MPD_PORT": str(server.port),
             "TZ": "UTC", **(environment or {})})
    return Result(done.returncode, done.stdout, done.stderr)


def run_mpc_bytes(server, *arguments):
    """Runs mpc for what is no text, such as covers; returns its status, its output, its error."""
    need("mpc")
    done = subprocess.run(
        ["mpc", *map(str, arguments)], capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "MPD_HOST": server.host, "MPD_PORT": str(server.port)})
    return done.returncode, done.stdout, done.stderr


def without_names(text):
    """An answer without the names that MPD quotes in these messages since 0.24."""
    return re.sub(r'(no such sticker|unknown sticker domain):? "[^"]*"', r"\1", text)


def without_attributes(text):
    """What clients print without the attributes of outputs, which are Segue's own: volume, filters, delay."""
    text = re.sub(r'^\t\w+=".*"\n', "", text, flags=re.MULTILINE)
    text = re.sub(r"^\s*attribute = \w+=.*\n?", "", text, flags=re.MULTILINE)
    return re.sub(r"(enabled [01])(?: \w+=\S*)+", r"\1", text)


class ComparedMPD(ReferenceMPD):
    """MPD with stickers and the same outputs as the Segue that it is compared with."""

    def __init__(self, folder, music, outputs):
        super().__init__(folder, music)
        parts = "".join(f'audio_output {{\n type "null"\n name "{name}"\n mixer_type "null"\n}}\n' for name in outputs)
        (folder / "mpd.conf").write_text(
            f'music_directory "{music}"\nplaylist_directory "{folder}/playlists"\ndb_file "{folder}/database"\n'
            f'state_file "{folder}/state"\nsticker_file "{folder}/stickers"\nbind_to_address "127.0.0.1"\n'
            f'bind_to_address "{self.socket}"\nport "{self.port}"\nauto_update "no"\n'
            f'metadata_to_use "+comment"\n{parts}')
