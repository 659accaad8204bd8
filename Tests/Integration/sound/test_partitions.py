"""Partitions: players that run at the same time, outputs that move between them, and what a restart keeps."""
import mpd
import pytest
from harness.music import RATE, make_two_noises, wav_samples
from harness.supysonic import navidrome_section
from harness.waiting import wait_for

FRAME = 4
SECONDS = 6


@pytest.fixture(scope="module")
def noises(tmp_path_factory):
    """A folder with two songs of known samples, and the samples."""
    folder = tmp_path_factory.mktemp("noises")
    return folder, make_two_noises(folder, SECONDS)


def recorders(folder, *names):
    """The configuration of outputs that write files, and the files by the outputs' names."""
    paths = {name: folder / f"{name}.wav" for name in names}
    return [{"type": "file", "name": name, "path": path} for name, path in paths.items()], paths


def second_partition(server, name="garden", outputs=()):
    """A client in a new partition with these outputs."""
    client = server.client()
    client.newpartition(name)
    client.partition(name)
    for output in outputs:
        client.moveoutput(output)
    return client


def wait_for_end(client):
    """Waits until the queue has been played."""
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the queue")
    assert "error" not in client.status()


def listing(client):
    """The outputs as (name, plugin, enabled)."""
    return [(output["outputname"], output["plugin"], output["outputenabled"]) for output in client.outputs()]


def idle_events(client):
    """The subsystems that changed since the client was told last; one of them must have.

    The end of the first scan may be told after a client has connected; it does not count.
    """
    while not (events := set(client.idle()) - {"update", "database"}):
        pass
    return events


@pytest.mark.smoke
def test_two_partitions_play_different_music_at_the_same_time(noises, tmp_path, start_segue):
    music, samples = noises
    outputs, paths = recorders(tmp_path, "Kitchen", "Garden")
    server = start_segue(songs=2, local={"music_directory": music}, output=outputs)
    first, second = server.client(), second_partition(server, outputs=["Garden"])
    for client, song in ((first, "one.flac"), (second, "two.flac")):
        client.add(song)
        client.play(0)
    wait_for(lambda: all(float(client.status().get("elapsed", 0)) > 1 for client in (first, second)), 30,
             "both playing at once")
    assert first.status()["partition"] == "default"
    assert second.status()["partition"] == "garden"
    assert (first.currentsong()["file"], second.currentsong()["file"]) == ("one.flac", "two.flac")
    wait_for_end(first)
    wait_for_end(second)
    assert server.stop()[0] == 0
    assert wav_samples(paths["Kitchen"]) == samples["one.flac"]
    assert wav_samples(paths["Garden"]) == samples["two.flac"]


def test_an_output_moves_while_both_partitions_play(noises, tmp_path, start_segue):
    music, samples = noises
    outputs, paths = recorders(tmp_path, "Kitchen", "Garden", "Portable")
    server = start_segue(songs=2, local={"music_directory": music}, output=outputs)
    first, second = server.client(), second_partition(server, outputs=["Garden"])
    second.add("two.flac")
    second.play(0)
    first.add("one.flac")
    first.play(0)
    wait_for(lambda: float(first.status().get("elapsed", 0)) > 2, 30, "the first partition playing")
    second.moveoutput("Portable")
    assert first.status()["state"] == second.status()["state"] == "play"
    assert ("Portable", "dummy", "0") in listing(first)
    assert ("Portable", "file", "1") in listing(second)
    wait_for_end(first)
    wait_for_end(second)
    assert server.stop()[0] == 0
    assert wav_samples(paths["Kitchen"]) == samples["one.flac"], "the player that gave the output away was disturbed"
    assert wav_samples(paths["Garden"]) == samples["two.flac"], "the player that got the output was disturbed"
    moved = wav_samples(paths["Portable"])
    kept = next((place for place in range(0, len(moved), FRAME)
                 if moved[place:place + FRAME] != samples["one.flac"][place:place + FRAME]), len(moved))
    assert 2 * RATE * FRAME <= kept < len(samples["one.flac"])
    assert len(moved) > kept
    assert samples["two.flac"].endswith(moved[kept:]), "what follows is not the other song to its end"


def test_an_output_comes_back_to_its_place(tmp_path, noises, start_segue):
    outputs, _ = recorders(tmp_path, "Kitchen", "Garden")
    server = start_segue(songs=2, local={"music_directory": noises[0]}, output=outputs)
    first, second = server.client(), second_partition(server)
    assert listing(second) == []
    first.disableoutput(0)
    second.moveoutput("Kitchen")
    second.moveoutput("Kitchen")
    assert listing(first) == [("Kitchen", "dummy", "0"), ("Garden", "file", "1")]
    assert listing(second) == [("Kitchen", "file", "0")]
    second.enableoutput(0)
    first.moveoutput("Kitchen")
    assert listing(first) == [("Kitchen", "file", "1"), ("Garden", "file", "1")]
    assert listing(second) == [("Kitchen", "dummy", "0")]
    with pytest.raises(mpd.CommandError, match="No such output"):
        first.moveoutput("Attic")
    with pytest.raises(mpd.CommandError, match="partition still has clients"):
        first.delpartition("garden")
    second.partition("default")
    first.delpartition("garden")
    assert [entry["partition"] for entry in first.listpartitions()] == ["default"]


