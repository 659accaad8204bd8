import LibraryIndex
import MusicModel
@testable import Subsonic
import Testing
import UserLibrary

@testable import Sync

private func indexed(_ id: String, hash: UInt64 = 1) -> IndexedSong {
    IndexedSong(
        mount: "", sourceID: id, source: .navidrome(id: id), path: "\(id).flac", tags: [], duration: nil,
        lastModified: nil, added: nil, format: nil, replayGain: ReplayGain(), suffix: "flac", size: nil,
        coverArtID: nil, hash: hash)
}

private func known(_ count: Int) -> [String: (id: SongID, hash: UInt64)] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("s\($0)", (SongID(rawValue: Int64($0 + 1)), UInt64(1))) })
}

@Suite("Diff and its guards")
struct DiffTests {
    @Test("same hash is unchanged, other hash or id is changed, not seen is removed")
    func diff() {
        var diff = Phase3Diff(known: known(3))
        diff.add([indexed("s0"), indexed("s1", hash: 2), indexed("new")])
        #expect(diff.changed.map(\.sourceID) == ["s1", "new"])
        #expect(diff.removals == ["s2"])
        #expect(diff.duplicates == 0)
        #expect(diff.takeChanged().count == 2)
        #expect(diff.changed.isEmpty)
    }

    @Test("a song that comes twice is one song, and a sign that the library moved")
    func duplicate() {
        var diff = Phase3Diff(known: [:])
        diff.add([indexed("a"), indexed("b"), indexed("a", hash: 9)])
        #expect(diff.count == 2)
        #expect(diff.duplicates == 1)
        #expect(diff.changed.map(\.hash) == [1, 1])
    }

    @Test("an empty answer is doubted, and so is less than half, once")
    func plausibility() {
        var diff = Phase3Diff(known: known(100))
        #expect(diff.plausibility(earlier: 0) != .plausible)
        diff.add((0..<49).map { indexed("s\($0)") })
        #expect(diff.plausibility(earlier: nil) != .plausible)
        #expect(diff.plausibility(earlier: 48) != .plausible)
        #expect(diff.plausibility(earlier: 49) == .plausible)
        diff.add([indexed("s50")])
        #expect(diff.plausibility(earlier: nil) == .plausible)
        var small = Phase3Diff(known: known(3))
        small.add([indexed("s0")])
        #expect(small.plausibility(earlier: nil) == .plausible)
    }

    @Test("a walk adds up only when status, count and ids agree")
    func walkCheck() {
        var diff = Phase3Diff(known: [:])
        diff.add([indexed("a"), indexed("b")])
        func verdict(_ before: ScanStatus?, _ after: ScanStatus?, earlier: Int? = nil) -> WalkCheck.Verdict {
            WalkCheck(before: before, after: after, diff: diff, earlierMiscount: earlier).verdict
        }
        let status = ScanStatus(isScanning: false, count: 2, lastScan: "t1")
        #expect(verdict(status, status) == .adds)
        #expect(verdict(nil, nil) == .adds)
        #expect(verdict(status, ScanStatus(isScanning: true, count: 1, lastScan: "t1")) == .scanning)
        #expect(verdict(status, ScanStatus(isScanning: false, count: 2, lastScan: "t2")) != .adds)
        let other = ScanStatus(isScanning: false, count: 3, lastScan: "t1")
        #expect(verdict(other, other) != .adds)
        #expect(verdict(other, other, earlier: 2) == .adds)
        diff.add([indexed("a")])
        #expect(verdict(status, status) != .adds)
    }
}

@Suite("Update jobs")
struct UpdateJobTests {
    @Test("requests join the job that waits, not the one that runs")
    func joining() {
        let jobs = UpdateJobs()
        #expect(jobs.shownNumber == nil)
        #expect(jobs.request(uri: "a", rescan: false) == 1)
        #expect(jobs.request(uri: "b", rescan: true) == 1)
        #expect(jobs.shownNumber == 1)
        let job = jobs.start()
        #expect(job?.uris == ["a", "b"])
        #expect(job?.isRescan == true)
        #expect(jobs.request(uri: "c", rescan: false) == 2)
        #expect(jobs.start() == nil)
        #expect(jobs.shownNumber == 1)
        jobs.finish()
        #expect(jobs.shownNumber == 2)
        #expect(jobs.start()?.number == 2)
        jobs.finish()
        #expect(jobs.shownNumber == nil)
        #expect(jobs.startUnasked()?.number == 3)
        #expect(jobs.startUnasked() == nil)
    }

    @Test("a job takes 32 URIs, those it has already, and everything in their place")
    func room() {
        let jobs = UpdateJobs()
        _ = jobs.request(uri: "running", rescan: false)
        #expect(jobs.start() != nil)
        for number in 1...32 { #expect(jobs.request(uri: "\(number)", rescan: false) == 2) }
        for number in 33...1_000 { #expect(jobs.request(uri: "\(number)", rescan: true) == nil) }
        #expect(jobs.request(uri: "7", rescan: false) == 2)
        #expect(jobs.request(uri: "", rescan: false) == 2)
        #expect(jobs.request(uri: "33", rescan: false) == 2)
        jobs.finish()
        let job = jobs.start()
        #expect(job?.uris == [""])
        #expect(job?.isRescan == false)
    }

    @Test("URIs select sources by their mounts")
    func scopes() {
        func scope(_ uris: Set<String>, server: String?, folder: String?) -> UpdateScope {
            UpdateScope(uris: uris, serverMount: server, folderMounts: folder.map { [$0] } ?? [])
        }
        let both = scope([""], server: "navidrome", folder: "local")
        #expect(both.server && both.folders == ["local": [""]])
        let one = scope(["local/Rock", "local/Jazz/"], server: "navidrome", folder: "local")
        #expect(!one.server && one.folders == ["local": ["Rock", "Jazz"]])
        let other = scope(["navidrome/x"], server: "navidrome", folder: "local")
        #expect(other.server && other.folders.isEmpty)
        let onlyFolder = scope(["Rock"], server: nil, folder: "")
        #expect(!onlyFolder.server && onlyFolder.folders == ["": ["Rock"]])
        let mixed = scope(["local/Rock"], server: "", folder: "local")
        #expect(!mixed.server && mixed.folders == ["local": ["Rock"]])
        let atRoot = scope(["Rock"], server: "", folder: "local")
        #expect(atRoot.server && atRoot.folders.isEmpty)
        let outside = scope(["../etc", "nowhere"], server: "navidrome", folder: "local")
        #expect(!outside.server && outside.folders.isEmpty)
        #expect(scope(["Rock", ""], server: nil, folder: "").folders == ["": [""]])
        let several = UpdateScope(uris: ["usb/x", "Rock"], serverMount: nil, folderMounts: ["", "usb", "other"])
        #expect(several.folders == ["": ["Rock"], "usb": ["x"]])
    }

    @Test("pauses double up to the longest")
    func delays() {
        let settings = SyncSettings()
        #expect(
            (1...9).map { settings.retryDelay(after: $0) }
                == [5, 10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
    }
}
