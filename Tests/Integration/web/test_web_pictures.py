"""Pictures for the page: of stations, of folders, in the sizes of screens."""
import struct
import wave
import zlib

import pytest
from harness.processes import free_port
from harness.segue import Segue
from harness.web import Web


def png(width, height):
    """A picture in one colour."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = zlib.compress((b"\0" + b"\x40\x80\xc0" * width) * height)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def jpeg_size(data):
    """Width and height of a JPEG."""
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
    height, width = struct.unpack(">HH", data[at + 5:at + 9])
    return width, height


def write_song(path):
    """A second of silence."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(b"\0\0" * 8000)


@pytest.fixture(scope="module")
def music(tmp_path_factory):
    """A folder with a song and a large cover."""
    folder = tmp_path_factory.mktemp("music") / "Artist" / "Album"
    folder.mkdir(parents=True)
    (folder / "cover.png").write_bytes(png(1500, 1500))
    write_song(folder / "01.wav")
    return folder


@pytest.fixture(scope="module")
def server(music, registry, tmp_path_factory):
    """Segue with that folder, and a station with everything that is shown of one."""
    folder = tmp_path_factory.mktemp("pictures")
    (folder / "nova.png").write_bytes(png(700, 500))
    running = Segue(
        folder / "segue", registry, local={"music_directory": music.parent.parent},
        web={"listen": [f"127.0.0.1:{free_port()}"]},
        station=[{"name": "Nova", "url": "http://127.0.0.1:9/stream", "picture": folder / "nova.png",
                  "country": "France", "genre": "Eclectic", "homepage": "https://nova.example"}]).start(songs=1)
    yield running
    running.stop()


@pytest.fixture
def web(server):
    """A script."""
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


def test_a_station_is_shown_with_its_picture(web):
    """In the sizes of screens, from this machine; nothing else is fetched for it."""
    (station,) = web.get("/api/stations")["items"]
    assert (station["country"], station["genre"], station["homepage"]) == ("France", "Eclectic", "https://nova.example")
    picture = web.request("GET", f"/picture/{station['picture']}/320")
    assert picture.status == 200 and picture.headers["content-type"] == "image/jpeg"
    assert jpeg_size(picture.body) == (320, 228)
    assert web.request("GET", f"/picture/{station['picture']}/1280").headers["content-type"] == "image/png"
    for wrong in (f"/picture/{station['picture']}/300", "/picture/station-0000000000000000-1/320", "/picture/album-1/320",
                  "/picture/station/320", "/picture/%2e%2e%2fetc/320"):
        assert web.request("GET", wrong).status in (400, 404), wrong


def test_pictures_of_folders_come_in_the_size_that_is_asked_for(server, web):
    """A large cover is made smaller once, and is read from the disk afterwards."""
    (song,) = web.get("/api/songs")["items"]
    for size in (96, 320, 640, 1280):
        picture = web.request("GET", f"/cover/{song['cover']}/{size}")
        assert picture.status == 200 and jpeg_size(picture.body) == (size, size)
        assert web.request("GET", f"/cover/{song['cover']}/{size}").body == picture.body
    assert len(list((server.folder / "cache" / "pictures").iterdir())) >= 4