def test_events_reach_the_partition_that_they_are_of(noises, start_segue):
    server = start_segue(songs=2, local={"music_directory": noises[0]})
    first, watcher = server.client(), server.client()
    first.newpartition("garden")
    assert idle_events(watcher) == {"partition"}
    watcher.partition("garden")
    assert idle_events(watcher) == {"playlist", "player", "mixer", "output", "options"}
    first.add("one.flac")
    first.repeat(1)
    first.subscribe("chat")
    first.newpartition("attic")
    assert idle_events(watcher) == {"partition"}
    second = server.client()
    second.partition("garden")
    second.moveoutput("Nothing")
    assert idle_events(watcher) == {"output"}
    second.random(1)
    assert idle_events(watcher) == {"options"}


@pytest.mark.parametrize("end", ["kill", "stop"])
def test_a_restart_keeps_partitions_queues_options_and_outputs(end, noises, tmp_path, start_segue):
    outputs, _ = recorders(tmp_path, "Kitchen", "Garden", "Portable")
    server = start_segue(songs=2, local={"music_directory": noises[0]}, output=outputs)
    first, second = server.client(), second_partition(server, outputs=["Portable", "Garden"])
    first.moveoutput("Garden")
    first.add("one.flac")
    first.rangeid(first.playlistid()[0]["id"], "2.5:4")
    first.setvol(11)
    second.add("two.flac")
    second.add("one.flac")
    second.random(1)
    second.single("oneshot")
    second.consume(1)
    second.setvol(77)
    second.crossfade(4)
    first.disableoutput(0)
    second.play(0)
    second.pause(1)
    second.seekcur("3")
    gone = server.client()
    gone.newpartition("gone")
    gone.delpartition("gone")

    def seen():
        found = {}
        for name in ("default", "garden"):
            client = server.client()
            client.partition(name)
            status = client.status()
            keys = ("volume", "random", "single", "consume", "xfade", "song", "playlistlength", "partition", "state")
            found[name] = ({key: status.get(key) for key in keys}, listing(client),
                           [(song["file"], song.get("range"), song["duration"]) for song in client.playlistinfo()])
            client.disconnect()
        return found
    before = seen()
    assert before["default"][1] == [("Kitchen", "file", "0"), ("Garden", "file", "1"), ("Portable", "dummy", "0")]
    assert before["garden"][1] == [("Portable", "file", "1"), ("Garden", "dummy", "0")]
    assert before["default"][2] == [("one.flac", "2.500-4.000", "1.500")]
    wait_until_saved(server)
    getattr(server, end)()
    server.start(songs=2)
    assert seen() == before
    client = server.client()
    assert [entry["partition"] for entry in client.listpartitions()] == ["default", "garden"]
    client.partition("garden")
    assert abs(float(client.status()["elapsed"]) - 3) < 0.1
    client.pause(0)
    wait_for(lambda: float(client.status()["elapsed"]) > 3.5, 30, "playback from there")


def wait_until_saved(server):
    """Waits until the state on disk is what clients see, so that a kill at this moment may lose nothing of it."""
    import sqlite3

    def saved():
        database = sqlite3.connect(server.folder / "state" / "segue.db")
        try:
            rows = database.execute("SELECT value FROM player JOIN partition ON partition.id = player.partition "
                                    "WHERE name = 'garden' AND key = 'state'").fetchall()
            names = [row[0] for row in database.execute("SELECT name FROM partition")]
            # Each partition is saved by itself; its player after its queue.
            kitchen = database.execute("SELECT enabled FROM player_output WHERE partition = 1 AND name = 'Kitchen'").fetchall()
            songs = database.execute("SELECT count(*) FROM queue_entry WHERE partition = 1").fetchall()
            return rows == [("pause",)] and "gone" not in names and kitchen == [(0,)] and songs == [(1,)]
        finally:
            database.close()
    wait_for(saved, 30, "the state on disk")


