package import MusicModel

/// The settings that a `shout` output has in addition to what all outputs have.
package struct IcecastSettings: OutputSettings {
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
    /// The user that may send.
    package var user = "source"
    /// The user's password; nil when it is missing.
    package var password: Secret?
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
    /// Lets directories list the stream.
    package var isPublic = false

    /// The settings when nothing is configured.
    package init() {}

    package mutating func read(from section: inout some OutputKeyReader) {
        section.text("host", "a machine's name or address", into: &host)
        section.integer("port", 1...65535, into: &port)
        section.text("user", "a user's name", into: &user)
        section.text("genre", "a genre", into: &genre)
        section.text("description", "a sentence", into: &description)
        section.text("website", "an address such as \"https://example.org\"", into: &website)
        section.flag("public", into: &isPublic)
    }
}

extension OutputSpecification.Kind {
    /// An Icecast server.
    package static let shout = Self(
        "shout",
        [
            "mount", "password", "password_file", "format", "encoder", "bitrate", "quality", "always_on", "tags", "tls",
            "tls_certificate", "realtime",
        ], encoder: .vorbis, settings: IcecastSettings.self)
}

extension OutputSpecification {
    /// The settings of a `shout` output.
    package var shout: IcecastSettings {
        get { own.of() }
        set { own.replace(with: newValue) }
    }
}
