"""WAV files in every width, as numbers."""
import array
import struct
import sys


def read(path):
    """Rate, channels and samples (interleaved floats, full scale is 1) of a WAV file."""
    data = path.read_bytes()
    assert data[:4] in (b"RIFF", b"RF64") and data[8:12] == b"WAVE", (path, data[:12])
    position, form = 12, None
    while True:
        name, size = data[position:position + 4], struct.unpack("<I", data[position + 4:position + 8])[0]
        if name == b"fmt ":
            form = data[position + 8:position + 8 + size]
        if name == b"data":
            break
        position += 8 + size + size % 2
        assert position < len(data), f"{path} has no data part"
    code, channels, rate, _, frame, bits = struct.unpack("<HHIIHH", form[:16])
    if code == 0xFFFE:
        code = struct.unpack("<H", form[24:26])[0]
    sound = data[position + 8:]
    if size < 0xFFFFFF00:
        sound = sound[:size]
    sound = sound[:len(sound) // frame * frame]
    return rate, channels, numbers(sound, code, bits)


def numbers(sound, code, bits):
    """The samples of bytes as floats."""
    assert sys.byteorder == "little"
    if code == 3:
        return list(array.array({32: "f", 64: "d"}[bits], sound))
    if bits == 8:
        return [(value - 128) / 128 for value in sound]
    if bits == 24:
        wide = bytearray(len(sound) // 3 * 4)
        wide[1::4], wide[2::4], wide[3::4] = sound[0::3], sound[1::3], sound[2::3]
        return [value / 2**31 for value in array.array("i", bytes(wide))]
    return [value / 2**(bits - 1) for value in array.array({16: "h", 32: "i"}[bits], sound)]
