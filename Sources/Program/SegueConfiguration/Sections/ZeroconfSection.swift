extension ConfigurationReader {
    /// Reads `[zeroconf]`.
    func readZeroconf(_ section: inout SectionReader) -> Configuration.Zeroconf {
        var zeroconf = Configuration.Zeroconf()
        zeroconf.enabled = section.value("enabled", .flag) ?? zeroconf.enabled
        zeroconf.name = section.value("name", .text("a name")) ?? zeroconf.name
        return zeroconf
    }
}
