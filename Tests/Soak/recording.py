"""The recording, compared with what should be in it while it grows."""
from songs import RATE

HEADER = 44
FRAME = 4


class Comparison:
    """Reads a growing WAV file and compares it with songs that follow each other over and over."""

    def __init__(self, path, parts):
        self.path = path
        self.round = b"".join(parts)
        self.ends = []
        for part in parts:
            self.ends.append((self.ends[-1] if self.ends else 0) + len(part))
        self.mean = len(self.round) / FRAME / len(parts)
        self.size = 0
        self.difference = None

    @property
    def frames(self):
        """How many frames were read."""
        return self.size // FRAME

    @property
    def seconds(self):
        """How long what was read lasts."""
        return self.frames / RATE

    @property
    def songs(self):
        """How many songs were read to their ends, at the lengths that they should have."""
        whole, rest = divmod(self.size, len(self.round))
        return whole * len(self.ends) + sum(end <= rest for end in self.ends)

    def go_on(self):
        """Compares what was written since the last time."""
        if not self.path.exists():
            return
        with open(self.path, "rb") as file:
            file.seek(HEADER + self.size)
            while piece := file.read(1 << 20):
                piece = piece[:len(piece) // FRAME * FRAME]
                if not piece:
                    return
                self.compare(piece)
                self.size += len(piece)
                file.seek(HEADER + self.size)

    def compare(self, piece):
        """Keeps the first place that differs."""
        if self.difference is not None:
            return
        start = self.size % len(self.round)
        expected = self.round[start:start + len(piece)]
        while len(expected) < len(piece):
            expected += self.round[:len(piece) - len(expected)]
        if expected == piece:
            return
        # The first byte that differs.
        at = next(place for place in range(len(piece)) if piece[place] != expected[place])
        self.difference = (self.size + at) // FRAME
