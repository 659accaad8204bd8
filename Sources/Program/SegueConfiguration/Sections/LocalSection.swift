import MusicModel
package import Sync

extension Configuration {
    /// The `[local]` section.
    package struct Local: Hashable, Sendable {
        /// Absolute path of the folder with music.
        package var musicDirectory = ""
        /// The mount's name; empty at the root.
        package var mount = ""
        /// How this folder and those that clients mount are read and watched.
        package var folders = FolderRules(
            cueSheets: CueSheetRules(charset: usualCharset, tagCharset: usualCharset),
            watching: FolderWatching(isOn: true, interval: .seconds(900)))
        /// The charset of names of files that are not UTF-8; nil leaves such files out.
        package var filenameCharset: String?
        /// The names of pictures in folders of music without their endings, best first.
        package var coverNames = ["cover", "folder", "front", "albumart"]

        fileprivate static let usualCharset = "windows-1252"
    }
}

extension Configuration.Local {
    init?(reading section: inout SectionReader) {
        self.init()
        musicDirectory =
            section.required(
                "music_directory", .path("a folder's path", home: section.home),
                example: "music_directory = \"~/Music\"") ?? ""
        section.read("mount", .mount, into: &mount)
        section.read("follow_outside_symlinks", .flag, into: &folders.links.followsOutside)
        section.read("follow_inside_symlinks", .flag, into: &folders.links.followsInside)
        section.read("auto_update", .flag, into: &folders.watching.isOn)
        let seconds = ValueKind<Int>.integer(0...604_800, unit: "seconds")
        section.read(
            "auto_update_interval", seconds.map { $0 == 0 ? nil : Duration.seconds($0) },
            into: &folders.watching.interval)
        section.read("cue_sheets", .flag, into: &folders.cueSheets.makesSongs)
        section.read("hide_cue_targets", .flag, into: &folders.cueSheets.hidesFiles)
        section.read("legacy_charset", .charset, into: &folders.cueSheets.tagCharset)
        section.read("filename_charset", .filenameCharset, into: &filenameCharset)
        // Names are in these anyway.
        if let charset = filenameCharset, ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased()) {
            filenameCharset = nil
        }
        // Sheets name files: in the charset of the names, unless `legacy_charset` says another.
        let charset = folders.cueSheets.tagCharset
        folders.cueSheets.charset = charset == Self.usualCharset ? filenameCharset ?? charset : charset
        section.read("cover_names", .coverNames, into: &coverNames)
        if !section.isPresent { return nil }
    }
}

extension ValueKind where Value == String {
    fileprivate static var charset: ValueKind {
        ValueKind(expected: "a charset such as \"windows-1251\" or \"shift_jis\" (`iconv -l` lists them)") { node in
            node.plainText.flatMap { TextDecoding.knows(charset: $0) ? $0 : nil }
        }
    }

    fileprivate static var filenameCharset: ValueKind {
        let expected =
            "a charset that has ASCII in it, such as \"iso-8859-1\", \"cp932\" or \"koi8-r\" (`iconv -l` lists them)"
        return ValueKind(expected: expected) { node in
            node.plainText.flatMap { FileNames(charset: $0) == nil ? nil : $0 }
        }
    }
}

extension ValueKind where Value == [String] {
    fileprivate static var coverNames: ValueKind {
        ValueKind(expected: "a list of names without endings, such as [\"cover\", \"folder\"]") { node in
            guard let names = node.textList, names.count <= 20,
                names.allSatisfy({ !$0.isEmpty && !$0.hasSlash && $0.utf8.count <= 200 })
            else { return nil }
            return names
        }
    }
}

extension Configuration {
    /// How the folder of music and those that clients mount are read and watched.
    package var folders: FolderRules { (local ?? Local()).folders }

    /// Has names of files read in their charset.
    package func useFileNames() {
        guard let charset = local?.filenameCharset, let names = FileNames(charset: charset) else { return }
        FileNames.use(names)
    }
}
