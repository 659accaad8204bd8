import Foundation
import LibraryIndex
import IndexSync
import Logging
import MPDCommands
import MPDSessions
import MusicModel
import NIOCore
import Playback
import SegueConfiguration
import ServerLoop
import ServiceManager
import UserLibrary

/// Tells the service manager that clients can connect, what plays, and that the loop turns.
///
/// The watchdog is fed by the loop that everything runs on, so that a loop which hangs is noticed. Without a manager
/// that listens nothing is scheduled.
/// - Isolation: ServerActor.
@ServerActor
final class ServiceReport {
    /// The manager that started this process.
    nonisolated static let manager = ServiceNotifier(environment: ProcessInfo.processInfo.environment)

    private let notifier: ServiceNotifier
    private let watchdog: Watchdog?
    private let context: ServerContext
    private let hasFolder: Bool
    private let connection: @ServerActor () -> ConnectionStatus
    private var shown = ""
    private var isScheduled = false
    private var lastLook = NIODeadline.now()
    private var feeding: RepeatedTask?

    /// No more often than this is the status sent.
    private static let pause = TimeAmount.seconds(10)

    /// Reports of a server that is put together; where it has a folder of music, nobody misses a server.
    init(_ context: ServerContext, _ configuration: Configuration, _ relay: Relay, hub: IdleHub) {
        self.context = context
        hasFolder = configuration.local != nil
        connection = { configuration.navidrome == nil ? .notConfigured : relay.connection }
        notifier = Self.manager
        watchdog =
            notifier.isListening
            ? Watchdog(environment: ProcessInfo.processInfo.environment, processID: getpid()) : nil
        if notifier.isListening { hub.changed = { [weak self] in self?.schedule() } }
    }

    /// Says that clients can connect, and goes on reporting until the process ends.
    func run() async {
        guard notifier.isListening else { return }
        if let watchdog {
            let interval = TimeAmount(watchdog.interval)
            feeding = ServerActor.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) {
                [notifier] _ in
                _ = notifier.keepAlive()
            }
        }
        shown = await sentence()
        lastLook = .now()
        // A manager that is busy with others, as while a machine starts, takes it a little later.
        for _ in 0..<100 where !notifier.ready(status: shown) {
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
        }
    }

    private func schedule() {
        guard !isScheduled else { return }
        isScheduled = true
        let time = max(.now() + .milliseconds(200), lastLook + Self.pause)
        ServerActor.eventLoop.scheduleTask(deadline: time) {
            ServerActor.assumeIsolated {
                self.isScheduled = false
                self.lastLook = .now()
                Task { await self.look() }
            }
        }
    }

    private func look() async {
        let sentence = await sentence()
        guard sentence != shown, notifier.status(sentence) else { return }
        shown = sentence
    }

    // MARK: The sentence

    /// What plays, how large the library is, and whether the server can be reached: "Playing Bach: Air, 12,345 songs,
    /// connected".
    private func sentence() async -> String {
        let songs = (try? await context.library.index.statistics().songs) ?? 0
        let status = connection()
        let parts = [await playback(), "\(Self.grouped(songs)) songs"]
        let isLocal = status == .notConfigured && hasFolder
        return (parts + (isLocal ? [] : [Self.words(for: status)])).joined(separator: ", ")
    }

    private func playback() async -> String {
        guard let player = (context.partitions.first { $0.player.isPlaying } ?? context.partitions.first)?.player,
            player.status.state != .stop, let entry = player.current?.entry
        else { return "Stopped" }
        let verb = player.status.state == .play ? "Playing" : "Paused:"
        return "\(verb) \(await title(of: entry.item))"
    }

    private func title(of item: QueueItem) async -> String {
        switch item {
        case .song(let id):
            guard let song = (try? await context.library.index.songs([id]))?.first ?? nil else { return "a song" }
            // The file's name of a song without tags; never the whole path, which would not fit.
            return Self.title(song.tags) ?? song.uri.split(separator: "/").last.map(String.init) ?? "a song"
        case .stream(_, let tags):
            // Not the address: it may hold a password.
            return Self.title(tags) ?? "a stream"
        }
    }

    private static func title(_ tags: [TagValue]) -> String? {
        func first(_ tag: Tag) -> String? { tags.first { $0.tag == tag && !$0.value.isEmpty }?.value }
        guard let title = first(.title) ?? first(.name) else { return nil }
        let parts = [first(.artist), title].compactMap { $0 }
        return parts.map { $0.count > 80 ? $0.prefix(79) + "…" : $0 }.joined(separator: ": ")
    }

    private static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var position = digits.count - 3
        while position > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
            position -= 3
        }
        return digits
    }

    private static func words(for status: ConnectionStatus) -> String {
        switch status {
        case .notConfigured: "no server configured"
        case .checking: "connecting"
        case .connected: "connected"
        case .authFailed: "the server refuses the password"
        case .unreachable: "the server can't be reached"
        }
    }
}

/// Asks the service manager for patience while the server starts, such as for converting a large index.
enum SlowStart {
    /// Runs `body`; while it lasts the manager's limit is put off again and again, for an hour at the most.
    static func patiently<T>(_ body: () async throws -> T) async rethrows -> T {
        let notifier = ServiceReport.manager
        guard notifier.isListening else { return try await body() }
        let asking = Task.detached {
            for _ in 0..<240 {
                guard (try? await Task.sleep(for: .seconds(15))) != nil else { return }
                _ = notifier.extendTimeout(seconds: 45, status: "Opening the library")
            }
        }
        defer { asking.cancel() }
        return try await body()
    }
}
