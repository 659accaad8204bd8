"""`segue demo` as a newcomer sees it."""
import json
import os
import urllib.request

import pytest
from conftest import until

from harness.processes import free_port, wait_for_port
from harness.segue import Demo, binary
from harness.waiting import wait_for


class ShownDemo(Demo):
    """The demo with its page."""

    def start(self, songs=None):
        self.web_port = free_port()
        self.url = f"http://127.0.0.1:{self.web_port}"
        self.environment |= {
            "SEGUE_SERVER_LISTEN": f"127.0.0.1:{self.port},{self.socket}",
            "SEGUE_WEB_LISTEN": f"127.0.0.1:{self.web_port}", "SEGUE_SERVER_LOG_LEVEL": "debug",
            **{name: os.environ[name] for name in ("SEGUE_WEB_DIRECTORY",) if name in os.environ},
        }
        self.launch([binary(), "demo"], self.environment)
        wait_for_port(self, self.web_port, seconds=120)
        wait_for(lambda: len(self.get("/api/playlists")["items"]) >= 3, 60, "the demo's playlists")
        return self

    def get(self, path):
        """An answer of the HTTP interface."""
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)


@pytest.fixture(scope="module")
def demo(registry, tmp_path_factory):
    running = ShownDemo(tmp_path_factory.mktemp("demo"), registry).start()
    yield running
    running.kill()


def test_it_says_where_its_page_is(demo):
    wait_for(lambda: f"In a browser: {demo.url}/" in demo.log, 60, "the line about the page")


def test_an_album_with_its_picture_plays_after_three_taps(visit, demo):
    page = visit("home", "phone", url=demo.url)
    page.tap(".tab[href='#/library'], [href='#/library']")
    page.tap("[href='#/albums']")
    page.wait_for_selector(".tile .cover.there")
    page.tap(".tile:has-text('Paper Boats') .main")
    page.tap(".view button:has-text('Play')")
    until(page, "document.querySelector('.mini, .player')?.textContent.includes('Paper Boats')")
    wait_for(lambda: demo.get("/api/status")["player"]["state"] == "play", 60, "the album")
    page.goto(f"{demo.url}/#/lyrics")
    page.wait_for_selector(":text('Fold the page along the line')")


def test_rooms_stations_and_playlists_are_there(visit, demo):
    page = visit("rooms", "phone", url=demo.url)
    for room in ("Living room", "Kitchen"):
        page.wait_for_selector(f".view :text('{room}')")
    assert page.locator(".view input[type=range]").count() >= 2
    page.goto(f"{demo.url}/#/playlists")
    page.wait_for_selector(".view :text('Sunday morning')")
    page.goto(f"{demo.url}/#/radio")
    page.wait_for_selector(".stations .row .cover.there")
    page.tap(".stations .row:has-text('Radio Harbour') .main")
    page.wait_for_selector(".stations .row.playing:has-text('Radio Harbour')")
    wait_for(lambda: (demo.get("/api/status")["song"] or {}).get("title") in ("Tide Table", "Lighthouse Keeper"), 60,
             "the station's title")
    page.tap(".stations .row:has-text('Meadow FM') .main")
    page.wait_for_selector(".stations .row.playing:has-text('Meadow FM')")
    # Its picture is that of what plays, too, and its name stands in the queue.
    page.goto(f"{demo.url}/#/now")
    page.wait_for_selector(".art .cover.there")
    page.goto(f"{demo.url}/#/queue")
    page.wait_for_selector(".queue-view .row:has-text('Radio Harbour') .cover.there")


def test_what_was_never_heard_and_what_was_typed_as_a_filter_are_found(visit, demo):
    songs = demo.get("/api/songs?heard=0&sort=-added")
    assert songs["total"] > 10 and demo.get("/api/songs?heard=1")["total"] == 15 - songs["total"]
    page = visit("search", "desktop", url=demo.url)
    page.fill("input[name=search]", '((artist == "Pluck & Pad") AND (title == "Lantern"))')
    page.wait_for_selector(".results .row .title:text('Lantern')")
    assert page.locator(".results .row").count() == 1
    page.fill("input[name=search]", "https://radio.example/stream.mp3")
    page.wait_for_selector(".address button:has-text('Play')")
    page.goto(f"{demo.url}/#/songs?q=lantern")
    page.wait_for_selector(".browse .row .title:text('Lantern')")
    assert page.input_value("input[name=filter]") == "lantern"


def test_each_genre_is_one(demo):
    assert [each["name"] for each in demo.get("/api/genres")["items"]] == ["Ambient", "Electronic", "Folk"]


def test_letters_stand_where_the_first_title_with_them_does(demo):
    answer = demo.get("/api/songs?sort=title")
    first = {}
    for place, song in enumerate(answer["items"]):
        first.setdefault(song["title"][0].upper(), place)
    assert len(first) > 5
    assert {each["letter"]: each["offset"] for each in answer["letters"]} == first
