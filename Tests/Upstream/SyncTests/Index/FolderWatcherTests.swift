import Foundation
import LibraryIndex
import MusicModel
import SyncBench
import Synchronization
import TestSupport
import Testing
import UserLibrary

@testable import Sync

/// Reads anything as music, and counts.
private final class CountingReader: TagReading {
    let count = Mutex(0)

    func read(path: String) throws -> ScannedTags {
        count.withLock { $0 += 1 }
        return ScannedTags(tags: [TagValue(.title, (path as NSString).lastPathComponent)], duration: .seconds(3))
    }
}

/// What a watcher told.
private final class Told: Sendable {
    let paths = Mutex<[Set<String>]>([])

    var all: [Set<String>] { paths.withLock { $0 } }
}

@Suite("Noticing changes in a folder")
struct FolderWatcherTests {
    private let folder: TemporaryFolder
    private let state: TemporaryFolder
    private let library: Library
    private let recorder = SyncRecorder()
    private let log = LogLines()
    private let sync: LibrarySync

    init() throws {
        folder = try TemporaryFolder()
        state = try TemporaryFolder()
        library = try Library(path: state.path + "/segue.db")
        var settings = SyncSettings()
        settings.folders.watching = FolderWatching(isOn: true)
        settings.folders.watching.pause = .milliseconds(50)
        settings.folders.watching.pace = FolderWatcher.Pace(quiet: .milliseconds(50), maxWait: .milliseconds(500))
        sync = LibrarySync(
            library: library, server: nil,
            folder: FolderSource(mount: "", musicDirectory: folder.path, reader: CountingReader()),
            settings: settings, observer: recorder.observer, logger: log.logger)
    }

    private func paths() async throws -> Set<String> { Set(try await library.allIDs().keys) }

    @Test("New, moved and lost files and folders are in the library without an update")
    func changes() async throws {
        try folder.write("A/1.flac")
        let running = Task { [sync] in await sync.run() }
        try await eventually("the first scan") { try await paths() == ["A/1.flac"] }
        try folder.write("A/2.flac")
        try await eventually("a new file") { try await paths() == ["A/1.flac", "A/2.flac"] }
        try folder.write("B/deep/3.flac")
        try await eventually("a new folder") { try await paths().contains("B/deep/3.flac") }
        try folder.write("B/deep/4.flac")
        try await eventually("a file in a new folder") { try await paths().contains("B/deep/4.flac") }
        try folder.move("B", to: "C")
        try await eventually("a moved folder") {
            try await paths() == ["A/1.flac", "A/2.flac", "C/deep/3.flac", "C/deep/4.flac"]
        }
        try folder.remove("A")
        try await eventually("a lost folder") { try await paths() == ["C/deep/3.flac", "C/deep/4.flac"] }
        try folder.write("C/.mpdignore", "4*\n")
        try await eventually("an ignore file") { try await paths() == ["C/deep/3.flac"] }
        running.cancel()
        await running.value
    }

    @Test("A folder whose changes the system doesn't tell is looked at again and again")
    func silentFileSystem() async throws {
        var settings = SyncSettings()
        settings.folders.watching = FolderWatching(isOn: true, interval: .milliseconds(100))
        // The kernel tells of nothing that soon.
        settings.folders.watching.pace = FolderWatcher.Pace(quiet: .seconds(3600), maxWait: .seconds(3600))
        settings.folders.watching.isSilent = { [path = folder.path] in $0 == path }
        let sync = LibrarySync(
            library: library, server: nil,
            folder: FolderSource(mount: "", musicDirectory: folder.path, reader: CountingReader()),
            settings: settings, observer: recorder.observer, logger: log.logger)
        try folder.write("A/1.flac")
        let running = Task { await sync.run() }
        for number in 2...3 {
            try await eventually("the scan before") { try await paths().contains("A/\(number - 1).flac") }
            try folder.write("A/\(number).flac")
            try await eventually("a new file") { try await paths().contains("A/\(number).flac") }
        }
        running.cancel()
        await running.value
    }

    @Test("A folder that comes and goes thousands of times costs a few scans")
    func flood() async throws {
        try folder.write("A/1.flac")
        let running = Task { [sync] in await sync.run() }
        try await eventually("the first scan") { try await paths() == ["A/1.flac"] }
        let scans = log.all.count
        for round in 0..<2_000 {
            mkdir(folder.path + "/flood", 0o755)
            rmdir(folder.path + "/flood")
            if round % 100 == 0 { await Task.yield() }
        }
        try folder.write("A/2.flac")
        try await eventually("what comes after it") { try await paths() == ["A/1.flac", "A/2.flac"] }
        #expect(log.all.count - scans < 100)
        running.cancel()
        await running.value
    }

    @Test("Nothing is told of files that are no music, and nothing after the end")
    func quiet() async throws {
        let told = Told()
        let pace = FolderWatcher.Pace(quiet: .milliseconds(20), maxWait: .milliseconds(200))
        let watcher = try #require(
            FolderWatcher(root: folder.path, pace: pace, logger: log.logger) { paths in
                told.paths.withLock { $0.append(paths) }
            })
        watcher.watch("")
        try folder.write("notes.txt")
        try folder.write(".hidden.flac")
        try folder.write("song.flac")
        try await eventually("the song") { !told.all.isEmpty }
        // A slow machine may tell of its beginning and of its end apart.
        #expect(Set(told.all) == [["song.flac"]])
        watcher.stop()
        watcher.stop()
        watcher.watch("")
    }

    @Test("File systems of this machine tell of changes")
    func silentFileSystems() {
        #expect(!SilentFileSystem.holds("/proc"))
        #expect(!SilentFileSystem.holds("/nowhere"))
    }
}
