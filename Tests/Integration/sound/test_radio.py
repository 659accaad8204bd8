"""Internet radio: stations that sound, fail, come back and are exchanged for others."""
import pytest
from harness.broadcast import assert_whole, tones
from harness.clients import RawClient, mpc
from harness.fake_navidrome import PASSWORD, USER, FakeNavidrome
from harness.music import frequency, wav_samples
from harness.processes import free_port
from harness.radio import Station, chained, encoded, hls, loudness, self_signed, zap
from harness.segue import Segue
from harness.supysonic import navidrome_section
from harness.waiting import wait_for

LOUD = 0.3
QUIET = 0.05


@pytest.fixture(scope="module")
def sounds(tmp_path_factory):
    """Tones as stations send them, by format and frequency."""
    folder = tmp_path_factory.mktemp("stations")
    return lambda kind, frequency: encoded(folder, kind, frequency)


@pytest.fixture
def station(sounds):
    """Starts stations and closes them after the test."""
    stations = []

    def start(frequency=440, kind="mp3", **more):
        sound, content_type = sounds(kind, frequency)
        stations.append(Station(sound, content_type, **more))
        return stations[-1]
    yield start
    for started in stations:
        started.close()


def recorder(folder):
    """An output that records what is heard."""
    return {"type": "file", "name": "Recording", "path": folder / "heard.wav", "format": "44100:16:2"}


@pytest.fixture
def radio(start_segue, tmp_path):
    """Starts segue with stations and a recording of what is heard."""
    def start(*stations, **playback):
        sections = [{"name": f"Radio {number}", "url": station.url} for number, station in enumerate(stations, 1)]
        server = start_segue(
            station=sections, output=[recorder(tmp_path)],
            playback={"radio_timeout": 20, **playback})
        server.recording = tmp_path / "heard.wav"
        return server
    return start


@pytest.fixture(scope="module")
def zapper(registry, tmp_path_factory):
    """Plays one URL after the other with the same program."""
    server = Segue(tmp_path_factory.mktemp("zapper"), registry, playback={"radio_timeout": 6, "radio_crossfade": 0})
    server.start()

    def zap_here(url):
        return zap(server, url)
    zap_here.server = server
    yield zap_here
    server.kill()


def elapsed(client):
    return float(client.status().get("elapsed", 0))


def plays(client, position, least=0.5):
    """Whether a position is heard."""
    status = client.status()
    return status["state"] == "play" and status["song"] == str(position) and float(status["elapsed"]) > least


def heard(server):
    """The recording, after the server was stopped in order."""
    assert server.stop()[0] == 0
    return wav_samples(server.recording)


