import Foundation
import LibraryIndex
@testable import Sync
import LibrarySamples
import MusicModel
import SyncBench
import Synchronization
import Testing
import TestSupport
import UserLibrary

/// Reads a text file as if it were music: its first line is the title; `broken` can't be read, `slow` takes too long,
/// `away` can't be had.
private final class TextReader: TagReading {
    private let paths = Mutex<[String]>([])

    /// What was read since the last call.
    func takeRead() -> [String] {
        paths.withLock { paths in
            defer { paths = [] }
            return paths.sorted()
        }
    }

    /// What stands before every title.
    let prefix = Mutex("")

    let version: String

    init(version: String = "1") { self.version = version }

    func read(path: String) throws -> ScannedTags {
        paths.withLock { $0.append((path as NSString).lastPathComponent) }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        guard text != "broken" else { throw CocoaError(.fileReadCorruptFile) }
        guard text != "slow" else { throw UnreadFile(.tookTooLong, "it took too long") }
        guard text != "away" else { throw UnreadFile(.outOfReach, "the disk does not answer") }
        let title = prefix.withLock { $0 } + text.prefix { $0 != "\n" }
        return ScannedTags(
            tags: [TagValue(.artist, "Artist"), TagValue(.album, "Album"), TagValue(.title, title)],
            duration: .seconds(3))
    }
}

@Suite("Local folder")
struct LocalFolderTests {
    private let folder: TemporaryFolder
    private let state: TemporaryFolder
    private let library: Library
    private let reader = TextReader()
    private let recorder = SyncRecorder()
    private let log = LogLines()
    private let sync: LibrarySync

    init() throws {
        folder = try TemporaryFolder()
        state = try TemporaryFolder()
        library = try Library(path: state.path + "/segue.db")
        sync = LibrarySync(
            library: library, server: nil,
            folder: FolderSource(mount: "", musicDirectory: folder.path, reader: reader),
            observer: recorder.observer, logger: log.logger)
    }

    @Test("a scan reads what is new or changed, once")
    func incremental() async throws {
        try folder.write("A/1.flac", "One", modified: 1_000)
        try folder.write("A/2.flac", "Two", modified: 1_000)
        let first = try await sync.syncOnce()
        #expect(first.added == 2 && first.songs == 2)
        #expect(reader.takeRead() == ["1.flac", "2.flac"])
        #expect(recorder.now.subsystems.contains(.database))
        let ids = try await library.allIDs()
        #expect(Set(ids.keys) == ["A/1.flac", "A/2.flac"])

        recorder.reset()
        let second = try await sync.syncOnce()
        #expect(!second.changedSongs)
        #expect(reader.takeRead().isEmpty)
        #expect(recorder.now.subsystems.isEmpty)

        let added = try #require(try await library.index.song(at: "A/2.flac")?.added)
        try folder.write("A/2.flac", "Two again", modified: 2_000)
        let third = try await sync.syncOnce()
        #expect(third.updated == 1 && third.added == 0)
        #expect(reader.takeRead() == ["2.flac"])
        let song = try #require(try await library.index.song(at: "A/2.flac"))
        #expect(song.first(.title) == "Two again")
        #expect(song.lastModified == 2_000)
        #expect(song.added == added)
        #expect(try await library.allIDs() == ids)
    }

    @Test("a removed file's song goes, a moved one keeps its id")
    func removeAndMove() async throws {
        try folder.write("A/1.flac", "One")
        try folder.write("A/2.flac", "Two")
        _ = try await sync.syncOnce()
        let ids = try await library.allIDs()
        try folder.remove("A/1.flac")
        try folder.write("B/keep.txt")
        try folder.move("A/2.flac", to: "B/2.flac")
        let summary = try await sync.syncOnce()
        #expect(summary.added == 0)
        #expect(try await library.allIDs() == ["B/2.flac": try #require(ids["A/2.flac"])])
        #expect(recorder.now.removed == [try #require(ids["A/1.flac"])])
    }

