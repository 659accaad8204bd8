"""What concerns the house: requests, sleep, other rooms; with the program's own files, as visitors get them."""
import json
import urllib.request

import pytest
from conftest import Page, until
from test_views import AXE, at_rest

from harness.lidarr import KEY, FakeLidarr
from harness.waiting import wait_for


@pytest.fixture
def lidarr():
    """A Lidarr with an album."""
    fake = FakeLidarr()
    fake.add_to_catalogue("Blue Hours", "The Night Shift", 2003)
    yield fake
    fake.close()


@pytest.fixture
def house(lidarr, registry, tmp_path):
    """The program with that Lidarr, and two partitions."""
    (tmp_path / "music").mkdir()
    server = Page(tmp_path, registry, local={"music_directory": tmp_path / "music"},
                  lidarr={"url": lidarr.url, "api_key": KEY})
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_an_album_is_requested_by_keys_alone_and_followed(visit, house, lidarr, device):
    from axe_playwright_python.sync_playwright import Axe
    page = visit("requests", device, url=house.url)
    # It can be used as soon as the page knows what this visitor may.
    page.focus("input[name=catalogue]:enabled")
    page.keyboard.type("blue hours")
    page.keyboard.press("Enter")
    page.wait_for_selector(".request button.primary")
    page.focus("button[aria-label='Request Blue Hours']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".request [role=status]:has-text('Requested')")
    at_rest(page)
    found = Axe().run(page, options=AXE).response["violations"]
    assert not found, [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]
    # The page shows what was asked for before Lidarr has heard of it.
    wait_for(lambda: [each["monitored"] for each in list(lidarr.albums.values())] == [True], 60, "the wanted album")
    (album,) = lidarr.albums.values()
    lidarr.queue = [{"albumId": album["id"], "size": 100.0, "sizeleft": 25.0, "trackedDownloadState": "downloading"}]
    page.wait_for_selector(".request [role=status]:has-text('On its way')")
    lidarr.queue = []
    lidarr.has(album["foreignAlbumId"], 10)
    page.wait_for_selector(".request [role=status]:has-text('Here')")


def test_the_sleep_timer_and_the_speed_are_in_the_options(visit, server, queue):
    page = visit("now", "phone")

    def speed():
        with urllib.request.urlopen(f"{server.url}/api/status", timeout=10) as answer:
            return json.load(answer)["options"]["speed"]

    def left():
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        page.tap("[aria-label='Playback options']")
        return page.inner_text("dialog select[name=sleep] option:checked")
    page.tap("[aria-label='Playback options']")
    page.select_option("dialog select[name=sleep]", label="30 minutes")
    page.wait_for_selector(".notice:has-text('The music pauses in 30 minutes')")
    assert 1700 < float(queue.status()["sleep"]) <= 1800
    page.select_option("dialog select[name=speed]", "1.25")
    until(page, "document.querySelector('dialog select[name=speed]').value === '1.25'")
    wait_for(lambda: speed() == 1.25, 60, "the speed")
    # A sheet shows what the page knew when it was opened, and news of the timer may come after the answer about it.
    wait_for(lambda: "minutes left" in left(), 60, "the time that is left")
    page.select_option("dialog select[name=sleep]", "0")
    page.wait_for_selector(".notice:has-text('The sleep timer is off')")
    assert "sleep" not in queue.status()
    page.select_option("dialog select[name=speed]", "1")
    wait_for(lambda: speed() == 1, 60, "the usual speed")


def test_music_is_taken_along_and_the_page_follows(visit, queue):
    queue.newpartition("Attic")
    try:
        page = visit("rooms", "phone")
        page.tap(".chip:has-text('Move playback to')")
        page.tap("dialog .sheet-item:has-text('Attic')")
        page.wait_for_selector(".chip[aria-pressed=true]:has-text('Attic')")
        page.goto(page.url.replace("rooms", "now"))
        page.wait_for_selector(".now-where:has-text('Attic')")
        page.goto(page.url.replace("now", "queue"))
        page.wait_for_selector(".queue-view .row.playing")
        queue.partition("Attic")
        assert queue.status()["playlistlength"] == "40" and queue.status()["song"] == "4"
    finally:
        queue.partition("Attic")
        queue.clear()
        queue.partition("default")
        queue.delpartition("Attic")


def test_a_player_is_renamed_by_keys_alone_and_every_page_follows(visit, queue):
    from axe_playwright_python.sync_playwright import Axe
    rename, name = ".partitions .chip:has-text('Rename this player')", "Attic"
    queue.newpartition(name)
    try:
        page, other = visit("rooms", "desktop"), visit("rooms", "phone")
        page.wait_for_selector(".chip[aria-pressed=true]:has-text('Main player')")
        # The one that is always there keeps its name.
        assert page.is_hidden(rename)
        for each in (page, other):
            each.click(".chip:has-text('Attic')")
            each.wait_for_selector(".chip[aria-pressed=true]:has-text('Attic')")

        def ask_for(text, again=False):
            page.focus(rename)
            page.keyboard.press("Enter")
            page.wait_for_selector("dialog input[name=answer]:focus")
            page.keyboard.press("Control+a")
            page.keyboard.type(text)
            page.keyboard.press("Enter")
            if not again:
                page.wait_for_selector("dialog", state="detached")
        ask_for("my loft", again=True)
        page.wait_for_selector("dialog [role=alert]:has-text('Letters from A to Z')")
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        page.wait_for_selector(".chip[aria-pressed=true]:has-text('Attic')")
        ask_for("Loft")
        name = "Loft"
        page.wait_for_selector(".notice:has-text('Renamed Attic to Loft')")
        for each in (page, other):
            each.wait_for_selector(".chip[aria-pressed=true]:has-text('Loft')")
            assert each.locator(".chip:has-text('Attic')").count() == 0
            assert each.evaluate("localStorage.getItem('partition')") == "Loft"
        assert "Rename this player" in page.evaluate("document.activeElement.textContent")
        at_rest(page)
        found = Axe().run(page, options=AXE).response["violations"]
        assert not found, [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]
        # The page asks for the right queue and steers the right player, also after another client renamed it.
        queue.renamepartition("Loft", "Studio")
        name = "Studio"
        page.wait_for_selector(".chip[aria-pressed=true]:has-text('Studio')")
        page.goto(page.url.replace("rooms", "queue"))
        page.wait_for_selector(".queue-view .empty")
        page.reload()
        page.wait_for_selector(".queue-view .empty")
    finally:
        queue.partition("default")
        queue.delpartition(name)


@pytest.mark.parametrize("locale, rule", [("en-GB", "Letters from A to Z"), ("de-DE", "Nur Buchstaben von A bis Z")])
def test_a_name_that_no_player_may_have_is_answered_by_the_rule(visit, queue, locale, rule):
    page = visit("rooms", "phone", locale=locale)
    page.click(".partitions .chip.add")
    for name in ("Küche", "Living room", "O'Brien's", "リビング", "x" * 65):
        page.fill("dialog input[name=answer]", name)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"dialog [role=alert]:has-text('{rule}')")
    assert [each["partition"] for each in queue.listpartitions()] == ["default"]
    # Other clients may give names that are longer still; they stay in their chip.
    queue.newpartition("y" * 300)
    try:
        page.fill("dialog input[name=answer]", "")
        page.keyboard.press("Escape")
        page.wait_for_selector(".partitions .chip:has-text('yyy')")
        assert page.evaluate("document.querySelector('.view').scrollWidth <= document.querySelector('.view').clientWidth")
    finally:
        queue.delpartition("y" * 300)


