package import Diagnosis
package import Extensions
import LibraryIndex
import Logging
package import SegueConfiguration
import ServerLoop
import WebAPI

/// Requests for albums, which a Lidarr fetches.
package enum LidarrExtension: Extension {
    package static var sections: [any ExtensionSection.Type] { [LidarrSettings.self] }

    package static func check(
        _ configuration: Configuration, _ system: SystemChecks, _ report: inout CheckReport
    ) async {
        guard let settings = configuration[LidarrSettings.self] else { return }
        do {
            let version = try await LidarrClient(settings, log: Logger(label: "segue.check")).check()
            report.good("lidarr", "version \(version) at \(settings.url)")
        } catch {
            report.bad("lidarr", "\(error)")
        }
    }

    @ServerActor
    package static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions) {
        guard let settings = server.configuration[LidarrSettings.self], !server.configuration.web.listen.isEmpty
        else { return }
        let requests = AlbumRequests(
            settings, path: server.state.path + "/requests.json", log: Logger(label: "segue.requests")
        ) { [events = server.events, updating = server.updating] hasArrived in
            events.report(.requests)
            if hasArrived { _ = updating.startUpdate(uri: "", rescan: false) }
        }
        additions.requests = requests
        additions.serve("requests") { _ in await requests.run() }
    }
}
