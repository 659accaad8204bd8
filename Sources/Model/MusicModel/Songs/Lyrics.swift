/// The words of a song.
package struct Lyrics: Hashable, Sendable {
    /// The words, each line with a line feed behind it, and with a time where that is known: `[01:02.34]words`.
    package let text: String
    /// True if lines have times.
    package let isSynced: Bool

    /// Takes text that may be LRC, without control characters and blanks around; nil for nothing but white space.
    package init?(text: String) {
        var lines = text.withoutExcessMarks.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).map { Self.cleaned($0) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        lines.removeFirst(lines.prefix { $0.isEmpty }.count)
        guard !lines.isEmpty else { return nil }
        self.text = lines.map { $0 + "\n" }.joined()
        isSynced = lines.contains { Self.beginsWithTime($0) }
    }

    /// Composes LRC from lines with or without a time; nil where there are no words.
    package init?(lines: [(start: Duration?, text: String)]) {
        guard lines.contains(where: { $0.text.contains { !$0.isWhitespace } }) else { return nil }
        let texts = lines.map { line in
            let words = Self.cleaned(line.text.replacing("\n", with: " ")[...])
            return line.start.map { "\(Self.timeTag($0))\(words)" } ?? words
        }
        self.init(text: texts.joined(separator: "\n"))
    }

    /// The lines without their line feeds.
    package var lines: [Substring] { text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) }

    /// True if the text is a cue sheet.
    package var isCueSheet: Bool { !isSynced && !CueSheet(text).tracks.isEmpty }

    private static func cleaned(_ line: Substring) -> String {
        var bytes = line.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        while bytes.last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `[mm:ss.xx]`; the minutes may be as many as there are.
    private static func timeTag(_ time: Duration) -> String {
        let (seconds, attoseconds) = max(time, .zero).components
        let hundredths = Int(attoseconds / 10_000_000_000_000_000)
        return "[\(twoDigits(Int(seconds) / 60)):\(twoDigits(Int(seconds) % 60)).\(twoDigits(hundredths))]"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    private static func beginsWithTime(_ line: String) -> Bool {
        guard line.utf8.first == UInt8(ascii: "[") else { return false }
        let minutes = line.utf8.dropFirst().prefix { isDigit($0) }
        let rest = line.utf8.dropFirst(1 + minutes.count)
        return !minutes.isEmpty && rest.first == UInt8(ascii: ":") && rest.dropFirst().first.map(isDigit) == true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
