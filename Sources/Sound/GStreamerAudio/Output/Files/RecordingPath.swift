import Glibc
import MusicModel

/// Where a recording by title goes: a path with the names of tags between percent signs.
///
/// `%artist%` and the like are replaced by the tags of what plays, `%Y`, `%m`, `%d`, `%H`, `%M` and `%S` by the date
/// and the time at which the title begins, `%%` by a percent sign. What tags say never leads to another folder.
struct RecordingPath {
    /// The path with its placeholders.
    let template: String

    /// The path for a title that begins now.
    ///
    /// - Parameter time: the local time.
    func path(for tags: [TagValue], at time: tm) -> String {
        var result = ""
        var rest = template[...]
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            guard let first = rest.first else { return result + "%" }
            if first == "%" {
                result += "%"
                rest.removeFirst()
            } else if let tag = Self.name(rest) {
                result += Self.component(tags.first { Self.name($0.tag) == tag }?.value)
                rest = rest.dropFirst(tag.count + 1)
            } else if let text = Self.time(first, time) {
                result += text
                rest.removeFirst()
            } else {
                result += "%"
            }
        }
        return result + rest
    }

    /// The name of a tag that stands before the next percent sign; nil if none does.
    private static func name(_ text: Substring) -> String? {
        guard let end = text.firstIndex(of: "%") else { return nil }
        let name = text[..<end].lowercased()
        return name.count > 1 && Tag.allCases.contains(where: { Self.name($0) == name }) ? name : nil
    }

    private static func name(_ tag: Tag) -> String { "\(tag.wireName)".lowercased() }

    private static func time(_ letter: Character, _ time: tm) -> String? {
        let (number, digits): (Int32, Int)
        switch letter {
        case "Y": (number, digits) = (time.tm_year + 1900, 4)
        case "m": (number, digits) = (time.tm_mon + 1, 2)
        case "d": (number, digits) = (time.tm_mday, 2)
        case "H": (number, digits) = (time.tm_hour, 2)
        case "M": (number, digits) = (time.tm_min, 2)
        case "S": (number, digits) = (time.tm_sec, 2)
        default: return nil
        }
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Names of files have at most 255 bytes, and other words may stand in them.
    private static let longest = 100

    /// A value as a part of a file's name: without slashes, control characters and a dot in front.
    private static func component(_ value: String?) -> String {
        var text = ""
        for scalar in (value ?? "").unicodeScalars {
            let isFit = scalar != "/" && scalar.properties.generalCategory != .control
            let next = text + (isFit ? String(scalar) : "_")
            guard next.utf8.count <= longest else { break }
            text = next
        }
        if text.hasPrefix(".") { text = "_" + text.dropFirst() }
        return text.isEmpty ? "Unknown" : text
    }

    /// The local time now.
    static var now: tm {
        var (seconds, parts) = (Glibc.time(nil), tm())
        localtime_r(&seconds, &parts)
        return parts
    }
}
