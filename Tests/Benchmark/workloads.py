"""The work that clients send, as a table: what is measured on both servers."""
import dataclasses
import random
import time
import typing

from connection import Connection, equals, quoted

#: MPD looks each entry of a playlist up in all folders of the library, which takes minutes for 500,000 of 500,000.
LONGEST_PLAYLIST = 50_000


@dataclasses.dataclass
class Workload:
    """One line of the table."""

    name: str
    #: What is timed. Gets a connection and what the library holds; may return seconds that it timed itself.
    run: typing.Callable
    #: "full": the queue holds the whole library. "edited": the same, and the work changes it.
    queue: typing.Optional[str] = None
    #: What is needed before, and not timed.
    before: typing.Optional[typing.Callable] = None
    #: Removes what was left, not timed.
    after: typing.Optional[typing.Callable] = None
    #: The highest ratio Segue/MPD of the medians that is wanted.
    target: float = 1.0
    #: Whether the answers of both must have the same number of songs, lines and bytes.
    same: bool = True
    #: Whether client and server only take turns. Both are kept on one core then: otherwise the kernel chooses between
    #: one and two, which makes a factor of three, for either server, and hides what the server does.
    in_turns: bool = False
    #: The class of commands in the curves of growth, and whether its cost is that of the queue.
    growth: typing.Optional[str] = None


class Sample:
    """Names that occur in the library, the same for both servers."""

    def __init__(self, server, count=None):
        """Takes `count` artists, or as many as fit the size of the library."""
        choice = random.Random(11)
        with server.connect() as client:
            artists = sorted(value for value in client.values("list albumartist", "AlbumArtist") if value)
            # Each question about an artist costs MPD a walk through the whole library.
            self.songs = int(client.values("stats", "songs")[0])
            count = count or (200 if self.songs <= 200_000 else 20)
            self.artists = choice.sample(artists, min(count, len(artists)))
            folders = sorted(client.values("lsinfo", "directory"))
            self.folders = choice.sample(folders, min(max(count, 100), len(folders)))
            self.albums = [album for folder in self.folders[:100]
                           for album in client.values("lsinfo " + quoted(folder), "directory")[:1]]
            self.files = [file for album in self.albums for file in client.values("listall " + quoted(album), "file")]
            self.files = self.files[:500]


def each(commands):
    """Work that sends commands one after the other and waits for each answer."""
    def run(client, sample):
        for command in commands(sample) if callable(commands) else commands:
            client.command(command)
    return run


def one(command, times=1):
    """Work that sends one command, or the same one several times."""
    def run(client, _sample):
        for _ in range(times):
            client.command(command)
    return run


def connect(client, _sample):
    """A hundred clients that come and go."""
    port = client.socket.getpeername()[1]
    for _ in range(100):
        Connection(port).close()


def wake(client, _sample):
    """Changes an option and waits until 300 idle clients know."""
    idlers = [Connection(client.socket.getpeername()[1]) for _ in range(300)]
    for idler in idlers:
        idler.command("ping")
        idler.send("idle options")
    time.sleep(0.1)
    begin = time.perf_counter()
    client.command("repeat 1")
    for idler in idlers:
        idler.finish()
    seconds = time.perf_counter() - begin
    client.command("repeat 0")
    for idler in idlers:
        idler.close()
    return seconds


def change_and_ask(client, sample):
    """A client that follows the queue: after each change it asks for what is different."""
    for position in range(100):
        version = client.values("status", "playlist")[0]
        client.command(f"move {position} {min(position + 50, sample.songs - 1)}")
        client.command(f"plchanges {version}")


def ranges(sample):
    """A client that scrolls through the queue."""
    return [f"playlistinfo {start}:{start + 100}" for start in range(0, min(10_000, sample.songs), 100)]


def moves(sample):
    half = sample.songs // 2
    return [f"move {position} {position + half}" for position in range(min(500, half))]


def search(letters, window=True):
    limit = " window 0:100" if window else ""
    return "search " + quoted(f"(title contains '{letters}')") + limit


def clear(client, _sample):
    client.command("clear")


def _connection_work():
    return [
        Workload("connect and greeting x100", connect, same=False),
        Workload("ping x2000", one("ping", 2000), growth="ping, status", in_turns=True),
        Workload("status x2000", one("status", 2000), same=False, growth="ping, status", in_turns=True),
        Workload("currentsong x2000", one("currentsong", 2000), in_turns=True),
        Workload("5000 ping in a list", lambda client, _: client.list(["ping"] * 5000)),
        Workload("5000 status in a list", lambda client, _: client.list(["status"] * 5000), same=False),
        Workload("stats x1000", one("stats", 1000), same=False, in_turns=True),
        Workload("tagtypes, outputs, urlhandlers x200", each(["tagtypes", "outputs", "urlhandlers"] * 200),
                 same=False, in_turns=True),
        Workload("idle wake of 300 clients", wake, same=False),
    ]


