package import Playback

/// A partition of the configuration: it is there from the start on.
package struct PartitionPlan: Hashable, Sendable {
    /// The songs that a queue is filled up with.
    package enum Filling: Hashable, Sendable {
        /// Any songs of the library.
        case library
        /// Songs of an artist, or else of the artists whose songs are in the queue.
        case artist(String?)
        /// Songs of a stored playlist.
        case playlist(String)
    }

    /// Its name; `default` describes the partition that is always there.
    package let name: String
    /// The outputs that play for it from the start on.
    package var outputs: [String] = []
    /// How many songs its queue may have; nil leaves that to the server's limit.
    package var capacity: Int?
    /// The songs that fill its queue up; nil leaves that to clients.
    package var filling: Filling?
    /// The options that clients can't change.
    package var fixed = FixedOptions()

    /// True if music pauses while its streams have no listener; nil leaves that to the server's settings.
    package var pausesWithoutListeners: Bool?

    /// Describes a partition.
    package init(name: String) { self.name = name }
}
