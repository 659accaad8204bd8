package import MusicModel

/// The `[dj.prompt]` section: a server with OpenAI's interface that reads wishes in words.
package struct WishServerSettings: Hashable, Sendable {
    /// The address of its interface, such as `http://127.0.0.1:11434/v1`, without a slash at the end.
    package var url: String
    /// The model that it is to ask; nil leaves the choice to the server.
    package var model: String?
    /// The key of its interface, which is sent to that address only; nil sends none.
    package var key: Secret?
    /// Absolute path of the file that the key comes from; nil when it comes from elsewhere.
    package var keyFile: String?
    /// How long an answer may take, all of it.
    package var timeout = Duration.seconds(30)

    /// Names a server.
    package init(url: String) { self.url = url }
}
