"""Fixtures: the program with a large library, and browsers like those of people.

    .build/web-venv/bin/python -m pytest Tests/Web      # contrib/test makes that environment

SEGUE_BINARY names the program, SEGUE_WEB_DIRECTORY a folder with the page's files in place of the program's own;
CHROMIUM another browser than Debian's. `--pictures FOLDER Tests/Web/test_pictures.py` makes pictures of every view.
"""
import os
import pathlib
import shutil
import sys
import time
from urllib.parse import urljoin

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "Sources/Clients/CWebPage/files"
sys.path.append(str(ROOT / "Tests/Integration"))

from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome  # noqa: E402
from harness.processes import free_port  # noqa: E402
from harness.segue import Segue  # noqa: E402

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
SONGS = 5000
DEVICES = {
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True},
    "desktop": {"viewport": {"width": 1440, "height": 900}},
}

WATCH = """
window.refused = [];
addEventListener("securitypolicyviolation", (event) => refused.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


def pytest_addoption(parser):
    parser.addoption("--pictures", metavar="FOLDER", help="make pictures of every view there, and for docs/page")


def pytest_configure(config):
    """Declares the mark of what each run of `contrib/test` shows, and that of pytest-xdist."""
    config.addinivalue_line("markers", "smoke: runs in every contrib/test; everything else only with --all")
    config.addinivalue_line("markers", "xdist_group(name): tests that one worker runs, one after the other")


def pytest_ignore_collect(collection_path, config):
    """Pictures are made only where they are asked for."""
    return True if collection_path.name == "test_pictures.py" and not config.getoption("--pictures") else None


class Page(Segue):
    """The program with its page."""

    def __init__(self, folder, registry, **sections):
        self.web_port = free_port()
        self.url = f"http://127.0.0.1:{self.web_port}"
        # While the page is being worked on, its files need not be in the program yet.
        folder_of_files = os.environ.get("SEGUE_WEB_DIRECTORY")
        web = {"listen": [f"127.0.0.1:{self.web_port}"], **({"directory": folder_of_files} if folder_of_files else {})}
        super().__init__(folder, registry, web=web, **sections)


@pytest.fixture(scope="session")
def registry(tmp_path_factory):
    """GStreamer's list of plug-ins."""
    return tmp_path_factory.mktemp("gstreamer") / "registry.bin"


@pytest.fixture(scope="session")
def navidrome(tmp_path_factory):
    """A library of 5,000 songs with pictures and words."""
    server = FakeNavidrome(tmp_path_factory.mktemp("navidrome"), songs=SONGS, seconds=40).start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def server(navidrome, registry, tmp_path_factory):
    """The program in front of it, with two rooms, stations and a playlist; its queue is filled and paused before each test."""
    server = Page(
        tmp_path_factory.mktemp("segue"), registry,
        navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
        playlists={"hide": []},
        station=[{"name": f"Radio {name}", "url": f"http://127.0.0.1:9/{name}"} for name in ("One", "Two", "Three")],
        output=[{"type": "null", "name": "Kitchen"}, {"type": "null", "name": "Study", "enabled": False}])
    server.start(SONGS)
    client = server.client()
    for path in some_songs(client, 3):
        client.playlistadd("Shown", path)
    client.disconnect()
    yield server
    server.kill()


@pytest.fixture
def mpd(server):
    """A client of MPD's protocol."""
    client = server.client()
    yield client
    client.disconnect()


def some_songs(client, count):
    """The paths of some songs of the library."""
    found, folders = [], [""]
    while folders and len(found) < count:
        for entry in client.lsinfo(folders.pop()):
            if "file" in entry:
                found.append(entry["file"])
            elif "directory" in entry:
                folders.append(entry["directory"])
    return found[:count]


@pytest.fixture
def queue(mpd):
    """Forty songs in the queue, the fifth of which plays, paused."""
    mpd.clear()
    for path in some_songs(mpd, 40):
        mpd.add(path)
    mpd.play(4)
    mpd.pause(1)
    return mpd


@pytest.fixture(scope="session")
def playwright():
    """Steers browsers; there can be one in a process."""
    from playwright.sync_api import sync_playwright
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(request):
    """A browser."""
    if not CHROMIUM:
        pytest.skip("there is no chromium on this system; contrib/test installs it where apt has one")
    from playwright.sync_api import Error
    playwright = request.getfixturevalue("playwright")
    # Root can't have the browser's sandbox, nor can users of some containers; the pages are our own.
    options = ["--disable-dev-shm-usage"]
    try:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=options + (["--no-sandbox"] if os.geteuid() == 0 else []))
    except Error:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*options, "--no-sandbox"])
    yield browser
    browser.close()


