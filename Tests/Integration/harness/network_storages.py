"""Storages of other machines: servers with a folder of music, and a session in which GVfs mounts them."""
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from .processes import Daemon, can_connect_to, free_port, wait_for_port
from .waiting import wait_for

PASSWORD = "correct horse/battery@staple"
"""A password with what has to be escaped in an address."""
ESCAPED = "correct%20horse%2Fbattery%40staple"

SERVICES = pathlib.Path("/usr/share/dbus-1/services")

# Of the services that are installed only GVfs's daemon is started, not those that watch the machine's own disks.
CONFIGURATION = """<busconfig><type>session</type><listen>{address}</listen><servicedir>{services}</servicedir>
<policy context="default"><allow own="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
</policy></busconfig>"""


def missing_for_folders():
    """Why this user can't have storages as folders; an empty text where that is possible."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "this user may not use /dev/fuse"
    if not shutil.which("fusermount3"):
        return "fusermount3 is not installed"
    return "" if pathlib.Path("/usr/libexec/gvfsd-fuse").exists() else "gvfs-fuse is not installed"


class StorageSession(Daemon):
    """A session with a bus of its own."""

    def __init__(self, folder, has_gvfs=True):
        super().__init__(folder / "session.log")
        if not shutil.which("dbus-daemon"):
            pytest.skip("dbus-daemon is not installed")
        if has_gvfs and not (SERVICES / "org.gtk.vfs.Daemon.service").exists():
            pytest.skip("gvfs-backends is not installed")
        # The paths of sockets may not be long.
        self.runtime = pathlib.Path(tempfile.mkdtemp(prefix="segue-"))
        services = folder / "services"
        services.mkdir(exist_ok=True)
        if has_gvfs:
            shutil.copy(SERVICES / "org.gtk.vfs.Daemon.service", services)
        self.address = f"unix:path={self.runtime}/bus"
        self.configuration = folder / "session.conf"
        self.configuration.write_text(CONFIGURATION.format(address=self.address, services=services))
        self.environment = {"DBUS_SESSION_BUS_ADDRESS": self.address, "XDG_RUNTIME_DIR": str(self.runtime)}
        self.home = folder

    def start(self):
        """Starts the bus; GVfs begins when it is asked for."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", **self.environment}
        self.launch(["dbus-daemon", f"--config-file={self.configuration}", "--nofork"], environment)
        wait_for(lambda: can_connect_to(self.runtime / "bus"), 10, "the session's bus")
        return self

    @property
    def volumes(self):
        """The names of the storages that are mounted as folders."""
        folder = self.runtime / "gvfs"
        return sorted(os.listdir(folder)) if folder.exists() else []

    def end(self):
        """Ends the session, and with it what GVfs has mounted."""
        self.kill()
        with open("/proc/mounts") as mounts:
            left = str(self.runtime) in mounts.read()
        if left:
            subprocess.run(["fusermount3", "-uz", self.runtime / "gvfs"], check=False)
        (self.runtime / "bus").unlink(missing_ok=True)

    def close(self):
        """Ends the session for good."""
        self.end()
        shutil.rmtree(self.runtime, ignore_errors=True)


class StorageServer(Daemon):
    """rclone with a folder for one user, by WebDAV."""

    def __init__(self, folder, music, certificate=None):
        super().__init__(folder / "storage.log")
        if not shutil.which("rclone"):
            pytest.skip("rclone is not installed")
        (self.home, self.music, self.certificate, self.port) = (folder, music, certificate, free_port())

    def start(self):
        """Starts serving, at the same port each time."""
        options = ["--cert", self.certificate[0], "--key", self.certificate[1]] if self.certificate else []
        self.launch(["rclone", "serve", "webdav", "--addr", f"127.0.0.1:{self.port}", "--user", "me", "--pass", PASSWORD,
                     "--dir-cache-time", "1s", *options, self.music],
                    {"PATH": os.environ["PATH"], "HOME": str(self.home)})
        wait_for_port(self, self.port)
        return self

    def address(self, path="", login=f"me:{ESCAPED}@"):
        """The address of a folder below the served one."""
        return f"{'davs' if self.certificate else 'dav'}://{login}127.0.0.1:{self.port}{path}"
