"""DSD: bit by bit to a device that takes DoP, and clear words where it can't be played."""
import random
import re
import struct

import pytest
from harness.waiting import wait_for

BLOCK = 4096


def dsf(channels):
    """A DSF file of DSD64, whose bytes have the first bit lowest."""
    length = len(channels[0])
    data = b"".join(
        channel[start:start + BLOCK].ljust(BLOCK, b"\0") for start in range(0, length, BLOCK) for channel in channels)
    form = b"fmt " + struct.pack("<QIIIIIIQII", 52, 1, 0, 2, 2, 2822400, 1, length * 8, BLOCK, 0)
    return (b"DSD " + struct.pack("<QQQ", 28, 92 + len(data), 0) + form + b"data" + struct.pack("<Q", 12 + len(data))
            + data)


def dst():
    """The beginning of a DSDIFF file that is compressed."""
    def chunk(name, body):
        return name + struct.pack(">Q", len(body)) + body
    properties = (chunk(b"FS  ", struct.pack(">I", 2822400)) + chunk(b"CHNL", struct.pack(">H", 2) + b"SLFTSRGT")
                  + chunk(b"CMPR", b"DST \x0bDST Encoded"))
    return chunk(b"FRM8", b"DSD " + chunk(b"PROP", b"SND " + properties) + chunk(b"DST ", bytes(5000)))


def turned(data):
    """Bytes with their bits the other way round."""
    return data.translate(bytes(int(f"{value:08b}"[::-1], 2) for value in range(256)))


@pytest.fixture
def music(tmp_path):
    """A folder of music with a DSF file, and its channels' bytes."""
    folder = tmp_path / "music"
    folder.mkdir()
    source = random.Random(7)
    channels = [source.randbytes(352_800 * 2 + 3), source.randbytes(352_800 * 2 + 3)]
    (folder / "one.dsf").write_bytes(dsf(channels))
    (folder / "packed.dff").write_bytes(dst())
    return folder, channels


def start(start_segue, tmp_path, folder, **settings):
    path = tmp_path / "device.raw"
    output = {"type": "pipe", "name": "DAC", "command": f"cat > '{path}'", "format": "176400:24:2", **settings}
    return start_segue(songs=1, local={"music_directory": folder}, output=[output]), path


def play(server):
    """Plays the song to its end and stops the server."""
    client = server.client()
    client.add("one.dsf")
    client.setvol(40)
    client.play(0)
    wait_for(lambda: client.status().get("audio") == "dsd64:2", what="the format")
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the song")
    assert "error" not in client.status()
    assert server.stop()[0] == 0


@pytest.mark.parametrize("filters", [{}, {"effects": "volume volume=0.5", "graph": "volume=-6dB", "levelling": True}])
def test_a_program_gets_the_bits_as_dop_past_all_filters(start_segue, tmp_path, music, filters):
    folder, channels = music
    server, path = start(start_segue, tmp_path, folder, dop=True, **filters)
    play(server)
    heard = path.read_bytes()
    first, second = (turned(channel + b"\x96") for channel in channels)
    assert len(heard) == len(first) * 3
    assert set(heard[2::12]) == set(heard[5::12]) == {0x05} and set(heard[8::12]) == set(heard[11::12]) == {0xFA}
    # Equal or not in one word: the difference of so much would take minutes to describe.
    assert (heard[1::6] == first[0::2], heard[0::6] == first[1::2]) == (True, True)
    assert (heard[4::6] == second[0::2], heard[3::6] == second[1::2]) == (True, True)


def test_without_dop_it_gets_pcm(start_segue, tmp_path, music):
    server, path = start(start_segue, tmp_path, music[0])
    play(server)
    assert len(set(path.read_bytes()[2::6])) > 2


def test_dst_is_refused_with_a_reason(start_segue, tmp_path, music):
    server, _ = start(start_segue, tmp_path, music[0], dop=True)
    wait_for(lambda: re.search("packed.dff.*compressed as DST", server.log), what="the line about the file")
