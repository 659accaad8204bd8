"""The manual pages and completions, which are made from the program and from conf/segue.toml."""
import os
import re
import shutil
import subprocess

import pytest
from harness.segue import ROOT, binary


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder with all pages."""
    folder = tmp_path_factory.mktemp("manual")
    subprocess.run([ROOT / "contrib/make-manual", binary(), folder], check=True,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return folder


def commands():
    """The program's commands."""
    text = subprocess.run([binary(), "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\w+) ", text.partition("SUBCOMMANDS:")[2].partition("\n\n")[0],
                      re.MULTILINE)


@pytest.mark.smoke
def test_every_command_and_option_has_its_page(pages):
    assert "serve" in commands()
    for command in commands():
        page = (pages / f"segue-{command}.1").read_text(encoding="utf-8").replace("\\-", "-")
        help_text = subprocess.run([binary(), command, "--help"], capture_output=True, text=True, check=True).stdout
        for option in re.findall(r"(--[a-z-]+)", help_text.partition("OPTIONS:")[2]):
            assert option in page, f"segue-{command}.1 lacks {option}"
        assert rf"\fB{command}\fR" in (pages / "segue.1").read_text(encoding="utf-8")


@pytest.mark.smoke
def test_every_key_of_the_configuration_is_in_its_page(pages):
    page = (pages / "segue.toml.5").read_text(encoding="utf-8").replace("\\-", "-").replace("\\e", "\\")
    example = (ROOT / "conf/segue.toml").read_text(encoding="utf-8")
    settings = re.findall(r"^#?((?:\[|[a-z_]+ = ).*)$", example, re.MULTILINE)
    assert len(settings) > 100
    for setting in settings:
        assert f"\n{setting}\n" in page, setting


@pytest.mark.skipif(not shutil.which("man"), reason="there is no man here")
def test_man_has_no_complaint(pages):
    for page in sorted(pages.iterdir()):
        result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], text=True,
                                capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False)
        assert result.returncode == 0 and not result.stderr, (page.name, result.stderr)


@pytest.mark.skipif(not shutil.which("mandoc"), reason="there is no mandoc here")
def test_mandoc_has_no_complaint(pages):
    result = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *sorted(pages.iterdir())], text=True,
                            capture_output=True, check=False)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completions_are_scripts_of_their_shell(shell, tmp_path):
    script = subprocess.run([binary(), "--generate-completion-script", shell], capture_output=True, text=True,
                            check=True).stdout
    assert "analyse" in script
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell} here")
    path = tmp_path / "completions"
    path.write_text(script, encoding="utf-8")
    result = subprocess.run([shell, "-n", path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