def test_plays_of_every_partition_reach_the_server(own_supysonic, library, start_segue):
    server = start_segue(songs=len(library[1]), navidrome=navidrome_section(own_supysonic),
                         output=[{"type": "null", "name": "Kitchen"}, {"type": "null", "name": "Garden"}])
    first, second = server.client(), second_partition(server, outputs=["Garden"])
    for client, title in ((first, "Sill"), (second, "Lamp")):
        client.findadd("title", title)
        client.play(0)
    listens = own_supysonic.listens
    wait_for(lambda: listens.plays("Sill") and listens.plays("Lamp"), 60, "both plays on the server")
    wait_for_end(first)
    wait_for_end(second)
    assert len(listens.plays("Sill")) == len(listens.plays("Lamp")) == 1
    assert int(first.stats()["playtime"]) >= 7


def test_a_partition_without_outputs_pauses_as_mpd_does(noises, start_segue):
    server = start_segue(songs=2, local={"music_directory": noises[0]})
    client = second_partition(server)
    client.add("one.flac")
    client.play(0)
    wait_for(lambda: client.status()["state"] == "pause", 20, "the pause")
    assert client.status()["error"] == "All audio outputs are disabled"
    client.moveoutput("Nothing")
    client.play()
    wait_for(lambda: float(client.status()["elapsed"]) > 0.5, 20, "the music")
    assert client.status()["state"] == "play"
    assert "error" not in client.status()
    client.disableoutput(0)
    wait_for(lambda: client.status()["state"] == "pause", 20, "the pause")
    assert client.status()["error"] == "Failed to open audio output"


def test_a_part_of_a_song_plays_to_the_sample(noises, tmp_path, start_segue):
    music, samples = noises
    outputs, paths = recorders(tmp_path, "Kitchen")
    server = start_segue(songs=2, local={"music_directory": music}, output=outputs)
    client = server.client()
    for song in ("one.flac", "two.flac", "one.flac", "one.flac"):
        client.add(song)
    ids = [song["id"] for song in client.playlistinfo()]
    for entry, part in zip(ids, ("1.25:2.75", "4.5:", ":0.5", "3:4")):
        client.rangeid(entry, part)
    assert [song["duration"] for song in client.playlistinfo()] == ["1.500", "1.500", "0.500", "1.000"]
    client.play(0)
    with pytest.raises(mpd.CommandError, match="Cannot edit the current song"):
        client.rangeid(ids[0], ":")
    wait_for(lambda: client.status().get("duration") == "1.500", 20, "the part's duration")
    wait_for_end(client)
    assert server.stop()[0] == 0
    one, two = samples["one.flac"], samples["two.flac"]

    def part(data, start, end):
        return data[int(start * RATE) * FRAME:int(end * RATE) * FRAME]
    assert wav_samples(paths["Kitchen"]) == (
        part(one, 1.25, 2.75) + part(two, 4.5, SECONDS) + part(one, 0, 0.5) + part(one, 3, 4))


def test_a_folder_is_mounted_and_unmounted(noises, library, tmp_path, start_segue):
    music, samples = noises
    outputs, paths = recorders(tmp_path, "Kitchen")
    count = len(library[1])
    server = start_segue(songs=count, server={"mount_roots": [str(music), "/tmp"]},
                         local={"music_directory": library[0]}, output=outputs)
    client, watcher = server.client(), server.client()
    client.mount("usb", music)
    assert "mount" in idle_events(watcher)
    server.wait_for_songs(count + 2)
    assert sorted(entry["file"] for entry in client.lsinfo("usb")) == ["usb/one.flac", "usb/two.flac"]
    assert {"mount": "usb"} in client.listmounts()
    for arguments, message in ((("usb", "/tmp"), "Mount point busy"), (("stick", music), "already mounted"),
                               (("a/b", "/tmp"), "Bad mount point"), (("stick", "nope://x/y"), "Unrecognized"),
                               (("Ada Quartet", "/tmp"), "Already exists"), (("x", "/tmp/nowhere"), "Failed to access"),
                               (("x", "/nowhere"), "mount_roots"), (("x", "/sys"), "mount_roots"),
                               (("x", "/tmp/../proc"), "mount_roots")):
        with pytest.raises(mpd.CommandError, match=message):
            client.mount(*arguments)
    client.add("usb/one.flac")
    client.findadd("title", "Sill")
    server.stop()
    server.start(songs=count + 2)
    client = server.client()
    assert len(client.playlistinfo()) == 2
    client.play(0)
    client.seekcur(5)
    wait_for(lambda: client.currentsong().get("title") == "Sill", 30, "the mounted song's end")
    client.stop()
    client.unmount("usb")
    wait_for(lambda: len(client.playlistinfo()) == 1, 20, "the queue without the mounted song")
    assert {"mount": "usb"} not in client.listmounts()
    with pytest.raises(mpd.CommandError, match="Not a mount point"):
        client.unmount("usb")
    server.stop()
    assert samples["one.flac"][5 * RATE * FRAME:] in wav_samples(paths["Kitchen"])
    server.start(songs=count)
