import Foundation
import Testing

@Suite("The list of the sync's phases")
struct SyncPhaseListTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Upstream/Sync/Index")

    @Test("numbers them without a gap, and each file of a phase stands in it under its number")
    func files() throws {
        let list = try String(contentsOf: Self.folder.appending(path: "Phases/SyncPhases.swift"), encoding: .utf8)
            .matches(of: #/\n/// (\d)\. (\w+):/#).map { "\($0.1)\($0.2)" }
        #expect(list.compactMap { $0.first?.wholeNumberValue } == Array(1...list.count))
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path + "/Phases")
            .filter { $0.hasPrefix("Phase") }.map { String($0.dropFirst("Phase".count)) }
        #expect(files.count > 4)
        for file in files { #expect(list.contains { file.hasPrefix($0) }, "Phase\(file) is not in the list") }
    }

    @Test("is in the diagram of the README")
    func diagram() throws {
        let list = try String(contentsOf: Self.folder.appending(path: "Phases/SyncPhases.swift"), encoding: .utf8)
        let readme = try String(contentsOf: Self.folder.appending(path: "README.md"), encoding: .utf8)
        for phase in list.matches(of: #/\n/// (\d)\. (\w+):/#) {
            #expect(readme.contains("\(phase.1) \(phase.2)"), "\(phase.1). \(phase.2)")
        }
    }
}
