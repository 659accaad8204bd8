import Foundation
import MPDSessions
import NetworkAddresses
import NIOCore

extension Configuration {
    /// The addresses by which browsers reach the page, those for other machines first.
    package func pageAddresses() -> [String] {
        web.listen.flatMap { address -> [String] in
            switch address {
            case .tcp(let host, let port): Self.hosts(host).map { "http://\(Self.bracketed($0)):\(port)" }
            case .tls(let host, let port): Self.hosts(host).map { "https://\(Self.bracketed($0)):\(port)" }
            case .unix: []
            }
        }
        .enumerated().sorted {
            let local = (Self.isLocal($0.element), Self.isLocal($1.element))
            return local.0 != local.1 ? local.1 : $0.offset < $1.offset
        }.map(\.element)
    }

    private static func isLocal(_ address: String) -> Bool { address.contains("//127.") || address.contains("//[::1]") }

    private static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// The host of an address that means all of them.
    private static func hosts(_ host: String) -> [String] {
        guard ["0.0.0.0", "::", "*"].contains(host) else { return [host] }
        let own = ((try? System.enumerateDevices()) ?? []).compactMap { device -> MachineAddress? in
            // Of version 6 only what phones can type is of use, which is nothing.
            guard let address = device.address?.ipAddress, !address.contains(":"), !address.hasPrefix("127.") else {
                return nil
            }
            let isPhysical = FileManager.default.fileExists(atPath: "/sys/class/net/\(device.name)/device")
            return MachineAddress(interface: device.name, address: address, isPhysical: isPhysical)
        }
        let routes = try? String(contentsOfFile: "/proc/net/route", encoding: .utf8)
        let route = routes.flatMap { MachineAddress.defaultRoute($0) }
        let shown = MachineAddress.byReach(own, defaultRoute: route).map(\.address)
        return shown.isEmpty ? ["127.0.0.1"] : shown
    }
}
