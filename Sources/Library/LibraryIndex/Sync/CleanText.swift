import MusicModel

/// Makes texts of a source fit for the protocol: one line each, and shorter than the line buffer of clients.
package enum CleanText {
    /// The longest value in bytes; with key and line feed it stays below the 4,096 that libmpdclient reads.
    static let maxValueLength = 4000

    /// True if `tagValue` would leave a text as it is, which is nearly always so.
    static func isClean(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maxValueLength && !text.hasControls
    }

    /// A tag's value without control characters and of bearable length; nil when nothing is left.
    package static func tagValue(_ text: String) -> String? {
        if text.isEmpty { return nil }
        let plain = text.withoutControls
        return plain.utf8.count > maxValueLength ? plain.prefix(utf8: maxValueLength) : plain
    }

    /// A path with no leading slash, no control character and no empty, `.` or `..` part, or else the fall-back.
    static func path(_ path: String, fallback: @autoclosure () -> String) -> String {
        let parts = path.withoutControls.pathParts.filter { $0 != "." && $0 != ".." }
        if parts.isEmpty { return fallback() }
        let joined = parts.joined(separator: "/")
        return joined.utf8.count > maxPathLength ? shortened(joined) : joined
    }

    /// `path` with " (2)", " (3)" and so on before the suffix of its file name.
    static func numbered(_ path: String, _ number: Int) -> String {
        let (stem, suffix) = parted(path)
        return "\(stem) (\(number))\(suffix)"
    }

    /// Leaves room for the mount's name and for a number.
    private static let maxPathLength = 3800

    private static func shortened(_ path: String) -> String {
        let (stem, suffix) = parted(path)
        let kept = suffix.utf8.count > 32 ? "" : suffix
        let short = stem.prefix(utf8: maxPathLength - kept.utf8.count)
        return short.withoutLastSlashes + kept
    }

    private static func parted(_ path: String) -> (stem: String, suffix: String) {
        let bytes = path.utf8
        let nameStart = bytes.lastIndex(of: 0x2F).map { bytes.index(after: $0) } ?? bytes.startIndex
        guard let dot = bytes.lastIndex(of: 0x2E), dot > nameStart else { return (path, "") }
        return (String(path[..<dot]), String(path[dot...]))
    }
}
