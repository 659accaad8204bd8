import LibraryIndex
import Logging
import MusicModel

/// The cue sheets in a folder of the user's, for discs in one file that a server shows as one song.
///
/// Servers tell neither a file's cue sheet nor, as a rule, its real path, so that a sheet is found by what both have in
/// common (decision 57).
struct CueFolder: Sendable {
    private static let maxSheetSize = 1 << 20
    private static let maxSheets = 20_000

    /// Moves when a sheet comes, goes or changes.
    private(set) var stamp = "none"
    private var sheets: [DiscSheet] = []
    /// Sheets by each text that a song may have in common with them; nil are several.
    private var keys: [String: Int?] = [:]

    init() {}

    /// Reads all sheets below a folder; throws `FolderError` if that can't be read. Blocks.
    init(folder: String, charset: String, logger: Logger, isCancelled: @escaping () -> Bool = { false }) throws {
        let findings = try FolderWalk.files(root: folder, below: "", isCancelled: isCancelled)
        var hash = ContentHash()
        for found in findings.playlists.lazy.filter({ $0.suffix == "cue" }).prefix(Self.maxSheets) {
            let bytes: [UInt8]
            do throws(RegularFile.Problem) {
                bytes = try SideFile.read("\(folder)/\(found.path)", upTo: Self.maxSheetSize)
            } catch {
                logger.warning("\(folder)/\(found.path) can't be read: \(error)")
                continue
            }
            hash.combine(found.path)
            hash.combine(found.exactTime)
            hash.combine(found.size)
            add(CueSheet(TextDecoding.text(bytes, charset: charset)), found, charset)
        }
        hash.combine(charset)
        stamp = String(hash.value, radix: 16)
    }

    private mutating func add(_ cue: CueSheet, _ found: FoundFile, _ charset: String) {
        // Texts are others where they are read in another charset.
        let stamp = Int64(FolderPlan.stamp(of: found, charset: charset))
        // Most files of a sheet of many have one track, and are none to divide.
        let counts = cue.tracks.reduce(into: [Int: Int]()) { $0[$1.file, default: 0] += 1 }
        for file in cue.files.indices {
            let name = String(found.path.pathName)
            guard counts[file, default: 0] > 1,
                let sheet = DiscSheet(cue, file: file, name: name, stamp: stamp)
            else { continue }
            sheets.append(sheet)
            var texts: Set<String> = [Self.name(cue.files[file])]
            // A sheet of one file is often called as that was before it was converted.
            if cue.files.count == 1 {
                texts.formUnion(["/" + Self.stem(found.path), Self.name(name)])
                let tags = cue.tracks[0].tags
                if let album = tags.first(where: { $0.tag == .album })?.value {
                    texts.insert(Self.album(album, by: tags.first { $0.tag == .albumArtist }?.value))
                }
            }
            for text in texts { keys[text] = .some(keys[text] == nil ? sheets.count - 1 : nil) }
        }
    }

    /// The tracks that a sheet makes of a song of the server; nil without a sheet, or where none of them is a part.
    func tracks(of song: IndexedSong, id: String) -> [IndexedSong]? {
        guard !sheets.isEmpty, let whole = song.duration, let sheet = sheet(for: song, lasting: whole)
        else { return nil }
        return sheet.tracks(of: song, id: id)
    }

    /// The sheet that a song has a path, a name or an album in common with, and whose last track begins within it.
    private func sheet(for song: IndexedSong, lasting whole: Duration) -> DiscSheet? {
        func first(_ tag: Tag) -> String? { song.tags.first { $0.tag == tag }?.value }
        var texts = ["/" + Self.stem(song.path), Self.name(song.path)]
        if let title = first(.title) { texts.append(Self.name(title)) }
        if let album = first(.album) { texts.append(Self.album(album, by: first(.albumArtist) ?? first(.artist))) }
        for text in texts {
            guard case .some(.some(let index)) = keys[text] else { continue }
            if sheets[index].lastStart < whole { return sheets[index] }
        }
        return nil
    }

    private static func album(_ album: String, by artist: String?) -> String {
        "\u{1}\(album.lowercased())\u{1}\((artist ?? "").lowercased())"
    }

    /// The last part of a path of any system without its ending, in lower case.
    private static func name(_ path: String) -> String {
        stem(String(path.pathName.split(separator: "\\").last ?? ""))
    }

    private static let endings = FolderWalk.musicSuffixes.union(["cue", "bin"])

    private static func stem(_ path: String) -> String {
        let ending = path.pathSuffix
        return (endings.contains(ending) ? String(path.dropLast(ending.count + 1)) : path).lowercased()
    }
}
