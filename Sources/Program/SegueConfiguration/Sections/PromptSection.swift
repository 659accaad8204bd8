extension Configuration.DJ {
    /// The `[dj.prompt]` section: a server with OpenAI's interface that reads wishes in words.
    package struct Prompt: Hashable, Sendable {
        /// The address of its interface, without a slash at the end.
        package var url = ""
        /// The model that it is to ask; nil leaves the choice to the server.
        package var model: String?
        /// The key of its interface; nil sends none.
        package var key: Secret?
        /// Absolute path of the file that the key comes from; nil when it comes from elsewhere.
        package var keyFile: String?
        /// How long an answer may take.
        package var timeout = Duration.seconds(30)
    }
}

extension ConfigurationReader {
    /// Reads what reads wishes in words; nil when neither the file nor the environment has the section.
    func readPrompt(_ dj: inout SectionReader, _ warnings: inout [String]) -> Configuration.DJ.Prompt? {
        var section = dj.section("prompt")
        var prompt = Configuration.DJ.Prompt()
        prompt.url = section.required("url", .serverURL, example: "url = \"http://127.0.0.1:11434/v1\"") ?? ""
        section.read("model", .text("the name of one of the server's models"), into: &prompt.model)
        prompt.key = readPassword(&section, "api_key", orCredential: "dj-prompt-api-key")
        prompt.keyFile = passwordFile(&section, "api_key")
        section.read("timeout", .seconds(1...120), into: &prompt.timeout)
        section.finish()
        guard section.isPresent else { return nil }
        if PrivateAddress.isExposed(prompt.url) {
            warnings.append(
                "dj.prompt.url is not encrypted and leaves the private network; use https, or others can read "
                    + "wishes and the key")
        }
        return prompt
    }
}
