import Coordination
import MusicModel
import Playback
import Testing

@testable import PlaybackEngine

@Suite("Supervision of streams")
struct StreamSupervisionTests {
    private static let second = Nanoseconds.seconds(1)

    private struct NoPlaylists: StreamResolving {
        func streams(inPlaylist url: String) async -> [String]? { nil }
    }

    private func supervision(reading: Bool = false) -> StreamSupervision {
        StreamSupervision(RadioSettings(.init(timeout: .seconds(10)), resolver: reading ? NoPlaylists() : nil))
    }

    /// A link to a station that was asked for at zero.
    private func link(sounding: Bool = false, targets: [String] = []) -> StreamLink {
        var link = StreamLink()
        link.begin(at: .zero)
        if sounding {
            _ = link.soundCame(at: .zero)
            link.silentSince = .zero
        }
        link.targets.found(targets)
        return link
    }

    private func order(
        _ link: StreamLink, _ phase: PlayingDeck.Phase = .ready, isSegmented: Bool = false, at seconds: Int
    ) -> StreamSupervision.Order? {
        supervision().order(for: link, phase, isSegmented: isSegmented, at: .seconds(seconds))
    }

    @Test("a station that never sounds is given up after the time that it has, with the cause if that is known")
    func neverSounds() {
        #expect(order(link(), at: 10) == nil)
        #expect(order(link(), at: 11) == .giveUp("no sound came within 10 seconds"))
        var refused = link()
        refused.failure = StreamFailure(message: "connection refused")
        #expect(order(refused, at: 11) == .giveUp("connection refused"))
    }

    @Test("a station that has sounded is never given up, only connected again")
    func sounded() {
        let silent = link(sounding: true)
        #expect(order(silent, at: 10) == nil)
        #expect(order(silent, at: 11) == .reconnect(StreamFailure(message: "no sound comes any more")))
        #expect(order(silent, .fetching, at: 99) == nil, "the next attempt is waited for")
        #expect(order(silent, isSegmented: true, at: 30) == nil, "a broadcast in pieces goes on by itself")
        #expect(order(silent, isSegmented: true, at: 31) != nil)
        var sounding = silent
        _ = sounding.soundCame(at: .seconds(5))
        #expect(order(sounding, at: 99) == nil)
    }

    @Test("the streams of a playlist share the time that the station has")
    func share() {
        let link = link(targets: ["http://1", "http://2"])
        #expect(order(link, .opening, at: 5) == nil)
        #expect(order(link, .opening, at: 6) == .reconnect(StreamFailure(message: "no sound came in time")))
        var last = link
        last.failures = 1
        #expect(order(last, .opening, at: 6) == nil, "there is none left to try instead")
    }

    @Test("time in which nothing was mixed doesn't count as silence")
    func pauses() {
        var (supervision, link) = (supervision(), link())
        supervision.pass(&link, at: Self.second)
        #expect(link.silentSince == .zero)
        supervision.pass(&link, at: .seconds(61))
        #expect(link.silentSince == .seconds(60))
        #expect(supervision.order(for: link, .opening, isSegmented: false, at: .seconds(62)) == nil)
    }

    @Test("a connection that ended is followed by another attempt, after a pause")
    func retries() {
        var link = link()
        let failure = StreamFailure(message: "timeout")
        let consequence = supervision().consequence(
            of: failure, for: &link, isResting: false, isEndless: true, at: .seconds(3))
        #expect(consequence == .retry && link.failure == failure)
        #expect(link.retryAt == .seconds(3) + Self.second / 2)
    }

    @Test("a final failure ends a station that never sounded, a refusal also one that did, and neither one kept ready")
    func final() {
        let refused = StreamFailure(message: "not found", isFinal: true)
        func consequence(
            _ link: StreamLink, _ failure: StreamFailure = refused, isResting: Bool = false, isEndless: Bool = true
        ) -> StreamSupervision.Consequence {
            var link = link
            return supervision().consequence(
                of: failure, for: &link, isResting: isResting, isEndless: isEndless, at: .zero)
        }
        #expect(consequence(link()) == .giveUp("not found"))
        #expect(consequence(link(sounding: true)) == .retry)
        #expect(consequence(link(), isResting: true) == .retry)
        #expect(consequence(link(targets: ["http://1", "http://2"])) == .retry)
        let gone = StreamFailure(message: "not found", isFinal: true, isGone: true)
        #expect(consequence(link(sounding: true), gone) == .retry, "a broadcast that is away for a while")
        #expect(consequence(link(sounding: true), gone, isEndless: false) == .end)
        #expect(consequence(link(), gone, isEndless: false) == .giveUp("not found"))
        let tooMuch = StreamFailure(message: "it has 99 channels", isRefused: true)
        #expect(consequence(link(sounding: true), tooMuch) == .giveUp("it has 99 channels"), "as it will be again")
        #expect(consequence(link(sounding: true), tooMuch, isResting: true) == .retry)
        #expect(consequence(link(targets: ["http://1", "http://2"]), tooMuch) == .retry)
    }

    @Test("something else than sound is read as a playlist, once")
    func playlists() {
        let failure = StreamFailure(message: "this is not audio", isNoSound: true)
        var link = link()
        func consequence(reading: Bool) -> StreamSupervision.Consequence {
            supervision(reading: reading).consequence(
                of: failure, for: &link, isResting: false, isEndless: true, at: .zero)
        }
        #expect(consequence(reading: false) == .giveUp(failure.message))
        #expect(consequence(reading: true) == .readPlaylist)
        link.targets.beginReading()
        #expect(consequence(reading: true) == .giveUp(failure.message))
    }
}
