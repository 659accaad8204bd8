"""Snapcast: a real server with real clients that write what they play into files."""
import contextlib
import signal
import threading
import time

import mpd
import pytest
from harness.processes import free_port
from harness.rooms import Snapclient, Snapserver, loudness
from harness.waiting import wait_for

mpd.MPDClient.add_command("outputset", mpd.MPDClient._parse_nothing)


@pytest.fixture
def rooms(tmp_path):
    """Starts Snapcast servers and clients, and ends them after the test."""
    with contextlib.ExitStack() as started:
        def start(kind, *arguments, **more):
            made = kind(tmp_path / "snapcast", *arguments, **more)
            started.callback(made.kill)
            return made.start()
        yield start


def output(server, **more):
    """The configuration of an output that sends to the server."""
    return {"type": "snapcast", "name": "House", "port": server.source, "control_port": server.control,
            "format": "44100:16:2", **more}


def listed(client):
    """The outputs by name."""
    return {entry["outputname"]: entry for entry in client.outputs()}


def attributes(entry):
    """An output's attributes."""
    lines = entry.get("attribute", [])
    return dict(line.split("=", 1) for line in ([lines] if isinstance(lines, str) else lines))


def play(server, *titles):
    """Queues songs and plays them."""
    client = server.client()
    for title in titles:
        client.findadd("title", title)
    client.play(0)
    return client


def pieces(samples, count=8, size=2048):
    """Parts of a song from all over it, each of which occurs nowhere else."""
    step = len(samples) // (count + 2) // 4 * 4
    return [samples[step * number:step * number + size] for number in range(1, count + 1)]


@pytest.mark.smoke
def test_two_rooms_hear_the_same_and_have_volumes_of_their_own(rooms, start_segue, library, tracks):
    snapserver = rooms(Snapserver)
    kitchen, bath = rooms(Snapclient, snapserver, "kitchen"), rooms(Snapclient, snapserver, "bath")
    snapserver.call("Client.SetName", id="kitchen", name="Kitchen")
    snapserver.call("Client.SetName", id="bath", name="Bath")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = server.client()
    wait_for(lambda: {"House", "Kitchen", "Bath"} == set(listed(client)), 30, "the rooms among the outputs")
    outputs = listed(client)
    assert outputs["Kitchen"]["plugin"] == "snapcast" and outputs["Kitchen"]["outputenabled"] == "1"
    assert attributes(outputs["Kitchen"])["volume"] == "100"
    assert attributes(outputs["Kitchen"])["connected"] == "1"

    song = tracks["Lamp"].samples
    client.repeat(1)
    play(server, "Lamp")
    # Snapcast's clients put in and leave out single frames to stay in time, so parts of the song are looked for. On a
    # busy machine they lose more of it, so it comes again.
    for room in (kitchen, bath):
        wait_for(lambda room=room: sum(part in room.heard for part in pieces(song)) >= 4, 60,
                 f"the song in {room.file}")

    client.outputset(outputs["Kitchen"]["outputid"], "volume", "20")
    wait_for(lambda: snapserver.volume("kitchen") == {"muted": False, "percent": 20}, 30, "the volume at the server")
    assert attributes(listed(client)["Kitchen"])["volume"] == "20"
    assert snapserver.volume("bath")["percent"] == 100
    before = [len(kitchen.heard), len(bath.heard)]
    play(server, "Window")
    wait_for(lambda: sum(part in bath.heard for part in pieces(tracks["Window"].samples)) >= 4, 60, "the second song")
    client.repeat(0)
    wait_for(lambda: client.status()["state"] == "stop", 30, "the end of the song")
    quiet, loud = loudness(kitchen.heard[before[0]:]), loudness(bath.heard[before[1]:])
    assert 0 < quiet < 0.5 * loud
    assert client.status()["volume"] == "100"


