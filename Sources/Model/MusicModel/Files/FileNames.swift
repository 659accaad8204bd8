import Glibc
import Synchronization

/// How names of files become texts and texts become names again. A name in UTF-8 is its text; any other is decoded from
/// one charset, if the text leads back to the same bytes. So no text stands for two names, except for one in UTF-8 and
/// one in the charset, of which the first counts (decision 135).
package struct FileNames: Sendable {
    /// The charset of names that are not UTF-8; nil where these have no text.
    package let charset: String?
    private let converter: CharsetConverter?

    /// Takes names for UTF-8 alone.
    package init() { (charset, converter) = (nil, nil) }

    /// Takes names that are not UTF-8 for names of this charset; nil for one that is unknown or without ASCII.
    package init?(charset: String) {
        guard let converter = CharsetConverter(charset: charset) else { return nil }
        (self.charset, self.converter) = (charset, converter)
    }

    private static let ofProcess = Mutex(FileNames())

    /// The names of this process's folders of music.
    package static var inUse: FileNames { ofProcess.withLock { $0 } }

    /// Has the names of all folders of music read so from now on: before the first of them is opened.
    package static func use(_ names: FileNames) { ofProcess.withLock { $0 = names } }

    var isDecoding: Bool { converter != nil }

    /// The text of a name; nil for one that has none.
    package func text(_ name: [UInt8]) -> String? {
        if let text = String(validating: name, as: UTF8.self) { return text }
        // No name is longer, nor is a path; the converter takes twelve times the memory.
        guard let converter, name.count <= Int(PATH_MAX), let text = converter.decoded(name),
            converter.encoded(text) == name,
            // Neither can be, in a charset with ASCII; a name with either would lead elsewhere.
            !text.contains(UInt8(ascii: "/")), !text.contains(0)
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }

    /// The path in an address, whose escaped bytes (`%E9`) may be those of either charset; nil for what is no path.
    package func path(escaped address: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(address.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit),
                high | low != 0
            else { return nil }
            bytes.append(high << 4 | low)
        }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { text(Array($0)) }
        return parts.contains { $0 == nil } ? nil : parts.compactMap(\.self).joined(separator: "/")
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8(truncatingIfNeeded: $0) }
    }

    /// The name in the charset that a text was decoded from; nil for a text that is only a name in UTF-8.
    func name(_ text: some Collection<UInt8>) -> [UInt8]? {
        let text = Array(text)
        guard let name = converter?.encoded(text), let decoded = self.text(name), decoded.utf8.elementsEqual(text)
        else { return nil }
        return name
    }
}

extension TextDecoding {
    /// Reads a text line by line: as UTF-8, or else as a name of a file. Letters have 30 marks at most.
    package static func text(_ bytes: some Collection<UInt8>, linesLike names: FileNames) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text.withoutExcessMarks }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in names.text(Array(line)) ?? String(decoding: line, as: UTF8.self) }
            .joined(separator: "\n").withoutExcessMarks
    }
}
