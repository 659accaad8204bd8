"""Lists as people like them: albums as names or pictures, and what a tap does."""
import pytest
from conftest import Page, cost_of_scrolling, until
from harness.music import make_one_title
from harness.waiting import wait_for
from harness.web import Web


def titles(client):
    return [song.get("title") for song in client.playlistinfo()]


def chosen(page, meaning):
    """Chooses what a tap does, as the settings do."""
    page.evaluate("(meaning) => localStorage.setItem('tap', meaning)", meaning)


def test_albums_are_tiles_or_rows_and_the_choice_is_remembered(visit, server):
    page = visit("albums", "phone")
    page.wait_for_selector(".tile .title:not(:empty)")
    page.tap("[aria-label='Show as a list']")
    page.wait_for_selector(".browse .row .title:not(:empty)")
    assert page.locator(".browse .tile").count() == 0
    page.reload()
    page.wait_for_selector(".browse .row .title:not(:empty)")
    name = page.inner_text(".browse .cell[data-index='1'] .title")
    page.tap(".browse .cell[data-index='1'] .main")
    page.wait_for_selector(f".hero-title:text-is('{name}')")
    page.go_back()
    page.tap("[aria-label='Show as a grid']")
    page.wait_for_selector(".browse .tile .title:not(:empty)")
    assert page.evaluate("localStorage.getItem('albums')") is None


def test_the_same_albums_stay_in_sight_when_tiles_become_rows(visit, server):
    page = visit("albums", "phone")
    page.wait_for_selector(".tile .title:not(:empty)")
    page.evaluate("document.querySelector('.browse').scrollTop = 6000")
    in_sight = """() => [...document.querySelectorAll('.browse .cell:not(.skeleton)')].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.top > 60 && box.bottom < innerHeight - 140;
    }).map((each) => Number(each.dataset.index)).sort((one, other) => one - other)"""
    until(page, f"({in_sight})()[0] > 20")
    first = page.evaluate(in_sight)[0]
    page.tap("[aria-label='Show as a list']")
    page.wait_for_selector(".browse .row .title:not(:empty)")
    until(page, f"(first) => {{ const seen = ({in_sight})(); return seen[0] <= first + 4 && seen.at(-1) >= first - 4; }}", first)


def test_albums_on_a_large_screen_scroll_with_few_nodes(visit, server, queue):
    page = visit("albums", "desktop", viewport={"width": 2560, "height": 1440})
    page.wait_for_selector(".browse .tile .cover.there")
    page.wait_for_selector(".side .row.playing")
    cost = cost_of_scrolling(page, ".browse", 30)
    assert page.locator(".browse .cell").count() > 60
    assert cost["nodes"] <= 2400
    assert 0.1 < cost["work"] <= 33


def test_a_tap_in_a_folder_does_what_the_settings_say(visit, server, queue):
    before = titles(queue)
    page = visit("folders", "phone")
    chosen(page, "end")
    while not page.locator(".row:not(.skeleton) button.main").count():
        name = page.inner_text(".view .row:not(.skeleton) a.main .title")
        page.tap(f".view .row:not(.skeleton) a.main:has-text({name!r})")
        page.wait_for_selector(f"h1:text-is({name!r})")
        page.wait_for_selector(".row:not(.skeleton) .title:not(:empty)")
    title = page.inner_text(".row:not(.skeleton) button.main .title")
    page.tap(".row:not(.skeleton) button.main")
    wait_for(lambda: titles(queue) == [*before, title], 60, "the song at the queue's end")
    assert queue.status()["state"] == "pause" and queue.status()["song"] == "4"


def test_a_tap_on_a_station_does_what_the_settings_say(visit, server, queue):
    page = visit("radio", "phone")
    chosen(page, "next")
    page.tap(".stations .row:has-text('Radio Two') .main")
    wait_for(lambda: len(titles(queue)) == 41, 60, "the station in the queue")
    assert queue.playlistinfo(5)[0]["file"].endswith("/Two")
    assert queue.status()["state"] == "pause" and queue.status()["song"] == "4"


