"""Visitors who may not do everything: guests who add music, and the house that steers it."""
import pytest
from conftest import Page, some_songs
from harness.fake_navidrome import PASSWORD, USER
from harness.waiting import wait_for

MASTER = "open-sesame-77"


@pytest.fixture
def letting(registry, tmp_path, navidrome):
    """Starts a server that allows every visitor these things; its client may do everything, with 20 songs queued."""
    started = []

    def start(*permissions):
        server = Page(tmp_path / "guarded", registry,
                      navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                      server={"default_permissions": list(permissions), "local_permissions": list(permissions)},
                      station=[{"name": "Radio One", "url": "http://127.0.0.1:9/One"}],
                      output=[{"type": "null", "name": "Kitchen", "mixer_type": "software"},
                              {"type": "null", "name": "Study", "enabled": False}])
        server.sections["server.password"] = [
            {"password": MASTER, "permissions": ["read", "add", "player", "control", "admin"]}]
        server.start(5000)
        client = server.client()
        client.password(MASTER)
        started.append((server, client))
        for path in some_songs(client, 20):
            client.add(path)
        client.play(4)
        client.pause(1)
        return server, client
    yield start
    for server, client in started:
        client.disconnect()
        server.kill()


def titles(client):
    return [song["title"] for song in client.playlistinfo()]


def test_a_guest_adds_songs_and_albums_by_a_tap_while_the_music_plays_on(visit, letting):
    server, client = letting("read", "add")
    before = titles(client)
    page = visit("songs", "phone", url=server.url)
    title = page.inner_text(".browse .cell[data-index='0']:not(.skeleton) .title")
    page.tap(".browse .cell[data-index='0'] .main")
    wait_for(lambda: titles(client) == [*before, title], 60, "the song at the end")
    page.goto(f"{server.url}/#/albums")
    page.tap(".tile:not(.skeleton) .main")
    page.wait_for_selector(".hero .primary[disabled]")
    title = page.inner_text(".discs .row .title >> nth=0")
    page.tap(".discs .row .main >> nth=0")
    wait_for(lambda: titles(client)[len(before) + 1:] == [title], 60, "the album's song at the end")
    before = titles(client)
    page.goto(f"{server.url}/#/albums")
    page.tap(".tile:not(.skeleton) .on-cover")
    assert page.is_disabled("dialog .sheet-item:has-text('Play'):not(:has-text('next'))")
    page.tap("dialog .sheet-item:has-text('Add to queue')")
    wait_for(lambda: len(titles(client)) > len(before), 60, "the album at the end")
    page.goto(f"{server.url}/#/home")
    page.wait_for_selector("[data-mix='random'][disabled]")
    assert "player" in page.get_attribute("[data-mix='random']", "title")
    page.goto(f"{server.url}/#/search/https%3A%2F%2Fradio.example%2Fstream")
    page.wait_for_selector(".address .primary[disabled]")
    assert page.is_enabled(".address .quiet")
    page.goto(f"{server.url}/#/radio")
    page.tap(".stations .row:has-text('Radio One') .main")
    wait_for(lambda: client.playlistinfo()[-1]["file"].endswith("/One"), 60, "the station at the end")
    assert not page.locator(".notice.error").count()
    assert client.status()["state"] == "pause" and client.status()["song"] == "4"


def test_the_house_steers_its_rooms_and_is_shown_no_errors_of_what_only_administrators_see(visit, letting):
    server, client = letting("read", "add", "player", "control")
    page = visit("rooms", "phone", url=server.url)

    def output(name):
        return next(each for each in client.outputs() if each["outputname"] == name)
    page.tap(".room [aria-label='Switch Study']")
    wait_for(lambda: output("Study")["outputenabled"] == "1", 60, "the room to be on")
    page.tap(".room:has-text('Kitchen') [aria-label='Mute Kitchen']")
    page.wait_for_selector(".room [aria-label='Mute Kitchen'][aria-pressed=true]")
    page.tap(".room:has-text('Kitchen') [aria-label='Mute Kitchen']")
    page.wait_for_selector(".room [aria-label='Mute Kitchen'][aria-pressed=false]")
    assert not page.locator(".notice.error").count()
    for view in ("settings", "pair"):
        page.goto(f"{server.url}/#/{view}")
        page.wait_for_selector(f"html[data-view={view}]")
        page.wait_for_load_state("networkidle")
        assert page.locator(".view .empty").count() == 0, page.inner_text(".view")
    page.goto(f"{server.url}/#/signin")
    page.fill("input[type=password]", MASTER)
    page.tap("form .primary")
    page.wait_for_selector("html[data-view=home]")
    page.goto(f"{server.url}/#/settings")
    page.wait_for_selector(".settings-section:has-text('[server]')")
    page.wait_for_selector(".plain-list li:has-text('this device')")
    page.goto(f"{server.url}/#/pair")
    page.wait_for_selector(".copy-row code")
