import AsyncHTTPClient
package import NIOCore
import NIOHTTP1

extension SubsonicClient {
    /// The picture with the `coverArt` of a song, an album or an artist; nil if there is none. Navidrome sends
    /// `placeholderArt` for what has none.
    /// - Parameter size: the length of the longer edge in pixels; nil is the original.
    package func coverArt(id: String, size: Int?) async throws -> CoverPicture? {
        try await ifFound { try await picture(SubsonicCall("getCoverArt", ["id": id]), size) }
    }

    /// The picture that the server sends for things without one; nil on servers that have none.
    package func placeholderArt(size: Int?) async throws -> CoverPicture? {
        do {
            return try await picture(SubsonicCall("getCoverArt"), size)
        } catch let error as SubsonicError where !error.isTransient && error.code != .unauthorized { return nil }
    }

    private func picture(_ call: SubsonicCall, _ size: Int?) async throws -> CoverPicture? {
        try await transport.send(call.with("size", size.map { String($0) })) { answer in
            let media = try await transport.media(answer, range: nil)
            let response = media.response
            let body = try await response.body.gathered(upTo: HTTPTransport.maxPictureSize)
            await media.connections?.shutDown()
            guard response.isFile, body.readableBytes > 0 else {
                try readRefusal(response, body)
                return nil
            }
            let type = response.headers.first(name: "Content-Type") ?? "application/octet-stream"
            return CoverPicture(bytes: Array(body.readableBytesView), contentType: type)
        }
    }

    /// Reads an answer that came in place of a file, and throws the error that it reports.
    private func readRefusal(_ response: HTTPClientResponse, _ body: ByteBuffer) throws {
        do {
            _ = try transport.envelope(response, body) { reader, _ in try reader.skip() }
        } catch let error as SubsonicError where error.cause == .unopenedFile {
            // That is about this file alone, which is gone mostly: nothing is gained by waiting for it.
            var refusal = error
            refusal.code = .refused(code: 0)
            throw refusal
        }
    }

    /// Opens a song's bytes.
    /// - Parameters:
    ///   - format: `raw`, `mp3`, `opus`, ...; nil leaves it to the server.
    ///   - maxBitRate: kbit/s; nil is no limit.
    ///   - offset: the first byte wanted. The answer's own offset says what comes: 0 where the server can't skip.
    /// - Throws: `notFound` where there is no such song, `pastEnd` where it has no byte at `offset`.
    package func stream(
        id: String, format: String? = nil, maxBitRate: Int? = nil, from offset: Int64 = 0
    ) async throws -> SongStream {
        let call = SubsonicCall("stream", ["id": id], isMedia: true).with("format", format)
        return try await open(call.with("maxBitRate", maxBitRate.map { String($0) }), from: offset)
    }

    func open(_ call: SubsonicCall, from offset: Int64) async throws -> SongStream {
        var call = call
        if offset > 0 { call.range = "bytes=\(offset)-" }
        return try await transport.send(call) { [range = call.range] answer in
            let media = try await transport.media(answer, range: range)
            let response = media.response
            if response.status == .rangeNotSatisfiable {
                throw SubsonicError(.pastEnd, "The song on \(shownAddress) ends before the requested position.")
            }
            guard response.isFile else {
                let body = try await response.body.gathered(upTo: 1 << 20)
                try readRefusal(response, body)
                throw SubsonicError(.badAnswer, "\(shownAddress) sends no audio for a song.")
            }
            return try SongStream(media, wanted: offset, transport: transport)
        }
    }
}

extension HTTPClientResponse {
    /// True if the body is a file and not an error's text.
    fileprivate var isFile: Bool {
        guard status == .ok || status == .partialContent else { return false }
        let type = headers.first(name: "Content-Type")?.lowercased() ?? ""
        return !["application/json", "text/", "application/xml", "application/xhtml"].contains { type.hasPrefix($0) }
    }
}

/// A song's bytes as they arrive.
package struct SongStream: Sendable {
    /// The place in the song of the first byte of `body`.
    package var offset: Int64
    /// How many bytes the whole song has; nil for a transcoding that isn't finished.
    package var totalLength: Int64?
    /// The MIME type.
    package var contentType: String?
    /// Tells apart what the song's file was at different times, if the server says so.
    package var version: String?
    /// The bytes.
    package var body: SongBody

    /// Takes the announced lengths from the response.
    init(_ media: HTTPTransport.Media, wanted: Int64, transport: HTTPTransport) throws {
        let response = media.response
        let length = response.headers.first(name: "Content-Length").flatMap { Int64($0) }
        contentType = response.headers.first(name: "Content-Type")
        version = response.headers.first(name: "ETag") ?? response.headers.first(name: "Last-Modified")
        if response.status == .partialContent {
            guard let range = ContentRange(response.headers.first(name: "Content-Range")), range.first == wanted else {
                throw SubsonicError(
                    .badAnswer, "\(transport.shownAddress) sends another part of the song than requested.")
            }
            offset = range.first
            totalLength = range.total
        } else {
            offset = 0
            totalLength = length
        }
        body = SongBody(media: media, expected: length, transport: transport)
    }
}

/// The bytes of a song, to be read once.
package struct SongBody: AsyncSequence, Sendable {
    fileprivate let media: HTTPTransport.Media
    fileprivate let expected: Int64?
    fileprivate let transport: HTTPTransport

    /// Makes the iterator; only one can be made.
    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: media.response.body.makeAsyncIterator(), missing: expected, source: self)
    }

    /// Waits for pieces.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var iterator: HTTPClientResponse.Body.AsyncIterator
        fileprivate var missing: Int64?
        /// Keeps the connections open over which they come.
        fileprivate let source: SongBody
        fileprivate var count = PieceCount()

        /// The next piece; nil at the end.
        /// - Throws: `SubsonicError` when the connection breaks, also when it ends before the announced end.
        @concurrent
        package mutating func next() async throws -> ByteBuffer? {
            let piece: ByteBuffer?
            do {
                piece = try await iterator.next()
                if let piece { try count.add(piece.readableBytes) }
            } catch {
                throw source.transport.failure(from: error)
            }
            if let piece {
                missing = missing.map { $0 - Int64(piece.readableBytes) }
            } else if let missing, missing > 0 {
                throw SubsonicError.brokenOff(source.transport.shownAddress)
            }
            return piece
        }
    }
}

/// A `Content-Range` such as `bytes 1000-1999/7222523`.
struct ContentRange: Hashable, Sendable {
    let first: Int64
    /// The length of the whole; nil where the server writes `*`.
    let total: Int64?

    /// Reads the header's value.
    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/")
        guard parts.count == 2, let first = parts[0].split(separator: "-").first.flatMap({ Int64($0) }) else {
            return nil
        }
        self.first = first
        total = Int64(parts[1])
    }
}
