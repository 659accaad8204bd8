"""Partitions that get another name: the music goes on, clients stay, and a restart finds everything under it."""
import random
import socket
import sqlite3
import time

import mpd
import pytest
from harness.music import make_two_noises, wav_samples
from harness.processes import free_port
from harness.waiting import wait_for
from harness.web import Web

SECONDS = 6
OWN = [{"type": "null", "name": "Kitchen"}, {"type": "null", "name": "Garden"}]
KEYS = ("volume", "random", "repeat", "single", "consume", "xfade", "mixrampdb", "song", "songid", "playlistlength",
        "state", "speed")


@pytest.fixture(scope="module")
def noises(tmp_path_factory):
    """A folder with two songs, and their samples."""
    folder = tmp_path_factory.mktemp("noises")
    return folder, make_two_noises(folder, SECONDS)


@pytest.fixture
def start(noises, start_segue):
    """Starts segue with these songs and the page."""
    def begin(**sections):
        return start_segue(**{"songs": 2, "local": {"music_directory": noises[0]}, "output": OWN,
                              "web": {"listen": [f"127.0.0.1:{free_port()}"]}, **sections})
    return begin


def web_of(server):
    """A script at the server's HTTP interface."""
    return Web(int(server.sections["web"]["listen"][0].rpartition(":")[2]))


def inside(server, name):
    """A client in a partition."""
    client = server.client()
    client.partition(name)
    return client


def names(client):
    """The partitions' names."""
    return [each["partition"] for each in client.listpartitions()]


def seen(client):
    """What a client sees of its partition but for its name."""
    status = client.status()
    return ({key: status.get(key) for key in KEYS},
            [(each["outputname"], each["plugin"], each["outputenabled"]) for each in client.outputs()],
            [(song["file"], song["id"], song.get("prio")) for song in client.playlistinfo()],
            client.replay_gain_status())


def furnished(server, name="garden"):
    """A client in a partition that differs from a new one in everything, pausing in its second song."""
    server.client().newpartition(name)
    client = inside(server, name)
    client.moveoutput("Garden")
    for song in ("one.flac", "two.flac", "one.flac"):
        client.add(song)
    client.prio(9, "2:3")
    client.random(1)
    client.repeat(1)
    client.single("oneshot")
    client.consume("oneshot")
    client.crossfade(4)
    client.setvol(31)
    client.replay_gain_mode("album")
    client.play(1)
    client.pause(1)
    client.seekcur("3")
    wait_for(lambda: client.status().get("elapsed", "").startswith("3."), 20, "the place")
    return client


def test_the_music_goes_on_without_a_gap(noises, tmp_path, start):
    path = tmp_path / "garden.wav"
    server = start(output=[OWN[0], {"type": "file", "name": "Garden", "path": path}])
    server.client().newpartition("garden")
    client = inside(server, "garden")
    client.moveoutput("Garden")
    client.add("one.flac")
    client.add("two.flac")
    client.play(0)
    for number in range(8):
        wait_for(lambda: float(client.status().get("elapsed", 0)) > 0.5 * number, 30, "the music")
        name = client.status()["partition"]
        server.client().renamepartition(name, f"garden{number}")
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    assert client.status()["partition"] == "garden7" and "error" not in client.status()
    assert server.stop()[0] == 0
    assert wav_samples(path) == noises[1]["one.flac"] + noises[1]["two.flac"]


def saved(server, name):
    """Whether the database has what `furnished` did last."""
    database = sqlite3.connect(server.folder / "state" / "segue.db")
    try:
        rows = database.execute("SELECT key, value FROM player JOIN partition ON partition.id = player.partition "
                                "WHERE name = ?", (name,)).fetchall()
        return ("state", "pause") in rows
    finally:
        database.close()


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_restart_right_afterwards_finds_everything_under_the_new_name(end, start):
    server = start()
    client = furnished(server)
    before = seen(client)
    wait_for(lambda: saved(server, "garden"), 30, "the state on disk")
    answer = web_of(server).request("PUT", "/api/partitions/garden", {"name": "Terrace"})
    getattr(server, end)()
    assert answer.status == 200 and answer.json == {"name": "Terrace"}
    server.start(songs=2)
    assert names(server.client()) == ["default", "Terrace"]
    again = inside(server, "Terrace")
    assert seen(again) == before and abs(float(again.status()["elapsed"]) - 3) < 0.1
    again.pause(0)
    wait_for(lambda: float(again.status().get("elapsed", 0)) > 3.5, 30, "the music from there")


