"""Songs whose tempo, key, style, artist and loudness are known, made by ffmpeg: the same ones in every run."""
import concurrent.futures
import dataclasses
import math
import os
import random
import subprocess

KEYS = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
# Chords of a bar each, as steps of the scale: their roots and whether they are minor, in major and in minor keys.
CHORDS = {False: [(0, False), (5, False), (7, False), (0, False)], True: [(0, True), (5, True), (7, True), (0, True)]}


@dataclasses.dataclass
class Style:
    """What the songs of a style have in common."""
    harmonics: list
    kick: float
    snare: float
    hat: float
    tempi: tuple
    octave: int
    attack: float
    level: float


STYLES = [
    Style([1, .5, .33, .25], .8, .4, .3, (118, 136), 0, 0, -10),
    Style([1, .1], .5, .15, .05, (70, 92), -1, 0, -18),
    Style([1, 0, .33, 0, .2], .6, .6, .15, (92, 112), 0, 1, -13),
    Style([.3, 1, .6, .5, .4, .3], .9, .7, .5, (138, 172), 1, 0, -8),
    Style([1, .6, .1], 0, 0, .2, (84, 110), 1, 6, -20),
    Style([.6, .2, .5, .1, .4], .3, .5, .02, (100, 124), -1, 2, -15),
    Style([1, .9, .8, .7, .6, .5], .7, .2, .6, (126, 150), -1, 0, -9),
    Style([1, .02, .2], .45, .02, .4, (76, 100), 1, 12, -16),
]


@dataclasses.dataclass
class Song:
    """A song and the truth about it."""
    name: str
    style: int
    artist: int
    tempo: float
    key: str
    level: float
    has_drums: bool
    expression: str


def compose(number, styles=len(STYLES), artists=5):
    """The song of a number: styles take turns, and in each its artists do."""
    chance = random.Random(number * 7919 + 1)
    style_number, rest = number % styles, number // styles
    artist, style = rest % artists, STYLES[style_number]
    taste = random.Random(style_number * 100 + artist)
    harmonics = [weight * taste.uniform(.75, 1.3) for weight in style.harmonics]
    kick, snare, hat = (part * taste.uniform(.8, 1.2) for part in (style.kick, style.snare, style.hat))
    tempo = round(chance.uniform(*style.tempi), 2)
    root, minor = chance.randrange(12), chance.random() < .5
    level = style.level + taste.uniform(-1.5, 1.5) + chance.uniform(-1, 1)
    beat = 60 / tempo
    shift = chance.uniform(0, beat)
    chords = CHORDS[minor]
    steps = "+".join(f"{step}*eq(ld(1),{place})" for place, (step, _) in enumerate(chords) if step) or "0"
    third = "+".join(f"{3 if is_minor else 4}*eq(ld(1),{place})" for place, (_, is_minor) in enumerate(chords))
    base = 261.626 * 2 ** (style.octave + (root - 12 if root > 6 else root) / 12)
    total = sum(abs(weight) for weight in harmonics) * 3
    notes = "+".join(
        f"{weight / total:.4f}*sin({2 * math.pi * (place + 1):.6f}*t*ld({note}))"
        for note in (2, 3, 4) for place, weight in enumerate(harmonics) if abs(weight) > .01)
    swell = f"*(0.25+0.75*exp(-{style.attack:.2f}*ld(0)))" if style.attack else ""
    expression = (
        f"st(0,mod(t+{shift:.5f},{beat:.6f}));st(5,mod(t+{shift + beat / 2:.5f},{beat:.6f}));"
        f"st(6,mod(t+{shift + beat:.5f},{2 * beat:.6f}));"
        f"st(1,mod(floor((t+{shift:.5f})/{4 * beat:.6f}),4));"
        f"st(2,{base:.4f}*pow(2,({steps})/12));st(3,ld(2)*pow(2,({third})/12));st(4,ld(2)*1.498307);"
        f"st(7,random(8)*2-1);"
        f"0.5*({notes}){swell}"
        f"+{kick:.3f}*exp(-25*ld(0))*sin({2 * math.pi * taste.uniform(60, 95):.3f}*ld(0))"
        f"+{snare * .5:.3f}*exp(-{taste.uniform(18, 30):.1f}*ld(6))*ld(7)"
        f"+{hat * .4:.3f}*exp(-{taste.uniform(60, 110):.1f}*ld(5))*ld(7)+0.002*ld(7)")
    return Song(f"{style_number}-{artist}/{number:04}.flac", style_number, style_number * artists + artist, tempo,
                KEYS[root] + ("m" if minor else ""), level, style.kick > .1, expression)


def make(songs, folder, seconds, jobs=2):
    """Writes songs as FLAC, with silence and fades at their ends, each brought to about its level."""
    def write(song):
        path = folder / song.name
        path.parent.mkdir(parents=True, exist_ok=True)
        chance = random.Random(song.name)
        quiet, rise, fall = chance.uniform(0, .8), chance.uniform(.02, 2), chance.uniform(.05, 5)
        filters = (f"volume={song.level + 9:.2f}dB,afade=t=in:d={rise:.2f},"
                   f"afade=t=out:st={seconds - fall:.2f}:d={fall:.2f},adelay={int(quiet * 1000)},"
                   "alimiter=limit=0.98:level=0")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "lavfi", "-i",
             f"aevalsrc=exprs='{song.expression}':s=22050:d={seconds}", "-af", filters, "-ac", "2", "-ar", "44100",
             "-sample_fmt", "s16", "-metadata", f"artist=Artist {song.artist}", "-metadata", f"title={path.stem}",
             "-metadata", f"genre=Style {song.style}", path], check=True, env={**os.environ})
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(write, songs))
