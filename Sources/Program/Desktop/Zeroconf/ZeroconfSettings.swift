import Extensions
import Foundation
import MPDSessions
import Outputs
package import SegueConfiguration

/// The `[zeroconf]` section: how the server is announced on the network.
package struct ZeroconfSettings: ExtensionSection {
    package static let name = "zeroconf"
    /// True where the server is announced.
    package var isEnabled = true
    /// The name under which clients find it; `%h` is the machine's.
    package var name = "Segue @ %h"

    /// Reads the keys; without the section the defaults apply.
    package init?(reading section: inout SectionReader) {
        section.read("enabled", .flag, into: &isEnabled)
        section.read("name", .text("a name"), into: &name)
    }
}

extension Announcement {
    /// The services that others on the network can find here: the server, its page, and outputs that serve their sound.
    static func all(_ configuration: Configuration, version: String, of server: StartedServer) -> [Announcement] {
        guard let settings = configuration[ZeroconfSettings.self], settings.isEnabled else { return [] }
        let name = Self.name(settings.name, host: ProcessInfo.processInfo.hostName)
        let servers = server.ports.compactMap(UInt16.init(exactly:)).map {
            Announcement(name: name, type: "_mpd._tcp", port: $0, text: ["server=Segue \(version)"])
        }
        let pages = server.pagePorts.compactMap(UInt16.init(exactly:)).map { page(name, port: $0) }
        let streams = configuration.outputs.filter(\.isServedToOtherMachines).compactMap { output in
            // A port that the system chooses isn't known here.
            UInt16(exactly: output.httpd.port).flatMap { $0 > 0 ? page("\(output.name) - \(name)", port: $0) : nil }
        }
        return servers + pages + streams
    }

    private static func page(_ name: String, port: UInt16) -> Announcement {
        Announcement(name: name, type: "_http._tcp", port: port, text: ["path=/"])
    }
}

extension Configuration {
    /// True where there is anything that other machines reach, and are told of.
    var isAnnounced: Bool {
        let isReachable = (server.listen + web.listen).contains { address in
            if case .tcp = address { address.isReachableFromOutside } else { false }
        }
        return self[ZeroconfSettings.self]?.isEnabled == true
            && (isReachable || outputs.contains(where: \.isServedToOtherMachines))
    }
}

extension OutputSpecification {
    /// True where clients of other machines can fetch its sound.
    fileprivate var isServedToOtherMachines: Bool {
        guard type == .httpd, let address = httpd.address else { return type == .httpd }
        return !address.hasPrefix("127.") && address != "::1" && address != "localhost"
    }
}
