"""Short songs whose samples are known and occur nowhere else."""
import dataclasses
import pathlib
import random
import subprocess
import wave

RATE = 44100
COUNT = 40
ENCODERS = {"flac": ("flacenc",), "wav": ()}


@dataclasses.dataclass(frozen=True)
class Song:
    """A file and its samples, 16 bit little endian stereo."""
    path: pathlib.Path
    samples: bytes


def make(folder, formats=tuple(ENCODERS)):
    """Makes songs of 0.1 to 0.6 seconds in these lossless formats, or takes those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(4)
    made = []
    for number in range(COUNT):
        samples = chance.randbytes(chance.randrange(RATE // 10, RATE * 6 // 10) * 4)
        suffix = formats[number % len(formats)]
        path = folder / f"{number:02}.{suffix}"
        if not path.exists():
            encode(path, samples, ENCODERS[suffix])
        made.append(Song(path, samples))
    return made


def encode(path, samples, encoder):
    """Writes a file."""
    plain = path.with_suffix(".wav")
    with wave.open(str(plain), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples)
    if encoder:
        subprocess.run(["gst-launch-1.0", "-q", "filesrc", f"location={plain}", "!", "wavparse", "!", *encoder, "!",
                        "filesink", f"location={path}"], check=True, timeout=120, capture_output=True)
        plain.unlink()