def test_a_genre_of_songs_is_shuffled_and_narrowed_down_by_its_filter(visit, server, queue):
    genre = next(each["genre"] for each in queue.list("genre") if each["genre"])
    page = visit(f"songs?genre={genre}", "phone")
    page.wait_for_selector(".browse .row .title:not(:empty)")

    def after(button):
        queue.clear()
        page.tap(f".play-all button:has-text('{button}')")
        wait_for(lambda: len(titles(queue)) > 0, 10, button)
        assert all(genre in song["genre"] for song in queue.playlistinfo())
        return titles(queue)
    plain = after("Play")
    first, second = after("Shuffle"), after("Shuffle")
    assert sorted(first)[:5] != first[:5] and first != second and first[:20] != plain[:20]
    word = plain[3].split()[-1]
    page.fill("input[name=filter]", word)
    # While the list is read anew there are neither rows nor a sum.
    until(page, """(word) => {
        const rows = [...document.querySelectorAll('.browse .cell:not(.skeleton)')];
        const sum = document.querySelector('.summary').textContent;
        return rows.length > 0 && rows.every((row) => row.textContent.includes(word)) && /^[0-9]/.test(sum);
    }""", word)
    total = int(page.inner_text(".summary").split()[0].replace(",", ""))
    assert total < len(plain)
    assert len(after("Play")) == total


@pytest.mark.smoke
def test_genres_folders_and_playlists_have_a_filter(visit, server, queue):
    names = sorted(each["genre"] for each in queue.list("genre") if each["genre"])
    folder = next(each["directory"] for each in queue.lsinfo("") if "directory" in each)
    for view, word, wanted in [("genres", names[1], names[1]), ("folders", folder[-2:], folder), ("playlists", "hown", "Shown")]:
        page = visit(view, "phone")
        page.wait_for_selector(".view .row:not(.skeleton) .title:not(:empty)")
        page.fill("input[name=filter]", word)
        until(page, """([word, wanted]) => {
            const names = [...document.querySelectorAll('.view .cell:not(.skeleton) .title')].map((each) => each.textContent);
            return names.includes(wanted) && names.every((each) => each.includes(word));
        }""", [word, wanted])
        page.fill("input[name=filter]", "xyzzy")
        page.wait_for_selector(".view .empty:has-text('xyzzy')")
        page.fill("input[name=filter]", "")
        page.wait_for_selector(".view .row:not(.skeleton) .title:not(:empty)")


def test_letters_are_reached_by_keys(visit, server):
    page = visit("songs", "desktop")
    page.wait_for_selector(".letters:not([hidden]) button[tabindex='0']")
    page.focus(".letters button[tabindex='0']")
    page.keyboard.press("ArrowDown")
    letter = page.evaluate("document.activeElement.textContent")
    assert letter == page.inner_text(".letters button >> nth=1")
    # Another part of the list arrives, and the focus stays.
    page.evaluate("document.querySelector('.view').closest('.scroll, html').scrollTop = 40000")
    until(page, """() => {
        const rows = [...document.querySelectorAll('.browse .cell')].filter((row) => row.getBoundingClientRect().top > 0);
        return rows.some((row) => Number(row.dataset.index) > 500) && rows.every((row) => !row.classList.contains('skeleton'));
    }""")
    assert page.evaluate("document.activeElement.textContent") == letter
    page.keyboard.press("Enter")
    until(page, "(letter) => [...document.querySelectorAll('.browse .cell:not(.skeleton)')].some((row) =>"
                " row.getBoundingClientRect().top > 60 && row.querySelector('.title').textContent.toUpperCase().startsWith(letter))", letter)


def test_a_star_is_on_one_of_two_albums_of_one_title(visit, registry, tmp_path):
    folder = tmp_path / "music"
    folder.mkdir()
    make_one_title(folder, ("Ada", "Nora"))
    server = Page(tmp_path / "segue", registry, local={"music_directory": folder})
    server.start(2)
    ada, nora = Web(server.web_port).get("/api/albums")["items"]
    page = visit(f"album/{ada['id']}", "phone", url=server.url)
    page.locator(".album-view .star[aria-pressed=false]").click()
    page.wait_for_selector(".album-view .star[aria-pressed=true]")
    page.evaluate(f"location.hash = '#/album/{nora['id']}'")
    until(page, "document.querySelector('.album-view .hero-names a')?.textContent === 'Nora'")
    assert page.locator(".album-view .star").get_attribute("aria-pressed") == "false"
    page.evaluate(f"location.hash = '#/album/{ada['id']}'")
    page.wait_for_selector(".album-view .star[aria-pressed=true]")
    server.kill()
