"""What Segue is built of: nothing gets into a build that contrib/dependencies.txt does not list.

A small package takes Segue's place, because another version of one of its packages would have to be downloaded.
"""
import json
import os
import shutil
import subprocess

import pytest
from harness.segue import ROOT
MANIFEST = """\
// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "{name}", products: [.library(name: "{name}", targets: ["{name}"])],
    dependencies: [{dependencies}], targets: [.target(name: "{name}", dependencies: [{products}])])
"""

pytestmark = pytest.mark.skipif(not shutil.which("swift"), reason="there is no Swift")


def git(folder, *arguments):
    """Runs git with a name and an address."""
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=folder, check=True,
                   capture_output=True)


def manifest(name, **taken):
    """A package's Package.swift; `taken` has folders of other packages, and which versions of them it asks for."""
    return MANIFEST.format(
        name=name,
        dependencies=", ".join(f'.package(url: "file://{folder}", {version})' for folder, version in taken.values()),
        products=", ".join(f'.product(name: "{other}", package: "{other}")' for other in taken))


def release(folder, version, **taken):
    """Makes a version of a package that others take."""
    source = folder / "Sources" / folder.name / "One.swift"
    source.parent.mkdir(parents=True, exist_ok=True)
    (folder / "Package.swift").write_text(manifest(folder.name, **taken))
    source.write_text("public let one = 1\n")
    if not (folder / ".git").exists():
        git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", version)
    git(folder, "tag", version)


class Project:
    """A package that is made of one other, with a list of it."""

    def __init__(self, folder):
        self.folder, self.taken = folder / "project", folder / "taken"
        self.taken.mkdir()
        for version in ("1.0.0", "1.1.0"):
            release(self.taken, version)
        (self.folder / "contrib").mkdir(parents=True)
        source = self.folder / "Sources/project/Two.swift"
        source.parent.mkdir(parents=True)
        source.write_text("let two = 2\n")
        for script in ("dependencies", "build", "setup.sh"):
            shutil.copy(ROOT / "contrib" / script, self.folder / "contrib")
        self.environment = {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
                            "XDG_CONFIG_HOME": str(folder / "config")}
        self.asks_for('exact: "1.0.0"')
        assert self.run("write").returncode == 0

    @property
    def list(self):
        """The list that is compared."""
        return self.folder / "contrib/dependencies.txt"

    def asks_for(self, requirement):
        """Says which version is wanted."""
        (self.folder / "Package.swift").write_text(manifest("project", taken=(self.taken, requirement)))

    def begins_anew(self, source, message):
        """Makes version 1.0.0 anew in the place that packages come from, of this source, on a machine that never saw it."""
        git(self.taken, "checkout", "-q", "1.0.0")
        (self.taken / "Sources/taken/One.swift").write_text(source)
        git(self.taken, "commit", "-q", "--allow-empty", "--amend", "-a", "-m", message)
        git(self.taken, "tag", "-f", "1.0.0")
        for name in (".build", "Package.resolved", "../cache", "../config", "../.swiftpm"):
            place = self.folder / name
            if place.is_file():
                place.unlink()
            shutil.rmtree(place, ignore_errors=True)

    def run(self, *words, script="contrib/dependencies"):
        """Runs contrib/dependencies, or another script."""
        return subprocess.run([script, *words], cwd=self.folder, env=self.environment, timeout=120,
                              capture_output=True, text=True, check=False)

    def refusal(self):
        """What the check prints when it refuses."""
        result = self.run("check")
        assert result.returncode == 1, result.stdout + result.stderr
        return result.stdout + result.stderr


@pytest.fixture
def project(tmp_path):
    """A package that is what its list says."""
    project = Project(tmp_path)
    assert project.run("check").returncode == 0
    return project


def test_another_version_than_the_listed_one_is_refused(project):
    project.asks_for('exact: "1.1.0"')
    refusal = project.refusal()
    assert f"has taken 1.0.0 {project.taken} " in refusal and "a build takes taken 1.1.0" in refusal


