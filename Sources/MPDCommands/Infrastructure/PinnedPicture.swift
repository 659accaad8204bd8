import MPDProtocol
import ServerLoop

/// A picture in the course of its transfer, so that all chunks come from the same bytes.
public struct PinnedPicture: Sendable {
    /// The command and the URI that it answers.
    var key: String
    /// The picture; empty again after the last chunk, to save memory.
    var bytes: [UInt8]
    /// Its whole size in bytes.
    var size: Int
    /// Its MIME type, if known.
    var mimeType: String?
}

extension ResponseWriter {
    /// Appends the chunk of a picture at `offset`; `fetch` gets the picture when the transfer begins.
    ///
    /// - Wire: `size: TOTAL`, with `showsType` also `type: MIME`, then the chunk; at the very end it is empty.
    /// - Throws: `missing` when there is no picture, `tooFar` for an offset beyond its end.
    /// - Returns: nothing; a picture that isn't there and isn't `missing` either leaves the answer empty.
    /// - Isolation: ServerActor; suspends for `fetch`.
    @ServerActor
    mutating func picture(
        key: String, offset: Int, showsType: Bool, missing: AckError?, tooFar: AckError, in context: CommandContext,
        fetch: @ServerActor () async throws -> (bytes: [UInt8], mimeType: String?)?
    ) async throws {
        let client = context.client
        var picture = offset > 0 ? client.pinnedPicture : nil
        if picture?.key != key || (picture?.bytes.isEmpty == true && offset < picture?.size ?? 0) {
            guard let fetched = try await fetch() else {
                client.pinnedPicture = nil
                if let missing { throw missing }
                return
            }
            picture = PinnedPicture(
                key: key, bytes: fetched.bytes, size: fetched.bytes.count, mimeType: fetched.mimeType)
        }
        guard var picture else { return }
        guard offset <= picture.size else { throw tooFar }
        let end = min(picture.size, offset + client.binaryLimit)
        line("size: ", picture.size)
        if showsType, let type = picture.mimeType { line("type: ", type) }
        binary(picture.bytes.isEmpty ? [] : picture.bytes[offset..<end])
        if end == picture.size { picture.bytes = [] }
        client.pinnedPicture = picture
    }
}
