import Discovery
import Logging
import SegueConfiguration
import Subsonic
import Sync

extension ServerLikeness {
    /// Asks the library's server; nil without one, or where it is not to be asked.
    init?(_ configuration: Configuration, _ sources: Sources) {
        guard configuration.discovery.usesServerSimilarity, let client = sources.client else { return nil }
        let server = SimilarityQuestions(client, sources.library, mount: configuration.navidrome?.mount ?? "")
        self.init(
            { try await server.related(to: $0) }, library: sources.library, log: Logger(label: "segue.discovery"))
    }
}
