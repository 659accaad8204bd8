"""Clients of the HTTP interface: requests in JSON, a WebSocket, and events, over plain sockets."""
import base64
import contextlib
import http.client
import json
import os
import socket
import struct
import time


class Answer:
    """A status, a header and a body."""

    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def error(self):
        """What went wrong, as the body says it."""
        return self.json["error"]


class Web:
    """Asks a server's HTTP interface; each request by a connection of its own."""

    def __init__(self, port, token=None, cookie=None):
        self.port, self.token, self.cookie = port, token, cookie
        self.own_origin = f"http://127.0.0.1:{port}"

    def request(self, method, path, body=None, headers=None, timeout=20):
        """Sends a request; `body` is what becomes JSON, or bytes."""
        fields = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        if self.cookie:
            fields.update({"Cookie": self.cookie, "Origin": self.own_origin})
        fields.update(headers or {})
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            connection.request(method, path, data, {name: value for name, value in fields.items() if value is not None})
            return Answer(connection.getresponse())

    def get(self, path, **headers):
        """The JSON of something that has to be there."""
        answer = self.request("GET", path, headers=headers)
        assert answer.status == 200, (path, answer.status, answer.body)
        return answer.json

    def post(self, path, body=None, **headers):
        """Changes something; the answer's JSON, or None without any."""
        answer = self.request("POST", path, body if body is not None else {}, headers)
        assert answer.status in (200, 201, 202, 204), (path, answer.status, answer.body)
        return answer.json if answer.body else None

    def sign_in(self, password):
        """Keeps a session from now on."""
        answer = self.request("POST", "/api/session", {"password": password})
        if answer.status == 200:
            self.cookie = answer.headers["set-cookie"].split(";")[0]
        return answer

    def socket(self, **options):
        """A WebSocket."""
        return Socket(self.port, cookie=self.cookie, token=self.token, **options)


class Socket:
    """A WebSocket with the few frames that are needed; bytes that are no frame can be sent as well."""

    def __init__(self, port, path="/api/socket", origin=None, protocol=None, cookie=None, token=None, timeout=20):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        fields = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                  "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        if cookie:
            origin = origin or f"http://127.0.0.1:{port}"
            fields.append(f"Cookie: {cookie}")
        fields += [f"Origin: {origin}"] if origin else []
        fields += [f"Authorization: Bearer {token}"] if token else []
        fields += [f"Sec-WebSocket-Protocol: {protocol}"] if protocol else []
        self.connection.sendall("\r\n".join([*fields, "", ""]).encode())
        self.file = self.connection.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = http.client.parse_headers(self.file)

    def send(self, message, opcode=1, final=True):
        """Sends a frame; what is neither text nor bytes becomes JSON."""
        data = message if isinstance(message, (bytes, str)) else json.dumps(message)
        data = data if isinstance(data, bytes) else data.encode()
        mask = os.urandom(4)
        size = len(data)
        length = bytes([0x80 | size]) if size < 126 else (
            b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self.connection.sendall(bytes([(0x80 if final else 0) | opcode]) + length + mask + masked)

    def receive(self):
        """The next frame: its opcode and its bytes; None at the end."""
        head = self.file.read(2)
        if len(head) < 2:
            return None
        size = head[1] & 127
        if size > 125:
            size = struct.unpack(*((">H", self.file.read(2)) if size == 126 else (">Q", self.file.read(8))))[0]
        return head[0] & 15, self.file.read(size)

    def message(self, seconds=60):
        """The next message as JSON; pings are answered meanwhile, and may not be all that comes for so long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            frame = self.receive()
            assert frame is not None, "the socket was closed"
            opcode, data = frame
            if opcode == 9:
                self.send(data, opcode=10)
            elif opcode in (1, 2):
                return json.loads(data)
            elif opcode == 8:
                raise AssertionError(f"the socket was closed: {data}")
        raise AssertionError(f"no message came within {seconds} s, only pings")

    def wait_for(self, kind, where=lambda data: True, seconds=60):
        """The data of the next message of a type for which `where` is true; other messages may come all the while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.message(end - time.monotonic())
            if message.get("type") == kind and where(message["data"]):
                return message["data"]
        raise AssertionError(f"no such message of the type {kind} came within {seconds} s")

    def call(self, *commands):
        """Sends commands and waits for their answer; what else comes meanwhile is passed over."""
        self.send({"id": 7, "mpd": [list(command) for command in commands]})
        while True:
            message = self.message()
            if message.get("id") == 7:
                return message

    def close(self):
        """Closes the connection."""
        self.file.close()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def events(port, path="/api/events", token=None):
    """What comes as events, one message after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
    response = connection.getresponse()
    assert response.status == 200 and response.headers["content-type"].startswith("text/event-stream")
    with contextlib.closing(connection):
        while line := response.readline():
            if line.startswith(b"data: "):
                yield json.loads(line[6:])
