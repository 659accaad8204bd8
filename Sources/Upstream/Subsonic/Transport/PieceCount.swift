package import AsyncHTTPClient
import MusicModel
package import NIOCore

/// Notices a body that comes in pieces of a few bytes, as no server sends it, or a few bytes a minute.
///
/// A piece costs much the same whatever its size. An answer of a megabyte in pieces of one byte keeps the thread of its
/// connection busy for seconds, and with it all other requests of that thread. One that brings a byte now and then is
/// never silent for long enough to be given up, and would keep what waits for it for hours.
struct PieceCount {
    private var pieces = 0
    private var bytes = 0
    private let begun = ContinuousClock.now

    /// The number of pieces that may be as small as they like.
    private static let few = 20_000
    /// The minimum mean size of a piece after them.
    private static let minMean = 64
    /// So long a body may be as slow as it likes.
    private static let gracePeriod = Duration.seconds(60)
    /// The minimum bytes that each second brings on average after that.
    private static let minPace = 1024

    /// Counts a piece.
    /// - Throws: `TinyPieces` once there were many, and most of them small.
    mutating func add(_ size: Int) throws(TinyPieces) {
        pieces = pieces.addingClamped(1)
        bytes = bytes.addingClamped(size)
        if pieces > Self.few, bytes / Self.minMean < pieces { throw TinyPieces() }
    }

    /// Counts a piece of a body that is taken as fast as it comes; songs wait for what plays them.
    /// - Parameter now: when it came.
    /// - Throws: `TinyPieces` as for other bodies, and where the body brings less than a kibibyte a second.
    mutating func add(_ size: Int, at now: ContinuousClock.Instant) throws(TinyPieces) {
        try add(size)
        let overtime = (now - begun - Self.gracePeriod).components.seconds
        if overtime > 0, Int64(bytes / Self.minPace) < overtime { throw TinyPieces() }
    }
}

/// Thrown where a body comes in pieces of a few bytes, or too slowly ever to end.
package struct TinyPieces: Error {}

extension HTTPClientResponse.Body {
    /// The whole body.
    /// - Throws: `NIOTooManyBytesError` for a longer one, `TinyPieces`, and errors of the connection.
    package func gathered(upTo limit: Int) async throws -> ByteBuffer {
        var body = ByteBuffer()
        var count = PieceCount()
        for try await part in self {
            try count.add(part.readableBytes, at: .now)
            guard body.readableBytes + part.readableBytes <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
            body.writeImmutableBuffer(part)
        }
        return body
    }
}
