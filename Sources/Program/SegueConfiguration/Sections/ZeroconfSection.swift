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
