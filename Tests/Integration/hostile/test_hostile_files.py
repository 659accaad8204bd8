"""Attacks by files of the music folder: headers and tags that lie, disguises, devices, links, names, sizes."""
import contextlib
import http.server
import os
import pathlib
import shutil
import threading
import time

import pytest
from harness import evil_files
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE, SLOWNESS, has_bytes, quoted


class Trap:
    """A web server that is not to be asked."""

    def __init__(self):
        self.requests = []
        trap = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Notes who asks."""

            def do_GET(self):
                trap.requests.append(self.path)
                self.send_error(404)

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()


@pytest.fixture(scope="module")
def trap():
    """An address that no file may make Segue ask."""
    made = Trap()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture(scope="module")
def music(tmp_path_factory):
    """The music folder; `evil` in it belongs to the test."""
    folder = tmp_path_factory.mktemp("files") / "music"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def server(music, library, registry):
    """Segue on a folder with one honest song."""
    shutil.copy(next(track.path for track in library[1] if track.title == "Sill"), music / "Sill.flac")
    running = Segue(music.parent / "segue", registry, local={"music_directory": music})
    yield running
    running.kill()


@pytest.fixture
def evil(music, target):
    """An empty folder in the music folder; what was in it is gone for the next test."""
    folder = music / "evil"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def sounds(library, tmp_path_factory):
    """Honest bytes of each kind."""
    folder = tmp_path_factory.mktemp("sounds")
    by_kind = {track.path.suffix: track.path for track in library[1]}
    flac = next(track.path for track in library[1] if track.title == "Sill")
    return {"flac": evil_files.small_flac(flac, folder), "mp3": evil_files.without_tags(by_kind[".mp3"]),
            "ogg": by_kind[".ogg"].read_bytes(), "m4a": evil_files.m4as(folder)}


def scan(target, seconds=15):
    """Has the folder looked through."""
    target.ask(b"update")
    wait_for(lambda: not any(line.startswith(b"updating_db") for line in target.lines(b"status")), seconds * PATIENCE,
             "the end of the scan")


def sounds_or_fails(target):
    """Waits until what plays is heard, or said to be impossible, or passed over."""
    songs = set()

    def is_settled():
        said = dict(line.split(b": ", 1) for line in target.lines(b"status") if b": " in line)
        songs.add(said.get(b"songid"))
        return said[b"state"] != b"play" or b"error" in said or len(songs) > 1 or float(said.get(b"elapsed", 0)) > 0.02
    wait_for(is_settled, 20 * PATIENCE, "a sound, or an error", every=0.02)


def use(target):
    """Has the folder looked through, plays what was found in it for a moment each, and asks for all that it holds."""
    scan(target)
    found = [line[6:] for line in target.lines(b"listall") if line.startswith(b"file: evil/")]
    target.ask(b"clear", b"repeat 1", *(b"add " + quoted(path) for path in found), b"play 0")
    with target.raw() as client:
        for path in found:
            for command in (b"readcomments %s", b"readpicture %s 0", b"albumart %s 0", b"readlyrics %s"):
                client.send(command.replace(b"%s", quoted(path)) + b"\n")
                while not (line := client.line()).startswith((b"OK", b"ACK")):
                    if line.startswith(b"binary: "):
                        read(client, int(line[8:]) + 1)
    for _ in found[:20]:
        sounds_or_fails(target)
        target.ask(b"next")
    target.ask(b"listallinfo", b"playlistinfo", b"list artist", b"stop", b"clear")
    return found


def read(client, size):
    """Takes bytes that are no lines."""
    while len(client.received) < size:
        client.received += client.socket.recv(65536)
    client.received = client.received[size:]


def put(folder, files, ending=""):
    """Writes files."""
    for name, data in files.items():
        (folder / (name + ending)).write_bytes(data)


def test_waves_that_no_card_plays(target, evil):
    put(evil, evil_files.waves(), ".wav")
    use(target)


def test_torn_files_cost_no_time_out(target, evil, tmp_path):
    files = evil_files.torn(tmp_path)
    put(evil, files)
    began = time.monotonic()
    scan(target, seconds=60)
    log = target.server.log
    assert log.count("is skipped") >= len(files) / 4, "these files are not damaged enough"
    assert "reading it took too long" not in log
    assert time.monotonic() - began < 0.3 * len(files) * SLOWNESS


def test_a_wave_of_one_hertz(target, evil):
    put(evil, {"slow": evil_files.wav(rate=1)}, ".wav")
    scan(target)
    target.ask(b"clear", b"add evil", b"add Sill.flac", b"crossfade 5", b"repeat 0", b"single 0", b"play 0")
    wait_for(lambda: {b"song: 1", b"state: stop"} & set(target.lines(b"status")), 30 * PATIENCE, "the song behind it")
    target.ask(b"stop", b"crossfade 0", b"clear")


@pytest.mark.parametrize("kind", ["mp3", "flac", "ogg"])
def test_headers_and_tags_that_lie(target, evil, sounds, kind):
    put(evil, {"mp3": evil_files.mp3s, "flac": evil_files.flacs,
        "ogg": evil_files.oggs}[kind](sounds[kind]), f".{kind}")
    use(target)


def test_lengths_that_lie(target, evil, sounds):
    put(evil, sounds["m4a"], ".m4a")
    use(target)


def test_a_lying_length_that_is_next(target, evil, sounds):
    put(evil, {name: sounds["m4a"][name] for name in ("long", "longest")}, ".m4a")
    scan(target)
    target.ask(b"clear", b"add Sill.flac", b"add evil", b"crossfade 2", b"play 0")
    sounds_or_fails(target)
    # Into the last seconds, where the next one is prepared.
    target.ask(b"seekcur 100000")
    sounds_or_fails(target)
    target.ask(b"crossfade 0", b"next", b"next", b"stop", b"clear")


def test_rare_kinds_with_the_largest_numbers(target, evil):
    put(evil, evil_files.others())
    use(target)


@pytest.mark.parametrize("kind", ["mp3", "flac", "ogg", "m4a"])
def test_files_with_flipped_bits(target, evil, sounds, kind):
    sound = sounds[kind]["none"] if kind == "m4a" else sounds[kind]
    for seed in range(3):
        put(evil, evil_files.flipped(sound[:200_000], seed), f".{kind}")
    use(target)


@pytest.mark.smoke
def test_texts_and_pictures_in_disguise(target, evil, trap):
    files = evil_files.disguised(trap.url)
    put(evil, files)
    found = use(target)
    assert not trap.requests, f"a file made Segue ask {trap.requests}"
    assert not found, f"these are no songs: {found}"


def test_disguises_that_come_after_the_scan(target, evil, trap, sounds):
    """The file was a song when it was looked at, and is a playlist when it is played."""
    files = evil_files.disguised(trap.url)
    put(evil, {f"{name.partition('.')[0]}": sounds["flac"] for name in files}, ".flac")
    scan(target)
    target.ask(b"clear", b"add evil")
    for name, data in files.items():
        (evil / f"{name.partition('.')[0]}.flac").write_bytes(data)
    target.ask(b"play 0")
    for _ in range(12):
        sounds_or_fails(target)
        target.ask(b"next")
    target.ask(b"stop", b"clear")
    assert not trap.requests, f"a file made Segue ask {trap.requests}"


@pytest.mark.parametrize("year", [2300, 1700, 9999, 292277026596])
def test_times_of_far_years(target, evil, sounds, year):
    put(evil, {"song": sounds["flac"]}, ".flac")
    seconds = (year - 1970) * 31_556_952
    for path in (evil / "song.flac", evil):
        with contextlib.suppress(OverflowError, OSError):
            os.utime(path, (seconds, seconds))
    use(target)
    assert target.ask(b"find \"(modified-since '2200-01-01T00:00:00Z')\"",
                      b"find \"(added-since '1')\"") == [b"OK", b"OK"]


@pytest.mark.smoke
def test_devices_and_pipes(target, evil, sounds):
    put(evil, {"song": sounds["flac"]}, ".flac")
    for name in ("pipe.flac", "cover.jpg", "song.lrc", ".mpdignore", "list.m3u", "list.cue", "pipe.mp3", "folder.png"):
        evil_files.make_fifo(evil / name)
    for name, device in (("zero.flac", "/dev/zero"), ("random.mp3", "/dev/urandom"), ("null.ogg", "/dev/null"),
                         ("tty.wav", "/dev/tty"), ("full.m4a", "/dev/full"), ("stdin.mp3", "/dev/stdin")):
        (evil / name).symlink_to(device)
    use(target)


def test_covers_without_end(target, evil, sounds):
    for number, name in enumerate(("cover.jpg", "cover.png", "folder.jpg", "front.jpeg")):
        folder = evil / str(number)
        folder.mkdir()
        put(folder, {"song": sounds["flac"]}, ".flac")
        if number % 2:
            (folder / name).symlink_to("/dev/zero")
        else:
            evil_files.sparse(folder / name, 8 << 30, b"\xff\xd8\xff")
    use(target)
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(target.raw()) for _ in range(20)]
        for number, client in enumerate(clients):
            client.send(b"albumart evil/%d/song.flac 0\n" % (number % 4))
        wait_for(lambda: all(has_bytes(client.socket, 1) for client in clients), 20 * PATIENCE, "covers or refusals")


def test_songs_and_words_without_end(target, evil, sounds):
    evil_files.sparse(evil / "long.wav", 64 << 30, evil_files.wav(size=0xffffffff))
    evil_files.sparse(evil / "long.mp3", 64 << 30, sounds["mp3"])
    evil_files.sparse(evil / "long.flac", 64 << 30, sounds["flac"])
    evil_files.sparse(evil / "long.ogg", 64 << 30, sounds["ogg"])
    evil_files.sparse(evil / "zeros.m4a", 64 << 30)
    evil_files.sparse(evil / "long.lrc", 8 << 30, b"[00:01.00]la\n")
    evil_files.sparse(evil / "list.m3u", 8 << 30, b"long.mp3\n")
    use(target)


def test_a_small_cue_sheet_takes_little_memory_and_disk(target, evil):
    evil_files.sparse(evil / "disc.wav", 1300 * 44_100 * 4, evil_files.wav(size=0xffffffff))
    tracks = "".join(f"TRACK {n} AUDIO\nINDEX 01 {n // 60}:{n % 60}:00\n" for n in range(1200))
    moods = "".join(f"REM MOOD {n}\n" for n in range(12_000))
    (evil / "disc.cue").write_text(f'{moods}FILE "disc.wav" WAVE\n{tracks}')
    (evil / "name.cue").write_text(f'FILE "{"n" * 900_000}" WAVE\n{tracks}')
    scan(target, seconds=60)
    assert len(target.lines(b"listplaylist evil/disc.cue")) == 1201
    target.ask(b"listplaylistinfo evil/disc.cue", b"listplaylistinfo evil/name.cue", b"load evil/disc.cue", b"clear")
    assert (target.server.folder / "state/segue.db").stat().st_size < 40e6


def test_tags_of_many_frames_do_not_hold_a_scan_up(target, evil, sounds):
    tags = evil_files.endless_tags()
    put(evil, {name: tag + sounds["mp3"] for name, tag in tags.items()}, ".mp3")
    put(evil, {name: evil_files.in_wav(tag) for name, tag in tags.items()}, ".wav")
    began = time.monotonic()
    use(target)
    assert time.monotonic() - began < 10 * SLOWNESS


def test_links_that_go_round(target, evil, sounds):
    put(evil, {"song": sounds["flac"]}, ".flac")
    (evil / "up").symlink_to("..")
    (evil / "self").symlink_to("self")
    (evil / "sys").symlink_to("/sys")
    (evil / "proc").symlink_to("/proc")
    # Each folder has two ways to the next, so that there are two to the power of thirty paths.
    for number in range(30):
        (evil / f"d{number}").mkdir()
        for way in ("a", "b"):
            (evil / f"d{number}" / way).symlink_to(evil / f"d{number + 1}" if number < 29 else evil)
    began = time.monotonic()
    found = use(target)
    assert len(found) <= 10, f"{len(found)} songs"
    assert time.monotonic() - began < 30 * SLOWNESS


def test_deep_and_wide_folders(target, evil, sounds):
    deep = evil
    for _ in range(400):
        deep = deep / "d"
    deep.mkdir(parents=True)
    put(deep, {"song": sounds["flac"]}, ".flac")
    wide = evil / "wide"
    wide.mkdir()
    for number in range(5000):
        (wide / f"{number}.mp3").touch()
    use(target)


NAMES = [
    b"line\nOK\nfile: x.flac",
    b"\x1b[2Jred.flac",
    b"\xff\xfe\x80.flac",
    b"n" * 250 + b".flac",
    b"..flac",
    b"-rf.flac",
    b"#EXTM3U.flac",
    b"file:x.flac",
    b"http:%2f%2fx.flac",
    b'"quo\\ted".flac',
    b"\xe2\x80\xaegpj.flac",
    b"%00.flac",
    b"CON.flac",
    b"a\rb.flac",
    b"\xc2\x9b31m.flac",
    b"' OR 1=1 --.flac",
     b"ab\"\xcc\x81cd.flac"]


@pytest.mark.smoke
def test_names_of_files(target, evil, sounds):
    for name in NAMES:
        pathlib.Path(os.fsdecode(os.fsencode(evil) + b"/" + name)).write_bytes(sounds["flac"])
    size = target.server.log_path.stat().st_size
    use(target)
    for line in target.lines(b"listallinfo"):
        line.decode("utf-8")
        assert line in (b"OK", b"") or b": " in line, line
    new = target.server.log_path.read_bytes()[size:]
    assert b"\x1b" not in new and b"\xc2\x9b" not in new


LISTS = {
    "self.m3u": "self.m3u\n" * 1000,
    "out.m3u": "../../../../../etc/passwd\n/etc/passwd\nfile:///etc/passwd\n",
    "a.m3u": "b.m3u\n",
    "b.m3u": "a.m3u\n",
    "many.pls": "[playlist]\nNumberOfEntries=99999999999999999999\nFile99999999999999=x\n",
    "laughs.xspf": evil_files.laughs(),
    "deep.xspf": "<playlist>" * 100_000,
    "long.m3u": "x" * 9_000_000,
    "lines.m3u": "song.flac\n" * 600_000,
    "deep.asx": "<asx><entry>" * 50_000,
    "nulls.m3u": "song\0.flac\n\0\0\0\n",
    "times.cue": 'FILE "song.flac" WAVE\n' + "TRACK 99999999999 AUDIO\nINDEX 01 99999999999999:99:99\n" * 50_000,
    "out.cue": 'FILE "/etc/passwd" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n',
    "feed.rss": "<rss><channel>" * 50_000,
    "entities.asx": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><asx><entry><ref href="&f;"/></entry></asx>',
     }


def test_playlists_in_the_folder(target, evil, sounds):
    put(evil, {"song": sounds["flac"]}, ".flac")
    put(evil, {name: text.encode() for name, text in LISTS.items()})
    scan(target)
    for name in LISTS:
        for command in (b"listplaylist", b"listplaylistinfo", b"load"):
            lines = target.lines(command + b" evil/" + name.encode())
            assert not any(b"root:" in line for line in lines)
        target.ask(b"clear")
    target.ask(b"lsinfo evil", b"listfiles evil", b"listall evil")


def test_files_that_change_while_they_play(target, evil, sounds):
    put(evil, {f"s{number}": sounds["flac"] for number in range(6)}, ".flac")
    scan(target)
    target.ask(b"clear", b"add evil", b"repeat 1", b"play 0")
    for number in range(6):
        path = evil / f"s{number}.flac"
        sounds_or_fails(target)
        if number % 3 == 0:
            os.truncate(path, 100)
        elif number % 3 == 1:
            path.unlink()
        else:
            path.unlink()
            path.symlink_to("/dev/zero")
        target.ask(b"next")
    target.ask(b"stop", b"clear")
