"""What the page does when the server, the network or the version goes away."""
import pytest
from conftest import Page, until
from harness.waiting import wait_for


@pytest.fixture
def own(registry, tmp_path, navidrome):
    """A server that a test may kill."""
    from harness.fake_navidrome import PASSWORD, USER
    server = Page(tmp_path / "own", registry,
                  navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                  output=[{"type": "null", "name": "Kitchen"}])
    server.start(5000)
    yield server
    server.kill()


@pytest.fixture
def far(registry, tmp_path):
    """A server in front of a library that a test may kill, and that library."""
    from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
    navidrome = FakeNavidrome(tmp_path, songs=40).start()
    server = Page(tmp_path / "far", registry,
                  navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                  output=[{"type": "null", "name": "Kitchen"}])
    server.start(40)
    yield server, navidrome
    server.kill()
    navidrome.kill()


def test_edits_that_wait_for_the_library_carry_a_mark_and_copies_say_where_they_come_from(visit, far):
    server, navidrome = far
    client = server.client()
    song = client.search("file", "")[0]["file"]
    navidrome.kill()
    page = visit("songs", "desktop", url=server.url)
    page.wait_for_selector(".row .title:not(:empty)")
    page.click(".row .icon-button[aria-label^='More for']")
    page.click("dialog .sheet-item:has-text('Add to favourites')")
    page.wait_for_selector(".row .waits")
    for name in ("Evening", "Evening (conflict 2026-01-02)"):
        client.playlistadd(name, song)
    page.goto(f"{server.url}/#/playlists")
    page.wait_for_selector(".row:has-text('Evening') .waits")
    copy = ".row:has-text('Evening (conflict 2026-01-02)')"
    page.wait_for_selector(f"{copy}:has-text('Conflict copy · 1 song')")
    page.click(f"{copy} .main")
    page.wait_for_selector(".summary .waits")
    page.click("a:text-is('Show the other one')")
    page.wait_for_selector("h1:text-is('Evening')")
    navidrome.start()
    client.update()
    page.wait_for_selector(".summary .waits", state="hidden")
    client.disconnect()


@pytest.mark.smoke
def test_a_killed_server_is_told_calmly_and_found_again(visit, far):
    server, _ = far
    page = visit("queue", "phone", url=server.url)
    page.wait_for_selector(".queue-view")
    until(page, "document.querySelector('.queue-view .summary').textContent !== ''")
    server.kill()
    page.wait_for_selector(".connection-line:not([hidden])")
    assert "No connection since" in page.inner_text(".connection-line")
    server.start(40)
    page.wait_for_selector(".connection-line", state="hidden")
    client = server.client()
    client.add(client.lsinfo("")[0]["directory"])
    page.wait_for_selector(".queue-view .row .title:not(:empty)")


@pytest.mark.parametrize("view, content, path", [
    ("albums", ".tile", "albums"), ("search/al", ".group", "search"), ("home", ".tile:not(.skeleton)", "albums"),
    ("genres", ".row", "genres"), ("artists", ".tile", "artists"), ("playlists", ".row", "playlists"),
    ("radio", ".row", "stations"), ("folders", ".row", "folders"), ("zap", ".card", "stations")])
def test_a_view_that_could_not_be_had_says_so_in_the_pages_words(visit, queue, view, content, path):
    german = len(view) % 2
    words = "Segue antwortet nicht" if german else "Segue does not answer"
    page = visit("rooms", "phone", locale="de-DE" if german else "en-GB")
    page.wait_for_selector(".room")
    page.route(f"**/api/{path}?*", lambda route: route.abort())
    page.evaluate("(view) => location.hash = `#/${view}`", view)
    page.wait_for_selector(f".view :text('{words}')")
    assert "Failed to fetch" not in page.inner_text(".view")
    page.unroute(f"**/api/{path}?*")
    # The connection is made anew, as after the server was away.
    page.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    page.context.set_offline(False)
    page.evaluate("import(document.querySelector('script[type=module]').src.replace('main.js', 'store.js'))"
                  ".then((store) => { store.link.value = { state: 'lost', since: Date.now() }; store.reconnect(); })")
    page.wait_for_selector(f".view {content}")


