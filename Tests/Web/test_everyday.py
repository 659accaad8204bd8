"""Fingers, keys and screens of every day: what plays, other sizes, longer words, a newer page."""
import json

import pytest
from conftest import FILES, standing, tap_after_stroke, touch, until
from test_views import AXE, VIEWS, at_rest

from harness.waiting import wait_for

# No view is coming or going, as far as the browser can tell.
STANDS = """!CSS.supports("selector(:active-view-transition)") || !document.querySelector(":active-view-transition")"""


def centre(page, selector):
    """The middle of an element on the screen."""
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def violations(page):
    """What axe finds."""
    from axe_playwright_python.sync_playwright import Axe
    found = Axe().run(page, options=AXE).response["violations"]
    page.evaluate("refused.splice(0)")
    return [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found]


def test_strokes_on_the_picture_change_the_song_and_open_the_queue(visit, queue):
    page = visit("now", "phone")
    page.wait_for_selector(".now .play-button[aria-label=Play]")
    x, y = centre(page, ".now .art")
    touch(page, [(x + 70, y), (x - 90, y + 4)])
    wait_for(lambda: queue.status()["song"] == "5", 60, "the next song")
    touch(page, [(x - 70, y), (x + 90, y + 4)])
    wait_for(lambda: queue.status()["song"] == "4", 60, "the song before")
    queue.pause(1)
    touch(page, [(x, y + 60), (x + 3, y - 80)])
    page.wait_for_selector("html[data-view=queue]")


def test_a_stroke_on_the_mini_player_changes_the_song(visit, queue):
    page = visit("library", "phone")
    page.wait_for_selector(".mini .title:not(:empty)")
    x, y = centre(page, ".mini .mini-open")
    touch(page, [(x + 60, y), (x - 90, y + 3)])
    wait_for(lambda: queue.status()["song"] == "5", 60, "the next song")
    queue.pause(1)


def test_keys_seek_and_the_place_is_said_in_words(visit, queue):
    page = visit("now", "phone")
    page.wait_for_selector(".now .progress:enabled")
    queue.seekcur(2)
    until(page, "document.querySelector('.now .clock').textContent === '0:02'")
    page.focus(".now .progress")
    page.keyboard.press("ArrowRight")
    wait_for(lambda: 6.5 < float(queue.status()["elapsed"]) < 9, 60, "five seconds on")
    # News of the place before may still come and cover it for a moment.
    until(page, "document.querySelector('.now .progress').getAttribute('aria-valuetext').startsWith('7 seconds of ')")
    page.keyboard.press("ArrowLeft")
    wait_for(lambda: 1.5 < float(queue.status()["elapsed"]) < 4, 60, "five seconds back")


def test_stars_are_given_by_digits_and_arrows(visit, queue):
    page = visit("now", "phone")
    path = queue.currentsong()["file"]
    page.focus(".now-rating .rating")
    page.keyboard.press("4")
    wait_for(lambda: queue.sticker_get("song", path, "rating") == "8", 60, "four stars")
    # News of the player leave the stars as they are, with the focus on them.
    queue.seekcur(6)
    until(page, "document.querySelector('.now .progress').value === '6'")
    page.keyboard.press("ArrowLeft")
    wait_for(lambda: queue.sticker_get("song", path, "rating") == "7", 60, "three and a half")
    assert page.get_attribute(".now-rating .rating", "aria-valuetext") == "3.5 stars"


def test_what_is_shared_is_searched_and_the_title_follows_the_music(visit, server, queue):
    page = visit("home", "phone")
    title = queue.currentsong()["title"]
    queue.pause(0)
    until(page, "(title) => document.title.startsWith(title)", title)
    queue.pause(1)
    until(page, "document.title === 'Home – Segue'")
    page.goto(f"{server.url}/?text=Evening%20Song")
    page.wait_for_selector("html[data-view=search]")
    assert page.input_value("input[name=search]") == "Evening Song"
    page.goto(f"{server.url}/?title=Radio&text=Evening%20Song%20https%3A%2F%2Fradio.example%2Fstream%3Fa%3D1.")
    page.wait_for_selector(".address button:has-text('Play')")
    assert page.input_value("input[name=search]") == "https://radio.example/stream?a=1"


@pytest.mark.parametrize("size", [(568, 320), (844, 390), (3840, 2160)])
def test_phones_on_their_side_and_4k_scroll_in_one_direction_only(visit, queue, size):
    page = visit("home", "phone" if size[0] < 900 else "desktop", viewport={"width": size[0], "height": size[1]})
    for view in VIEWS:
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"html[data-view={view.split('/')[0]}]")
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], view


