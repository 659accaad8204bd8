"""Folders of music from old disks, whose names are not UTF-8."""
import os
import shutil

from mutagen.flac import FLAC

from .music import COVER, write_wav


def raw(folder, path, charset):
    """A path below a folder as the disk has it."""
    return os.path.join(os.fsencode(folder), path.encode(charset))


def put(folder, path, charset, data):
    """Writes a file, with the folders that it needs."""
    file = raw(folder, path, charset)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as target:
        target.write(data)


def put_song(folder, path, charset, flac, **tags):
    """Copies a FLAC file and gives it tags of its own."""
    made = folder / "being made.tmp"
    shutil.copy(flac, made)
    file = FLAC(made)
    file.update(tags)
    file.save()
    put(folder, path, charset, made.read_bytes())
    made.unlink()


def put_noise(folder, path, charset, samples):
    """Writes samples as a WAV file."""
    made = folder / "being made.tmp"
    write_wav(made, samples)
    put(folder, path, charset, made.read_bytes())
    made.unlink()


class OldDisk:
    """A folder with an album in a charset, with all that may lie beside its songs, and one in UTF-8."""

    def __init__(self, folder, charset, artist, song):
        folder.mkdir(parents=True, exist_ok=True)
        (self.folder, self.charset, self.artist, self.song) = (folder, charset, artist, song)

    def fill(self, flac, samples):
        """Makes the files; the tags are in UTF-8, as FLAC has them. The album has four songs."""
        def put_here(path, data):
            put(self.folder, f"{self.artist}/{path}", self.charset, data)
        put_song(self.folder, f"{self.artist}/{self.song}.flac", self.charset, flac, title=self.song,
                 artist=self.artist)
        put_noise(self.folder, f"{self.artist}/{self.song} 2.wav", self.charset, samples[0])
        put_here("cover.png", COVER)
        put_here(f"{self.song}.lrc", f"[00:00.50]{self.song}\n".encode())
        put_here(f"{self.song}.m3u", f"{self.song}.flac\n{self.song} 2.wav\n".encode(self.charset))
        put_noise(self.folder, f"{self.artist}/disc/{self.song}.wav", self.charset, b"".join(samples))
        frames = len(samples[0]) // 4 * 75 // 44100
        put_here(f"disc/{self.song}.cue", "\n".join([
            f'TITLE "{self.song}"', f'FILE "{self.song}.wav" WAVE', "TRACK 01 AUDIO", f'TITLE "{self.song} 1"',
            "INDEX 01 00:00:00", "TRACK 02 AUDIO", f'TITLE "{self.song} 2"',
            f"INDEX 01 00:{frames // 75:02}:{frames % 75:02}", ""]).encode(self.charset))
        put_song(self.folder, f"Ünïcode 曲/{self.song[:1]}.flac", "utf-8", flac, title="New")
        return self

    def path(self, name):
        """A path on the disk."""
        return raw(self.folder, name, self.charset)


def files(client, folder=""):
    """The paths of all songs that a client sees."""
    return sorted(entry["file"] for entry in client.listall(folder) if "file" in entry)
