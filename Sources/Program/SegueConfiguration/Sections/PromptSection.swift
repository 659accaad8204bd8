import Wishes

extension ConfigurationReader {
    /// Reads what reads wishes in words; nil when neither the file nor the environment has the section.
    func readPrompt(_ dj: inout SectionReader, _ warnings: inout [String]) -> WishServerSettings? {
        var section = dj.section("prompt")
        let url = section.required("url", .serverURL, example: "url = \"http://127.0.0.1:11434/v1\"")
        var prompt = WishServerSettings(url: url ?? "")
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
