import AudioFiles
import AudioOutputs
import CSound
import Coordination
import Foundation
import MusicModel
import NetworkAddresses

extension DeckPipeline {
    /// How much decoded sound is kept of a stream that plays.
    private static let playingReserve: Nanoseconds = .seconds(8)
    /// How much of one that waits for its turn: a megabyte at most.
    private static let restingReserve: Nanoseconds = .milliseconds(2500)
    /// The same in bytes, for streams whose times say nothing.
    private static let maxReserve = 16_777_216

    /// Builds a deck for a stream, always in stereo, so that stations can overlap.
    convenience init?(stream request: StreamRequest, _ memoryBudget: MemoryBudget = .unlimited) {
        // Telephone quality must not become what the next station sounds like.
        let rate = request.rate.map { "(int)\($0)" } ?? "(int)[44100,768000]"
        self.init(
            launch: "uridecodebin name=decode expose-all-streams=false caps=audio/x-raw", feed: nil,
            tail: Self.streamTail(rate: rate, memoryBudget))
        guard let decode = pipeline.child("decode") else { return nil }
        ElementPolicy.stream.rule(decode.pointer)
        let address = StreamAddress(request.url)
        WebSources.prepare()
        segue_set_string(decode.pointer, "uri", address.url)
        address.configureSources(of: decode, request)
        setResting(request.isAhead, isEndless: true)
        segue_watch_end(queue.pointer)
    }

    /// Builds a deck for a capture device, which is a stream without an end.
    convenience init?(lineInput input: LineInput, _ request: StreamRequest, _ memoryBudget: MemoryBudget) {
        let rate = request.rate.map { "(int)\($0)" } ?? "(int)[44100,768000]"
        let channels = input.channels.map { "(int)\($0)" } ?? "(int)[1,2]"
        self.init(
            launch: """
                alsasrc name=device do-timestamp=true ! audio/x-raw,rate=\(input.rate),channels=\(channels) \
                ! identity name=decode !
                """, feed: nil, tail: Self.streamTail(rate: rate, memoryBudget))
        guard let device = pipeline.child("device") else { return nil }
        segue_set_string(device.pointer, "device", input.device)
        setResting(request.isAhead, isEndless: true)
        segue_watch_end(queue.pointer)
    }

    private static func streamTail(rate: String, _ memoryBudget: MemoryBudget) -> String {
        """
        audioconvert name=convert dithering=none ! audioresample \
        ! audio/x-raw,format=F32LE,layout=interleaved,channels=2,rate=\(rate) \
        ! queue name=queue max-size-buffers=0 max-size-bytes=\(bytes(maxReserve, memoryBudget)) \
        ! appsink name=sink sync=false enable-last-sample=false max-buffers=1
        """
    }

    /// Keeps the newest sound of a stream, or all for playing; a stream with an end waits where it is.
    func setResting(_ isResting: Bool, isEndless: Bool) {
        let reserve = isResting ? Self.restingReserve : Self.playingReserve
        segue_set_int64(queue.pointer, "max-size-time", reserve.signedClockTime)
        let leakDownstream: gint = 2
        segue_set_int(queue.pointer, "leaky", isResting && isEndless ? leakDownstream : 0)
        // Many at a time can be pulled of what plays; what rests offers just one piece, which grows old.
        segue_set_int(sink.pointer, "max-buffers", isResting ? 1 : Self.offered)
        guard isResting, isEndless else { return }
        for _ in 0...Self.offered where pull() == nil { return }
    }

    /// How many pieces can be pulled without waiting for the streaming thread.
    private static let offered: gint = 24

    /// True if the stream comes in pieces named by a playlist that continues (HLS, DASH).
    var isSegmented: Bool { has("hlsdemux", "hlsdemux2", "dashdemux", "dashdemux2") }
}

/// A stream's URL with its credentials apart from it, so that they get into no message of GStreamer's.
struct StreamAddress {
    var url: String
    /// The charset that the fragment names for titles (`#charset=cp1251`), where the system knows it.
    private(set) var charset: String?
    private var user: String?
    private var password: String?

    init(_ text: String) {
        url = text
        guard var parts = URLComponents(string: text) else { return }
        charset = parts.fragment.flatMap { Self.charset(in: $0) }
        (user, password) = (parts.user, parts.password)
        (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
        url = parts.string ?? text
    }

    /// True if there is a user name: redirections are followed here, since the source would log in wherever they lead.
    var hasLogin: Bool { user != nil }

    /// Where a redirection leads, with the login only within the same origin; nil for what is not of the web.
    func redirected(to location: String) -> String? {
        guard let here = URL(string: url), let there = URL(string: location, relativeTo: here),
            var parts = URLComponents(url: there, resolvingAgainstBaseURL: true), let origin = Self.origin(parts)
        else { return nil }
        if parts.user == nil, origin == URLComponents(string: url).flatMap({ Self.origin($0) }) {
            (parts.user, parts.password) = (user, password)
        }
        return parts.string
    }

    private static func origin(_ parts: URLComponents) -> WebOrigin? {
        WebOrigin(scheme: parts.scheme, host: parts.percentEncodedHost, port: parts.port)
    }

    private static func charset(in fragment: String) -> String? {
        let parameters = fragment.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        guard let name = parameters.first(where: { $0.count == 2 && $0[0] == "charset" })?[1],
            TextDecoding.knows(charset: String(name))
        else { return nil }
        return String(name)
    }

    /// True if a URL is one of the web, beyond which nothing is opened for a stream.
    static func isOfWeb(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }

    /// Tells every web source that the element makes how to connect.
    func configureSources(of decode: ElementReference, _ request: StreamRequest) {
        decode.connect("source-setup") { source in
            configure(source.assumingMemoryBound(to: GstElement.self), timeout: request.timeout)
        }
    }

    private func configure(_ source: UnsafeMutablePointer<GstElement>, timeout: Int) {
        segue_close_ended_responses()
        func set(_ name: String, _ value: String?) {
            guard let value, segue_has_property(source, name) != 0 else { return }
            segue_set_string(source, name, value)
        }
        set("user-id", user)
        set("user-pw", password)
        if user != nil, segue_has_property(source, "automatic-redirect") != 0 {
            segue_set_boolean(source, "automatic-redirect", 0)
        }
        if segue_has_property(source, "timeout") != 0 { segue_set_int(source, "timeout", gint(timeout)) }
        // The engine decides what comes after a failure, as it knows whether a listener waits.
        if segue_has_property(source, "retries") != 0 { segue_set_int(source, "retries", 0) }
    }
}
