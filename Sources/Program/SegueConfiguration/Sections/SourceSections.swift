import Foundation

extension ConfigurationReader {
    /// Reads `[navidrome]`; nil when neither the file nor the environment has it.
    func readNavidrome(_ section: inout SectionReader, _ warnings: inout [String]) -> Configuration.Navidrome? {
        var navidrome = Configuration.Navidrome()
        navidrome.url = section.value("url", .serverURL)
        navidrome.username = section.value("username", .text("a user's name"))
        navidrome.password = readPassword(&section, orCredential: "navidrome-password")
        navidrome.passwordFile = passwordFile(&section)
        navidrome.syncInterval = section.value("sync_interval", .seconds(1...86_400)) ?? navidrome.syncInterval
        navidrome.scrobble = section.value("scrobble", .flag) ?? navidrome.scrobble
        navidrome.saveQueue = section.value("save_queue", .flag) ?? navidrome.saveQueue
        navidrome.format = section.value("format", .streamFormat) ?? navidrome.format
        navidrome.maxBitrate = section.value("max_bitrate", .integer(8...2000, unit: "kbit/s"))
        navidrome.mount = section.value("mount", .mount) ?? navidrome.mount
        guard section.isPresent else { return nil }
        if navidrome.maxBitrate != nil, navidrome.format == "raw", section.node("format")?.plainText ?? "raw" == "raw" {
            section.complain("max_bitrate", "has no effect on originals; set format too, such as format = \"mp3\"")
        }
        if navidrome.password != nil, section.node("username") == nil {
            section.complain("username", "missing; a password needs the user's name beside it")
        }
        if let url = navidrome.url, PrivateAddress.isExposed(url) {
            warnings.append(
                "navidrome.url is not encrypted and leaves the private network; use https, or the token can be read "
                    + "on the way")
        }
        return navidrome
    }

    /// Reads a password from `password`, from the file that `password_file` names, or else from the service manager's
    /// credential of this name.
    func readPassword(_ section: inout SectionReader, orCredential credential: String) -> Secret? {
        let password = section.value("password", .secret)
        let stored = section.value("password_file", .passwordFile(home: directories.home))
        let isWritten = section.node("password") != nil || section.node("password_file") != nil
        if section.node("password") != nil, section.node("password_file") != nil {
            section.complain("password_file", "password and password_file can't both be set; remove one")
        }
        return isWritten ? password ?? stored : readCredential(credential, for: section)
    }

    private func readCredential(_ name: String, for section: SectionReader) -> Secret? {
        guard section.isPresent, let folder = directories.credentials else { return nil }
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try PasswordFile.firstLine(of: path)
        } catch {
            section.complain("password", error.message)
            return nil
        }
    }

    /// The path of the file that `password_file` names.
    func passwordFile(_ section: inout SectionReader) -> String? {
        section.node("password_file")?.plainText.flatMap { try? AbsolutePath.expand($0, home: directories.home) }
    }

    /// Reads `[local]`; nil when neither the file nor the environment has it.
    func readLocal(_ section: inout SectionReader) -> Configuration.Local? {
        let folder = section.required(
            "music_directory", .path("a folder's path", home: directories.home),
            example: "music_directory = \"~/Music\"")
        let mount = section.value("mount", .mount) ?? ""
        let outside = section.value("follow_outside_symlinks", .flag) ?? true
        let inside = section.value("follow_inside_symlinks", .flag) ?? true
        var local = Configuration.Local(musicDirectory: folder ?? "", mount: mount)
        (local.followsOutsideLinks, local.followsInsideLinks) = (outside, inside)
        local.autoUpdate = section.value("auto_update", .flag) ?? local.autoUpdate
        local.autoUpdateInterval =
            section.value("auto_update_interval", .integer(0...604_800, unit: "seconds")) ?? local.autoUpdateInterval
        local.cueSheets = section.value("cue_sheets", .flag) ?? local.cueSheets
        local.hidesCueTargets = section.value("hide_cue_targets", .flag) ?? local.hidesCueTargets
        local.legacyCharset = section.value("legacy_charset", .charset) ?? local.legacyCharset
        local.coverNames = section.value("cover_names", .coverNames) ?? local.coverNames
        return section.isPresent ? local : nil
    }
}

extension ValueKind where Value == String {
    /// The address of a server, without credentials.
    fileprivate static var serverURL: ValueKind {
        let expected = "an address such as \"http://127.0.0.1:4533\""
        return ValueKind(expected: expected, isSecret: true) { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try HTTPAddress.checked(text, allowsQuery: false)
        }
    }

    /// `raw`, or the name of a format that the server converts to.
    fileprivate static var streamFormat: ValueKind {
        ValueKind(expected: "\"raw\" or a format's name such as \"mp3\" or \"opus\"") { node in
            guard let text = node.plainText, (1...16).contains(text.utf8.count),
                text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
            else { return nil }
            return text
        }
    }
}

extension ValueKind where Value == String {
    /// A charset that the system can read.
    fileprivate static var charset: ValueKind {
        ValueKind(expected: "a charset such as \"windows-1251\" or \"shift_jis\" (`iconv -l` lists them)") { node in
            guard let text = node.plainText, !text.isEmpty, !text.contains("/") else { return nil }
            let converter = iconv_open("UTF-8", text)
            guard Int(bitPattern: converter) != -1 else { return nil }
            iconv_close(converter)
            return text
        }
    }
}

extension ValueKind where Value == [String] {
    /// Names of files without their endings.
    fileprivate static var coverNames: ValueKind {
        ValueKind(expected: "a list of names without endings, such as [\"cover\", \"folder\"]") { node in
            guard let names = node.textList, names.count <= 20,
                names.allSatisfy({ !$0.isEmpty && !$0.contains("/") && $0.utf8.count <= 200 })
            else { return nil }
            return names
        }
    }
}

extension ValueKind where Value == Secret {
    /// The path of a file whose first line is the password.
    fileprivate static func passwordFile(home: String?) -> ValueKind {
        ValueKind(expected: "a file's path") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            return try PasswordFile.firstLine(of: try AbsolutePath.expand(text, home: home))
        }
    }
}

/// A file whose first line is a password.
private enum PasswordFile {
    static func firstLine(of path: String) throws(ValueComplaint) -> Secret {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ValueComplaint("\(path) can't be read; check that it exists and who may read it")
        }
        let line = String(decoding: data.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        guard !line.isEmpty else {
            throw ValueComplaint("\(path) has nothing on its first line; write the password there")
        }
        return Secret(line)
    }
}
