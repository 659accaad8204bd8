extension ConfigurationReader {
    /// Reads what only outputs over the network have.
    func readNetwork(_ section: inout SectionReader, _ output: inout Configuration.Output) {
        let keys = output.type.keys
        var network = Configuration.Output.Network()
        func text(_ key: String, _ expected: String) -> String? {
            keys.contains(key) ? section.value(key, .text(expected)) : nil
        }
        func flag(_ key: String, _ standard: Bool) -> Bool {
            keys.contains(key) ? section.value(key, .flag) ?? standard : standard
        }
        func port(_ key: String) -> Int? { keys.contains(key) ? section.value(key, .integer(1...65535)) : nil }
        network.host = text("host", "a machine's name or address") ?? network.host
        network.port = port("port")
        network.bindAddress = text("bind_to_address", "an address of this machine")
        if output.type == .httpd { readListeners(&section, &network) }
        network.user = text("user", "a user's name") ?? network.user
        network.genre = text("genre", "a genre")
        network.website = text("website", "an address such as \"https://example.org\"")
        network.summary = text("description", "a sentence")
        network.isPublic = flag("public", false)
        network.isControlled = flag("control", true)
        if keys.contains("rooms") { network.rooms = section.value("rooms", .choice) ?? .all }
        network.controlPort = port("control_port") ?? network.controlPort
        network.stream = text("stream", "a stream's name")
        if output.type == .shout { readIcecast(&section, &network, name: output.name) }
        output.network = network
    }

    private func readListeners(_ section: inout SectionReader, _ network: inout Configuration.Output.Network) {
        network.maxClients = section.value("max_clients", .integer(0...10_000)) ?? network.maxClients
        network.maxClientsPerAddress =
            section.value("max_clients_per_address", .integer(0...10_000)) ?? network.maxClientsPerAddress
        network.allowedOrigin = section.value("allow_origin", .origin)
    }

    private func readIcecast(
        _ section: inout SectionReader, _ network: inout Configuration.Output.Network, name: String
    ) {
        network.mount = section.required("mount", .streamPath, example: "mount = \"/segue.ogg\"")
        network.password = readPassword(&section, orCredential: "icecast-password.\(name)")
        network.passwordFile = passwordFile(&section)
        if network.password == nil, section.node("password") == nil, section.node("password_file") == nil {
            section.complain("password", "missing; write password = \"...\" or password_file = \"...\"")
        }
        network.encryption = section.value("tls", .encryption) ?? .disabled
        network.certificates = section.value("tls_certificate", .path("a file's path", home: directories.home))
        if network.certificates != nil, network.encryption == .disabled, section.node("tls") == nil {
            section.complain("tls_certificate", "does nothing without encryption; write tls = \"rfc2818\" too")
        }
    }
}

extension ValueKind where Value == String {
    /// A website as browsers name it in `Origin`, or all of them.
    fileprivate static var origin: ValueKind {
        ValueKind(expected: "\"*\" or a website such as \"https://example.org\"") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
            let isWeb = parts.count == 2 && ["http", "https"].contains(parts[0]) && !parts[1].isEmpty
            let isPlain = text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
            guard text == "*" || isWeb && isPlain && !parts[1].contains("/") else {
                throw ValueComplaint(
                    "\"\(text)\" is no website; expected \"*\" or one such as \"https://example.org\", without a path")
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

extension ValueKind where Value == Configuration.Output.Encryption {
    /// A kind of encryption that this version has.
    fileprivate static var encryption: ValueKind {
        ValueKind(expected: choice.expected) { node throws(ValueComplaint) in
            if node.plainText == "rfc2817" {
                throw ValueComplaint(
                    "\"rfc2817\", encryption that begins in mid-connection, is not known here; write \"rfc2818\" and the "
                        + "port on which the server encrypts from the beginning")
            }
            return try choice.convert(node)
        }
    }
}
