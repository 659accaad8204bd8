import Lidarr
import MPDProtocol
package import MPDSessions
import NetworkAddresses
import Outputs
import Wishes

extension Configuration {
    /// Warnings of whatever makes the server less safe than it could be, each a sentence with the cure; no secrets in
    /// them.
    ///
    /// Checks the access modes of files that hold secrets as well.
    package func securityWarnings() -> [String] {
        openListenerWarnings() + webWarnings() + proxyWarnings() + socketWarnings() + passwordWarnings()
            + mountRootWarnings() + outputWarnings()
            + fileWarnings()
    }

    /// Listeners that other machines reach, and what these may do there.
    private func openListenerWarnings() -> [String] {
        let open = server.listen.filter(\.isReachableFromOutside)
        guard let first = open.first else { return [] }
        let place = "clients on other machines can reach \(open.map(\.description).joined(separator: ", "))"
        var warnings: [String] = []
        let harmful = Self.harmful(server.defaultPermissions)
        if !harmful.isEmpty {
            warnings.append(
                "\(place) and \(harmful) without a password. Set default_permissions = [\"read\"] and a password "
                    + "that `segue password` makes, or listen on 127.0.0.1 alone")
        }
        for host in server.hostPermissions where host.network.isWide {
            let harmful = Self.harmful(host.permissions)
            guard !harmful.isEmpty else { continue }
            warnings.append(
                "host_permissions lets everyone in \(host.network) \(harmful) without a password. Name a smaller network"
            )
        }
        let isPlain = open.contains { if case .tcp = $0 { true } else { false } }
        if isPlain, !server.passwords.isEmpty {
            warnings.append(
                "passwords cross the network unencrypted on \(first). If others could listen, have clients use "
                    + "tls://, ssh or a VPN (docs/clients.md)")
        }
        return warnings
    }

    /// The page, where other machines reach it.
    private func webWarnings() -> [String] {
        let open = web.listen.filter(\.isReachableFromOutside)
        guard let first = open.first else { return [] }
        var warnings: [String] = []
        let harmful = Self.harmful(server.defaultPermissions)
        if !harmful.isEmpty {
            warnings.append(
                "browsers elsewhere can reach the page on \(open.map(\.description).joined(separator: ", ")) and "
                    + "\(harmful) without a password. Set default_permissions = [\"read\"] and a password that `segue "
                    + "password` makes, or listen on 127.0.0.1 alone under [web]")
        }
        if case .tcp = first, !server.passwords.isEmpty {
            warnings.append(
                "passwords for the page cross the network unencrypted on \(first). If others could listen, use tls:// "
                    + "under [web] listen, or a proxy with https")
        }
        return warnings
    }

    /// A proxy on this machine, behind which all clients of the page have this machine's address, and networks whose
    /// clients say themselves which address they have.
    private func proxyWarnings() -> [String] {
        let believed = web.trustedProxies.filter(\.isWide).map {
            "everyone in \($0) can claim any address on the page, because trusted_proxies names that network. "
                + "Name the proxy's own address"
        }
        let isBelieved = web.trustedProxies.contains(where: \.isOfThisMachine)
        let isBehindProxy = !web.hosts.isEmpty && web.listen.contains { !$0.isReachableFromOutside }
        guard isBehindProxy, !isBelieved, let own = server.hostPermissions.first(where: \.network.isOfThisMachine)
        else { return believed }
        let harmful = Self.harmful(own.permissions)
        guard !harmful.isEmpty else { return believed }
        return believed + [
            "all clients of a proxy on this machine have its address, and host_permissions lets \(own.network) \(harmful) "
                + "without a password. Name the proxy under trusted_proxies in [web] if it sets X-Forwarded-For, or leave "
                + "the permissions out"
        ]
    }

    private func socketWarnings() -> [String] {
        let harmful = Self.harmful(server.localPermissions ?? server.defaultPermissions)
        guard !harmful.isEmpty else { return [] }
        let warning = { (open: ListenerAddress?, cure: String) in
            open.map { "every user of this machine can connect to \($0) and \(harmful). \(cure)" }
        }
        let isOpen = server.socketMode & 0o002 != 0
        return [
            warning(
                server.listen.first { isOpen && $0.isSocketFile },
                "Set socket_mode = \"0660\" and perhaps socket_group, or local_permissions = [\"read\"]"),
            warning(
                server.listen.first(where: \.isAbstractSocket),
                "Such a socket has no mode: use a path, or set local_permissions = [\"read\"]"),
        ].compactMap { $0 }
    }

