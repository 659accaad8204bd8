"""Home automations by MQTT, with a real Mosquitto."""
import json
import shutil
import subprocess

import pytest
from harness.processes import Daemon, free_port, wait_for_port
from harness.waiting import wait_for


class Broker:
    """A Mosquitto, and what is said at it."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.daemon = Daemon(folder / "mosquitto.log")
        self.ear = Daemon(folder / "messages")
        self.options = "allow_anonymous true\n"

    def start(self):
        configuration = self.folder / "mosquitto.conf"
        configuration.write_text(f"listener {self.port} 127.0.0.1\n{self.options}", encoding="utf-8")
        # Debian's program is where only root looks.
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.daemon.launch([program, "-c", configuration], None)
        wait_for_port(self.daemon, self.port)
        # Each message with the mark that tells those which the broker keeps.
        self.ear.log_path.write_bytes(b"")
        self.ear.launch(["stdbuf", "-oL", "mosquitto_sub", "-V", "5", "-p", str(self.port), "-t", "#",
                         "--retain-as-published", "-F", "%r %t %p"], None)

    def kill(self):
        """Ends it without a word, and its keeping with it."""
        self.ear.kill()
        self.daemon.kill()

    def kept(self, beginning=""):
        """The messages that the broker keeps for those who come, as {topic: text}."""
        found = {}
        for line in self.ear.log.split("\n")[:-1]:
            is_kept, topic, text = (line.split(" ", 2) + ["", ""])[:3]
            if is_kept == "1" and topic.startswith(beginning):
                found[topic] = text
        return {topic: text for topic, text in found.items() if text}

    def state(self, partition="default"):
        """A partition's state."""
        text = self.kept().get(f"segue/{partition}/state")
        return json.loads(text) if text else {}

    def send(self, topic, text):
        subprocess.run(["mosquitto_pub", "-p", str(self.port), "-t", topic, "-m", text], check=True, timeout=30)


@pytest.fixture
def broker(tmp_path):
    for program in ("mosquitto_sub", "mosquitto_pub"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    if not (shutil.which("mosquitto") or shutil.which("/usr/sbin/mosquitto")):
        pytest.skip("mosquitto is not installed")
    made = Broker(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def start(broker, start_segue, library):
    """Starts segue with this broker."""
    def begin(**mqtt):
        return start_segue(songs=len(library[1]), local={"music_directory": library[0]},
                           output=[{"type": "null", "name": "Nothing"}],
                           mqtt={"host": "127.0.0.1", "port": broker.port, **mqtt})
    return begin


def test_what_plays_is_shown_and_the_end_as_well(start, broker):
    broker.start()
    server = start()
    client = server.client()
    client.clear()
    client.findadd("title", "Road")
    client.play(0)
    wait_for(lambda: broker.state()["state"] == "playing", 30, "playing")
    assert wait_for(lambda: broker.state()["title"], 30, "the title") == "Road"
    client.setvol(33)
    wait_for(lambda: broker.state()["volume"] == 33, 30, "the volume")
    wait_for(lambda: broker.kept("segue/availability") == {"segue/availability": "online"}, 30, "the availability")
    assert server.stop()[0] == 0
    wait_for(lambda: broker.kept("segue/availability") == {"segue/availability": "offline"}, 30, "the end")


def test_the_login_of_a_stream_is_not_told(start, broker):
    broker.start()
    server = start()
    client = server.client()
    client.clear()
    client.add(f"http://listener:Sesame-7@127.0.0.1:{free_port()}")
    client.play(0)
    state = wait_for(lambda: (state := broker.state()).get("uri") and state, 30, "the stream")
    assert state["uri"].startswith("http://127.0.0.1:")
    assert "Sesame" not in json.dumps(broker.kept())


def test_home_assistant_finds_the_player_with_its_playlists(start, broker):
    broker.start()
    client = start().client()
    client.clear()
    client.findadd("title", "Lamp")
    client.save("Evening")

    def playlist():
        found = broker.kept("homeassistant/select/")
        return json.loads(next(iter(found.values()))) if found else {}
    wait_for(lambda: "Evening" in playlist()["options"], 30, "the new playlist")
    entities = [json.loads(text) for text in broker.kept("homeassistant/").values()]
    assert {"number", "button", "sensor", "select", "switch"} == {
        topic.split("/")[1] for topic in broker.kept("homeassistant/")}
    assert all(entity["availability_topic"] == "segue/availability" for entity in entities)
    client.clear()
    broker.send(playlist()["command_topic"], "Evening")
    wait_for(lambda: client.currentsong().get("title") == "Lamp" and client.status()["state"] == "play", 30, "Evening")


def test_a_renamed_partition_is_another_device_and_nothing_is_left_of_the_old_one(start, broker):
    broker.start()
    client = start(partitions=True).client()
    client.newpartition("garden")
    wait_for(lambda: any("garden" in topic for topic in broker.kept("homeassistant/")), 30, "the new device")
    client.partition("garden")
    client.setvol(37)
    wait_for(lambda: broker.state("garden").get("volume") == 37, 30, "the state")
    client.renamepartition("garden", "terrace")
    wait_for(lambda: broker.state("terrace").get("volume") == 37, 30, "the state under the new name")
    wait_for(lambda: any("terrace" in topic for topic in broker.kept("homeassistant/")), 30, "the renamed device")
    wait_for(lambda: not [topic for topic in broker.kept() if "garden" in topic], 30, "nothing of the old one")
    broker.send("segue/terrace/set/volume", "38")
    wait_for(lambda: client.status()["volume"] == "38", 30, "the volume by its new topic")


def test_messages_steer_the_player_and_nonsense_does_nothing(start, broker):
    broker.start()
    client = start().client()
    client.clear()
    client.add("")
    wait_for(lambda: broker.kept("segue/availability"), 30, "the server at the broker")
    for text, wanted in (("play", "play"), ("pause", "pause"), ("toggle", "play"), ("stop", "stop")):
        broker.send("segue/default/set/player", text)
        wait_for(lambda: client.status()["state"] == wanted, 30, text)
    broker.send("segue/default/set/volume", "41")
    wait_for(lambda: client.status()["volume"] == "41", 30, "the volume")
    for topic, text in (("volume", "nan"), ("volume", "9" * 5000), ("player", "\x01"), ("playlist", "there is none"),
                        ("nothing", "x")):
        broker.send(f"segue/default/set/{topic}", text)
    broker.send("segue/default/set/random", "ON")
    wait_for(lambda: client.status()["random"] == "1", 30, "random order")
    assert client.status()["volume"] == "41" and client.status()["state"] == "stop"


def test_a_broker_that_comes_late_goes_and_comes_again_is_one_line_each(start, broker):
    server = start()
    client = server.client()
    client.setvol(20)
    broker.start()
    wait_for(lambda: broker.state().get("volume") == 20, 30, "the state at a late broker")
    broker.kill()
    wait_for(lambda: "is away" in server.log, 30, "a line")
    client.setvol(21)
    broker.start()
    wait_for(lambda: broker.state().get("volume") == 21, 30, "the state at a broker that is back")
    assert server.log.count("is away") <= 2


def test_a_wrong_password_is_one_line(start, broker):
    broker.options = "allow_anonymous false\n"
    broker.start()
    server = start(username="segue", password="wrong")
    line = wait_for(lambda: next((line for line in server.log.splitlines() if "refuses" in line), None), 30, "a line")
    assert "wrong" not in line.replace("wrong version", "")
    assert server.client().status()["state"] == "stop"
    assert server.stop()[0] == 0