def test_killed_at_any_moment_of_a_rename_the_partition_is_whole(start):
    server = start()
    before = seen(furnished(server))
    wait_for(lambda: saved(server, "garden"), 30, "the state on disk")
    name, chance = "garden", random.Random(1)
    for number in range(8):
        with socket.create_connection((server.host, server.port)) as asking:
            asking.recv(100)
            asking.sendall(f"renamepartition {name} name{number}\n".encode())
            time.sleep(chance.uniform(0, 0.01))
            server.kill()
        server.start(songs=2)
        default, found = names(server.client())
        assert default == "default" and found in (name, f"name{number}")
        name = found
        assert seen(inside(server, name)) == before


def test_clients_stay_and_hear_of_it(start):
    server = start()
    client, watcher, third = furnished(server), inside(server, "garden"), server.client()
    before = seen(client)
    client.renamepartition("garden", "Terrace")
    assert watcher.idle("partition") == ["partition"]
    for each in (client, watcher):
        assert each.status()["partition"] == "Terrace" and seen(each) == before
    assert names(third) == ["default", "Terrace"]
    with pytest.raises(mpd.CommandError, match="partition does not exist"):
        third.partition("garden")
    # What is saved later belongs to the new name, and the old one is free for another.
    client.setvol(56)
    third.newpartition("garden")
    assert inside(server, "garden").status()["playlistlength"] == "0"
    server.stop()
    server.start(songs=2)
    assert names(server.client()) == ["default", "Terrace", "garden"]
    assert inside(server, "Terrace").status()["volume"] == "56"
    assert inside(server, "garden").status()["playlistlength"] == "0"


def test_pages_follow_the_name(start):
    server = start()
    client, web = furnished(server), web_of(server)
    with web.socket(path="/api/socket?partition=garden") as page, web.socket() as other:
        assert page.message()["data"]["partition"] == "garden" and other.message()["type"] == "status"
        assert web.request("PUT", "/api/partitions/garden", {"name": "Terrace"}).status == 200
        assert page.wait_for("renamed") == {"name": "Terrace"}
        for each in (page, other):
            assert each.wait_for("partitions") == ["default", "Terrace"]
        # The connection is still that partition's.
        assert page.call(["setvol", "23"])["answers"] == [[]] and client.status()["volume"] == "23"
        page.send({"type": "resync"})
        assert page.wait_for("status")["partition"] == "Terrace"
    with web.socket(path="/api/socket?partition=Terrace") as page:
        assert page.message()["type"] == "status"
        server.client().renamepartition("Terrace", "Porch")
        assert page.wait_for("renamed") == {"name": "Porch"}
        rooms = page.wait_for("outputs", lambda data: any(room["partition"] == "Porch" for room in data))
        assert {room["name"]: room["partition"] for room in rooms} == {"Kitchen": "default", "Garden": "Porch"}
    figures = web.request("GET", "/metrics").body.decode()
    assert 'partition="Porch"' in figures and "garden" not in figures and "Terrace" not in figures


def test_what_can_not_be_renamed_is_said(start):
    server = start(partition=[{"name": "Shfl", "outputs": ["Garden"]}])
    web = web_of(server)
    web.post("/api/partitions", {"name": "garden"})
    for old, body, status, words in (
            ("attic", {"name": "loft"}, 404, "no partition"), ("a%20b", {"name": "loft"}, 404, "no partition"),
            ("garden", {"name": "default"}, 409, "already"), ("garden", {"name": "garden"}, 409, "already"),
            ("garden", {"name": "a b"}, 400, "letters"), ("garden", {"name": ""}, 400, "letters"),
            ("garden", {"name": "\u00e4"}, 400, "letters"), ("garden", {"name": "a\nb"}, 400, "line end"),
            ("garden", {}, 400, "new name"), ("garden", {"name": 5}, 400, "text"),
            ("default", {"name": "hall"}, 409, "keeps its name"), ("Shfl", {"name": "hall"}, 409, "configuration")):
        answer = web.request("PUT", f"/api/partitions/{old}", body)
        assert (answer.status, words in answer.error["message"]) == (status, True), (old, body, answer.body)
    assert names(server.client()) == ["default", "Shfl", "garden"]
    listener = web_of(server)
    assert listener.request("PUT", "/api/partitions/garden", b"no json").status == 400


def test_a_rename_needs_the_permission_admin(start):
    server = start(server=dict.fromkeys(("default_permissions", "local_permissions"),
                                        ["read", "add", "player", "control"]))
    answer = web_of(server).request("PUT", "/api/partitions/default", {"name": "hall"})
    assert answer.status == 401 and answer.error["permission"] == "admin"
    with pytest.raises(mpd.CommandError, match="permission"):
        server.client().renamepartition("default", "hall")
