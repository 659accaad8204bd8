"""Wishes in words that a language model's server reads, on the running program."""
import json

import pytest
from harness.auto_dj import listen
from harness.clients import mpc
from harness.music import make_two_genres
from harness.processes import free_port
from harness.prompt_server import KEY, FakePromptServer
from harness.waiting import wait_for
from harness.web import Web

SONGS = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Dub of the early nineties, and folk of the late ones."""
    music = tmp_path_factory.mktemp("wishes")
    make_two_genres(music, SONGS, "Secret")
    return music


@pytest.fixture
def prompts():
    """A server that reads wishes."""
    fake = FakePromptServer()
    yield fake
    fake.close()


@pytest.fixture
def start(folder, start_segue):
    """Starts the program with a server that reads wishes."""
    def with_server(prompts, **keys):
        return start_segue(songs=SONGS, local={"music_directory": folder}, dj={"switch": True, "artist_gap": 1},
                           **{"dj.prompt": {"url": prompts.url, **keys}})
    return with_server


def wish(client, words):
    """Sends a wish."""
    client.sendmessage("dj", f"prompt {words}")


def is_on(client):
    """Whether the auto-DJ is on."""
    return next(output for output in client.outputs() if output["plugin"] == "dj")["outputenabled"] == "1"


def genres(client):
    """The genres in the queue."""
    return {song["genre"] for song in client.playlistinfo()}


def test_a_model_turns_words_into_a_query_and_learns_no_more_than_documented(start, prompts):
    server = start(prompts, model="small")
    client, expect = server.client(), listen(server)
    client.add("Artist 5/Secret 05.flac")
    client.play(0)
    # Its end would have a fourth song picked.
    client.pause(1)
    wish(client, "something for a smoky basement")
    expect("asking the prompt server")
    expect("looking for dub, 1990 to 1992")
    wait_for(lambda: len(client.playlistinfo()) == 4, 20, "three picks")
    assert genres(client) == {"Folk", "Dub"}
    [(path, key, body)] = prompts.calls
    assert (path, key) == ("/v1/chat/completions", None)
    assert set(body) == {"model", "messages", "temperature", "max_tokens", "stream", "response_format"}
    assert body["model"] == "small"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == "something for a smoky basement"
    lists = body["messages"][0]["content"].splitlines()[-2:]
    assert [json.loads(line.split(": ", 1)[1]) for line in lists] == [["Dub", "Folk"], []]
    sent = json.dumps(body)
    assert not any(word in sent for word in ("Secret", "Artist 5", ".flac", "Album 5"))


def test_a_server_that_refuses_the_form_of_the_answer_is_asked_without_it(start, prompts):
    prompts.refuses_schemas = True
    server = start(prompts)
    client, expect = server.client(), listen(server)
    wish(client, "something dark")
    expect("looking for dub, 1990 to 1992")
    wish(client, "something darker")
    wait_for(lambda: len(prompts.calls) == 3, 20, "the second wish without a first refusal")
    assert ["response_format" in body for _, _, body in prompts.calls] == [True, False, False]
    assert "model" not in prompts.calls[0][2]


@pytest.mark.parametrize("fault, says", [
    ("nonsense", "sends an invalid answer"), ("huge", "sends too large an answer"), ("silent", "takes too long"),
    ("drip", "takes too long"), (500, "fails (HTTP 500)"), (404, "does not know the model"),
    ("redirect", "redirects elsewhere")])
def test_rules_read_a_wish_where_the_server_fails(start, prompts, fault, says):
    prompts.fault = fault
    # What is answered may take a busy machine longer than what is waited for in vain.
    server = start(prompts, timeout=1 if says == "takes too long" else 10)
    client, expect = server.client(), listen(server)
    for words in ("some folk", "more folk"):
        wish(client, words)
        assert f"the prompt server {says}" in expect("so rules read it: looking for folk")
        expect.heard.clear()
    wait_for(lambda: genres(client) == {"Folk"}, 20, "folk")
    assert prompts.wishes == ["some folk", "more folk"]
    log = server.log
    assert log.count("a wish was interpreted by rules") == 1, "one line for both"
    assert not any("elsewhere" in path for path, _, _ in prompts.calls)
    assert "Kind of Blue" not in log + str(expect.heard)
    assert server.memory < 250 << 20


def test_rules_read_a_wish_where_no_server_is_there(start, prompts):
    prompts.close()
    server = start(prompts)
    client, expect = server.client(), listen(server)
    wish(client, "some folk")
    expect("the prompt server can't be reached, so rules read it: looking for folk")
    prompt = server.run("check", "--config", server.configuration)
    assert "dj.prompt: the prompt server can't be reached" in prompt.stdout


def test_a_key_goes_to_the_server_and_nowhere_else(start):
    prompts = FakePromptServer(key=KEY)
    try:
        server = start(prompts, api_key=KEY, model="small")
        client, expect = server.client(), listen(server)
        wish(client, "something dark")
        expect("looking for dub")
        assert prompts.calls[0][1] == f"Bearer {KEY}"
        check = server.run("check", "--config", server.configuration)
        assert f"dj.prompt: wishes in words go to {prompts.url}" in check.stdout
        prompts.key = "another key"
        wish(client, "some folk")
        expect("the prompt server refuses the key, so rules read it: looking for folk")
        assert "refuses the key" in server.run("check", "--config", server.configuration).stdout
        log = server.log
        assert "refuses the key" in log and KEY not in log + str(expect.heard) and "another key" not in log
    finally:
        prompts.close()


def test_what_the_listener_does_meanwhile_cancels_the_request(start, prompts):
    prompts.fault = "silent"
    server = start(prompts)
    client, expect = server.client(), listen(server)
    client.add("Artist 5/Secret 05.flac")

    def given_up(count, words, act):
        # That request is never answered; clients are.
        wish(client, words)
        wait_for(lambda: words in prompts.wishes, 20, "the request")
        act()
        wait_for(lambda: prompts.abandoned == count, 20, "the end of the request")
    given_up(1, "first", lambda: client.sendmessage("dj", "off"))
    given_up(2, "second", lambda: client.sendmessage("dj", "undo"))
    expect("took the wish back")
    given_up(3, "third", client.clear)
    expect("forgot the wish, as the queue was emptied")
    given_up(4, "fourth", lambda: client.sendmessage("dj", "prompt"))
    expect("any music again")
    assert not is_on(client) and client.playlistinfo() == []
    mpc(server, "enable", "Auto DJ")
    given_up(5, "fifth", lambda: mpc(server, "disable", "Auto DJ"))
    assert not any("rules" in text for text in expect.heard)


def test_a_newer_wish_replaces_older_ones_and_there_is_one_request_at_a_time(start, prompts):
    prompts.fault = "silent"
    server = start(prompts)
    client, expect = server.client(), listen(server)
    wish(client, "the first")
    wait_for(lambda: prompts.wishes == ["the first"], 20, "the request")
    for number in range(50):
        wish(client, f"number {number}")
    prompts.fault = ""
    wish(client, "the last")
    expect("looking for dub, 1990 to 1992")
    assert prompts.abandoned >= 1
    assert prompts.wishes[-1] == "the last" and len(prompts.wishes) < 30
    assert len([text for text in expect.heard if text.startswith("looking for")]) == 1


def test_partitions_share_two_requests(start, prompts):
    prompts.fault = "silent"
    server = start(prompts)
    clients = []
    for number in range(4):
        client = server.client()
        client.newpartition(f"room{number}")
        client.partition(f"room{number}")
        client.subscribe("dj")
        clients.append(client)
    for number, client in enumerate(clients):
        wish(client, f"wish {number}")
        wait_for(lambda client=client: any("asking" in message["message"] for message in client.readmessages()), 20,
                 "the question")
        wait_for(lambda number=number: len(prompts.wishes) == min(number + 1, 2), 20, "the request")
    # A turn ends when its listener wants something else.
    for number in (0, 1):
        clients[number].sendmessage("dj", "off")
        wait_for(lambda number=number: len(prompts.wishes) == number + 3, 20, "the next one's turn")
    # Two that came within a few milliseconds may have taken their places in either order.
    assert prompts.wishes[:2] == ["wish 0", "wish 1"] and sorted(prompts.wishes[2:]) == ["wish 2", "wish 3"]
    assert prompts.abandoned <= 2


def test_the_server_ends_while_a_wish_is_read(start, prompts):
    prompts.fault = "silent"
    # It would be waited for longer than the end may take.
    server = start(prompts, timeout=120)
    client = server.client()
    wish(client, "something dark")
    wait_for(lambda: prompts.calls, 20, "the request")
    status, _ = server.stop(seconds=60)
    assert status == 0, (status, server.log[-2000:])


def test_a_wish_fills_a_queue_that_was_just_emptied(start, prompts):
    server = start(prompts)
    client, expect = server.client(), listen(server)
    mpc(server, "enable", "Auto DJ")
    wait_for(lambda: len(client.playlistinfo()) == 3, 20, "three picks")
    client.add("Artist 5/Secret 05.flac")
    client.play(3)
    wait_for(lambda: len(client.playlistinfo()) > 4, 20, "picks behind the listener's song")
    client.clear()
    wish(client, "something dark")
    expect("looking for dub")
    wait_for(lambda: genres(client) == {"Dub"}, 20, "dub")


def test_the_configuration_is_checked(start, prompts, folder, start_segue):
    server = start(prompts, model="large")
    check = server.run("check", "--config", server.configuration)
    assert f"the server at {prompts.url} has no model large" in check.stdout
    server.sections["dj.prompt"] = {"url": "http://203.0.113.1:9/v1", "timeout": 1}
    server.write_configuration()
    check = server.run("check", "--config", server.configuration)
    assert "dj.prompt.url is not encrypted and leaves the private network" in check.stdout


def test_a_page_waits_for_how_its_wish_was_understood_and_takes_it_back(folder, start_segue, prompts):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, dj={"switch": True, "artist_gap": 1},
                         web={"listen": [f"127.0.0.1:{(port := free_port())}"]}, **{"dj.prompt": {"url": prompts.url}})
    web, client = Web(port), server.client()
    assert web.get("/api/wish")["isEmpty"]
    answer = web.post("/api/wish", {"words": "something for a smoky basement"})
    assert (answer["by"], answer["genres"], answer["years"]) == ("server", ["dub"], [1990, 1992])
    assert answer["trouble"] is None
    wait_for(lambda: client.status()["state"] == "play", 20, "music to begin")
    assert genres(client) == {"Dub"}
    assert web.get("/api/wish")["genres"] == ["dub"]
    assert web.request("DELETE", "/api/wish").status == 204
    wait_for(lambda: len(client.playlistinfo()) <= 1, 10, "what waits to leave")
    assert not is_on(client)
    assert web.get("/api/wish")["isEmpty"]
    assert web.request("DELETE", "/api/wish").status == 404
    prompts.close()
    answer = web.post("/api/wish", {"words": "folk"})
    assert (answer["by"], answer["genres"]) == ("rules", ["folk"])
    assert "prompt server" in answer["trouble"]
    assert web.request("POST", "/api/wish", {"words": " "}).status == 400
    assert web.request("POST", "/api/wish", {"words": "x" * 301}).status == 400


def test_a_wish_beside_a_stopped_queue_begins_music(folder, start_segue):
    server = start_segue(songs=SONGS, local={"music_directory": folder}, dj={"switch": True, "artist_gap": 1},
                         web={"listen": [f"127.0.0.1:{(port := free_port())}"]})
    web, client = Web(port), server.client()
    for number in range(6):
        client.add(f"Artist {number}/Secret {number:02}.flac")
    web.post("/api/wish", {"words": "dub"})
    wait_for(lambda: client.status()["state"] == "play", 20, "music to begin")
    assert int(client.status()["song"]) == 6 and client.currentsong()["genre"] == "Dub"