def tone(samples, frequency, least=LOUD):
    """The seconds of the recording, in tenths, at which a tone is heard."""
    return [at / 10 for at in range(len(samples) // 17640) if loudness(samples, frequency, at / 10) > least]


def test_stations_of_the_configuration_are_a_playlist(radio, station):
    server = radio(station(name="Icy One"), station(880, name="Icy Two"))
    client = server.client()
    assert [entry["playlist"] for entry in client.listplaylists()] == ["[Radio]"]
    entries = client.listplaylistinfo("[Radio]")
    assert [entry["name"] for entry in entries] == ["Radio 1", "Radio 2"]
    assert [entry["title"] for entry in entries] == ["Radio 1", "Radio 2"]
    assert all(entry["file"].startswith("http://127.0.0.1:") for entry in entries)
    client.load("[Radio]")
    assert [entry["name"] for entry in client.playlistinfo()] == ["Radio 1", "Radio 2"]
    assert "Radio 2" in mpc(server, "playlist")
    with pytest.raises(Exception, match="made by Segue"):
        client.playlistclear("[Radio]")


def test_without_stations_there_is_no_such_playlist(start_segue):
    client = start_segue().client()
    assert client.listplaylists() == []
    with pytest.raises(Exception, match="No such playlist"):
        client.listplaylist("[Radio]")


def test_stations_of_the_server_come_and_go(start_segue, tmp_path, station):
    navidrome = FakeNavidrome(tmp_path, songs=20).start()
    try:
        first = station(mode="private")
        navidrome.control("station", label="Nova", url=first.url)
        server = start_segue(
            songs=20, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD, "sync_interval": 1})
        client = server.client()
        entries = wait_for(lambda: client.listplaylistinfo("[Radio]"), what="the server's stations")
        assert [(entry["name"], entry["file"]) for entry in entries] == [("Nova", first.url)]
        secret = first.url.replace("http://", "http://ada:secret@")
        navidrome.control("station", label="Private", url=secret)
        wait_for(lambda: len(client.listplaylistinfo("[Radio]")) == 2, what="the second station")
        client.load("[Radio]")
        client.play(1)
        wait_for(lambda: plays(client, 1), what="the private station")
        shown = repr((client.listplaylistinfo("[Radio]"), client.playlistinfo(), client.currentsong()))
        assert "secret" not in shown and "secret" not in server.log
    finally:
        navidrome.kill()


@pytest.mark.parametrize("kind", [pytest.param("mp3", marks=pytest.mark.smoke), "aac", "ogg"])
def test_a_station_says_what_it_plays(radio, station, kind):
    one = station(kind=kind, name="Test FM")
    server = radio(one)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: client.currentsong().get("title") == "Nobody - Nothing", what="the title")
    wait_for(lambda: plays(client, 0), what="sound")
    song = client.currentsong()
    assert song["name"] == "Test FM" and song["file"] == one.url
    assert client.playlistinfo()[0]["title"] == "Nobody - Nothing"
    status = wait_for(lambda: "bitrate" in client.status() and client.status(), what="the bit rate")
    assert status["audio"].startswith("44100:") and status["audio"].endswith(":2") and "duration" not in status
    assert 50 < int(status["bitrate"]) < 400
    version = client.status()["playlist"]
    with RawClient(server) as idler:
        idler.send(b"idle player playlist\n")
        one.title = "Ada - Lamp"
        assert set(idler.answer()) <= {b"changed: player", b"changed: playlist", b"OK"}
    wait_for(lambda: client.currentsong()["title"] == "Ada - Lamp", what="the new title")
    assert [change["title"] for change in client.plchanges(version)] == ["Ada - Lamp"]
    assert "error" not in client.status()


def test_hls_plays_to_its_end(radio, station, tmp_path):
    one = station()
    one.files = hls(tmp_path, 660, seconds=6)
    server = radio()
    client = server.client()
    client.add(f"http://127.0.0.1:{one.port}/list.m3u8")
    client.play(0)
    wait_for(lambda: plays(client, 0), what="sound")
    wait_for(lambda: client.status()["state"] == "stop", 60, "the end of the broadcast")
    assert "error" not in client.status()
    assert 5 < len(tone(heard(server), 660)) / 10 < 7


@pytest.mark.parametrize("path, content_type, text", [
    ("/radio.m3u", "audio/x-mpegurl", "#EXTM3U\n#EXTINF:-1,Nova\n{url}\n"),
    ("/radio.pls", "audio/x-scpls", "[playlist]\nNumberOfEntries=2\nFile1=http://127.0.0.1:9/gone\nFile2={url}\n"),
    ("/radio.xspf", "application/xspf+xml",
     '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track>'
     "<location>{url}</location></track></trackList></playlist>"),
    ("/tune", "audio/x-scpls", "[playlist]\nNumberOfEntries=1\nFile1={url}\n"),
    ("/tune2?id=7", "text/plain", "{url}\n"),
])
def test_a_playlist_where_a_stream_was_expected_is_followed(zapper, station, path, content_type, text):
    one = station()
    one.files[path.split("?")[0]] = (content_type, text.format(url=one.url).encode())
    url = f"http://127.0.0.1:{one.port}{path}"
    client = zapper(url)
    assert client.playlistinfo()[0]["file"] == url
    wait_for(lambda: plays(client, 0), what="sound")
    assert client.currentsong()["file"] == url
    assert client.currentsong()["name"] == "Test FM"


@pytest.mark.smoke
def test_a_dropped_station_is_taken_up_again(radio, station):
    one = station(burst=0.5)
    server = radio(one)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: plays(client, 0, 2), what="sound")
    before = elapsed(client)
    one.refuse()
    status = wait_for(lambda: "error" in client.status() and client.status(), what="the error")
    assert status["state"] == "play" and "trying again" in status["error"]
    assert "127.0.0.1" not in status["error"] and status["song"] == "0"
    one.listen()
    wait_for(lambda: "error" not in client.status() and elapsed(client) > before + 2, 60, "sound again")
    assert elapsed(client) < before + 60
    assert "is interrupted" in server.log and "sounds again" in server.log
    samples = heard(server)
    assert len(tone(samples, 440)) > 35


