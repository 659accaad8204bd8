package import Diagnosis
package import Extensions
import Logging
package import SegueConfiguration
import ServerLoop

/// A language model that reads wishes in words.
package enum WishesExtension: Extension {
    package static var sections: [any ExtensionSection.Type] { [WishServerSettings.self] }

    package static func check(
        _ configuration: Configuration, _ system: SystemChecks, _ report: inout CheckReport
    ) async {
        guard let settings = configuration[WishServerSettings.self] else { return }
        do {
            if try await WishServer(settings, log: Logger(label: "segue.check")).check() == false {
                return report.warn("dj.prompt", "the server at \(settings.url) has no model \(settings.model ?? "")")
            }
            report.good("dj.prompt", "wishes in words go to \(settings.url)")
        } catch {
            report.warn("dj.prompt", "\(error) at \(settings.url); rules interpret wishes until then")
        }
    }

    @ServerActor
    package static func extend(_ server: ServerAccess, _ additions: inout ServerAdditions) {
        guard let settings = server.configuration[WishServerSettings.self] else { return }
        additions.wishes = WishServer(settings, log: Logger(label: "segue.dj"))
    }
}
