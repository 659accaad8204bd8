"""Selecting many songs outside of the queue, taking edits back, wishes in words, and the display on the wall."""
import pytest
from conftest import some_songs, standing, touch, until
from harness.waiting import wait_for


def paths(client):
    return [song["file"] for song in client.playlistinfo()]


def row(index):
    """A row of a list of songs."""
    return f".view .cell[data-index='{index}']"


def shown(page, index):
    """The title in a row."""
    return page.inner_text(f"{row(index)} .title")


def titles(client):
    return [song["title"] for song in client.playlistinfo()]


@pytest.mark.parametrize("view", ["songs", "album", "search", "playlist"])
def test_songs_are_selected_by_finger_wherever_they_are_listed(visit, server, queue, view):
    some_title = queue.playlistinfo()[0]["title"].split()[0]
    queue.clear()
    if view == "album":
        page = visit("albums", "phone")
        page.tap(".tile .main")
    elif view == "search":
        page = visit(f"search/{some_title}", "phone")
    elif view == "playlist":
        if "Chosen" in [each["playlist"] for each in queue.listplaylists()]:
            queue.rm("Chosen")
        for path in some_songs(queue, 6):
            queue.playlistadd("Chosen", path)
        page = visit("playlist/Chosen", "phone")
    else:
        page = visit("songs", "phone")
    page.wait_for_selector(f"{row(2)}:not(.skeleton) .title:not(:empty)")
    page.locator(row(0)).scroll_into_view_if_needed()
    box = standing(page, row(0))
    point = (box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2)
    touch(page, [point], hold=650, shows=f"{row(0)}.selected")
    page.wait_for_selector(f"{row(0)}.selected")
    page.tap(f"{row(2)} .main")
    page.wait_for_selector(f"{row(2)}.selected")
    assert "2" in page.inner_text(".view .selection-bar .count")
    wanted = [shown(page, 0), shown(page, 2)]
    page.tap(".view .selection-bar [aria-label='Add to queue']")
    wait_for(lambda: titles(queue) == wanted, 60, "both songs in their order")
    page.wait_for_selector(".view .selection-bar", state="hidden")


def test_keys_select_a_range_and_all_of_a_list_and_star_them(visit, server, queue):
    page = visit("songs", "desktop")
    page.wait_for_selector(f"{row(3)}:not(.skeleton) .title:not(:empty)")
    page.click(f"{row(0)} .main", modifiers=["Control"])
    page.click(f"{row(3)} .main", modifiers=["Shift"])
    assert "4" in page.inner_text("main .selection-bar .count")
    page.click("main .selection-bar [aria-label='Add to favourites']")
    until(page, "document.querySelectorAll('main .cell .marked:not([hidden])').length >= 4")
    stars = lambda: {each["file"] for each in queue.sticker_find("song", "", "like")}  # noqa: E731
    wait_for(lambda: len(stars()) >= 4, 60, "four stars")
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: not stars(), 60, "the stars to be taken back")
    page.focus(f"{row(0)} .main")
    page.keyboard.press("Control+a")
    total = int(page.inner_text("main .summary").split()[0].replace(",", ""))
    until(page, "(total) => document.querySelector('main .selection-bar .count').textContent.replace(/[^0-9]/g, '') === String(total)", total)
    page.keyboard.press("Escape")
    page.wait_for_selector("main .selection-bar", state="hidden")


def test_songs_leave_a_playlist_together_and_come_back(visit, server, queue):
    if "Chosen" in [each["playlist"] for each in queue.listplaylists()]:
        queue.rm("Chosen")
    songs = some_songs(queue, 6)
    for path in songs:
        queue.playlistadd("Chosen", path)
    page = visit("playlist/Chosen", "desktop")
    page.wait_for_selector(f"{row(5)}:not(.skeleton) .title:not(:empty)")
    for index in (1, 4, 5):
        page.click(f"main {row(index)} .main", modifiers=["Control"])
    page.click("main .selection-bar [aria-label='Remove from playlist']")
    wait_for(lambda: queue.listplaylist("Chosen") == [songs[0], songs[2], songs[3]], 60, "three songs to leave")
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: queue.listplaylist("Chosen") == songs, 60, "them to come back to their places")