def test_a_drop_with_sound_in_store_is_not_heard(radio, station):
    one = station(burst=5)
    server = radio(one)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: plays(client, 0, 1), what="sound")
    one.drop()
    wait_for(lambda: one.listened == 2, what="the second connection")
    wait_for(lambda: plays(client, 0, 8), what="more sound than was in store")
    assert "error" not in client.status()
    assert "is interrupted" not in server.log and "buffering" not in server.log


def test_commands_work_at_once_while_a_station_is_away(radio, station):
    one, two = station(burst=0.5), station(880)
    server = radio(one, two)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: plays(client, 0, 2), what="sound")
    one.refuse()
    wait_for(lambda: "error" in client.status(), what="the error")
    client.pause(1)
    assert client.status()["state"] == "pause"
    client.pause(0)
    assert client.status()["state"] == "play"
    client.next()
    assert client.status()["song"] == "1" and "error" not in client.status()
    wait_for(lambda: plays(client, 1), what="the other station")
    client.previous()
    wait_for(lambda: "error" in client.status(), what="the error of the first one")
    client.stop()
    status = client.status()
    assert status["state"] == "stop" and status["song"] == "0"


@pytest.mark.parametrize("mode", ["mute", "silent", "garbage", 404, 500])
def test_a_station_without_sound_is_reported_and_skipped(radio, station, mode):
    dead, alive = station(mode=mode, name="Radio 1"), station(880)
    server = radio(dead, alive, radio_timeout=3)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: plays(client, 1), 60, "the other station")
    assert client.status()["error"].startswith("Radio 1: ")
    assert "Radio 1: can't be played" in server.log
    assert str(dead.port) not in client.status()["error"]


def test_dead_stations_alone_end_the_playing(radio, station):
    stations = [station(mode=404), station(mode="silent"), station()]
    stations[2].refuse()
    server = radio(*stations, radio_timeout=1)
    client = server.client()
    client.load("[Radio]")
    client.repeat(1)
    client.play(0)
    wait_for(lambda: client.status()["state"] == "stop", 60, "giving up")
    assert client.status()["error"].startswith("Radio ")
    # The log is written beside the loop.
    wait_for(lambda: server.log.count("can't be played") >= 3, what="the lines")
    assert server.log.count("can't be played") == 3
    assert stations[0].listened < 4


def test_neighbours_are_open_before_they_are_wanted(radio, station):
    stations = [station(frequency) for frequency in (440, 660, 880, 1100)]
    server = radio(*stations)
    client = server.client()
    client.load("[Radio]")
    client.play(1)
    wait_for(lambda: stations[0].listeners and stations[2].listeners, what="the neighbours")
    assert stations[3].listeners == 0
    wait_for(lambda: plays(client, 1, 2), what="sound")
    client.next()
    wait_for(lambda: plays(client, 2), what="the next station")
    wait_for(lambda: stations[3].listeners, what="the new neighbour")
    assert stations[2].listened == 1, "the neighbour was opened anew"
    client.previous()
    wait_for(lambda: plays(client, 1), what="the station before")
    assert stations[1].listened == 1, "the station that was left was not kept"
    client.stop()
    wait_for(lambda: not any(one.listeners for one in stations), what="closed connections")


def test_a_waiting_neighbour_takes_no_more_than_it_plays(radio, station):
    one, two = station(), station(880, burst=4)
    server = radio(one, two)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: plays(client, 0, 8), 60, "a while of sound")
    assert two.listened == 1 and two.listeners == 1, "the neighbour was lost"
    client.next()
    wait_for(lambda: plays(client, 1, 1), what="the next station")
    assert two.listened == 1


