import Coordination
import MusicModel
import Playback
import Testing

@testable import PlaybackEngine

@Suite("The connection of a stream")
struct StreamLinkTests {
    private static let pauses = (first: Duration.milliseconds(500), longest: Duration.seconds(15))

    @Test("pauses between attempts grow to the longest; after good sound the first attempt is made at once")
    func backOff() {
        var link = StreamLink()
        link.begin(at: .zero)
        let waits = (0..<8).map { _ in link.connectionEnded(at: .zero, pauses: Self.pauses).milliseconds }
        #expect(waits == [500, 1000, 2000, 4000, 8000, 15000, 15000, 15000])
        _ = link.soundCame(at: .zero)
        _ = link.soundCame(at: .seconds(6))
        #expect(link.connectionEnded(at: .seconds(7), pauses: Self.pauses) == .zero)
    }

    @Test("a station that breaks off again and again is not tried without pauses")
    func shortSounds() {
        var link = StreamLink()
        link.begin(at: .zero)
        var waits: [Int] = []
        for attempt in 0..<3 {
            _ = link.soundCame(at: .seconds(attempt))
            let end = Nanoseconds.seconds(attempt) + Nanoseconds(count: 1)
            waits.append(link.connectionEnded(at: end, pauses: Self.pauses).milliseconds)
        }
        #expect(waits == [500, 1000, 2000])
        #expect(link.hasSounded)
    }

    @Test("the streams of a playlist are tried in turn, and then the playlist is read again")
    func targets() {
        var link = StreamLink()
        link.begin(at: .zero)
        #expect(link.address(for: "http://a/b.m3u") == "http://a/b.m3u")
        link.targets.beginReading()
        link.targets.found(["http://1", "http://2"])
        #expect(link.address(for: "http://a/b.m3u") == "http://1")
        _ = link.connectionEnded(at: .zero, pauses: Self.pauses)
        #expect(link.address(for: "http://a/b.m3u") == "http://2")
        _ = link.connectionEnded(at: .zero, pauses: Self.pauses)
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
        link.begin(at: .zero)
        #expect(link.complaintToTell(at: .seconds(9)) == nil, "it never sounded, and nothing is known to be wrong")
        link.failure = StreamFailure(message: "this is not audio", isNoSound: true)
        #expect(link.complaintToTell(at: .seconds(9)) == nil, "the playlist is read first")
        link.failure = StreamFailure(message: "no route to host")
        #expect(link.complaintToTell(at: .seconds(9)) == "no route to host; trying again")
        #expect(link.complaintToTell(at: .seconds(10)) == nil, "that was told")
        _ = link.soundCame(at: .seconds(11))
        #expect(link.complaintToTell(at: .seconds(20)) == nil, "it sounds")
        link.silentSince = .seconds(20)
        #expect(link.complaintToTell(at: .seconds(23)) == nil)
        #expect(link.complaintToTell(at: .seconds(24)) == "no sound comes any more; waiting for it")
    }

    @Test("a stream that ends near its length, or where it ended before, is over; elsewhere it broke off")
    func ends() {
        var link = StreamLink()
        #expect(link.isEnd(at: .seconds(5), of: nil))
        #expect(link.isEnd(at: .seconds(59), of: .seconds(60)))
        #expect(!link.isEnd(at: .seconds(50), of: .seconds(60)))
        #expect(link.isEnd(at: .seconds(3540), of: .seconds(3600)), "lengths are estimates")
        link.renewedAt = .seconds(50)
        #expect(link.isEnd(at: .seconds(50), of: .seconds(60)), "a new connection gave no more")
    }
}
