"""Attacks by pictures that browsers ask for in the sizes of screens: bombs, sizes that lie, cut files, many at once."""
import concurrent.futures
import contextlib
import os
import shutil
import socket

import mutagen.flac
import pytest
from harness import evil_pictures
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.middle_man import MiddleMan
from harness.processes import free_port
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE
from harness.web import Web

SIZES = (96, 320, 640, 1280)
SONGS = 60


@pytest.fixture(scope="module")
def pictures():
    """The picture of each album, by the album's name."""
    honest = {f"honest-{number}.jpg": evil_pictures.photograph(4900, 5000) for number in range(8)}
    return evil_pictures.bombs() | evil_pictures.traps() | evil_pictures.damaged() | honest


@pytest.fixture(scope="module")
def songs_before(pictures):
    """Two for each picture, one that it lies beside and one that it is in; and those of the server."""
    return 2 * len(pictures) + SONGS


@pytest.fixture(scope="module")
def man(tmp_path_factory):
    """An honest server's place, in which another one can be put."""
    fake = FakeNavidrome(tmp_path_factory.mktemp("navidrome"), songs=SONGS, seconds=2).start()
    made = MiddleMan(fake.url)
    yield made
    made.close()
    fake.kill()


@pytest.fixture(scope="module")
def server(library, pictures, man, registry, tmp_path_factory):
    """Segue with the least memory that it takes by itself, and an album for each picture."""
    folder = tmp_path_factory.mktemp("pictures")
    sound = next(track.path for track in library[1] if track.title == "Sill")
    for name, data in pictures.items():
        kind = name.rpartition(".")[2]
        beside, around = folder / "music" / "beside" / name, folder / "music" / "around" / name
        for album in (beside, around):
            album.mkdir(parents=True)
            shutil.copy(sound, album / "song.flac")
            tags = mutagen.flac.FLAC(album / "song.flac")
            tags.clear_pictures()
            tags["album"] = f"{album.parent.name} {name}"
            if album is around:
                inside = mutagen.flac.Picture()
                inside.type, inside.mime, inside.data = 3, f"image/{kind}", data
                tags.add_picture(inside)
            tags.save()
        (beside / f"cover.{kind}").write_bytes(data)
    running = Segue(
        folder / "segue", registry, local={"music_directory": folder / "music", "mount": "local"},
        navidrome={"url": man.url, "username": USER, "password": PASSWORD, "mount": "navidrome"},
        web={"listen": [f"127.0.0.1:{free_port()}"]}, server={"memory_budget": "128 MiB"})
    yield running
    running.kill()


@pytest.fixture
def web(server, target):
    """A browser."""
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


@pytest.fixture
def keys(web, songs_before):
    """By what each song's picture is asked for."""
    found = web.get(f"/api/songs?count=1000")["items"]
    assert len(found) == songs_before
    return {song["uri"]: song["cover"] for song in found}


def ask(web, key, size=96):
    """Asks for a picture."""
    return web.request("GET", f"/cover/{key}/{size}", timeout=60 * PATIENCE)


def is_scaled(answer, edge=96):
    """Whether an answer is a JPEG made here."""
    if answer.status != 200 or answer.headers["content-type"] != "image/jpeg":
        return False
    at = answer.body.find(b"\xff\xc0")
    return at > 0 and max(int.from_bytes(answer.body[at + place:at + place + 2], "big") for place in (5, 7)) == edge


@pytest.mark.parametrize("place", [pytest.param("beside", marks=pytest.mark.smoke), "around"])
def test_bombs_are_handed_on_as_they_are(web, keys, pictures, place):
    for name in evil_pictures.bombs():
        answer = ask(web, keys[f"local/{place}/{name}/song.flac"])
        assert answer.status == 200 and answer.body == pictures[name], (name, answer.status, len(answer.body))


@pytest.mark.parametrize("place", ["beside", "around"])
def test_only_the_picture_of_a_file_is_decoded(web, keys, place):
    for name in evil_pictures.traps():
        answer = ask(web, keys[f"local/{place}/{name}/song.flac"])
        assert is_scaled(answer), (name, answer.status, answer.headers["content-type"])


@pytest.mark.smoke
@pytest.mark.parametrize("place", ["beside", "around"])
def test_damaged_files_are_given_up(web, keys, pictures, place):
    for name, data in evil_pictures.damaged().items():
        answer = ask(web, keys[f"local/{place}/{name}/song.flac"])
        assert answer.status in (200, 404), (name, answer.status)
        assert answer.status == 404 or answer.body == data or is_scaled(answer), name


def ask_for_all(web, keys, workers):
    """Asks for all pictures in all sizes, so many at a time."""
    wanted = [(key, size) for size in SIZES for uri, key in keys.items() if uri.startswith("local/")]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(lambda each: ask(web, *each), wanted))


def test_many_at_once_stay_within_the_memory(web, keys, target):
    # Those that the server made before cost it nothing.
    target.begin_again("pictures")
    answers = ask_for_all(web, keys, 40)
    assert {answer.status for answer in answers} <= {200, 404, 503}
    for answer in answers:
        if answer.status == 503:
            assert answer.error["code"] == 52 and "memory_budget" in answer.error["message"], answer.error
    key = keys["local/beside/honest-0.jpg/song.flac"]
    wait_for(lambda: is_scaled(ask(web, key)), 20 * PATIENCE, "a picture for one who asks alone")


def test_browsers_that_leave_at_once_leave_no_work_behind(web, keys, target):
    target.begin_again("pictures")
    honest = [key for uri, key in keys.items() if "honest" in uri]
    for number in range(400):
        with contextlib.closing(socket.create_connection(("127.0.0.1", web.port), timeout=20 * PATIENCE)) as client:
            client.sendall(f"GET /cover/{honest[number % len(honest)]}/{SIZES[number % 4]} HTTP/1.1\r\n"
                           f"Host: 127.0.0.1:{web.port}\r\n\r\n".encode())
    wait_for(lambda: is_scaled(ask(web, honest[0])), 60 * PATIENCE, "a picture for one who stays")


def test_a_server_that_sends_bombs_for_pictures(web, keys, man):
    covers = sorted({key for uri, key in keys.items() if uri.startswith("navidrome/")})
    places = [(key, size) for key in covers for size in SIZES]
    attacks = list((evil_pictures.bombs() | evil_pictures.traps()).items())
    assert len(places) >= len(attacks), "an answer that is kept would be no attack"
    for (name, data), (key, size) in zip(attacks, places):
        # Two answers that are the same are those of a server without a picture.
        man.spoil(lambda *_, data=data: (200, "image/jpeg", data + os.urandom(8)), "getCoverArt")
        answer = ask(web, key, size)
        assert man.spoiled, f"{name} was not fetched"
        assert answer.status in (200, 404, 503) and not is_scaled(answer, size), name
    man.be_honest()
