"""Announcing the server on the network, by a real Avahi on a system bus and a network of its own."""
import os
import re
import shutil
import subprocess

import pytest
from harness.message_bus import MessageBus
from harness.processes import Daemon, free_port
from harness.segue import Segue
from harness.waiting import wait_for

pytestmark = pytest.mark.needs_root

AVAHI = """[server]
host-name=kitchen
use-ipv6=no
allow-interfaces=music0
[publish]
publish-workstation=no
"""

NETWORK = ("ip link add music0 type veth peer name music1 && ip addr add 10.91.0.1/24 dev music0"
           " && ip link set music0 up && ip link set music1 up && ")

# Avahi keeps its number in a fixed place, where it would find the Avahi of the test beside.
PLACE = "mkdir -p /run/avahi-daemon && mount -t tmpfs tmpfs /run/avahi-daemon && "


class Network:
    """A system bus, and Avahi on an interface that nothing else uses."""

    def __init__(self, folder):
        self.folder = folder
        self.bus = MessageBus(folder)
        self.avahi = Daemon(folder / "avahi.log")
        self.environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.bus.address}
        (folder / "avahi.conf").write_text(AVAHI)

    def start_bus(self):
        self.bus.start(self.environment)

    def start_avahi(self):
        command = PLACE + NETWORK + (f"exec avahi-daemon -f {self.folder}/avahi.conf --no-drop-root --no-chroot --no-rlimits")
        self.avahi.launch(["unshare", "--net", "--mount", "sh", "-c", command], self.environment)
        wait_for(lambda: "startup complete" in self.avahi.log or not self.avahi.is_running, 15, "Avahi")
        if not self.avahi.is_running:
            pytest.skip(f"Avahi can't run here: {self.avahi.log.splitlines()[-1]}")

    def browse(self, kind):
        """The services of a kind as {name: (host, port, text)}."""
        result = subprocess.run(["avahi-browse", "--parsable", "--terminate", "--resolve", "--no-db-lookup", kind],
                                env=self.environment, capture_output=True, text=True, timeout=60)
        found = [line.split(";") for line in result.stdout.splitlines() if line.startswith("=")]
        return {re.sub(r"\\(\d{3})", lambda code: chr(int(code[1])), entry[3]): (entry[6], int(entry[8]), entry[9])
                for entry in found}

    def publish(self, name, kind, port):
        """Another service of this name, until the process that is returned ends."""
        process = subprocess.Popen(["avahi-publish", "-s", name, kind, str(port)], env=self.environment,
                                   stderr=subprocess.PIPE, text=True)
        assert "Established" in process.stderr.readline()
        return process

    def end(self):
        self.avahi.kill()
        self.bus.kill()


@pytest.fixture
def network(tmp_path):
    if not shutil.which("avahi-daemon") or not shutil.which("avahi-browse"):
        pytest.skip("avahi-daemon and avahi-utils are not installed")
    made = Network(tmp_path)
    made.start_bus()
    yield made
    made.end()


@pytest.fixture
def server(tmp_path, registry, network):
    port = free_port()
    server = Segue(tmp_path / "segue", registry, local={"music_directory": tmp_path / "music"},
                   server={"listen": [f"0.0.0.0:{port}"], "default_permissions": ["read"]},
                   zeroconf={"name": "Music in the %h"})
    (tmp_path / "music").mkdir()
    server.port = port
    server.environment["DBUS_SYSTEM_BUS_ADDRESS"] = network.environment["DBUS_SYSTEM_BUS_ADDRESS"]
    yield server
    server.kill()


def name_of(server_name="Music in the "):
    return server_name + os.uname().nodename


def test_the_server_is_found_with_its_name_and_port_until_it_ends(server, network):
    network.start_avahi()
    server.start()
    host, port, text = wait_for(lambda: network.browse("_mpd._tcp")[name_of()], 60, "the server")
    assert (host, port) == ("kitchen.local", server.port) and "server=Segue" in text
    assert server.stop()[0] == 0
    wait_for(lambda: not network.browse("_mpd._tcp"), 60, "its end")


def test_the_server_is_found_when_avahi_comes_late_and_when_it_comes_again(server, network):
    server.start()
    for _ in range(2):
        network.start_avahi()
        wait_for(lambda: name_of() in network.browse("_mpd._tcp"), 60, "the server")
        network.avahi.stop()
    assert server.is_running


