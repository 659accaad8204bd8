"""What a release says of itself."""
import shutil
import subprocess

import pytest
from harness.segue import ROOT

CHANGELOG = """# Changelog

## Unreleased

- Not yet.

## 1.2.0, 2026-01-01

- Something new.
- Something mended.

## 1.1.0

- Old.
"""


@pytest.fixture
def notes(tmp_path):
    """Runs contrib/release-notes in a project of this version."""
    def run(tag, version="1.2.0", changelog=CHANGELOG):
        shutil.rmtree(tmp_path / "project", ignore_errors=True)
        program = tmp_path / "project/Sources/Program/segue"
        (tmp_path / "project/contrib").mkdir(parents=True)
        program.mkdir(parents=True)
        shutil.copy(ROOT / "contrib/release-notes", tmp_path / "project/contrib")
        original = (ROOT / "Sources/Program/segue/Segue.swift").read_text(encoding="utf-8")
        line = next(line for line in original.splitlines() if "static let version" in line)
        (program / "Segue.swift").write_text(line[:line.index('"')] + f'"{version}"\n', encoding="utf-8")
        (tmp_path / "project/CHANGELOG.md").write_text(changelog, encoding="utf-8")
        return subprocess.run([tmp_path / "project/contrib/release-notes", tag], capture_output=True, text=True,
                              timeout=30, check=False)
    return run


def test_the_notes_of_a_release_are_its_section_of_the_changelog(notes):
    result = notes("v1.2.0")
    assert (result.returncode, result.stdout) == (0, "- Something new.\n- Something mended.\n")


def test_a_tag_that_is_not_the_programs_version_is_refused(notes):
    result = notes("v1.3.0")
    assert result.returncode != 0 and "1.3.0" in result.stderr and "1.2.0" in result.stderr


@pytest.mark.parametrize("changelog", ["# Changelog\n\n## Unreleased\n\n- New.\n", "# Changelog\n\n## 1.2.0\n\n## 1.1.0\n- Old\n"])
def test_a_release_without_notes_is_refused(notes, changelog):
    result = notes("v1.2.0", changelog=changelog)
    assert result.returncode != 0 and "## 1.2.0" in result.stderr


def test_the_version_stands_in_one_place():
    program = (ROOT / "Sources/Program/segue/Segue.swift").read_text(encoding="utf-8")
    version = program.split('static let version = "')[1].split('"')[0]
    elsewhere = [path for folder in ("Sources", "contrib", "conf") for path in (ROOT / folder).rglob("*")
                 if path.is_file() and path.name != "Segue.swift" and path.suffix not in (".png", ".pyc")
                 and f"segue {version}" in path.read_text(encoding="utf-8", errors="replace").lower()]
    assert not elsewhere
