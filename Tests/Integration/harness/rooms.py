"""Servers that an output sends its sound to: Snapcast with its clients, and Icecast."""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

from .processes import Daemon, free_port, wait_for_port
from .programs import need
from .waiting import wait_for


class Snapserver(Daemon):
    """A Snapcast server whose only stream comes from a TCP source."""

    def __init__(self, folder, source="tcp", sample_format="44100:16:2"):
        need("snapserver", "snapclient")
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / "snapserver.log")
        self.folder = folder
        self.port, self.control, self.source = free_port(), free_port(), free_port()
        self.pipe = folder / "fifo"
        address = (f"tcp://127.0.0.1:{self.source}?name=Segue&mode=server" if source == "tcp"
                   else f"pipe://{self.pipe}?name=Segue&mode=create")
        (folder / "data").mkdir(exist_ok=True)
        self.configuration = folder / "snapserver.conf"
        self.configuration.write_text(
            f"[server]\ndatadir = {folder / 'data'}\n[http]\nenabled = false\n"
            f"[tcp]\nenabled = true\nbind_to_address = 127.0.0.1\nport = {self.control}\n"
            f"[stream]\nbind_to_address = 127.0.0.1\nport = {self.port}\nbuffer = 400\ncodec = flac\n"
            f"source = {address}&sampleformat={sample_format}&chunk_ms=20\n")

    def start(self):
        """Starts serving."""
        self.launch(["snapserver", "--config", self.configuration], {"PATH": "/usr/bin:/bin", "HOME": str(self.folder)})
        wait_for_port(self, self.control)
        return self

    def call(self, method, **parameters):
        """Asks the server as another Snapcast app would; gives the result."""
        request = {"id": 1, "jsonrpc": "2.0", "method": method}
        if parameters:
            request["params"] = parameters
        with socket.create_connection(("127.0.0.1", self.control), timeout=10) as connection:
            connection.sendall(json.dumps(request).encode() + b"\r\n")
            for line in connection.makefile("rb"):
                answer = json.loads(line)
                if answer.get("id") == 1:
                    return answer["result"]
        raise EOFError("the server gave no answer")

    def volume(self, client):
        """The loudness of a client as the server has it."""
        return self.call("Client.GetStatus", id=client)["client"]["config"]["volume"]


class Snapclient(Daemon):
    """A Snapcast client that writes what it plays into a file."""

    def __init__(self, folder, server, identity):
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / f"{identity}.log")
        self.server, self.identity = server, identity
        self.folder, self.file = folder, folder / f"{identity}.pcm"

    def start(self):
        """Begins to play."""
        self.launch(["snapclient", "-h", "127.0.0.1", "-p", self.server.port, "--hostID", self.identity, "--player",
                     f"file:filename={self.file},mode=w", "--logsink", "stderr"],
                    {"PATH": "/usr/bin:/bin", "HOME": str(self.folder)})
        wait_for(lambda: any(client["id"] == self.identity for group in
                             self.server.call("Server.GetStatus")["server"]["groups"] for client in group["clients"]),
                 30, f"the client {self.identity} at the server")
        return self

    @property
    def heard(self):
        """The samples played so far, 16 bit stereo."""
        return self.file.read_bytes() if self.file.exists() else b""


