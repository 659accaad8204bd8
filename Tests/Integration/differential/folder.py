"""The music folder that both servers read: real files with every kind of tag, and names that are hard to quote."""
import os
import shutil

from harness.music import COVER, FLAC_ENCODER, MP3_ENCODER, OGG_ENCODER, generate, png
from mutagen.flac import FLAC, Picture
from mutagen.id3 import APIC, COMM, ID3, TALB, TCON, TDRC, TIT2, TPE1, TPE2, TPOS, TRCK, TSO2, TSOP, TXXX
from mutagen.oggopus import OggOpus
from mutagen.oggvorbis import OggVorbis

OPUS_ENCODER = ("audioresample", "!", "audio/x-raw,rate=48000", "!", "opusenc", "!", "oggmux")
WAV_ENCODER = ("audio/x-raw,format=S16LE", "!", "wavenc")

FIRST_LIGHT = {"artist": "Ada Quartet", "albumartist": "Ada Quartet", "album": "First Light", "date": "2019"}
SECOND_WIND = {"artist": "Ada Quartet", "artistsort": "Quartet, Ada", "albumartist": "Ada Quartet",
               "albumartistsort": "Quartet, Ada", "album": "Second Wind", "albumsort": "Wind 2", "date": "2021-03-04"}
ENAMEL = {"artist": "Émile Borel", "albumartist": "Émile Borel", "album": "Côte d'Émail", "genre": "Electronic",
          "date": "2005-06-01"}
MIXED = {"albumartist": "Various Artists", "album": "Mixed", "date": "1999", "genre": ["Pop", "Rock", "Jazz"]}

SONGS = {
    "Ada Quartet/First Light/01 - Sill.flac": (5, FIRST_LIGHT | {
        "title": "Sill", "tracknumber": "1", "discnumber": "1", "genre": ["Chamber", "Jazz"], "originaldate": "2018",
        "composer": "Clara Bell", "performer": ["Dora", "Eve"], "comment": "Recorded in one take", "label": "Quiet",
        "musicbrainz_artistid": "11111111-2222-3333-4444-555555555555",
        "musicbrainz_albumid": "21111111-2222-3333-4444-555555555555",
        "musicbrainz_albumartistid": "11111111-2222-3333-4444-555555555555",
        "musicbrainz_trackid": "31111111-2222-3333-4444-555555555555",
        "musicbrainz_releasetrackid": "41111111-2222-3333-4444-555555555555"}),
    "Ada Quartet/First Light/02 - Lamp.flac": (6, FIRST_LIGHT | {
        "title": "Lamp", "tracknumber": "2", "discnumber": "1", "artist": ["Ada Quartet", "Bob"], "genre": "Chamber",
        "replaygain_track_gain": "-3.50 dB", "replaygain_track_peak": "0.5"}),
    "Ada Quartet/First Light/10 - Window.flac": (7, FIRST_LIGHT | {
        "title": "Window", "tracknumber": "10", "discnumber": "1", "genre": "Chamber"}),
    "Ada Quartet/First Light/2-01 - Door.flac": (8, FIRST_LIGHT | {
        "title": "Door", "tracknumber": "1", "discnumber": "2"}),
    "Ada Quartet/Second Wind/01 Gust.ogg": (4.3, SECOND_WIND | {"title": "Gust", "tracknumber": "1", "genre": "Jazz"}),
    "Ada Quartet/Second Wind/02 Lull.flac": (5, SECOND_WIND | {"title": "Lull", "tracknumber": "2", "genre": "Jazz"}),
    "Bob/Red & \"Blue\"/01 - It's.flac": (5, {
        "artist": "Bob", "album": "Red & \"Blue\"", "title": "It's", "tracknumber": "1", "genre": "Jazz",
        "composer": "Clara Bell", "date": "1998"}),
    "Bob/Red & \"Blue\"/02 back\\slash.flac": (5, {}),
    "Classical/Work.flac": (9, {
        "artist": "The Orchestra", "title": "Allegro", "composer": "Anton Beta", "composersort": "Beta, Anton",
        "conductor": "Kim Baton", "ensemble": "The Orchestra", "work": "Sonata", "movementname": "Fast", "movement": "1",
        "location": "Hall", "grouping": "Morning", "label": "Loud", "date": "1980-05"}),
    "Deep/a/b/c/deep.flac": (5, {"artist": "Deep", "title": "Down", "album": "Single", "date": "2001"}),
    "Long/Hour.flac": (300, {"artist": "Nora Hale", "title": "Hour", "album": "Long Way", "tracknumber": "1"}),
    "Long/Other.flac": (240, {"artist": "Nora Hale", "title": "Other", "album": "Long Way", "tracknumber": "2"}),
    "Long/Third.flac": (200, {"artist": "Nora Hale", "title": "Third", "album": "Long Way", "tracknumber": "3"}),
    "Straße/GROSS.flac": (5, {"artist": "CAFÉ", "title": "ÉCLAIR Straße", "album": "Single", "genre": "pop"}),
    "Various/Mixed/01 One.flac": (5, MIXED | {"artist": "Bob", "title": "One", "tracknumber": "1/2"}),
    "Various/Mixed/02 Two.opus": (4.3, MIXED | {"artist": "Deep", "title": "Two", "tracknumber": "02"}),
    "root song.flac": (5, {"artist": "Ada Quartet", "title": "Root", "date": "1998"}),
    "two  spaces/a  lead.flac": (5, {"title": "two  spaces", "artist": "Space  Cadet"}),
    "wave.wav": (4, {}),
    "Émile Borel/Côte d'Émail/01 Café à l'été.mp3": (3.4, ENAMEL | {
        "title": "Café à l'été", "tracknumber": "1", "albumartistsort": "Borel, Émile",
        "MusicBrainz Artist Id": "51111111-2222-3333-4444-555555555555",
        "MusicBrainz Album Artist Id": "51111111-2222-3333-4444-555555555555"}),
    "Émile Borel/Côte d'Émail/02 Ørsted 東京.ogg": (3.4, ENAMEL | {"title": "Ørsted 東京", "tracknumber": "2"}),
}
"""Paths with seconds and tags; more than a year lies between 1998 and what `Date` says of most."""