@pytest.mark.smoke
def test_stations_overlap(radio, station):
    one, two = station(440), station(1100)
    server = radio(one, two, radio_crossfade=1.8)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: two.listeners and plays(client, 0, 3), what="sound")
    client.next()
    wait_for(lambda: plays(client, 1, 4), what="the next station")
    samples = heard(server)
    both = sorted(set(tone(samples, 440, QUIET)) & set(tone(samples, 1100, QUIET)))
    assert 1.3 < len(both) / 10 < 2.1
    middle = both[len(both) // 2]
    full = loudness(samples, 440, 2)
    # Equal power: in the middle both are at 0.71 of their loudness.
    for frequency in (440, 1100):
        assert 0.5 < loudness(samples, frequency, middle) / full < 0.9
    powers = [sum((loudness(samples, frequency, at) / full) ** 2 for frequency in (440, 1100)) for at in both]
    assert all(0.75 < power < 1.25 for power in powers), powers


def test_stations_of_different_rates_overlap(start_segue, library, station, sounds, tmp_path):
    # Beside a song both are opened as they are; one of them is still so when the other one sounds.
    one, two = station(440, "ogg"), station(1100)
    two.content_type, two.sound, two.speed = chained(tmp_path, "ogg", [(48000, 2)], seconds=20)
    server = start_segue(
        songs=len(library[1]), local={"music_directory": library[0]}, output=[recorder(tmp_path)],
        playback={"radio_timeout": 20, "radio_crossfade": 1.8})
    client = server.client()
    client.add(one.url)
    client.findadd("title", "Road")
    client.add(two.url)
    client.repeat(1)
    # Two tones of nearly full scale would be clipped.
    client.setvol(90)
    client.play(1)
    wait_for(lambda: one.listeners and two.listeners and plays(client, 1, 1), what="both stations beside the song")
    wait_for(lambda: min(one.bytes_sent / one.speed, two.bytes_sent / two.speed) > 3, what="their sound")
    client.play(0)
    wait_for(lambda: plays(client, 0, 4), what="the first station")
    began = float(client.status()["elapsed"])
    client.play(2)
    wait_for(lambda: plays(client, 2, 5), what="the second station")
    assert (one.listened, two.listened) == (1, 1) and client.status()["audio"] == "48000:f:2"
    server.recording = tmp_path / "heard.wav"
    samples = heard(server)
    second = frequency(0)
    end = len(samples) / 176400
    full = {440: loudness(samples, 440, end - 5 - began / 2), second: loudness(samples, second, end - 1)}
    both = set(tone(samples, 440, QUIET)) & set(tone(samples, second, QUIET))
    overlap = sorted(at for at in both if at > end - 5 - began / 2)
    assert 1.3 < len(overlap) / 10 < 2.1
    # Equal power, but that the first one leaves at once and the second one needs a moment to sound.
    powers = [sum((loudness(samples, pitch, at) / loud) ** 2 for pitch, loud in full.items()) for at in overlap]
    assert all(0.8 < power < 1.03 for power in powers), powers


def test_without_a_crossfade_stations_switch_at_once(radio, station):
    one, two = station(440), station(1100)
    server = radio(one, two, radio_crossfade=0)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: two.listeners and plays(client, 0, 3), what="sound")
    client.next()
    wait_for(lambda: plays(client, 1, 2), what="the next station")
    samples = heard(server)
    assert len(set(tone(samples, 440, QUIET)) & set(tone(samples, 1100, QUIET))) <= 1
    assert min(tone(samples, 1100)) - max(tone(samples, 440)) < 0.5


def test_fast_zapping_ends_with_the_last_station(radio, station):
    stations = [station(frequency) for frequency in (440, 660, 880, 1100)]
    server = radio(*stations)
    client = server.client()
    client.load("[Radio]")
    client.repeat(1)
    client.play(0)
    wait_for(lambda: plays(client, 0, 1), what="sound")
    for _ in range(41):
        client.next()
    wait_for(lambda: plays(client, 1, 4), 60, "the last station")
    wait_for(lambda: sum(one.listeners for one in stations) == 3, what="the two neighbours and no more")
    samples = heard(server)
    end = len(samples) / 176400
    assert loudness(samples, 660, end - 1) > LOUD and loudness(samples, 880, end - 1) < QUIET


@pytest.mark.parametrize("crossfade", [0, 0.5])
def test_a_station_that_is_played_again_is_connected_once(radio, station, crossfade):
    one = station()
    server = radio(one, radio_crossfade=crossfade)
    client = server.client()
    client.load("[Radio]")
    for _ in range(3):
        client.play(0)
        wait_for(lambda: plays(client, 0, 1), what="sound")
    wait_for(lambda: one.listeners == 1, what="one connection")


