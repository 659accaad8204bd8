"""Who may what: signing in, what is forbidden, and letting a phone in by a code."""
import pytest
from conftest import Page
from harness.fake_navidrome import PASSWORD, USER


@pytest.fixture
def guarded(registry, tmp_path, navidrome):
    """A server that shows nothing without a password; with one, all but settings."""
    server = Page(tmp_path / "guarded", registry,
                  navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                  server={"default_permissions": ["read"], "local_permissions": ["read"]},
                  output=[{"type": "null", "name": "Kitchen"}])
    server.sections["server.password"] = [
        {"password": "open-sesame-77", "permissions": ["read", "add", "player", "control", "admin"]}]
    server.start()
    yield server
    server.kill()


def test_what_a_guest_may_not_do_is_greyed_out_with_the_reason_until_the_password_is_given(visit, guarded):
    page = visit("now", "phone", url=guarded.url)
    page.wait_for_selector(".now .play-button[disabled]")
    assert "player" in page.get_attribute(".now .play-button", "title")
    page.goto(f"{guarded.url}/#/signin")
    page.fill("input[type=password]", "wrong")
    page.tap("form .primary")
    page.wait_for_selector("[role=alert]")
    page.fill("input[type=password]", "open-sesame-77")
    page.tap("form .primary")
    page.wait_for_selector("html[data-view=home]")
    page.goto(f"{guarded.url}/#/now")
    page.wait_for_selector(".now .play-button:not([disabled])")


@pytest.mark.smoke
def test_a_code_lets_a_phone_in_once_and_leaves_the_address(visit, guarded):
    desktop = visit("signin", "desktop", url=guarded.url)
    desktop.fill("input[type=password]", "open-sesame-77")
    desktop.click("form .primary")
    desktop.wait_for_selector("html[data-view=home]")
    desktop.goto(f"{guarded.url}/#/pair")
    desktop.click(".pair .primary")
    code = desktop.inner_text(".pair .code")
    assert desktop.evaluate("document.querySelector('.qr').decode().then(() => true)")
    phone = visit("home", "phone", url=guarded.url)
    phone.goto("about:blank")
    phone.goto(f"{guarded.url}/#pair={code}")
    phone.wait_for_selector(".notice:has-text('signed in')")
    assert code not in phone.url
    phone.goto(f"{guarded.url}/#/now")
    phone.wait_for_selector(".now .play-button:not([disabled])")
