"""QR codes as a camera sees them: what the page shows says what it should."""
import io

import pytest
from conftest import seen_by_phones, sign_in, until
from test_access import guarded  # noqa: F401


def read(page):
    """What the codes on the screen say."""
    zxingcpp = pytest.importorskip("zxingcpp")
    from PIL import Image
    return {each.text for each in zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))}


def drawn(page, selector):
    """Waits for a code's picture."""
    until(page, "(selector) => document.querySelector(selector)?.naturalWidth > 0", selector)


@pytest.mark.parametrize("device", ["phone", "desktop"])
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_code_for_a_phone_says_the_address_beneath_it(visit, server, device, scheme):
    page = visit("pair", device, scheme)
    seen_by_phones(page)
    page.click(".pair .primary")
    drawn(page, ".pair-code .qr")
    page.locator(".pair-code .qr").scroll_into_view_if_needed()
    # Who may do what all may needs no code to let others in.
    assert page.locator(".pair .code").count() == 0
    shown = page.inner_text(".pair-code .sub")
    assert shown.startswith("http") and "#" not in shown
    assert shown in read(page)


def opened(page, listen, addresses=()):
    """Opens the view as it is with another configuration."""
    def answer(route):
        settings = route.fetch().json()
        keys = next(each["keys"] for each in settings["sections"] if each["name"] == "server")
        next(each for each in keys if each["key"] == "listen")["value"] = listen
        route.fulfill(json={**settings, "addresses": list(addresses)})
    page.route("**/api/settings", answer)
    page.evaluate("location.hash = '#/pair'")
    page.wait_for_selector("html[data-view=pair] section:has-text('An MPD client') .fetched-in")


def rows(page):
    """What can be copied, by its label."""
    texts = """() => [...document.querySelectorAll(".copy-row")].map((each) =>
        [each.querySelector(".sub").textContent, each.querySelector("code").textContent])"""
    return [tuple(each) for each in page.evaluate(texts)]


def test_a_clients_code_says_its_address_and_grows_by_a_tap(visit, server):
    page = visit("home", "phone")
    opened(page, "127.0.0.1:6600, 192.168.7.7:6601, /run/user/1000/mpd:6602, tls://192.168.7.7:6603")
    assert rows(page) == [("Server", "192.168.7.7:6601"), ("Server", "192.168.7.7:6603")]
    # No app takes an address of the encrypted port from a code.
    assert page.locator(".copy-row .qr").count() == 1
    drawn(page, ".copy-row .qr")
    page.tap(".copy-row:has-text('192.168.7.7:6601') .qr-frame")
    drawn(page, "dialog .qr")
    assert read(page) == {"mpd://192.168.7.7:6601"}
    assert page.locator("dialog .qr").bounding_box()["width"] > 300
    assert page.inner_text("dialog .sub") == "mpd://192.168.7.7:6601"
    page.tap("dialog button:text-is('Close')")
    page.wait_for_selector("dialog", state="detached")


def test_an_address_of_this_machine_alone_has_no_code_and_says_how_to_let_others_in(visit, server):
    page = visit("pair", "phone")
    page.wait_for_selector("section:has-text('An MPD client') p:has-text('from this machine only')")
    assert rows(page)[0] == ("[server]", f'listen = ["0.0.0.0:{server.port}"]')
    assert page.locator(".copy-row .qr").count() == 0
    assert f"127.0.0.1:{server.port}" not in page.inner_text(".view")


@pytest.mark.parametrize("everywhere", ["0.0.0.0", "[::]"])
def test_a_port_at_every_address_is_shown_with_one_that_phones_reach(visit, server, everywhere):
    page = visit("home", "phone")
    opened(page, f"{everywhere}:6600", ["http://127.0.0.1:6610", "http://192.168.7.7:6610"])
    assert rows(page)[0] == ("Server", "192.168.7.7:6600")
    other = visit("home", "phone")
    opened(other, f"{everywhere}:6600", ["http://127.0.0.1:6610"])
    other.wait_for_selector("section p:has-text('by the address of its machine, at port 6600')")
    assert other.locator(".copy-row .qr").count() == 0


@pytest.mark.parametrize("locale, words", [("en-GB", "Only this machine"), ("de-DE", "nur von diesem Rechner")])
def test_a_page_of_this_machine_alone_makes_no_code_and_says_how_to_let_phones_in(visit, server, locale, words):
    page = visit("pair", "phone", locale=locale)
    page.click(".pair .primary")
    page.wait_for_selector(f".pair [role=alert]:has-text('{words}')")
    assert page.locator(".pair-code, .pair .qr").count() == 0
    assert f'listen = ["0.0.0.0:{server.web_port}"]' in page.inner_text(".pair [role=alert]")


def test_a_code_that_was_used_says_who_is_signed_in_and_counts_no_more(visit, guarded):  # noqa: F811
    page = sign_in(visit, guarded, "pair", "desktop")
    seen_by_phones(page)
    page.click(".pair .primary")
    code = page.inner_text(".pair .code")
    phone = visit("home", "phone", url=guarded.url, user_agent="Mozilla/5.0 (Linux; Android 16) Chrome/156.0")
    phone.goto("about:blank")
    phone.goto(f"{guarded.url}/#pair={code}")
    phone.wait_for_selector(".notice:has-text('signed in')")
    page.wait_for_selector(".pair-done:has-text('Signed in: Chrome, Android')")
    assert page.locator(".pair-code").count() == 0