def _listing_work():
    return [
        Workload("listallinfo", one("listallinfo"), target=0.6, growth="listallinfo"),
        Workload("listall", one("listall"), growth="listall"),
        Workload("lsinfo of the root", one("lsinfo"), growth="lsinfo of the root"),
        Workload("lsinfo of artists, many", each(lambda s: ["lsinfo " + quoted(f) for f in s.folders]),
                 growth="lsinfo of a folder"),
        Workload("lsinfo of 100 albums", each(lambda s: ["lsinfo " + quoted(f) for f in s.albums])),
        Workload("lsinfo of 500 songs", each(lambda s: ["lsinfo " + quoted(f) for f in s.files])),
        Workload("listallinfo of artists, many", each(lambda s: ["listallinfo " + quoted(f) for f in s.folders])),
        Workload("list artist", one("list artist"), growth="list"),
        Workload("list albumartist", one("list albumartist")),
        Workload("list album", one("list album")),
        Workload("list title", one("list title")),
        Workload("list genre", one("list genre")),
        Workload("list date", one("list date")),
        Workload("list album group albumartist", one("list album group albumartist"), growth="list"),
        Workload("list album group date group albumartist", one("list album group date group albumartist")),
        Workload("list album of an artist, many",
                 each(lambda s: ["list album " + equals("albumartist", a) for a in s.artists]),
                 growth="list of an artist"),
        Workload("list artist of a genre", one("list artist \"(genre == 'Jazz')\"")),
        Workload("count of a genre", one("count genre Jazz"), growth="count"),
        Workload("count group artist", one("count group artist"), growth="count"),
        Workload("count group albumartist", one("count group albumartist")),
        Workload("count of a genre group date", one("count \"(genre == 'Rock')\" group date")),
    ]


def _finding_work():
    typed = ["mi", "mid", "midn", "midni", "midnig", "midnight"]
    return [
        Workload("find albumartist, many", each(lambda s: ["find albumartist " + quoted(a) for a in s.artists]),
                 growth="find of an artist"),
        Workload("find by filter, many", each(lambda s: ["find " + equals("albumartist", a) for a in s.artists])),
        Workload("find in a folder, many",
                 each(lambda s: ["find " + quoted(f"(base '{f}')") for f in s.folders if "'" not in f])),
        Workload("find file, many", each(lambda s: ["find file " + quoted(f) for f in s.files[:len(s.artists)]])),
        Workload("find genre, all of it", one("find genre Rock"), growth="find of a genre"),
        Workload("find genre sort title window", one("find \"(genre == 'Rock')\" sort Title window 0:100"),
                 growth="find with sort"),
        Workload("find genre sort -date window", one("find \"(genre == 'Rock')\" sort -Date window 0:100")),
        Workload("find not genre window", one("find \"(genre != 'Rock')\" window 0:100")),
        Workload("find since a date", one("find \"(modified-since '1589000000')\"")),
        Workload("find title contains 3 letters", one("find \"(title contains 'oon')\""), target=0.2),
        Workload("find by expression", one("find \"(title =~ 'Mo+n')\" window 0:100")),
        Workload("search title, 1 letter, window", one(search("e")), growth="search, 1 letter"),
        Workload("search title, 1 letter", one(search("v", window=False))),
        Workload("search title, 2 letters, window", one(search("wo")), growth="search, 2 letters"),
        Workload("search title, 2 letters", one(search("wo", window=False))),
        Workload("search title, 3 letters, window", one(search("moo")), target=0.2),
        Workload("search title, 3 letters", one(search("ebo", window=False)), target=0.2,
                 growth="search, 3 letters"),
        Workload("search title love", one("search title love"), target=0.2),
        Workload("search any, 1 letter, window", one("search \"(any contains 'e')\" window 0:100")),
        Workload("search any, 2 letters, window", one("search \"(any contains 'zy')\" window 0:100")),
        Workload("search any, rare, x20", each(lambda s: ["search any " + quoted(a[:12]) for a in s.artists[:20]]),
                 target=0.2, growth="search any"),
        Workload("search any, nothing", one("search any zzqqxx"), target=0.2, growth="search any"),
        Workload("search as one types", each(["search " + quoted(f"(any contains '{t}')") + " window 0:50"
                                              for t in typed]), target=0.2),
        Workload("search two words", one("search \"((title contains 'moon') AND (artist contains 'star'))\""),
                 target=0.2),
        Workload("search with not", one("search \"((title contains 'moon') AND (!(genre == 'rock')))\""), target=0.2),
        Workload("search starts_with", one("search \"(title starts_with 'moon')\"")),
        Workload("search sort window", one("search \"(title contains 'love')\" sort Artist window 0:100"), target=0.2),
        Workload("searchcount title love", one("searchcount title love"), target=0.2),
    ]


