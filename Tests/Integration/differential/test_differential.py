"""Every answer of Segue beside MPD's."""
import difflib
import re

import pytest
from harness.segue import ROOT

from .comparing import play
from .conversation import Connection
from .scenario import parse, scenario_files
from .servers import KINDS

SCENARIOS = [scenario for path in scenario_files() for scenario in parse(path)]
LINE_LIMIT = 4095
ENOUGH = 600
"""How many commands are compared with a running MPD at the least."""


def deliberate():
    """The names of the differences in docs/protocol.md."""
    text = (ROOT / "docs/protocol.md").read_text(encoding="utf-8").partition("## Deliberate differences")[2]
    return set(re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.MULTILINE))


class Differences:
    """What differed in a scenario."""

    def __init__(self, scenario, counts):
        self.scenario = scenario
        self.counts = counts
        self.found = []

    def note(self, step, segue, mpd):
        """Compares one answer and counts it."""
        for line in segue:
            # What libmpdclient can read, and the words by which M.A.L.P. takes a server for Mopidy.
            assert len(line.encode()) < LINE_LIMIT and "not able to parse args" not in line, f"{step.text}: {line}"
        is_equal = segue == mpd
        if is_equal == (step.differs is None):
            self.counts["equal" if is_equal else "deliberate"] += 1
            return
        self.counts["different"] += 1
        if is_equal:
            self.found.append(f"line {step.line}: {step.text}\n  no longer differs by {step.differs}")
        else:
            lines = list(difflib.unified_diff(mpd, segue, "MPD", "Segue", lineterm="", n=1))[2:]
            shown = "\n  ".join(line[:200] for line in lines[:14])
            self.found.append(f"line {step.line}: {step.text[:160]}\n  {shown}")

    def report(self):
        """Fails with all of them."""
        if self.found:
            pytest.fail(f"{self.scenario.file.name}\n" + "\n".join(self.found), pytrace=False)


SMOKE = {"clients", "playback", "queue"}
"""The files whose scenarios every run of `contrib/test` plays: what any client does all day."""


@pytest.mark.parametrize("scenario", [
    pytest.param(scenario, marks=[pytest.mark.smoke] if scenario.file.stem in SMOKE else [], id=scenario.name)
    for scenario in SCENARIOS])
def test_answers_are_those_of_mpd(scenario, servers, version, counts):
    is_older = version < (0, 24, 0)
    differences = Differences(scenario, counts)

    def right(step, mpd):
        return step.answer if step.answer and is_older else mpd

    def expected(step, answers):
        return answers[0] == right(step, answers[1])

    pair = servers(KINDS.get(scenario.file.stem, "plain"))
    for step, (segue, mpd) in play(scenario, pair, expected, with_023=is_older):
        if step.answer and not is_older:
            assert step.answer == mpd, f"line {step.line} of {scenario.file.name} is not what MPD answers"
        counts["written" if step.answer and is_older else "live"] += 1
        differences.note(step, segue, right(step, mpd))
    differences.report()


def test_every_written_answer_has_its_source():
    for scenario in SCENARIOS:
        if any(step.answer for step in scenario.steps):
            assert re.match(r"src/\S+\.[ch]xx \w+", scenario.source), f"{scenario.name} does not say where it is from"
        if scenario.is_written:
            assert all(step.answer for step in scenario.steps if step.is_compared), f"{scenario.name} lacks an answer"


def test_every_deliberate_difference_is_explained_and_seen():
    used = {step.differs for scenario in SCENARIOS for step in scenario.steps if step.differs}
    assert used == deliberate()


def test_enough_is_compared():
    steps = [step for scenario in SCENARIOS for step in scenario.steps if step.is_compared]
    assert sum(not step.answer for step in steps) >= ENOUGH


def own_commands():
    """The commands that MPD doesn't have, from the table that is made of the program's."""
    rows = (ROOT / "docs/protocol.md").read_text(encoding="utf-8").split("\n")
    return {row.split("`")[1].split(" ")[0] for row in rows if row.endswith("| not in MPD |")}


def test_every_command_is_asked(servers):
    with Connection(servers("plain")[0]) as connection:
        known = {line[9:] for line in connection.ask("commands") if line.startswith("command: ")}
    words = {line.split(" ")[0] for scenario in SCENARIOS for step in scenario.steps
             for line in step.text.replace("\\n", "\n").split("\n")}
    # Whether there is a `getfingerprint` depends on what is installed; MPD has the other one since 0.25.
    assert len(known) > 100 and known - words <= {"getfingerprint", "stringnormalization"} | own_commands()
