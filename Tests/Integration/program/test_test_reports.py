"""What a run of all tests excuses: failures beside other tests, but neither crashes nor what fails in numbers."""
import subprocess

import pytest
from harness.segue import ROOT

PLACE = "Tests.Integration.sound.test_radio"
NAME = "Tests/Integration/sound/test_radio.py::test_a_title"


def report(tmp_path, *faults, place=PLACE, name="test_a_title"):
    """A report with one passed test and one failed test for each of the texts."""
    path = tmp_path / "report.xml"
    cases = "".join(
        f'<testcase classname="{place}" name="{name}{number or ""}" time="1"><failure message="no">{text}</failure></testcase>'
        for number, text in enumerate(faults))
    path.write_text(f'<testsuites><testsuite><testcase classname="a" name="b" time="1"/>{cases}</testsuite></testsuites>')
    return path


def ask(*arguments):
    """What `contrib/test-report` answers."""
    return subprocess.run([ROOT / "contrib/test-report", *arguments], capture_output=True, text=True, check=True).stdout


def test_a_failure_is_tried_again_by_itself_and_counts_as_passed_when_that_passes(tmp_path):
    path = report(tmp_path, "assert 2 &lt; 1", "assert 3 &lt; 1")
    assert ask("counts", path, "1") == "1 2\n"
    assert ask("repeatable", path).split() == [NAME, f"{NAME}1"]
    ask("passed", path, NAME)
    assert ask("counts", path, "1") == "2 1\n"
    assert ask("repeatable", path).split() == [f"{NAME}1"]


def test_a_swift_test_is_named_by_its_suite_and_function(tmp_path):
    path = report(tmp_path, "failed", place="GStreamerAudioTests.AudioTests.BeatMatchTests", name="others(_:)")
    assert ask("repeatable", path) == "BeatMatchTests/others\\(\n"


@pytest.mark.parametrize("text", [
    "RuntimeError: the process ended with -11:", "Segue/Player.swift:10: Fatal error: Index out of range",
    "ERROR: AddressSanitizer: heap-use-after-free", "worker 'gw1' crashed while running", "Timeout (&gt;900.0s) from pytest-timeout.",
])
def test_crashes_and_hangs_have_no_excuse(tmp_path, text):
    assert ask("repeatable", report(tmp_path, "assert 2 &lt; 1", text)) == ""


def test_many_failures_have_no_excuse(tmp_path):
    assert ask("repeatable", report(tmp_path, *["assert 2 &lt; 1"] * 6)) == ""
