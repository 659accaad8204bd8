import MPDSessions
package import Outputs

extension Configuration {
    /// The `[zeroconf]` section.
    package struct Zeroconf: Hashable, Sendable {
        /// Whether the server is announced on the network.
        package var enabled = true
        /// The name under which clients find it; `%h` is the machine's.
        package var name = "Segue @ %h"
    }
}

extension ConfigurationReader {
    /// Reads whether and how the server is announced.
    func readZeroconf(_ section: inout SectionReader) -> Configuration.Zeroconf {
        var zeroconf = Configuration.Zeroconf()
        section.read("enabled", .flag, into: &zeroconf.enabled)
        section.read("name", .text("a name"), into: &zeroconf.name)
        return zeroconf
    }
}

extension Configuration {
    /// Whether there is anything that other machines reach, and are told of.
    package var isAnnounced: Bool {
        let addresses = (server.listen + web.listen).contains { address in
            if case .tcp = address { address.isReachableFromOutside } else { false }
        }
        return zeroconf.enabled
            && (addresses || outputs.contains { $0.type == .httpd && $0.httpd.isForOtherMachines })
    }
}

extension HTTPOutputSettings {
    /// Whether clients of other machines can connect.
    package var isForOtherMachines: Bool {
        guard let address else { return true }
        return !address.hasPrefix("127.") && address != "::1" && address != "localhost"
    }
}
