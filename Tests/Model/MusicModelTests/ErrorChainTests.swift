import Foundation
import MusicModel
import Testing

/// An error as the parts of the program have them.
private struct PartError: ChainedError, Hashable {
    let description: String
    let origin: ErrorOrigin

    init(_ description: String, cause: (any Error)? = nil, file: StaticString = #fileID, line: UInt = #line) {
        (self.description, origin) = (description, ErrorOrigin(cause, file: file, line: line))
    }
}

/// An error of a library.
private enum LibrarysError: Error { case connectTimeout }

@Suite("Errors in the log")
struct ErrorChainTests {
    @Test("an error is followed by its place and by the errors beneath")
    func chain() {
        let first = PartError("the server does not answer", cause: LibrarysError.connectTimeout)
        let second = PartError("the sync has failed", cause: first)
        let links = "\(chain: second)".components(separatedBy: " <- ")
        #expect(links.count == 3)
        #expect(links[0].wholeMatch(of: /the sync has failed \[MusicModelTests\/ErrorChainTests.swift:\d+\]/) != nil)
        #expect(links[1].hasPrefix("the server does not answer [MusicModelTests/"))
        #expect(links[2] == "connectTimeout")
    }

    @Test("errors that say the same are equal wherever they come from")
    func equality() {
        let plain = PartError("full")
        let caused = PartError("full", cause: LibrarysError.connectTimeout)
        #expect(plain == caused)
        #expect(plain.hashValue == caused.hashValue)
        #expect(plain != PartError("empty"))
    }

    @Test("a failed write names the file and the system's reason, without Foundation's decoration")
    func foundation() {
        let error = #expect(throws: CocoaError.self) {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "/dev/full"))
        }
        let text = "\(chain: PartError("the session can't be kept", cause: error))"
        #expect(text.contains("/dev/full"))
        #expect(text.contains("No space left on device"))
        #expect(!text.contains("Error Domain") && !text.contains("NSUnderlying"))
    }

    @Test("an error whose text stands above it is not repeated")
    func repetition() {
        let cause = PartError("Permission denied")
        let text = "\(chain: PartError("can't write /x: Permission denied", cause: cause))"
        #expect(text.ranges(of: "Permission denied").count == 1)
    }

    @Test(
        "URLs are shown without user, password and query",
        arguments: [
            (
                "GET http://me:pass@word@host:4533/rest/ping?u=me&t=token&s=salt failed",
                "GET http://host:4533/rest/ping?… failed"
            ),
            ("no answer from https://host/a", "no answer from https://host/a"),
            ("\"wss://secret@host\" and tcp://b?key=1", "\"wss://host\" and tcp://b?…"),
        ])
    func secrets(text: String, shown: String) {
        #expect("\(chain: PartError(text))".hasPrefix(shown + " ["))
    }

    @Test("a chain without an end and a text without an end are cut")
    func limits() {
        var error = PartError("0")
        for number in 1..<100 { error = PartError("link \(number).", cause: error) }
        #expect(ErrorChain(error).errors.count == 8)
        #expect("\(chain: PartError(String(repeating: "x", count: 1_000_000)))".utf8.count < 1_200)
    }
}