def test_a_room_that_is_late_is_brought_into_time(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    rooms(Snapclient, snapserver, "kitchen")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = server.client()
    wait_for(lambda: len(listed(client)) == 2, 30, "the room")
    room = client.outputs()[1]["outputid"]
    assert attributes(client.outputs()[1])["latency"] == "0"

    def at_the_server():
        return snapserver.call("Client.GetStatus", id="kitchen")["client"]["config"]["latency"]
    client.outputset(room, "latency", "120")
    wait_for(lambda: at_the_server() == 120, 30, "the latency at the server")
    assert snapserver.volume("kitchen") == {"muted": False, "percent": 100}
    for wrong in ("x", "1e3", "20000", "-10001", ""):
        with pytest.raises(mpd.CommandError):
            client.outputset(room, "latency", wrong)
    # The server's buffer is 400 ms; what it takes less is shown as it took it.
    client.outputset(room, "latency", "5000")
    wait_for(lambda: attributes(client.outputs()[1])["latency"] == str(at_the_server()) != "120", 30, "what it took")
    snapserver.call("Client.SetLatency", id="kitchen", latency=-30)
    wait_for(lambda: attributes(client.outputs()[1])["latency"] == "-30", 30, "a change made elsewhere")


def test_a_room_is_switched_off_and_on(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    rooms(Snapclient, snapserver, "kitchen")
    rooms(Snapclient, snapserver, "bath")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = server.client()
    # Both clients run on one machine and are named after it.
    names = wait_for(lambda: len(listed(client)) == 3 and list(listed(client)), 30, "the rooms")
    assert names[0] == "House" and names[2] == f"{names[1]} (2)"
    client.disableoutput(1)
    assert [entry["outputenabled"] for entry in client.outputs()] == ["1", "0", "1"]
    first = wait_for(lambda: [name for name in ("kitchen", "bath") if snapserver.volume(name)["muted"]], 30, "silence")
    assert len(first) == 1
    client.toggleoutput(1)
    wait_for(lambda: not snapserver.volume(first[0])["muted"], 30, "sound")
    # A silent group is the silence of each of its clients.
    group = next(group for group in snapserver.call("Server.GetStatus")["server"]["groups"]
                 if any(one["id"] == first[0] for one in group["clients"]))
    snapserver.call("Group.SetMute", id=group["id"], mute=True)
    wait_for(lambda: client.outputs()[1]["outputenabled"] == "0", 30, "the group's silence")
    client.enableoutput(1)
    wait_for(lambda: not any(one["muted"] for one in snapserver.call("Server.GetStatus")["server"]["groups"]
                             if one["id"] == group["id"]), 30, "the group's sound")
    assert client.outputs()[1]["outputenabled"] == "1"


def test_what_other_apps_change_is_told(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    rooms(Snapclient, snapserver, "kitchen")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = server.client()
    wait_for(lambda: len(listed(client)) == 2, 30, "the room")

    def change(method, **parameters):
        """What idle says of a change made elsewhere."""
        # A new client, which is told of nothing that was before.
        told, waiting = [], server.client(timeout=60)
        thread = threading.Thread(target=lambda: told.extend(waiting.idle("output")))
        thread.start()
        snapserver.call(method, id="kitchen", **parameters)
        thread.join(30)
        return told

    assert change("Client.SetVolume", volume={"percent": 33, "muted": False}) == ["output"]
    # That there is a room may be told a moment after it is shown.
    wait_for(lambda: attributes(client.outputs()[1])["volume"] == "33", 10, "the volume")
    assert change("Client.SetName", name="Küche") == ["output"]
    wait_for(lambda: client.outputs()[1]["outputname"] == "Küche", 10, "the name")
    assert change("Client.SetVolume", volume={"percent": 33, "muted": True}) == ["output"]
    wait_for(lambda: client.outputs()[1]["outputenabled"] == "0", 10, "the silence")


def test_rooms_are_in_time_again_after_their_server_stood_still(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    room = rooms(Snapclient, snapserver, "kitchen")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = play(server, "Lamp", "Window", "Sill")
    client.repeat(1)
    wait_for(lambda: loudness(room.heard[-17_640:]) > 500, 30, "sound")
    snapserver.process.send_signal(signal.SIGSTOP)
    time.sleep(4)
    before = len(room.heard)
    snapserver.process.send_signal(signal.SIGCONT)
    wait_for(lambda: len(room.heard) > before + 4 * 176_400 and loudness(room.heard[-17_640:]) > 500, 60, "sound again")
    client.pause(1)
    paused = len(room.heard)
    # 1.2 seconds are usual: the rooms' buffer, the server's, and what is on its way.
    wait_for(lambda: len(room.heard) > paused + 8 * 176_400, 60, "what is heard after the pause")
    heard_on = len(room.heard[paused:].rstrip(b"\0")) / 176_400
    assert heard_on < 2


def test_a_server_that_goes_and_comes_back(rooms, start_segue, library, tracks, tmp_path):
    snapserver = rooms(Snapserver)
    room = rooms(Snapclient, snapserver, "kitchen")
    record = tmp_path / "all.wav"
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]},
                         output=[output(snapserver), {"type": "file", "name": "Recording", "path": record}])
    client = server.client()
    wait_for(lambda: len(listed(client)) == 3, 30, "the room")
    play(server, "Lamp")
    wait_for(lambda: tracks["Lamp"].samples[4000:6000] in room.heard or len(room.heard) > 400_000, 30, "sound")
    snapserver.stop()
    wait_for(lambda: attributes(client.outputs()[2])["connected"] == "0", 30, "the loss")
    assert client.outputs()[2]["outputenabled"] == "0"
    # What is set meanwhile is done once the server is back.
    client.outputset(2, "volume", "55")
    play(server, "Window")
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the songs without the server")
    snapserver.start()
    wait_for(lambda: client.outputs()[2]["outputenabled"] == "1", 60, "the way back")
    wait_for(lambda: snapserver.volume("kitchen")["percent"] == 55, 30, "the volume that was wished")
    wait_for(lambda: attributes(client.outputs()[2])["connected"] == "1", 60, "the client's way back")
    before = len(room.heard)
    # The output's own connection comes back by its pauses, at most half a minute long.
    client.repeat(1)
    play(server, "Sill", "Window")
    wait_for(lambda: loudness(room.heard[before:]) > 500, 90, "sound at the server that is back")
    assert len([line for line in server.log.splitlines() if "can't be controlled" in line and " warning " in line]) == 1
    server.stop()
    assert tracks["Lamp"].samples + tracks["Window"].samples in record.read_bytes()


def test_attributes_that_cannot_be_set(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    rooms(Snapclient, snapserver, "kitchen")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = server.client()
    wait_for(lambda: len(listed(client)) == 2, 30, "the room")
    for number, name, value, message in (
            (0, "bass", "40", "[2@0] {outputset} Unsupported attribute"),
            (1, "bass", "1", "[2@0] {outputset} Unsupported attribute"),
            (1, "connected", "0", "[2@0] {outputset} Unsupported attribute"),
            (1, "volume", "loud", "[2@0] {outputset} Invalid value for attribute volume"),
            (1, "volume", "101", "[2@0] {outputset} Invalid value for attribute volume"),
            (2, "volume", "1", "[50@0] {outputset} No such audio output")):
        with pytest.raises(mpd.CommandError) as failure:
            client.outputset(number, name, value)
        assert str(failure.value) == message
    client.newpartition("other")
    client.partition("other")
    with pytest.raises(mpd.CommandError):
        client.moveoutput(listed(server.client()).popitem()[0])


def test_without_control_there_is_only_the_output(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    rooms(Snapclient, snapserver, "kitchen")
    controlled, plain = output(snapserver), output(snapserver, name="Plain", control=False, control_port=free_port())
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[plain, controlled])
    client = server.client()
    wait_for(lambda: len(listed(client)) == 3, 30, "the room of the other output")
    assert [entry["outputname"] for entry in client.outputs()][:2] == ["Plain", "House"]


def test_a_server_that_reads_a_named_pipe(rooms, start_segue, library, tracks):
    snapserver = rooms(Snapserver, source="pipe")
    room = rooms(Snapclient, snapserver, "kitchen")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[
        {"type": "snapcast", "name": "House", "path": snapserver.pipe, "control_port": snapserver.control,
         "format": "44100:16:2"}])
    client = play(server, "Lamp")
    client.repeat(1)
    wait_for(lambda: sum(part in room.heard for part in pieces(tracks["Lamp"].samples)) >= 4, 60, "the song")
    assert len(client.outputs()) == 2


def test_rooms_follow_their_output_to_another_partition(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    rooms(Snapclient, snapserver, "kitchen")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]},
                         output=[{"type": "null", "name": "Nothing"}, output(snapserver)])
    client, other = server.client(), server.client()
    wait_for(lambda: len(listed(client)) == 3, 30, "the room")
    other.newpartition("upstairs")
    other.partition("upstairs")
    other.moveoutput("House")
    assert [entry["plugin"] for entry in client.outputs()] == ["null", "dummy", "dummy"]
    assert [entry["plugin"] for entry in other.outputs()] == ["snapcast", "snapcast"]
    other.outputset(1, "volume", "10")
    wait_for(lambda: snapserver.volume("kitchen")["percent"] == 10, 30, "the volume")
    client.moveoutput("House")
    assert [entry["plugin"] for entry in client.outputs()] == ["null", "snapcast", "snapcast"]


