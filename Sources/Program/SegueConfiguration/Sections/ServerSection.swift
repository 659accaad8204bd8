extension ConfigurationReader {
    /// Reads `[server]` and the `[[server.password]]` below it.
    func readServer(_ section: inout SectionReader) -> Configuration.Server {
        let home = directories.home
        let listen = section.value("listen", .listenAddresses(home: home)) ?? [.host("127.0.0.1", port: 6600)]
        let tls = readTLS(&section, listen)
        return Configuration.Server(
            listen: listen,
            stateDirectory: section.value("state_directory", .path("a folder's path", home: home)) ?? directories.state,
            cacheDirectory: section.value("cache_directory", .path("a folder's path", home: home)) ?? directories.cache,
            maxConnections: section.value("max_connections", .integer(1...100_000)) ?? 1000,
            connectionTimeout: .seconds(section.value("connection_timeout", .integer(1...86_400)) ?? 60),
            maxPlaylistLength: section.value("max_playlist_length", .integer(1...4_000_000)) ?? 1_000_000,
            maxCommandListSize: (section.value("max_command_list_size", .integer(1...65_536)) ?? 2048) * 1024,
            memoryBudget: section.value("memory_budget", .memoryBudget),
            defaultPermissions: section.value("default_permissions", .permissions)
                ?? Set(Configuration.Permission.allCases),
            localPermissions: section.value("local_permissions", .permissions),
            hostPermissions: section.value("host_permissions", .hostPermissions) ?? [],
            socketMode: section.value("socket_mode", .socketMode) ?? 0o660,
            socketGroup: section.value("socket_group", .text("a group's name")),
            tls: tls,
            logLevel: section.value("log_level", .choice) ?? .info,
            passwords: section.list("password").compactMap(readPassword),
            mountRoots: section.value("mount_roots", .folders(home: home)) ?? [])
    }

    /// Reads `[server.tls]`, which listeners with `tls://` need.
    private func readTLS(_ server: inout SectionReader, _ listen: [ListenAddress]) -> Configuration.TLS? {
        var section = server.section("tls")
        let file = ValueKind.path("a file's path", home: directories.home)
        let certificate = section.required("certificate", file, example: "certificate = \"/etc/segue/cert.pem\"")
        let key = section.required("key", file, example: "key = \"/etc/segue/key.pem\"")
        section.finish()
        let isNeeded = listen.contains { if case .tls = $0 { true } else { false } }
        if isNeeded, !section.isPresent {
            server.complain(
                "listen", "tls:// needs a certificate; add [server.tls] with certificate = \"...\" and key = \"...\"")
        }
        guard let certificate, let key else { return nil }
        return Configuration.TLS(certificate: certificate, key: key)
    }

    private func readPassword(_ section: SectionReader) -> Configuration.Password? {
        var section = section
        let password = section.value("password", .secret).map(Configuration.PasswordCheck.password)
        let hash = section.value("hash", .passwordHash)
        let permissions = section.required("permissions", .permissions, example: "permissions = [\"read\", \"player\"]")
        let hasPassword = section.node("password") != nil
        let hasHash = section.node("hash") != nil
        if hasPassword, hasHash {
            section.complain("hash", "password and hash can't both be set; remove one")
        } else if !hasPassword, !hasHash {
            section.complain("password", "missing; write password = \"...\", or the hash that `segue password` prints")
        }
        section.finish()
        guard let check = password ?? hash, let permissions else { return nil }
        return Configuration.Password(check: check, permissions: permissions)
    }
}

extension ValueKind where Value == Int64 {
    /// A size of memory, or 0.
    fileprivate static var memoryBudget: ValueKind {
        let size = byteSize(from: "32 MB", to: "64 TiB")
        return ValueKind(expected: "\(size.expected), or 0") { node throws(ValueComplaint) in
            if case .integer(0) = node.value { return 0 }
            if node.plainText == "0" { return 0 }
            return try size.convert(node)
        }
    }
}

extension ValueKind where Value == [ListenAddress] {
    /// At least one address; a single one may stand without brackets.
    static func listenAddresses(home: String?) -> ValueKind {
        ValueKind(expected: "a list of addresses such as [\"127.0.0.1:6600\"]") { node throws(ValueComplaint) in
            guard let texts = node.textList ?? node.plainText.map({ [$0] }) else { return nil }
            guard !texts.isEmpty else { throw ValueComplaint("needs at least one address, such as \"127.0.0.1:6600\"") }
            var addresses: [ListenAddress] = []
            for text in texts {
                let address = try ListenAddress(text, home: home)
                guard !addresses.contains(address) else { throw ValueComplaint("\"\(text)\" is listed twice") }
                addresses.append(address)
            }
            return addresses
        }
    }
}

extension ValueKind where Value == Set<Configuration.Permission> {
    /// A list of permissions, which may be empty.
    static var permissions: ValueKind {
        let words = Configuration.Permission.allCases.map(\.rawValue)
        return ValueKind(expected: "a list of " + words.asQuotedList) { node throws(ValueComplaint) in
            guard let texts = node.textList else { return nil }
            var permissions: Set<Configuration.Permission> = []
            for text in texts {
                guard let permission = Configuration.Permission(rawValue: text) else {
                    throw ValueComplaint(words.complaint(about: text))
                }
                permissions.insert(permission)
            }
            return permissions
        }
    }
}

extension ValueKind where Value == Configuration.PasswordCheck {
    /// What `segue password` prints, or `sha256:DIGEST` or `sha256:SALT:DIGEST` with 64 hexadecimal digits.
    static var passwordHash: ValueKind {
        let expected = "a hash from `segue password`, or \"sha256:SALT:\" and 64 hexadecimal digits"
        return ValueKind(expected: expected, isSecret: true) { node throws(ValueComplaint) in
            if let text = node.plainText, text.hasPrefix(ScryptHash.scheme) {
                return .scrypt(try ScryptHash(text))
            }
            guard let parts = node.plainText?.split(separator: ":", omittingEmptySubsequences: false),
                parts.first == "sha256", parts.count == 2 || parts.count == 3, let last = parts.last,
                let digest = bytes(last), digest.count == 32
            else { return nil }
            return .sha256(salt: parts.count == 3 ? String(parts[1]) : "", digest: digest)
        }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
