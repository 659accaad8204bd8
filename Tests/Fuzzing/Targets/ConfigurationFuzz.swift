import SegueConfiguration

/// Reads a configuration file, and expects either a configuration or one line that says what is wrong.
enum ConfigurationFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        // A file that the text names must not be read: what is on this machine is not for the fuzzer to find.
        if text.contains("_file") { return }
        do {
            _ = try Configuration.parse(text, file: "segue.toml", environment: ["HOME": "/home/me"])
        } catch {
            let message = "\(error)"
            if message.isEmpty { throw FuzzFinding("an error without a word") }
        }
    }
}
