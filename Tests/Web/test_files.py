"""The page's files by themselves: sizes, words, types."""
import gzip
import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import FILES, ROOT

pytestmark = pytest.mark.smoke

KIB = 1024
FIRST = ["index.html", "page.webmanifest", "icons/segue.svg", "texts/en.json"]
LANGUAGES = ["de", "en", "es", "fr", "ja"]
PLURALS = {"de": {"one", "other"}, "en": {"one", "other"}, "es": {"one", "many", "other"},
           "fr": {"one", "many", "other"}, "ja": {"other"}}


def served(path):
    """A file as the program serves it: modules without the lines that only people read."""
    text = (FILES / path).read_text()
    if path.endswith(".js"):
        text = re.sub(r"^[ \t]*/\*\*.*?\*/[ \t]*\n?", "", text, flags=re.MULTILINE | re.DOTALL)
        text = re.sub(r"^[ \t]*//.*\n", "", text, flags=re.MULTILINE)
    return text.encode()


def packed(paths):
    """How many bytes these files are on their way to a browser."""
    return sum(len(gzip.compress(served(path), 6)) for path in paths)


def scripts(folder):
    return sorted(str(path.relative_to(FILES)) for path in (FILES / folder).glob("*.js"))


def texts(language):
    return json.loads((FILES / f"texts/{language}.json").read_text())


def test_a_first_visit_is_at_most_60_KB():
    styles = [f"style/{path.name}" for path in (FILES / "style").glob("*.css")]
    first = FIRST + styles + scripts("js") + ["views/home.js"]
    assert packed(first) <= 60 * KIB, {path: packed([path]) for path in first}


def test_the_whole_page_is_at_most_120_KB():
    styles = [f"style/{path.name}" for path in (FILES / "style").glob("*.css")]
    assert packed(FIRST + styles + scripts("js") + scripts("views")) <= 120 * KIB


def test_at_most_13_modules_are_needed_at_the_start_and_all_are_announced():
    index = (FILES / "index.html").read_text()
    announced = {f"js/{name}" for name in re.findall(r"/js/([\w-]+\.js)", index)}
    assert announced == set(scripts("js"))
    assert len(announced) <= 13


def test_the_worker_keeps_every_file_that_the_page_needs():
    worker = (FILES / "worker.js").read_text()
    kept = set(re.findall(r'"((?:style|js|texts)/[\w.-]+)"', worker))
    views = set(re.search(r"VIEWS = \[(.*?)\]", worker, re.S)[1].replace('"', "").replace(",", " ").split())
    wanted = {str(path.relative_to(FILES)) for name in ("style", "js", "texts") for path in (FILES / name).iterdir()}
    assert kept == wanted
    assert {f"views/{name}.js" for name in views} == set(scripts("views"))


def test_nothing_makes_elements_of_markup_or_runs_text():
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function| style=\"| on[a-z]+=\""
    for path in [*scripts("js"), *scripts("views"), "index.html", "worker.js"]:
        assert not re.search(forbidden, (FILES / path).read_text()), path


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_its_plurals_and_names(language):
    english, other = texts("en"), texts(language)
    assert set(other) == set(english)
    for key, text in other.items():
        forms = text if isinstance(text, dict) else {"other": text}
        assert isinstance(text, dict) == isinstance(english[key], dict), key
        if isinstance(text, dict):
            assert set(forms) == PLURALS[language], key
        model = english[key]["other"] if isinstance(english[key], dict) else english[key]
        for form in forms.values():
            assert form.strip(), key
            assert set(re.findall(r"\{\w+\}", form)) == set(re.findall(r"\{\w+\}", model)), (key, form)


def test_every_text_is_used_and_every_used_text_exists():
    code = "\n".join((FILES / path).read_text() for path in scripts("js") + scripts("views"))
    known = set(texts("en"))
    named = set(re.findall(r'"((?:[a-z]+\.)+[a-zA-Z]+)"', code))
    groups = {key.split(".")[0] for key in known}
    used = {name for name in named if name.split(".")[0] in groups}
    tags = {name for name in used if re.match(r"(nav|section|label|queue|count)\.[a-z]+$", name)} - known
    assert used - tags <= known, used - tags - known
    patterns = [re.escape(text).replace(r"\$", "$") for text in re.findall(r"t\(`([a-z.]+)\$\{", code)]
    unused = {key for key in known - used if not any(key.startswith(each.replace("\\", "")) for each in patterns)}
    assert not unused, unused


def test_no_module_needs_itself():
    def needed(path):
        code = served(path).decode()
        return {str((FILES / path).parent.joinpath(name).resolve().relative_to(FILES.resolve()))
                for name in re.findall(r'(?:from|import\()\s*"([^"]+)"', code)}

    left = {path: needed(path) for path in scripts("js") + scripts("views")}
    while ready := {path for path, names in left.items() if not names & left.keys()}:
        left = {path: names for path, names in left.items() if path not in ready}
    assert not left, sorted(left)


def deno(*arguments):
    program = shutil.which("deno", path=f"{sys.prefix}/bin") or shutil.which("deno")
    if not program:
        pytest.skip("deno is not installed; Tests/Web/requirements.txt names it")
    return subprocess.run([program, *arguments], cwd=FILES, text=True, capture_output=True, timeout=300)


@pytest.mark.parametrize("command", ["check", "lint"])
def test_deno_finds_no_mistake_in_types_and_style(command):
    # The worker has another world of globals than the page.
    sources = scripts("js") + scripts("views") + (["worker.js"] if command == "lint" else [])
    result = deno(command, "--config", ROOT / "Tests/Web/deno.json", *sources)
    assert result.returncode == 0, re.sub(r"\x1b\[[0-9;]*m", "", result.stdout + result.stderr)
