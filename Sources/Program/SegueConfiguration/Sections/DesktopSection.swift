extension ConfigurationReader {
    /// Reads how the server takes part in a desktop session.
    func readDesktop(_ section: inout SectionReader) -> Configuration.Desktop {
        var desktop = Configuration.Desktop()
        desktop.enabled = section.value("enabled", .flag) ?? desktop.enabled
        desktop.partitions = section.value("partitions", .flag) ?? desktop.partitions
        desktop.pauseOnSleep = section.value("pause_on_sleep", .flag) ?? desktop.pauseOnSleep
        desktop.inhibitSleep = section.value("inhibit_sleep", .flag) ?? desktop.inhibitSleep
        return desktop
    }
}
