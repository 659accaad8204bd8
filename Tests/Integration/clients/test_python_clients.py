"""python-mpd2, blocking and asynchronous, and python-musicpd: what scripts and Home Assistant are made of."""
import asyncio
import hashlib

import mpd
import mpd.asyncio
import pytest

from .driving import MEETING, PATIENCE

pytestmark = pytest.mark.smoke

TABLE = f"{MEETING}/1-02 Table.flac"


@pytest.fixture
def cover(collection):
    """The large cover's bytes."""
    return (collection / MEETING / "cover.png").read_bytes()


@pytest.fixture
def musicpd_client(server):
    """A python-musicpd connection."""
    musicpd = pytest.importorskip("musicpd", reason="python-musicpd is not installed; contrib/test installs it")
    connection = musicpd.MPDClient()
    connection.connect(server.host, server.port)
    connection.musicpd = musicpd
    yield connection
    connection.disconnect()


@pytest.mark.parametrize("limit", [64, 8192, 1 << 20])
def test_covers_arrive_whole_whatever_the_pieces(client, cover, limit):
    client.binarylimit(limit)
    assert client.albumart(TABLE)["binary"] == cover


def test_command_lists_give_one_answer_each(client, songs):
    client.command_list_ok_begin()
    client.clear()
    client.addid(songs["Table"]["file"])
    client.addid(songs["Lamp"]["file"], 0)
    client.status()
    client.playlistinfo()
    client.list("album", "albumartist", "Various Voices")
    answers = client.command_list_end()
    assert answers[0] is None and int(answers[1]) < int(answers[2])
    assert answers[3]["playlistlength"] == "2"
    assert [song["title"] for song in answers[4]] == ["Lamp", "Table"]
    assert answers[5] == [{"album": "Meeting Point"}]


def test_errors_have_codes_and_leave_the_connection_usable(client):
    for call, code in ((lambda: client.play(99), mpd.FailureResponseCode.ARG),
                       (lambda: client.playid(99999), mpd.FailureResponseCode.NO_EXIST),
                       (lambda: client.add("no such song"), mpd.FailureResponseCode.NO_EXIST),
                       (lambda: client.seekcur(1), mpd.FailureResponseCode.PLAYER_SYNC),
                       (lambda: client.password("wrong"), mpd.FailureResponseCode.PASSWORD)):
        with pytest.raises(mpd.CommandError) as error:
            call()
        assert error.value.errno == code
    assert client.status()["playlistlength"] == "0"


def test_events_are_kept_until_somebody_idles_for_them(server, client, songs):
    client.idletimeout = PATIENCE
    other = server.client()
    other.add(songs["Table"]["file"])
    other.setvol(44)
    # Each ends at once, though the other event came between.
    assert client.idle("mixer") == ["mixer"]
    assert client.idle("playlist") == ["playlist"]
    other.disconnect()


def test_asyncio_client_hears_events_while_it_sends_commands(server, client, songs, cover):
    """It leaves idle for each command and goes back to it: no event may be lost, no answer mixed up."""
    async def run():
        connection = mpd.asyncio.MPDClient()
        await connection.connect(server.host, server.port)
        heard = []
        changed = asyncio.Condition()

        async def listen():
            async for subsystems in connection.idle():
                async with changed:
                    heard.extend(subsystems)
                    changed.notify_all()

        async def told(subsystem):
            async with changed:
                await asyncio.wait_for(changed.wait_for(lambda: subsystem in heard), PATIENCE)
                heard.clear()
        listening = asyncio.create_task(listen())
        try:
            # Between commands the client idles after a tenth of a second; some of these meet that moment.
            for number in range(12):
                client.add(songs["Table"]["file"])
                status, found = await connection.status(), await connection.find("title", "Lamp")
                assert int(status["playlistlength"]) == number + 1 and found[0]["title"] == "Lamp"
                await asyncio.sleep(number / 60)
            await told("playlist")
            client.setvol(12)
            await told("mixer")
            art = await connection.albumart(TABLE)
            assert hashlib.sha256(art["binary"]).digest() == hashlib.sha256(cover).digest()
            await connection.repeat(1)
            await told("options")
            with pytest.raises(mpd.CommandError):
                await connection.play(999)
            assert (await connection.status())["repeat"] == "1"
        finally:
            listening.cancel()
            connection.disconnect()
    asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE))


def test_home_assistant_polls_and_steers(server, client, songs, cover):
    """What Home Assistant's integration sends: the commands once, then polls, and calls when the user taps."""
    client.add(MEETING)
    client.save("supper")

    async def run():
        connection = mpd.asyncio.MPDClient()
        await connection.connect(server.host, server.port)
        try:
            commands = list(await connection.commands())
            assert {"albumart", "readpicture", "seekcur", "setvol", "listplaylists"} <= set(commands)
            assert [entry["playlist"] for entry in await connection.listplaylists()] == ["supper"]
            await connection.clear()
            await connection.load("supper")
            await connection.play()
            for _ in range(3):
                status, song = await connection.status(), await connection.currentsong()
                assert status["state"] == "play" and song["title"] == "Arrival"
                assert 0 <= int(status["volume"]) <= 100 and float(status["duration"]) > 30
            await connection.seekcur(12.5)
            assert 12 <= float((await connection.status())["elapsed"]) < 30
            # Pictures: in the file first, then beside it; only "no such thing" is taken silently.
            assert await connection.readpicture(song["file"]) in ({}, None)
            assert (await connection.albumart(song["file"]))["binary"] == cover
            with pytest.raises(mpd.CommandError) as error:
                await connection.albumart("Loose/untagged.ogg")
            assert error.value.errno == mpd.FailureResponseCode.NO_EXIST
            for change in (connection.repeat(1), connection.single(1), connection.random(1), connection.setvol(30),
                           connection.pause(1), connection.pause(0), connection.next(), connection.previous()):
                await change
            status = await connection.status()
            assert [status[key] for key in ("repeat", "single", "random", "volume")] == ["1", "1", "1", "30"]
            await connection.stop()
            assert (await connection.status())["state"] == "stop"
        finally:
            connection.disconnect()
    asyncio.run(asyncio.wait_for(run(), 3 * PATIENCE))


def test_musicpd_reads_plays_and_fetches_covers(musicpd_client, client, songs, cover):
    connection = musicpd_client
    assert connection.mpd_version == "0.24.0"
    assert connection.find("title", "Table")[0]["musicbrainz_albumid"] == "a1b2c3d4-0000-4000-8000-000000000001"
    connection.add(MEETING)
    connection.play(0)
    assert connection.status()["state"] == "play"
    assert connection.currentsong()["title"] == "Arrival"
    connection.move((0, 2), 1)
    assert [song["title"] for song in connection.playlistinfo()] == ["Late Bus", "Arrival", "Table"]
    picture, offset = b"", 0
    while True:
        piece = connection.albumart(TABLE, offset)
        picture += piece["data"]
        offset += int(piece["binary"])
        if offset >= int(piece["size"]):
            break
    assert picture == cover
    with pytest.raises(connection.musicpd.CommandError):
        connection.play(99)
    connection.send_idle("mixer")
    client.setvol(21)
    assert connection.fetch_idle() == ["mixer"]
