/// Where a server with OpenAI's interface for chats is, and what it is asked with.
package struct WishServerSettings: Sendable {
    /// The address of its interface, such as `http://127.0.0.1:11434/v1`, without a slash at the end.
    package var url: String
    /// The model that it is to ask; nil leaves the choice to the server.
    package var model: String?
    /// The key of its interface; nil sends none. It is sent to that address and shown nowhere.
    package var key: String?
    /// How long an answer may take, all of it.
    package var timeout = Duration.seconds(30)

    /// Names a server.
    package init(url: String) { self.url = url }
}
