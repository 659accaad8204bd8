import Players
import Discovery
import Sync
import LibraryIndex
import MediaCache
import MPDCommands
import MusicModel
import ServerLoop
import Supervision
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
    private let pageEvents: PageEvents
    /// How the server's syncs ended.
    var syncFigures: Figures<SyncFigures> { upstream.sync.figures }
    /// How plays were reported; nil without a server.
    var playFigures: Figures<PlayFigures>? { upstream.scrobbler?.figures }
    private let filler: QueueFiller
    private let dj: DiscJockey
    private let changedLibrary: @Sendable () -> Void
    private var reactions: SyncReactions
    /// How the server could be reached last.
    private(set) var connection: ConnectionStatus
    /// The same in a sentence for a person.
    private(set) var connectionSentence = ""

    /// Names all that is told; nothing is before `run`.
    init(
        _ sources: Sources, _ upstream: UpstreamServices, _ playback: PlaybackServices, context: ServerContext,
        managerReport: ManagerReport, pageEvents: PageEvents
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
        (self.managerReport, self.pageEvents) = (managerReport, pageEvents)
        reactions = SyncReactions(missesQueues: sources.library.rescue != nil)
        connection = sources.client == nil ? .notConfigured : .checking
    }

    /// Tells what is reported until the task is cancelled.
    func run() async {
        filler.libraryChanged()
        for await event in upstream.events.stream { await tell(event) }
    }

    private func tell(_ event: SyncEvent) async {
        let isUpdating = upstream.sync.runningJob != nil
        for reaction in reactions.reactions(to: event, isUpdating: isUpdating) { await follow(reaction) }
        managerReport.changed()
    }

    /// True if the index has all that the server has; a folder is scanned as a whole.
    private var isComplete: Bool { sources.client == nil || syncFigures.values.successes > 0 }

    private func follow(_ reaction: SyncReactions.Reaction) async {
        switch reaction {
        case .forgetProgress:
            upstream.events.progress.reset()
            if isComplete { filler.libraryIsComplete() }
        case .notifyClients(let changed): context.notify(changed, nil)
        case .libraryChanged:
            changedLibrary()
            filler.libraryChanged()
        case .bringBackSongs: await players.bringBackSongs()
        case .restoreQueues: await players.restoreAgain()
        case .songsChanged(let updated, let removed): players.songsChanged(updated: updated, removed: removed)
        case .showConnection(let status, let sentence):
            (connection, connectionSentence) = (status, sentence)
            pageEvents.report(.connection)
        case .showTrouble(let sentence): context.setServerProblem(sentence)
        case .goOnWithoutServer:
            sources.requests.serverIsAway()
            dj.serverWentAway()
        case .playersGoOn: players.networkIsBack()
        case .servicesGoOn: upstream.serverIsBack()
        }
    }
}
