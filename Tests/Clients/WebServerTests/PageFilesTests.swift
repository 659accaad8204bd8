import NIOCore
import NIOHTTP1
import Testing

@testable import WebServer

@Suite("The page's files")
struct PageFilesTests {
    private let files = PageFiles()

    private func text(_ response: HTTPResponse?) throws -> String {
        guard case .bytes(let bytes) = try #require(response).body else { return "" }
        return String(buffer: bytes)
    }

    @Test("index.html and the worker name the version, by which everything else is asked for")
    func version() throws {
        for path in ["/", "/worker.js"] {
            let page = try text(files.answer(to: HTTPRequest(.GET, path)))
            #expect(page.contains(files.version), "\(path)")
            #expect(!page.contains("@VERSION@"), "\(path)")
        }
    }

    @Test("a file by its version may be kept without limit; by another version, or none, it may not")
    func keeping() throws {
        let version = files.version
        for (path, kept) in [("/v/\(version)/js/main.js", true), ("/v/old/js/main.js", false), ("/js/main.js", false)] {
            let answer = try #require(files.answer(to: HTTPRequest(.GET, path)))
            #expect((answer.headers["cache-control"].first ?? "").contains("immutable") == kept, "\(path)")
        }
    }

    @Test("every file of the page is in the program, and nothing outside of it is served")
    func everything() throws {
        #expect(PageFiles.paths.contains("js/main.js"))
        for path in PageFiles.paths where path != "index.html" {
            #expect(try files.answer(to: HTTPRequest(.GET, "/" + path)) != nil, "\(path)")
        }
        #expect((try? HTTPRequest(.GET, "/v/x/../../etc/passwd")).flatMap { files.answer(to: $0) } == nil)
        #expect(try files.answer(to: HTTPRequest(.GET, "/js/none.js")) == nil)
    }
}
