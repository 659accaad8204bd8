"""Every view, on a phone and a desktop, dark and light: what axe finds, what CSP refuses, what moves."""
import re
import statistics

import pytest
from conftest import DEVICES, until

from harness.waiting import wait_for

AXE = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
VIEWS = ["home", "now", "queue", "lyrics", "search/a", "library", "albums", "artists", "songs", "genres", "years",
         "folders", "playlists", "playlist/Shown", "radio", "zap", "rooms", "settings", "pair"]


def first(server, kind):
    """The address of the first album or artist."""
    import json
    import urllib.request
    with urllib.request.urlopen(f"{server.url}/api/{kind}s?count=1", timeout=10) as answer:
        return f"{kind}/{json.load(answer)['items'][0]['id']}"


def at_rest(page):
    """Waits until what was asked for is there."""
    page.wait_for_load_state("networkidle")
    until(page, "!document.querySelector('[aria-busy=true]')")


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("device", DEVICES)
def test_axe_finds_nothing_in_any_view(visit, server, queue, device, scheme):
    from axe_playwright_python.sync_playwright import Axe
    page = visit("home", device, scheme)
    found = []
    for view in [*VIEWS, first(server, "album"), first(server, "artist")]:
        page.goto(f"{server.url}/#/{view}")
        page.wait_for_selector(f"html[data-view={view.split('/')[0]}]")
        at_rest(page)
        visit.faults += [f"{view}: {each}" for each in page.evaluate("refused.splice(0)")]
        result = Axe().run(page, options=AXE)
        for violation in result.response["violations"]:
            found.append((view, violation["id"], [node["html"][:160] for node in violation["nodes"]][:3]))
        page.evaluate("refused.splice(0)")
    assert not found, found


SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => shifts.push(...list.getEntries().filter((each) => !each.hadRecentInput)
    .map((each) => each.value))).observe({type: "layout-shift", buffered: true});
