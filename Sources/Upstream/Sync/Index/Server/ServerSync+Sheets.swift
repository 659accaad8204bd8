import Glibc
import LibraryIndex
import Logging
import MusicModel
import Subsonic

/// The cue sheets of discs that the server shows as one song.
///
/// The fact `sheets` tells which ones the index goes by: the stamp of the folder's, and whether those in tags were
/// read. The latter change only with the server's files, so they are read when these are walked. After a failure they
/// are tried again at each look, and the songs are walked only if there are others than before.
extension ServerSync {
    struct TaggedReading: Sendable {
        var sheets = TaggedSheets()
        /// True if the server has to be asked again: it failed, or there is nothing to sign in with.
        var isPending = false
    }

    /// The fact once all sheets are read, or while those in tags are not.
    func sheetStamp(_ folder: CueFolder, isPending: Bool = false) -> String {
        guard settings.server.readsTaggedSheets, session != nil else { return folder.stamp }
        return folder.stamp + (isPending ? ", tags pending" : ", tags")
    }

    var sheetsKey: String { "sync.\(mount).sheets" }
    private var taggedKey: String { "sync.\(mount).taggedSheets" }

    /// Reads the user's cue sheets; nil where their folder can't be read, whose tracks stay as they are until it can.
    func cueFolder() async throws -> CueFolder? {
        guard let folder = settings.server.cueFolder else { return CueFolder() }
        let (charset, logger) = (settings.folders.cueSheets.charset, logger)
        do {
            return try await onThread {
                try CueFolder(folder: folder, charset: charset, logger: logger, isCancelled: $0)
            }
        } catch let error as FolderError {
            logger.warning("cue_folder: \(folder) can't be read (\(String(cString: strerror(error.code))))")
            return nil
        }
    }

    /// Asks the server for the sheets in tags, for the first time or after failures; those from before stay where it
    /// can't be asked or doesn't tell.
    func taggedSheets(isRepeated: Bool) async throws -> TaggedReading {
        guard settings.server.readsTaggedSheets, let session else { return TaggedReading() }
        guard session.canSignIn else { return TaggedReading(sheets: try await keptSheets(), isPending: true) }
        do {
            return TaggedReading(sheets: try await TaggedSheets.read(from: session, logger: logger))
        } catch let error as SubsonicError where error.code != .closed {
            // Other servers than Navidrome have no such lists.
            let isExpected = isRepeated || error.code == .unsupported
            logger.log(
                level: isExpected ? .debug : .info,
                "cue sheets in the server's tags can't be read, so its discs stay as they were: \(chain: error)")
            // An answer that is too large is that a minute later, too.
            let isPending = error.isTransient && !error.isTooLarge || error.code == .unauthorized
            return TaggedReading(sheets: try await keptSheets(), isPending: isPending)
        }
    }

    /// True if these sheets are others than the index goes by.
    func hasChanged(_ sheets: TaggedSheets) async throws -> Bool { try await keptSheets().kept != sheets.kept }
    func keptSheets() async throws -> TaggedSheets { TaggedSheets(kept: try await library.fact(taggedKey)) }

    func remember(_ sheets: TaggedSheets, stamp: String) async throws {
        for (key, value) in [(sheetsKey, stamp), (taggedKey, sheets.kept)] {
            if try await library.fact(key) != value { try await library.setFact(key, value) }
        }
    }
}
