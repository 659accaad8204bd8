"""What the analysis says of generated songs whose tempo, key, style and loudness are known."""
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Discovery"))

import quality  # noqa: E402
import songs  # noqa: E402

SONGS, SECONDS = 64, 15
"""Eight of each style; contrib/measure-discovery takes 400."""


@pytest.fixture(scope="module")
def tunes(tmp_path_factory):
    """The songs and the folder they are in."""
    folder = tmp_path_factory.mktemp("tunes")
    composed = [songs.compose(number) for number in range(SONGS)]
    songs.make(composed, folder, SECONDS)
    return composed, folder


def test_tempo_key_style_and_loudness_are_found(tunes, start_segue):
    composed, folder = tunes
    server = start_segue(songs=SONGS, local={"music_directory": folder})
    server.stop()
    done = server.run("analyse", "--config", server.configuration, seconds=300)
    assert done.returncode == 0, done.stderr
    found = quality.measured(server.folder / "state")
    assert set(found) == {tune.name for tune in composed}
    rows = [*quality.tempo_rows(composed, found), *quality.key_rows(composed, found),
            *quality.neighbour_rows(composed, found), quality.loudness_row(composed, found, folder)]
    missed = [f"{row.what}: {row.found}, wanted {row.wanted}" for row in rows if not row.is_met]
    assert not missed, missed
