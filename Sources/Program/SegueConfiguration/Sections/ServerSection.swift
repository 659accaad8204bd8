package import Logging
package import MPDSessions

extension Configuration {
    /// The `[server]` section.
    package struct Server: Hashable, Sendable {
        /// Where clients connect; at least one.
        package var listen: [ListenerAddress] = [.tcp(host: "127.0.0.1", port: 6600)]
        /// Absolute path of the Unix socket where clients of the same user look first, as MPD has it; nil for a service
        /// of the system, and where `listen` is set, which then names all addresses.
        package var usersSocket: String?
        /// Absolute path of the folder with everything that must not be lost.
        package var stateDirectory: String
        /// Absolute path of the folder with what can be fetched again.
        package var cacheDirectory: String
        /// The limits of clients, what they may do without a password, and the certificate of encrypted listeners.
        package var options = MPDServerOptions()
        /// How many entries a queue or a stored playlist may have.
        package var maxPlaylistLength = 1_000_000
        /// The memory that the whole process may hold, in bytes; 0 is no limit, nil one that fits the machine.
        package var memoryBudget: Int64?
        /// How much is logged.
        package var logLevel = Logger.Level.info
        /// The `[[server.password]]` sections.
        package var passwords: [Password] = []
        /// Absolute paths of the folders below which clients on the network may mount folders.
        package var mountRoots: [String] = []

        init(reading section: inout SectionReader) {
            let home = section.home
            (stateDirectory, cacheDirectory) = (section.directories.state, section.directories.cache)
            section.read(
                "listen", .addresses("a list of addresses such as [\"127.0.0.1:6600\"]", home: home), into: &listen)
            if !section.has("listen") { usersSocket = section.directories.runtime.map { $0 + "/mpd/socket" } }
            section.read("state_directory", .path("a folder's path", home: home), into: &stateDirectory)
            section.read("cache_directory", .path("a folder's path", home: home), into: &cacheDirectory)
            section.read("max_connections", .integer(1...100_000), into: &options.maximumConnections)
            let seconds = ValueKind<Int>.integer(1...86_400).map { Duration.seconds($0) }
            section.read("connection_timeout", seconds, into: &options.timeout)
            section.read("max_playlist_length", .integer(1...4_000_000), into: &maxPlaylistLength)
            let kibibytes = ValueKind<Int>.integer(1...65_536).map { $0 * 1024 }
            section.read("max_command_list_size", kibibytes, into: &options.commandListLimit)
            section.read("memory_budget", .memoryBudget, into: &memoryBudget)
            section.read("default_permissions", .permissions, into: &options.access.defaultPermission)
            section.read("local_permissions", .permissions, into: &options.access.localPermission)
            section.read("host_permissions", .hostPermissions, into: &options.access.hosts)
            section.read("socket_mode", .socketMode, into: &options.socketMode)
            section.read("socket_group", .text("a group's name"), into: &options.socketGroup)
            section.read("log_level", .choice, into: &logLevel, page: .atOnce)
            section.read("mount_roots", .folders(home: home), into: &mountRoots)
            options.certificate = Self.certificate(&section, listen)
            passwords = section.list("password").compactMap { Password(reading: $0) }
        }

        private static func certificate(
            _ server: inout SectionReader, _ listen: [ListenerAddress]
        ) -> CertificateFiles? {
            var section = server.section("tls")
            let file = ValueKind.path("a file's path", home: section.home)
            let certificate = section.required("certificate", file, example: "certificate = \"/etc/segue/cert.pem\"")
            let key = section.required("key", file, example: "key = \"/etc/segue/key.pem\"")
            section.finish()
            let isNeeded = listen.contains { if case .tls = $0 { true } else { false } }
            if isNeeded, !section.isPresent {
                server.complain(
                    "listen",
                    "tls:// needs a certificate; add [server.tls] with certificate = \"...\" and key = \"...\"")
            }
            guard let certificate, let key else { return nil }
            return CertificateFiles(certificate: certificate, key: key)
        }
    }
}

extension ValueKind where Value == Int64 {
    fileprivate static var memoryBudget: ValueKind {
        let size = byteSize(from: "32 MB", to: "64 TiB")
        return ValueKind(expected: "\(size.expected), or 0") { node throws(ValueComplaint) in
            if case .integer(0) = node.value { return 0 }
            if node.plainText == "0" { return 0 }
            return try size.convert(node)
        }
    }
}

extension ValueKind where Value == [ListenerAddress] {
    /// Addresses, each once. Clients need one, which may stand without brackets; a page has none or several of hosts.
    static func addresses(_ expected: String, home: String?, ofPage: Bool = false) -> ValueKind {
        ValueKind(expected: expected) { node throws(ValueComplaint) in
            guard let texts = node.textList ?? (ofPage ? nil : node.plainText.map { [$0] }) else { return nil }
            guard ofPage || !texts.isEmpty else {
                throw ValueComplaint("needs at least one address, such as \"127.0.0.1:6600\"")
            }
            var addresses: [ListenerAddress] = []
            for text in texts {
                let address = try ListenerAddress(text, home: home)
                if ofPage, case .unix = address {
                    throw ValueComplaint("\"\(text)\" is a path; the page needs host:port")
                }
                guard !addresses.contains(address) else { throw ValueComplaint("\"\(text)\" is listed twice") }
                addresses.append(address)
            }
            return addresses
        }
    }
}
