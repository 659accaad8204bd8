"""A smoke run in Gecko and WebKit: every view, playing, editing the queue, searching. Chromium has all other tests."""
import contextlib
import glob
import os
import shutil
import subprocess
import time
from urllib.parse import quote

import pytest
from test_views import AXE, VIEWS, first

from harness.waiting import wait_for

FAULTS = """
window.faults = [];
addEventListener("error", (event) => faults.push(String(event.message)));
addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));
addEventListener("securitypolicyviolation", (event) => faults.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


class Gecko:
    """Firefox by Playwright, which speaks WebDriver BiDi with the system's own."""

    def __init__(self, browser, url):
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", reduced_motion="reduce")
        self.context.add_init_script(FAULTS)
        self.page, self.url = self.context.new_page(), url
        self.page.set_default_timeout(60_000)

    def open(self, view):
        self.page.goto(f"{self.url}/#/{view}")

    def run(self, script, *values):
        return self.page.evaluate("([code, values]) => (" + script + ")(...values)", ["", list(values)])

    def close(self):
        self.context.close()


class WebKit:
    """WebKitGTK's small browser by Selenium."""

    def __init__(self, driver, url):
        self.driver, self.url = driver, url
        driver.set_window_size(420, 900)
        driver.get(url)
        driver.execute_script(FAULTS)

    def open(self, view):
        self.driver.execute_script("location.hash = '#/' + arguments[0]", view)

    def run(self, script, *values):
        return self.driver.execute_script(f"return ({script})(...arguments)", *values)

    def close(self):
        """The driver is closed by its fixture."""


@contextlib.contextmanager
def display():
    """The number of an X server without a screen."""
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
                              pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="module")
def firefox(tmp_path_factory, request):
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program or os.path.realpath(program).startswith("/snap"):
        pytest.skip("there is no Firefox that can be steered on this system; contrib/test installs Debian's firefox-esr")
    home = tmp_path_factory.mktemp("firefox")
    playwright = request.getfixturevalue("playwright")
    # Firefox refuses to run where another user owns the home folder.
    browser = playwright.firefox.launch(
        channel="moz-firefox", executable_path=program, env={**os.environ, "HOME": str(home)})
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def webkit():
    browsers = glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
    if not (browsers and shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
        pytest.skip("there is no WebKitGTK on this system; contrib/test installs webkit2gtk-driver where apt has it")
    from selenium import webdriver
    options = webdriver.WebKitGTKOptions()
    options.binary_location = browsers[0]
    options.add_argument("--automation")
    with display() as screen:
        environment = {**os.environ, "DISPLAY": screen, "GDK_BACKEND": "x11"}
        if os.geteuid() == 0:
            # Root can't have the sandbox; the pages are our own.
            environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        service = webdriver.WebKitGTKService(shutil.which("WebKitWebDriver"), env=environment)
        driver = webdriver.WebKitGTK(options=options, service=service)
        yield driver
        driver.quit()


@pytest.fixture(params=[pytest.param("firefox", marks=pytest.mark.smoke), "webkit"])
def browser(request, server):
    """The page in one of these engines; in the end nothing may have failed in it."""
    engine = request.getfixturevalue(request.param)
    page = (Gecko if request.param == "firefox" else WebKit)(engine, server.url)
    yield page
    faults = page.run("() => window.faults")
    page.close()
    assert not faults, faults


def until(page, script, *values, seconds=60):
    """Waits until a function of the page gives something true, and returns that."""
    deadline = time.monotonic() + seconds
    while not (found := page.run(script, *values)):
        assert time.monotonic() < deadline, f"not true within {seconds} s: {script} {values}"
        time.sleep(0.05)
    return found


CLICK = """(selector, text) => {
    const found = [...document.querySelectorAll(selector)].find((each) =>
        each.checkVisibility() && !each.disabled && (!text || each.textContent.includes(text)));
    found?.click();
    return !!found;
}"""


def test_every_view_opens(browser, queue):
    for view in VIEWS:
        browser.open(view)
        until(browser, "(view) => document.documentElement.dataset.view === view", view.split("/")[0])
        until(browser, "() => document.querySelector('.view, .now') && !document.querySelector('[aria-busy=true]')")


def test_music_is_found_played_and_sorted(browser, queue):
    title = queue.playlistinfo()[7]["title"]
    browser.open(f"search/{quote(title)}")
    until(browser, CLICK, ".view .row .main", title)
    wait_for(lambda: queue.status()["state"] == "play" and queue.currentsong()["title"] == title, 60, "the song")
    browser.open("queue")
    until(browser, "() => document.querySelectorAll('.queue-view .row:not(.skeleton)').length > 8")
    songs = [song["id"] for song in queue.playlistinfo()]
    until(browser, CLICK, ".cell[data-index='2'] [aria-label^='More for']", "")
    until(browser, CLICK, "dialog .sheet-item", "Move down")
    wait_for(lambda: [song["id"] for song in queue.playlistinfo()][2:4] == [songs[3], songs[2]], 60, "the move")
    until(browser, "() => !document.querySelector('dialog[open]')")
    until(browser, CLICK, ".cell[data-index='0'] [aria-label^='More for']", "")
    until(browser, CLICK, "dialog .sheet-item", "Remove")
    wait_for(lambda: songs[0] not in [song["id"] for song in queue.playlistinfo()], 60, "the removal")
    # The move before can be taken back as well, as long as it is what the page tells of.
    until(browser, "() => document.querySelector('.notices')?.textContent.includes('Removed')")
    until(browser, CLICK, ".notices button", "Undo")
    wait_for(lambda: len(queue.playlistinfo()) == len(songs), 60, "the song that comes back")


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing_in_firefox_either(firefox, server, queue, scheme):
    from axe_playwright_python.sync_playwright import Axe
    browser, found, grounds = Gecko(firefox, server.url), [], set()
    browser.open("home")
    # As the settings choose it, since this way of steering Firefox can't tell it what the system likes.
    browser.run("(scheme) => localStorage.setItem('theme', scheme)", scheme)
    browser.page.reload()
    for view in [*VIEWS, first(server, "album"), first(server, "artist")]:
        browser.open(view)
        until(browser, "(view) => document.documentElement.dataset.view === view", view.split("/")[0])
        until(browser, "() => document.querySelector('.view, .now') && !document.querySelector('[aria-busy=true]')")
        grounds.add(browser.run("() => getComputedStyle(document.documentElement).colorScheme"))
        for violation in Axe().run(browser.page, options=AXE).response["violations"]:
            found.append((view, violation["id"], [node["html"][:160] for node in violation["nodes"]][:3]))
    browser.close()
    assert grounds == {scheme}
    assert not found, found
