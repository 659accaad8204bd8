import Foundation
import MusicModel
package import Sync

extension Configuration {
    /// The `[local]` section.
    package struct Local: Hashable, Sendable {
        /// Absolute path of the folder with music.
        package var musicDirectory = ""
        /// The mount's name; empty at the root.
        package var mount = ""
        /// The links that are followed, in this folder and in those that clients mount.
        package var links = LinkRules()
        /// True if changes in the folder, and in those that clients mount, are noticed without an `update`.
        package var autoUpdate = true
        /// Seconds between two checks of folders that don't tell of changes; 0 is none.
        package var autoUpdateInterval = 900
        /// The handling of cue sheets, and the charsets of sheets and tags that are not Unicode.
        package var cueSheets = CueSheetRules(charset: usualCharset, tagCharset: usualCharset)
        /// The charset of names of files that are not UTF-8; nil leaves such files out.
        package var filenameCharset: String?
        /// The names of pictures in folders of music without their endings, best first.
        package var coverNames = ["cover", "folder", "front", "albumart"]

        fileprivate static let usualCharset = "windows-1252"

        /// Makes the section with all else as it is without settings.
        package init(musicDirectory: String = "", mount: String = "") {
            self.musicDirectory = musicDirectory
            self.mount = mount
        }
    }
}

extension ConfigurationReader {
    /// Reads the folder of music; nil when neither the file nor the environment has the section.
    func readLocal(_ section: inout SectionReader) -> Configuration.Local? {
        var local = Configuration.Local()
        let folder = section.required(
            "music_directory", .path("a folder's path", home: directories.home),
            example: "music_directory = \"~/Music\"")
        local.musicDirectory = folder ?? ""
        section.read("mount", .mount, into: &local.mount)
        section.read("follow_outside_symlinks", .flag, into: &local.links.followsOutside)
        section.read("follow_inside_symlinks", .flag, into: &local.links.followsInside)
        section.read("auto_update", .flag, into: &local.autoUpdate)
        section.read(
            "auto_update_interval", .integer(0...604_800, unit: "seconds"), into: &local.autoUpdateInterval)
        section.read("cue_sheets", .flag, into: &local.cueSheets.makesSongs)
        section.read("hide_cue_targets", .flag, into: &local.cueSheets.hidesFiles)
        section.read("legacy_charset", .charset, into: &local.cueSheets.tagCharset)
        section.read("filename_charset", .filenameCharset, into: &local.filenameCharset)
        // Names are in these anyway.
        if let charset = local.filenameCharset, ["utf-8", "utf8", "us-ascii", "ascii"].contains(charset.lowercased()) {
            local.filenameCharset = nil
        }
        // Sheets name files: in the charset of the names, unless `legacy_charset` says another.
        let charset = local.cueSheets.tagCharset
        let isUsual = charset == Configuration.Local.usualCharset
        local.cueSheets.charset = isUsual ? local.filenameCharset ?? charset : charset
        section.read("cover_names", .coverNames, into: &local.coverNames)
        return section.isPresent ? local : nil
    }
}

extension ValueKind where Value == String {
    /// A charset that the system can read.
    fileprivate static var charset: ValueKind {
        ValueKind(expected: "a charset such as \"windows-1251\" or \"shift_jis\" (`iconv -l` lists them)") { node in
            guard let text = node.plainText, !text.isEmpty, !text.hasSlash else { return nil }
            let converter = iconv_open("UTF-8", text)
            guard Int(bitPattern: converter) != -1 else { return nil }
            iconv_close(converter)
            return text
        }
    }

    /// A charset in which names of files can be.
    fileprivate static var filenameCharset: ValueKind {
        let expected =
            "a charset that has ASCII in it, such as \"iso-8859-1\", \"cp932\" or \"koi8-r\" (`iconv -l` lists them)"
        return ValueKind(expected: expected) { node in
            node.plainText.flatMap { FileNames(charset: $0) == nil ? nil : $0 }
        }
    }
}

extension ValueKind where Value == [String] {
    /// Names of files without their endings.
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
    /// Has names of files read in their charset.
    package func useFileNames() {
        guard let charset = local?.filenameCharset, let names = FileNames(charset: charset) else { return }
        FileNames.use(names)
    }
}
