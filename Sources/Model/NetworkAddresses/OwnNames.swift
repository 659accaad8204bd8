import Glibc

/// The names by which requests may call this machine: those that no stranger can own and have point here.
package struct OwnNames: Hashable, Sendable {
    /// Names that any part of the internet may have, in lower case.
    package var hosts: Set<String>

    /// Also knows the machine's own name.
    package init(_ hosts: [String] = []) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        if let name = Self.machine { self.hosts.insert(name) }
    }

    /// True if the `name:port` of a request can't be a stranger's; with `isLoopback`, by an address that only this
    /// machine has, names of the home network are not enough, as any device may own one and let it point there.
    package func contain(_ host: String, isLoopback: Bool) -> Bool {
        guard let name = Self.name(of: host)?.lowercased() else { return false }
        if IPAddress(name) != nil || name == "localhost" || name.hasSuffix(".localhost") { return true }
        if hosts.contains(name) { return true }
        let ending = Self.homes.first { name.hasSuffix($0) }
        if isLoopback { return ending.map { hosts.contains(String(name.dropLast($0.count))) } ?? false }
        return ending != nil || !name.contains(".")
    }

    private static let homes = [".local", ".home.arpa", ".internal"]

    private static func name(of host: String) -> String? {
        let allowed = host.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "-._:[]%".utf8.contains($0)
        }
        guard allowed, host.utf8.count <= 255 else { return nil }
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            let port = host[host.index(after: end)...]
            guard port.isEmpty || isPort(port) else { return nil }
            return String(host[host.index(after: host.startIndex)..<end])
        }
        guard let colon = host.firstIndex(of: ":") else { return host }
        return isPort(host[colon...]) ? String(host[..<colon]) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy(\.isNumber) && text.count <= 6
    }

    private static var machine: String? {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
        return text.isEmpty ? nil : text
    }
}
