"""What a run of the tests says of itself: its numbers, what it skipped and why, and how long it took."""
import shutil
import subprocess

import pytest
from harness.segue import ROOT


@pytest.fixture
def ask(tmp_path):
    """Asks a `contrib/test-report` whose project is an empty folder; the answer, or what it complains about."""
    program = shutil.copy(ROOT / "contrib/test-report", tmp_path.joinpath("contrib").mkdir() or tmp_path / "contrib")
    (tmp_path / ".build").mkdir()

    def run(*arguments):
        result = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        return result.stdout or result.stderr
    return run


@pytest.fixture
def report(tmp_path):
    """A report with a test that passed, one that failed and two that were skipped."""
    path = tmp_path / "report.xml"
    path.write_text("""<testsuites><testsuite>
        <testcase classname="a" name="passes" time="2.5"/>
        <testcase classname="a" name="fails" time="1"><failure message="no">assert 2 &lt; 1</failure></testcase>
        <testcase classname="b" name="one" time="0"><skipped message="no chromium"/></testcase>
        <testcase classname="b" name="two" time="0"><skipped message="no chromium"/></testcase>
        </testsuite></testsuites>""")
    return path


def test_what_passed_and_failed_is_counted_and_what_was_skipped_is_named_with_its_reason(ask, report):
    assert ask("counts", report, "1") == "1 1\n"
    assert ask("skipped", report).splitlines() == ["2 skipped:", "    2 because no chromium: b/one, b/two"]
    assert "assert 2 < 1" in ask("failed", report)


def test_a_runner_that_ended_without_a_report_or_with_a_status_of_its_own_has_failed(ask, tmp_path, report):
    assert ask("counts", tmp_path / "none.xml", "139") == "0 1\n"
    report.write_text('<testsuite><testcase classname="a" name="b"/></testsuite>')
    assert ask("counts", report, "0") == "1 0\n"
    assert ask("counts", report, "139") == "1 1\n"


def test_the_times_of_two_runs_are_compared_by_phase_and_by_test(ask, tmp_path, report):
    assert "two runs are needed" in ask("compare")
    ask("times", "build=60", "unit=70", "--", report)
    (first,) = (tmp_path / ".build/test-times").iterdir()
    old = first.rename(tmp_path / "old.json")
    ask("times", "build=5", "page=8", "--", report)
    (new,) = (tmp_path / ".build/test-times").iterdir()
    lines = [line.split() for line in ask("compare", old, new).splitlines()]
    assert ["60.0", "s", "->", "5.0", "s", "phase", "build"] in lines
    assert ["70.0", "s", "->", "-", "phase", "unit"] in lines
    assert ["2.5", "s", "->", "2.5", "s", "test", "a/passes"] in lines


def test_a_file_that_holds_no_times_is_named_as_such(ask, report):
    assert "no file of times" in ask("compare", report, report)
