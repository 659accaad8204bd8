import Foundation

/// A folder for files whose names are any bytes; gone when the test is.
package final class RawFolder: Sendable {
    /// Its absolute path, in ASCII.
    package let path: String

    /// Makes one.
    package init() throws {
        path = NSTemporaryDirectory() + "segue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { remove([]) }

    /// Makes a file with its name, or `content`, as its text, and the folders that it needs.
    package func write(_ name: [UInt8], _ content: [UInt8]? = nil) throws {
        let content = content ?? name
        let parts = name.split(separator: UInt8(ascii: "/"))
        for count in 0..<parts.count - 1 { makeFolder(Array(parts[...count].joined(separator: [UInt8(ascii: "/")]))) }
        let descriptor = Self.call(whole(name)) { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
        guard descriptor >= 0, Glibc.write(descriptor, content, content.count) == content.count,
            close(descriptor) == 0
        else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Makes a folder, whose parent is there.
    package func makeFolder(_ name: [UInt8]) { _ = Self.call(whole(name)) { mkdir($0, 0o700) } }

    /// Makes a link.
    package func link(_ name: [UInt8], to target: [UInt8]) {
        _ = Self.call(whole(name)) { name in Self.call(target) { symlink($0, name) } }
    }

    /// Gives a file or a folder another name.
    package func move(_ name: [UInt8], to other: [UInt8]) {
        _ = Self.call(whole(name)) { name in Self.call(whole(other)) { rename(name, $0) } }
    }

    /// Removes a file, or a folder with all that is in it.
    package func remove(_ name: [UInt8]) {
        let path = whole(name)
        if Self.call(path, { unlink($0) }) == 0 { return }
        guard let handle = Self.call(path, { opendir($0) }) else { return }
        defer { closedir(handle) }
        while let entry = readdir(handle) {
            let part = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 }.map { $0 } }
            guard part != Array(".".utf8), part != Array("..".utf8) else { continue }
            remove(name + (name.isEmpty ? [] : [UInt8(ascii: "/")]) + part)
        }
        _ = Self.call(path) { rmdir($0) }
    }

    private func whole(_ name: [UInt8]) -> [UInt8] { Array((path + "/").utf8) + name }

    private static func call<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let bytes = path.map { CChar(bitPattern: $0) } + [0]
        return bytes.withUnsafeBufferPointer { $0.baseAddress.map(body) ?? "".withCString(body) }
    }
}

extension [UInt8] {
    /// A name in Latin-1.
    package init(latin1 text: String) { self = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
