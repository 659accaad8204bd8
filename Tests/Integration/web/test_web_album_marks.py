"""Stars and ratings of albums that share a title with albums of others."""
import pytest
from harness.music import make_one_title
from harness.processes import free_port
from harness.segue import Segue
from harness.web import Web

ARTISTS = ("Ada", "Nora")


@pytest.fixture(scope="module")
def server(registry, tmp_path_factory):
    """Segue with a folder of two albums of one title."""
    folder = tmp_path_factory.mktemp("hits")
    make_one_title(folder, ARTISTS)
    running = Segue(tmp_path_factory.mktemp("marks") / "segue", registry, local={"music_directory": folder},
                    web={"listen": [f"127.0.0.1:{free_port()}"]}).start(len(ARTISTS))
    yield running
    running.stop()


@pytest.fixture
def web(server):
    """Its HTTP interface."""
    return Web(int(server.sections["web"]["listen"][0].split(":")[1]))


@pytest.fixture
def twins(web):
    """The two albums, without marks."""
    albums = web.get("/api/albums")["items"]
    assert [album["title"] for album in albums] == ["Greatest Hits"] * 2
    web.post("/api/mpd", [["sticker", "set", "Album", "Greatest Hits", name, "0"] for name in ("like", "rating")])
    web.post("/api/mpd", [["sticker", "delete", "Album", "Greatest Hits", name] for name in ("like", "rating")])
    return albums


def shown(web, twins, field):
    """What the albums themselves say."""
    return [web.get(f"/api/albums/{each['id']}")[field] for each in twins]


def test_a_star_is_that_album_s_alone(web, twins):
    """In lists, in the album itself and on its artist's view; so is a rating, and taking both away."""
    one, other = twins
    assert web.request("PUT", f"/api/albums/{one['id']}/star", {"starred": True}).status == 204
    assert web.request("PUT", f"/api/albums/{one['id']}/rating", {"rating": 7}).status == 204
    assert shown(web, twins, "starred") == [True, False]
    assert shown(web, twins, "rating") == [7, None]
    assert [each["id"] for each in web.get("/api/albums?starred=1")["items"]] == [one["id"]]
    assert [each["starred"] for each in web.get("/api/albums")["items"]] == [True, False]
    assert [each["starred"] for each in web.get(f"/api/artists/{other['artistId']}")["albums"]] == [False]
    assert web.request("PUT", f"/api/albums/{other['id']}/rating", {"rating": 4}).status == 204
    assert web.request("PUT", f"/api/albums/{one['id']}/star", {"starred": False}).status == 204
    assert web.request("PUT", f"/api/albums/{one['id']}/rating", {"rating": None}).status == 204
    assert web.get("/api/albums?starred=1")["total"] == 0
    assert shown(web, twins, "rating") == [None, 4]


def test_an_open_page_hears_of_the_second_star_of_a_title(web, twins):
    """The sticker of the title, which MPD's clients see, says the same as before."""
    one, other = twins
    web.request("PUT", f"/api/albums/{one['id']}/star", {"starred": True})
    with web.socket() as socket:
        socket.wait_for("status")
        web.request("PUT", f"/api/albums/{other['id']}/star", {"starred": True})
        socket.wait_for("marks")
    assert shown(web, twins, "starred") == [True, True]


def test_a_sticker_of_the_title_is_for_all_of_its_albums(web, twins):
    """As in MPD's protocol, which knows albums by their titles."""
    one, _ = twins
    web.request("PUT", f"/api/albums/{one['id']}/star", {"starred": True})
    web.post("/api/mpd", [["sticker", "delete", "Album", one["title"], "like"]])
    assert shown(web, twins, "starred") == [False, False]
    web.post("/api/mpd", [["sticker", "set", "Album", one["title"], "like", "2"]])
    assert shown(web, twins, "starred") == [True, True]
    web.request("PUT", f"/api/albums/{one['id']}/star", {"starred": False})
    assert shown(web, twins, "starred") == [False, True]