def together(server, *clients):
    """Puts clients into one group; gives its number."""
    group = next(group["id"] for group in server.call("Server.GetStatus")["server"]["groups"]
                 if any(client["id"] == clients[0] for client in group["clients"]))
    server.call("Group.SetClients", id=group, clients=list(clients))
    return group


@pytest.mark.smoke
def test_a_group_of_rooms_is_switched_and_set_as_one(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    for name in ("kitchen", "bath"):
        rooms(Snapclient, snapserver, name)
        snapserver.call("Client.SetName", id=name, name=name.title())
    snapserver.call("Client.SetVolume", id="kitchen", volume={"percent": 80, "muted": False})
    snapserver.call("Client.SetVolume", id="bath", volume={"percent": 40, "muted": False})
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]}, output=[output(snapserver)])
    client = server.client()
    # Alone, a room is no group.
    wait_for(lambda: {"House", "Kitchen", "Bath"} == set(listed(client)), 30, "the rooms")
    group = together(snapserver, "kitchen", "bath")
    wait_for(lambda: list(listed(client))[3:] in (["Kitchen + Bath"], ["Bath + Kitchen"]), 30, "the group")
    snapserver.call("Group.SetName", id=group, name="Wet rooms")
    wait_for(lambda: listed(client).get("Wet rooms"), 30, "the group's name")
    entry = listed(client)["Wet rooms"]
    number = entry["outputid"]
    assert entry["plugin"] == "snapcast" and entry["outputenabled"] == "1" and number == "3"
    assert attributes(entry) == {"clients": "Kitchen, Bath", "connected": "1", "stream": "Segue", "volume": "60"} or \
        attributes(entry) == {"clients": "Bath, Kitchen", "connected": "1", "stream": "Segue", "volume": "60"}

    def volumes():
        """Both clients' volumes as the server has them."""
        return [snapserver.volume(name)["percent"] for name in ("kitchen", "bath")]

    for percent, expected in ((30, [40, 20]), (0, [0, 0]), (80, [90, 70]), (60, [80, 40])):
        client.outputset(number, "volume", str(percent))
        wait_for(lambda expected=expected: volumes() == expected, 30, f"the volumes {expected}")
        assert attributes(listed(client)["Wet rooms"])["volume"] == str(percent)
    client.disableoutput(number)
    assert {entry["outputname"]: entry["outputenabled"] for entry in client.outputs()} == {
        "House": "1", "Kitchen": "0", "Bath": "0", "Wet rooms": "0"}

    def muted():
        """Whether the server has the group as silent."""
        return next(one["muted"] for one in snapserver.call("Server.GetStatus")["server"]["groups"]
                    if one["id"] == group)

    wait_for(muted, 30, "the group's silence")
    assert not any(snapserver.volume(name)["muted"] for name in ("kitchen", "bath"))
    client.enableoutput(number)
    wait_for(lambda: not muted(), 30, "the group's sound")
    # What another app does with the group is told and seen.
    waiting, told = server.client(timeout=60), []
    thread = threading.Thread(target=lambda: told.extend(waiting.idle("output")))
    thread.start()
    snapserver.call("Group.SetMute", id=group, mute=True)
    thread.join(30)
    assert told == ["output"]
    wait_for(lambda: listed(client)["Wet rooms"]["outputenabled"] == "0", 30, "the silence from elsewhere")
    # Apart again, there is no group any more; together again, it has its number.
    together(snapserver, "kitchen")
    wait_for(lambda: {"House", "Kitchen", "Bath"} == set(listed(client)), 30, "the end of the group")
    together(snapserver, "kitchen", "bath")
    wait_for(lambda: listed(client).get("Wet rooms", {}).get("outputid") == number, 30, "the group once more")
    # Rooms of one name are told apart, in the group as well.
    snapserver.call("Client.SetName", id="bath", name="Kitchen")
    wait_for(lambda: sorted(attributes(listed(client)["Wet rooms"])["clients"].split(", ")) == ["Kitchen", "Kitchen (2)"],
             30, "the names of the outputs")


def test_groups_alone(rooms, start_segue, library):
    snapserver = rooms(Snapserver)
    for name in ("kitchen", "bath", "attic"):
        rooms(Snapclient, snapserver, name)
        snapserver.call("Client.SetName", id=name, name=name.title())
    snapserver.call("Group.SetName", id=together(snapserver, "kitchen", "bath"), name="Wet rooms")
    server = start_segue(songs=len(library[1]), local={"music_directory": library[0]},
                         output=[output(snapserver, rooms="groups")])
    client = server.client()
    wait_for(lambda: {"House", "Wet rooms", "Attic"} == set(listed(client)), 30, "the groups")
    client.outputset(listed(client)["Attic"]["outputid"], "volume", "35")
    wait_for(lambda: snapserver.volume("attic")["percent"] == 35, 30, "the volume of a group of one")
    assert snapserver.volume("kitchen")["percent"] == 100
