"""`segue check`: what it finds on this machine, for people, scripts and reports."""
import json
import re
import socket
import subprocess

import pytest
from harness.processes import free_port
from harness.segue import ROOT, Segue


@pytest.fixture
def patient(tmp_path, registry, library):
    """A configuration of a server that is not started."""
    segue = Segue(tmp_path / "segue", registry, local={"music_directory": library[0]}, desktop={"enabled": False},
                  zeroconf={"enabled": False}, web={"listen": [f"127.0.0.1:{free_port()}"]})
    segue.write_configuration()
    yield segue
    if segue.is_running:
        segue.stop()


def findings(segue):
    """The exit status, and what was found by subject."""
    result = segue.run("check", "--json", "--config", segue.configuration)
    return result.returncode, {found["subject"]: found for found in json.loads(result.stdout)["findings"]}


@pytest.mark.smoke
def test_a_machine_without_faults(patient):
    status, found = findings(patient)
    assert {name: one["text"] for name, one in found.items() if one["level"] == "failure"} == {}
    assert status == 0
    assert "no server runs there now" in found[f"port {patient.port}"]["text"]
    assert found["music folder"]["level"] == found["disk"]["level"] == found["descriptors"]["level"] == "ok"


def test_a_running_server_holds_its_own_ports(patient):
    patient.start()
    status, found = findings(patient)
    assert status == 0
    assert re.search(r"^MPD clients, held by segue \(process \d+\)$", found[f"port {patient.port}"]["text"])
    assert found["database"]["level"] == "ok" and "is whole" in found["database"]["text"]


@pytest.mark.smoke
def test_a_port_that_another_program_took(patient):
    with socket.create_server(("127.0.0.1", patient.port)):
        status, found = findings(patient)
    assert status == 1
    port = found[f"port {patient.port}"]
    assert port["level"] == "failure" and re.search(r"taken by python.* \(process \d+\)", port["text"])


def test_a_sound_server_that_is_not_there(patient, tmp_path):
    patient.sections["output"] = [{"type": "pulse", "name": "Desk"}]
    patient.write_configuration()
    patient.environment["XDG_RUNTIME_DIR"] = str(tmp_path / "runtime")
    result = patient.run("check", "--config", patient.configuration)
    assert result.returncode == 1
    assert f"FAIL PulseAudio: no socket at {tmp_path}/runtime/pulse/native" in result.stdout


def test_only_what_is_needed_is_looked_for(patient, tmp_path):
    patient.sections["zeroconf"] = {"enabled": True}
    patient.sections["desktop"] = {"enabled": True}
    patient.sections["output"] = [{"type": "auto", "name": "Desk"}]
    patient.environment["XDG_RUNTIME_DIR"] = str(tmp_path)
    patient.write_configuration()
    found = findings(patient)[1]
    assert not {"Avahi", "D-Bus"} & set(found), "only this machine is served"
    assert found["desktop"]["level"] == "warning"
    assert [name for name in found if name.startswith("sound card")], "no sound server is here"
    (tmp_path / "bus").touch()
    patient.sections["server"]["listen"] = [f"0.0.0.0:{patient.port}"]
    patient.write_configuration()
    found = findings(patient)[1]
    assert {"Avahi", "D-Bus"} <= set(found) and found["desktop"]["level"] == "ok"


def test_a_damaged_database(patient):
    patient.start()
    patient.stop()
    path = patient.folder / "state/segue.db"
    # With the log of the last writes the pages behind the damage might be whole again.
    path.with_name("segue.db-wal").unlink(missing_ok=True)
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 60_000)
    status, found = findings(patient)
    assert status == 1 and found["database"]["level"] == "failure"


def test_a_report_has_no_secret_and_is_for_its_owner(patient, tmp_path):
    patient.sections["server.password"] = [{"password": "open-sesame", "permissions": ["read"]}]
    patient.write_configuration()
    path = tmp_path / "report.txt"
    result = patient.run("check", "--report", path, "--config", patient.configuration)
    assert result.returncode == 0, result.stdout + result.stderr
    text = path.read_text(encoding="utf-8")
    assert text.startswith("Segue 0.") and "password = (secret)" in text and "music folder" in text
    assert "open-sesame" not in text and path.stat().st_mode & 0o077 == 0


def test_the_dashboard_and_the_alerts_ask_for_figures_that_exist():
    """Every figure that they name is one that Segue writes, and promtool reads the rules."""
    source = (ROOT / "Sources/Clients/WebAPI/Resources/Server/MetricsResource.swift").read_text(encoding="utf-8")
    written = set(re.findall(r'"((?:segue|process)_[a-z_]+)"', source))
    dashboard = json.loads((ROOT / "contrib/grafana/segue.json").read_text(encoding="utf-8"))
    asked = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    asked += (ROOT / "contrib/grafana/alerts.yml").read_text(encoding="utf-8").split("annotations")[0]
    names = {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\b(?:segue|process)_[a-z_]+", asked)}
    assert len(names) > 15 and names - written == set()
    rules = ROOT / "contrib/grafana/alerts.yml"
    try:
        judged = subprocess.run(["promtool", "check", "rules", rules], capture_output=True, text=True, timeout=60)
    except FileNotFoundError:
        pytest.skip("promtool is not installed")
    assert judged.returncode == 0, judged.stderr
