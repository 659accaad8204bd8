"""A fresh Debian or Ubuntu that runs a real systemd, for contrib/test-package."""
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import wave

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/package-test"
ARCHIVES = {"noble": ("http://archive.ubuntu.com/ubuntu", "main,universe")}


def run(*command, **options):
    """Runs a command of this machine, and says what it printed when it fails."""
    result = subprocess.run([str(part) for part in command], text=True, capture_output=True, **options)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {result.stdout}{result.stderr}")
    return result.stdout


def say(text):
    """A line for people; the last line of standard output is for scripts."""
    print(f"== {text}", file=sys.stderr, flush=True)


class System:
    """A booted system, in a folder of its own."""

    def __init__(self, suite, package, before=None):
        self.suite, self.folder, self.package, self.before = suite, WORK / f"root-{suite}", package, before
        self.init = None
        self.machine = None

    def make(self):
        """Unpacks a fresh system and fetches what the package needs, since it has no network later."""
        tarball = WORK / f"{self.suite}.tar"
        if not tarball.exists():
            # mmdebstrap goes by the name's ending.
            unfinished = tarball.with_name(f"unfinished-{self.suite}.tar")
            say(f"Making a system of {self.suite} (once)")
            mirror, components = ARCHIVES.get(self.suite, (None, "main"))
            run("mmdebstrap", "--variant=minbase", f"--components={components}",
                "--include=apt,systemd,systemd-sysv,dbus,libpam-systemd", self.suite, unfinished,
                *([mirror] if mirror else []))
            os.rename(unfinished, tarball)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        run("tar", "xf", tarball, "-C", self.folder)
        (self.folder / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
        packages = {"segue": self.package} | ({"before": self.before} if self.before else {})
        for name, package in packages.items():
            shutil.copy(package, self.folder / f"srv/{name}.deb")
        downloads = WORK / f"archives-{self.suite}"
        downloads.mkdir(exist_ok=True)
        self.nspawn(f"--bind={downloads}:/var/cache/apt/archives", "--pipe", "bash", "-c",
                    "apt-get update -qq && for package in /srv/*.deb; do "
                    "apt-get install -dyqq --no-install-recommends $package mpc || exit; done")
        run("cp", "-rn", f"{downloads}/.", self.folder / "var/cache/apt/archives/")
        self.music()

    def music(self):
        """Three songs of a minute; silence will do."""
        folder = self.folder / "srv/music/Band/Album"
        folder.mkdir(parents=True)
        for number in range(1, 4):
            with wave.open(str(folder / f"{number}.wav"), "wb") as song:
                song.setparams((2, 2, 44100, 0, "NONE", "not compressed"))
                song.writeframes(bytes(4 * 44100 * 60))

    def installed(self):
        """How many packages it has, and their size in KiB."""
        sizes = self("dpkg-query", "-W", "-f", "${Installed-Size}\n").split()
        return len(sizes), sum(map(int, sizes))

    def tell_growth(self, before, seconds):
        """Says what installing segue and mpc has brought since `before`."""
        (packages, size), own = self.installed(), int(self("dpkg-query", "-W", "-f", "${Installed-Size}", "segue"))
        say(f"apt install to ready: {seconds:.0f} s, without downloading; {own / 1024:.0f} MiB, and with it "
            f"{packages - before[0] - 2} packages of {(size - before[1] - own) / 1024:.0f} MiB beside mpc")

    def later_version(self):
        """The same package with a higher version; its path in the system."""
        folder = WORK / "later"
        shutil.rmtree(folder, ignore_errors=True)
        run("dpkg-deb", "-R", self.package, folder)
        control = folder / "DEBIAN/control"
        control.write_text(re.sub(r"^(Version: .*)$", r"\1+later", control.read_text(), flags=re.MULTILINE))
        run("dpkg-deb", "-Znone", "-b", folder, self.folder / "srv/later.deb")
        return "/srv/later.deb"

    def nspawn(self, *arguments):
        """Runs a command in the system while it isn't booted, with this machine's network."""
        return run("systemd-nspawn", "-q", "-D", self.folder, "--register=no", "--keep-unit", *arguments)

    def boot(self):
        """Starts systemd and waits until it has started everything."""
        binds = [f"--bind-ro={path}" for path in os.environ.get("SEGUE_TEST_PACKAGE_BIND", "").split(":") if path]
        with open(WORK / "console.log", "wb") as console:
            self.machine = subprocess.Popen(
                ["systemd-nspawn", "-q", "-D", str(self.folder), "--register=no", "--keep-unit", "--private-network",
                 "--console=pipe", *binds, "-b"], stdout=console, stderr=console, stdin=subprocess.DEVNULL)
        children = pathlib.Path(f"/proc/{self.machine.pid}/task/{self.machine.pid}/children")
        # The first child is systemd-nspawn itself, which makes the one that becomes systemd.
        self.init = wait(lambda: [child for child in children.read_text().split()
                                  if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "systemd"], 60,
                         "systemd-nspawn")[0]
        wait(lambda: self("systemctl", "is-system-running", check=False).strip() in ("running", "degraded"), 120,
             "systemd in the system")

    def __call__(self, *command, check=True, seconds=300, text=None):
        """Runs a command in the booted system; answers what it prints."""
        result = subprocess.run(
            ["nsenter", "-t", self.init, "-m", "-u", "-i", "-n", "-p", "-r", "-w", "env", "-i", "TERM=dumb",
             "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
             *map(str, command)], text=True, capture_output=True, timeout=seconds, input=text)
        if check and result.returncode:
            raise AssertionError(f"{' '.join(map(str, command))}: {result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    def property(self, name, unit="segue.service"):
        """What systemd knows of a unit."""
        return self("systemctl", "show", "-P", name, unit).strip()

    def log(self):
        """The service's lines since its last start."""
        return self("journalctl", "-u", "segue", "-o", "cat", "--no-pager", "-n", "60")

    def power_off(self):
        """Ends it."""
        if self.machine and self.machine.poll() is None:
            self.machine.send_signal(signal.SIGTERM)
            try:
                self.machine.wait(30)
            except subprocess.TimeoutExpired:
                self.machine.kill()
                self.machine.wait()


def wait(condition, seconds, what):
    """Waits until something is so."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, IndexError):
            if found := condition():
                return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.2)


def active(system):
    """Waits until the service runs."""
    wait(lambda: system.property("ActiveState") == "active", 60, f"the service; it says {system.log()}")
