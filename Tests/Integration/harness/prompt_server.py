"""A server with OpenAI's interface for chats, whose answers and faults a test chooses."""
import http.server
import json
import select
import socket
import threading

KEY = "sk-0123456789abcdef"


class FakePromptServer:
    """Answers every chat with `query`; `calls` has every call's path, key and body."""

    def __init__(self, key=None):
        self.key = key
        self.query = {"genres": ["Dub"], "moods": [], "year_from": 1990, "year_to": 1992, "energy_from": None,
                      "energy_to": None, "tempo_from": None, "tempo_to": None}
        # "", "nonsense", "huge", "silent", "drip", "redirect", or a status.
        self.fault = ""
        # Whether it refuses requests that demand a form of the answer.
        self.refuses_schemas = False
        self.calls = []
        # How many requests Segue gave up before their answer.
        self.abandoned = 0
        self.closing = threading.Event()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                server.take(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        """Takes no more calls."""
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def wishes(self):
        """What listeners wished for, in the order of the requests."""
        return [body["messages"][1]["content"] for _, _, body in self.calls if body]

    def take(self, request):
        """Answers a call, or does what the fault says."""
        size = int(request.headers.get("content-length") or 0)
        body = json.loads(request.rfile.read(size)) if size else None
        self.calls.append((request.path, request.headers.get("authorization"), body))
        try:
            self.respond(request, body)
        except OSError:
            self.abandoned += 1

    def respond(self, request, body):
        """Sends an answer."""
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return self.send(request, 401, {"error": {"message": f"Incorrect API key: {self.key}"}})
        if request.path == "/v1/models":
            return self.send(request, 200, {"object": "list", "data": [{"id": "small:latest", "object": "model"}]})
        if request.path != "/v1/chat/completions":
            return self.send(request, 404, {"error": "not found"})
        if self.refuses_schemas and "response_format" in body:
            return self.send(request, 400, {"error": "'response_format' is not supported"})
        if isinstance(self.fault, int):
            return self.send(request, self.fault, {"error": {"message": "broken"}})
        content = json.dumps(self.query)
        if self.fault == "nonsense":
            content = "\x1b[31mI would play Kind of Blue by Miles Davis."
        elif self.fault == "huge":
            content += " " * (10 << 20)
        elif self.fault == "redirect":
            request.send_response(307)
            request.send_header("location", f"{self.url}/elsewhere")
            request.send_header("content-length", "0")
            return request.end_headers()
        elif self.fault == "silent":
            return self.wait_for_end(request.connection)
        elif self.fault == "drip":
            return self.drip(request)
        return self.send(request, 200, {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "small",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}})

    def send(self, request, status, value):
        """Sends a value as JSON."""
        data = json.dumps(value).encode()
        request.send_response(status)
        request.send_header("content-type", "application/json")
        request.send_header("content-length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def wait_for_end(self, connection):
        """Says nothing until Segue gives up."""
        while not self.closing.is_set():
            if select.select([connection], [], [], 0.1)[0] and not connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError
        return None

    def drip(self, request):
        """Begins an answer that never ends, each byte in time."""
        request.send_response(200)
        request.send_header("content-type", "application/json")
        request.send_header("content-length", "60000")
        request.end_headers()
        while not self.closing.wait(0.1):
            request.wfile.write(b" ")
