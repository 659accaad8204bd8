/// An entry that left the queue because its song left the library, and comes back with it.
package struct DepartedEntry: Hashable, Sendable {
    /// The song that left the library.
    package let song: SongID
    /// The part of it that was to play; nil is all of it.
    package let range: SongRange?
    /// The tags that a cue sheet has for it.
    package let sheetTags: [TagValue]
    /// The priority in random order, 0 to 255.
    package let priority: Int
    /// The entry behind which it stood, among those that stayed; nil is the beginning.
    package var predecessor: QueueEntryID?
    /// Its position, for when that entry is gone, too.
    package let position: Int
    /// True if it was the current one, which did not play.
    package let wasCurrent: Bool

    /// Collects what brings it back to its place.
    package init(
        song: SongID, range: SongRange?, sheetTags: [TagValue] = [], priority: Int, predecessor: QueueEntryID?,
        position: Int, wasCurrent: Bool
    ) {
        (self.sheetTags, self.song, self.range, self.priority) = (sheetTags, song, range, priority)
        (self.predecessor, self.position, self.wasCurrent) = (predecessor, position, wasCurrent)
    }
}
