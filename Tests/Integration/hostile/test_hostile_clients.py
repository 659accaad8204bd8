"""Attacks by clients of the protocol: numbers, texts, searches, and reaching for what is not theirs."""
import contextlib
import itertools
import pathlib
import random
import socket
import threading
import time

import pytest
from harness.clients import RawClient
from harness.waiting import wait_for
from harness.watch import PATIENCE, SLOWNESS, drain, quoted


@pytest.fixture(scope="module")
def server(two_sources):
    """Segue in front of a fake Navidrome and of a folder."""
    return two_sources


@pytest.fixture(scope="module")
def songs_before():
    """The songs of both."""
    return 501


LOCAL = b"local/Sill.flac"
HUGE = (b"9223372036854775807", b"-9223372036854775808", b"99999999999999999999999999", b"4294967296", b"-1", b"1e308",
        b"nan", b"inf", b"0x7fffffff", b"", b"1.7976931348623157e309")


# MARK: Numbers

@pytest.mark.parametrize("name", [b"playCount", b"rating"])
def test_stickers_with_huge_numbers(target, song, name):
    """Those that Segue has a use for; `HostileLinesTests.swift` has the others."""
    for uri, value in itertools.product((song, LOCAL), HUGE):
        target.ask(b"sticker set song %s %s %s" % (quoted(uri), name, quoted(value)))
        target.ask(b"sticker set song %s %s 1" % (quoted(uri), name))
        target.ask(b"sticker set song %s %s 9223372036854775807" % (quoted(uri), name),
                   b"sticker inc song %s %s 9223372036854775807" % (quoted(uri), name),
                   b"sticker inc song %s %s %s" % (quoted(uri), name, quoted(value)),
                   b"sticker dec song %s %s 9223372036854775807" % (quoted(uri), name),
                   b"sticker dec song %s %s %s" % (quoted(uri), name, quoted(value)))
    # The song is counted with the largest of all numbers.
    target.ask(b"sticker set song %s playCount 9223372036854775807" % quoted(song), b"clear",
               b"add " + quoted(song), b"repeat 0", b"play 0")
    wait_for(lambda: b"state: stop" in target.lines(b"status"), 20 * PATIENCE, "the end of the song")
    assert target.ask(b"sticker find song \"\" " + name) == [b"OK"]


def test_every_command_with_extreme_arguments(target, song):
    with target.raw() as client:
        names = [line[9:] for line in client.ask(b"commands") if line.startswith(b"command: ")]
    target.ask(b"add navidrome")
    values = [*HUGE, b"0:9223372036854775807", b"9223372036854775807:", b"-5:-1", b"9:3", song, b"..", b"+99999999999",
              b"\xf0\x9f\x92\xa3" * 300, b"/", b"*", b"(x == 'y')"]
    for name in sorted(set(names) - {b"kill", b"close", b"idle", b"password", b"command_list_begin"}):
        for count in range(0, 5):
            for shift in range(0, len(values), 5):
                some = [values[(shift + place * 7) % len(values)] for place in range(count)]
                assert target_answers(target, name, some), name
    target.ask(b"partition default", b"clear")


_LINES = {}


def target_answers(target, name, arguments):
    """Whether a command was answered, or its connection closed; connections are used again."""
    client = _LINES.get(target)
    if client is None:
        _LINES.clear()
        client = _LINES[target] = target.raw()
    try:
        client.send(b" ".join([name, *map(quoted, arguments)]) + b"\n")
        if client.answer_or_end() is None:
            _LINES.clear()
    except (BrokenPipeError, ConnectionResetError):
        _LINES.clear()
    target.server.fail_unless_running()
    return True