@pytest.mark.parametrize("kind, serial", [("ogg", None), ("opus", None), ("flac", None), ("ogg", 7), ("opus", 7), ("flac", 7)])
def test_titles_in_chained_streams_change_without_a_gap(radio, station, tmp_path, kind, serial):
    # Icecast begins a new logical stream with each title; rate and channels may be others then.
    parts = [(48000, 2), (48000, 1)] if kind == "opus" else [(44100, 2), (48000, 2), (22050, 1)]
    one = station(name="Chain FM", burst=3)
    one.content_type, one.sound, one.speed = chained(tmp_path, kind, parts, 2, serial)
    server = radio(one)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    for number in [*range(len(parts)), 0]:
        rate, channels = parts[number]
        audio = f"{rate}:{'f' if kind == 'ogg' else '16'}:{channels}"
        wait_for(lambda: (client.currentsong().get("title"), client.status().get("audio"))
                 == (f"Title {number}", audio),
                 what=f"title {number} in {audio}", every=0.01)
        assert client.currentsong()["artist"] == f"Artist {number}"
    assert one.listened == 1 and "error" not in client.status()
    assert "buffering" not in server.log
    assert_whole(tones(heard(server)), length=2, least=len(parts))


OLD = "icy-name: Old FM\r\nicy-br: 128\r\n"


@pytest.mark.parametrize("head", [
    f"ICY 200 OK\r\nicy-notice1: <BR>This stream requires Winamp<BR>\r\n{OLD}content-type:audio/mpeg\r\n",
    f"HTTP/1.0 200 OK\r\n{OLD}",
    f"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg; charset=UTF-8\r\n{OLD}",
    f"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n{OLD}",
    f"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{OLD}",
], ids=["ICY 200 OK", "no type", "charset", "octets", "text"])
def test_servers_of_all_kinds_are_understood(zapper, station, head):
    one = station(head=head)
    client = zapper(one.url)
    wait_for(lambda: plays(client, 0), what="sound")
    song = client.currentsong()
    assert song["name"] == "Old FM" and song["title"] == "Nobody - Nothing"


@pytest.mark.parametrize("sent, shown", [
    ("It's \"a\"; b's; 'c' & d", "It's \"a\"; b's; 'c' & d"),
    ("Björk - Jóga 日本", "Björk - Jóga 日本"),
    ("Björk - Jóga".encode("latin-1"), "Björk - Jóga"),
], ids=["quotes", "UTF-8", "Latin-1"])
def test_titles_of_all_kinds_are_understood(zapper, station, sent, shown):
    one = station()
    one.title = sent
    client = zapper(one.url)
    wait_for(lambda: client.currentsong().get("title") == shown, what="the title")


def test_redirections_are_followed(zapper, station):
    one, other = station(mode="private"), station(name="Other FM")
    one.redirects = {"/a": "/b?x=1", "/b": "live", "/away": other.url}
    other.redirects = {"/open": f"http://localhost:{other.port}/b", "/b": "live"}
    for login, host, path, name in [("ada:secret@", one, "/a", "Test FM"), ("ada:secret@", one, "/away", "Other FM"),
                                    ("ada:secret@", one, "/live", "Test FM"), ("", other, "/open", "Other FM")]:
        client = zapper(f"http://{login}127.0.0.1:{host.port}{path}")
        wait_for(lambda: plays(client, 0), what="sound")
        song = client.currentsong()
        assert song["name"] == name and song["file"] == f"http://127.0.0.1:{host.port}{path}"
    assert "secret" not in zapper.server.log
    assert other.listened and not any("authorization" in head.lower() for _, _, head in other.connections)


DEAD_FIRST = [
    ("/x.m3u", "audio/x-mpegurl", "\ufeff#EXTM3U\r\n#EXTINF:-1,Dead\r\n{dead}\r\n#EXTINF:-1,Live\r\n{url}\r\n"),
    ("/x.pls", "audio/x-scpls",
     "[playlist]\r\nnumberofentries=2\r\nFile1={dead}\r\nTitle1=Dead\r\nLength1=-1\r\nFile2={url}\r\nVersion=2\r\n"),
    ("/x.xspf", "application/xspf+xml",
     '<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>{dead}'
     "</location></track><track><location>{url}</location></track></trackList></playlist>"),
    ("/x.asx", "video/x-ms-asf", "<ASX version='3.0'><entry><ref href='{dead}'></entry><Entry><REF HREF=\"{url}\" />"
     "</Entry></asx>"),
]


