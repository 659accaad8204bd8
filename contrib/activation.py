"""Checks of contrib/test-package: systemd's sockets start the service, the system's and a user's."""
from fresh_system import active, wait

WEB = r"""exec 3<>/dev/tcp/127.0.0.1/6610; printf 'GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3; cat <&3"""


def page(system, *prefix):
    """Asks the page how it is, and answers the first line."""
    return system(*prefix, "bash", "-c", WEB, check=False).partition("\r\n")[0]


def activation(system):
    """starts when the first client connects, and keeps the sockets"""
    system("systemctl", "stop", "segue")
    system("systemctl", "start", "segue.socket")
    assert system.property("ActiveState") == "inactive"
    assert "volume:" in system("mpc", "-h", "/run/segue/socket", "status")
    active(system)
    assert "volume:" in system("mpc", "-h", "127.0.0.1", "status")
    system("systemctl", "stop", "segue.service")
    assert "socket" in system("stat", "-c", "%F", "/run/segue/socket")
    assert "volume:" in system("mpc", "status")
    system("systemctl", "stop", "segue.socket", "segue.service")
    system("systemctl", "start", "segue")


def page_activation(system):
    """starts when the first browser connects, beside the socket of MPD's clients"""
    system("systemctl", "stop", "segue")
    system("systemctl", "start", "segue.socket", "segue-web.socket")
    assert system.property("ActiveState") == "inactive"
    assert " 200 " in page(system), system.log()
    active(system)
    assert "volume:" in system("mpc", "status")
    system("systemctl", "stop", "segue.service")
    assert system.property("ActiveState", "segue-web.socket") == "active"
    assert " 200 " in page(system), "it was started once, and no second time"
    system("systemctl", "stop", "segue.socket", "segue-web.socket", "segue.service")
    system("systemctl", "start", "segue")


def user_service(system):
    """runs for one user, too, from that user's folders, and starts by that user's sockets"""
    system("systemctl", "stop", "segue")
    system("useradd", "-m", "listener")
    uid = system("id", "-u", "listener").strip()
    system("loginctl", "enable-linger", "listener")
    wait(lambda: "socket" in system("stat", "-c", "%F", f"/run/user/{uid}/systemd/private", check=False), 60,
         "the user's systemd")
    mine = ["runuser", "-u", "listener", "--", "env", f"XDG_RUNTIME_DIR=/run/user/{uid}", "HOME=/home/listener"]
    system(*mine, "mkdir", "-p", "/home/listener/.config/segue")
    system(*mine, "tee", "/home/listener/.config/segue/segue.toml",
           text='[local]\nmusic_directory = "/srv/music"\n[[output]]\ntype = "null"\n')
    wait(lambda: "running" in system(*mine, "systemctl", "--user", "is-system-running", check=False), 60,
         "the user's services")
    system(*mine, "systemctl", "--user", "start", "segue")
    wait(lambda: "songs:3" in system("mpc", "stats").replace(" ", "").lower(), 60, "the album")
    assert "volume:" in system(*mine, "mpc", "-h", f"/run/user/{uid}/mpd/socket", "status")
    assert system("stat", "-c", "%U", "/home/listener/.local/state/segue/segue.db").strip() == "listener"
    user_activation(system, mine, uid)
    system("loginctl", "disable-linger", "listener")
    system("systemctl", "start", "segue")


def user_activation(system, mine, uid):
    """The user's sockets do the same, for the clients of the session and for browsers."""
    def state(unit):
        return system(*mine, "systemctl", "--user", "is-active", unit, check=False).strip()
    system(*mine, "systemctl", "--user", "stop", "segue.service")
    system(*mine, "systemctl", "--user", "start", "segue.socket", "segue-web.socket")
    assert state("segue.service") == "inactive"
    assert "volume:" in system(*mine, "mpc", "-h", f"/run/user/{uid}/mpd/socket", "status")
    wait(lambda: state("segue.service") == "active", 30, "the user's service")
    system(*mine, "systemctl", "--user", "stop", "segue.service")
    assert " 200 " in page(system, *mine)
    assert state("segue.service") == "active"
    system(*mine, "systemctl", "--user", "stop", "segue.socket", "segue-web.socket", "segue.service")
