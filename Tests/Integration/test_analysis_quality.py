"""What the analysis says of generated songs whose tempo, key and loudness are known.

A dozen of them; contrib/measure-discovery takes 400, and has the style of neighbours as well.
"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Discovery"))

import quality  # noqa: E402
import songs  # noqa: E402

SONGS, SECONDS = 12, 10


def test_tempo_key_and_loudness_are_found(tmp_path, start_segue):
    # Two styles with drums.
    tunes, folder = [songs.compose(number, styles=2) for number in range(SONGS)], tmp_path / "music"
    folder.mkdir()
    songs.make(tunes, folder, SECONDS)
    server = start_segue(songs=SONGS, local={"music_directory": folder})
    server.stop()
    done = server.run("analyse", "--config", server.configuration, seconds=300)
    assert done.returncode == 0, done.stderr
    found = quality.measured(server.folder / "state")
    assert set(found) == {tune.name for tune in tunes}
    (_, tempo, _), (_, key) = quality.tempo_rows(tunes, found), quality.key_rows(tunes, found)
    rows = [tempo, key, quality.loudness_row(tunes, found, folder)]
    missed = [f"{row.what}: {row.found}, wanted {row.wanted}" for row in rows if not row.is_met]
    assert not missed, missed