def test_a_move_in_the_queue_is_taken_back_by_one_tap(visit, queue):
    page = visit("queue", "desktop")
    page.wait_for_selector("main .row.playing")
    before = paths(queue)
    for index in (2, 7, 9):
        page.click(f"main {row(index)} .main", modifiers=["Control"])
    page.click("main .selection-bar [aria-label='Move to the top']")
    wait_for(lambda: paths(queue)[:3] == [before[2], before[7], before[9]], 60, "three songs on top")
    playing = queue.status()["songid"]
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: paths(queue) == before, 60, "the songs at their places")
    assert queue.status()["songid"] == playing


@pytest.mark.smoke
def test_nobody_sees_an_empty_queue_while_one_is_replaced_and_brought_back(visit, queue):
    page = visit("home", "phone")
    before, lengths = paths(queue), set()
    page.context.add_init_script("")
    page.evaluate("""() => {
        window.lengths = [];
        new EventSource("/api/events").addEventListener("message", (event) => {
            const { type, data } = JSON.parse(event.data);
            if (type === "queue") window.lengths.push(data.length);
        });
    }""")
    page.wait_for_selector("[data-mix='random']")
    page.tap("[data-mix='random']")
    wait_for(lambda: lengths.add(int(queue.status()["playlistlength"])) or paths(queue) != before, 60, "the mix")
    page.tap(".notice button:has-text('Undo')")
    wait_for(lambda: lengths.add(int(queue.status()["playlistlength"])) or paths(queue) == before, 60, "the queue")
    wait_for(lambda: queue.status()["state"] == "pause" and queue.status()["song"] == "4", 60, "its place")
    assert 0 not in lengths | set(page.evaluate("lengths")), "somebody saw an empty queue"


def test_a_wish_in_words_is_understood_said_back_and_taken_back(visit, server, queue):
    queue.clear()
    genre = next(each["genre"] for each in queue.list("genre") if each["genre"])
    page = visit("home", "phone")
    page.fill(".wish-field", f"{genre} please")
    page.tap(".wish-form button")
    page.wait_for_selector(f".wish-line:has-text('{genre.lower()}')")
    # The notice leaves by itself, and is looked for before the music, which may take longer to come.
    page.wait_for_selector(".notice:has-text('Looking for')")
    wait_for(lambda: len(paths(queue)) > 0 and queue.status()["state"] == "play", 60, "music of this genre to play")
    assert all(genre in song["genre"] for song in queue.playlistinfo())
    page.tap(".wish-line button")
    page.wait_for_selector(".wish-line", state="hidden")
    wait_for(lambda: len(paths(queue)) <= 1, 60, "what waits of the picks to leave")
    page.fill(".wish-field", "xyzzy plugh")
    page.tap(".wish-form button")
    page.wait_for_selector(".notice:has-text('Nothing in your library matches that')")
    queue.stop()


@pytest.mark.parametrize("size", [(1280, 800), (800, 1280), (568, 320)])
def test_a_tablet_on_the_wall_shows_what_plays_and_steers_it(visit, queue, size):
    from axe_playwright_python.sync_playwright import Axe
    page = visit("wall", "phone", viewport={"width": size[0], "height": size[1]})
    title = queue.currentsong()["title"]
    page.wait_for_selector(f".wall h1:text-is('{title}')")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.tap(".wall [aria-label='Next song']")
    wait_for(lambda: queue.status()["song"] == "5", 60, "the next song")
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    violations = Axe().run(page, options=options).response["violations"]
    page.evaluate("refused.splice(0)")
    assert not violations, [(each["id"], each["nodes"][0]["html"]) for each in violations]
    queue.pause(1)


def test_an_album_is_shared_or_copied(visit, server, queue):
    page = visit("albums", "desktop")
    page.evaluate("() => { navigator.share = (what) => { window.shared = what; return Promise.resolve(); }; }")
    page.hover(".tile")
    page.click(".tile .on-cover")
    page.click("dialog .sheet-item:has-text('Share')")
    until(page, "window.shared?.url.includes('#/album/')")