def test_longer_words_from_right_to_left_fit(visit, queue):
    page = visit("home", "phone")

    def longer(text):
        return text + " " + "ñ" * max(2, len(text) * 2 // 5)
    words = {key: {form: longer(each) for form, each in text.items()} if isinstance(text, dict) else longer(text)
             for key, text in json.loads((FILES / "texts/en.json").read_text()).items()}
    page.context.route("**/texts/en.json", lambda route: route.fulfill(json=words))
    page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((each) => each.unregister())))")
    page.evaluate("caches.keys().then((all) => Promise.all(all.map((each) => caches.delete(each))))")
    page.reload()
    page.wait_for_selector(".tab:has-text('ñ')")
    page.evaluate("document.documentElement.dir = 'rtl'")
    for view in VIEWS:
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"html[data-view={view.split('/')[0]}]")
        at_rest(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


def test_a_page_of_an_old_version_loads_itself_anew_and_then_says_so(visit, server, queue):
    page = visit("home", "phone")

    def change(socket):
        behind = socket.connect_to_server()
        behind.on_message(lambda text: socket.send(newer(text)))

    def newer(text):
        message = json.loads(text)
        if message["type"] == "status":
            message["data"]["server"]["page"] = "another"
        return json.dumps(message)
    page.route_web_socket("**/api/socket*", change)
    loads = []
    page.on("load", lambda: loads.append(1))
    page.reload()
    page.wait_for_selector(".notice:has-text('new version') button")
    assert len(loads) == 2
    page.tap(".notice button")
    wait_for(lambda: page.wait_for_timeout(20) or len(loads) == 3, 60, "the page to load anew by a tap")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_axe_finds_nothing_in_dialogs_and_at_the_sign_in(visit, queue, device):
    page = visit("signin", device)
    page.wait_for_selector("form.sign-in")
    found = [("signin", each) for each in violations(page)]
    for view, opens in [("now", "[aria-label='Playback options']"), ("queue", ".view .cell [aria-label^='More for']"),
                        ("playlists", ".view header [aria-label='New playlist']"), ("radio", "[aria-label='Play an address']")]:
        page.evaluate(f"location.hash = '#/{view}'")
        page.wait_for_selector(f"html[data-view={view}]")
        at_rest(page)
        if not page.locator(opens).count():
            continue
        page.locator(opens).first.click()
        page.wait_for_selector("dialog[open]")
        found += [(view, each) for each in violations(page)]
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
    assert not found, found


def test_with_motion_views_come_and_go_and_strokes_end(visit, queue):
    page = visit("library", "phone", reduced_motion="no-preference")
    page.wait_for_selector(".mini .title:not(:empty)")
    page.tap(".mini .mini-open")
    page.wait_for_selector("html[data-view=now] .now h1")
    page.tap(".now [aria-label=Back]")
    page.wait_for_selector("html[data-view=library]")
    until(page, STANDS)
    page.evaluate("location.hash = '#/queue'")
    page.wait_for_selector(".row.playing")
    # Until the view has come, a finger meets its picture, and none of its rows.
    until(page, STANDS)
    before = [each["id"] for each in queue.playlistinfo()]
    standing(page, ".queue-view .cell[data-index='6'] .title")
    x, y = centre(page, ".queue-view .cell[data-index='6'] .title")
    touch(page, [(x + 80, y), (x - 140, y + 4)])
    wait_for(lambda: [each["id"] for each in queue.playlistinfo()] == before[:6] + before[7:], 60, "the song to leave")
    until(page, "!document.querySelector('.swiping')")


@pytest.mark.smoke
def test_words_follow_the_music_until_somebody_scrolls_and_a_tap_seeks(visit, queue):
    page = visit("home", "phone")
    lines = [{"time": 2 * at, "text": f"Line {at} of the song"} for at in range(18)]
    page.route("**/api/songs/*/lyrics*", lambda route: route.fulfill(json={"synced": True, "lines": lines}))
    page.evaluate("location.hash = '#/lyrics'")
    page.wait_for_selector(".lyrics-body button.line")
    page.locator(".lyrics-body button.line").nth(2).click()
    until(page, "document.querySelectorAll('.lyrics-body .line')[2]?.getAttribute('aria-current') === 'true'")
    wait_for(lambda: 3.5 < float(queue.status()["elapsed"]) < 5, 60, "the place of the line")
    x, y = centre(page, ".lyrics-scroll")
    touch(page, [(x, y), (x + 3, y - 90)])
    page.wait_for_selector(".lyrics-body .to-playing:not([hidden])")
    tap_after_stroke(page, ".lyrics-body .to-playing", lambda: page.is_hidden(".lyrics-body .to-playing"))


def test_a_room_is_switched_muted_and_sound_again_by_keys_alone(visit, queue):
    page = visit("rooms", "desktop")
    switch = ".room [aria-label='Switch Study']"
    page.focus(f"{switch}:enabled")
    page.keyboard.press("Enter")

    def enabled():
        return next(each for each in queue.outputs() if each["outputname"] == "Study")["outputenabled"]
    wait_for(lambda: enabled() == "1", 60, "the room to be on")
    page.focus(switch)
    page.keyboard.press("Space")
    wait_for(lambda: enabled() == "0", 60, "the room to be off")


def test_the_card_that_rests_plays_and_what_was_only_tuned_in_leaves_with_the_view(visit, queue):
    page = visit("zap", "phone")
    page.wait_for_selector(".feed .card")
    before = [each["file"] for each in queue.playlistinfo()]
    page.focus(".feed")
    page.keyboard.press("ArrowDown")
    wait_for(lambda: queue.currentsong().get("file", "").endswith("/Two"), 60, "the second station")
    assert len(queue.playlistinfo()) == len(before) + 3
    page.evaluate("location.hash = '#/home'")
    wait_for(lambda: [each["file"] for each in queue.playlistinfo()][:40] == before
             and len(queue.playlistinfo()) <= 41, 60, "the other stations to leave")


def test_stations_are_not_twice_in_the_queue_and_the_music_before_them_goes_on(visit, queue):
    page = visit("zap", "phone")
    before = [each["file"] for each in queue.playlistinfo()]
    title, place = queue.currentsong()["title"], queue.status()["songid"]
    stations = ("Two", "Three")
    for number, name in enumerate(stations):
        page.wait_for_selector(".feed .card")
        page.focus(".feed")
        page.keyboard.press("ArrowDown")
        wait_for(lambda name=name: queue.currentsong().get("file", "").endswith(f"/{name}"), 60, "the station")
        page.evaluate("location.hash = '#/home'")
        if number == 0:
            # Shown for some seconds only.
            page.wait_for_selector(f".notice button:has-text('Back to “{title}”')")
        wait_for(lambda name=name: [each["file"].rpartition("/")[2] for each in queue.playlistinfo()][40:] == [name], 60,
                 "the other stations to leave")
        if number == 0:
            page.evaluate("location.hash = '#/zap'")
    page.evaluate("location.hash = '#/zap'")
    page.wait_for_selector(".feed .card")
    page.evaluate("location.hash = '#/home'")
    queue.playid(place)
    page.evaluate("location.hash = '#/zap'")
    page.wait_for_selector(".feed .card")
    page.focus(".feed")
    page.keyboard.press("ArrowDown")
    wait_for(lambda: queue.currentsong().get("file", "").endswith("/Two"), 60, "the station")
    page.evaluate("location.hash = '#/home'")
    tap = f".notice button:has-text('Back to “{title}”')"
    page.wait_for_selector(tap)
    page.click(tap)
    wait_for(lambda: queue.status().get("songid") == place, 60, "the music before")
    wait_for(lambda: [each["file"] for each in queue.playlistinfo()] == before, 60, "all stations to leave")
    queue.pause(1)


def test_two_quick_flicks_append_the_stations_once_and_what_others_add_meanwhile_stays(visit, queue):
    page = visit("zap", "phone")
    page.wait_for_selector(".feed .card")
    before = [each["file"] for each in queue.playlistinfo()]
    held, is_open = [], []

    def hold(route):
        if is_open or route.request.method == "GET":
            route.continue_()
        else:
            held.append(route)
    for path in ("mpd", "queue"):
        page.route(f"**/api/{path}*", hold)
    page.focus(".feed")
    page.keyboard.press("ArrowDown")
    wait_for(lambda: page.wait_for_timeout(20) or held, 60, "the stations to be appended")
    # Other clients edit the queue before that arrives.
    queue.add(before[0])
    queue.delete(1)
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(600)
    is_open.append(True)
    for route in held:
        route.continue_()
    wait_for(lambda: page.wait_for_timeout(20) or queue.currentsong().get("file", "").endswith("/Three"), 60, "the third station")
    wanted = [before[0], *before[2:], before[0]]
    assert [each["file"] for each in queue.playlistinfo()][:40] == wanted
    assert len(queue.playlistinfo()) == 43
    queue.add(before[1])
    page.evaluate("location.hash = '#/home'")
    wait_for(lambda: page.wait_for_timeout(20) or len(queue.playlistinfo()) <= 42, 60, "the other stations to leave")
    left = [each["file"] for each in queue.playlistinfo()]
    assert [each for each in left if not each.startswith("http")] == [*wanted, before[1]]
