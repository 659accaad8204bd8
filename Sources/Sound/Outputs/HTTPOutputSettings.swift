/// What an `httpd` output has beside what all outputs have.
public struct HTTPOutputSettings: Hashable, Sendable {
    /// The address to listen at; nil is every address of this machine.
    public var address: String?
    /// The port; 0 takes a free one.
    public var port = 8000
    /// Listeners at the same time; 0 is any number.
    public var maxClients = 64
    /// Connections from one address at the same time; 0 is any number.
    public var maxClientsPerAddress = 16
    /// The websites whose scripts may read the stream: `*`, or one such as `https://example.org`; nil is none.
    public var allowedOrigin: String?
    /// The stream's genre, told to listeners.
    public var genre: String?
    /// The stream's website, told to listeners.
    public var website: String?

    /// The settings when nothing is configured.
    public init() {}
}