LINES = [
    b"seek 0 %s", b"seekcur %s", b"seekcur +%s", b"crossfade %s", b"mixrampdb %s", b"mixrampdelay %s", b"setvol %s",
    b"volume %s", b"rangeid 1 0:%s", b"rangeid 1 %s:%s", b"prio %s 0", b"play %s", b"binarylimit %s", b"plchanges %s",
    b"move 0 %s", b"delete %s", b"outputset 0 volume %s", b"albumart local/Sill.flac %s", b"search any a window 0:%s",
    b"searchplaylist x any a window %s:", b"playlistinfo %s:%s", b"load x 0:%s", b"shuffle %s:%s", b"addid local %s",
]


@pytest.mark.smoke
def test_numbers_in_a_playing_server(target):
    for line in LINES:
        target.ask(b"clear", b"add local", b"add local", b"repeat 1", b"crossfade 0", b"play 0")
        with target.raw() as client:
            client.send(b"".join(line.replace(b"%s", value or b'""') + b"\n" for value in HUGE))
            assert [client.answer()[-1][:3] in (b"OK", b"ACK") for _ in HUGE] == [True] * len(HUGE), line
        assert target.ask(b"status", b"stop", b"crossfade 0", b"mixrampdelay nan", b"setvol 100", b"clear")[0] == b"OK"


# MARK: Searches

EVIL_PATTERNS = [
    # All of them stand in `HostileLinesTests.swift`.
    b"(*NO_JIT)(.*.*.*.*.*.*.*.*.*.*)(?!|x)",
    b"(.*)*(.*)*(.*)*x\\1\\2\\3",
    b"(?:(?:a{0,200}){0,200}){0,200}b",
    b"((((((((((.*)*)*)*)*)*)*)*)*)*)*\xff",
]


@pytest.mark.parametrize("pattern", EVIL_PATTERNS, ids=lambda pattern: repr(pattern[:22]))
def test_regular_expressions(target, pattern):
    expression = quoted(b"(title =~ '" + pattern.replace(b"\\", b"\\\\").replace(b"'", b"\\'") + b"')")
    anywhere = quoted(b"(any =~ '" + pattern.replace(b"\\", b"\\\\").replace(b"'", b"\\'") + b"')")
    target.ask(b"clear", b"add navidrome", b"rm all", b"save all")
    began = time.monotonic()
    together = [threading.Thread(target=target.ask, args=(line,), daemon=True) for line in (
        b"playlistsearch " + expression, b"search " + anywhere, b"searchplaylist all " + expression,
        b"list title " + expression, b"playlistfind " + anywhere, b"find " + expression + b" sort title")]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join(20 * PATIENCE)
        assert not thread.is_alive(), "a search never ended"
    assert time.monotonic() - began < 20 * SLOWNESS


def test_searches_whose_clients_go_end(target):
    target.ask(b"clear", b"add navidrome")
    pattern = quoted(b"(any =~ '" + EVIL_PATTERNS[0] + b"')")
    for _ in range(40):
        client = target.raw()
        client.send(b"search " + pattern + b"\nplaylistsearch " + pattern + b"\n")
        client.socket.close()
    began = time.monotonic()
    assert target.ask(b"search any e") == [b"OK"]
    assert time.monotonic() - began < 5 * SLOWNESS, "searches of clients that went hold others up"


@pytest.mark.parametrize("line", [b"searchadd ", b"findadd ", b"searchaddpl gone "])
def test_edits_whose_clients_go_end(target, line):
    target.ask(b"clear", b"rm gone")
    pattern = quoted(b"(any =~ '" + EVIL_PATTERNS[0] + b"')")
    for number in range(60):
        client = target.raw()
        if number % 2:
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        client.send(line + pattern + b"\n")
        client.socket.close()
    began = time.monotonic()
    target.ask(b"searchadd " + pattern)
    assert time.monotonic() - began < 5 * SLOWNESS, "edits of clients that went hold others up"
    assert target.ask(b"add navidrome", b"clear", b"rm gone")[:2] == [b"OK"] * 2