@pytest.mark.parametrize("mode", [404, "page", "mute"])
def test_a_dead_stream_at_the_head_of_a_playlist_is_passed_over(zapper, station, mode):
    one, dead = station(), station(mode=mode)
    for path, content_type, text in DEAD_FIRST if mode == 404 else DEAD_FIRST[:1]:
        one.files[path] = (content_type, text.format(url=one.url, dead=dead.url).encode())
        client = zapper(f"http://127.0.0.1:{one.port}{path}")
        wait_for(lambda: plays(client, 0), what="sound")
        assert "error" not in client.status()
    assert dead.listened >= 1


def test_what_is_wrong_with_a_station_is_said(radio, station, tmp_path):
    wrong = {
        station(mode="page").url: "there is a web page at its address",
        "http://no-such-host.invalid/live": "its server is not known",
        f"http://127.0.0.1:{free_port()}/live": "its server can't be reached",
        station(certificate=self_signed(tmp_path)).url: "its server's certificate",
        station(mode="private").url.replace("//", "//ada:wrong-one@"): "the server refuses access",
    }
    server = radio(radio_timeout=2)
    client = server.client()
    for url in wrong:
        client.add(url)
    client.play(0)
    wait_for(lambda: server.log.count("can't be played") == len(wrong), 60, "giving up")
    lines = [line for line in server.log.splitlines() if "can't be played" in line]
    assert [text in line for text, line in zip(wrong.values(), lines)] == [True] * len(wrong), lines
    assert "wrong-one" not in server.log and not any("127.0.0.1" in line for line in lines)
    assert client.status()["state"] == "stop" and "refuses access" in client.status()["error"]


def test_a_station_that_stalls_is_connected_anew(radio, station):
    one = station(burst=0.5)
    server = radio(one, radio_timeout=1)
    client = server.client()
    client.load("[Radio]")
    client.play(0)
    wait_for(lambda: plays(client, 0, 1), what="sound")
    one.mode = "stalled"
    wait_for(lambda: one.listened > 2 and "error" in client.status(), 60, "more connections")
    assert client.status()["state"] == "play" and "trying again" in client.status()["error"]
    times = [at for at, _, head in one.connections if "range:" not in head.lower()]
    one.mode = "plays"
    wait_for(lambda: "error" not in client.status(), 60, "sound again")
    wait_for(lambda: one.listeners == 1, what="one connection")
    gaps = [later - earlier for earlier, later in zip(times[1:], times[2:])]
    assert all(gap > 1 for gap in gaps), "it was not left in peace between attempts"


def test_stations_beside_a_song_are_open_before_they_are_wanted(start_segue, tmp_path, station):
    navidrome = FakeNavidrome(tmp_path, songs=4, seconds=20).start()
    try:
        before, after, far = station(440), station(880), station(1100)
        server = start_segue(
            songs=4, navidrome={"url": navidrome.url, "username": USER, "password": PASSWORD},
            output=[recorder(tmp_path)])
        server.recording = tmp_path / "heard.wav"
        client = server.client()
        songs = [entry for entry in client.listallinfo() if "file" in entry]
        song = songs[0]
        for uri in [before.url, song["file"], after.url, far.url]:
            client.add(uri)
        client.play(1)
        wait_for(lambda: before.listeners == 1 and after.listeners == 1, what="the neighbours")
        client.pause(1)
        wait_for(lambda: not before.listeners and not after.listeners, what="closed connections")
        client.pause(0)
        wait_for(lambda: before.listeners == 1 and after.listeners == 1, what="the neighbours again")
        assert far.listened == 0
        count = after.listened
        # The song runs into the station, which goes on over the same connection.
        client.seekcur(float(song["duration"]) - 1)
        wait_for(lambda: plays(client, 2, 1), what="the station")
        assert after.listened == count
        wait_for(lambda: far.listeners and not before.listeners, what="the station's own neighbours")
        client.previous()
        wait_for(lambda: plays(client, 1, 0.2), what="the song")
        wait_for(lambda: after.listeners == 1, what="the next station")
        client.next()
        wait_for(lambda: plays(client, 2), what="the station again")
        client.stop()
        wait_for(lambda: not any(one.listeners for one in (before, after, far)), what="closed connections")
        samples = heard(server)
        assert tone(samples, 880)
    finally:
        navidrome.kill()
