import Foundation

/// The folder in which an import keeps what it could not take over, and that it took the queue over.
struct ImportFolder {
    /// The kinds of things that can be missing.
    enum List {
        case queue, stickers
        case playlist(String)
    }

    private let path: String
    /// The files of this import, so that two lists never share one.
    private var written: Set<String> = []

    /// Describes a folder, which is made when it is needed.
    init(_ path: String) { self.path = path }

    // MARK: Lists

    /// Writes down what was not found, so that nothing is lost.
    ///
    /// - Returns: a sentence where that failed; MPD's own files still have it.
    mutating func keep(_ lines: [String], of list: List) -> String? {
        guard !lines.isEmpty else { return nil }
        let file = file(of: list)
        written.insert(file)
        do {
            try make((file as NSString).deletingLastPathComponent)
            // Byte for byte as MPD has them.
            try Data(LosslessText.bytes(lines.joined(separator: "\n") + "\n")).write(to: URL(fileURLWithPath: file))
            return nil
        } catch {
            return "\(lines.count) missing things can't be listed in \(file): \(error.localizedDescription)"
        }
    }

    /// Playlists have a folder of their own, where their names are in no other list's way.
    private func file(of list: List) -> String {
        let ending = ".missing.m3u"
        switch list {
        case .queue: return "\(path)/queue\(ending)"
        case .stickers: return "\(path)/stickers\(ending)"
        case .playlist(let name):
            let beginning = "\(path)/playlists/" + Self.short(name.replacingOccurrences(of: "/", with: "_"))
            var (file, number) = (beginning + ending, 2)
            while written.contains(file) {
                file = "\(beginning) \(number)\(ending)"
                number += 1
            }
            return file
        }
    }

    /// Bytes of a name that leave room for an ending: file systems take 255.
    private static let maxNameLength = 230

    private static func short(_ name: String) -> String {
        var (short, length) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars {
            length += UTF8.width(scalar)
            if length > maxNameLength { break }
            short.append(scalar)
        }
        return String(short)
    }

    // MARK: The queue

    private var mark: String { path + "/queue-and-options-are-taken-over" }

    /// True if an import has taken over the queue and the options, which are Segue's from then on.
    var hasTakenQueue: Bool { FileManager.default.fileExists(atPath: mark) }

    /// Keeps that the queue and the options are taken over.
    ///
    /// - Throws: `MPDImportError` when that can't be written.
    func noteQueueTaken() throws(MPDImportError) {
        do {
            try make(path)
            try Data("Without this file the next `segue import mpd` imports them again.\n".utf8)
                .write(to: URL(fileURLWithPath: mark))
        } catch {
            throw MPDImportError("can't write \(mark): \(error.localizedDescription)", cause: error)
        }
    }

    private func make(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
