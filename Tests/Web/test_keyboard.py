"""What people do by keys alone, from a view's beginning to its end: Tab finds every control, and no finger is needed."""
import pytest
from conftest import seen_by_phones, sign_in, until
from test_access import guarded  # noqa: F401
from harness.waiting import wait_for

# More stops than any view has up to what is looked for.
STOPS = 120

IS_FOCUSED = """([selector, text]) => {
    const now = document.activeElement;
    return now.matches(selector) && `${now.textContent} ${now.getAttribute("aria-label") ?? ""}`.includes(text);
}"""


def tab_to(page, selector, text=""):
    """Presses Tab until a control has the focus, which must be seen then."""
    for _ in range(STOPS):
        if page.evaluate(IS_FOCUSED, [selector, text]):
            break
        page.keyboard.press("Tab")
    else:
        raise AssertionError(f"Tab does not reach {selector} {text}")
    assert page.evaluate("document.activeElement.matches(':focus-visible')")


def go(page, letter, view):
    """Goes to a view by g and a letter, whose module is fetched once the page has nothing else to do."""
    def arrived():
        page.keyboard.press("g")
        page.keyboard.press(letter)
        page.wait_for_timeout(100)
        return page.query_selector(f"html[data-view={view}]")
    wait_for(arrived, 60, f"the view {view}")


def paths(client):
    return [song["file"] for song in client.playlistinfo()]


def test_a_playlist_is_found_played_and_edited(visit, server, queue):
    if "Keys" in [each["playlist"] for each in queue.listplaylists()]:
        queue.rm("Keys")
    songs = paths(queue)[:4]
    for path in songs:
        queue.playlistadd("Keys", path)
    page = visit("home", "desktop")
    go(page, "p", "playlists")
    tab_to(page, "main .row .main", "Keys")
    page.keyboard.press("Enter")
    page.wait_for_selector("main .cell[data-index='3']:not(.skeleton)")
    tab_to(page, "main .play-all button", "Play")
    page.keyboard.press("Enter")
    wait_for(lambda: paths(queue) == songs, 60, "the playlist in the queue")
    tab_to(page, "main .row .main")
    page.keyboard.press("ArrowDown")
    tab_to(page, "main .cell[data-index='1'] .icon-button", "More for")
    page.keyboard.press("Enter")
    tab_to(page, "dialog .sheet-item", "Move to the top")
    page.keyboard.press("Enter")
    wait_for(lambda: queue.listplaylist("Keys") == [songs[1], songs[0], *songs[2:]], 60, "the song on top")
    page.wait_for_selector("dialog", state="detached")
    tab_to(page, "main .row .icon-button", "More for")
    page.keyboard.press("Enter")
    tab_to(page, "dialog .sheet-item", "Remove from playlist")
    page.keyboard.press("Enter")
    wait_for(lambda: len(queue.listplaylist("Keys")) == 3, 60, "a song to leave")
    queue.pause(1)
    queue.rm("Keys")


def test_a_new_playlist_is_made_of_the_queue(visit, server, queue):
    if "Typed" in [each["playlist"] for each in queue.listplaylists()]:
        queue.rm("Typed")
    page = visit("playlists", "desktop")
    page.wait_for_selector("main .row:not(.skeleton) .title:not(:empty)")
    tab_to(page, "main header .icon-button", "queue")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog input:focus")
    page.keyboard.type("Typed")
    page.keyboard.press("Enter")
    wait_for(lambda: queue.listplaylist("Typed") == paths(queue), 60, "the playlist")
    queue.rm("Typed")


@pytest.mark.smoke
def test_words_are_searched_and_what_they_find_plays(visit, server, queue):
    title = queue.playlistinfo()[9]["title"]
    page = visit("home", "desktop")
    wait_for(lambda: page.keyboard.press("/") or page.wait_for_timeout(100) or
             page.query_selector("html[data-view=search]"), 60, "the search")
    page.wait_for_selector("input[name=search]:focus")
    page.keyboard.type(title)
    page.wait_for_selector(f".results .row .title:text-is('{title}')")
    page.keyboard.press("ArrowDown")
    tab_to(page, ".results .row .main", title)
    page.keyboard.press("Enter")
    wait_for(lambda: queue.status()["state"] == "play" and queue.currentsong()["title"] == title, 60, "the song")
    queue.pause(1)


def test_a_password_signs_in(visit, guarded):  # noqa: F811
    page = visit("signin", "desktop", url=guarded.url)
    tab_to(page, "input[type=password]")
    page.keyboard.type("open-sesame-77")
    tab_to(page, "form .primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-view=home]")
    page.wait_for_selector("[data-mix=random]:enabled")


@pytest.mark.parametrize("button", ["Same access as me", "Guest access"])
def test_a_code_for_a_phone_is_shown_and_grows(visit, guarded, button):  # noqa: F811
    page = sign_in(visit, guarded, "pair", "desktop")
    seen_by_phones(page)
    tab_to(page, ".pair .buttons button", button)
    page.keyboard.press("Enter")
    page.wait_for_selector(".pair-code .code:not(:empty)")
    for _ in range(STOPS):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(IS_FOCUSED, [".pair-code .qr-frame", ""]):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .qr")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert page.evaluate(IS_FOCUSED, [".pair-code .qr-frame", ""])


def test_settings_are_chosen_and_read(visit, server):
    page = visit("home", "desktop")
    go(page, "e", "settings")
    tab_to(page, "select[name=theme]")
    page.keyboard.press("ArrowDown")
    until(page, "document.documentElement.dataset.theme === 'light'")
    page.keyboard.press("ArrowUp")
    until(page, "document.documentElement.dataset.theme === undefined")
    tab_to(page, "summary", "[web]")
    page.keyboard.press("Enter")
    page.wait_for_selector("details[open] dt:text-is('listen')")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_a_station_plays_and_its_menu_opens(visit, server, queue):
    page = visit("home", "desktop")
    go(page, "r", "radio")
    page.wait_for_selector(".stations .row:not(.skeleton) .title:not(:empty)")
    tab_to(page, ".stations .row .main")
    page.keyboard.press("ArrowDown")
    until(page, IS_FOCUSED, [".stations .row .main", "Radio Two"])
    page.keyboard.press("Enter")
    wait_for(lambda: queue.currentsong().get("file", "").endswith("/Two"), 60, "the station")
    tab_to(page, ".stations .row .icon-button", "More")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog .sheet-item")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    queue.stop()
