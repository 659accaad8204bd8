package import SegueConfiguration

/// The `[desktop]` section: how Segue takes part in a desktop session.
package struct MediaControlSettings: ExtensionSection {
    package static let name = "desktop"
    /// True where it appears there at all; only processes of a session can.
    package var isEnabled = true
    /// True where each partition is a player of its own; otherwise only the first one is.
    package var showsPartitions = false
    /// True where the music pauses before the machine sleeps.
    package var pausesOnSleep = false
    /// True where the music pauses when headphones are pulled out of a sound card.
    package var pausesOnUnplug = false
    /// True where the machine stays awake while music plays.
    package var inhibitsSleep = false

    /// Reads the keys; without the section the defaults apply.
    package init?(reading section: inout SectionReader) {
        section.read("enabled", .flag, into: &isEnabled)
        section.read("partitions", .flag, into: &showsPartitions)
        section.read("pause_on_sleep", .flag, into: &pausesOnSleep)
        section.read("pause_on_unplug", .flag, into: &pausesOnUnplug)
        section.read("inhibit_sleep", .flag, into: &inhibitsSleep)
    }
}
