package import MusicModel

/// The content of MPD's state file: the default partition's queue and options, outputs, volume, mounts.
///
/// - Source: MPD v0.24.13 src/StateFile.cxx and what it calls; MPD keeps no other partition.
package struct MPDState: Sendable {
    /// An entry of the queue.
    package struct Entry: Hashable, Sendable {
        /// The song's path below the music directory, an absolute path, or a URL.
        package var uri: String
        /// 0 to 255.
        package var priority = 0
        /// The part that is played; nil for the whole song.
        package var range: SongRange?
        /// The tags of an entry that is not in MPD's database.
        package var tags: [TagValue] = []
    }

    /// An output as it was switched.
    package struct Output: Hashable, Sendable {
        /// As MPD's clients see it.
        package var name: String
        /// True if it plays.
        package var isEnabled: Bool
    }

    /// A mounted storage.
    package struct Mount: Hashable, Sendable {
        /// The folder that clients see.
        package var name: String
        /// Where its files are.
        package var url: String
    }

    /// The queue in its order.
    package var queue: [Entry] = []
    /// Options, position and volume.
    package var player = SavedPlayer()
    /// The outputs whose state is kept.
    package var outputs: [Output] = []
    /// Storages below the music directory.
    package var mounts: [Mount] = []
    /// Lines that could not be read, each as a sentence.
    package var problems: [String] = []
    /// True if the file has anything in it that MPD writes.
    var hasKnownLines = false
}
