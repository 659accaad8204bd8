import ArgumentParser
import Extensions
import Foundation
import Logging
import SegueConfiguration
import Supervision
import Sync

/// `segue sync`: brings the index up to date once.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Update the library once, with a progress bar.",
        discussion: "A server running on the same state directory does this automatically; ask it with `mpc update`.")

    @OptionGroup var options: ConfigurationOptions

    /// Begins on the main thread, while there is no other.
    @MainActor
    func run() async throws {
        let configuration = try options.load()
        configuration.setEnvironment()
        try await Self.sync(configuration)
    }

    private static func sync(_ configuration: Configuration) async throws {
        let sources = try await Sources.alone(
            configuration, logging: .warning,
            "and keeps the library up to date itself. Ask it with `mpc update`, or stop it.")
        let bar = ProgressBar()
        let sync = sources.makeSync(
            observer: SyncObserver(progress: { bar.show(done: $0, total: $1) }), interval: nil,
            log: Logger(label: "segue"))
        let start = ContinuousClock.now
        do {
            await sources.storages?.attachDue()
            let summary = try await sync.syncOnce()
            bar.finish()
            await sources.close()
            let seconds = String(format: "%.1f", (ContinuousClock.now - start) / .seconds(1))
            print(
                summary.wasUnchanged
                    ? "Nothing has changed (\(seconds) s)."
                    : "\(summary.songs) songs: \(summary.added) new, \(summary.updated) changed, \(summary.removed) gone, "
                        + "\(summary.skipped) skipped (\(seconds) s).")
        } catch {
            bar.finish()
            await sources.close()
            throw CommandFailure("the sync failed; the library is as it was before: \(error)")
        }
    }
}
