"""QR codes as a camera sees them: what the page shows says what it should."""
import io

import pytest
from conftest import until


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
def test_the_code_for_a_phone_says_the_address_with_the_code_beneath_it(visit, server, device, scheme):
    page = visit("pair", device, scheme)
    page.click(".pair .primary")
    drawn(page, ".pair-code .qr")
    page.locator(".pair-code .qr").scroll_into_view_if_needed()
    code = page.inner_text(".pair .code")
    found = read(page)
    assert any(text.endswith(f"/#pair={code}") for text in found), found


def test_a_clients_code_says_its_address_and_grows_by_a_tap(visit, server):
    page = visit("pair", "phone")
    button = ".copy-row:has-text('Server') .qr-frame"
    drawn(page, ".copy-row .qr")
    page.tap(button)
    drawn(page, "dialog .qr")
    assert read(page) == {f"mpd://127.0.0.1:{server.port}"}
    assert page.locator("dialog .qr").bounding_box()["width"] > 300
    assert page.inner_text("dialog .sub") == f"mpd://127.0.0.1:{server.port}"
    page.tap("dialog button:text-is('Close')")
    page.wait_for_selector("dialog", state="detached")
