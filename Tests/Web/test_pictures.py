"""Pictures of every view, on a phone and a desktop, with the demo's albums; those of docs/page are among them.

    .build/web-venv/bin/python -m pytest Tests/Web/test_pictures.py --pictures FOLDER
    cp FOLDER/{now,queue,rooms}-phone.webp FOLDER/{home,now,album}-desktop.webp docs/page/
"""
import io
import pathlib

import pytest
from conftest import until
from PIL import Image
from test_demo import ShownDemo
from test_views import VIEWS, at_rest

from harness.waiting import wait_for

# A phone's picture has the pixels that a document shows, not those that a phone has.
SHAPES = {"phone": {"device_scale_factor": 1.5}, "desktop": {"device_scale_factor": 1}}


@pytest.fixture(scope="module")
def demo(registry, tmp_path_factory):
    """The demo, an album of which plays, paused in its middle."""
    running = ShownDemo(tmp_path_factory.mktemp("pictures"), registry).start()
    client = running.client()
    client.load("Sunday morning")
    client.add("")
    client.play(3)
    wait_for(lambda: client.status()["state"] == "play" and float(client.status().get("elapsed", 0)) > 0, 60, "the music")
    client.seekcur(float(client.status()["duration"]) / 3)
    client.pause(1)
    client.disconnect()
    yield running
    running.kill()


def drawn(page):
    """Waits until everything in sight is there, with its pictures."""
    at_rest(page)
    until(page, "document.fonts.status === 'loaded' && [...document.images].every((each) => each.complete)")
    until(page, "!document.querySelector('.cell.skeleton')")


@pytest.mark.parametrize("device", SHAPES)
def test_pictures_of_every_view(visit, demo, request, device):
    folder = pathlib.Path(request.config.getoption("--pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    page = visit("home", device, url=demo.url, **SHAPES[device])
    shown = [(view.split("/")[0], view.replace("Shown", "Sunday morning")) for view in [*VIEWS, "wall"]]
    for kind in ("album", "artist"):
        shown.append((kind, f"{kind}/{demo.get(f'/api/{kind}s?count=1')['items'][0]['id']}"))
    for name, view in shown:
        page.goto(f"{demo.url}/#/{view}")
        page.wait_for_selector(f"html[data-view={name}]")
        drawn(page)
        picture = Image.open(io.BytesIO(page.screenshot()))
        assert len(picture.getcolors(picture.width * picture.height)) > 50, f"{name} shows nothing"
        picture.save(folder / f"{name}-{device}.webp", quality=84, method=6)
