"""Lists that are longer than the page reads: a playlist of 100,000 entries, and ranges of rows that were never in sight."""
import json
from urllib.parse import parse_qs, urlparse

import pytest
from conftest import some_songs
from test_views import at_rest
from harness.waiting import wait_for

LONG = 100_000


def paths(client):
    return [song["file"] for song in client.playlistinfo()]


def gone(client, name):
    """Removes a playlist where there is one."""
    if name in [each["playlist"] for each in client.listplaylists()]:
        client.rm(name)


@pytest.fixture
def long_playlist(mpd, navidrome):
    """A playlist of 100,000 entries, and another one beside it."""
    gone(mpd, "Long")
    gone(mpd, "Other")
    mpd.clear()
    while int(mpd.status()["playlistlength"]) < LONG:
        mpd.add("")
    mpd.save("Long")
    mpd.clear()
    mpd.playlistadd("Other", some_songs(mpd, 1)[0])
    yield mpd
    mpd.rm("Long")
    mpd.rm("Other")
    # Other servers in front of the same Navidrome would read all of it until Segue has told that it is gone.
    for each in navidrome.call("getPlaylists")["playlists"].get("playlist", []):
        if each["name"] == "Long":
            navidrome.call("deletePlaylist", id=each["id"])


def reads(page, name):
    """The windows of a playlist that the page asks for from now on, as pairs of first row and number."""
    found = []

    def note(request):
        address = urlparse(request.url)
        if address.path == f"/api/playlists/{name}":
            values = parse_qs(address.query)
            found.append((int(values.get("start", ["0"])[0]), int(values.get("count", ["200"])[0])))
    page.on("request", note)
    return found


def title(page, index):
    """The title in a row once it is there."""
    page.wait_for_selector(f"main .cell[data-index='{index}']:not(.skeleton) .title:not(:empty)")
    return page.inner_text(f"main .cell[data-index='{index}'] .title")


def test_a_long_playlist_is_read_where_it_is_looked_at(visit, long_playlist):
    page = visit("home", "desktop")
    asked = reads(page, "Long")
    page.evaluate("location.hash = '#/playlist/Long'")
    title(page, 0)
    page.wait_for_selector("main .summary:has-text('100,000 songs')")
    at_rest(page)
    print(f"{sum(count for _, count in asked)} rows are read")
    assert sum(count for _, count in asked) <= 1000, asked
    page.focus("main .cell[data-index='0'] .main")
    page.keyboard.press("End")
    wanted = long_playlist.listplaylistinfo("Long", f"{LONG - 1}:{LONG}")[0]["title"]
    assert title(page, LONG - 1) == wanted
    assert sum(count for _, count in asked) <= 2000, asked


def test_a_long_playlist_is_read_again_when_it_has_changed_and_not_with_another(visit, long_playlist):
    page = visit("playlist/Long", "desktop")
    title(page, 0)
    songs = [song["title"] for song in long_playlist.listplaylistinfo("Long", "0:3")]
    at_rest(page)
    # Changes are dated to the second; this page has read the list long before.
    page.wait_for_timeout(2100)
    asked = reads(page, "Long")
    long_playlist.playlistadd("Other", some_songs(long_playlist, 1)[0])
    wait_for(lambda: page.wait_for_timeout(20) or asked, 60, "the page to look which playlist has changed")
    at_rest(page)
    assert asked == [(0, 1)]
    long_playlist.playlistdelete("Long", "0")
    page.wait_for_selector("main .summary:has-text('99,999 songs')")
    wait_for(lambda: title(page, 0) == songs[1], 60, "the second song in the first place")
    at_rest(page)
    assert sum(count for _, count in asked) <= 1000, asked


def test_rows_of_a_long_playlist_leave_move_and_come_back(visit, long_playlist):
    page = visit("playlist/Long", "desktop")
    title(page, 0)
    page.focus("main .cell[data-index='0'] .main")
    page.keyboard.press("End")
    title(page, LONG - 1)
    entries = long_playlist.listplaylist("Long", f"{LONG - 4}:{LONG}")

    def menu(index, label):
        page.click(f"main .cell[data-index='{index}'] [aria-label^='More for']")
        page.click(f"dialog .sheet-item:has-text('{label}')")
        page.wait_for_selector("dialog", state="detached")

    def last():
        return long_playlist.listplaylist("Long", f"{LONG - 4}:{LONG}")
    menu(LONG - 3, "Move down")
    wait_for(lambda: last() == [entries[0], entries[2], entries[1], entries[3]], 60, "the entry to move")
    menu(LONG - 2, "Remove from playlist")
    wait_for(lambda: last() == [entries[0], entries[2], entries[3]], 60, "the entry to leave")
    page.wait_for_selector("main .summary:has-text('99,999 songs')")
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: last() == [entries[0], entries[2], entries[1], entries[3]], 60, "the entry to come back")
    page.wait_for_selector("main .summary:has-text('100,000 songs')")


@pytest.fixture
def whole_queue(mpd):
    """A queue of the whole library, the first song of which plays, paused."""
    mpd.clear()
    mpd.add("")
    mpd.play(0)
    mpd.pause(1)
    yield mpd
    mpd.clear()


def ids(client):
    """The ids of a long queue in its order, without all that songs tell."""
    return [entry["id"] for entry in client.plchangesposid(0)]


def select_from(page, first, last, view=".queue-view"):
    """Selects a range of rows of which only the first and the last ones come into sight."""
    def show(index):
        page.evaluate("([view, top]) => document.querySelector('main ' + view).scrollTop = top", [view, index * 64])
        title(page, index)
    show(first)
    page.click(f"main .cell[data-index='{first}'] .main", modifiers=["Control"])
    page.wait_for_selector("main .selection-bar .count:has-text('1 ')")
    show(last)
    page.click(f"main .cell[data-index='{last}'] .main", modifiers=["Shift"])


