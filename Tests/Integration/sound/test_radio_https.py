"""Stations behind https: those that are trusted sound, others are refused and say why."""
import pytest
from harness.radio import Station, encoded, hls, self_signed, vouched, zap
from harness.segue import Segue
from harness.waiting import wait_for


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Files of certificates with their keys, by what is the matter with them, and what is trusted as `trusted`."""
    folder = tmp_path_factory.mktemp("certificates")
    authority, good = vouched(folder)
    found = {"good": good, "stranger": self_signed(folder, "stranger"), "old": self_signed(folder, "old", days=-1),
             "elsewhere": self_signed(folder, "elsewhere", "DNS:a.invalid"), "trusted": folder / "trusted.pem"}
    trusted = [authority, folder / "old.pem.crt", folder / "elsewhere.pem.crt"]
    found["trusted"].write_text("".join(path.read_text() for path in trusted))
    return found


@pytest.fixture(scope="module")
def server(registry, certificates, tmp_path_factory):
    """A running server that trusts the authority."""
    running = Segue(tmp_path_factory.mktemp("https"), registry, playback={"radio_timeout": 4, "radio_crossfade": 0})
    running.environment["SSL_CERT_FILE"] = str(certificates["trusted"])
    yield running.start()
    running.kill()


@pytest.fixture
def station(certificates, tmp_path_factory):
    """Starts stations with one of the certificates, or none, and closes them after the test."""
    stations = []

    def start(certificate=None, **more):
        sound, content_type = encoded(tmp_path_factory.getbasetemp(), "mp3", 440)
        stations.append(Station(sound, content_type, certificate=certificates.get(certificate), **more))
        return stations[-1]
    yield start
    for started in stations:
        started.close()


def sounds(client, least=0.5):
    status = client.status()
    return status["state"] == "play" and float(status.get("elapsed", 0)) > least and "error" not in status


def test_a_station_behind_https_sounds_and_says_what_it_plays(server, station):
    one = station("good", name="Secure FM")
    client = zap(server, one.url)
    wait_for(lambda: sounds(client), what="sound")
    wait_for(lambda: client.currentsong().get("title") == "Nobody - Nothing", what="the title")
    assert client.currentsong()["name"] == "Secure FM"
    one.drop()
    wait_for(lambda: one.listened == 2 and sounds(client, 3), what="sound after the drop")


@pytest.mark.parametrize("first", [None, "good"], ids=["from http", "from https"])
def test_a_redirection_to_https_is_followed(server, station, first):
    one, other = station(first), station("good", name="Other FM")
    one.redirects = {"/a": "/b", "/b": other.url}
    client = zap(server, one.url.replace("/live", "/a"))
    wait_for(lambda: sounds(client), what="sound")
    assert client.currentsong()["name"] == "Other FM"


def test_a_playlist_behind_https_leads_to_its_station(server, station):
    one, other = station("good"), station("good", name="Listed FM")
    one.files["/x.m3u"] = ("audio/x-mpegurl", f"#EXTM3U\n{other.url}\n".encode())
    client = zap(server, one.url.replace("/live", "/x.m3u"))
    wait_for(lambda: sounds(client), what="sound")
    assert client.currentsong()["name"] == "Listed FM"


def test_a_broadcast_in_pieces_behind_https_sounds(server, station, tmp_path):
    one = station("good")
    one.files = hls(tmp_path, 440)
    client = zap(server, one.url.replace("/live", "/list.m3u8"))
    wait_for(lambda: sounds(client, 3), what="more than one piece")


@pytest.mark.parametrize("certificate, text", [
    ("stranger", "its server's certificate is self-signed"),
    ("old", "its server's certificate is out of date"),
    ("elsewhere", "its server's certificate is for another name"),
])
def test_a_certificate_that_is_not_trusted_is_refused(server, station, certificate, text):
    bad, one = station(certificate), station()
    one.redirects = {"/away": bad.url}
    for url, start in [(bad.url, ""), (one.url.replace("/live", "/away"), "it is elsewhere now, and there: ")]:
        client = zap(server, url)
        wait_for(lambda: client.status()["state"] == "stop", 60, "giving up")
        assert f"{start}{text}" in client.status()["error"]
        assert str(bad.port) not in client.status()["error"]
    assert bad.listened == 0


def test_a_file_of_certificates_that_is_of_no_use_is_told(registry, tmp_path):
    running = Segue(tmp_path / "segue", registry)
    running.environment["SSL_CERT_FILE"] = "/no/such/file.pem"
    try:
        running.start()
        wait_for(lambda: "SSL_CERT_FILE is not used: " in running.log, 30, "a line about it")
    finally:
        running.kill()
