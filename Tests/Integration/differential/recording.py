"""Writes 0.24's answers into the scenarios, where they are not those of the installed MPD 0.23.12.

    cd Tests/Integration && python3 -m differential.recording /path/to/mpd-0.24 [FILE...]

It asks both MPDs everything. The source that a written answer is from (`@`) is added by hand.
"""
import pathlib
import shutil
import sys
import tempfile

from .comparing import play
from .normalising import by_command, unknown_to_023
from .scenario import parse, scenario_files
from .servers import DISCS, KINDS, make_music, original_mpd


BUILD = ("urlhandlers", "decoders")
"""What depends on how an MPD was built, and not on its version."""


def is_same(step, answers):
    """Whether 0.24 answers what 0.23.12 does, apart from lines that 0.23.12 doesn't know."""
    if by_command(step.text) in BUILD:
        return True
    old, new = (unknown_to_023(step.text, lines) if lines else lines for lines in answers)
    return old == new


def rewrite(path, scenarios):
    """Puts the answers of the steps behind their lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    answers = {step.end: step.answer for scenario in scenarios for step in scenario.steps}
    written = []
    for number, line in enumerate(lines, 1):
        if not line.startswith("S: "):
            written += [line, *("S: " + answer for answer in answers.get(number, []))]
    path.write_text("\n".join(written) + "\n", encoding="utf-8")


def record(paths, servers):
    """Records the scenarios of some files."""
    for path in paths:
        scenarios = parse(path)
        for scenario in scenarios:
            for step in scenario.steps:
                if not step.asserts:
                    step.answer = []
            try:
                for step, answers in play(scenario, servers(path), is_same, with_023=False, seconds=2):
                    if scenario.is_written or not is_same(step, answers):
                        step.answer = answers[1]
            except (AssertionError, OSError) as error:
                print(f"{scenario.name}: {error}")
        rewrite(path, scenarios)


def main(binary, names):
    """Starts both MPDs and records."""
    folder = pathlib.Path(tempfile.mkdtemp())
    started = {}
    filled = {}

    def servers(path):
        kind = KINDS.get(path.stem, "plain")
        if kind not in started:
            music = folder / ("discs" if kind in DISCS else "music")
            if music not in filled:
                filled[music] = make_music(kind, music)
            started[kind] = [
                original_mpd(kind, folder / f"{name}-{kind}", music, program).start(filled[music])
                for name, program in (("old", "mpd"), ("new", binary))]
        return started[kind]
    try:
        record([path for path in scenario_files() if not names or path.stem in names], servers)
    finally:
        for pair in started.values():
            for server in pair:
                server.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
