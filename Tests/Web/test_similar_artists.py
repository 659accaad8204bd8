"""Artists that the library's server finds alike, on an artist's view."""
import pytest
from conftest import PASSWORD, USER, FakeNavidrome, Page, until
from test_views import AXE

from harness.waiting import wait_for
from harness.web import Web


@pytest.fixture(scope="module")
def navidrome(tmp_path_factory):
    """A server with a few artists."""
    server = FakeNavidrome(tmp_path_factory.mktemp("similar-navidrome"), songs=300).start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def server(navidrome, registry, tmp_path_factory):
    """The program in front of it."""
    running = Page(tmp_path_factory.mktemp("similar"), registry,
                   navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD})
    running.start(300)
    yield running
    running.kill()


@pytest.fixture
def artists(server, navidrome):
    """The artists, and a server that answers as it should."""
    navidrome.control("fault", mode="none")
    navidrome.control("similarity", mode="right")
    web = Web(server.web_port)
    wait_for(lambda: web.get("/api/status")["sync"]["phase"] is None, 60, "the end of the sync")
    return web.get("/api/artists")["items"]


def asked(navidrome):
    """How often the server was asked for artists."""
    return sum(" getArtistInfo2 " in row for row in navidrome.control("requests")["rows"])


@pytest.mark.parametrize("language, heading", [("de-DE", "Ähnliche Künstler"), ("fr-FR", "Artistes similaires"),
                                               ("es-ES", "Artistas similares"), ("ja-JP", "似ているアーティスト")])
def test_the_row_has_a_heading_in_every_language(visit, artists, language, heading):
    page = visit(f"artist/{artists[0]['id']}", "desktop", locale=language)
    page.wait_for_selector(".similar:not([hidden])")
    assert page.locator(".similar h2").inner_text() == heading


def test_hostile_names_are_text_and_break_no_screen(visit, navidrome, artists):
    navidrome.control("similarity", mode="wrong")
    page = visit(f"artist/{artists[1]['id']}", "phone", viewport={"width": 320, "height": 568})
    page.wait_for_selector(".similar:not([hidden]) .others")
    assert page.locator(".similar .others img").count() == 0
    assert "<img src=x" in page.locator(".similar .others").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.locator(".artist-view .tiles .tile").count() == artists[1]["albums"]


def test_an_empty_answer_shows_no_row(visit, navidrome, artists):
    navidrome.control("similarity", mode="empty")
    page = visit(f"artist/{artists[2]['id']}", "phone")
    page.wait_for_selector(".artist-view .hero-title")
    page.wait_for_load_state("networkidle")
    assert page.locator(".similar").is_hidden()


def test_a_slow_server_leaves_the_view_usable(visit, navidrome, artists):
    navidrome.control("fault", mode="delay", ms=8000, match="getArtistInfo2")
    page = visit(f"artist/{artists[3]['id']}", "phone")
    page.wait_for_selector(".artist-view .tiles .tile .title:not(:empty)")
    assert page.locator(".similar").is_hidden()
    page.locator(".artist-view .tiles .tile a.main").first.click()
    page.wait_for_selector("html[data-view=album]")


def test_similar_artists_lead_to_their_views(visit, server, navidrome, artists):
    from axe_playwright_python.sync_playwright import Axe
    page = visit("artists", "phone")
    page.wait_for_selector(".tile .title:not(:empty)")
    before = asked(navidrome)
    page.evaluate(f"location.hash = '#/artist/{artists[4]['id']}'")
    page.wait_for_selector(".similar:not([hidden]) .tile")
    assert asked(navidrome) == before + 1, "asked once the view was opened, and not by the list"
    answer = Web(server.web_port).get(f"/api/artists/{artists[4]['id']}/similar")
    assert page.locator(".similar .tile").count() == len(answer["items"])
    assert page.locator(".similar .others").inner_text() == "Others like this: " + " · ".join(answer["others"])
    found = Axe().run(page, options=AXE).response["violations"]
    page.evaluate("refused.splice(0)")
    assert not found, found
    name = page.locator(".similar .tile .title").first.inner_text()
    page.locator(".similar .tile a.main").first.click()
    until(page, "(name) => document.querySelector('.artist-view .hero-title')?.textContent === name", name)
