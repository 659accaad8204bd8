import MusicModel
import SegueConfiguration

/// The `[dj.prompt]` section: a server with OpenAI's interface that reads wishes in words.
struct WishServerSettings: ExtensionSection {
    static let name = "dj.prompt"
    /// The address of its interface, such as `http://127.0.0.1:11434/v1`, without a slash at the end.
    var url: String
    /// The model that it is to ask; nil leaves the choice to the server.
    var model: String?
    /// The key of its interface, which is sent to that address only; nil sends none.
    var key: Secret?
    /// The time that an answer may take, all of it.
    var timeout = Duration.seconds(30)

    init(url: String) { self.url = url }

    init?(reading section: inout SectionReader) {
        url = section.required("url", .serverURL, example: "url = \"http://127.0.0.1:11434/v1\"") ?? ""
        section.read("model", .text("the name of one of the server's models"), into: &model)
        key = section.secret("api_key", orCredential: "dj-prompt-api-key")
        section.read("timeout", .seconds(1...120), into: &timeout)
        guard section.isPresent else { return nil }
        section.warnIfExposed("url", url, risk: "wishes and the key")
    }

    var shown: [(key: String, value: SettingsSection.Value)] {
        [("url", .text(url)), ("model", .text(model ?? "as the server chooses"))]
            + (key == nil ? [] : [("api_key", .secret)])
    }
}
