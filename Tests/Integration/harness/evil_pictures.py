"""Pictures that lie of their size, and honest ones that are large: each takes a few lines and few bytes."""
import struct
import zlib


def segment(marker, body=b""):
    """A segment of a JPEG."""
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def frame(width, height, marker=0xC0, components=1):
    """The segment that has a JPEG's size."""
    return segment(marker, struct.pack(">BHHB", 8, height, width, components)
                   + b"".join(bytes([number + 1, 0x11, 0]) for number in range(components)))


def jpeg(width, height, before=b"", marker=0xC0, components=1, between=b"", scan=None):
    """A grey JPEG whose every block takes two bits; `before` and `between` stand around the segment with its size."""
    table = bytes([1]) + bytes(15) + bytes([0])
    tables = segment(0xDB, bytes(1) + bytes([1]) * 64) + segment(0xC4, b"\0" + table + b"\x10" + table)
    listed = components if marker != 0xC2 else 1
    spectrum = b"\0\0\0" if marker == 0xC2 else b"\0\x3f\0"
    begin = segment(0xDA, bytes([listed]) + b"".join(bytes([number + 1, 0]) for number in range(listed)) + spectrum)
    blocks = -(-width // 8) * -(-height // 8)
    data = bytes(blocks * components // 4 + 1) if scan is None else scan
    return (b"\xff\xd8" + before + tables + frame(width, height, marker, components) + between + begin + data
            + b"\xff\xd9")


def photograph(width, height):
    """An honest JPEG in colours."""
    return jpeg(width, height, segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"), components=3)


def chunk(name, data, size=None):
    """A chunk of a PNG."""
    return struct.pack(">I", len(data) if size is None else size) + name + data + struct.pack(
        ">I", zlib.crc32(name + data))


def png_header(width, height, depth=8, colours=2, interlaced=0):
    """The chunk that has a PNG's size."""
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, interlaced))


def png(width, height, depth=8, colours=2, before=b"", interlaced=0, rows=None):
    """A PNG in one colour; `before` stands between its header and its data."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours]
    if rows is None:
        packer = zlib.compressobj(9)
        row = bytes(1 + -(-width * samples * depth // 8))
        rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + png_header(width, height, depth, colours, interlaced) + before
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def riff(*chunks):
    """A WebP of these chunks."""
    body = b"WEBP" + b"".join(name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2) for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def canvas(width, height, flags=0):
    """The chunk that has the size of an extended WebP."""
    return b"VP8X", bytes([flags, 0, 0, 0]) + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]


def lossless(width, height):
    """A WebP's picture in one colour: each of five codes has a single symbol, and no pixel takes a bit."""
    bits, used = 0, 0
    for value, count in ((width - 1, 14), (height - 1, 14), (0, 1), (0, 3), (0, 1), (0, 1), (0, 1)):
        bits, used = bits | value << used, used + count
    for _ in range(5):
        # Simple, one symbol, of one bit: 0.
        bits, used = bits | 1 << used, used + 4
    return b"VP8L", b"\x2f" + bits.to_bytes(-(-used // 8), "little") + bytes(8)


def restarts(width, height, marker=0xD0):
    """A JPEG before whose size stands a marker without a length: taken for one with a length, it leads to another size."""
    small = frame(200, 200)[:10]
    return jpeg(width, height, bytes([0xFF, marker]) + segment(0xE1, bytes(65501) + small))


def thumbnail(width, height, inside):
    """A JPEG with another one inside, as cameras keep a small one."""
    return jpeg(width, height, segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08" + inside))


def scans(width, height, count):
    """A JPEG that comes in so many scans; each changes nothing and takes a look at all of it."""
    picture = jpeg(width, height, marker=0xC2)
    return picture[:-2] + segment(0xDA, bytes([1, 1, 0, 1, 1, 0])) * count + picture[-2:]


def texts(width, height, count):
    """A PNG with texts of eight million letters each."""
    packed = chunk(b"zTXt", b"text\0\0" + zlib.compress(b"a" * 7_900_000, 9))
    return png(width, height, before=packed * count)


def bombs():
    """Pictures that nothing may decode: small files that become more than a hundred megabytes, or take minutes."""
    huge = 12_000
    return {
        "restart.jpg": restarts(huge, huge), "alone.jpg": restarts(huge, huge, 0x01),
        "filled.jpg": jpeg(huge, huge, b"\xff" * 4000), "two-sizes.jpg": jpeg(huge, huge, frame(200, 200)),
        "size-behind.jpg": jpeg(200, 200, between=frame(huge, huge)), "begins-twice.jpg": b"\xff\xd8" + restarts(huge, huge),
        "thumbnail.jpg": thumbnail(huge, huge, jpeg(200, 200)),
        "lines.jpg": jpeg(huge, 0, between=segment(0xDC, b"\x2e\xe0"), scan=bytes(500_000)),
        "progressive.jpg": jpeg(5000, 5000, marker=0xC2, components=3), "scans.jpg": scans(5000, 4900, 80_000),
        "huge.png": png(60_000, 60_000, rows=b""), "two-sizes.png": png(200, 200, before=png_header(huge, huge)),
        "deep.png": png(5000, 5000, 16, 6), "deep-interlaced.png": png(5000, 5000, 16, 6, interlaced=1),
        "huge.webp": riff(lossless(16_000, 16_000)), "large.webp": riff(lossless(5000, 5000)),
        "canvas.webp": riff(canvas(200, 200), lossless(16_000, 16_000)),
        "animated.webp": riff(canvas(16_000, 16_000, 2), (b"ANIM", bytes(6)), (b"ANMF", bytes(16) + riff()[8:])),
    }


def traps():
    """Pictures that may be decoded, but not the rest of their files."""
    return {
        "texts.png": texts(500, 500, 200), "second.jpg": jpeg(500, 500) + jpeg(12_000, 12_000),
        "small-inside.jpg": thumbnail(500, 500, jpeg(12_000, 12_000, scan=b"")),
    }


def damaged():
    """Files that are no pictures, or not whole ones."""
    whole = {"jpg": jpeg(2000, 2000), "png": png(2000, 2000), "webp": riff(lossless(2000, 2000))}
    cut = {f"cut-{share}.{kind}": data[:len(data) * share // 100]
           for kind, data in whole.items() for share in (10, 50, 99)}
    return cut | {
        "gif.jpg": b"GIF89a" + b"\xff" * 5000, "text.png": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "nothing.jpg": b"\xff\xd8\xff", "noise.jpg": b"\xff\xd8\xff" + bytes(range(256)) * 4000,
        "noise.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4000, "png.webp": whole["png"], "webp.jpg": whole["webp"],
        "noise.webp": b"RIFF\xff\xff\xff\xffWEBPVP8X" + b"\xff" * 5000,
    }
