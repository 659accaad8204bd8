import Foundation
import MusicModel

/// The rules of the files `.mpdignore` and `.ndignore` of one folder, in it and in all folders below.
/// - Source: MPD's user manual, "The database"; Navidrome's documentation, "Excluding content", and gitignore(5), whose
///   patterns it takes.
struct IgnoreRules {
    static let fileNames: Set<String> = [".mpdignore", ".ndignore"]

    private static let maxFileSize = 64 << 10
    private static let maxPatterns = 1000
    private static let blanks = CharacterSet(charactersIn: " \t")

    private enum Pattern {
        /// MPD's, which a name alone is compared with.
        case name(String)
        /// Git's, which the path below the folder is compared with, or the name where it has no slash.
        case path(String, isAnchored: Bool, foldersOnly: Bool, includes: Bool)
    }

    private let folder: String
    private let patterns: [Pattern]
    private let excludesAll: Bool

    /// Reads the files of a folder at a location on the disk; nil where there are none. `unread` hears of files that
    /// can't be read, whose rules don't count.
    init?(
        folder: String, at location: DiskPath, names: FileNames = .inUse,
        unread: (_ name: String, _ reason: RegularFile.Problem) -> Void
    ) {
        let forMPD = Self.lines(of: ".mpdignore", in: location, names, unread)
        let forNavidrome = Self.lines(of: ".ndignore", in: location, names, unread)
        guard forMPD != nil || forNavidrome != nil else { return nil }
        self.folder = folder
        let gitPatterns = (forNavidrome ?? []).compactMap(Self.gitPattern)
        patterns = (forMPD ?? []).compactMap(Self.mpdPattern) + gitPatterns
        excludesAll = forNavidrome != nil && gitPatterns.isEmpty
    }

    private static func lines(
        of name: String, in folder: DiskPath, _ names: FileNames,
        _ unread: (_ name: String, _ reason: RegularFile.Problem) -> Void
    ) -> [String]? {
        let bytes: [UInt8]
        do throws(RegularFile.Problem) {
            bytes = try SideFile.read(folder.child(name), upTo: maxFileSize)
        } catch {
            if error != .missing { unread(name, error) }
            return nil
        }
        return bytes.split { $0 == 0x0A || $0 == 0x0D }.prefix(maxPatterns)
            .map { TextDecoding.text($0, linesLike: names) }
    }

    /// A comment begins with a number sign at the beginning or behind a space.
    private static func mpdPattern(_ line: String) -> Pattern? {
        let text = line.replacing(/(^|[ \t])#.*/, with: "").trimmingCharacters(in: blanks)
        return text.isEmpty ? nil : .name(text)
    }

    private static func gitPattern(_ line: String) -> Pattern? {
        var text = line.trimmingCharacters(in: blanks)
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        let includes = text.hasPrefix("!")
        if includes { text.removeFirst() }
        let foldersOnly = text.endsWithSlash
        if foldersOnly { text.removeLast() }
        let isAnchored = text.hasSlash
        if text.isAbsolutePath { text = String(text.path(below: "/") ?? "") }
        return text.isEmpty
            ? nil : .path(text, isAnchored: isAnchored, foldersOnly: foldersOnly, includes: includes)
    }

    /// True if a path below the music folder is left out; the last pattern that fits decides, as in git.
    func excludes(_ path: String, isFolder: Bool) -> Bool {
        if excludesAll { return true }
        let inside = path.path(below: folder) ?? path[...]
        let name = String(inside.pathName)
        var isExcluded = false
        for pattern in patterns {
            switch pattern {
            case .name(let text): if fnmatch(text, name, 0) == 0 { return true }
            case .path(let text, let isAnchored, let foldersOnly, let includes):
                guard !foldersOnly || isFolder, isExcluded == includes else { continue }
                let fits =
                    isAnchored
                    ? Self.fits(text.pathParts[...], inside.pathParts[...])
                    : fnmatch(text, name, FNM_PATHNAME) == 0
                if fits { isExcluded = !includes }
            }
        }
        return isExcluded
    }

    /// Compares part by part; `**` stands for any number of folders.
    private static func fits(_ pattern: ArraySlice<Substring>, _ path: ArraySlice<Substring>, depth: Int = 0) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if first == "**" {
            // A few of them are enough, and each multiplies the work.
            guard depth < 4 else { return false }
            return path.indices.contains { fits(pattern.dropFirst(), path[$0...], depth: depth + 1) }
                || pattern.count == 1
        }
        guard let part = path.first, fnmatch(String(first), String(part), FNM_PATHNAME) == 0 else { return false }
        return fits(pattern.dropFirst(), path.dropFirst(), depth: depth)
    }
}