def test_a_name_that_is_taken_gets_another_one(server, network):
    network.start_avahi()
    other = network.publish(name_of(), "_mpd._tcp", 6601)
    try:
        server.start()
        found = wait_for(lambda: (services := network.browse("_mpd._tcp")).keys() >= {name_of(), name_of() + " #2"}
                         and services, 60, "the server under another name")
        assert found[name_of()][1] == 6601
    finally:
        other.kill()


def test_the_page_is_found_where_other_machines_reach_it(server, network):
    network.start_avahi()
    port = free_port()
    server.sections["web"] = {"listen": [f"0.0.0.0:{port}"]}
    server.start()
    host, found, text = wait_for(lambda: network.browse("_http._tcp")[name_of()], 60, "the page")
    assert (host, found) == ("kitchen.local", port) and "path=/" in text


def test_a_server_that_only_this_machine_can_reach_is_not_announced(server, network):
    network.start_avahi()
    server.sections["server"]["listen"] = [f"127.0.0.1:{server.port}"]
    server.sections["output"] = [{"type": "httpd", "name": "Phones", "port": free_port()}]
    server.start()
    assert list(wait_for(lambda: network.browse("_http._tcp"), 60, "the output")) == [f"Phones - {name_of()}"]
    assert not network.browse("_mpd._tcp")


def test_nothing_is_said_of_a_bus_that_is_not_there(server, network):
    network.bus.kill()
    server.start()
    assert server.client().status()["state"] == "stop"
    assert not [line for line in server.log.splitlines() if "announced" in line and "debug" not in line.lower()]
    assert server.stop()[0] == 0


def test_the_server_is_found_when_the_bus_comes_late(server, network):
    network.bus.kill()
    (network.folder / "bus").unlink(missing_ok=True)
    server.start()
    wait_for(lambda: "there is no system bus" in server.log, 30, "the first attempt")
    network.start_bus()
    network.start_avahi()
    wait_for(lambda: name_of() in network.browse("_mpd._tcp"), 90, "the server")
    assert server.stop()[0] == 0


def test_names_that_are_all_taken_are_one_clear_line(server, network):
    network.start_avahi()
    names = [name_of()] + [f"{name_of()} #{number}" for number in range(2, 22)]
    others = [subprocess.Popen(["avahi-publish", "-s", name, "_mpd._tcp", "6601"], env=network.environment,
                               stderr=subprocess.PIPE, text=True) for name in names]
    try:
        for other in others:
            assert "Established" in other.stderr.readline()
        server.start()

        def lines():
            return [line for line in server.log.splitlines() if "is not announced" in line]
        assert "20 names" in wait_for(lines, 60, "the line")[0]
        assert server.stop()[0] == 0 and len(lines()) == 1
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_bus_that_goes_away_does_no_harm(server, network):
    network.start_avahi()
    server.start()
    wait_for(lambda: name_of() in network.browse("_mpd._tcp"), 60, "the server")
    network.bus.kill()
    wait_for(lambda: "bus has disappeared" in server.log, 30, "the line")
    assert server.client().status()["state"] == "stop"
    assert server.stop()[0] == 0
    assert server.log.count("bus has disappeared") == 1


def test_the_server_is_found_again_when_the_bus_was_started_anew(server, network):
    network.start_avahi()
    server.start()
    wait_for(lambda: name_of() in network.browse("_mpd._tcp"), 60, "the server")
    network.avahi.kill()
    network.bus.kill()
    (network.folder / "bus").unlink(missing_ok=True)
    network.start_bus()
    network.start_avahi()
    wait_for(lambda: name_of() in network.browse("_mpd._tcp"), 90, "the server on the new bus")
    assert server.stop()[0] == 0


def test_an_avahi_that_may_not_be_asked_is_one_clear_line(server, network):
    network.bus.kill()
    (network.folder / "bus").unlink(missing_ok=True)
    configuration = network.bus.configuration
    configuration.write_text(configuration.read_text().replace(
        "</policy>", '<deny send_destination="org.freedesktop.Avahi"/></policy>'))
    network.start_bus()
    network.start_avahi()
    server.start()

    def lines():
        return [line for line in server.log.splitlines() if "announced" in line]
    assert "doesn't let this user talk to Avahi" in wait_for(lines, 30, "the line")[0]
    # Avahi that comes again is asked again, and refuses again.
    network.avahi.stop()
    network.start_avahi()
    assert server.client().status()["state"] == "stop"
    assert server.stop()[0] == 0
    assert len(lines()) == 1, lines()
