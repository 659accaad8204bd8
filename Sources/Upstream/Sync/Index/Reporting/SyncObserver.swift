package import MusicModel

/// The hooks of a sync; every closure is called from the sync's own executor and must not block.
package struct SyncObserver: Sendable {
    /// Parts of the server that changed, for `idle`.
    package var subsystemsChanged: @Sendable (_ changed: Subsystem) -> Void
    /// Songs whose tags or path changed, and songs that are gone, for the queue and the player.
    package var songsChanged: @Sendable (_ updated: Set<SongID>, _ removed: Set<SongID>) -> Void
    /// The connection to the server changed, with a sentence that a person understands.
    package var connectionChanged: @Sendable (_ status: ConnectionStatus, _ sentence: String) -> Void
    /// The server answers again, whichever part asked it.
    package var serverIsBack: @Sendable () -> Void
    /// Takes the number of songs that have been checked, and of all; the total is nil while it is unknown.
    package var progress: @Sendable (_ done: Int, _ total: Int?) -> Void

    /// Makes an observer; what is not given is not observed.
    package init(
        subsystemsChanged: @escaping @Sendable (_ changed: Subsystem) -> Void = { _ in },
        songsChanged: @escaping @Sendable (_ updated: Set<SongID>, _ removed: Set<SongID>) -> Void = { _, _ in },
        connectionChanged: @escaping @Sendable (_ status: ConnectionStatus, _ sentence: String) -> Void = { _, _ in },
        serverIsBack: @escaping @Sendable () -> Void = {},
        progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void = { _, _ in }
    ) {
        self.subsystemsChanged = subsystemsChanged
        self.songsChanged = songsChanged
        self.connectionChanged = connectionChanged
        self.serverIsBack = serverIsBack
        self.progress = progress
    }
}
