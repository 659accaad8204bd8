#!/usr/bin/env python3
"""Makes the files in this folder: one continuous sound cut in two, encoded by programs that tests can't count on.

Needs lame, ffmpeg and mpcenc (Debian: lame ffmpeg musepack-tools), and mac, an encoder for Monkey's Audio that Debian
does not have: the files here were made with the one of https://github.com/fernandotcl/monkeys-audio
(`cmake . && make`).
The sound is the one that Tests/SoundSamples/CutSound.swift computes.
"""

import array
import math
import os
import struct
import subprocess
import sys
import tempfile
import wave

CUT, END = 30011, 60007


def sound(rate):
    samples = array.array("h")
    for frame in range(END):
        t = frame / rate
        left = 0.3 * math.sin(2 * math.pi * (220 * t + 260 * t * t)) + 0.2 * math.sin(2 * math.pi * 997 * t)
        right = 0.4 * math.sin(2 * math.pi * (350 * t + 190 * t * t)) + 0.1 * math.sin(2 * math.pi * 1511 * t)
        samples.append(round(left * 32767))
        samples.append(round(right * 32767))
    return samples


def write(path, samples, rate):
    with wave.open(path, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def box(name, *parts):
    body = b"".join(parts)
    return struct.pack(">I", 8 + len(body)) + name + body


def note_instead_of_edits(path, delay, frames):
    """Takes the edit list away and adds iTunes' own note of the ends; the tables must be the file's last part."""
    data = open(path, "rb").read()
    start = data.index(b"moov") - 4
    movie = data[start:].replace(b"edts", b"free")
    old = movie.index(b"udta") - 4
    size = struct.unpack(">I", movie[old : old + 4])[0]
    text = b" 00000000 %08X 00000000 %016X" % (delay, frames) + b" 00000000" * 8
    note = box(
        b"----",
        box(b"mean", bytes(4), b"com.apple.iTunes"),
        box(b"name", bytes(4), b"iTunSMPB"),
        box(b"data", struct.pack(">II", 1, 0), text),
    )
    handler = box(b"hdlr", bytes(8), b"mdirappl", bytes(9))
    movie = movie[8:old] + box(b"udta", box(b"meta", bytes(4), handler, box(b"ilst", note))) + movie[old + size :]
    with open(path, "wb") as file:
        file.write(data[:start] + box(b"moov", movie))


TONES = (440, 880, 1320, 60, 1760, 2200, 2640, 3080)
"""The frequency in each channel of surround sound, in the order of WAV; low notes have one that encoders leave."""


def surround(path, channels, mask, frames):
    """Writes a tone in each channel, 48000 Hz."""
    samples = array.array("h", (
        round(0.25 * 32767 * math.sin(2 * math.pi * TONES[channel] * frame / 48000))
        for frame in range(frames) for channel in range(channels)))
    kind = struct.pack("<HHIIHHHHI", 0xFFFE, channels, 48000, 96000 * channels, 2 * channels, 16, 22, 16, mask)
    kind += bytes.fromhex("0100000000001000800000aa00389b71")
    data = samples.tobytes()
    body = b"WAVEfmt " + struct.pack("<I", len(kind)) + kind + b"data" + struct.pack("<I", len(data)) + data
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", len(body)) + body)


def make_surround(folder, temporary):
    """Makes the files with more than two channels; needs flac and ffmpeg."""
    source = os.path.join(temporary, "surround.wav")
    for channels, mask, kinds in ((6, 0x3F, ("flac", "opus", "ogg", "m4a")), (7, 0x70F, ("flac",)), (8, 0x63F, ("flac",))):
        for kind in kinds:
            # Demuxers take a shorter track for a picture.
            surround(source, channels, mask, 48000 if kind == "m4a" else 12000)
            target = os.path.join(folder, f"surround-{channels}.{kind}")
            if kind == "flac":
                run("flac", "-s", "-f", "-8", "--no-padding", "-o", target, source)
                continue
            codec = {"opus": ("libopus", "-mapping_family", "1"), "ogg": ("libvorbis",), "m4a": ("aac",)}[kind]
            run("ffmpeg", "-y", "-loglevel", "error", "-i", source, "-fflags", "+bitexact", "-flags", "+bitexact",
                "-b:a", "256k", "-c:a", *codec, target)


def main():
    folder = os.path.dirname(os.path.abspath(sys.argv[0]))
    with tempfile.TemporaryDirectory() as temporary:
        make_surround(folder, temporary)
        for rate in (44100, 48000):
            samples = sound(rate)
            for name, part in (("a", samples[: 2 * CUT]), ("b", samples[2 * CUT :])):
                source = os.path.join(temporary, f"{name}.wav")
                write(source, part, rate)
                target = os.path.join(folder, name)
                quiet = ("ffmpeg", "-y", "-loglevel", "error", "-i", source, "-fflags", "+bitexact")
                if rate == 48000:
                    run(*quiet, "-c:a", "libopus", "-b:a", "96k", target + ".opus")
                    continue
                run("lame", "--quiet", "-V", "3", source, target + "-lame.mp3")
                run("lame", "--quiet", "-b", "128", "-t", source, target + "-plain.mp3")
                run(*quiet, "-flags", "+bitexact", "-c:a", "libmp3lame", "-b:a", "128k", target + "-ffmpeg.mp3")
                run(*quiet, "-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart", target + "-edits.m4a")
                run(*quiet, "-c:a", "aac", "-b:a", "128k", target + "-note.m4a")
                note_instead_of_edits(target + "-note.m4a", 1024, len(part) // 2)
                run(*quiet, "-c:a", "alac", target + "-alac.m4a")
                run("mpcenc", "--silent", "--overwrite", source, target + ".mpc")
                run("mac", source, target + ".ape", "-c2000")


main()
