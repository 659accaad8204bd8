import Foundation
import Testing

@testable import Supervision

@Suite("The words of the command line")
struct ProcessArgumentsTests {
    @Test(
        "are those that the system has, empty ones too",
        arguments: [
            ("segue\0serve\0", ["segue", "serve"]), ("segue\0", ["segue"]),
            ("segue\0\0--config\0\0", ["segue", "", "--config", ""]),
        ])
    func words(bytes: String, expected: [String]) { #expect(ProcessArguments.read(Data(bytes.utf8)) == expected) }

    @Test("are those of this process")
    func own() { #expect(ProcessArguments.all == CommandLine.arguments) }
}