    private func passwordWarnings() -> [String] {
        var warnings: [String] = []
        for (index, password) in server.passwords.enumerated() {
            guard let weakness = password.check.weakness else { continue }
            warnings.append("[[server.password]] number \(index + 1) \(weakness). Replace it using `segue password`")
        }
        if !server.passwords.isEmpty,
            server.passwords.allSatisfy({ $0.permissions.isSubset(of: server.defaultPermissions) })
        {
            warnings.append(
                "no password has an effect, since default_permissions allows as much without one. Set "
                    + "default_permissions = [] or [\"read\"]")
        }
        return warnings
    }

    private func outputWarnings() -> [String] {
        outputs.filter { $0.type == .httpd && $0.httpd.address == nil }.map {
            "everyone who reaches this machine can listen to the output \($0.name). Set its bind_to_address if "
                + "that isn't intended"
        }
    }

    private func fileWarnings() -> [String] {
        var warnings: [String] = []
        if let file, holdsSecrets, let warning = SecretFile(file).warning { warnings.append(warning) }
        if let file, SecretFile(file).isWritableForOthers {
            warnings.append("\(file) can be changed by other users; run: chmod o-w \(file)")
        }
        let state = server.stateDirectory
        let paths =
            [navidrome?.passwordFile, lidarr?.keyFile, prompt?.keyFile].compactMap { $0 }
            + outputs.compactMap(\.shout.passwordFile)
            + [state + "/credentials.toml", state + "/session"]
        return warnings + paths.compactMap { SecretFile($0).warning }
    }

    /// Whether the configuration's file itself has something in it that others must not know.
    private var holdsSecrets: Bool {
        let hasPlain = navidrome?.password != nil && navidrome?.passwordFile == nil
        let hasKey =
            lidarr != nil && lidarr?.keyFile == nil || prompt?.key != nil && prompt?.keyFile == nil
        return hasPlain || hasKey || !server.passwords.isEmpty
            || outputs.contains { $0.shout.password != nil && $0.shout.passwordFile == nil }
    }

    /// The harm that these permissions let strangers do, in words; empty for harmless ones.
    private static func harmful(_ permissions: Permission) -> String {
        if permissions.contains(.admin) { return "do everything" }
        if permissions.contains(.control) { return "change playlists and playback" }
        return permissions.isDisjoint(with: [.add, .player]) ? "" : "control playback"
    }
}

extension ListenerAddress {
    /// Whether other machines may reach it.
    package var isReachableFromOutside: Bool {
        switch self {
        case .unix: false
        case .tcp(let host, _), .tls(let host, _): !PrivateAddress.isLoopback(host)
        }
    }

    /// Whether it is a Unix socket with a file, whose mode says who can connect.
    fileprivate var isSocketFile: Bool { if case .unix = self { !isAbstractSocket } else { false } }

    /// Whether it is a Unix socket without a file, which every user of the machine can connect to.
    fileprivate var isAbstractSocket: Bool { if case .unix(let path) = self { path.hasPrefix("@") } else { false } }
}

extension AddressRange {
    /// Whether it has an address of this machine alone.
    fileprivate var isOfThisMachine: Bool {
        address.count == 4 ? address[0] == 127 || prefixLength == 0 : address.dropLast().allSatisfy { $0 == 0 }
    }

    /// Whether it is larger than what people have at home.
    fileprivate var isWide: Bool { prefixLength < (address.count == 4 ? 16 : 48) }
}

extension Configuration.PasswordCheck {
    /// Why a password could be found out from the configuration; nil when it hardly could.
    fileprivate var weakness: String? {
        switch self {
        case .password: "is in plain text"
        case .sha256: "is a SHA-256 hash: attackers can try billions a second"
        case .scrypt(let hash):
            hash.blockSize * hash.parallelism << hash.logCost < 1 << 17
                ? "has a cheap scrypt hash, which is quick to guess" : nil
        }
    }
}
