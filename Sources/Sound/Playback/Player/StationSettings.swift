/// How internet radio, line inputs and discs play.
package struct StationSettings: Hashable, Sendable {
    /// How long two stations overlap when one is played after the other; zero switches at once.
    package var crossfade: Duration
    /// How long a station may give no sound before it counts as lost.
    package var timeout: Duration
    /// ALSA's names of the capture devices that may be played.
    package var lineInputs: [String] = []
    /// The drives whose audio CDs may be played.
    package var discDevices: [String] = []

    /// Makes settings.
    package init(crossfade: Duration = .milliseconds(1800), timeout: Duration = .seconds(10)) {
        (self.crossfade, self.timeout) = (crossfade, timeout)
    }
}

/// A program that finds the streams behind the addresses of pages.
package struct ResolverSettings: Hashable, Sendable {
    /// The program with its arguments; the address follows as the last one.
    package var command: [String]
    /// The hosts whose addresses it gets, with all below them, in lower case.
    package var hosts: [String]
    /// How long it may take.
    package var timeout: Duration

    /// Describes a program.
    package init(command: [String], hosts: [String], timeout: Duration = .seconds(20)) {
        (self.command, self.hosts, self.timeout) = (command, hosts, timeout)
    }
}
