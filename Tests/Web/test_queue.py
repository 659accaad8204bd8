"""The queue: fingers, keys, a hundred thousand songs, and several people at once."""
import random

import pytest
from conftest import cost_of_scrolling, some_songs, tap_after_stroke, touch, until
from harness.waiting import wait_for
from mpd import CommandError


def middle(page, index):
    """The middle of a row on the screen."""
    box = page.locator(f".queue-view .cell[data-index='{index}']").bounding_box()
    return box["x"] + box["width"] * 0.4, box["y"] + box["height"] / 2


def titles(page):
    """What the rows in sight say, by position."""
    return page.evaluate("""Object.fromEntries([...document.querySelectorAll(".queue-view .cell[data-index]")]
        .map((row) => [row.dataset.index, row.querySelector(".title").textContent]))""")


def paths(client):
    return [song["file"] for song in client.playlistinfo()]


def test_a_stroke_to_the_left_removes_a_song_and_undo_brings_it_back(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    x, y = middle(page, 6)
    touch(page, [(x + 80, y), (x - 140, y + 4)])
    wait_for(lambda: paths(queue) == before[:6] + before[7:], 60, "the song to leave")
    tap_after_stroke(page, ".notice button", lambda: paths(queue) == before)


def test_a_stroke_to_the_right_plays_a_song_next(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    x, y = middle(page, 9)
    touch(page, [(x - 80, y), (x + 150, y)])
    wait_for(lambda: paths(queue)[5] == before[9], 60, "the song to be the next one")


def test_a_finger_that_scrolls_moves_nothing(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    x, y = middle(page, 8)
    touch(page, [(x, y), (x + 6, y - 260)])
    until(page, "document.querySelector('.queue-view').scrollTop > 60")
    assert paths(queue) == before


@pytest.mark.smoke
def test_a_handle_drags_a_song_and_escape_takes_it_back(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    handle = page.locator(".cell[data-index='5'] .handle").bounding_box()
    x, y = handle["x"] + 15, handle["y"] + 20
    touch(page, [(x, y), (x, y + 64 * 3)])
    wait_for(lambda: paths(queue) == before[:5] + before[6:9] + [before[5]] + before[9:], 60, "the song to move")
    handle = page.locator(".cell[data-index='6'] .handle").bounding_box()
    now = paths(queue)
    page.mouse.move(handle["x"] + 10, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(handle["x"] + 10, handle["y"] + 150, steps=4)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.wait_for_selector(".ghost", state="detached")
    assert paths(queue) == now


def test_a_long_press_selects_and_the_selection_leaves_at_once(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    touch(page, [middle(page, 6)], hold=650, shows=".selection-bar")
    page.wait_for_selector(".selection-bar")
    page.tap(".cell[data-index='8'] .main")
    page.wait_for_selector(".cell[data-index='8'].selected")
    assert "2" in page.inner_text(".selection-bar .count")
    page.tap(".selection-bar [aria-label='Remove from queue']")
    wait_for(lambda: paths(queue) == [p for i, p in enumerate(before) if i not in (6, 8)], 60, "both to leave")


def test_every_drag_and_stroke_has_a_button(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    for label, wanted in [
        ("Move down", before[:7] + [before[8], before[7]] + before[9:]), ("Move to the top", None),
    ]:
        page.tap(".cell[data-index='7'] [aria-label^='More for']")
        page.tap(f"dialog .sheet-item:has-text('{label}')")
        if wanted:
            wait_for(lambda: paths(queue) == wanted, 10, label)
        else:
            wait_for(lambda: paths(queue)[0] == before[8], 10, label)


def test_a_queue_that_was_emptied_or_replaced_comes_back_with_its_place(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    queue.seekcur(12)
    page.tap(".queue-view header [aria-label='More']")
    page.tap("dialog .sheet-item:has-text('Clear the queue')")
    wait_for(lambda: paths(queue) == [], 60, "the queue to be empty")
    page.tap(".notice button")
    wait_for(lambda: queue.status()["state"] == "pause", 60, "the queue to be as it was")
    status = queue.status()
    assert (paths(queue), status["song"]) == (before, "4")
    assert 11 <= float(status["elapsed"]) <= 14
    page.evaluate("location.hash = '#/home'")
    page.tap("[data-mix='random']")
    wait_for(lambda: paths(queue) != before, 60, "the mix")
    page.tap(".notice button:has-text('Undo')")
    wait_for(lambda: paths(queue) == before and queue.status()["state"] == "pause", 60, "the queue to be back")


def test_the_queue_tells_how_long_it_still_plays(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    lengths = [float(song["duration"]) for song in queue.playlistinfo()]
    whole, left = round(sum(lengths) / 60), round(sum(lengths[4:]) / 60)
    until(page, "(texts) => texts.every((each) => document.querySelector('.queue-view .summary').textContent.includes(each))",
          [f"{whole} min", f"{left} min left"])
    queue.random(1)
    until(page, "!document.querySelector('.queue-view .summary').textContent.includes('left')")
    queue.random(0)


def test_a_song_is_preferred_and_other_pages_show_it(visit, queue):
    first, second = visit("queue", "phone"), visit("queue", "desktop")
    for page in (first, second):
        page.wait_for_selector(".row.playing")

    def choose(label):
        first.tap(".cell[data-index='7'] [aria-label^='More for']")
        first.tap("dialog .sheet-item:has-text('Priority when shuffled')")
        first.tap(f"dialog .sheet-item:has-text('{label}')")
    for label, value in [("Next (255)", "255"), ("High", "100"), ("Raised", "10")]:
        choose(label)
        wait_for(lambda value=value: queue.playlistinfo(7)[0].get("prio") == value, 10, label)
    for page in (first, second):
        page.wait_for_selector(".cell[data-index='7'].has-priority")
    choose("Normal")
    for page in (first, second):
        page.wait_for_selector(".cell[data-index='7']:not(.has-priority)")
    assert "prio" not in queue.playlistinfo(7)[0]


def test_selected_songs_are_preferred_together(visit, queue):
    page = visit("queue", "desktop")
    page.wait_for_selector("main .row.playing")
    for index in (6, 9, 11):
        page.click(f"main .cell[data-index='{index}'] .main", modifiers=["Control"])
    page.click("main .selection-bar [aria-label='Priority when shuffled']")
    page.wait_for_selector("dialog:has-text('3 songs')")
    page.click("dialog .sheet-item:has-text('High')")

    def preferred():
        return {int(song["pos"]): song["prio"] for song in queue.playlistinfo() if "prio" in song}
    wait_for(lambda: preferred() == {6: "100", 9: "100", 11: "100"}, 60, "the three songs")


@pytest.fixture
def long_queue(mpd):
    """A hundred thousand songs; number 50,000 plays, paused."""
    mpd.clear()
    while int(mpd.status()["playlistlength"]) < 100_000:
        mpd.add("")
    mpd.play(50_000)
    mpd.pause(1)
    yield mpd
    mpd.clear()


def test_all_of_a_long_queue_goes_into_a_playlist_with_what_was_never_in_sight(visit, mpd):
    mpd.clear()
    if "Whole" in [each["playlist"] for each in mpd.listplaylists()]:
        mpd.rm("Whole")
    for _ in range(2):
        mpd.add("")
    page = visit("queue", "desktop")
    page.wait_for_selector("main .queue-view .row .title:not(:empty)")
    page.focus("main .cell[data-index='0'] .main")
    page.keyboard.press("Control+a")
    page.wait_for_selector("main .selection-bar .count:has-text('10,000')")
    # Another client edits the queue before the songs are put into the list.
    mpd.move(9000, 0)
    page.click("main .selection-bar [aria-label='Add to playlist…']")
    # Ten requests tell the page which songs those are, which takes a while where other tests keep the machine busy.
    page.click("dialog .sheet-item:has-text('New playlist')")
    page.fill("dialog input[name=answer]", "Whole")
    page.keyboard.press("Enter")
    page.wait_for_selector(".notice:has-text('Added 10,000 songs to Whole')")
    songs = paths(mpd)
    assert mpd.listplaylist("Whole") == songs[1:9001] + songs[:1] + songs[9001:]
    mpd.rm("Whole")
    mpd.clear()


def test_what_is_no_address_is_not_asked_for(visit, queue):
    page = visit("queue", "desktop")
    page.wait_for_selector("main .row.playing")
    before = paths(queue)
    page.click("main .bar [aria-label=More]")
    page.click("dialog .sheet-item:has-text('Add an address')")
    page.fill("dialog input[name=answer]", "not an address")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog [role=alert]:has-text('https://')")
    page.fill("dialog input[name=answer]", "http://127.0.0.1:9/a")
    page.keyboard.press("Enter")
    wait_for(lambda: paths(queue)[len(before):] == ["http://127.0.0.1:9/a"], 60, "the address in the queue")


def test_songs_that_are_stroked_away_one_after_the_other_come_back_together(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    before = paths(queue)
    for count in (1, 2, 3):
        x, y = middle(page, 6)
        touch(page, [(x + 80, y), (x - 140, y + 4)])
        page.wait_for_selector(f".notice:has-text('Removed {count} song')")
    assert paths(queue) == before[:6] + before[9:]
    tap_after_stroke(page, ".notice button", lambda: paths(queue) == before)


@pytest.mark.parametrize("slower", [1, 4])
def test_a_hundred_thousand_songs_scroll_smoothly_with_few_nodes(visit, long_queue, slower):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    assert page.get_attribute(".row.playing", "data-index") == "50000"
    cost = cost_of_scrolling(page, ".queue-view", 90, 400000, slower)
    assert cost["nodes"] <= 1500
    assert cost["heap"] <= 10 * 2**20
    # A machine that is busy with other tests shows frames late; the page's own work must not grow beyond bounds.
    assert 0.1 < cost["work"] <= 33 * slower
    until(page, "!document.querySelector('.cell.skeleton')")


def test_the_way_back_to_the_playing_song(visit, long_queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    page.evaluate("document.querySelector('.queue-view').scrollTop = 0")
    page.tap(".to-playing")
    page.wait_for_selector(".row.playing[data-index='50000']")


EDITS = """([seed, count, uris]) => {
    let state = seed;
    const draw = (limit) => ((state = Math.imul(state, 1103515245) + 12345 | 0) >>> 8) % limit;
    const send = (method, body) => fetch("/api/queue", {method, headers: {"content-type": "application/json"},
        body: JSON.stringify(body)});
    const plain = window.fetch;
    let asked = Promise.resolve();
    window.fetch = (path, options) => {
        const answer = plain(path, options);
        if (options && options.method !== "GET") asked = answer.then(() => {}, () => {});
        return answer;
    };
    // As the keyboard does: the page shows the change, asks for it, and takes back what is refused.
    const press = async (row, key, altKey) => {
        row.dispatchEvent(new KeyboardEvent("keydown", {key, altKey, bubbles: true}));
        // One removal waits for the one before.
        await new Promise((done) => setTimeout(done));
        await asked;
    };
    const edit = async () => {
        const rows = [...document.querySelectorAll(".queue-view .cell:not(.skeleton)[data-index]")];
        const length = parseInt(document.querySelector(".queue-view .summary").textContent);
        const kind = rows.length < 5 || length < 40 ? 0 : length > 120 ? 1 : draw(4);
        if (kind === 0) return send("POST", {uris: [uris[draw(uris.length)]], position: draw(30)});
        const row = rows[draw(rows.length)];
        if (kind === 1) return press(row, "Delete");
        if (kind === 2) return press(row, draw(2) ? "ArrowDown" : "ArrowUp", true);
        const found = await (await fetch(`/api/queue?start=${draw(length)}&count=2`, {method: "GET"})).json();
        const ids = found.items.map((song) => song.queueId);
        if (ids.length > 0) await send("PATCH", {ids, to: draw(length - 1)});
    };
    window.edited = 0;
    (async () => { while (window.edited < count) { await edit(); window.edited++; } })()
        .catch((error) => window.edited = String(error));
}"""


def all_titles(page):
    """The title of every song that the page shows, by place, as somebody sees them who scrolls through all."""
    shown = {}
    for at in range(0, page.evaluate("document.querySelector('.queue-view').scrollHeight"), 600):
        page.evaluate("(at) => document.querySelector('.queue-view').scrollTop = at", at)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shown |= titles(page)
    return shown


def edit(client, chance, songs, length):
    """An edit by MPD's protocol; what somebody else has removed a moment ago is refused, and nothing happens."""
    kind = 1 if length > 120 else 0 if length < 40 else chance.randrange(3)
    try:
        if kind == 0:
            client.add(chance.choice(songs))
        elif kind == 1:
            client.delete(chance.randrange(length))
        else:
            client.move(chance.randrange(length), chance.randrange(length))
    except CommandError:
        pass


def test_a_second_move_follows_the_first_before_the_page_has_read_what_came_of_it(visit, queue):
    page = visit("queue", "phone")
    page.wait_for_selector(".row.playing")
    held, before = [], paths(queue)
    page.route("**/api/queue?since=*", lambda route: held.append(route))
    for place in (7, 8):
        page.tap(f".cell[data-index='{place}'] [aria-label^='More for']")
        page.tap("dialog .sheet-item:has-text('Move down')")
        page.wait_for_selector("dialog", state="detached")
    wait_for(lambda: paths(queue) == [*before[:7], *before[8:10], before[7], *before[10:]], 60, "both moves")
    wait_for(lambda: page.wait_for_timeout(20) or held, 60, "the page to ask what came of them")
    assert not page.query_selector(".notice:has-text('has changed')")
    for route in held:
        route.continue_()


def test_two_browsers_and_a_client_agree_after_a_thousand_edits_at_once(visit, queue):
    pages = [visit("queue", "phone"), visit("queue", "desktop")]
    songs = some_songs(queue, 60)
    # Both are there before the first edit, which may remove the song that plays.
    for page in pages:
        page.wait_for_selector(".row.playing")
    for seed, page in enumerate(pages):
        page.evaluate(EDITS, [seed + 7, 300, songs])
    chance = random.Random(5)
    for _ in range(400):
        edit(queue, chance, songs, int(queue.status()["playlistlength"]))
    for page in pages:
        # However busy the machine is, edits go on; pages that hang don't.
        seen = -1
        while (now := page.evaluate("window.edited")) != 300:
            assert isinstance(now, int), now
            assert now != seen, f"the page stopped after {now} edits"
            seen = now
            until(page, "(seen) => window.edited !== seen", seen)
    expected = {str(i): song.get("title", song["file"]) for i, song in enumerate(queue.playlistinfo())}
    for page in pages:
        wait_for(lambda page=page: all_titles(page) == expected, 60, "the page to show the queue")
        assert str(len(expected)) in page.inner_text(".queue-view .summary")


def test_songs_that_arrive_later_than_the_news_of_a_change_are_no_lasting_mistake(visit, queue):
    page = visit("home", "phone")
    late = []
    page.route("**/api/queue?start=0*",
               lambda route: route.continue_() if late else late.append((route, route.fetch())))
    page.evaluate("location.hash = '#/queue'")
    wait_for(lambda: page.wait_for_timeout(20) or late, 60, "the page to ask for the queue")
    queue.delete(0)
    until(page, "document.querySelector('.queue-view .summary')?.textContent.includes('39')")
    route, answer = late[0]
    route.fulfill(response=answer)
    expected = {str(i): song.get("title", song["file"]) for i, song in enumerate(queue.playlistinfo())}
    wait_for(lambda: all_titles(page) == expected, 60, "the page to show the queue")
