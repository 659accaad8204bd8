import CSound
import Coordination
import MusicModel

@testable import AudioFiles

/// The parts that take bytes from outside, each alone.
enum UntrustedInput {
    /// Reads the header of an audio file that consists of these bytes, and computes with all that it says.
    ///
    /// - Parameter isGrowing: whether the file's size is not known yet.
    /// - Returns: what is wrong with the outcome; nil as a rule.
    static func readHeader(_ bytes: [UInt8], isGrowing: Bool) -> String? {
        let whole = HeaderBytes(bytes)
        var source = isGrowing ? HeaderBytes(size: nil, read: whole.bytes(at:count:)) : whole
        source.mayBeMPEG = bytes.count.isMultiple(of: 2)
        let header = TrackHeader.read(source)
        if let complaint = readDSD(source) ?? readAPE(APETag(source)) { return complaint }
        for patch in header.patches + ID3Bounds.patches(in: source, isComplete: !isGrowing)
        where patch.offset < 0 || patch.bytes.count > 16 {
            return "a patch at \(patch.offset)"
        }
        let end = header.vorbis.flatMap { OggVorbisHeader.trim(of: $0, in: whole) }
        guard let trim = header.trim ?? end else { return nil }
        guard trim.isPlausible else { return "an unlikely trim: \(trim)" }
        for rate in [SoundLimits.rates.lowerBound, 44_100, SoundLimits.rates.upperBound] {
            guard trim.skip(at: rate) >= 0, trim.frames(at: rate) ?? 0 >= 0 else { return "\(trim) at \(rate) Hz" }
        }
        return trim.skipped >= .zero && trim.duration ?? .zero >= .zero ? nil : "times below zero: \(trim)"
    }

    /// Takes from an APE tag all that it has.
    private static func readAPE(_ tag: APETag?) -> String? {
        guard let tag else { return nil }
        guard tag.items.count <= 4096 * 256 else { return "\(tag.items.count) texts" }
        for gain in [tag.replayGain.trackGain, tag.replayGain.albumPeak] where gain?.isFinite == false {
            return "a gain of \(gain ?? 0)"
        }
        for value in TagMapping.values(of: tag) where value.value.utf8.contains(where: { $0 < 0x20 }) {
            return "the value \(value)"
        }
        for track in tag.cueSheet?.tracks ?? [] where track.start < .zero { return "a track at \(track.start)" }
        return nil
    }

    /// Reads the header of one-bit sound, and what pipelines see of it at its ends and in between.
    private static func readDSD(_ source: HeaderBytes) -> String? {
        guard let found = try? DSDHeader.read(source) else { return nil }
        for kind in [DSDView.Kind.carrier, .blocks] {
            let view = DSDView(found, as: kind)
            guard view.size > 0, view.trim.duration ?? .zero >= .zero else { return "a view of \(view.size) bytes" }
            for place in [0, 77, view.size / 2, view.size - 5, view.size] {
                let bytes = view.bytes(at: place, count: 5000) { source.bytes(at: $0, count: $1) }
                guard Int64(bytes.count) <= max(0, view.size - place) else { return "bytes behind the end of a view" }
            }
        }
        return nil
    }

    /// Reads what GStreamer leaves out of a file: frames of ID3 and the tag as a whole, wherever it lies, words, APE
    /// tags, tags of MP4 with names of their own, and the cue sheet of FLAC.
    ///
    /// - Returns: what is wrong with the outcome; nil as a rule.
    static func readTags(path: String) -> String? {
        HeaderBytes.reading(path) { readTags($0) ?? readContainer($0) ?? readAPE(APETag($0)) }
    }

    private static func readTags(_ source: HeaderBytes) -> String? {
        if let tag = ID3Tag(source, frames: TagMapping.id3Frames.union(["USLT"])) {
            for frame in tag.frames where frame.texts.count > 256 { return "\(frame.texts.count) texts" }
            for track in tag.cueSheet?.tracks ?? [] where track.start < .zero { return "a track at \(track.start)" }
            _ = tag.frames.map(\.lyrics)
        }
        let items = [
            VorbisComments(source)?.items, MatroskaTags(source)?.items, ASFTags(source)?.items,
            MP4Comments(source).items,
        ]
        for items in items.compactMap(\.self) where items.count > 20_000 { return "\(items.count) tags" }
        if OggLinks.read(source).contains(where: { $0.length < .zero }) { return "a part that is shorter than nothing" }
        for track in FLACCueSheet.read(source)?.tracks ?? [] where track.start < .zero {
            return "a track at \(track.start)"
        }
        return nil
    }

    /// Takes the tags of a file that is no stream, wherever they lie in it.
    private static func readContainer(_ source: HeaderBytes) -> String? {
        guard GStreamerLibrary.failure == nil, let tags = gst_tag_list_new_empty() else { return nil }
        defer { segue_tags_unref(tags) }
        ContainerTags.add(to: tags, from: source)
        let reader = TagReader(tags)
        if let picture = reader.picture, picture.bytes.isEmpty { return "an empty picture" }
        for value in TagMapping.values(reader) where value.value.utf8.contains(where: { $0 < 0x20 }) {
            return "the value \(value)"
        }
        return nil
    }
}
