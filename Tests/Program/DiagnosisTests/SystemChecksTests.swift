@testable import Diagnosis
import Foundation
import GRDB
import LibraryIndex
import Testing

@Suite("Looking at the machine")
struct SystemChecksTests {
    /// A folder with what a system says about itself.
    private final class FakeSystem {
        let path = FileManager.default.temporaryDirectory.path + "/segue-check-\(UUID().uuidString)"

        var places: SystemPlaces {
            var places = SystemPlaces(environment: ["XDG_RUNTIME_DIR": path + "/user"])
            (places.processes, places.services, places.soundDevices) = (path + "/proc", path + "/run", path + "/snd")
            return places
        }

        func write(_ text: String, to name: String) throws {
            let file = path + "/" + name
            try FileManager.default.createDirectory(
                atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        }

        func process(_ number: Int, _ name: String, holds target: String) throws {
            try write(name + "\n", to: "proc/\(number)/comm")
            let folder = path + "/proc/\(number)/fd"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: folder + "/7", withDestinationPath: target)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:19C8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1
           1: 0100007F:19C8 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1
        """

    @Test("a port that another program holds is a failure that names the program")
    func portTaken() throws {
        let system = FakeSystem()
        try system.write(Self.table, to: "proc/net/tcp")
        try system.process(12, "mpd", holds: "socket:[4711]")
        let finding = SystemChecks(system.places).port(6600, for: "MPD clients")
        #expect(finding.level == .failure)
        #expect(finding.text.contains("mpd (process 12)"))
    }

    @Test("a port that Segue holds, or nobody, is as it should be")
    func portFree() throws {
        let system = FakeSystem()
        try system.write(Self.table, to: "proc/net/tcp")
        try system.process(12, "segue", holds: "socket:[4711]")
        #expect(SystemChecks(system.places).port(6600, for: "MPD clients").level == .ok)
        #expect(SystemChecks(system.places).port(6601, for: "MPD clients").text.contains("free"))
    }

    @Test("a port whose holder can't be seen is a warning")
    func portOfOthers() throws {
        let system = FakeSystem()
        try system.write(Self.table, to: "proc/net/tcp")
        #expect(SystemChecks(system.places).port(6600, for: "MPD clients").level == .warning)
    }

    @Test("tables and limits that make no sense are no reason to end")
    func nonsense() throws {
        let system = FakeSystem()
        try system.write(
            "x\n : : : 0A\n\u{0}\n 0: nonsense:FFFFFFFFFFFFFFFFFFFF 0 0A 1 2 3 4 5 6\n", to: "proc/net/tcp")
        try system.write("Max open files\nMax realtime priority  99999999999999999999 x y", to: "proc/self/limits")
        let checks = SystemChecks(system.places)
        #expect(checks.port(6600, for: "MPD clients").level == .ok)
        #expect(checks.limits(clients: .max, needsRealTime: true).count == 1)
    }

    @Test("a sound card says who plays on it")
    func soundCard() throws {
        let system = FakeSystem()
        try system.write("", to: "snd/pcmC0D0p")
        try system.process(9, "mpv", holds: system.path + "/snd/pcmC0D0p")
        let checks = SystemChecks(system.places)
        let findings = checks.soundCards(heldBy: checks.soundCardPlayers())
        #expect(findings.map(\.level) == [.ok])
        #expect(findings.first?.text == "in use by mpv (process 9)")
    }

    @Test("without a sound card there is a warning, without a sound server a failure with a way out")
    func noSound() {
        let system = FakeSystem()
        #expect(SystemChecks(system.places).soundCards(heldBy: [:]).map(\.level) == [.warning])
        let finding = SystemChecks(system.places).soundServer("pulse")
        #expect(finding.level == .failure)
        #expect(finding.text.contains(system.path + "/user/pulse/native"))
        #expect(finding.text.contains("systemctl --user"))
    }

    @Test("few descriptors and no real time are warnings")
    func limits() throws {
        let system = FakeSystem()
        let text =
            "Max open files            256                  512                  files\n"
            + "Max realtime priority     0                    0\n"
        try system.write(text, to: "proc/self/limits")
        let findings = SystemChecks(system.places).limits(clients: 1000, needsRealTime: true)
        #expect(findings.map(\.level) == [.warning, .warning])
        #expect(SystemChecks(system.places).limits(clients: 100, needsRealTime: false).map(\.level) == [.ok])
    }

    @Test("the room of a disk is judged by what may still come")
    func room() {
        let checks = SystemChecks(FakeSystem().places)
        func level(_ wanted: Int64, _ keepFree: Int64) -> Finding.Level {
            checks.room(in: "/tmp", for: "cache", wanted: wanted, used: 0, keepFree: keepFree).level
        }
        #expect(level(1, 0) == .ok)
        #expect(level(.max, 0) == .warning)
        #expect(level(1, .max) == .failure)
    }

    @Test(
        "a clock that is off by more than half a minute is a warning, however far", arguments: [31, -1e300, .infinity])
    func clock(difference: Double) {
        #expect(SystemChecks.clock(aheadOfServer: difference).level == .warning)
        #expect(SystemChecks.clock(aheadOfServer: 2).level == .ok)
    }

    @Test("mounts are read from the database, if there are any")
    func mounts() throws {
        let system = FakeSystem()
        try system.write("", to: "empty.db")
        let path = system.path + "/good.db"
        try DatabaseQueue(path: path).write {
            try $0.execute(
                sql: "CREATE TABLE mount (name TEXT, uri TEXT); INSERT INTO mount VALUES ('nas', 'smb://nas/music')")
        }
        #expect(DatabaseCheck.mounts(in: path) == ["smb://nas/music"])
        for name in ["empty.db", "none.db"] { #expect(DatabaseCheck.mounts(in: system.path + "/" + name).isEmpty) }
    }

    @Test("a database is whole, of an older version, damaged or not there")
    func database() throws {
        let system = FakeSystem()
        try system.write(
            "this is no database, but long enough to be taken for one by its size alone.....", to: "bad.db")
        let good = system.path + "/good.db"
        try DatabaseQueue(path: good).write {
            try $0.execute(sql: "CREATE TABLE songs (id INTEGER); PRAGMA user_version = \(SchemaVersion.newest)")
        }
        #expect(DatabaseCheck.finding(at: good)?.text.hasSuffix("is whole, schema \(SchemaVersion.newest)") == true)
        try DatabaseQueue(path: good).write { try $0.execute(sql: "PRAGMA user_version = 7") }
        let older = DatabaseCheck.finding(at: good)
        #expect(older?.level == .failure && older?.text.contains("older version of Segue (schema 7") == true)
        #expect(DatabaseCheck.finding(at: system.path + "/bad.db")?.level == .failure)
        #expect(DatabaseCheck.finding(at: system.path + "/none.db") == nil)
    }
}