def test_a_search_that_fails_keeps_what_was_found(visit, queue):
    page = visit("search/al", "desktop")
    page.wait_for_selector(".group .tile, .group .row")
    page.route("**/api/search?*", lambda route: route.abort())
    page.fill(".search-field", "alb")
    page.wait_for_selector(".search-note:has-text('Segue does not answer')")
    assert page.locator(".results.outdated .group").count() > 0
    page.unroute("**/api/search?*")
    page.fill(".search-field", "al")
    page.wait_for_selector(".results:not(.outdated) .group")
    assert page.inner_text(".search-note") == ""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_nothing_lies_below_the_line_about_a_lost_connection(visit, own, size):
    """Titles, tools and the way back are seen and meet a finger as long as it lasts."""
    page = visit("home", "phone", url=own.url, viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(".tile:not(.skeleton)")
    for view in ("queue", "now", "lyrics", "rooms", "albums"):
        page.evaluate("(view) => location.hash = `#/${view}`", view)
        page.wait_for_selector(f"html[data-view={view}]")
        page.wait_for_load_state("networkidle")
    own.kill()
    page.wait_for_selector(".connection-line:not([hidden])")
    for view in ("queue", "now", "lyrics", "rooms", "albums"):
        page.evaluate("(view) => location.hash = `#/${view}`", view)
        page.wait_for_selector(f"html[data-view={view}]")
        covered = page.evaluate("""() => [...document.querySelectorAll("main button, main h1, main a")].filter((each) => {
            const box = each.getBoundingClientRect(), line = document.querySelector(".connection-line").getBoundingClientRect();
            return box.width > 0 && box.top < line.bottom && box.bottom > line.top && box.bottom > 0;
        }).map((each) => each.outerHTML.slice(0, 90))""")
        assert not covered, (view, covered)
        back = page.locator("main header button").first
        if back.count() and back.is_visible():
            back.click(trial=True)


def test_without_a_network_the_page_opens_again(visit, own):
    page = visit("home", "desktop", url=own.url)
    until(page, "navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
    own.kill()
    page.reload()
    page.wait_for_selector(".sidebar .brand")
    page.wait_for_selector(".connection-line:not([hidden])")
    own.start(5000)
    page.wait_for_selector(".connection-line", state="hidden")


def test_without_its_server_the_page_shows_what_was_told_last_and_when(visit, own):
    client = own.client()
    client.add(client.lsinfo("")[0]["directory"])
    client.play(0)
    title = client.currentsong()["title"]
    page = visit("now", "phone", url=own.url)
    page.wait_for_selector(f".now h1:text-is({title!r})")
    until(page, "navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')")
    until(page, "(title) => JSON.parse(localStorage.getItem('last') ?? '{}').song?.title === title", title)
    own.kill()
    page.reload()
    page.wait_for_selector(f".now h1:text-is({title!r})")
    page.wait_for_selector(".connection-line:has-text('No connection; as of')")
    assert page.is_disabled(".now .play-button")
    place = page.inner_text(".now .clock:not(.rest)")
    page.goto(f"{own.url}/#/settings")
    page.wait_for_selector(".big-state:has-text('As of')")
    assert "5,000" in page.inner_text(".settings .facts")
    assert page.evaluate("document.querySelector('.mini .sub, .mini .title').textContent") == title
    page.goto(f"{own.url}/#/now")
    page.wait_for_selector(".now .clock")
    assert page.inner_text(".now .clock:not(.rest)") == place, "what is over plays on"
    own.start(5000)
    page.wait_for_selector(".connection-line", state="hidden")
    page.wait_for_selector(".now .play-button:not([disabled])")


def test_what_was_told_last_is_forgotten_by_whoever_signs_out(visit, registry, tmp_path):
    (tmp_path / "music").mkdir()
    server = Page(tmp_path, registry, local={"music_directory": tmp_path / "music"},
                  server={"default_permissions": [], "local_permissions": []})
    server.sections["server.password"] = [{"password": "open-sesame-77", "permissions": ["read", "player", "admin"]}]
    server.start()
    try:
        page = visit("signin", "phone", url=server.url)
        page.fill("input[type=password]", "open-sesame-77")
        page.tap("form .primary")
        until(page, "localStorage.getItem('last')")
        page.goto(f"{server.url}/#/settings")
        page.tap("button:text-is('Sign out')")
        page.wait_for_selector("html[data-view=signin]")
        until(page, "!localStorage.getItem('last')")
    finally:
        server.kill()


# The pauses between attempts grow; the long ones have no end here, so that the page comes back by the event alone.
NO_LONG_PAUSES = """
const plain = window.setTimeout;
window.setTimeout = (work, pause, ...rest) => pause > 2000 && pause <= 8000 && pause !== 3000
    ? (window.isPausing = true, 0) : plain(work, pause, ...rest);
"""


@pytest.mark.parametrize("event", ["visibilitychange", "online"])
def test_a_page_that_comes_back_is_connected_soon(visit, own, event):
    page = visit("now", "phone", url=own.url)
    page.context.add_init_script(NO_LONG_PAUSES)
    page.reload()
    page.wait_for_selector(".now .play-button:not([disabled])")
    own.kill()
    until(page, "window.isPausing")
    page.wait_for_selector(".connection-line:not([hidden])")
    own.start(5000)
    assert page.is_visible(".connection-line")
    page.evaluate("(event) => (event === 'online' ? window : document).dispatchEvent(new Event(event))", event)
    # No other attempt comes, however long the page waits.
    page.wait_for_selector(".connection-line", state="hidden")


def test_a_list_whose_windows_could_not_be_had_fills_once_they_can_be(visit, queue):
    page = visit("albums", "desktop")
    page.wait_for_selector(".tile .title:not(:empty)")
    page.route("**/api/songs*", lambda route: route.abort() if "start=0" not in route.request.url else route.continue_())
    page.evaluate("location.hash = '#/songs'")
    page.wait_for_selector(".browse .row .title:not(:empty)")
    page.evaluate("document.querySelector('.browse').scrollTop = 64 * 2000")
    page.wait_for_selector(".browse .cell[data-index='2001'].skeleton")
    page.unroute("**/api/songs*")
    page.wait_for_selector(".browse .cell[data-index='2001']:not(.skeleton) .title:not(:empty)")


def test_lists_show_what_changed_while_the_page_was_away(visit, far):
    server, navidrome = far
    page = visit("songs", "desktop", url=server.url)
    page.wait_for_selector(".browse .row .title:not(:empty)")
    context = page.context
    context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    server.kill()
    page.wait_for_selector(".connection-line:not([hidden])")
    navidrome.control("song", n=0, title="00 New Name")
    server.start(40)
    client = server.client()
    client.update()
    wait_for(lambda: client.find("title", "00 New Name"), 60, "the song's new title")
    client.disconnect()
    context.set_offline(False)
    page.wait_for_selector(".connection-line", state="hidden")
    page.wait_for_selector(".browse .row .title:text-is('00 New Name')")


def test_six_tabs_all_work(visit, queue):
    pages = []
    for _ in range(6):
        pages.append(visit("now", "desktop"))
    title = queue.currentsong().get("title")
    for page in pages:
        page.wait_for_selector(f".now h1:text-is({title!r})")
    queue.next()
    title = queue.currentsong().get("title")
    for page in pages:
        page.wait_for_selector(f".now h1:text-is({title!r})")
    queue.pause(1)


def test_a_tap_is_shown_before_the_server_answers(visit, queue):
    page = visit("now", "phone")
    page.wait_for_selector(".now .play-button[aria-label=Play]")
    page.route("**/api/player/**", lambda route: None)
    page.tap(".now .play-button")
    page.wait_for_selector(".now .play-button[aria-label=Pause]")


def test_a_song_that_is_waited_for_is_shown_as_that_and_its_time_stands_still(visit, far):
    server, navidrome = far
    client = server.client()
    client.add(client.lsinfo("")[0]["directory"])
    page = visit("now", "phone", url=server.url)
    page.wait_for_selector(".now .play-button:enabled")
    page.clock.install()
    page.reload()
    page.wait_for_selector(".now .play-button:enabled")
    navidrome.control("fault", mode="delay", ms=600_000, match="stream")
    client.play(0)
    page.wait_for_selector(".now .play-button[aria-label=Pause]")
    assert client.status()["state"] == "play", "MPD's clients are told what MPD tells"
    client.disconnect()
    page.clock.run_for(8000)
    page.wait_for_selector(".now .play-button.awaited[aria-busy=true]")
    assert "Waiting for sound" in page.inner_text(".now-panel")
    assert page.inner_text(".now .clock:not(.rest)") == "0:00"
    player = page.evaluate("fetch('/api/status').then((answer) => answer.json()).then(({player}) => player)")
    assert (player["state"], player["buffering"], player["elapsed"]) == ("play", True, 0)
    page.tap(".now .play-button")
    page.clock.run_for(1000)
    page.wait_for_selector(".now .play-button:not(.awaited)")


def test_what_is_refused_is_taken_back_with_the_reason(visit, queue):
    page = visit("now", "phone")
    page.wait_for_selector(".now .play-button[aria-label=Play]")
    answer = {"error": {"code": 5, "message": "No sound device answers"}}
    page.route("**/api/player/**", lambda route: route.fulfill(status=503, json=answer))
    page.tap(".now .play-button")
    page.wait_for_selector(".notice.error:has-text('No sound device answers')")
    page.wait_for_selector(".now .play-button[aria-label=Play]")


def test_a_title_that_looks_like_markup_is_text(visit, far):
    server, navidrome = far
    wild = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    navidrome.control("song", n=0, title=wild)
    client = server.client()
    client.update()
    wait_for(lambda: client.find("title", wild), 60, "the song's new title")
    client.findadd("title", wild)
    client.play(0)
    client.pause(1)
    client.disconnect()
    page = visit("now", "phone", url=server.url)
    until(page, "(wild) => document.querySelector('.now h1').textContent === wild", wild)
    assert page.query_selector(".now h1 img") is None
    page.goto(f"{server.url}/#/queue")
    until(page, "(wild) => document.querySelector('.row .title')?.textContent === wild", wild)
    assert page.query_selector(".row .title img") is None


def test_nothing_is_asked_for_while_nothing_changes(visit, queue):
    page = visit("now", "desktop")
    page.clock.install()
    pings, pongs = [], []

    def listen(socket):
        socket.on("framesent", lambda text: pings.append(text) if "ping" in text else None)
        socket.on("framereceived", lambda text: pongs.append(text) if "pong" in text else None)
    page.on("websocket", listen)
    page.reload()
    page.wait_for_selector(".now .play-button:enabled")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    # The page fetches some of its files once it has nothing else to do, the worker last, which may be late.
    until(page, "navigator.serviceWorker.ready.then(() => true)")

    def is_quiet():
        asked.clear()
        page.clock.run_for(2000)
        # The server answers in time, however fast the page's clock goes.
        wait_for(lambda: page.wait_for_timeout(20) or len(pongs) >= len(pings), 60, "the answer to a ping")
        page.wait_for_load_state("networkidle")
        return not asked
    wait_for(is_quiet, 60, "the end of the page's start")
    for _ in range(12):
        assert is_quiet(), asked
    assert pings, "the page asks whether the server is there"
