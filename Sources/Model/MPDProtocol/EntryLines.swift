/// Lines of files, folders and playlists in listings, where a library has hundreds of thousands of them.
extension [UInt8] {
    /// Appends the `file` line of a path.
    package mutating func appendFile(_ path: UnsafeRawBufferPointer) { appendLine("file: ", path) }

    /// Appends the `file` line of a name in a folder; the root's path is empty.
    package mutating func appendFile(_ name: ArraySlice<UInt8>, in folder: ArraySlice<UInt8>) {
        append("file: ")
        if !folder.isEmpty {
            append(contentsOf: folder)
            append(0x2F)
        }
        append(contentsOf: name)
        append(0x0A)
    }

    /// Appends the line of a directory.
    package mutating func appendDirectory(_ path: UnsafeRawBufferPointer) { appendLine("directory: ", path) }

    /// Appends the line of a playlist file.
    package mutating func appendPlaylist(_ path: UnsafeRawBufferPointer) { appendLine("playlist: ", path) }

    /// Appends the size of a file in bytes.
    package mutating func appendSize(_ bytes: Int64) { append(contentsOf: "size: \(bytes)\n".utf8) }

    /// Appends a time in Unix seconds.
    package mutating func appendLastModified(_ seconds: Int64) {
        append(contentsOf: "Last-Modified: \(TimeStamp.text(seconds))\n".utf8)
    }

    private mutating func appendLine(_ key: StaticString, _ value: UnsafeRawBufferPointer) {
        append(key)
        append(contentsOf: value)
        append(0x0A)
    }

    mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }

    mutating func appendDecimal(_ number: Int) {
        let start = count
        var rest = number
        repeat {
            append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}
