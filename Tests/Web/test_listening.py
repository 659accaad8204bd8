"""Listening in the browser: the dialog, the lock screen, and a stream that breaks."""
import io
import wave

import pytest
from conftest import Page, some_songs, until
from harness.processes import free_port
from harness.waiting import wait_for
from test_views import AXE, at_rest

# Counts what the lock screen is told, and keeps the player at hand.
WATCHED = """() => {
    window.told = 0;
    const [Metadata, Player] = [window.MediaMetadata, window.Audio];
    window.MediaMetadata = class extends Metadata { constructor(...all) { super(...all); window.told++; } };
    window.Audio = function (...all) { return window.made = new Player(...all); };
}"""


def silence(seconds):
    """Silence that every browser plays."""
    whole = io.BytesIO()
    with wave.open(whole, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8000)
        file.writeframes(b"\x80" * 8000 * seconds)
    return whole.getvalue()


@pytest.fixture(scope="module")
def streaming(registry, tmp_path_factory, navidrome):
    """A server with a stream, and songs that are paused."""
    from harness.fake_navidrome import PASSWORD, USER
    server = Page(tmp_path_factory.mktemp("streaming"), registry,
                  navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
                  output=[{"type": "null", "name": "Kitchen"},
                          {"type": "httpd", "name": "Garden", "port": free_port(), "bind_to_address": "127.0.0.1",
                           "encoder": "wave", "always_on": True}])
    server.start(5000)
    client = server.client()
    for path in some_songs(client, 8):
        client.add(path)
    client.play(0)
    yield server, client
    server.kill()


@pytest.fixture
def dialog(visit, streaming):
    """Opens the dialog; the stream is so long, in seconds, as it comes without a live one's waits."""
    def open_dialog(device, seconds):
        page = visit("now", device, url=streaming[0].url)
        page.evaluate(WATCHED)
        page.route("**/listen/**", lambda route: route.fulfill(body=silence(seconds), content_type="audio/wav"))
        page.wait_for_selector(".now .play-button:not([disabled])")
        page.click(".now-links button.pill")
        page.wait_for_selector("dialog.listen")
        return page
    return open_dialog


def listen(page):
    page.click("dialog .primary:has-text('Listen')")
    page.wait_for_selector("dialog .primary:has-text('Stop listening')")


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_the_dialog_plays_the_stream_and_the_lock_screen_is_told_once(dialog, streaming, device):
    from axe_playwright_python.sync_playwright import Axe
    client = streaming[1]
    client.pause(0)
    page = dialog(device, 600)
    at_rest(page)
    found = Axe().run(page, options=AXE).response["violations"]
    page.evaluate("refused.splice(0)")
    assert not found, [(one["id"], [node["html"][:160] for node in one["nodes"]]) for one in found]
    for _ in range(3):
        listen(page)
        page.click("dialog .primary")
        page.wait_for_selector("dialog .primary:not(:has-text('Stop'))")
        assert page.evaluate("navigator.mediaSession.metadata") is None
    listen(page)
    until(page, "navigator.mediaSession.playbackState === 'playing'")
    told = page.evaluate("told")
    client.pause(1)
    until(page, "navigator.mediaSession.playbackState === 'paused'")
    assert 1 <= page.evaluate("told") - told <= 3, "players of before are still told"


@pytest.mark.parametrize("how", ["end", "error"])
def test_a_stream_that_breaks_is_no_longer_shown_as_played(dialog, how):
    page = dialog("desktop", 5 if how == "end" else 600)
    listen(page)
    if how == "error":
        page.evaluate("made.dispatchEvent(new Event('error'))")
    page.wait_for_selector("dialog .primary:not(:has-text('Stop'))")
    page.wait_for_selector(".notice:has-text('has stopped playing here')")
    assert page.evaluate("navigator.mediaSession.playbackState") == "none"


def test_the_rooms_are_silenced_and_sound_again_by_one_tap(dialog, streaming):
    client = streaming[1]

    def kitchen():
        return next(one["outputenabled"] for one in client.outputs() if one["outputname"] == "Kitchen")
    page = dialog("phone", 600)
    listen(page)
    page.click("dialog button:has-text('Mute the rooms')")
    wait_for(lambda: kitchen() == "0", what="a silent kitchen")
    page.click(".notice button:has-text('Undo')")
    wait_for(lambda: kitchen() == "1", what="sound in the kitchen")
