package import MusicModel

/// A request for songs, with those around the place where they go.
package struct PickRequest: Sendable {
    /// The pool to choose from.
    package var mode: PickMode
    /// Songs that the listener chose, each with its weight; picks stay near them.
    package var anchors: [SongID: Float] = [:]
    /// The song that plays; picked again only when there is nothing else.
    package var current: SongID?
    /// Songs that wait in the queue or were turned down; never picked.
    package var unavailable: Set<SongID> = []
    /// The songs that were heard or wait before the place, oldest first.
    package var lineup: [SongID] = []
    /// Songs that the listener turned down; picks don't stay near one of them that the line-up ends with.
    package var turnedDown: Set<SongID> = []
    /// Songs that are left out always.
    package var excluded: Set<SongID> = []
    /// Songs that the server finds like the anchors, each with a likeness from 0 to 1.
    package var related: [SongID: Float] = [:]
    /// The songs that can be heard while the server is away, others only where these leave nothing; nil while it isn't.
    package var present: Set<SongID>?
    /// The wish that songs are to meet; nil is none.
    package var wish: PickWish?
    /// True if ReplayGain evens out how loud songs are.
    package var isLevelled = false
    /// The present, in Unix seconds.
    package var now: Int64
    /// The song before the place, which picks don't jump away from; nil where there is none, or it was turned down.
    var neighbour: SongID? { lineup.last.flatMap { turnedDown.contains($0) ? nil : $0 } }
    /// Asks for songs of a mode.
    package init(mode: PickMode, now: Int64) { (self.mode, self.now) = (mode, now) }
}

/// The result of a request.
package struct PickResult: Sendable {
    /// The songs in their order; fewer than were wanted, or none, where the rules leave no more.
    package var picks: [Pick] = []
    /// True if nothing fitted the mode, so that another one was taken.
    package var isOtherMode = false
    /// The parts of the wish that nothing meets.
    package var unmet: [PickWish.Part] = []
    /// How many songs the library has that the rules allow at all.
    package var allowed = 0
}
