"""A door of TLS in front of a server that has none."""
import contextlib
import socket
import ssl
import threading


class SecureDoor:
    """Takes encrypted connections and hands them on to a port of this machine."""

    def __init__(self, port, certificate):
        """`certificate` is a file with a certificate and its key."""
        self._target = port
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """Takes no more connections."""
        # A thread that waits in accept is woken by shutdown alone.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._hand_on, args=(client,), daemon=True).start()

    def _hand_on(self, client):
        # Who refuses the certificate hangs up.
        with contextlib.suppress(OSError):
            outside = self._context.wrap_socket(client, server_side=True)
            inside = socket.create_connection(("127.0.0.1", self._target))
            threading.Thread(target=_copy, args=(inside, outside), daemon=True).start()
            _copy(outside, inside)


def _copy(source, target):
    with contextlib.suppress(OSError):
        while piece := source.recv(65536):
            target.sendall(piece)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)
