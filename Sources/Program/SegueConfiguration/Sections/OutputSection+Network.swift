import MusicModel
import Outputs

extension SectionReader: OutputKeyReader {
    mutating func text(_ key: String, _ expected: String, into property: inout String) {
        read(key, .text(expected), into: &property)
    }

    mutating func text(_ key: String, _ expected: String, into property: inout String?) {
        read(key, .text(expected), into: &property)
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>, into property: inout Int) {
        read(key, .integer(range), into: &property)
    }

    mutating func flag(_ key: String, into property: inout Bool) { read(key, .flag, into: &property) }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, into property: inout Choice
    ) { read(key, .choice, into: &property) }
}

extension ConfigurationReader {
    /// Reads what `shout` has beyond its plain settings; the output's name is that of the credential with its password.
    func readIcecast(_ section: inout SectionReader, _ settings: inout IcecastSettings, name: String) {
        settings.mount =
            section.required("mount", .streamPath, example: "mount = \"/segue.ogg\"") ?? settings.mount
        readPassword(&section, &settings, name: name)
        readEncryption(&section, &settings)
    }

    private func readPassword(
        _ section: inout SectionReader, _ settings: inout IcecastSettings, name: String
    ) {
        settings.password = section.secret(orCredential: "icecast-password.\(name)")
        if settings.password == nil, !section.has("password"), !section.has("password_file") {
            section.complain("password", "missing; write password = \"...\" or password_file = \"...\"")
        }
    }

    private func readEncryption(_ section: inout SectionReader, _ settings: inout IcecastSettings) {
        section.read("tls", .encryption, into: &settings.encryption)
        section.read("tls_certificate", .path("a file's path", home: directories.home), into: &settings.certificates)
        if settings.certificates != nil, settings.encryption == .disabled, section.node("tls") == nil {
            section.complain("tls_certificate", "does nothing without encryption; write tls = \"rfc2818\" too")
        }
    }
}

extension ValueKind where Value == String {
    /// A website as browsers name it in `Origin`, or all of them.
    static var origin: ValueKind {
        ValueKind(expected: "\"*\" or a website such as \"https://example.org\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            let isWeb = parts.count == 2 && ["http", "https"].contains(parts[0]) && !parts[1].isEmpty
            let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
            guard text == "*" || isWeb && isPlain && !parts[1].contains("/") else {
                throw ValueComplaint(
                    "\"\(text)\" is not a website; expected \"*\" or one like \"https://example.org\", without a path")
            }
            return text
        }
    }

    /// The path of a stream on a server.
    fileprivate static var streamPath: ValueKind {
        ValueKind(expected: "a path such as \"/segue.ogg\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 } && !text.contains { "?#".contains($0) }
            guard text.hasPrefix("/"), text.count > 1, isPlain else {
                throw ValueComplaint(
                    "\"\(text)\" can't be a mount; expected a path such as \"/segue.ogg\", without spaces")
            }
            return text
        }
    }
}

extension ValueKind where Value == IcecastSettings.Encryption {
    /// A kind of encryption that this version has.
    fileprivate static var encryption: ValueKind {
        ValueKind(expected: choice.expected) { node throws(ValueComplaint) in
            if node.plainText == "rfc2817" {
                throw ValueComplaint(
                    "\"rfc2817\", which encrypts in mid-connection, is not supported; write \"rfc2818\" and the "
                        + "port on which the server encrypts from the start")
            }
            return try choice.convert(node)
        }
    }
}
