extension Configuration {
    /// The `[desktop]` section.
    package struct Desktop: Hashable, Sendable {
        /// Whether the desktop can show and control the music.
        package var enabled = true
        /// Whether each partition is a player of its own there.
        package var partitions = false
        /// Whether the music pauses before the machine sleeps.
        package var pauseOnSleep = false
        /// Whether the music pauses when headphones are pulled out of a sound card.
        package var pauseOnUnplug = false
        /// Whether the machine stays awake while music plays.
        package var inhibitSleep = false
    }
}

extension ConfigurationReader {
    /// Reads how the server takes part in a desktop session.
    func readDesktop(_ section: inout SectionReader) -> Configuration.Desktop {
        var desktop = Configuration.Desktop()
        section.read("enabled", .flag, into: &desktop.enabled)
        section.read("partitions", .flag, into: &desktop.partitions)
        section.read("pause_on_sleep", .flag, into: &desktop.pauseOnSleep)
        section.read("pause_on_unplug", .flag, into: &desktop.pauseOnUnplug)
        section.read("inhibit_sleep", .flag, into: &desktop.inhibitSleep)
        return desktop
    }
}
