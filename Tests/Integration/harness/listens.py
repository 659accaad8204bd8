"""Where supysonic reports plays to: it keeps no count of its own, but passes each on to ListenBrainz.

A listen has the song and the time of its start, so it shows more than a count would.
"""
import http.server
import json
import threading


class ListenLog:
    """Stands for ListenBrainz and notes what arrives."""

    def __init__(self):
        self.received = []
        log = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Accepts every listen."""

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                for listen in body["payload"]:
                    metadata = listen["track_metadata"]
                    log.received.append((body["listen_type"], metadata["track_name"], listen.get("listened_at")))
                answer = b'{"status": "ok"}'
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def plays(self, title):
        """The times, in Unix seconds, at which plays of a song were said to have started."""
        return [time for kind, name, time in self.received if kind == "single" and name == title]

    def now_playing(self, title):
        """How often a song was announced as playing."""
        return sum(kind == "playing_now" and name == title for kind, name, _ in self.received)

    def close(self):
        """Ends the server."""
        self.server.shutdown()
        self.server.server_close()