def test_a_range_of_the_queue_has_the_rows_that_were_never_in_sight(visit, whole_queue):
    page = visit("queue", "desktop")
    title(page, 2)
    select_from(page, 2, 1100)
    page.wait_for_selector("main .selection-bar .count:has-text('1,099')")
    gone(whole_queue, "Range")
    page.click("main .selection-bar [aria-label='Add to playlist…']")
    page.click("dialog .sheet-item:has-text('New playlist')")
    page.fill("dialog input[name=answer]", "Range")
    page.keyboard.press("Enter")
    page.wait_for_selector(".notice:has-text('Added 1,099 songs to Range')")
    assert whole_queue.listplaylist("Range") == paths(whole_queue)[2:1101]
    whole_queue.rm("Range")


def test_a_long_range_moves_in_several_steps_and_comes_back(visit, whole_queue):
    page = visit("queue", "desktop")
    page.wait_for_selector("main .row.playing")
    before = ids(whole_queue)
    select_from(page, 2000, 4999)
    page.wait_for_selector("main .selection-bar .count:has-text('3,000')")
    page.click("main .selection-bar [aria-label='Move to the top']")
    page.wait_for_selector(".notice:has-text('Moved 3,000 songs')")
    assert ids(whole_queue) == before[2000:] + before[:2000]
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: ids(whole_queue) == before, 60, "the songs to be back at their places")


class MovedQueue:
    """The order of a queue whose moves are kept from the server, which would need long for so many."""

    def __init__(self, order, version):
        self.order, self.version, self.sizes = list(order), version, []

    def answer(self, route):
        """Does a move as the server would."""
        body = json.loads(route.request.post_data)
        moved = body["ids"]
        if len(moved) > 10_000 or body.get("version", self.version) != self.version:
            return route.fulfill(status=400, json={"error": {"message": "This is refused."}})
        self.sizes.append(len(moved))
        places, chosen = {each: at for at, each in enumerate(self.order)}, set(moved)
        rest = [each for each in self.order if each not in chosen]
        wanted = body.get("places") or range(body["to"], body["to"] + len(moved))
        for place, each in sorted(zip(wanted, moved)):
            rest.insert(place, each)
        self.order, self.version = rest, self.version + 1
        route.fulfill(json={"version": self.version, "length": len(rest), "places": [places[each] for each in moved]})


@pytest.mark.parametrize("button", ["Move to the top", "Move after the current song", "Move down"])
def test_more_songs_than_one_request_takes_move_together_and_come_back(visit, whole_queue, button):
    for _ in range(2):
        whole_queue.add("")
    whole_queue.play(14_000)
    whole_queue.pause(1)
    before = ids(whole_queue)
    queue = MovedQueue(before, int(whole_queue.status()["playlist"]))
    page = visit("queue", "desktop")
    page.wait_for_selector("main .row.playing")
    page.route("**/api/queue", lambda route: queue.answer(route) if route.request.method == "PATCH" else route.continue_())
    select_from(page, 1000, 12_999)
    page.wait_for_selector("main .selection-bar .count:has-text('12,000')")
    page.click(f"main .selection-bar [aria-label='{button}']")
    page.wait_for_selector(".notice:has-text('Moved 12,000 songs')")
    rest, moved = before[:1000] + before[13_000:], before[1000:13_000]
    front = {"Move to the top": 0, "Move after the current song": 2001, "Move down": 1001}[button]
    assert queue.order == rest[:front] + moved + rest[front:]
    assert sum(queue.sizes) == 12_000
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: page.wait_for_timeout(20) or queue.order == before, 60, "the songs to be back at their places")


@pytest.mark.parametrize("left", [0, 1])
def test_more_songs_than_any_one_request_takes_leave_and_come_back_as_one(visit, mpd, left):
    """Of 30,000 songs all leave, or all but one: ten requests, of which the server would keep four."""
    mpd.clear()
    for _ in range(6):
        mpd.add("")
    before = paths(mpd)
    page = visit("queue", "desktop")
    page.wait_for_selector("main .queue-view .row .title:not(:empty)")
    page.focus("main .cell[data-index='0'] .main")
    page.keyboard.press("Control+a")
    page.wait_for_selector("main .selection-bar .count:has-text('30,000')")
    if left:
        page.click("main .cell[data-index='1'] .main", modifiers=["Control"])
        page.wait_for_selector("main .selection-bar .count:has-text('29,999')")
    page.click("main .selection-bar [aria-label='Remove from queue']")
    page.wait_for_selector(f".notice:has-text('Removed {30_000 - left:,} songs')")
    assert len(mpd.plchangesposid(0)) == left
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: len(mpd.plchangesposid(0)) == 30_000, 120, "the songs to be back")
    assert paths(mpd) == before
    mpd.clear()


def test_a_range_of_a_list_has_the_rows_that_were_never_in_sight(visit, server, mpd):
    mpd.clear()
    page = visit("songs", "desktop")
    first = title(page, 0)
    select_from(page, 0, 2500, ".browse")
    page.wait_for_selector("main .selection-bar .count:has-text('2,501')")
    page.click("main .selection-bar [aria-label='Add to queue']")
    wait_for(lambda: len(paths(mpd)) == 2501, 60, "all songs of the range")
    assert mpd.playlistinfo(0)[0]["title"] == first
    mpd.clear()
