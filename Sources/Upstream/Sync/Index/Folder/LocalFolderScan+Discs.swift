import Glibc
import LibraryIndex
import Logging
import MusicModel
import Synchronization

extension LocalFolderScan {
    private static let maxSheetSize = 1 << 20
    private static let maxSheets = 100_000

    /// Where a scan of `path` has to begin, so that it sees cue sheets with all that they are about: in the folder of a
    /// file, and of what lies in no folder.
    func start(of path: String) async throws -> String {
        guard cueSheets.makesSongs, !path.isEmpty else { return path }
        let root = root
        return try await onThread {
            var path = path
            while !path.isEmpty {
                if let status = DiskPath("\(root)/\(path)").status(), status.st_mode & S_IFMT == S_IFDIR { break }
                let folder = Self.folder(of: path)
                let isOfSheet = path.lowercased().hasSuffix(".cue") || DiscTracks.isTrack(path)
                guard isOfSheet || !Self.sheets(in: folder, root: root).isEmpty else { break }
                path = folder
            }
            return path
        }
    }

    func discs(in findings: FolderWalk.Findings, below start: String) async throws -> FoundDiscs {
        guard cueSheets.makesSongs else { return FoundDiscs() }
        let (root, rules) = (root, cueSheets)
        var found = try await onThread { isAbandoned in
            let files = DiscFiles(findings.files, root: root)
            var result = FoundDiscs(partsFiles: true, hidesFiles: rules.hidesFiles)
            for sheet in findings.playlists.lazy.filter({ $0.suffix == "cue" }).prefix(Self.maxSheets) {
                if isAbandoned() { throw CancellationError() }
                guard let disc = Self.disc(sheet, root: root, rules, files) else { continue }
                result.discs.append(disc)
            }
            // Sheets above the place where the walk began may hide what it found.
            var folder = start
            while rules.hidesFiles, !folder.isEmpty {
                folder = Self.folder(of: folder)
                result.above += Self.sheets(in: folder, root: root).compactMap {
                    Self.disc($0, root: root, rules, files)
                }
            }
            return result
        }
        for disc in found.discs where disc.tracks.isEmpty { logEmpty(disc) }
        found.discs.removeAll { $0.tracks.isEmpty }
        return found
    }

    /// The music files that are listed as playlists because of the cue sheets within them, by their paths below the
    /// music folder.
    func listedFiles() async throws -> Set<String> {
        let paths = try await index.playlistSources(mount: mount).compactMap { source -> String? in
            guard FolderWalk.musicSuffixes.contains(source.pathSuffix) else { return nil }
            return source.path(below: root).map { String($0) }
        }
        return Set(paths)
    }

    private func logEmpty(_ disc: DiscTracks) {
        let isNew = passedOver.stamps.withLock { stamps in
            defer { stamps[disc.sheet.path] = disc.stamp }
            return stamps[disc.sheet.path] != disc.stamp
        }
        guard isNew else { return }
        let reason = disc.problems.isEmpty ? "it has no tracks" : disc.problems.joined(separator: "; ")
        logger.warning("\(root)/\(disc.sheet.path) makes no songs: \(reason)")
    }

    /// The tracks of a sheet; nil where it can't be read, or says no more than its files.
    private static func disc(
        _ sheet: FoundFile, root: String, _ rules: CueSheetRules, _ files: DiscFiles
    ) -> DiscTracks? {
        guard let bytes = try? SideFile.read("\(root)/\(sheet.path)", upTo: maxSheetSize) else { return nil }
        let cue = CueSheet(TextDecoding.text(bytes, charset: rules.charset))
        if !cue.tracks.isEmpty, cue.hasFileForEachTrack { return nil }
        let folder = folder(of: sheet.path)
        // Of several files none can be meant by the name of the sheet.
        let namesake = cue.files.count == 1 ? sheet.path : nil
        return DiscTracks(cue, at: sheet, rules) { files.file(named: $0, in: folder, namesake: namesake) }
    }

    private static func folder(of path: String) -> String {
        String(path.pathFolder)
    }

    private static func sheets(in folder: String, root: String) -> [FoundFile] {
        let found = DiskPath(folder.isEmpty ? root : "\(root)/\(folder)").list(atMost: 1000) {
            FolderWalk.isVisible($0) && $0.lowercased().hasSuffix(".cue")
        }
        return (found?.entries ?? []).map { name, _ in
            FoundFile(path: folder.isEmpty ? name : "\(folder)/\(name)", modified: 0, exactTime: 0, size: 0)
        }
    }
}

/// Finds the files that cue sheets name: often converted since, or written on another system.
private struct DiscFiles {
    private let root: String
    private var byPath: [String: FoundFile] = [:]
    private var byStem: [String: FoundFile] = [:]

    init(_ files: [FoundFile], root: String) {
        self.root = root
        for file in files {
            byPath[file.path] = file
            byStem[Self.stem(file.path)] = file
        }
    }

    private static func stem(_ path: String) -> String {
        let end = path.utf8.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
        return path[..<end].lowercased()
    }

    /// The file of that name; else one that differs in its ending or in case; else one that is called like `namesake`.
    func file(named name: String, in folder: String, namesake: String?) -> FoundFile? {
        guard let path = Self.path(name, in: folder) else { return nil }
        return byPath[path] ?? byStem[Self.stem(path)] ?? onDisk(path) ?? namesake.flatMap { byStem[Self.stem($0)] }
    }

    /// The path below the music folder; nil for one that leads out of it.
    private static func path(_ name: String, in folder: String) -> String? {
        var name = name
        if name.contains("\\") { name = name.split(separator: "\\").joined(separator: "/") }
        // Absolute paths are those of the machine on which the disc was read.
        let isAbsolute = name.isAbsolutePath || name.dropFirst().hasPrefix(":")
        let words = name.pathParts
        var parts = folder.pathParts
        for word in isAbsolute ? words.suffix(1) : words[...] where word != "." {
            if word == ".." {
                guard parts.popLast() != nil else { return nil }
            } else {
                parts.append(word)
            }
        }
        return parts.joined(separator: "/")
    }

    /// A file that the walk did not come to, because it began elsewhere.
    private func onDisk(_ path: String) -> FoundFile? {
        guard FolderWalk.musicSuffixes.contains(path.pathSuffix) else { return nil }
        guard let status = DiskPath("\(root)/\(path)").status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FoundFile(path, status)
    }
}
