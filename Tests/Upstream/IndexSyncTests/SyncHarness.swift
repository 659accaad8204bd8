import Foundation
import LibraryIndex
import IndexSync
import Logging
import MusicModel
import Synchronization
import Testing
import UserLibrary

/// Renders just enough to see changes.
struct PlainRenderer: SongRendering {
    let version = 1

    func render(_ song: Song, mask: TagMask) -> [UInt8] {
        var text = "file: \(song.uri)\n"
        for tag in song.tags where mask.contains(tag.tag) { text += "\(tag.tag.wireName): \(tag.value)\n" }
        return Array(text.utf8)
    }
}

/// What a sync told its observer.
final class SyncRecorder: Sendable {
    struct Heard {
        var subsystems: [Subsystem] = []
        var updated: Set<SongID> = []
        var removed: Set<SongID> = []
        var connections: [ConnectionStatus] = []
        var sentences: [String] = []
        var lastProgress: (done: Int, total: Int?)?
    }

    private let heard = Mutex(Heard())

    var now: Heard { heard.withLock { $0 } }

    /// Forgets what was heard so far.
    func reset() { heard.withLock { $0 = Heard() } }

    var observer: SyncObserver {
        SyncObserver(
            subsystemsChanged: { changed in self.heard.withLock { $0.subsystems.append(changed) } },
            songsChanged: { updated, removed in
                self.heard.withLock {
                    $0.updated.formUnion(updated)
                    $0.removed.formUnion(removed)
                }
            },
            connectionChanged: { status, sentence in
                self.heard.withLock {
                    $0.connections.append(status)
                    $0.sentences.append(sentence)
                }
            },
            progress: { done, total in self.heard.withLock { $0.lastProgress = (done, total) } })
    }
}

/// Log lines, to see that they are there and hold no secret.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(lines: self) }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace
        init(lines: LogLines) { self.lines = lines }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) {
            lines.lines.withLock { $0.append("\(event.level): \(event.message)") }
        }
    }
}

/// Waits until the condition holds; fails the test after 30 seconds.
func eventually(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record(what, sourceLocation: sourceLocation)
}

extension Library {
    /// Every song by its URI.
    func allSongs() async throws -> [String: Song] {
        let found = try await index.findQueueable(SongQuery(.all))
        var byURI: [String: Song] = [:]
        for song in try await index.songs(found.map(\.id)) {
            if let song { byURI[song.uri] = song }
        }
        return byURI
    }

    /// Every song's id by its URI.
    func allIDs() async throws -> [String: SongID] {
        let ids = try await index.findQueueable(SongQuery(.all)).map(\.id)
        return Dictionary(uniqueKeysWithValues: zip(ids, try await index.songs(ids)).map { ($1?.uri ?? "", $0) })
    }
}
