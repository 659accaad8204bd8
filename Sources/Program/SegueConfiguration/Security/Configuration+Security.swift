import Glibc
import MPDProtocol
package import MPDSessions
import MusicModel
import NetworkAddresses
import Outputs
import WebServer

extension Configuration {
    /// Warnings of whatever makes the server less safe than it could be, each a sentence with the cure; no secrets in
    /// them. Checks the access modes of files that hold secrets as well.
    package func securityWarnings() -> [String] {
        openListenerWarnings() + webWarnings() + proxyWarnings() + socketWarnings() + passwordWarnings()
            + mountRootWarnings() + outputWarnings()
            + fileWarnings()
    }

    private func openListenerWarnings() -> [String] {
        let open = server.listen.filter(\.isReachableFromOutside)
        guard let first = open.first else { return [] }
        let reach = "clients on other machines can reach \(open.map(\.description).joined(separator: ", "))"
        var warnings: [String] = []
        let harmful = Self.harmful(server.options.access.defaultPermission)
        if !harmful.isEmpty {
            warnings.append(
                "\(reach) and \(harmful) without a password. Set default_permissions = [\"read\"] and a password "
                    + "that `segue password` makes, or listen on 127.0.0.1 alone")
        }
        for host in server.options.access.hosts where host.network.isWide {
            let harmful = Self.harmful(host.permission)
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

    private func webWarnings() -> [String] {
        let open = web.listen.filter(\.isReachableFromOutside)
        guard let first = open.first else { return [] }
        var warnings: [String] = []
        let harmful = Self.harmful(server.options.access.defaultPermission)
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
        let believed = web.settings.trustedProxies.filter(\.isWide).map {
            "everyone in \($0) can claim any address on the page, because trusted_proxies names that network. "
                + "Name the proxy's own address"
        }
        let isBelieved = web.settings.trustedProxies.contains(where: \.isOfThisMachine)
        let isBehindProxy = !web.settings.hosts.isEmpty && web.listen.contains { !$0.isReachableFromOutside }
        guard isBehindProxy, !isBelieved, let own = server.options.access.hosts.first(where: \.network.isOfThisMachine)
        else { return believed }
        let harmful = Self.harmful(own.permission)
        guard !harmful.isEmpty else { return believed }
        return believed + [
            "all clients of a proxy on this machine have its address, and host_permissions lets \(own.network) \(harmful) "
                + "without a password. Name the proxy under trusted_proxies in [web] if it sets X-Forwarded-For, or leave "
                + "the permissions out"
        ]
    }

    private func socketWarnings() -> [String] {
        let harmful = Self.harmful(server.options.access.localPermission ?? server.options.access.defaultPermission)
        guard !harmful.isEmpty else { return [] }
        let warning = { (open: ListenerAddress?, cure: String) in
            open.map { "every user of this machine can connect to \($0) and \(harmful). \(cure)" }
        }
        let isOpen = server.options.socketMode & 0o002 != 0
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
            guard let weakness = password.weakness else { continue }
            warnings.append("[[server.password]] number \(index + 1) \(weakness). Replace it using `segue password`")
        }
        if !server.passwords.isEmpty,
            server.passwords.allSatisfy({ $0.entry.permission.isSubset(of: server.options.access.defaultPermission) })
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
        if let file, Self.mode(of: file) & 0o002 != 0 {
            warnings.append("\(file) can be changed by other users; run: chmod o-w \(file)")
        }
        let kept = ["credentials.toml", "session"].map { server.stateDirectory + "/" + $0 }
        let secrets = (holdsSecrets ? [file].compactMap(\.self) : []) + secretFiles + kept
        return warnings
            + secrets.filter { Self.mode(of: $0) & 0o004 != 0 }.map {
                "\($0) contains secrets that every user of this machine can read; run: chmod o-rwx \($0)"
            }
    }

    /// The access mode of a file; one that isn't there is safe.
    private static func mode(of path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode : 0
    }

    /// The harm that these permissions let strangers do, in words; empty for harmless ones.
    private static func harmful(_ permissions: Permission) -> String {
        if permissions.contains(.admin) { return "do everything" }
        if permissions.contains(.control) { return "change playlists and playback" }
        return permissions.isDisjoint(with: [.add, .player]) ? "" : "control playback"
    }
}

extension ListenerAddress {
    /// True if other machines may reach it.
    package var isReachableFromOutside: Bool {
        switch self {
        case .unix: false
        case .tcp(let host, _), .tls(let host, _): !PrivateAddress.isLoopback(host)
        }
    }

    /// True for a Unix socket with a file, whose mode says who can connect.
    fileprivate var isSocketFile: Bool { if case .unix = self { !isAbstractSocket } else { false } }

    /// True for a Unix socket without a file, which every user of the machine can connect to.
    fileprivate var isAbstractSocket: Bool { if case .unix(let path) = self { path.hasPrefix("@") } else { false } }
}

extension AddressRange {
    fileprivate var isOfThisMachine: Bool {
        address.count == 4 ? address[0] == 127 || prefixLength == 0 : address.dropLast().allSatisfy { $0 == 0 }
    }

    /// True if it is larger than what people have at home.
    fileprivate var isWide: Bool { prefixLength < (address.count == 4 ? 16 : 48) }
}

extension Configuration {
    /// Folders of `mount_roots` below which clients find what isn't music, each a sentence with the cure.
    func mountRootWarnings() -> [String] {
        server.mountRoots.compactMap { root in
            guard let reason = Self.width(of: root, state: server.stateDirectory, configuration: file) else {
                return nil
            }
            return "mount_roots names \(root), \(reason): clients on the network may mount it and read there. Name the "
                + "folders that hold music instead"
        }
    }

    /// Folders of the system and of its users; what is below them is not for clients.
    private static let wide: Set = [
        "/", "/boot", "/dev", "/etc", "/home", "/proc", "/root", "/run", "/sys", "/tmp", "/usr", "/var", "/var/lib",
    ]

    private static func width(of root: String, state: String, configuration: String?) -> String? {
        let real = resolved(root)
        if wide.contains(real) || wide.contains(root) { return "a folder of the system" }
        if resolved(state).isPath(in: real) { return "which contains the state directory" }
        guard let configuration, configuration.isAbsolutePath else { return nil }
        return resolved(configuration).isPath(in: real) ? "which contains the configuration" : nil
    }

    private static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else {
            let folder = path.pathFolder
            return folder.isEmpty ? path : "\(resolved(String(folder)))/\(path.pathName)"
        }
        defer { free(found) }
        return String(cString: found)
    }
}
