import MusicModel

/// The tags of a file as they stand there, which GStreamer 1.22 takes otherwise or in part.
struct OwnTags {
    private(set) var id3: ID3Tag?
    private(set) var ape: APETag?
    private(set) var mp4: MP4Comments?
    private(set) var vorbis: VorbisComments?
    private(set) var matroska: MatroskaTags?
    private(set) var asf: ASFTags?
    private var blocks: CueSheet?

    static let withAPE = Set(MusicSuffixes.musepack).union(["wv", "ape", "mp3", "mp2", "aac", "tta"])

    /// Reads the tags that a file may have by its name.
    /// - Isolation: blocks for the reading of the tags; pictures are passed over.
    static func read(_ path: String) -> OwnTags {
        HeaderBytes.reading(path) { source in
            let suffix = path.pathSuffix
            var own = OwnTags()
            if MusicSuffixes.withID3.contains(suffix) { own.id3 = ID3Tag(source, frames: TagMapping.id3Frames) }
            if withAPE.contains(suffix) { own.ape = APETag(source) }
            if MusicSuffixes.mp4.contains(suffix) { own.mp4 = MP4Comments(source) }
            if MusicSuffixes.withVorbisComments.contains(suffix) { own.vorbis = VorbisComments(source) }
            if MusicSuffixes.matroska.contains(suffix) { own.matroska = MatroskaTags(source) }
            if MusicSuffixes.asf.contains(suffix) { own.asf = ASFTags(source) }
            if suffix == "flac" { own.blocks = FLACCueSheet.read(source) }
            return own
        } ?? OwnTags()
    }

    /// The loudness values of formats of which GStreamer takes none.
    var replayGain: ReplayGain? {
        ape?.replayGain
            ?? (matroska?.items ?? asf?.items).map { items in
                ReplayGain { name in items.first { $0.name == name }?.value }
            }
    }

    /// The cue sheets of a whole disc; those of tags have titles, which the block of FLAC has not.
    var cueSheets: [CueSheet?] { [id3?.cueSheet, ape?.cueSheet, mp4?.cueSheet, blocks] }
}
