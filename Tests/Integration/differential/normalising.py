"""What is made alike before answers are compared, each with the reason why it can't be equal."""
import re

LOSSY = (".mp3", ".ogg", ".opus")


TAGS = set("""Artist ArtistSort Album AlbumSort AlbumArtist AlbumArtistSort Title TitleSort Track Name Genre Mood Date
OriginalDate Composer ComposerSort Performer Conductor Work Movement MovementNumber ShowMovement Ensemble Location
Grouping Disc Label Comment MUSICBRAINZ_ARTISTID MUSICBRAINZ_ALBUMID MUSICBRAINZ_ALBUMARTISTID MUSICBRAINZ_TRACKID
MUSICBRAINZ_RELEASETRACKID MUSICBRAINZ_WORKID MUSICBRAINZ_RELEASEGROUPID""".split())


def by_command(text):
    """The command's word."""
    return text.split("\n")[0].split(" ")[0]


def blocks(lines, keys):
    """Lines in groups that begin with one of `keys`, and the lines that end the answer."""
    end = len(lines)
    while end > 0 and not any(": " in line for line in lines[end - 1:end]) or (end and lines[end - 1][:3] == "ACK"):
        end -= 1
    groups = []
    for line in lines[:end]:
        if not groups or line.startswith(keys):
            groups.append([])
        groups[-1].append(line)
    return groups, lines[end:]


def ids(command, lines, first_id):
    """Ids count from a server's start; they are counted from the scenario's."""
    def counted(found):
        return f"{found[1]}{int(found[2]) - first_id + 1}"
    return [re.sub(r"^(Id: |songid: |nextsongid: )(\d+)$", counted, line) for line in lines]


def moments(command, lines, first_id):
    """`elapsed`, `time` and `bitrate` depend on the moment and on the decoder."""
    if command != "status":
        return lines
    lines = [re.sub(r"^(elapsed|bitrate): .*", r"\1: *", line) for line in lines]
    return [re.sub(r"^time: \d+:", "time: *:", line) for line in lines if line != "bitrate: *"]


def versions(command, lines, first_id):
    """The queue's version is a number of the server's own; `plchanges` shows whether it is a right one."""
    return [re.sub(r"^playlist: \d+$", "playlist: *", line) for line in lines] if command == "status" else lines


def clock(command, lines, first_id):
    """What counts from the start of the process or from the first scan."""
    if command == "stats":
        return [re.sub(r"^(uptime|playtime|db_update): \d+", r"\1: *", line) for line in lines]
    return [re.sub(r"^Added: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", "Added: *", line) for line in lines]


def saved(command, lines, first_id):
    """A stored playlist was written at the moment of the test."""
    result = []
    for line in lines:
        is_playlist = bool(result) and result[-1].startswith("playlist: ") and line.startswith("Last-Modified: ")
        result.append("Last-Modified: *" if is_playlist else line)
    return result


def jobs(command, lines, first_id):
    """Updates are numbered from the start of the process."""
    return [re.sub(r"^updating_db: \d+$", "updating_db: *", line) for line in lines]


def unordered(command, lines, first_id):
    """MPD lists files and stored playlists in the order of the file system."""
    if command not in ("listplaylists", "lsinfo", "listfiles"):
        return lines
    keys = ("playlist: ",) if command != "listfiles" else ("file: ", "directory: ")
    groups, end = blocks(lines, ("file: ", "directory: ", "playlist: "))
    ordered = [group for group in groups if not group[0].startswith(keys)]
    free = sorted(group for group in groups if group[0].startswith(keys))
    return [line for group in ordered + free for line in group] + end


def decoders(command, lines, first_id):
    """Lengths and formats of lossy files are what each server's decoder makes of them."""
    result = []
    is_lossy = False
    for line in lines:
        if line.startswith("file: "):
            is_lossy = line.endswith(LOSSY)
        if is_lossy and line.startswith(("Format: ", "duration: ", "Time: ")):
            line = line.partition(" ")[0] + " *"
        result.append(line)
    return result


def tag_order(command, lines, first_id):
    """MPD shows a song's tags in the order of the file; Segue by kind, as a Subsonic server tells no order."""
    result = []
    start = 0
    for index, line in enumerate(lines):
        if not is_tag(line):
            result += sorted(lines[start:index], key=lambda tag: tag.partition(": ")[0]) + [line]
            start = index + 1
    return result + lines[start:]


def is_tag(line):
    """Whether a line shows a tag of a song."""
    return line.partition(": ")[0] in TAGS


def folder_times(command, lines, first_id):
    """A folder's time is that of its newest song; a Subsonic server tells none, and MPD shows the file system's."""
    result = []
    for line in lines:
        is_folder = bool(result) and result[-1].startswith("directory: ") and line.startswith("Last-Modified: ")
        result.append("Last-Modified: *" if is_folder else line)
    return result


def plug_ins(command, lines, first_id):
    """`getfingerprint` is there when chromaprint is, which each server finds, or doesn't, by itself."""
    return [line for line in lines if line != "command: getfingerprint"]


def attributes(command, lines, first_id):
    """What can be set of an output is the server's own."""
    return [line for line in lines if command != "outputs" or not line.startswith("attribute: ")]


def places(command, lines, first_id):
    """The folders of a test have names of their own."""
    return [re.sub(r" /\S+/music/", " /music/", line) if line.startswith("ACK ") else line for line in lines]


def files_of_covers(command, lines, first_id):
    """MPD tells them from 0.25 on."""
    return [line for line in lines if not (command == "albumart" and line.startswith("file: "))]


def real_uris(lines, differs):
    """MPD tells them from 0.25 on: of one command the difference is seen, and the rest of all others is compared."""
    return lines if differs == "real-uri" else [line for line in lines if not line.startswith("RealUri: ")]


def formats(text, lines):
    """MPD forgets the formats of songs that it sorts."""
    is_sorted = " sort " in text and text.startswith(("find ", "search ", "findadd ", "searchadd "))
    return [line for line in lines if not (is_sorted and line.startswith("Format: "))]


EVERY = [tag_order, folder_times, ids, moments, versions, clock, saved, jobs, unordered, decoders, plug_ins, attributes,
         places, files_of_covers]


def unknown_to_023(command, lines):
    """MPD 0.23 doesn't know these lines, and a song in the queue has no format; 0.24's answers are written down."""
    unknown = ("Added: ", "TitleSort: ", "Mood: ", "ShowMovement: ", "lastloadedplaylist: ")
    if command.startswith(("playlistinfo", "playlistfind", "listplaylistinfo")):
        unknown += ("Format: ",)
    return [line for line in lines if not line.startswith(unknown)]


def normalised(text, lines, first_id, with_023=False, differs=None):
    """An answer with everything made alike that can't be equal."""
    lines = real_uris(lines, differs)
    for function in EVERY:
        lines = function(by_command(text), lines, first_id)
    lines = formats(text, lines)
    return unknown_to_023(text, lines) if with_023 else lines