def test_a_page_that_slept_while_its_player_was_renamed_shows_the_first_one(visit, queue):
    queue.newpartition("Attic")
    try:
        page = visit("rooms", "phone")
        page.evaluate("localStorage.setItem('partition', 'Elsewhere')")
        page.reload()
        page.wait_for_selector(".chip[aria-pressed=true]:has-text('Main player')")
        assert page.evaluate("localStorage.getItem('partition')") is None
    finally:
        queue.delpartition("Attic")


@pytest.mark.smoke
def test_rooms_of_all_partitions_are_on_the_page_and_move(visit, queue):
    queue.newpartition("Attic")
    try:
        page = visit("rooms", "phone")
        page.tap("article.room[aria-label=Study] button[aria-label='More for Study']")
        page.tap("dialog .sheet-item:has-text('Attic')")
        page.wait_for_selector("article.room[aria-label=Study] .sub:has-text('Attic')")
        queue.partition("Attic")

        def study():
            """Whether the room is on; nothing while it is elsewhere."""
            return [one["outputenabled"] for one in queue.outputs()
                    if one["outputname"] == "Study" and one["plugin"] != "dummy"]
        # The page shows each change before the server has made it.
        wait_for(lambda: study() == ["0"], 60, "the room in the Attic")
        # It is switched and comes back from here.
        page.tap("article.room[aria-label=Study] [role=switch]")
        wait_for(lambda: study() == ["1"], 60, "the room to be on")
        until(page, "document.querySelector('article.room[aria-label=Study] [role=switch]').ariaChecked === 'true'")
        page.tap("article.room[aria-label=Study] [role=switch]")
        wait_for(lambda: study() == ["0"], 60, "the room to be off")
        until(page, "document.querySelector('article.room[aria-label=Study] [role=switch]').ariaChecked === 'false'")
        page.tap("article.room[aria-label=Study] button[aria-label='More for Study']")
        page.tap("dialog .sheet-item:has-text('Main player')")
        page.wait_for_selector("article.room[aria-label=Study] .sub:has-text('Main player')")
    finally:
        queue.partition("default")
        queue.moveoutput("Study")
        queue.delpartition("Attic")


def test_modules_come_without_comments_but_are_the_same(server):
    with urllib.request.urlopen(f"{server.url}/js/main.js", timeout=10) as answer:
        served = answer.read().decode()
    if "SEGUE_WEB_DIRECTORY" in __import__("os").environ:
        pytest.skip("files of a folder are served as they are")
    assert "\n//" not in served and "/**\n" not in served and served.count("import ") > 8