"""


@pytest.mark.parametrize("device", DEVICES)
def test_nothing_jumps_while_a_view_fills(visit, server, queue, device):
    page = visit("home", device)
    page.context.add_init_script(SHIFTS)
    for view in ["home", "now", "queue", "albums", "rooms"]:
        page.goto(f"{server.url}/#/{view}")
        page.reload()
        page.wait_for_selector(f"html[data-view={view}]")
        at_rest(page)
        assert sum(page.evaluate("shifts")) <= 0.02, view


def test_a_narrow_phone_scrolls_in_one_direction_only(visit, queue):
    page = visit("home", "phone", viewport={"width": 320, "height": 568})
    for view in VIEWS:
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"html[data-view={view.split('/')[0]}]")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, view


@pytest.mark.parametrize("device", DEVICES)
def test_a_first_visit_asks_for_at_most_60_KB_and_the_start(visit, queue, device):
    page = visit("home", device)
    if device == "desktop":
        page.wait_for_selector(".side .row .title:not(:empty)")
    page.wait_for_selector(".tile .title:not(:empty)")
    # Keys, sheets, wishes and the last status come later, once nothing else is to be done.
    sizes = page.evaluate("""Object.fromEntries(performance.getEntriesByType("resource")
        .filter((each) => /\\/(js|style|views|texts)\\//.test(each.name) && !/keys|sheets|wish|last/.test(each.name))
        .map((each) => [each.name.split("/").pop(), each.encodedBodySize]))""")
    print(f"{len(sizes)} files, {sum(sizes.values())} bytes")
    assert sum(sizes.values()) <= 60 * 1024, sizes
    assert len([name for name in sizes if name.endswith(".js")]) <= (15 if device == "phone" else 17), sizes


# The first control is there once the page has heard from the server what its visitor may do.
INTERACTIVE = """
const found = () => {
    if (window.interactive || !document.querySelector(".mini .icon-button.big:not(:disabled)")) return;
    window.interactive = performance.now();
};
new MutationObserver(found).observe(document, {subtree: true, childList: true, attributes: true});
"""


def test_a_first_visit_and_later_ones_become_interactive(chromium, server, queue):
    def measured(page):
        until(page, "window.interactive")
        return page.evaluate("interactive")
    cold, warm = [], []
    for _ in range(5):
        # A context of its own has nothing in its cache.
        context = chromium.new_context(**DEVICES["phone"])
        context.add_init_script(INTERACTIVE)
        page = context.new_page()
        page.goto(f"{server.url}/#/home")
        cold.append(measured(page))
        until(page, "navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        warm.append(measured(page))
        context.close()
    print(f"interactive cold {statistics.median(cold):.0f} ms ({min(cold):.0f} to {max(cold):.0f}), "
          f"warm {statistics.median(warm):.0f} ms ({min(warm):.0f} to {max(warm):.0f})")


# From the finger's touch to the frame in which the button shows the other sign.
SHOWN = """() => {
    const button = document.querySelector(".mini .icon-button.big"), label = button.getAttribute("aria-label");
    window.shown = null;
    let began = 0;
    button.addEventListener("pointerdown", (event) => began = event.timeStamp, {once: true});
    const watch = new MutationObserver(() => {
        if (button.getAttribute("aria-label") === label) return;
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(() => window.shown = performance.now() - began));
    });
    watch.observe(button, {attributes: true, subtree: true, childList: true});
}"""


def test_each_tap_after_a_first_visit_is_shown(visit, queue):
    page = visit("home", "phone")
    page.wait_for_selector(".mini .icon-button.big:enabled")
    times = []
    for _ in range(10):
        page.evaluate(SHOWN)
        page.tap(".mini .icon-button.big")
        until(page, "window.shown !== null")
        times.append(page.evaluate("shown"))
    print(f"tap shown after {statistics.median(times):.0f} ms ({min(times):.0f} to {max(times):.0f})")
    queue.pause(1)


@pytest.mark.smoke
def test_from_nothing_to_a_playing_album_in_three_taps(visit, mpd):
    mpd.clear()
    page = visit("home", "phone")
    page.tap(".tab[href='#/library']")
    page.tap(".entry[href='#/albums']")
    page.tap(".tile .on-cover")
    page.tap("dialog .sheet-item:has-text('Play'):not(:has-text('next'))")
    page.wait_for_selector(".mini .icon-button.big[aria-label='Pause']")
    assert int(mpd.status()["playlistlength"]) > 0
    mpd.stop()


@pytest.mark.parametrize("language, word", [
    ("de-AT", "Bibliothek"), ("fr-FR", "Bibliothèque"), ("es-MX", "Biblioteca"), ("ja-JP", "ライブラリ"), ("sv-SE", "Library")])
def test_the_browser_chooses_the_language(visit, language, word):
    page = visit("library", "phone", locale=language)
    page.wait_for_selector(f"h1:text-is('{word}')")
    assert page.get_attribute("html", "lang") == ("en" if language == "sv-SE" else language[:2])


def test_colours_are_drawn_from_the_cover_and_words_stay_readable(visit, queue):
    page = visit("now", "phone")
    until(page, "document.documentElement.style.getPropertyValue('--art-accent')")
    ratio = page.evaluate("""async () => {
        const { contrast, theme } = await import(document.querySelector("script[type=module]").src.replace("main", "colours"));
        const read = (text) => text.match(/\\d+/g).map((each) => each / 255);
        let least = 21;
        const words = {true: ["#f7f5fa", "#cfcbd6"], false: ["#17141c", "#4d4856"]};
        const hex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
        for (let hue = 0; hue < 360; hue += 7) for (const chroma of [0, 0.03, 0.1, 0.2, 0.32]) for (const dark of [true, false]) {
            const made = theme({hue, chroma, second: hue + 90}, dark);
            for (const ground of ["--art-ground", "--art-deep", "--art-raised"])
                for (const word of [read(made["--art-accent"]), ...words[dark].map(hex)])
                    least = Math.min(least, contrast(word, read(made[ground])));
        }
        return least;
    }""")
    assert ratio >= 4.5


def test_forced_colours_and_a_keyboard_alone_are_enough(visit, queue):
    page = visit("queue", "desktop", forced_colors="active")
    page.wait_for_selector(".row.playing")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.focus(".queue-view .row.playing .main")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('.row.playing')?.dataset.index === '5'")
    page.keyboard.press("Alt+ArrowDown")
    until(page, "document.querySelector('.row.playing')?.dataset.index === '6'")
    # The module of these keys is fetched once the page has nothing else to do.
    wait_for(lambda: page.keyboard.press("?") or page.wait_for_timeout(100) or page.query_selector("dialog.keys"), 60,
             "the list of keys")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("g")
    page.keyboard.press("b")
    page.wait_for_selector("html[data-view=albums]")
    assert re.search("Albums", page.inner_text("h1"))
    queue.pause(1)


def test_at_most_six_pictures_are_asked_for_at_once(visit, queue):
    page = visit("home", "desktop")
    held = []
    page.route("**/cover/**", lambda route: held.append(route))
    page.evaluate("location.hash = '#/albums'")
    page.wait_for_selector(".tile .title:not(:empty)")
    until(page, "document.querySelectorAll('.tile img').length > 12")
    wait_for(lambda: page.wait_for_timeout(20) or held, 60, "pictures to be asked for")
    page.wait_for_timeout(1000)
    assert 1 <= len(held) <= 6
    for route in held:
        route.continue_()
    page.unroute("**/cover/**")
    until(page, "document.querySelectorAll('.tile .cover.there').length > 6")


@pytest.mark.parametrize("device", DEVICES)
def test_headings_have_room_for_letters_below_the_line(visit, server, queue, device):
    page = visit("home", device)
    cut = """() => [...document.querySelectorAll("h1, h2, h3")].filter((each) => {
        const style = getComputedStyle(each);
        return each.textContent.trim() && style.overflowY !== "visible"
            && parseFloat(style.lineHeight) < 1.22 * parseFloat(style.fontSize);
    }).map((each) => [each.textContent, getComputedStyle(each).lineHeight, getComputedStyle(each).fontSize])"""
    for view in ["home", "now", "settings", "wall", "zap", "rooms", first(server, "album")]:
        page.goto(f"{server.url}/#/{view}")
        page.wait_for_selector(f"html[data-view={view.split('/')[0]}]")
        at_rest(page)
        assert page.evaluate(cut) == [], view


def long_album(page):
    """Albums have names of 200 letters."""
    def answer(route):
        made = route.fetch()
        route.fulfill(response=made, json={**made.json(), "title": "A name that goes on and on, and " * 6 + "so on"})
    page.route("**/api/albums/*", answer)


@pytest.mark.parametrize("device", DEVICES)
def test_an_album_of_a_long_name_has_its_buttons_in_sight(visit, server, queue, device):
    page = visit("library", device)
    long_album(page)
    page.evaluate("(view) => location.hash = `#/${view}`", first(server, "album"))
    page.wait_for_selector(".hero-title")
    at_rest(page)
    seen = page.evaluate("""() => {
        const title = document.querySelector(".hero-title"), button = document.querySelector(".hero .primary");
        return [title.clientHeight / parseFloat(getComputedStyle(title).lineHeight),
                button.getBoundingClientRect().bottom - innerHeight];
    }""")
    assert seen[0] < 3.1 and seen[1] < 0, seen
    page.click(".hero-title")
    until(page, """(() => {
        const title = document.querySelector(".hero-title");
        return title.scrollHeight <= title.clientHeight + 1;
    })()""")


@pytest.mark.parametrize("size", [(820, 1180), (720, 450), (844, 390), (390, 844), (320, 568)])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_words_stay_in_their_tiles(visit, queue, size, locale):
    page = visit("home", "phone", locale=locale, viewport={"width": size[0], "height": size[1]})
    page.wait_for_selector(".mix")
    out = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
        const words = document.createRange();
        words.selectNodeContents(each);
        const [inner, outer] = [words.getBoundingClientRect(), each.getBoundingClientRect()];
        return outer.width > 0 && (inner.right > outer.right + 0.5 || inner.bottom > outer.bottom + 0.5
            || each.scrollHeight > each.clientHeight + 1);
    }).map((each) => each.textContent)"""
    assert page.evaluate(out, ".mix") == []
    page.evaluate("location.hash = '#/now'")
    page.wait_for_selector(".now .pill")
    assert page.evaluate(out, ".now .pill span") == []


