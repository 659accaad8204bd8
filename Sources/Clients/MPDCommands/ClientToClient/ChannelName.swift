import MPDProtocol

/// The name of a channel between clients: ASCII letters, digits and `_-.:`.
///
/// - Source: MPD v0.24.13 src/client/Message.cxx.
struct ChannelName: Hashable, Sendable {
    /// Bytes that a name may have: a client has up to 16 names, which would otherwise be as long as a line.
    static let longest = 256

    /// The name itself.
    let text: String

    /// Checks a name.
    ///
    /// - Throws: `AckError` 2 for an empty name, a long one, or another character.
    init(_ text: String) throws(AckError) {
        let isValid = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard text.utf8.count <= Self.longest else {
            throw AckError(.argument, "channel names may have \(Self.longest) characters")
        }
        guard isValid, !text.isEmpty else { throw AckError(.argument, "invalid channel name") }
        self.text = text
    }
}
