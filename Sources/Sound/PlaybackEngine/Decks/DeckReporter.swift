import AudioFiles
import CSound
import MusicModel

/// Reads the tags that a pipeline finds and reports what the engine wants of them, each thing once.
struct DeckReporter {
    private let isStream: Bool
    /// The charset of titles that are no Unicode; nil is Latin-1.
    private let charset: String?
    private let report: @Sendable (DeckEvent) -> Void
    private var texts: [TagValue] = []
    private var bitRate = 0
    private var replayGain = ReplayGain()
    private var mixRamp = MixRampTags()

    init(isStream: Bool, charset: String? = nil, report: @escaping @Sendable (DeckEvent) -> Void) {
        (self.isStream, self.charset, self.report) = (isStream, charset, report)
    }

    mutating func read(_ message: BusMessage) {
        var found: UnsafeMutablePointer<GstTagList>?
        gst_message_parse_tag(message.pointer, &found)
        guard let found else { return }
        defer { segue_tags_unref(found) }
        let tags = TagReader(found)
        if isStream { readTexts(tags) }
        readBitRate(tags)
        readReplayGain(tags)
        readMixRamp(tags)
    }

    /// Notes the name that a stream's server gives, which not every container lets through.
    mutating func name(_ name: String?) {
        guard let name = name.map(inCharset), !texts.contains(where: { $0.tag == .name }) else { return }
        texts.append(TagValue(.name, name))
        report(.tags(texts))
    }

    private mutating func readTexts(_ tags: TagReader) {
        var changed = texts
        for (name, tag) in [("title", Tag.title), ("artist", .artist), ("organization", .name)] {
            // A name in another charset comes damaged here, and whole as a header.
            guard let value = tags.strings(name).first, !value.isEmpty, !value.contains("\u{FFFD}") else { continue }
            changed.removeAll { $0.tag == tag }
            changed.append(TagValue(tag, inCharset(value)))
        }
        guard changed != texts else { return }
        texts = changed
        report(.tags(changed))
    }

    private func inCharset(_ text: String) -> String {
        charset.map { TextDecoding.corrected(text, charset: $0) } ?? text
    }

    private mutating func readBitRate(_ tags: TagReader) {
        guard let bits = tags.unsigned("bitrate") ?? tags.unsigned("nominal-bitrate") else { return }
        let kilobits = (bits + 500) / 1000
        guard kilobits > 0, abs(kilobits - bitRate) > bitRate / 50 else { return }
        bitRate = kilobits
        report(.bitRate(kilobits))
    }

    private mutating func readMixRamp(_ tags: TagReader) {
        var found = mixRamp
        for (name, value) in tags.extended {
            if name == "MIXRAMP_START" { found.start = value }
            if name == "MIXRAMP_END" { found.end = value }
        }
        guard found != mixRamp else { return }
        mixRamp = found
        report(.mixRamp(found))
    }

    private mutating func readReplayGain(_ tags: TagReader) {
        let found = tags.replayGain
        guard found != ReplayGain(), found != replayGain else { return }
        replayGain = found
        report(.replayGain(found))
    }
}
