import MusicModel

/// A graph of FFmpeg's audio filters, as MPD's filter plug-in `ffmpeg` has it: `acompressor=ratio=4, volume=-3dB`.
///
/// Filters of FFmpeg also read and write files, open sockets and load code. The configuration may use them all; clients
/// write graphs of those alone that do nothing but filter.
package struct FilterGraph: Hashable, Sendable {
    /// The graph as FFmpeg reads it.
    package let text: String
    /// The longest text, in bytes.
    package static let maxTextLength = 4096
    /// The most filters that a client's graph has.
    package static let maxFilters = 16

    /// Takes a graph that the configuration trusts; FFmpeg says whether it is one.
    package init(trusted text: String) throws(SettingProblem) {
        guard text.utf8.count <= Self.maxTextLength else {
            throw SettingProblem("it is too long: \(Self.maxTextLength) bytes are the most")
        }
        guard !text.utf8.contains(0), text.contains(where: { !$0.isWhitespace }) else {
            throw SettingProblem("it has no filter; write \"acompressor=ratio=4, volume=-3dB\"")
        }
        self.text = text
    }

    /// Takes a client's graph: a chain of harmless filters in a grammar that is read here as FFmpeg reads it.
    package init(client text: String) throws(SettingProblem) {
        try self.init(trusted: text)
        if let letter = text.unicodeScalars.first(where: { !Self.isPlain($0) }) {
            throw SettingProblem(
                "clients can't write \"\(letter)\" in a graph: give the graph a name by [[graph]] in segue.toml")
        }
        let filters = text.split(separator: ",", omittingEmptySubsequences: false)
        guard filters.count <= Self.maxFilters else {
            throw SettingProblem("it has \(filters.count) filters; \(Self.maxFilters) are the most")
        }
        for filter in filters {
            let name = filter.prefix { $0 != "=" }.filter { $0 != " " }
            guard !name.isEmpty else { throw SettingProblem("a filter is missing before or behind a comma") }
            guard Self.harmless.contains(name) else {
                throw SettingProblem(
                    "\"\(name.prefix(utf8: 80))\" is none of the filters that clients may use: give the graph a name by [[graph]] in segue.toml"
                )
            }
            guard !Self.namesFile(filter) else {
                throw SettingProblem("clients can't name files: give the graph a name by [[graph]] in segue.toml")
            }
        }
    }

    /// True if an option may name a file: newer releases of FFmpeg have some that this list doesn't know.
    private static func namesFile(_ filter: Substring) -> Bool {
        let options = filter.drop { $0 != "=" }.dropFirst().split(separator: ":")
        return options.contains { option in
            let option = option.drop { $0 == " " }
            return option.isAbsolutePath || option.utf8.first == UInt8(ascii: ".")
                || option.lowercased().contains("file")
        }
    }

    /// No quotes, escapes, labels and further chains; and no parentheses, as FFmpeg has functions that never end.
    private static func isPlain(_ letter: Unicode.Scalar) -> Bool {
        letter.isASCII && (letter.properties.isAlphabetic || ("0"..."9").contains(letter))
            || " =:,|+-*/.<_".unicodeScalars.contains(letter)
    }

    /// Filters of one input and one output whose options name no file, and that keep little sound.
    static let harmless: Set<String> = [
        "acompressor", "acontrast", "acrusher", "adeclick", "adeclip", "adenorm", "adynamicequalizer",
        "adynamicsmooth", "aemphasis", "aexciter", "afftdn", "afreqshift", "agate", "alimiter", "allpass",
        "anequalizer",
        "anlmdn", "anull", "aphaser", "aphaseshift", "apulsator", "asoftclip", "asubboost", "asubcut", "asupercut",
        "asuperpass", "asuperstop", "atilt", "bandpass", "bandreject", "bass", "biquad", "bs2b", "compand",
        "compensationdelay", "crossfeed", "crystalizer", "dcshift", "deesser", "dialoguenhance", "dynaudnorm", "earwax",
        "equalizer", "extrastereo", "flanger", "haas", "highpass", "highshelf", "lowpass", "lowshelf", "pan",
        "speechnorm", "stereotools", "stereowiden", "superequalizer", "tiltshelf", "treble", "tremolo", "vibrato",
        "virtualbass", "volume",
    ]
}
