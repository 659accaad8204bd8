/// Endings of music files' names, in lower case, by how their tags are stored: one list for all that go by them.
package enum MusicSuffixes {
    /// Apple's format and its variant with other codecs.
    package static let aiff = ["aif", "aiff", "aifc"]
    /// Formats in which sound and tags lie in adjacent chunks.
    package static let inChunks: Set<String> = Set(aiff).union(["wav", "dsf", "dff"])
    /// Formats that have ID3 tags as a rule.
    package static let withID3: Set<String> = inChunks.union(["mp3", "mp2", "aac", "tta"])
    /// Formats that have tags with names of their own in MPEG-4's boxes.
    package static let mp4: Set<String> = ["m4a", "m4b", "mp4"]
    /// Formats that have Vorbis comments.
    package static let withVorbisComments: Set<String> = ["flac", "oga", "ogg", "opus", "spx"]
    /// Musepack of all versions.
    package static let musepack = ["mpc", "mp+", "mpp"]
    /// Matroska, with sound alone or with pictures.
    package static let matroska = ["mka", "mkv", "webm"]
    /// Microsoft's format.
    package static let asf = ["wma", "asf"]
    /// All files that folders are searched for, and that can be played.
    package static let all: Set<String> = withID3.union(mp4).union(musepack).union(matroska).union(asf)
        .union(withVorbisComments).union(["ape", "au", "caf", "snd", "wv"])
}
