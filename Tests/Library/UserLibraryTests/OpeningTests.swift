import Foundation
import GRDB
import LibraryIndex
import Testing

@testable import UserLibrary

@Suite("Opening the database")
struct OpeningTests {
    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func failure(_ path: String) -> LibraryError? {
        do {
            try Library(path: path).close()
            return nil
        } catch { return error as? LibraryError }
    }

    @Test("A file that is no database and a missing directory are told apart, with the path")
    func failures() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = folder.appendingPathComponent("text.db")
        try Data(String(repeating: "not a database ", count: 100).utf8).write(to: text)
        #expect(failure(text.path)?.code == .corrupt)
        #expect(failure(text.path)?.message.contains(text.path) == true)
        let missing = folder.appendingPathComponent("missing/segue.db").path
        #expect(failure(missing)?.code == .unwritable)
        #expect(failure(missing)?.message.contains(missing) == true)
        #expect(failure(folder.path)?.code == .unwritable)
    }

    @Test(
        "A file that can't be written is an error at once",
        .disabled(if: getuid() == 0, "root may write anything; contrib/test runs this as an ordinary user"))
    func readOnly() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("segue.db").path
        try Library(path: path).close()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        #expect(failure(path)?.code == .unwritable)
    }

    @Test("A second process that holds the database for long is told apart")
    func busy() throws {
        let test = try TestLibrary()
        try DatabaseQueue(path: test.path).inTransaction(.immediate) { _ in
            #expect(failure(test.path)?.code == .busy)
            return .rollback
        }
    }
}
