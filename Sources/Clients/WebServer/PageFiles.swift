import Crypto
import CWebPage
import Foundation
import MusicModel
package import NIOCore
import NIOHTTP1
import Synchronization

/// The files of the page: those in the program, or those of a folder while they are being worked on. A path that begins
/// with `/v/VERSION/` names the same file as without that, and may be kept without limit: the page asks for all of its
/// modules that way, so that a visit after the first one asks for nothing but `index.html`.
package final class PageFiles: Sendable {
    private struct File {
        var bytes: ByteBuffer
        var tag: String
    }

    private let directory: String?
    /// Files that were asked for already; the program's files are read once.
    private let known = Mutex<[String: File]>([:])

    private static let limit = 8 << 20
    /// Stands for the version in `index.html` and `worker.js`.
    private static let placeholder = "@VERSION@"
    private static let versioned: Set = ["index.html", "worker.js"]

    /// The version of all files together; `dev` while they come from a folder, where they change.
    package let version: String

    /// Serves the program's own files, or those below `directory`.
    package init(directory: String? = nil) {
        self.directory = directory
        version = directory == nil ? Self.ownVersion : "dev"
    }

    private static let ownVersion: String = {
        var hash = SHA256()
        for file in table {
            hash.update(data: Data(String(cString: file.path).utf8))
            hash.update(bufferPointer: UnsafeRawBufferPointer(start: file.bytes, count: file.size))
        }
        return hash.finalize().prefix(8).hexadecimal
    }()

    /// The paths of the program's own files.
    package static var paths: [String] { table.map { String(cString: $0.path) } }

    /// The file at a path; nil without one. The page's own views all begin with index.html.
    package func answer(to request: HTTPRequest) -> HTTPResponse? {
        let asked = request.path.first == "v" && request.path.count > 2 ? request.path[1] : request.query["v"]
        let parts = request.path.first == "v" && request.path.count > 2 ? request.path.dropFirst(2) : request.path[...]
        let path = parts.isEmpty ? "index.html" : parts.joined(separator: "/")
        guard let file = file(path) else { return nil }
        var headers: HTTPHeaders = ["etag": file.tag]
        // A page of another version gets today's files, but must not keep them under its own name.
        let isKept = asked == version && directory == nil
        headers.add(name: "cache-control", value: isKept ? "max-age=31536000, immutable" : "no-cache")
        if request.headers["if-none-match"].contains(where: { $0.contains(file.tag) || $0 == "*" }) {
            return HTTPResponse(.notModified, headers: headers)
        }
        return HTTPResponse(.ok, file.bytes, type: Self.type(of: path), headers: headers)
    }

    /// True if no disk is needed for them.
    package var areInMemory: Bool { directory == nil }

    /// The bytes of a file by its path; nil without one.
    package func file(named path: String) -> ByteBuffer? { file(path)?.bytes }

    private func file(_ path: String) -> File? {
        if let directory {
            return Self.read(path, below: directory).map { bytes in
                let bytes = filled(bytes, path)
                return File(bytes: bytes, tag: Self.tag(bytes))
            }
        }
        if let file = known.withLock({ $0[path] }) { return file }
        guard var bytes = Self.own(path) else { return nil }
        if path.hasSuffix(".js"), path.hasPrefix("js/") || path.hasPrefix("views/") {
            bytes = ByteBuffer(string: ScriptComments.removed(from: String(buffer: bytes)))
        }
        bytes = filled(bytes, path)
        let file = File(bytes: bytes, tag: Self.tag(bytes))
        known.withLock { $0[path] = file }
        return file
    }

    /// A file with the version in it where it asks for that.
    private func filled(_ bytes: ByteBuffer, _ path: String) -> ByteBuffer {
        guard Self.versioned.contains(path) else { return bytes }
        return ByteBuffer(string: String(buffer: bytes).replacingOccurrences(of: Self.placeholder, with: version))
    }

    private static var table: [web_page_file] { (0..<web_page_file_count()).map { web_page_file_at($0) } }

    private static func own(_ path: String) -> ByteBuffer? {
        guard let found = table.first(where: { String(cString: $0.path) == path }) else { return nil }
        return ByteBuffer(bytes: UnsafeBufferPointer(start: found.bytes, count: found.size))
    }

    private static func read(_ path: String, below directory: String) -> ByteBuffer? {
        // The parts of a path are checked already: none is `..`; but one may have a slash in it.
        guard !path.isAbsolutePath, !path.pathParts.contains(".."), let root = realpath(directory),
            let full = realpath(directory + "/" + path), full.isPath(in: root),
            let size = try? FileManager.default.attributesOfItem(atPath: full)[.size] as? Int, size <= limit,
            let data = FileManager.default.contents(atPath: full)
        else { return nil }
        return ByteBuffer(bytes: data)
    }

    private static func realpath(_ path: String) -> String? {
        guard let resolved = Glibc.realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func tag(_ bytes: ByteBuffer) -> String {
        "\"\(SHA256.hash(data: Data(bytes.readableBytesView)).prefix(12).hexadecimal)\""
    }

    private static func type(of path: String) -> String {
        types[path.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json; charset=utf-8", "webmanifest": "application/manifest+json; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "ico": "image/x-icon",
    ]
}

/// Takes out of the page's modules what only people read: a fifth of what a first visit takes (decision 48). Checking
/// whole lines is enough, as the modules' comments have separate lines. Any other code stays as it is.
enum ScriptComments {
    /// The text without lines of comment, indentation and empty lines. A module with a string of several lines is left
    /// alone, as its lines could look like comments.
    static func removed(from module: String) -> String {
        let lines = module.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.allSatisfy({ $0.utf8.count { $0 == UInt8(ascii: "`") } % 2 == 0 }) else { return module }
        var kept: [Substring] = []
        kept.reserveCapacity(lines.count)
        var isInComment = false
        for line in lines {
            let code = line.drop { $0 == " " || $0 == "\t" }
            if isInComment {
                // Code behind the end of a comment is not how the modules are written.
                if code.hasSuffix("*/") { isInComment = false } else if code.contains("*/") { return module }
            } else if code.hasPrefix("/**") {
                guard let end = code.firstRange(of: "*/") else {
                    isInComment = true
                    continue
                }
                let rest = code[end.upperBound...].drop { $0 == " " }
                if !rest.isEmpty { kept.append(rest) }
            } else if !code.isEmpty, !code.hasPrefix("//") {
                kept.append(code)
            }
        }
        return isInComment ? module : kept.joined(separator: "\n") + "\n"
    }
}
