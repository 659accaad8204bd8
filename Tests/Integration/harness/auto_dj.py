"""The auto-DJ as clients see it."""
from .waiting import wait_for


def switch(client):
    """The auto-DJ among the outputs."""
    return next(output for output in client.outputs() if output["plugin"] == "dj")


def titles(client):
    """The titles in the queue."""
    return [song["title"] for song in client.playlistinfo()]


def wait_for_songs(client, count):
    """Waits until the queue has that many songs."""
    return wait_for(lambda: len(titles(client)) == count and titles(client), 20, f"{count} songs in the queue")


def listen(server):
    """A client that hears what the auto-DJ says; the function waits for a message with these words."""
    client = server.client()
    client.subscribe("dj")
    heard = []

    def expect(words):
        def look():
            heard.extend(message["message"] for message in client.readmessages())
            return next((text for text in heard if words in text), None)
        return wait_for(look, 30, f"a message with {words!r}; heard {heard}")
    expect.heard = heard
    return expect
