"""Certificates of one's own, and connections that are encrypted with them."""
import socket
import ssl
import subprocess

from .programs import need

EC = ("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
RSA = ("rsa:2048",)


def openssl(*arguments, piped=None):
    """Runs openssl; gives what it wrote."""
    need("openssl")
    return subprocess.run(["openssl", *arguments], input=piped, check=True, capture_output=True, timeout=60).stdout


def make_certificate(folder, name, days=90, kind=EC):
    """Makes a certificate for this machine and its key; the paths of both."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    openssl("req", "-x509", "-newkey", *kind, "-nodes", "-days", str(days), "-keyout", key, "-out", certificate, "-subj",
            f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
    key.chmod(0o600)
    return certificate, key


class Line:
    """A connection of an MPD client, plain or encrypted, line by line."""

    def __init__(self, port, certificate=None, host="127.0.0.1", path=None):
        if path:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(30)
            self.socket.connect(str(path))
        else:
            self.socket = socket.create_connection((host, port), timeout=30)
        if certificate:
            context = ssl.create_default_context(cafile=certificate)
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
        self.file = self.socket.makefile("rwb", buffering=0)
        self.greeting = self.file.readline()
        assert self.greeting.startswith(b"OK MPD"), self.greeting

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def ask(self, command):
        """Sends a command; the lines of its answer, the last one included."""
        self.file.write(command.encode() + b"\n")
        lines = []
        while not lines or not lines[-1].startswith(("OK", "ACK")):
            line = self.file.readline()
            if not line:
                raise EOFError("the server hung up")
            lines.append(line.decode().rstrip("\n"))
        return lines

    @property
    def peer_name(self):
        """The name in the server's certificate."""
        subject = dict(part[0] for part in self.socket.getpeercert()["subject"])
        return subject["commonName"]