def test_an_expression_that_is_not_complete_says_so_and_greys_what_was_found(visit, queue):
    page = visit("search/al", "desktop")
    page.wait_for_selector(".group .tile, .group .row")
    for part in ('((genre == "Jazz") AND', '((genre == "Jazz"', '(genre == "Ja)'):
        page.fill(".search-field", part)
        page.wait_for_selector(".search-note:has-text('not complete')")
        page.wait_for_selector(".results.outdated")
        assert page.evaluate("document.querySelector('.results').inert")
    page.fill(".search-field", "")
    page.wait_for_selector(".results:not(.outdated)")
    assert page.inner_text(".search-note") == ""


def test_unrated_songs_have_empty_stars_in_forced_colours(visit, queue):
    page = visit("now", "phone", forced_colors="active")
    page.wait_for_selector(".now .rating")
    fills = page.evaluate("""() => [".stars:not(.on) .icon", ".stars.on .icon"].map((each) =>
        getComputedStyle(document.querySelector(`.now .rating ${each}`)).fill)""")
    assert fills[0] == "none" and fills[1] != "none", fills


def test_the_thumb_is_where_the_bar_is_filled(visit, queue):
    page = visit("now", "phone")
    queue.seekcur(7.6)
    until(page, "Math.abs(document.querySelector('.now .progress').value - 7.6) < 0.3")
    field = """(() => {
        const field = document.querySelector(".now .progress");
        return field.value / field.max * 100 - parseFloat(field.style.getPropertyValue("--part"));
    })()"""
    assert abs(page.evaluate(field)) < 0.01