@pytest.fixture
def visit(chromium, server):
    """Opens views in a new browser window; in the end nothing may have failed or been refused in it."""
    contexts, faults, pages = [], [], []

    def open_view(view="home", device="phone", scheme="dark", url=None, **more):
        context = chromium.new_context(
            **{**DEVICES[device], "color_scheme": scheme, "reduced_motion": "reduce", "locale": "en-GB", **more})
        contexts.append(context)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{url or server.url}/#/{view}")
        page.wait_for_selector(".view, .now")
        pages.append(page)
        return page

    open_view.faults = faults
    yield open_view
    for page in pages:
        if not page.is_closed():
            faults += page.evaluate("window.refused ?? []")
    for context in contexts:
        context.close()
    assert not faults, faults


def until(page, expression, argument=None, seconds=60):
    """Waits until an expression is true in the page; Playwright's own way evaluates text, which the page forbids."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression, argument):
        assert time.monotonic() < deadline, f"not true within {seconds} s: {expression}"
        page.wait_for_timeout(50)


def sign_in(visit, server, view, device):
    """A page that has shown the password of a guarded server, at a view."""
    page = visit("signin", device, url=server.url)
    page.fill("input[type=password]", "open-sesame-77")
    page.click("form .primary")
    page.wait_for_selector("html[data-view=home]")
    page.goto(f"{server.url}/#/{view}")
    page.wait_for_selector(f"html[data-view={view}]")
    return page


FRAMES = """
async ([scroller, step, leap]) => {
    const view = document.querySelector(scroller), times = [];
    let last = performance.now();
    for (let frame = 0; frame < 150; frame++) {
        if (step) view.scrollTop += leap && frame % 60 === 59 ? leap : step;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
    }
    times.sort((one, other) => one - other);
    return {median: times[75], p95: times[142], nodes: document.querySelectorAll("*").length};
}"""


def cost_of_scrolling(page, scroller, step, leap=0, slower=1):
    """The cost of 150 frames of scrolling: elements of the page, its heap in bytes, `work` in milliseconds a frame."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    # In processor time, so that other programs don't count.
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent():
        values = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return (values["ScriptDuration"] + values["LayoutDuration"] + values["RecalcStyleDuration"],
                values["JSHeapUsedSize"], values["TaskDuration"])
    # What a page that stands still shows of the machine's load.
    still = page.evaluate(FRAMES, [scroller, 0, 0])
    began = spent()
    seen = page.evaluate(FRAMES, [scroller, step, leap])
    work, heap, whole = spent()
    each, whole = (work - began[0]) / 150 * 1000, (whole - began[2]) / 150 * 1000
    print(f"slower by {slower}: {seen}, while still p95 {still['p95']:.1f}; {each:.1f} ms of script, style and layout a "
          f"frame, {whole:.1f} ms of all work of the main thread, heap {heap / 2**20:.1f} MiB")
    return {"nodes": seen["nodes"], "heap": heap, "work": each}


def seen_by_phones(page):
    """Codes for phones name an address that phones reach, as those of a server that lets the house in do."""
    def answer(route):
        made = route.fetch()
        shown = made.json()
        if "url" in shown:
            # Who may do what all may gets the address alone, without a code.
            shown["url"] = "http://192.168.7.7:6610/" + "".join(shown["url"].partition("#")[1:])
            drawing = page.request.get(urljoin(route.request.url, "/api/qr"), params={"text": shown["url"]})
            shown["svg"] = drawing.text()
        route.fulfill(response=made, json=shown)
    page.route("**/api/pair*", answer)


def standing(page, selector):
    """The box of an element once it has been in the same place for a few frames: a finger meets nothing that moves."""
    until(page, """(selector) => new Promise((done) => {
        const place = () => JSON.stringify(document.querySelector(selector)?.getBoundingClientRect());
        const first = place();
        let frames = 0;
        const look = () => {
            if (!first || place() !== first) done(false);
            else if (++frames > 6) done(true);
            else requestAnimationFrame(look);
        };
        look();
    })""", selector)
    return page.locator(selector).bounding_box()


def touch(page, points, steps=8, hold=0, shows=None):
    """A finger that goes from one point to the next ones, by real touch events.

    It rests at first for `hold` milliseconds, and until the selector `shows` is in sight: a busy browser may notice
    late how long a finger has rested.
    """
    session = page.context.new_cdp_session(page)

    def send(kind, point=None):
        touches = [{"x": point[0], "y": point[1]}] if point else []
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    send("touchStart", points[0])
    if hold:
        page.wait_for_timeout(hold)
    if shows:
        page.wait_for_selector(shows)
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        for step in range(1, steps + 1):
            send("touchMove", (x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps))
            page.wait_for_timeout(16)
    send("touchEnd")
    session.detach()


def tap_after_stroke(page, selector, is_done, seconds=60):
    """Taps until that has its effect: a tap soon after a stroke counts for Chromium as one that stops a fling, and
    people tap again."""
    deadline = time.monotonic() + seconds
    page.wait_for_timeout(400)
    while not is_done():
        assert time.monotonic() < deadline, f"a tap on {selector} has no effect within {seconds} s"
        if page.locator(selector).count():
            page.tap(selector)
        again = time.monotonic() + 2
        while time.monotonic() < again and not is_done():
            page.wait_for_timeout(50)
