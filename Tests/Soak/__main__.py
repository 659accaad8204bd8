"""Plays for long and looks at what that costs and whether every sample arrives. Started by contrib/soak."""
import argparse
import contextlib
import datetime
import pathlib
import sys
import tempfile
import time

import songs as music
from recording import Comparison
from table import figures, rows

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Benchmark"))
from playing import Navidrome, Player  # noqa: E402  (they need the benchmark's modules)


def arguments():
    """What was asked for."""
    parser = argparse.ArgumentParser(
        prog="contrib/soak", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Plays short songs over and over into a recording, as fast as that goes, while memory, open files\n"
        "and threads are counted, and compares the recording with the songs, sample by sample. The status is 0\n"
        "only if nothing is missing or added, nothing grew, and the playing time agrees with the samples.",
        epilog="examples:\n"
        "  contrib/soak                                  10,000 joins, about an hour of music\n"
        "  contrib/soak --navidrome                      the same from a fake Navidrome, by way of the cache\n"
        "  contrib/soak --paced --minutes 60             an hour at the speed of the music\n"
        "  contrib/soak --songs 100000 --folder /var/tmp/soak\n"
        "  contrib/soak mixed --help                     everything at once, with the curves of memory and latency\n")
    parser.add_argument("--segue", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--fake-navidrome", type=pathlib.Path, help="the program with the library, for --navidrome")
    parser.add_argument("--songs", type=int, default=10_000, help="how many songs to play (10000)")
    parser.add_argument("--minutes", type=float, help="how many minutes of music to play instead")
    parser.add_argument("--navidrome", action="store_true", help="the songs come from a fake Navidrome")
    parser.add_argument("--paced", action="store_true", help="play at the speed of the music")
    parser.add_argument("--interval", type=float, default=2, help="seconds between two looks at memory (2)")
    parser.add_argument("--folder", type=pathlib.Path, help="where songs, state and recording go (a temporary one)")
    return parser.parse_args()


def look(player, comparison, begin):
    """One line of the table."""
    memory = player.memory()
    return {"clock": time.monotonic() - begin, "cpu": player.cpu(), "rss": memory["rss"] / 1024,
            "pss": memory["pss"] / 1024, "threads": memory["threads"], "files": player.open_files(),
            "music": comparison.seconds, "songs": comparison.songs}


def play(player, comparison, wanted, interval):
    """Lets it play until the recording holds as much as wanted; returns what was seen meanwhile."""
    seen, begin = [], time.monotonic()
    silent = begin
    while comparison.frames < wanted:
        player.fail_unless_running()
        before = comparison.frames
        comparison.go_on()
        seen.append(look(player, comparison, begin))
        now = time.monotonic()
        silent = now if comparison.frames > before else silent
        if now - silent > 120:
            raise TimeoutError(f"nothing was recorded for two minutes; {player.status()}")
        time.sleep(interval)
    player.stop_playing()
    # What was heard is in the file soon; then nothing more comes.
    deadline, size = time.monotonic() + 60, -1
    while size != comparison.frames and time.monotonic() < deadline:
        size = comparison.frames
        time.sleep(1)
        comparison.go_on()
    seen.append(look(player, comparison, begin))
    return seen


def main():
    """Plays, prints the tables and tells by the status whether all is well."""
    options = arguments()
    with contextlib.ExitStack() as cleaning:
        folder = options.folder or pathlib.Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="soak")))
        folder.mkdir(parents=True, exist_ok=True)
        navidrome = None
        # The fake Navidrome calls its songs by suffixes of its own.
        library = music.make(folder / "music", ["flac"]) if options.navidrome else music.make(folder / "music")
        if options.navidrome:
            navidrome = Navidrome(folder, options.fake_navidrome)
            cleaning.callback(navidrome.stop)
            navidrome.start(library)
        player = Player(folder, options.segue, library, navidrome, options.paced)
        cleaning.callback(player.stop)
        player.start()
        comparison = Comparison(player.recording, [song.samples for song in player.fill_queue()])
        wanted = options.minutes * 60 * music.RATE if options.minutes else options.songs * comparison.mean
        player.play()
        seen = play(player, comparison, wanted, options.interval)
        heard = player.play_time()
        player.stop()
        comparison.go_on()
    kind = "a fake Navidrome, by way of the cache" if options.navidrome else "a folder"
    print(f"{comparison.songs:,} songs ({comparison.seconds:,.0f} s of music) from {kind}, "
          f"{datetime.date.today()}:\n")
    print("\n".join(rows(seen)) + "\n")
    lines, is_well = figures(seen, comparison, heard)
    print("\n".join(lines))
    sys.exit(0 if is_well else 1)


if "mixed" in sys.argv[1:]:
    import mixed
    mixed.main([word for word in sys.argv[1:] if word != "mixed"])
main()
