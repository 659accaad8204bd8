"""Settings of the server that administrators change on the page, by fingers and by keys."""
import pytest
from conftest import Page, until
from harness.waiting import wait_for
from harness.web import Web
from test_keyboard import tab_to
from test_views import AXE

ROW = ".setting[data-key='{}']"


@pytest.fixture
def own(registry, tmp_path):
    """A server whose settings are this test's; the environment has one of them."""
    server = Page(tmp_path / "segue", registry, local={"music_directory": str(tmp_path)}, cache={"prefetch": 2})
    server.environment["SEGUE_DJ_AHEAD"] = "7"
    server.start()
    yield server
    server.kill()


def value(server, key):
    """A key's value and its origin, as the server says."""
    found = next(each for each in Web(server.web_port).get("/api/settings")["writable"] if each["key"] == key)
    return found["value"], found["source"]


def section(page, name):
    """The form of a section, opened."""
    page.click(f"summary:text-is('{name}')")
    return page.locator(f"details[open]:has(summary:text-is('{name}')) form")


@pytest.mark.smoke
def test_settings_are_saved_and_taken_back(visit, own):
    page = visit("settings", "phone", url=own.url)
    form = section(page, "Cache")
    assert "From the configuration file" in form.locator(ROW.format("cache.prefetch")).inner_text()
    form.get_by_label("Songs fetched ahead", exact=True).fill("5")
    form.get_by_role("button", name="Save").click()
    page.wait_for_selector(".notice:has-text('Saved; takes effect after a restart')")
    assert value(own, "cache.prefetch") == (5, "page")
    until(page, "document.querySelector(`[data-key='cache.prefetch']`).innerText.includes('Set on the page')")
    assert "Takes effect after a restart" in form.locator(ROW.format("cache.prefetch")).inner_text()
    form.get_by_role("button", name="Reset Songs fetched ahead").click()
    wait_for(lambda: value(own, "cache.prefetch") == (2, "file"), 60, "the configuration's value")
    until(page, "document.querySelector(`[name='cache.prefetch']`).value === '2'")
    assert form.get_by_role("button", name="Reset").count() == 0


def test_what_is_refused_is_told_and_taken_back(visit, own):
    page = visit("settings", "phone", url=own.url)
    form = section(page, "Cache")
    form.get_by_label("Space for songs on disk", exact=True).fill("as much as there is")
    form.get_by_role("button", name="Save").click()
    page.wait_for_selector(".notice.error:has-text('cache.size: expected a size')")
    until(page, "document.querySelector(`[name='cache.size']`).value === '2 GiB'")
    form.get_by_label("Songs fetched ahead", exact=True).fill("21")
    form.get_by_role("button", name="Save").click()
    assert not page.evaluate("document.querySelector(`[name='cache.prefetch']`).validity.valid")
    assert value(own, "cache.prefetch") == (2, "file")


def test_what_the_environment_sets_is_shown_and_can_not_be_changed(visit, own):
    page = visit("settings", "desktop", url=own.url)
    form = section(page, "Auto-DJ")
    assert form.get_by_label("Auto-DJ: songs ahead", exact=True).is_disabled()
    assert "Set by the environment" in form.locator(ROW.format("dj.ahead")).inner_text()


def test_settings_are_changed_by_keys_alone(visit, own):
    page = visit("settings", "desktop", url=own.url)
    page.wait_for_selector(".settings-form")
    tab_to(page, "summary", "Log")
    page.keyboard.press("Enter")
    tab_to(page, "select[name='server.log_level']")
    page.keyboard.press("ArrowDown")
    tab_to(page, "details[open] form .primary")
    page.keyboard.press("Enter")
    page.wait_for_selector(".notice:has-text('Saved')")
    assert value(own, "server.log_level") == ("info", "page")
    tab_to(page, "summary", "Discovery")
    page.keyboard.press("Enter")
    tab_to(page, "input[value=daily]")
    page.keyboard.press("Space")
    tab_to(page, "input[role=switch][name='discovery.measured_gain']")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    wait_for(lambda: value(own, "discovery.playlists") == (["daily"], "page"), 60, "the list")
    assert value(own, "discovery.measured_gain") == (False, "page")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_open_forms_have_no_faults_that_axe_finds(visit, own, device):
    from axe_playwright_python.sync_playwright import Axe
    page = visit("settings", device, url=own.url)
    page.wait_for_selector(".settings-form")
    for summary in page.locator(".settings-form summary").all():
        summary.click()
    found = Axe().run(page, options=AXE).response
    assert not found["violations"], [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]]
