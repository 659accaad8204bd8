"""A server between Segue and an honest Subsonic server, which spoils answers on demand."""
import contextlib
import http.client
import json
import socket
import threading
import time
import urllib.parse


class MiddleMan:
    """Hands requests on to `upstream` and answers as `rule` says.

    A rule takes the connection, the call's name and the honest answer (status, content type, body); it returns the
    answer to send instead, or None when it has sent what it wanted itself.
    """

    def __init__(self, upstream):
        self.upstream = urllib.parse.urlsplit(upstream)
        self.rule = None
        self.calls = frozenset()
        self.spoiled = []
        """The calls that were not answered honestly."""
        self.ended = []
        """The calls of those answers that are at their end: all is sent, or Segue has hung up."""
        self.spoiling = set()
        """The connections on which something is being sent that is not honest."""
        self.closing = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def spoil(self, rule, *calls):
        """Answers some calls, or all, by a rule from now on."""
        self.spoiled.clear()
        self.ended.clear()
        self.closing = threading.Event()
        self.calls, self.rule = frozenset(calls), rule

    def be_honest(self):
        """Hands everything on as it is, and ends what is being sent."""
        self.rule = None
        self.closing.set()
        for connection in list(self.spoiling):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self):
        """Takes no more connections."""
        self.be_honest()
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException), connection:
            lines = connection.makefile("rb")
            while request := lines.readline():
                method, path, _ = request.decode("latin-1").split(" ", 2)
                headers = {}
                while (line := lines.readline()) not in (b"\r\n", b"\n", b""):
                    name, _, value = line.decode("latin-1").partition(":")
                    headers[name.strip().lower()] = value.strip()
                body = lines.read(int(headers.get("content-length", 0)))
                if not self._answer(connection, method, path, headers, body):
                    return

    def _answer(self, connection, method, path, headers, body):
        call = path.split("?")[0].rpartition("/")[2].removesuffix(".view")
        if call in ("events", "login"):
            # Without the server's events, Segue looks at its status every second.
            answer = 404, "text/plain", b"not here"
        else:
            answer = self._ask(method, path, headers, body)
        rule = self.rule
        if rule and (not self.calls or call in self.calls):
            self.spoiled.append(call)
            self.spoiling.add(connection)
            try:
                # `be_honest` ends only what it finds in the set.
                answer = rule(connection, call, answer) if self.rule else answer
            finally:
                self.spoiling.discard(connection)
                self.ended.append(call)
            if answer is None:
                return False
        status, kind, content = answer
        connection.sendall(f"HTTP/1.1 {status} OK\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n\r\n"
                           .encode() + content)
        return True

    def _ask(self, method, path, headers, body):
        upstream = http.client.HTTPConnection(self.upstream.hostname, self.upstream.port, timeout=20)
        kept = {name: value for name, value in headers.items() if name in ("content-type", "authorization")}
        upstream.request(method, path, body or None, kept)
        answer = upstream.getresponse()
        content = answer.read()
        upstream.close()
        return answer.status, answer.getheader("Content-Type", ""), content


def changed(change):
    """A rule that changes what JSON holds; what isn't JSON stays."""
    def rule(_, call, answer):
        status, kind, content = answer
        try:
            value = json.loads(content)
        except ValueError:
            return answer
        made = change(value.get("subsonic-response", {}), call)
        text = made if isinstance(made, bytes) else json.dumps({"subsonic-response": made}).encode()
        return status, kind, text
    return rule


def every(kinds, new, keys=None):
    """A change of all values of some types to another value, those of the envelope and of lists' counts excepted."""
    def change(value, call):
        def walk(part, key, depth):
            if depth > 1 and isinstance(part, kinds) and not isinstance(part, bool) and (keys is None or key in keys):
                return new
            if isinstance(part, dict):
                return {name: walk(inner, name, depth + 1) for name, inner in part.items()}
            if isinstance(part, list):
                return [walk(inner, key, depth) for inner in part]
            return part
        return walk(value, "", 0)
    return change


def sends(data, then=None, pause=0.0):
    """A rule that sends bytes as they are, and then pieces without end until it is stopped, a `pause` apart."""
    def rule(connection, call, answer):
        del call, answer
        connection.sendall(data)
        if then is not None:
            with contextlib.suppress(OSError):
                connection.settimeout(5)
                while then:
                    connection.sendall(then)
                    time.sleep(pause)
        return None
    return rule


def waits(man, data=b"", drip=b""):
    """A rule that sends bytes and then a drip ten times a second, or nothing, until the server is honest again."""
    def rule(connection, call, answer):
        del call, answer
        connection.sendall(data)
        closing = man.closing
        while not closing.wait(0.1):
            if drip:
                connection.sendall(drip)
        return None
    return rule