PICTURE = png((20, 160, 90), size=40)


def make_folder(folder):
    """Fills a folder; every file and folder gets a time of its own, so that `Last-Modified` can be compared."""
    masters = {}
    encoders = {"flac": FLAC_ENCODER, "mp3": MP3_ENCODER, "ogg": OGG_ENCODER, "opus": OPUS_ENCODER, "wav": WAV_ENCODER}
    for path, (seconds, tags) in SONGS.items():
        kind = path.rpartition(".")[2]
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if (kind, seconds) not in masters:
            masters[kind, seconds] = folder.parent / f"master-{seconds}.{kind}"
            generate(masters[kind, seconds], seconds, encoders[kind], wave_form="silence" if seconds > 60 else "sine")
        shutil.copy(masters[kind, seconds], file)
        write_tags(file, kind, tags)
    (folder / "Ada Quartet/First Light/cover.png").write_bytes(COVER)
    (folder / "Ada Quartet/notes.txt").write_text("not music\n")
    (folder / "Lists/Deep").mkdir(parents=True)
    (folder / "Lists/Deep/only a list.m3u").write_text("../../root song.flac\nhttp://127.0.0.1:1/gone\n")
    for number, path in enumerate(sorted(folder.rglob("*"), key=lambda path: (-len(path.parts), path))):
        os.utime(path, (1_500_000_000 + 86_400 * number,) * 2)
    return len(SONGS)


CUE = """REM GENRE "Synth Pop"
REM DATE 1987
PERFORMER "The Band"
TITLE "The Disc"
FILE "disc.flac" WAVE
  TRACK 01 AUDIO
    TITLE "One"
    PERFORMER "The Band"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Two"
    PERFORMER "Guest"
    INDEX 00 00:03:50
    INDEX 01 00:04:31
  TRACK 03 AUDIO
    TITLE "Three"
    PERFORMER "The Band"
    INDEX 01 00:08:15
"""


ONE_TRACK = """TITLE "Whole"
FILE "one.flac" WAVE
  TRACK 01 AUDIO
    TITLE "All of it"
    INDEX 01 00:00:00
"""


def make_discs(folder):
    """Fills a folder with discs in one file: with a cue sheet beside it, with one within it, and with a broken one."""
    within = CUE.replace("The Disc", "Inside").replace("Guest", "Visitor")
    for word in ("One", "Two", "Three"):
        within = within.replace(f'"{word}"', f'"Inner {word}"')
    for path, tags in (("disc/disc.flac", {"title": "Whole Disc"}), ("within/within.flac", {"cuesheet": within, "artist": "File Artist"}),
                       ("work/one.flac", {"title": "Work", "cuesheet": ONE_TRACK}), ("root song.flac", {"title": "Root"}), ("broken/song.flac", {"title": "Alone"})):
        (folder / path).parent.mkdir(exist_ok=True)
        generate(folder / path, 12, FLAC_ENCODER)
        write_tags(folder / path, "flac", tags)
    (folder / "disc/disc.cue").write_text(CUE)
    (folder / "broken/missing.cue").write_text(CUE.replace("disc.flac", "gone.flac"))
    (folder / "lists").mkdir()
    (folder / "lists/discs.m3u").write_text("../disc/disc.flac\n../within/within.flac\n../root song.flac\n")
    for number, path in enumerate(sorted(folder.rglob("*"), key=lambda path: (-len(path.parts), path))):
        os.utime(path, (1_500_000_000 + 86_400 * number,) * 2)
    return 5


def write_tags(file, kind, tags):
    """Writes tags the way the file's format has them."""
    if kind == "mp3":
        frames = ID3()
        for frame, name in ((TIT2, "title"), (TPE1, "artist"), (TPE2, "albumartist"), (TALB, "album"),
                            (TRCK, "tracknumber"), (TCON, "genre"), (TDRC, "date"), (TPOS, "discnumber"),
                            (TSOP, "artistsort"), (TSO2, "albumartistsort")):
            if name in tags:
                frames.add(frame(encoding=3, text=tags[name]))
        for name in ("MusicBrainz Artist Id", "MusicBrainz Album Artist Id"):
            if name in tags:
                frames.add(TXXX(encoding=3, desc=name, text=tags[name]))
        frames.add(COMM(encoding=3, lang="eng", desc="", text="Bonjour"))
        frames.add(APIC(encoding=3, mime="image/png", type=3, desc="", data=PICTURE))
        frames.save(file)
        return
    if kind == "wav":
        return
    song = {"flac": FLAC, "ogg": OggVorbis, "opus": OggOpus}[kind](file)
    song.delete()
    song.update(tags)
    if file.name == "01 - Sill.flac":
        picture = Picture()
        picture.data, picture.type, picture.mime = PICTURE, 3, "image/png"
        song.add_picture(picture)
    song.save()
