import Outputs
import MusicModel

/// Paths as people write them.
enum AbsolutePath {
    /// Replaces a leading `~` by the user's folder and takes slashes off the end.
    ///
    /// Relative paths are refused: a daemon's working directory means nothing to its user.
    static func expand(_ text: String, home: String?) throws(ValueComplaint) -> String {
        guard !text.utf8.contains(where: { $0 < 0x20 }) else {
            throw ValueComplaint("the path contains a control character")
        }
        var path = text
        if text == "~" || text.hasPrefix("~/") {
            guard let home else {
                throw ValueComplaint("\"~\" means nothing to a user without a HOME; write the whole path")
            }
            path = home + text.dropFirst()
        }
        // An address may have a password in it, which is not repeated.
        guard !path.contains("://") else {
            throw ValueComplaint(
                "an address is not a folder: mount it with `mpc mount NAME ADDRESS`, or in the system and name "
                    + "its folder")
        }
        guard path.isAbsolutePath else {
            throw ValueComplaint("\"\(text)\" must be an absolute path, or start with \"~/\"")
        }
        return String(path.withoutLastSlashes)
    }
}

extension ValueKind where Value == [String] {
    /// A list of folders' paths, made absolute; it may be empty.
    static func folders(home: String?) -> ValueKind {
        .list("a list of folders' paths") { text throws(ValueComplaint) in try AbsolutePath.expand(text, home: home) }
    }
}

extension ValueKind where Value == RecordingFormat {
    /// The path of each title of a recording.
    static func recordingFormat(home: String?) -> ValueKind {
        ValueKind(expected: "a path with the names of tags in it") { node throws(ValueComplaint) in
            guard let text = node.plainText else { return nil }
            do throws(SettingProblem) { return try RecordingFormat(text, home: home) } catch {
                throw ValueComplaint(error.description)
            }
        }
    }
}
