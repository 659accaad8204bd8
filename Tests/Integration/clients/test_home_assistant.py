"""Home Assistant itself with its player for MPD; contrib/test-home-assistant installs it and runs this."""
import json
import os
import urllib.error
import urllib.parse
import urllib.request

import pytest
from harness.processes import Daemon, free_port
from harness.waiting import wait_for

from .driving import MEETING, PATIENCE

HASS = os.environ.get("SEGUE_HOME_ASSISTANT")
PLAYER = "media_player.segue"
CONFIGURATION = """
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
config:
media_player:
  - platform: mpd
    name: Segue
    host: {host}
    port: {mpd}
"""

pytestmark = pytest.mark.skipif(not HASS, reason="Home Assistant is large: contrib/test-home-assistant runs this")


class HomeAssistant:
    """A running Home Assistant, by its REST interface."""

    def __init__(self, folder, server):
        self.folder, self.port, self.token = folder, free_port(), None
        self.daemon = Daemon(folder / "hass.log")
        (folder / "configuration.yaml").write_text(
            CONFIGURATION.format(port=self.port, host=server.host, mpd=server.port))

    def start(self):
        """Makes a user, starts, and signs in."""
        user = Daemon(self.folder / "user.log")
        user.launch([HASS, "--script", "auth", "-c", str(self.folder), "add", "ada", "staple"], dict(os.environ))
        assert user.process.wait(PATIENCE) == 0
        self.daemon.launch([HASS, "-c", str(self.folder), "--skip-pip"], dict(os.environ))
        wait_for(self.answers, 2 * PATIENCE, "Home Assistant")
        client = f"http://127.0.0.1:{self.port}/"
        flow = self.post("/auth/login_flow", {"client_id": client, "handler": ["homeassistant", None],
                                              "redirect_uri": client})["flow_id"]
        code = self.post(f"/auth/login_flow/{flow}",
                         {"client_id": client, "username": "ada", "password": "staple"})["result"]
        form = {"grant_type": "authorization_code", "code": code, "client_id": client}
        self.token = json.loads(self.request("/auth/token", urllib.parse.urlencode(form).encode()))["access_token"]

    def answers(self):
        """Whether it takes requests."""
        try:
            self.request("/manifest.json")
        except (urllib.error.URLError, ConnectionError):
            return False
        return True

    def request(self, path, body=None, **headers):
        """The bytes of an answer."""
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read()

    def post(self, path, body):
        """The answer to JSON."""
        return json.loads(self.request(path, json.dumps(body).encode(), **{"Content-Type": "application/json"}))

    def call(self, service, **data):
        """Does what a tap on the card does."""
        self.post(f"/api/services/media_player/{service}", {"entity_id": PLAYER, **data})

    def player(self):
        """The player's state and its attributes, looked at anew."""
        self.post("/api/services/homeassistant/update_entity", {"entity_id": PLAYER})
        found = json.loads(self.request(f"/api/states/{PLAYER}"))
        return found["state"], found["attributes"]


@pytest.fixture
def house(tmp_path, server, client):
    # It asks for playlists at its start, and then every two minutes.
    client.add(MEETING)
    client.save("supper")
    made = HomeAssistant(tmp_path, server)
    try:
        made.start()
        yield made
    finally:
        made.daemon.kill()


def test_home_assistant_shows_and_steers_the_player(house, client, collection):
    client.play(1)

    def state(wanted, **attributes):
        def reached():
            now, shown = house.player()
            return now == wanted and all(shown.get(key) == value for key, value in attributes.items())
        wait_for(reached, PATIENCE, f"{wanted} with {attributes}; it is {house.player()}")
    state("playing", media_title="Table", media_artist="Ilse Brandt", media_album_name="Meeting Point",
          source_list=["supper"])
    assert house.request(house.player()[1]["entity_picture"]) == (collection / MEETING / "cover.png").read_bytes()
    house.call("media_pause")
    state("paused")
    assert client.status()["state"] == "pause"
    house.call("media_play")
    house.call("media_next_track")
    state("playing", media_title="Late Bus")
    house.call("media_seek", seek_position=12)
    assert 11 < float(client.status()["elapsed"]) < 30
    house.call("volume_set", volume_level=0.35)
    state("playing", volume_level=0.35)
    house.call("shuffle_set", shuffle=True)
    house.call("repeat_set", repeat="all")
    state("playing", shuffle=True, repeat="all")
    house.call("select_source", source="supper")
    wait_for(lambda: client.status()["playlistlength"] == "3", PATIENCE, "the playlist in place of the queue")
    # Speech and media of its own come as addresses.
    address = f"http://127.0.0.1:{house.port}/local/speech.mp3?authSig=a.b-c"
    house.call("play_media", media_content_type="music", media_content_id=address)
    wait_for(lambda: [song["file"] for song in client.playlistinfo()] == [address], PATIENCE, "the address")
    house.call("media_stop")
    assert client.status()["state"] == "stop"


def test_the_player_is_back_after_a_restart_of_segue(house, server, client):
    wait_for(lambda: house.player()[0] == "off", PATIENCE, "the player that is stopped")
    client.disconnect()
    assert server.stop()[0] == 0
    wait_for(lambda: house.player()[0] == "unavailable", PATIENCE, "the player without Segue")
    server.start()
    client.connect(server.host, server.port)
    client.play()
    wait_for(lambda: house.player()[0] == "playing", PATIENCE, "the player with Segue")
