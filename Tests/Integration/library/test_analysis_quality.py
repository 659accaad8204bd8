"""What the analysis says of generated songs whose tempo, key and loudness are known.

Half a dozen of them; SEGUE_QUALITY_SONGS=400 takes 400, of all styles, and asks for the style of neighbours as well.
"""
import os
import sys

from harness.segue import ROOT

sys.path.append(str(ROOT / "Tests/Discovery"))

import quality  # noqa: E402
import songs  # noqa: E402

SONGS = int(os.environ.get("SEGUE_QUALITY_SONGS", "6"))
# Fewer have too few neighbours of each style, and shares that one song moves too far.
IS_LARGE = SONGS >= 200


def test_what_is_measured_of_songs_is_true(tmp_path, start_segue):
    # The first two styles have drums.
    styles, seconds = (len(songs.STYLES), 20) if IS_LARGE else (2, 10)
    tunes, folder = [songs.compose(number, styles=styles) for number in range(SONGS)], tmp_path / "music"
    folder.mkdir()
    songs.make(tunes, folder, seconds)
    server = start_segue(songs=SONGS, local={"music_directory": folder})
    server.stop()
    done = server.run("analyse", "--config", server.configuration, seconds=300 + 5 * SONGS)
    assert done.returncode == 0, done.stderr
    found = quality.measured(server.folder / "state")
    assert set(found) == {tune.name for tune in tunes}
    tempos, keys = quality.tempo_rows(tunes, found), quality.key_rows(tunes, found)
    rows = [quality.loudness_row(tunes, found, folder)]
    rows += tempos + keys + quality.neighbour_rows(tunes, found) if IS_LARGE else [tempos[1], keys[1]]
    missed = [f"{row.what}: {row.found}, wanted {row.wanted}" for row in rows if not row.is_met]
    assert not missed, missed
