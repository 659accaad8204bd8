import Desktop

extension ConfigurationReader {
    /// Reads how the server takes part in a desktop session.
    func readDesktop(_ section: inout SectionReader) -> MediaControlSettings {
        var desktop = MediaControlSettings()
        section.read("enabled", .flag, into: &desktop.isEnabled)
        section.read("partitions", .flag, into: &desktop.showsPartitions)
        section.read("pause_on_sleep", .flag, into: &desktop.pausesOnSleep)
        section.read("pause_on_unplug", .flag, into: &desktop.pausesOnUnplug)
        section.read("inhibit_sleep", .flag, into: &desktop.inhibitsSleep)
        return desktop
    }
}
