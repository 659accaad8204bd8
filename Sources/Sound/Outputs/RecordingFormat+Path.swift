import Glibc
package import MusicModel

extension RecordingFormat {
    /// The path for a title; nil where none comes of its tags, so that it is not recorded.
    ///
    /// Tags never lead to another folder. A tag outside of all groups that is not there is written `Unknown`,
    /// so that no file is without a name.
    ///
    /// - Parameter time: when the title begins, in seconds since 1970.
    package func path(for tags: [TagValue], at time: Int) -> String? {
        let scribe = Scribe(tags: tags, time: time)
        var path = scribe.text(of: sections, isGroup: false).text
        if path.utf8.starts(with: "~/".utf8), let home { path = home + String(path.unicodeScalars.dropFirst()) }
        guard path.isAbsolutePath, !path.endsWithSlash else { return nil }
        path = Self.withFittingNames(path)
        return path.utf8.count < Int(PATH_MAX) ? path : nil
    }

    /// File systems take 255 bytes for a name; a number may still come to it.
    private static let maxNameLength = 240

    /// The path with names that file systems take.
    private static func withFittingNames(_ path: String) -> String {
        let names = path.pathParts
        guard names.contains(where: { $0.utf8.count > maxNameLength }) else { return path }
        return names.map { "/" + fitting($0) }.joined()
    }

    /// A name without so much of what is before its ending as is too long.
    private static func fitting(_ name: Substring) -> String {
        guard name.utf8.count > maxNameLength else { return String(name) }
        let scalars = name.unicodeScalars
        let dot = scalars.lastIndex(of: ".").flatMap { name.utf8[$0...].count <= 20 ? $0 : nil } ?? scalars.endIndex
        var (kept, room) = (String.UnicodeScalarView(), maxNameLength - name.utf8[dot...].count)
        for scalar in scalars[..<dot] {
            room -= UTF8.width(scalar)
            if room < 0 { break }
            kept.append(scalar)
        }
        return String(kept) + String(scalars[dot...])
    }

    /// Writes the parts of a format for one title.
    private struct Scribe {
        let tags: [TagValue]
        let time: Int

        /// The text of sections, and whether anything was found for those that count.
        func text(of sections: [Section], isGroup: Bool) -> (text: String, isFound: Bool) {
            var (text, isFound) = ("", false)
            for section in sections {
                switch section.link {
                case .first: break
                case .alternative:
                    if isFound { continue }
                    text = ""
                case .addition:
                    guard isFound else { continue }
                    isFound = false
                }
                for part in section.parts {
                    guard let found = self.text(of: part, isGroup: isGroup) else { continue }
                    text += found.text
                    isFound = isFound || found.isFound
                }
            }
            return (text, isFound)
        }

        private func text(of part: Part, isGroup: Bool) -> (text: String, isFound: Bool)? {
            switch part {
            case .text(let text): return (text, false)
            case .group(let sections):
                let group = text(of: sections, isGroup: true)
                return group.isFound ? group : nil
            case .tag(let tag):
                guard let value = tags.first(where: { $0.tag == tag })?.value, !value.isEmpty else {
                    return isGroup ? nil : ("Unknown", false)
                }
                return (Self.component(value), true)
            case .moment: return (moment, true)
            case .time(let letter): return (localTime(letter), true)
            }
        }

        private var moment: String {
            var (seconds, parts) = (time, tm())
            gmtime_r(&seconds, &parts)
            func two(_ number: Int32) -> String { Self.number(number, digits: 2) }
            return Self.number(parts.tm_year + 1900, digits: 4) + "-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
                + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
        }

        private func localTime(_ letter: Unicode.Scalar) -> String {
            var (seconds, parts) = (time, tm())
            localtime_r(&seconds, &parts)
            return switch letter {
            case "Y": Self.number(parts.tm_year + 1900, digits: 4)
            case "m": Self.number(parts.tm_mon + 1, digits: 2)
            case "d": Self.number(parts.tm_mday, digits: 2)
            case "H": Self.number(parts.tm_hour, digits: 2)
            case "M": Self.number(parts.tm_min, digits: 2)
            default: Self.number(parts.tm_sec, digits: 2)
            }
        }

        private static func number(_ number: Int32, digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }

        /// Names of files have at most 255 bytes, and other words may stand in them.
        private static let maxLength = 100

        /// A value as a part of a file's name: without slashes, control characters and a dot in front.
        private static func component(_ value: String) -> String {
            var text = ""
            for scalar in value.unicodeScalars {
                let isFit = scalar != "/" && scalar.properties.generalCategory != .control
                let next = text + (isFit ? String(scalar) : "_")
                guard next.utf8.count <= maxLength else { break }
                text = next
            }
            return text.hasPrefix(".") ? "_" + text.dropFirst() : text
        }
    }
}