    @Test(
        """
        a file that took too long is read again by the next scan; if it does so again it is passed over, after a \
        restart, too, until it changes or another version reads it
        """)
    func slow() async throws {
        /// What a new run of the program reads.
        func restarted(_ reader: TextReader = TextReader(), rescans: Bool = false) async throws -> [String] {
            let sync = LibrarySync(
                library: library, server: nil,
                folder: FolderSource(mount: "", musicDirectory: folder.path, reader: reader),
                observer: recorder.observer, logger: log.logger)
            _ = try await sync.syncOnce(force: rescans)
            return reader.takeRead()
        }
        try folder.write("1.flac", "One")
        try folder.write("broken.flac", "broken")
        try folder.write("deep/slow 2.flac", "slow", modified: 1_000)
        #expect(try await restarted() == ["1.flac", "broken.flac", "slow 2.flac"])
        #expect(try await restarted() == ["broken.flac", "slow 2.flac"])
        #expect(try await restarted() == ["broken.flac"])
        #expect(log.all.contains { $0.contains("1 files below") && $0.contains("deep/slow 2.flac; `rescan`") })
        for _ in 0..<2 { #expect(try await restarted(TextReader(version: "2")) == ["broken.flac", "slow 2.flac"]) }
        #expect(try await restarted(TextReader(version: "2")) == ["broken.flac"])
        #expect(try await restarted(TextReader(version: "2"), rescans: true).contains("slow 2.flac"))
        try folder.write("deep/slow 2.flac", "mended", modified: 2_000)
        #expect(try await restarted(TextReader(version: "2")) == ["broken.flac", "slow 2.flac"])
        #expect(try await library.index.fact("sync.slow.") == nil)
    }

    @Test("a file for which the machine was too slow once is there after the next update")
    func slowOnce() async throws {
        try folder.write("1.flac", "slow", modified: 1_000)
        #expect(try await sync.syncOnce().skipped == 1)
        try folder.write("1.flac", "fine", modified: 1_000)
        #expect(try await sync.syncOnce().added == 1)
        #expect(try await library.index.fact("sync.slow.") == nil)
    }

    @Test("a file that can't be had is tried by every scan, and logged once until it was there")
    func outOfReach() async throws {
        func lines() -> Int {
            log.all.count { $0.hasPrefix("warning: ") && $0.contains("skipped for now: the disk does not answer") }
        }
        try folder.write("1.flac", "away", modified: 1_000)
        _ = try await sync.syncOnce()
        _ = try await sync.syncOnce()
        #expect(reader.takeRead() == ["1.flac", "1.flac"])
        #expect(lines() == 1)
        // The file has not changed, only what stood before it.
        try folder.write("1.flac", "back", modified: 1_000)
        #expect(try await sync.syncOnce().added == 1)
        try folder.write("1.flac", "away", modified: 2_000)
        _ = try await sync.syncOnce()
        #expect(lines() == 2)
        #expect(try await library.allIDs().keys.sorted() == ["1.flac"])
    }

    @Test("broken and empty files are logged once and skipped, until they change")
    func broken() async throws {
        try folder.write("1.flac", "One")
        try folder.write("2.flac", "broken", modified: 1_000)
        try folder.write("3.flac", "")
        let summary = try await sync.syncOnce()
        #expect(summary.added == 1 && summary.skipped == 2)
        #expect(log.all.filter { $0.contains("2.flac is skipped") }.count == 1)
        #expect(log.all.contains { $0.contains("3.flac is skipped: it is empty") })
        _ = reader.takeRead()
        _ = try await sync.syncOnce()
        #expect(reader.takeRead().isEmpty)
        #expect(log.all.filter { $0.contains("2.flac is skipped") }.count == 1)
        try folder.write("2.flac", "Two", modified: 2_000)
        #expect(try await sync.syncOnce().added == 1)
    }

    @Test("an empty or missing music folder leaves the index as it is")
    func emptyFolder() async throws {
        try folder.write("A/1.flac", "One")
        _ = try await sync.syncOnce()
        try folder.remove("A")
        recorder.reset()
        _ = try await sync.syncOnce()
        #expect(try await library.allIDs().count == 1)
        #expect(recorder.now.subsystems.isEmpty)
        #expect(log.all.contains { $0.contains("is empty but 1 songs were there before") })
        try FileManager.default.removeItem(atPath: folder.path)
        await #expect(throws: FolderError.self) { try await sync.syncOnce() }
        #expect(try await library.allIDs().count == 1)
    }

    @Test("update takes a part of the folder, rescan reads unchanged files again")
    func jobs() async throws {
        try folder.write("A/1.flac", "One", modified: 1_000)
        try folder.write("B/2.flac", "Two", modified: 1_000)
        let running = Task { [sync] in await sync.run() }
        try await eventually("the first scan") {
            try await library.allIDs().count == 2 && sync.runningJob == nil
                // The end of a job is told after it.
                && recorder.now.subsystems.count { $0 == .update } == 2
        }
        _ = reader.takeRead()
        try folder.write("A/3.flac", "Three")
        try folder.write("B/4.flac", "Four")
        recorder.reset()
        let job = try #require(sync.startUpdate(uri: "A", rescan: false))
        #expect(sync.runningJob == job)
        try await eventually("the update of A") { sync.runningJob == nil && recorder.now.subsystems.count == 3 }
        #expect(recorder.now.subsystems == [.update, .database, .update])
        #expect(Set(try await library.allIDs().keys) == ["A/1.flac", "A/3.flac", "B/2.flac"])
        #expect(reader.takeRead() == ["3.flac"])
        // The files stay as they are, but more is read from them.
        reader.prefix.withLock { $0 = "The " }
        let second = try #require(sync.startUpdate(uri: "", rescan: true))
        #expect(second > job)
        try await eventually("the rescan") { sync.runningJob == nil && recorder.now.subsystems.count >= 6 }
        #expect(reader.takeRead() == ["1.flac", "2.flac", "3.flac", "4.flac"])
        #expect(try await library.index.song(at: "A/1.flac")?.first(.title) == "The One")
        running.cancel()
        await running.value
    }

    @Test("folders for the network lie below the configured ones, and nothing is learnt of others")
    func refusals() async throws {
        try folder.write("inside/1.flac")
        let other = try TemporaryFolder()
        try folder.link("out", to: other.path)
        var settings = SyncSettings()
        settings.mountRoots = [folder.path]
        let sync = LibrarySync(
            library: library, server: nil, mountReader: reader, settings: settings, logger: log.logger)
        #expect(await sync.refusal(of: folder.path + "/inside", isLocal: false) == nil)
        #expect(await sync.refusal(of: folder.path + "/inside/1.flac", isLocal: false) == .system(ENOTDIR))
        #expect(await sync.refusal(of: folder.path + "/nothing", isLocal: false) == .system(ENOENT))
        for path in [other.path, folder.path + "/out", folder.path + "/inside/../../", "/nothing", "/sys", "/"] {
            #expect(await sync.refusal(of: path, isLocal: false) == .outsideOfRoots)
        }
        #expect(await sync.refusal(of: other.path, isLocal: true) == nil)
        #expect(await sync.refusal(of: "/nothing", isLocal: true) == .system(ENOENT))
        #expect(await sync.refusal(of: "/proc", isLocal: true) == .noFolderOfMusic)
    }

    @Test(
        "a folder of another machine is read when it is there; its songs stay while it is away, and its links stay in it"
    )
    func otherMachine() async throws {
        let (volume, other) = (try TemporaryFolder(), try TemporaryFolder())
        try volume.write("1.flac", "One")
        try other.write("2.flac", "Two")
        try volume.link("out", to: other.path)
        let link = folder.path + "/nas"
        let source = FolderSource(mount: "nas", musicDirectory: link, reader: reader, isRemote: true)
        let sync = LibrarySync(
            library: library, server: nil, mounted: [source], mountReader: reader, logger: log.logger)
        let running = Task { await sync.run() }
        defer { running.cancel() }
        #expect(try await sync.syncOnce().songs == 0)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: volume.path)
        _ = sync.startUpdate(uri: "nas", rescan: false)
        #expect(await eventually { (try? await library.allIDs().count) == 1 })
        try FileManager.default.removeItem(atPath: link)
        _ = sync.startUpdate(uri: "", rescan: true)
        #expect(await eventually { sync.runningJob == nil })
        #expect(try await library.index.song(at: "nas/1.flac")?.first(.title) == "One")
        let storage = NetworkStorage(uri: "smb://me:secret@nas/x", shown: "smb://nas/x", folder: volume.path)
        try await sync.mount(volume.path, at: "more", of: storage)
        #expect(try library.savedMounts().map(\.uri) == ["smb://me:secret@nas/x"])
        #expect(try await sync.syncOnce().songs == 1)
    }

    @Test("unmounting doesn't wait for a disk that hangs, and the hanging scan writes nothing afterwards")
    func hangingDisk() async throws {
        let usb = try TemporaryFolder()
        try usb.write("1.flac", "One")
        let hanging = HangingReader()
        let sync = LibrarySync(library: library, server: nil, mountReader: hanging, logger: log.logger)
        try await sync.mount(usb.path, at: "usb", of: nil)
        let running = Task { await sync.scanFolder(at: "usb", below: "", rescan: false) }
        await hanging.begun()
        #expect(try await sync.unmount("usb"))
        await running.value
        hanging.release()
        #expect(await eventually { hanging.isOver })
        #expect(try await sync.unmount("usb") == false)
        #expect(try await library.allIDs().isEmpty)
        #expect(!log.all.contains { $0.contains("is skipped") }, "nothing is wrong with the file")
    }
}

/// Reads nothing before it is told to.
private final class HangingReader: TagReading {
    private let hasBegun = Mutex(false)
    private let hasEnded = Mutex(false)
    private let door = DispatchSemaphore(value: 0)

    func begun() async {
        while !hasBegun.withLock(\.self) { try? await Task.sleep(for: .milliseconds(5)) }
    }

    func release() { door.signal() }

    var isOver: Bool { hasEnded.withLock(\.self) }

    func read(path: String) throws -> ScannedTags {
        hasBegun.withLock { $0 = true }
        door.wait()
        defer { hasEnded.withLock { $0 = true } }
        return ScannedTags(tags: [TagValue(.title, "Late")])
    }
}
