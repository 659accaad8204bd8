/// The settings that a `shout` output has beside what all outputs have.
package struct IcecastSettings: Hashable, Sendable {
    /// How the connection is protected; the raw value is the configuration's `tls`, as MPD has it.
    package enum Encryption: String, CaseIterable, Hashable, Sendable {
        /// Not at all.
        case disabled
        /// As far as the server can.
        case auto
        /// In any case, or nothing is sent.
        case required = "auto_no_plain"
        /// From the first byte, as a port of Icecast's with `<ssl>1</ssl>` has it.
        case https = "rfc2818"
    }

    /// The server's name or address.
    package var host = "127.0.0.1"
    /// The server's port.
    package var port = 8000
    /// The path of the stream, with the slash.
    package var mount = "/segue"
    /// The user who may send.
    package var user = "source"
    /// The user's password; nil when it is missing.
    package var password: SourcePassword?
    /// How the connection is protected.
    package var encryption = Encryption.disabled
    /// A file of certificates that are trusted instead of the system's, such as the server's own; nil is the system's.
    package var certificates: String?
    /// The stream's genre.
    package var genre: String?
    /// A sentence about the stream.
    package var description: String?
    /// The stream's website.
    package var website: String?
    /// Whether directories may list the stream.
    package var isPublic = false

    /// The settings when nothing is configured.
    package init() {}
}