@pytest.mark.parametrize("filter", [
    b"(" * 8000 + b")" * 8000, b"(" + b" AND ".join([b"(any contains 'e')"] * 600) + b")",
    b"(modified-since '99999999999999999999')",
], ids=lambda value: repr(value[:16]))
def test_filters(target, filter):
    """All of them stand in `HostileLinesTests.swift`."""
    for command in (b"find", b"search", b"count", b"playlistfind", b"list title", b"searchadd", b"findadd"):
        target.ask(command + b" " + quoted(filter))
    target.ask(b"clear")


@pytest.mark.parametrize("text", [b"\xcc\x81" * 4000, b"\xef\xbf\xbf\xed\xa0\x80", b"' OR 1=1 --"])
def test_texts_to_search_for(target, text):
    for command in (b"search title", b"search any", b"find artist", b"playlistsearch title", b"list album artist",
                    b"searchcount title", b"sticker find song \"\" rating ="):
        answer = target.ask(command + b' "' + text + b'"')[0]
        assert answer is None or b"database" not in answer, answer


def test_products_of_tags(target):
    tags = [
    b"artist",
    b"album",
    b"title",
    b"date",
    b"genre",
    b"track",
    b"composer",
    b"performer",
    b"disc",
     b"albumartist"]
    for count in (3, 6, 10):
        target.ask(b"list file " + b" ".join(b"group " + tag for tag in tags[:count]),
                   b"list title " + b" ".join(b"group " + tag for tag in tags[:count]),
                   b"count " + b" ".join(b"group " + tag for tag in tags[:count]))
    target.ask(b"list title" + b" group title" * 400)


# MARK: What is not theirs

@pytest.mark.parametrize("name", [ b"../../evil", b"a/b", b"/etc/cron.d/x", b"..", b".",
                         b"a\rb", b"\x1b[2J", b"n" * 5000, b"[Radio]", b"x\x00y", b"a\xff"])
def test_names_of_playlists(target, name):
    target.ask(b"clear", b"add local")
    before = set(pathlib.Path(target.server.folder).rglob("*"))
    for line in (b"save %s", b"playlistadd %s local/Sill.flac", b"rename all %s", b"load %s", b"listplaylist %s",
                 b"rm %s", b"searchaddpl %s any e", b"playlistclear %s"):
        target.ask(line.replace(b"%s", quoted(name)))
    outside = {path for path in set(pathlib.Path(target.server.folder).rglob("*")) - before
               if path.relative_to(target.server.folder).parts[0] not in ("state", "cache")}
    assert not outside, outside
    assert not pathlib.Path("/etc/cron.d/x.m3u").exists()


ADDRESSES = [
    b"file:///etc/passwd", b"/etc/passwd", b"local/../../../../etc/passwd", b"local/%2e%2e/%2e%2e/etc/passwd", b"..",
    b"file://localhost/etc/passwd", b"file:///proc/self/environ", b"FILE:/etc/passwd", b"local//etc/passwd",
    b"local/\x00/etc/passwd", b"cdda://", b"smb://127.0.0.1/x", b"nfs://127.0.0.1/etc", b"alsa://hw:0", b"gopher://x/y",
    b"dvd://", b"v4l2:///dev/video0", b"concat:/etc/passwd|/etc/group", b"fd://0", b"pipe:0", b"data:text/plain,x"]


@pytest.mark.smoke
@pytest.mark.parametrize("uris", [ADDRESSES[:7], ADDRESSES[7:14], ADDRESSES[14:]], ids=["paths", "schemes", "devices"])
def test_files_outside(target, uris):
    for uri in uris:
        target.ask(b"clear")
        look_for_files(target, uri)
        target.ask(b"play", b"unmount stolen")
        wait_for(lambda: b"state: play" not in target.lines(b"status"), 20 * PATIENCE, f"an end of {uri}")
    target.ask(b"clear")