def test_a_package_that_is_not_listed_and_one_that_is_missing_are_refused(project):
    listed = project.list.read_text()
    project.list.write_text(listed.replace("taken 1.0.0", "other 1.0.0"))
    refusal = project.refusal()
    assert "has no taken, a build takes taken 1.0.0" in refusal
    assert "has other 1.0.0" in refusal and "a build takes no other" in refusal


def test_a_package_from_another_place_is_refused(project):
    listed = project.list.read_text()
    project.list.write_text(listed.replace(str(project.taken), "https://example.com/taken"))
    assert f"a build takes taken 1.0.0 {project.taken}" in project.refusal()


def test_a_version_that_could_change_by_itself_is_refused(project):
    project.asks_for('from: "1.0.0"')
    assert "Package.swift takes taken in any of several versions" in project.refusal()


@pytest.fixture
def bill(project):
    """Writes a bill of materials of a small program, and returns its bytes."""
    program = project.folder / "Sources/Program/segue/Segue.swift"
    program.parent.mkdir(parents=True)
    program.write_text('static let version = "1.2.0"\n')
    shutil.copy("/bin/true", project.folder / "segue")

    def write(**environment):
        project.environment.pop("SOURCE_DATE_EPOCH", None)
        project.environment.update(environment)
        result = project.run("sbom", "segue")
        assert result.returncode == 0, result.stderr
        return (project.folder / "segue.cdx.json").read_bytes()
    return write


def test_the_bill_of_materials_is_the_same_whenever_it_is_written(bill):
    assert bill() == bill()
    dated = bill(SOURCE_DATE_EPOCH="1700000000")
    assert dated == bill(SOURCE_DATE_EPOCH="1700000000")
    assert json.loads(dated)["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"


def test_bills_of_materials_with_different_content_have_different_numbers(bill, project):
    numbers = {json.loads(bill())["serialNumber"]}
    project.asks_for('exact: "1.1.0"')
    numbers.add(json.loads(bill())["serialNumber"])
    assert len(numbers) == 2 and all(number.startswith("urn:uuid:") for number in numbers)


def test_a_version_whose_contents_changed_is_refused_and_another_history_is_not(project):
    project.begins_anew("public let one = 1\n", "Another history")
    result = project.run("check")
    assert result.returncode == 0, result.stdout + result.stderr
    project.begins_anew("public let one = 666\n", "1.0.0")
    refusal = project.refusal()
    assert "taken 1.0.0 has other contents (tree " in refusal and str(project.taken) in refusal
    assert "its tag was moved" in refusal


def test_a_checkout_that_was_changed_by_hand_is_named(project):
    source = project.folder / ".build/checkouts/taken/Sources/taken/One.swift"
    source.chmod(0o644)
    source.write_text("public let one = 2\n")
    refusal = project.refusal()
    assert "the checkout of taken was changed by hand" in refusal and "swift package resolve" in refusal


def test_nothing_is_built_of_a_version_whose_contents_changed(project):
    project.begins_anew("public let one = 666\n", "1.0.0")
    result = project.run("project", script="contrib/build")
    assert result.returncode != 0 and "taken 1.0.0 has other contents" in result.stderr, result.stdout + result.stderr
    assert "contrib/dependencies.txt" in result.stderr.splitlines()[-1] and not result.stdout
    assert not list(project.folder.glob(".build/**/taken.build")), "it was compiled all the same"


def test_a_package_of_a_package_that_went_on_is_built_in_the_listed_version(project, tmp_path):
    below = tmp_path / "below"
    below.mkdir()
    release(below, "1.0.0")
    release(project.taken, "2.0.0", below=(below, 'from: "1.0.0"'))
    project.asks_for('exact: "2.0.0"')
    assert project.run("write").returncode == 0
    release(below, "1.1.0")
    (project.folder / "Package.resolved").unlink()
    shutil.rmtree(project.folder / ".build")
    assert "a build takes below 1.1.0" in project.refusal()
    result = project.run("take")
    assert result.returncode == 0, result.stdout + result.stderr
    assert project.run("check").returncode == 0
    # One that can't be had any more is named.
    project.list.write_text(project.list.read_text().replace("below 1.0.0", "below 1.0.7"))
    result = project.run("take")
    assert result.returncode == 1 and "has below 1.0.7" in result.stdout, result.stdout + result.stderr
