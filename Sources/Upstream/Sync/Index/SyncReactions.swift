package import MusicModel

/// Decides which parts of the server, which are none of this target's, hear of what a sync or a service that sends
/// changes reports; the composition carries that out.
package struct SyncReactions: Sendable {
    /// A report to a part of the server, or its task.
    package enum Reaction: Hashable, Sendable {
        /// The figures of a sync that is over are no longer shown.
        case forgetProgress
        case notifyClients(Subsystem)
        /// Services that pick, measure or add songs learn that there may be other songs.
        case libraryChanged
        /// Songs that are in the library again come back into queues.
        case bringBackSongs
        /// Queues are filled as they were saved, once more.
        case restoreQueues
        case songsChanged(updated: Set<SongID>, removed: Set<SongID>)
        case showConnection(ConnectionStatus, String)
        /// Clients read this in errors about the library; nil ends that.
        case showTrouble(String?)
        /// Requests that would wait for the server are answered without it.
        case goOnWithoutServer
        /// Players try again what they could not have.
        case playersGoOn
        /// Services try again what they could not send or fetch.
        case servicesGoOn
    }

    private var missesQueues: Bool

    /// Prepares for the first event; queues may miss songs that the next sync brings, because the database was rescued.
    package init(missesQueues: Bool) { self.missesQueues = missesQueues }

    /// Decides what follows from an event, in the order in which it is to be done, while a sync runs that clients know
    /// of or not.
    package mutating func reactions(to event: SyncEvent, isUpdating: Bool) -> [Reaction] {
        switch event {
        case .subsystemsChanged(let changed): return reactions(toChangeOf: changed, isUpdating)
        case .songsChanged(let updated, let removed): return [.songsChanged(updated: updated, removed: removed)]
        case .connectionChanged(let status, let sentence):
            return [.showConnection(status, sentence)] + Self.reactions(to: status, sentence)
        case .serverIsBack: return [.playersGoOn]
        }
    }

    private mutating func reactions(toChangeOf changed: Subsystem, _ isUpdating: Bool) -> [Reaction] {
        var reactions: [Reaction] = changed.contains(.update) && !isUpdating ? [.forgetProgress] : []
        reactions.append(.notifyClients(changed))
        guard changed.contains(.database) else { return reactions }
        reactions += [.libraryChanged, .bringBackSongs]
        if missesQueues { reactions.append(.restoreQueues) }
        missesQueues = false
        return reactions
    }

    private static func reactions(to status: ConnectionStatus, _ sentence: String) -> [Reaction] {
        switch status {
        case .authFailed, .unreachable: [.showTrouble(sentence), .goOnWithoutServer]
        case .notConfigured, .checking: [.showTrouble(nil)]
        case .connected: [.showTrouble(nil), .playersGoOn, .servicesGoOn]
        }
    }
}
