import MusicModel
import Outputs

extension ConfigurationReader {
    /// Reads what only `snapcast` has.
    func readSnapcast(_ section: inout SectionReader) -> SnapcastSettings {
        var settings = SnapcastSettings()
        section.read("host", .text("a machine's name or address"), into: &settings.host)
        section.read("port", .integer(1...65535), into: &settings.port)
        section.read("control", .flag, into: &settings.isControlled)
        section.read("rooms", .choice, into: &settings.rooms)
        section.read("control_port", .integer(1...65535), into: &settings.controlPort)
        section.read("stream", .text("a stream's name"), into: &settings.stream)
        return settings
    }

    /// Reads what only `httpd` has.
    func readHTTP(_ section: inout SectionReader) -> HTTPOutputSettings {
        var settings = HTTPOutputSettings()
        section.read("bind_to_address", .text("an address of this machine"), into: &settings.address)
        section.read("port", .integer(1...65535), into: &settings.port)
        section.read("max_clients", .integer(0...10_000), into: &settings.maxClients)
        section.read("max_clients_per_address", .integer(0...10_000), into: &settings.maxClientsPerAddress)
        section.read("allow_origin", .origin, into: &settings.allowedOrigin)
        section.read("genre", .text("a genre"), into: &settings.genre)
        section.read("website", .website, into: &settings.website)
        return settings
    }

    /// Reads what only `shout` has; the output's name is that of the credential with its password.
    func readIcecast(_ section: inout SectionReader, name: String) -> IcecastSettings {
        var settings = IcecastSettings()
        section.read("host", .text("a machine's name or address"), into: &settings.host)
        section.read("port", .integer(1...65535), into: &settings.port)
        settings.mount =
            section.required("mount", .streamPath, example: "mount = \"/segue.ogg\"") ?? settings.mount
        section.read("user", .text("a user's name"), into: &settings.user)
        readSourcePassword(&section, &settings, name: name)
        readEncryption(&section, &settings)
        section.read("genre", .text("a genre"), into: &settings.genre)
        section.read("description", .text("a sentence"), into: &settings.description)
        section.read("website", .website, into: &settings.website)
        section.read("public", .flag, into: &settings.isPublic)
        return settings
    }

    private func readSourcePassword(
        _ section: inout SectionReader, _ settings: inout IcecastSettings, name: String
    ) {
        settings.password = section.secret(orCredential: "icecast-password.\(name)").map { SourcePassword($0.reveal()) }
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
    /// The address of a website.
    fileprivate static var website: ValueKind { .text("an address such as \"https://example.org\"") }

    /// A website as browsers name it in `Origin`, or all of them.
    fileprivate static var origin: ValueKind {
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
