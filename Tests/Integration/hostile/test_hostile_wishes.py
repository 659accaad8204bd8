"""Attacks on the whole program by a server that reads wishes in words: answers that are no answer, too large, too slow,
or without an end. HostilePromptServerTests shows many more in process."""
import gzip
import json
import socket
import time

import pytest
from harness.raw_server import WebServer, page, without_end
from harness.segue import Segue
from harness.waiting import wait_for
from harness.watch import PATIENCE

JSON = "application/json"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def web():
    """What Segue takes for its prompt server."""
    made = WebServer()
    yield made
    made.close()


@pytest.fixture(scope="module")
def server(library, web, registry, tmp_path_factory):
    """Segue with a folder and a prompt server that it need not wait long for."""
    running = Segue(tmp_path_factory.mktemp("wishes"), registry, local={"music_directory": library[0]},
                    **{"dj.prompt": {"url": web.url, "timeout": 2}})
    yield running
    running.kill()


@pytest.fixture
def wish(target, web):
    """Sends a wish while the prompt server answers so, and waits for what the listener is told."""
    def run(answer, words="music of 1994", seconds=20 * PATIENCE):
        web.answers["/chat/completions"] = answer
        web.asked.clear()
        with target.raw() as client:
            assert client.ask(b"subscribe dj") == [b"OK"]
            assert client.ask(f'sendmessage dj "prompt {words}"'.encode()) == [b"OK"]
            heard = []

            def told():
                heard.extend(line[9:].decode() for line in client.ask(b"readmessages") if line.startswith(b"message: "))
                return next((text for text in heard if "looking for" in text or "no genre" in text), None)
            return wait_for(told, seconds, f"an answer to the wish; heard {heard}", every=0.1)
    yield run
    target.ask(b'sendmessage dj "off"', b"clear")


def chat(content):
    """An answer with this text of a model."""
    return page(json.dumps({"choices": [{"message": {"content": content}}]}), JSON)


def byte_by_byte(connection, *_):
    """Sends 60,000 bytes in as many pieces."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(HEAD + b"Content-Length: 60000\r\n\r\n")
    for _ in range(60_000):
        connection.sendall(b"{")


def drip(connection, *_):
    """Sends a byte now and then until Segue goes."""
    connection.sendall(HEAD + b"Content-Length: 60000\r\n\r\n")
    while True:
        connection.sendall(b" ")
        time.sleep(0.1)


ATTACKS = {
    "another protocol": b"\x16\x03\x01\x00\x02\x02\x28" * 100,
    "10 MB packed": page(gzip.compress(b" " * (10 << 20)), JSON, "Content-Encoding: gzip"),
    "a body without an end": without_end(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b" " * 4096 + b"\r\n"),
    "headers without an end": without_end(b"HTTP/1.1 200 OK\r\n", b"X-Header: " + b"a" * 1000 + b"\r\n"),
    "a byte now and then": drip,
    "60,000 pieces": byte_by_byte,
    "a cut answer": HEAD + b"Content-Length: 60000\r\n\r\n{",
    "a redirection": b"HTTP/1.1 307 Elsewhere\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
    "deep lists": page("[" * 60_000, JSON),
    "deep objects in the text": chat('{"genres":' * 5_000),
    "a song": chat("Kind of Blue"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_whatever_the_prompt_server_answers_rules_read_the_wish(wish, target, web, name):
    told = wish(ATTACKS[name])
    assert told.endswith(", so rules read it: looking for 1994") and told.startswith("the prompt server ")
    assert "/elsewhere" not in web.asked
    assert "Kind of Blue" not in target.server.log


def test_of_an_answer_only_what_songs_can_have_counts(wish):
    query = {"year_from": 1e18, "energy_from": 5, "energy_to": -5, "genres": ["\x1b[2J", "No genre of ours"] * 1000}
    told = wish(chat(json.dumps(query)))
    assert "looking for 2999" in told and "\x1b" not in told and "ours" not in told


def test_a_client_that_wishes_without_an_end_keeps_no_other_waiting(target, web):
    web.answers["/chat/completions"] = lambda *_: web.closing.wait(60)
    with target.raw() as client:
        for number in range(5000):
            client.send(f'sendmessage dj "prompt number {number}"\n'.encode())
            assert client.answer_or_end() == b"OK"
    target.ask(b'sendmessage dj "off"')