def test_the_window_is_named_like_the_view_while_nothing_plays(visit, server, queue):
    queue.stop()
    page = visit("albums", "desktop")
    until(page, "document.title === 'Albums – Segue'")
    for view, name in [("home", "Home"), ("settings", "Settings"), ("years/1995", "1990s"), ("nowhere", "Page not found")]:
        page.evaluate("(view) => location.hash = `#/${view}`", view)
        until(page, "(title) => document.title === title", f"{name} – Segue")
    album = first(server, "album")
    page.evaluate("(view) => location.hash = `#/${view}`", album)
    until(page, "document.title === `${document.querySelector('.hero-title')?.textContent} – Segue`")


def test_an_address_that_leads_nowhere_says_so(visit, queue):
    page = visit("nowhere/at/all", "phone")
    page.wait_for_selector("h1:text-is('Page not found')")
    page.evaluate("location.hash = '#/years/1999'")
    page.wait_for_selector("h1:text-is('1990s')")
    page.wait_for_selector(".year:text-is('1999')")
    page.evaluate("location.hash = '#/playlist/None'")
    page.wait_for_selector(".empty")
    assert page.is_hidden(".list-head .primary")
    page.evaluate("location.hash = '#/settings'")
    page.wait_for_selector("html[data-view=settings]")
    assert page.locator(".tabs .tab[aria-current]").count() == 0


@pytest.mark.parametrize("view", ["genres", "playlists", "radio", "folders"])
def test_buttons_of_rows_are_told_apart_by_their_names(visit, queue, view):
    page = visit(view, "phone")
    page.wait_for_selector(".row:not(.skeleton) .icon-button")
    names = page.evaluate("[...document.querySelectorAll('.row:not(.skeleton) .icon-button')].map((each) => each.ariaLabel)")
    assert len(set(names)) == len(names) and all(name.startswith("More for ") for name in names), names


def test_counts_are_those_of_the_lists_and_dates_those_of_the_country(visit, server, queue):
    page = visit("library", "desktop")
    page.wait_for_load_state("networkidle")
    for kind in ("albums", "artists"):
        total = page.evaluate("(kind) => fetch(`/api/${kind}?count=1`).then((answer) => answer.json()).then(({total}) => total)", kind)
        assert page.inner_text(f".entry[href='#/{kind}'] .sub") == f"{total:,}"
    code = "import(document.querySelector('script[type=module]').src.replace('main.js', 'texts.js')).then(({moment}) => moment(0))"
    assert page.evaluate(code).startswith("1 Jan 1970")


@pytest.mark.parametrize("device", DEVICES)
def test_selecting_stands_below_its_songs(visit, server, queue, device):
    page = visit("library", device)
    page.evaluate("(view) => location.hash = `#/${view}`", first(server, "album"))
    page.wait_for_selector(".play-all.below button")
    left = page.evaluate("""() => document.querySelector(".play-all.below button").getBoundingClientRect().left
        - document.querySelector(".album-view").getBoundingClientRect().left""")
    assert left >= 20


def test_a_playlist_shows_the_picture_of_its_first_song(visit, server, queue):
    page = visit("playlists", "phone")
    page.wait_for_selector(".row:has-text('Shown') .cover.there")


def test_smart_playlists_are_those_of_the_server(visit, server, queue):
    page = visit("library", "phone")
    rows = [{"name": "Smart Rock", "songs": 12, "duration": 60, "readOnly": True},
            {"name": "[Fresh]", "songs": None, "duration": None, "readOnly": True},
            {"name": "Garden", "songs": 3, "duration": 60, "readOnly": True, "owner": "ann"}]
    page.route("**/api/playlists?*", lambda route: route.fulfill(json={"total": 3, "items": rows}))
    page.evaluate("location.hash = '#/playlists'")
    page.wait_for_selector(".row:has-text('Smart Rock'):has-text('Smart playlist of Navidrome · 12 songs')")
    page.wait_for_selector(".row:has-text('Fresh'):has-text('Made by Segue')")
    page.wait_for_selector(".row:has-text('Garden'):has-text('By ann · 3 songs')")
    page.click(".row:has-text('Smart Rock') .icon-button")
    page.wait_for_selector("dialog .sheet-item")
    assert page.locator("dialog .sheet-item:has-text('Rename')").count() == 0
