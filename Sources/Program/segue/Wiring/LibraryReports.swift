import AutoDJ
import Discovery
import IndexSync
import LibraryIndex
import MediaCache
import MPDCommands
import MusicModel
import Partitions
import Scrobbling
import ServerLoop
import ServiceManager
import SongAnalysis
import UserLibrary
import WebAPI

/// Tells clients, players and services what the library's services report.
///
/// - Isolation: ServerActor.
@ServerActor
final class LibraryReports {
    private let players: PartitionPlayers
    private let context: ServerContext
    private let upstream: UpstreamServices
    private let sources: Sources
    private let managerReport: ManagerReport
    private let news: PageNews
    /// How the server's syncs ended.
    var syncFigures: SyncFigures { upstream.sync.figures }
    /// How plays were reported; nil without a server.
    var playFigures: PlayFigures? { upstream.scrobbler?.figures }
    private let filler: QueueFiller
    private let dj: DiscJockey
    private let changedLibrary: @Sendable () -> Void
    /// Whether queues miss songs that the next sync brings, because the database was rescued.
    private var restoresQueues: Bool
    /// How the server could be reached last.
    private(set) var connection: ConnectionStatus
    /// The same in a sentence for a person.
    private(set) var connectionSentence = ""

    /// Names all that is told; nothing is before `run`.
    init(
        _ sources: Sources, _ upstream: UpstreamServices, _ playback: PlaybackServices, context: ServerContext,
        managerReport: ManagerReport, news: PageNews
    ) {
        self.sources = sources
        self.upstream = upstream
        players = playback.players
        changedLibrary = { [mixes = playback.mixes, analysis = playback.analysis] in
            mixes?.libraryChanged()
            analysis?.libraryChanged()
        }
        (filler, dj) = (playback.filler, playback.dj)
        self.context = context
        (self.managerReport, self.news) = (managerReport, news)
        restoresQueues = sources.library.rescue != nil
        connection = sources.client == nil ? .notConfigured : .checking
    }

    /// Tells what is reported until the task is cancelled.
    func run() async {
        filler.libraryChanged()
        for await event in upstream.events.stream { await tell(event) }
    }

    private func tell(_ event: SyncEvent) async {
        switch event {
        case .subsystemsChanged(let changed):
            if changed.contains(.update), upstream.sync.runningJob == nil { upstream.events.progress.reset() }
            context.notify(changed, nil)
            if changed.contains(.database) {
                changedLibrary()
                filler.libraryChanged()
                await players.bringBackSongs()
            }
            if restoresQueues, changed.contains(.database) {
                restoresQueues = false
                await players.restoreAgain()
            }
        case .songsChanged(let updated, let removed): players.songsChanged(updated: updated, removed: removed)
        case .connectionChanged(let status, let sentence): connectionChanged(status, sentence)
        }
        managerReport.changed()
    }

    private func connectionChanged(_ status: ConnectionStatus, _ sentence: String) {
        (connection, connectionSentence) = (status, sentence)
        news.report(.connection)
        switch status {
        case .authFailed, .unreachable:
            context.setServerTrouble(sentence)
            sources.requests.serverIsAway()
            dj.serverWentAway()
        case .notConfigured, .checking: context.setServerTrouble(nil)
        case .connected:
            context.setServerTrouble(nil)
            players.networkIsBack()
            upstream.serverIsBack()
        }
    }
}
