package import AsyncHTTPClient
import MusicModel
package import NIOCore

/// Notices a body that comes in pieces of a few bytes, as no server sends it.
///
/// A piece costs much the same whatever its size. An answer of a megabyte in pieces of one byte keeps the thread of its
/// connection busy for seconds, and with it all other requests of that thread.
struct PieceCount {
    private var pieces = 0
    private var bytes = 0

    /// So many pieces may be as small as they like.
    private static let few = 20_000
    /// So many bytes a piece has on average behind them.
    private static let leastMean = 64

    /// Counts a piece.
    ///
    /// - Throws: `TinyPieces` once there were many, and most of them small.
    mutating func add(_ size: Int) throws(TinyPieces) {
        pieces = pieces.addingClamped(1)
        bytes = bytes.addingClamped(size)
        if pieces > Self.few, bytes / Self.leastMean < pieces { throw TinyPieces() }
    }
}

/// Thrown where a body comes in pieces of a few bytes.
package struct TinyPieces: Error {}

extension HTTPClientResponse.Body {
    /// The whole body.
    ///
    /// - Throws: `NIOTooManyBytesError` for a longer one, `TinyPieces`, and errors of the connection.
    package func gathered(upTo limit: Int) async throws -> ByteBuffer {
        var body = ByteBuffer()
        var count = PieceCount()
        for try await part in self {
            try count.add(part.readableBytes)
            guard body.readableBytes + part.readableBytes <= limit else { throw NIOTooManyBytesError(maxBytes: limit) }
            body.writeImmutableBuffer(part)
        }
        return body
    }
}
