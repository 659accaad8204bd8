package import Glibc

/// A path as the disk has it, and the only way in which the program opens what lies in folders of music. Where a name
/// has other bytes there than its text in the library (`FileNames`), this finds them part by part: as UTF-8 if that is
/// there, else in the charset. The bytes are those of the moment at which the path is made.
package struct DiskPath: Sendable {
    private enum Form: Sendable {
        case text(String)
        case bytes([UInt8])
    }

    private var form: Form
    private init(_ form: Form) { self.form = form }

    /// Takes bytes as they are.
    package init(_ bytes: [UInt8]) {
        form = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .bytes(bytes)
    }

    /// Finds the path of a text.
    /// - Isolation: blocks for a look at the disk for each part of a path with other letters than ASCII.
    package init(_ path: String, names: FileNames = .inUse) {
        form = .text(path)
        // A longer path leads nowhere, however it is written.
        guard names.isDecoding, path.utf8.count <= Int(PATH_MAX), !path.utf8.allSatisfy({ $0 < 0x80 }),
            linkStatus() == nil
        else { return }
        self = Self.byParts(path, names)
    }

    /// Takes a text as it is, without a look at the disk.
    package init(exactly path: String) { form = .text(path) }

    private static func byParts(_ path: String, _ names: FileNames) -> DiskPath {
        var whole: [UInt8] = []
        var isThere = true
        for (index, part) in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .enumerated()
        {
            if index > 0 { whole.append(UInt8(ascii: "/")) }
            let folder = whole
            whole += part
            // In a folder that isn't there nothing is.
            guard isThere, !part.allSatisfy({ $0 < 0x80 }), DiskPath(whole).linkStatus() == nil else { continue }
            isThere = false
            guard let name = names.name(part), case let other = folder + name, DiskPath(other).linkStatus() != nil
            else { continue }
            (whole, isThere) = (other, true)
        }
        return DiskPath(whole)
    }

    /// The path of a name in this folder, which is in UTF-8 on the disk, too.
    package func child(_ name: String) -> DiskPath { DiskPath(bytes + [UInt8(ascii: "/")] + name.utf8) }

    private var bytes: [UInt8] {
        switch form {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    var decoded: String { String(decoding: bytes, as: UTF8.self) }

    /// Lends the path to a call of the system's.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        switch form {
        case .text(let text): text.withCString(body)
        case .bytes(let bytes):
            (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { bytes in
                // It has at least the zero.
                bytes.baseAddress.map(body) ?? "".withCString(body)
            }
        }
    }

    // MARK: The system's calls, which leave the reason of a failure in `errno`

    /// The system's facts of what the path leads to; nil where that can't be had.
    package func status() -> stat? {
        var status = Glibc.stat()
        return withCString { stat($0, &status) } == 0 ? status : nil
    }

    /// The same of a link itself.
    package func linkStatus() -> stat? {
        var status = Glibc.stat()
        return withCString { lstat($0, &status) } == 0 ? status : nil
    }

    /// Opens a file; the descriptor is negative for what can't be opened or lies outside of its storage.
    package func open(_ flags: Int32) -> Int32 { withCString { LinkBoundary.open($0, flags) } }

    /// True if this process may do what `mode` says.
    package func allows(_ mode: Int32) -> Bool { withCString { access($0, mode) } == 0 }

    /// The path without links; nil for what isn't there.
    package func resolved() -> DiskPath? {
        guard let resolved = withCString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return DiskPath(Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved))))
    }

    func linkTarget() -> DiskPath? { withCString(Self.target) }

    private static func target(_ link: UnsafePointer<CChar>) -> DiskPath? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(link, &bytes, bytes.count)
        return (1..<bytes.count).contains(count) ? DiskPath(Array(bytes[..<count])) : nil
    }

    /// The path of an open file without links; nil where that can't be had.
    static func place(of descriptor: Int32) -> DiskPath? {
        DiskPath(exactly: "/proc/self/fd/\(descriptor)").linkTarget()
    }

    var folder: DiskPath {
        let bytes = bytes
        guard let end = bytes.lastIndex(of: UInt8(ascii: "/")) else { return DiskPath(exactly: ".") }
        return DiskPath(Array(bytes[...end]))
    }

    /// True if this is `folder` or lies below it; both are to be resolved.
    package func isInside(_ folder: DiskPath) -> Bool { bytes.path(below: folder.bytes) != nil }

    // MARK: Folders

    /// The content of a folder.
    package struct Listing: Sendable {
        /// The names that have a text, with their paths, in no order.
        package var entries: [(name: String, path: DiskPath)] = []
        /// How many names have no text.
        package var unnamable = 0
        /// Names in the charset whose texts are names in UTF-8, too; these alone are among the entries.
        package var shadowed: [String] = []

        fileprivate mutating func add(_ decoded: [(name: String, path: DiskPath)]) {
            guard !decoded.isEmpty else { return }
            // Texts are compared by their bytes, as the system does.
            let known = Set(entries.map { Array($0.name.utf8) })
            for entry in decoded {
                if known.contains(Array(entry.name.utf8)) { shadowed.append(entry.name) } else { entries.append(entry) }
            }
        }
    }

    /// The names in a folder that are wanted, except `.` and `..`, up to one more than `limit`, read at once; else nil.
    package func list(
        names: FileNames = .inUse, atMost limit: Int = .max, _ isWanted: (String) -> Bool = { _ in true }
    ) -> Listing? {
        let descriptor = open(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let handle = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        defer { closedir(handle) }
        let folder = bytes + [UInt8(ascii: "/")]
        var found = Listing()
        var decoded: [(name: String, path: DiskPath)] = []
        while found.entries.count + decoded.count <= limit {
            // The end of a folder and a fault look the same except for this. What follows a fault would count as gone.
            errno = 0
            guard let entry = readdir(handle) else {
                if errno != 0 { return nil }
                break
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) {
                    Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
                }
            }
            guard name != Self.own, name != Self.parent else { continue }
            guard let text = names.text(name) else {
                found.unnamable += 1
                continue
            }
            guard isWanted(text) else { continue }
            let path = DiskPath(folder + name)
            if text.utf8.elementsEqual(name) {
                found.entries.append((text, path))
            } else {
                decoded.append((text, path))
            }
        }
        found.add(decoded)
        return found
    }

    private static let own = Array(".".utf8)
    private static let parent = Array("..".utf8)

    // MARK: Addresses

    /// The address of the file, `file://` and the path with its bytes, escaped where addresses can't have them.
    package var url: String {
        bytes.reduce(into: "file://") { url, byte in
            if Self.plain.contains(byte) {
                url.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                url += "%" + [byte].hexadecimal.uppercased()
            }
        }
    }

    /// - Source: RFC 3986, section 3.3.
    private static let plain = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/".utf8)
}
