@testable import Sync
import MusicModel
import Testing

@Suite("What follows from the reports of syncs")
struct SyncReactionsTests {
    @Test("another library reaches clients first, then services and queues")
    func database() {
        var reactions = SyncReactions(missesQueues: false)
        #expect(
            reactions.reactions(to: .subsystemsChanged(.database), isUpdating: true)
                == [.notifyClients(.database), .libraryChanged, .bringBackSongs])
    }

    @Test("after a rescue of the database the first sync that brings songs fills the queues again, and no later one")
    func rescued() {
        var reactions = SyncReactions(missesQueues: true)
        let other = reactions.reactions(to: .subsystemsChanged(.storedPlaylist), isUpdating: false)
        #expect(other == [.notifyClients(.storedPlaylist)])
        let first = reactions.reactions(to: .subsystemsChanged([.database, .update]), isUpdating: true)
        #expect(first.last == .restoreQueues)
        let second = reactions.reactions(to: .subsystemsChanged(.database), isUpdating: true)
        #expect(!second.contains(.restoreQueues))
    }

    @Test("the figures of a sync go when it is over, and stay while the next one runs")
    func progress() {
        var reactions = SyncReactions(missesQueues: false)
        #expect(
            reactions.reactions(to: .subsystemsChanged(.update), isUpdating: false)
                == [.forgetProgress, .notifyClients(.update)])
        #expect(reactions.reactions(to: .subsystemsChanged(.update), isUpdating: true) == [.notifyClients(.update)])
    }

    @Test("players hear which songs are others or gone")
    func songs() {
        var reactions = SyncReactions(missesQueues: true)
        let (updated, removed): (Set<SongID>, Set<SongID>) = ([SongID(rawValue: 1)], [SongID(rawValue: 2)])
        #expect(
            reactions.reactions(to: .songsChanged(updated: updated, removed: removed), isUpdating: true)
                == [.songsChanged(updated: updated, removed: removed)])
    }

    @Test("the connection is shown; trouble with it is told until it is over, and its return wakes all that waits")
    func connection() {
        var reactions = SyncReactions(missesQueues: false)
        func after(_ status: ConnectionStatus) -> [SyncReactions.Reaction] {
            reactions.reactions(to: .connectionChanged(status, "sentence"), isUpdating: false)
        }
        for status in [ConnectionStatus.unreachable, .authFailed] {
            #expect(
                after(status)
                    == [.showConnection(status, "sentence"), .showTrouble("sentence"), .goOnWithoutServer])
        }
        for status in [ConnectionStatus.checking, .notConfigured] {
            #expect(after(status) == [.showConnection(status, "sentence"), .showTrouble(nil)])
        }
        #expect(
            after(.connected)
                == [.showConnection(.connected, "sentence"), .showTrouble(nil), .playersGoOn, .servicesGoOn])
        #expect(reactions.reactions(to: .serverIsBack, isUpdating: false) == [.playersGoOn])
    }
}
