import IndexSync
import SegueConfiguration
import ServerLoop
import UserLibrary
import WebAPI

/// What the page is told of the program.
///
/// - Isolation: ServerActor.
extension WebFacts {
    /// Knows the parts of the program.
    @ServerActor
    init(_ configuration: Configuration, _ sources: Sources, _ reports: LibraryReports) {
        self.init()
        version = Segue.version
        connection = { [reports] in
            ConnectionReport(state: reports.connection.rawValue, sentence: reports.connectionSentence)
        }
        waiting = { [library = sources.library] in
            let waiting = try? await library.waitingForServer()
            return WaitingReport(plays: waiting?.plays ?? 0, edits: waiting?.edits ?? 0)
        }
    }
}
