"""What a release says of itself."""
import os
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


def test_debians_changelog_has_the_points_without_their_headings():
    result = subprocess.run([ROOT / "contrib/make-debian-changelog", "1.2.0"], capture_output=True, text=True, timeout=30,
                            check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    points = [line for line in result.stdout.splitlines() if line.startswith("  * ")]
    assert result.stdout.startswith("segue (1.2.0) ") and len(points) > 10 and "###" not in result.stdout


def test_the_version_stands_in_one_place():
    program = (ROOT / "Sources/Program/segue/Segue.swift").read_text(encoding="utf-8")
    version = program.split('static let version = "')[1].split('"')[0]
    elsewhere = [path for folder in ("Sources", "contrib", "conf") for path in (ROOT / folder).rglob("*")
                 if path.is_file() and path.name != "Segue.swift" and path.suffix not in (".png", ".pyc")
                 and f"segue {version}" in path.read_text(encoding="utf-8", errors="replace").lower()]
    assert not elsewhere


def test_checksums_are_of_all_files_but_the_list_itself_whatever_list_came_along(tmp_path):
    for name in ("segue_1_amd64.deb", "segue_1_arm64.deb", "a name with spaces.json"):
        (tmp_path / name).write_text(name)
    (tmp_path / "SHA256SUMS").write_text("0" * 64 + "  segue_0_amd64.deb\n")
    for _ in range(2):
        subprocess.run([ROOT / "contrib/write-checksums", tmp_path], check=True, timeout=30)
        listed = [line[66:] for line in (tmp_path / "SHA256SUMS").read_text().splitlines()]
        assert listed == ["a name with spaces.json", "segue_1_amd64.deb", "segue_1_arm64.deb"]
        subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True)


def test_a_repository_that_git_refuses_to_read_does_not_pass_for_an_archive(tmp_path):
    script = f'. {ROOT}/contrib/setup.sh; set_source_date; echo "$SOURCE_DATE_EPOCH"'

    def date(**environment):
        return subprocess.run(["bash", "-euc", script], cwd=tmp_path, capture_output=True, text=True, timeout=30,
                              env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environment}, check=False)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    os.utime(tmp_path / "CHANGELOG.md", (1_600_000_000, 1_600_000_000))
    assert date().stdout == "1600000000\n"
    subprocess.run("git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one", cwd=tmp_path,
                   shell=True, check=True, env={**os.environ, "GIT_COMMITTER_DATE": "1700000000 +0000"})
    assert date().stdout == "1700000000\n"
    # As git does where the folder belongs to another user.
    refused = date(GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
    assert refused.returncode != 0 and "safe.directory" in refused.stderr and not refused.stdout
    assert date(GIT_TEST_ASSUME_DIFFERENT_OWNER="1", SOURCE_DATE_EPOCH="5").stdout == "5\n"


TOY = """\
// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "toy", targets: [.executableTarget(name: "toy", path: "Sources/toy")])
"""


@pytest.mark.skipif(not shutil.which("swift"), reason="there is no Swift")
def test_a_release_has_the_same_bytes_in_another_folder(tmp_path):
    """With contrib/build's own options; of the whole program contrib/test-reproducible shows it."""
    made = []
    for name in ("one", "two"):
        project = tmp_path / name
        (project / "Sources/toy").mkdir(parents=True)
        (project / "Sources/Program/segue").mkdir(parents=True)
        (project / "contrib").mkdir()
        for script in ("build", "setup.sh", "dependencies"):
            shutil.copy(ROOT / "contrib" / script, project / "contrib")
        (project / "contrib/dependencies.txt").write_text("# None.\n")
        (project / "Package.swift").write_text(TOY)
        (project / "Sources/Program/segue/Segue.swift").write_text('static let version = "1"')
        (project / "Sources/toy/main.swift").write_text("import Foundation\nprint(Date(), #fileID, other())\n")
        (project / "Sources/toy/Other.swift").write_text(
            "func other() -> Int { [3, 4].withUnsafeBufferPointer { $0.reduce(0, +) } }\n")
        result = subprocess.run(["contrib/build", "toy"], cwd=project, capture_output=True, text=True, timeout=600,
                                check=False)
        assert result.returncode == 0, result.stderr
        made.append(project / result.stdout.splitlines()[-1])
    assert made[0] != made[1] and made[0].read_bytes() == made[1].read_bytes()
