/// The settings that an `httpd` output has beside what all outputs have.
package struct HTTPOutputSettings: Hashable, Sendable {
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
}