def look_for_files(target, uri):
    """Asks for an address in every way, and looks for what stands in files of the system."""
    for command in (b"readcomments %s", b"albumart %s 0", b"readpicture %s 0", b"readlyrics %s", b"listfiles %s",
                    b"lsinfo %s", b"listplaylist %s", b"listplaylistinfo %s", b"load %s", b"getfingerprint %s",
                    b"update %s", b"addid %s", b"playlistadd all %s", b"mount stolen %s"):
        lines = target.lines(command.replace(b"%s", quoted(uri)))
        text = b"\n".join(lines)
        assert b"root:" not in text and b"PATH=" not in text, f"{command} showed a file: {text[:200]}"
        assert b"daemon" not in text


def test_mounts_from_the_network(target):
    for where in (b"/sys", b"/", b"/proc", b"/dev", b"/etc", b"file:///sys", b"~", b"../..", b"."):
        answer = target.ask(b"mount stolen " + quoted(where))[0]
        assert answer is None or answer.startswith(b"ACK"), f"a client of the network mounted {where}"
        target.ask(b"unmount stolen")


def test_secrets_in_addresses_stay_secret(target):
    target.ask(b"clear", b"addid http://ada:s3cret@user:9wd@127.0.0.1:9/live@x", b"play 0")
    wait_for(lambda: any(line.startswith(b"error: ") for line in target.lines(b"status")), 20 * PATIENCE, "an error")
    target.ask(b"save kept-secret")
    with target.raw() as other:
        for command in (b"playlistinfo", b"currentsong", b"status", b"listplaylist kept-secret", b"plchanges 0",
                        b"listplaylistinfo kept-secret", b"playlistid"):
            text = b"\n".join(other.ask(command))
            assert b"s3cret" not in text and b"9wd" not in text, command
    assert "s3cret" not in target.server.log
    target.ask(b"clear", b"rm kept-secret")


@pytest.mark.parametrize("request_", [
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\nclear\nkill\nclear\n",
    b"GET /clear HTTP/1.1\r\nHost: x\r\n\r\nclear\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03clear\nclear\n",
    b"OPTIONS * HTTP/1.1\r\n\r\nclear\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nclear\n", b"SSH-2.0-x\r\nclear\n",
    b"CONNECT x:1 HTTP/1.1\r\n\r\nclear\n", b"\x00\x00\x00\x0aclear\nclear\n", b"EHLO x\r\nclear\n",
], ids=lambda value: repr(value[:12]))
def test_other_protocols_run_no_command(target, request_):
    target.ask(b"clear", b"add local")
    with target.raw() as client:
        with contextlib.suppress(OSError, EOFError):
            client.send(request_)
            while client.line() is not None:
                pass
    assert b"playlistlength: 1" in target.lines(b"status"), "another protocol's request cleared the queue"
    target.ask(b"clear")


def test_passwords_can_not_be_guessed(target):
    with target.raw() as client:
        began = time.monotonic()
        for _ in range(2):
            assert client.ask(b"password wrong")[-1].startswith(b"ACK")
        assert time.monotonic() - began > 1.9, "two guesses in less than two seconds"
        client.send(b"password wrong\n" * 20_000)
    others = [threading.Thread(target=target.ask, args=(b"password wrong",), daemon=True) for _ in range(30)]
    for other in others:
        other.start()
    wait_for(lambda: any("127.0.0.1" in line for line in target.server.log.splitlines() if "password" in line.lower()),
             10 * PATIENCE, "a line of the log that names the guesser")
    assert "open-sesame" not in target.server.log and "password=wrong" not in target.server.log


@pytest.mark.smoke
def test_garbage_of_all_kinds(target):
    chance = random.Random(1)
    for _ in range(150):
        with contextlib.suppress(OSError, EOFError), RawClient(target.server, 20 * PATIENCE) as client:
            client.send(chance.randbytes(chance.randrange(1, 30_000)) + b"\n")
            client.send(b"command_list_ok_begin\n" * 3 + b"command_list_end\n" * 3 + b"noidle\n")


