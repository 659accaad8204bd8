"""Who may what: signing in, what is forbidden, and letting a phone in by a code."""
import pytest
from conftest import Page, seen_by_phones
from harness.fake_navidrome import PASSWORD, USER
from harness.waiting import wait_for


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
    seen_by_phones(desktop)
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


def test_whoever_has_to_sign_in_is_not_told_of_a_lost_connection(visit, registry, tmp_path, navidrome):
    server = Page(tmp_path / "locked", registry,
                  navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                  server={"default_permissions": [], "local_permissions": []})
    server.sections["server.password"] = [{"password": "open-sesame-77", "permissions": ["read", "player"]}]
    server.start()
    try:
        page = visit("signin", "phone", url=server.url)
        page.clock.install()
        tried = []
        page.on("websocket", lambda socket: tried.append(socket.url))
        page.reload()
        page.wait_for_selector("html[data-view=signin]")
        wait_for(lambda: page.wait_for_timeout(20) or tried, 60, "the page to find out that it is locked out")
        page.evaluate("location.hash = '#/albums'")
        page.wait_for_selector("html[data-view=signin] .sign-in")

        def is_quiet():
            tried.clear()
            page.clock.run_for(10_000)
            return not tried
        wait_for(is_quiet, 60, "the end of the attempts")
        page.clock.run_for(60_000)
        assert not tried, "the socket is refused as long as nobody signs in"
        # An answer that is on its way while the clock is put on counts as late until it is there.
        wait_for(lambda: page.wait_for_timeout(20) or page.is_hidden(".connection-line"), 30, "no lost connection")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.fill("input[type=password]", "open-sesame-77")
        page.tap("form .primary")
        page.wait_for_selector("html[data-view=home]")
        page.wait_for_selector("[data-mix=random]:enabled")
    finally:
        server.kill()
