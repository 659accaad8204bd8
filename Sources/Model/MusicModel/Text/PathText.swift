/// Paths and their parts by their bytes, as the system compares them. Texts are of characters, and a slash with an
/// accent behind it is one of these, other than a slash; and texts are equal whose bytes are not. So paths are taken
/// apart and compared here alone (`contrib/check-slashes`).
extension StringProtocol where SubSequence == Substring {
    /// The parts between slashes, none of them empty.
    package var pathParts: [Substring] { self[...].utf8.split(separator: slash).map { Substring($0) } }

    /// True if the path is one from the root of all.
    package var isAbsolutePath: Bool { self[...].utf8.first == slash }

    /// True if there is a slash in it.
    package var hasSlash: Bool { self[...].utf8.contains(slash) }

    /// True if it ends with a slash.
    package var endsWithSlash: Bool { self[...].utf8.last == slash }

    /// The path without the slashes at its end; the root keeps its own.
    package var withoutLastSlashes: Substring {
        var path = self[...].utf8
        while path.count > 1, path.last == slash { path.removeLast() }
        return Substring(path)
    }

    /// The name behind the last slash.
    package var pathName: Substring {
        let path = self[...].utf8
        return Substring(path.lastIndex(of: slash).map { path[path.index(after: $0)...] } ?? path)
    }

    /// The ending of the name behind its last dot, in lower case; empty without one, and for names such as `.x`.
    package var pathSuffix: String {
        let name = pathName.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
        return Substring(name[name.index(after: dot)...]).lowercased()
    }

    /// The path in front of the last slash; empty where there is none.
    package var pathFolder: Substring {
        let path = self[...].utf8
        return Substring(path[..<(path.lastIndex(of: slash) ?? path.startIndex)])
    }

    /// The rest of a path in a folder, empty for the folder itself; nil elsewhere. `/` and "" hold everything.
    package func path<Folder: StringProtocol>(below folder: Folder) -> Substring?
    where Folder.SubSequence == Substring { self[...].utf8.path(below: folder[...].utf8).map { Substring($0) } }

    /// True if a path is a folder or lies below it; see `path(below:)`.
    package func isPath<Folder: StringProtocol>(in folder: Folder) -> Bool where Folder.SubSequence == Substring {
        path(below: folder) != nil
    }
}

extension BidirectionalCollection<UInt8> {
    /// The same of bytes, which need be no text.
    package func path(below folder: some BidirectionalCollection<UInt8>) -> SubSequence? {
        guard starts(with: folder) else { return nil }
        let rest = dropFirst(folder.count)
        guard rest.isEmpty || folder.isEmpty || folder.last == slash || rest.first == slash else { return nil }
        return rest.drop { $0 == slash }
    }
}

private let slash = UInt8(ascii: "/")