def test_tagtypes_and_protocols_without_end(target):
    target.ask(b"tagtypes enable " + b"artist " * 2000, b"tagtypes reset " + b"title " * 2000,
               b"protocol enable " + b"x" * 8000, b"protocol clear", b"tagtypes clear\n" * 1)
    with target.raw(timeout=60 * PATIENCE) as client:
        threading.Thread(target=drain, args=(client.socket,), daemon=True).start()
        client.send(b"tagtypes all\ntagtypes clear\nprotocol all\nprotocol clear\n" * 20_000)
    assert target.ask(b"listallinfo") == [b"OK"]


def test_outputs_and_attributes(target):
    for name in (b"volume", b"x" * 9000, b"dop", b"allowed_formats", b"\x1b[2J", b"a=b", b"..", b"", b"effects", b"graph"):
        for value in (*HUGE, b"v" * 8000, b"\xff\xfe"):
            target.ask(b"outputset 0 %s %s" % (quoted(name), quoted(value)))
    for value in (b"filesrc location=/etc/passwd", b"fakesrc ! filesink location=x", b"! ! !", b"volume " * 500,
                  b"audioecho max-delay=18446744073709551615", b"tee name=t ! queue", b"festival host=evil"):
        assert target.ask(b"outputset 0 effects %s" % quoted(value))[-1].startswith(b"ACK [2@0]")
    for value in (b"amovie=/etc/passwd", b"volume=volume='while(1,0)'", b"arnndn=m=/etc/passwd", b"azmq", b"[in]anull[out]",
                  b"ametadata=print:file=/tmp/x", b"ladspa=file=/tmp/x.so", b"volume," * 500):
        assert target.ask(b"outputset 0 graph %s" % quoted(value))[-1].startswith(b"ACK [2@0]")
    with target.raw(timeout=60 * PATIENCE) as client:
        client.send(b"toggleoutput 0\ndisableoutput 0\nenableoutput 0\n" * 500)
        for _ in range(1500):
            client.answer()
    target.ask(b"enableoutput 0")


def test_what_others_may_not_read(target):
    """Nothing of the server's state can be read by other users of the machine."""
    open_files = []
    for path in (target.server.folder / "state",
    target.server.folder / "cache",
    *(target.server.folder / "state").rglob("*"),
     *(target.server.folder / "cache").rglob("*")):
        with contextlib.suppress(FileNotFoundError):
            if not path.is_symlink() and path.stat().st_mode & 0o077:
                open_files.append(f"{path.name} {path.stat().st_mode & 0o777:o}")
    assert not open_files, open_files
    limits = pathlib.Path(f"/proc/{target.server.process.pid}/limits").read_text()
    assert any(line.split()[4] == "0" for line in limits.splitlines() if line.startswith("Max core file size")) or (
        pathlib.Path(f"/proc/{target.server.process.pid}").stat().st_uid == 0), "core dumps hold passwords"


def test_effects_that_tell_much_or_take_much_while_music_plays(target, song):
    """One message or one number of an effect must not make the process grow, however long it plays."""
    effects = (b"level interval=1", b"level", b"spectrum interval=1 bands=1073741824", b"spectrum bands=4096 interval=1",
               b"spectrum bands=4294967295", b"audioecho max-delay=18446744073709551615 delay=18446744073709551615",
               b"audioecho max-delay=3600000000000 delay=3600000000000", b"equalizer-nbands num-bands=64",
               b"audiocheblimit poles=32 cutoff=1", b"audiowsinclimit length=256000", b"freeverb room-size=1e308",
               b"pitch pitch=0.0001", b"volume volume=nan", b"level " * 40, b"tee", b"identity sleep-time=4294967295")
    target.ask(b"clear", b"add " + quoted(song), b"repeat 1", b"play 0")
    for effect in effects:
        target.ask(b"outputset 0 effects %s" % quoted(effect))
        time.sleep(0.3)
        assert target.ask(b"status") == [b"OK"]
    assert target.ask(b"outputset 0 effects off") == [b"OK"]
    assert target.ask(b"stop", b"repeat 0", b"clear") == [b"OK"] * 3