class Icecast(Daemon):
    """An Icecast server; with `certificate`, the path of a file with its key, it has a port for TLS as well."""

    PASSWORD = "hackme-source"

    def __init__(self, certificate=None):
        need("icecast2")
        # Root can't run it: it becomes a user who may not read the tests' folders.
        folder = pathlib.Path(tempfile.mkdtemp(prefix="segue-icecast-"))
        folder.chmod(0o777)
        super().__init__(folder / "icecast.out")
        self.folder, self.port, self.secure_port = folder, free_port(), free_port()
        sockets = f"<listen-socket><port>{self.port}</port><bind-address>127.0.0.1</bind-address></listen-socket>"
        secret = ""
        if certificate:
            sockets += (f"<listen-socket><port>{self.secure_port}</port><bind-address>127.0.0.1</bind-address>"
                        "<ssl>1</ssl></listen-socket>")
            shutil.copy(certificate, folder / "icecast.pem")
            (folder / "icecast.pem").chmod(0o644)
            secret = f"<ssl-certificate>{folder}/icecast.pem</ssl-certificate>"
        web = "/usr/share/icecast2"
        owner = ("<changeowner><user>nobody</user><group>nogroup</group></changeowner>" if os.geteuid() == 0 else "")
        self.configuration = folder / "icecast.xml"
        self.configuration.write_text(f"""<icecast>
  <limits><clients>20</clients><sources>4</sources><source-timeout>5</source-timeout>
    <burst-on-connect>0</burst-on-connect></limits>
  <authentication><source-password>{self.PASSWORD}</source-password><relay-password>x</relay-password>
    <admin-user>admin</admin-user><admin-password>hackme-admin</admin-password></authentication>
  <hostname>localhost</hostname>
  {sockets}
  <paths><basedir>{folder}</basedir><logdir>{folder}</logdir><webroot>{web}/web</webroot>
    <adminroot>{web}/admin</adminroot>{secret}</paths>
  <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>4</loglevel></logging>
  <security><chroot>0</chroot>{owner}</security>
</icecast>
""")

    def start(self):
        """Starts serving."""
        self.launch(["icecast2", "-c", self.configuration], {"PATH": "/usr/bin:/bin", "HOME": str(self.folder)})
        wait_for_port(self, self.port)
        return self

    def remove(self):
        """Ends the server and removes its folder."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def mounts(self):
        """What is being sent to it, by mount, as its status page says."""
        # Icecast 2.4 crashes now and then when its status is asked for while a source comes or goes.
        if self.process.poll() == -signal.SIGSEGV:
            self.start()
        self.fail_unless_running()
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(b"GET /status-json.xsl HTTP/1.0\r\n\r\n")
            body = connection.makefile("rb").read().split(b"\r\n\r\n", 1)[1]
        # Icecast writes some values so that they are no JSON; without a stream nearly all of it, or nothing.
        try:
            sources = (json.loads(re.sub(rb':\s*-\s*,', b': null,', body))["icestats"] or {}).get("source", [])
        except ValueError:
            return {}
        sources = sources if isinstance(sources, list) else [sources]
        return {"/" + source["listenurl"].rsplit("/", 1)[1]: source for source in sources}


class Listener:
    """Someone who listens to a stream over HTTP; `stalls` asks but never reads."""

    def __init__(self, port, path="/", headers=(), stalls=False):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        if stalls:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, "", ""]
        self.socket.sendall("\r\n".join(request).encode())
        self.data = bytearray()
        self.is_over = False
        if not stalls:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        """Collects what arrives until the end."""
        try:
            while piece := self.socket.recv(65536):
                self.data.extend(piece)
        except OSError:
            pass
        self.is_over = True

    @property
    def head(self):
        """The status line and headers, once they are there."""
        return bytes(self.data).split(b"\r\n\r\n", 1)[0].decode("latin-1") if b"\r\n\r\n" in self.data else ""

    @property
    def body(self):
        """The stream so far."""
        return bytes(self.data).split(b"\r\n\r\n", 1)[1] if b"\r\n\r\n" in self.data else b""

    def close(self):
        """Leaves."""
        self.socket.close()


def decoded(folder, data, ending, rate=44100):
    """What a decoder makes of a stream's bytes: 16 bit stereo samples. Broken ends are left out."""
    source, target = folder / f"stream.{ending}", folder / f"stream.{ending}.pcm"
    source.write_bytes(data)
    # Not GStreamer, which has encoded it.
    need("ffmpeg")
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-f", "s16le", "-ac", "2", "-ar", str(rate), target],
                   check=False, timeout=120, capture_output=True)
    return target.read_bytes()


def loudness(samples):
    """The mean of the samples' sizes."""
    values = memoryview(samples[:len(samples) // 4 * 4]).cast("h")
    return sum(map(abs, values)) / max(1, len(values))