def _queue_work():
    return [
        Workload("clear, add the whole library", each(["clear", 'add ""']), queue="edited", target=0.6,
                 growth="add the library"),
        Workload("clear, searchadd title love", each(["clear", "searchadd title love"]), queue="edited"),
        Workload("add of 100 albums", each(lambda s: ["add " + quoted(a) for a in s.albums]), queue="edited"),
        Workload("addid x500", each(lambda s: ["addid " + quoted(f) for f in s.files]), queue="edited", same=False),
        Workload("addid in front x500", each(lambda s: [f"addid {quoted(f)} 0" for f in s.files]), queue="edited",
                 same=False, growth="addid in front x500"),
        Workload("add of 500 songs in a list", lambda c, s: c.list(["add " + quoted(f) for f in s.files]),
                 queue="edited"),
        Workload("playlistinfo of all", one("playlistinfo"), queue="full", target=0.6, growth="playlistinfo"),
        Workload("playlistinfo, ranges of 100", each(ranges), queue="full", target=0.1),
        Workload("playlistinfo of one x1000", each(lambda s: [f"playlistinfo {p % s.songs}" for p in range(1000)]),
                 queue="full", growth="playlistinfo of one x1000", in_turns=True),
        Workload("playlist", one("playlist"), queue="full"),
        Workload("plchanges of all", one("plchanges 0"), queue="full"),
        Workload("plchangesposid of all", one("plchangesposid 0"), queue="full", same=False,
                 growth="plchangesposid of all"),
        Workload("change and plchanges x100", change_and_ask, queue="edited", same=False,
                 growth="change and plchanges x100"),
        Workload("playlistsearch title love", one("playlistsearch title love"), queue="full",
                 growth="playlistsearch"),
        Workload("playlistsearch any, nothing", one("playlistsearch any zzqqxx"), queue="full"),
        Workload("playlistfind an artist x20", each(lambda s: ["playlistfind albumartist " + quoted(a)
                                                               for a in s.artists[:20]]), queue="full"),
        Workload("move x500", each(moves), queue="edited", growth="move x500"),
        Workload("move of a range x100", each(lambda s: [f"move 0:100 {s.songs // 2}"] * 100), queue="edited",
                 growth="move of a range x100"),
        Workload("swap x500", each(lambda s: [f"swap {p} {s.songs - 1 - p}" for p in range(500)]), queue="edited",
                 growth="swap x500"),
        Workload("delete x500", each(["delete 0"] * 500), queue="edited", growth="delete x500"),
        Workload("delete a range", each(lambda s: [f"delete 0:{s.songs // 50}"]), queue="edited"),
        Workload("prio of a range x100", each(lambda s: [f"prio {p % 2 + 1} 0:{s.songs // 50}" for p in range(100)]),
                 queue="edited"),
        Workload("shuffle", one("shuffle"), queue="edited", growth="shuffle"),
        Workload("shuffle a range", each(lambda s: [f"shuffle 0:{s.songs // 10}"]), queue="edited"),
        Workload("random on and off x20", each(["random 1", "random 0"] * 20), queue="edited"),
        Workload("clear", one("clear"), queue="edited"),
    ]


def _playlist_work():
    def remove(client, _sample):
        for name in client.values("listplaylists", "playlist"):
            # Those in brackets are made of the library and always there.
            if not name.startswith("["):
                client.command("rm " + quoted(name))

    def save(client, sample):
        remove(client, sample)
        client.command("save measured")
        if sample.songs > LONGEST_PLAYLIST:
            client.command(f"playlistdelete measured {LONGEST_PLAYLIST}:{sample.songs}")

    def nothing_left(client, sample):
        remove(client, sample)
    return [
        Workload("save", one("save measured"), queue="full", before=nothing_left, after=remove,
                 growth="save"),
        Workload("listplaylist", one("listplaylist measured"), queue="full", before=save, after=remove),
        Workload("listplaylistinfo", one("listplaylistinfo measured"), queue="full", before=save, after=remove),
        Workload("load 5000 of a playlist", one("load measured 0:5000"), queue="edited", before=save, after=remove),
        Workload("load a playlist", each(["clear", "load measured"]), queue="edited", before=save, after=remove,
                 growth="load"),
        Workload("playlistadd x200", each(lambda s: ["playlistadd short " + quoted(f) for f in s.files[:200]]),
                 before=nothing_left, after=remove),
        Workload("listplaylists x200", one("listplaylists", 200), same=False, in_turns=True),
    ]


def _sticker_work():
    return [
        Workload("sticker set x200", each(lambda s: [f"sticker set song {quoted(f)} rating 4" for f in s.files[:200]])),
        Workload("sticker get x200", each(lambda s: [f"sticker get song {quoted(f)} rating" for f in s.files[:200]]),
                 in_turns=True),
        Workload("sticker find", one('sticker find song "" rating')),
        Workload("sticker delete x200", each(lambda s: [f"sticker delete song {quoted(f)}" for f in s.files[:200]]),
                 before=each(lambda s: [f"sticker set song {quoted(f)} rating 4" for f in s.files[:200]])),
    ]


def all_workloads():
    """Every line of the table, in its order."""
    return (_connection_work() + _listing_work() + _finding_work() + _queue_work() + _playlist_work()
            + _sticker_work())
