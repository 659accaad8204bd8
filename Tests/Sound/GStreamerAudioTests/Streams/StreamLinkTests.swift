import MusicModel
import Playback
import Testing

@testable import GStreamerAudio

@Suite("The connection of a stream")
struct StreamLinkTests {
    private static let second: Int64 = 1_000_000_000
    private static let pauses = (first: Duration.milliseconds(500), longest: Duration.seconds(15))

    @Test("pauses between attempts grow to the longest; after good sound the first attempt is made at once")
    func backOff() {
        var link = StreamLink()
        link.begin(at: 0)
        let waits = (0..<8).map { _ in link.connectionEnded(at: 0, pauses: Self.pauses) / 1_000_000 }
        #expect(waits == [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000])
        _ = link.soundCame(at: 0)
        _ = link.soundCame(at: 6 * Self.second)
        #expect(link.connectionEnded(at: 7 * Self.second, pauses: Self.pauses) == 0)
    }

    @Test("a station that breaks off again and again is not tried without pauses")
    func shortSounds() {
        var link = StreamLink()
        link.begin(at: 0)
        var waits: [Int64] = []
        for attempt in 0..<3 {
            _ = link.soundCame(at: Int64(attempt) * Self.second)
            waits.append(link.connectionEnded(at: Int64(attempt) * Self.second + 1, pauses: Self.pauses) / 1_000_000)
        }
        #expect(waits == [500, 1000, 2000])
        #expect(link.hasSounded)
    }

    @Test("the streams of a playlist are tried in turn, and then the playlist is read again")
    func targets() {
        var link = StreamLink()
        link.begin(at: 0)
        #expect(link.address(for: "http://a/b.m3u") == "http://a/b.m3u")
        link.targets.beginReading()
        link.targets.found(["http://1", "http://2"])
        #expect(link.address(for: "http://a/b.m3u") == "http://1")
        _ = link.connectionEnded(at: 0, pauses: Self.pauses)
        #expect(link.address(for: "http://a/b.m3u") == "http://2")
        _ = link.connectionEnded(at: 0, pauses: Self.pauses)
        #expect(link.targets == StreamTargets())
    }

    @Test(
        "only addresses of playlists look like playlists, and HLS is a stream",
        arguments: [
            ("http://a/b.m3u", true), ("http://a/b.PLS?x=1", true), ("http://a/b.xspf", true),
            ("http://a/b.m3u8", false),
            ("http://a/b.mp3", false), ("http://a/?file=b.m3u", false),
        ])
    func checks(url: String, isPlaylist: Bool) {
        #expect(StreamTargets.isLikelyPlaylist(url) == isPlaylist)
    }

    @Test("credentials are kept apart from a stream's address")
    func credentials() {
        #expect(StreamAddress("http://ada:se%40cret@host:8000/live?a=b#Name").url == "http://host:8000/live?a=b")
        #expect(StreamAddress("http://host/live").url == "http://host/live")
    }

    @Test("a redirection keeps the login within the origin and nowhere else")
    func redirections() {
        let address = StreamAddress("http://ada:se%40cret@Host.example/a/live?x#charset=cp1251")
        #expect(address.hasLogin && !StreamAddress("http://host.example/live").hasLogin)
        #expect(address.redirected(to: "b?y=1") == "http://ada:se%40cret@Host.example/a/b?y=1")
        #expect(address.redirected(to: "//host.example:80/c") == "http://ada:se%40cret@host.example:80/c")
        #expect(address.redirected(to: "http://bob:other@host.example/c") == "http://bob:other@host.example/c")
        for elsewhere in [
            "https://host.example/live", "http://host.example:8000/live", "http://example/live",
            "http://host.example.thief.example/live", "http://host.example@thief.example/live",
        ] {
            #expect(address.redirected(to: elsewhere) == elsewhere)
        }
        for nowhere in ["file:///etc/passwd", "data:audio/mpeg;base64,AAAA", "http://", "ftp://host.example/live"] {
            #expect(address.redirected(to: nowhere) == nil, "\(nowhere)")
        }
    }

    @Test("a trouble is told once: its cause, or that no sound comes for a while")
    func complaints() {
        var link = StreamLink()
        link.begin(at: 0)
        #expect(link.complaintToTell(at: 9 * Self.second) == nil, "it never sounded, and nothing is known to be wrong")
        link.failure = StreamFailure(message: "this is not audio", isNoSound: true)
        #expect(link.complaintToTell(at: 9 * Self.second) == nil, "the playlist is read first")
        link.failure = StreamFailure(message: "no route to host")
        #expect(link.complaintToTell(at: 9 * Self.second) == "no route to host; trying again")
        #expect(link.complaintToTell(at: 10 * Self.second) == nil, "that was told")
        _ = link.soundCame(at: 11 * Self.second)
        #expect(link.complaintToTell(at: 20 * Self.second) == nil, "it sounds")
        link.silentSince = 20 * Self.second
        #expect(link.complaintToTell(at: 23 * Self.second) == nil)
        #expect(link.complaintToTell(at: 24 * Self.second) == "no sound comes any more; waiting for it")
    }

    @Test("a stream that ends near its length, or where it ended before, is over; elsewhere it broke off")
    func ends() {
        var link = StreamLink()
        #expect(link.isEnd(at: 5 * Self.second, of: nil))
        #expect(link.isEnd(at: 59 * Self.second, of: 60 * Self.second))
        #expect(!link.isEnd(at: 50 * Self.second, of: 60 * Self.second))
        #expect(link.isEnd(at: 3540 * Self.second, of: 3600 * Self.second), "lengths are estimates")
        link.renewedAt = 50 * Self.second
        #expect(link.isEnd(at: 50 * Self.second, of: 60 * Self.second), "a new connection gave no more")
    }
}
