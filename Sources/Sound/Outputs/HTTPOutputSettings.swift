/// The settings that an `httpd` output has in addition to what all outputs have.
package struct HTTPOutputSettings: OutputSettings {
    /// The address to listen at; nil is every address of this machine.
    package var address: String?
    /// The port; 0 takes a free one.
    package var port = 8000
    /// Listeners at the same time; 0 is any number.
    package var maxClients = 64
    /// Connections from one address at the same time; 0 is any number.
    package var maxClientsPerAddress = 16
    /// The websites whose scripts may read the stream: `*`, or one such as `https://example.org`; nil is none.
    package var allowedOrigin: String?
    /// Further names by which browsers may ask for it; that is no key of an output.
    package var hosts: [String] = []
    /// The stream's genre, told to listeners.
    package var genre: String?
    /// The stream's website, told to listeners.
    package var website: String?

    /// The settings when nothing is configured.
    package init() {}

    package mutating func read(from section: inout some OutputKeyReader) {
        section.text("bind_to_address", "an address of this machine", into: &address)
        section.integer("port", 1...65535, into: &port)
        section.integer("max_clients", 0...10_000, into: &maxClients)
        section.integer("max_clients_per_address", 0...10_000, into: &maxClientsPerAddress)
        section.text("genre", "a genre", into: &genre)
        section.text("website", "an address such as \"https://example.org\"", into: &website)
    }
}

extension OutputSpecification.Kind {
    /// An HTTP server for browsers and players.
    package static let httpd = Self(
        "httpd", ["format", "encoder", "bitrate", "quality", "allow_origin", "always_on", "tags", "realtime"],
        encoder: .flac, settings: HTTPOutputSettings.self)
}

extension OutputSpecification {
    /// An output's own settings where it serves a stream; the usual ones of any other.
    package var httpd: HTTPOutputSettings {
        get { own.of() }
        set { own.replace(with: newValue) }
    }
}
