import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Events of Navidrome's stream. Events can be lost: they are hints that make things faster, and never proof.
package enum NavidromeEvent: Hashable, Sendable {
    /// Things of the library that were starred, rated or played, by their ids.
    package struct Resources: Hashable, Sendable {
        /// Those of each kind.
        package var songs: [String] = [], albums: [String] = [], artists: [String] = []
    }

    /// The stream is open; what happened before is unknown.
    case opened
    /// A scan of the files is under way, or is not any more.
    case scanning(Bool)
    /// A scan changed something: anything may be different.
    case everythingChanged
    /// Stars, ratings or plays changed.
    case changed(Resources)
}

extension NavidromeSession {
    /// Listens to the server's events until the stream ends, which it does when the server stops.
    ///
    /// Navidrome sends a sign of life every 15 seconds, so a dead connection is noticed by the idle time-out. `each` is
    /// given the events, one at a time.
    /// - Throws: `SubsonicError`, or `CancellationError`.
    package func follow(_ each: @Sendable (NavidromeEvent) async -> Void) async throws {
        let response = try await open("/api/events", accept: "text/event-stream")
        guard response.headers.first(name: "Content-Type")?.hasPrefix("text/event-stream") ?? false else {
            throw SubsonicError(.unsupported, "\(transport.shownAddress) sends no events.")
        }
        await each(.opened)
        var reader = EventStreamReader()
        do {
            for try await part in response.body {
                for event in try reader.add(part.readableBytesView) { await each(event) }
            }
        } catch { throw transport.failure(from: error) }
    }
}

/// Takes apart a stream of server-sent events.
/// - Source: HTML Living Standard, 9.2.6 "Interpreting an event stream"; Navidrome ends lines by line feeds only.
struct EventStreamReader {
    /// The longest event; a scan lists the ids of what it found.
    private static let maxEvent = 4 << 20

    private var line: [UInt8] = []
    private var name: [UInt8] = []
    private var data: [UInt8] = []

    /// Adds what arrived and returns the events that are complete; those of no interest are left out.
    mutating func add(_ bytes: ByteBufferView) throws -> [NavidromeEvent] {
        var events: [NavidromeEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if line.isEmpty, let event = take() { events.append(event) }
            read(line)
            line.removeAll(keepingCapacity: true)
        }
        guard line.count + data.count <= Self.maxEvent else {
            throw SubsonicError(.badAnswer, "The server sends an event without an end.")
        }
        return events
    }

    private mutating func read(_ line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        if line[..<colon].elementsEqual("event".utf8) {
            name = Array(value)
        } else if line[..<colon].elementsEqual("data".utf8) {
            if !data.isEmpty { data.append(UInt8(ascii: "\n")) }
            data += value
        }
    }

    /// The event that an empty line ends; nil where it says nothing that is understood.
    private mutating func take() -> NavidromeEvent? {
        defer { (name, data) = ([], []) }
        return data.withUnsafeBytes { bytes in
            if name.elementsEqual("refreshResource".utf8) { return try? Self.refresh(bytes) }
            if name.elementsEqual("scanStatus".utf8) { return try? Self.scan(bytes) }
            return nil
        }
    }

    private static func scan(_ bytes: UnsafeRawBufferPointer) throws -> NavidromeEvent? {
        var reader = JSONReader(bytes)
        var isScanning: Bool?
        try reader.member("scanning") { isScanning = try $0.bool() }
        return isScanning.map { .scanning($0) }
    }

    private static func refresh(_ bytes: UnsafeRawBufferPointer) throws -> NavidromeEvent? {
        var reader = JSONReader(bytes)
        var resources = NavidromeEvent.Resources()
        var isEverything = false
        try reader.members { reader, name in
            switch name {
            case "song": resources.songs += try reader.list { try $0.nonEmptyText() }
            case "album": resources.albums += try reader.list { try $0.nonEmptyText() }
            case "artist": resources.artists += try reader.list { try $0.nonEmptyText() }
            default:
                if name.elementsEqual("*".utf8) { isEverything = true }
                try reader.skip()
            }
        }
        let ids = resources.songs + resources.albums + resources.artists
        if isEverything || ids.contains("*") { return .everythingChanged }
        return ids.isEmpty ? nil : .changed(resources)
    }
}
