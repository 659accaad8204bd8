import MusicModel

/// The edit list of an MP4 file's sound, or iTunes' own note of it (`iTunSMPB`).
/// - Source: ISO/IEC 14496-12, 8.6.6 (edit list); the note is text: a zero, delay, padding and length in hexadecimal.
struct MP4Header {
    private typealias Box = MP4Boxes.Box

    private typealias Field = (offset: Int64, size: Int, value: UInt64)
    /// How long, in ticks of the film, where 0 is unknown, and from where, in ticks of the sound, where -1 is a pause.
    private typealias Edit = (duration: UInt64, start: Int64)
    /// The length is in ticks of its rate, as its head says.
    private typealias Track = (box: Box, parts: [Box], rate: Int, length: Int64, isEnabled: Bool)

    private let source: HeaderBytes
    private var file: MP4Boxes

    /// Reads the header; nil if there is no sound in it or nothing says where the song starts and ends.
    static func read(_ source: HeaderBytes) -> TrackHeader? {
        var reader = MP4Header(source: source, file: MP4Boxes(source))
        return reader.header()
    }

    private mutating func header() -> TrackHeader? {
        guard let movie = file.box("moov", from: 0, to: source.size ?? .max) else { return nil }
        let parts = file.boxes(movie)
        let tracks = parts.filter { $0.name == "trak" }.compactMap { track($0) }
        guard let song = tracks.first(where: \.isEnabled) ?? tracks.first else { return nil }
        // Of several tracks one is the song; GStreamer takes whichever is ready first.
        var header = TrackHeader(patches: tracks.filter { $0.box.start != song.box.start }.map { hidden($0.box) })
        if let patch = packets(song) { header.patches.append(patch) }
        if parts.contains(where: { $0.name == "mvex" }) {
            // With fragments the tables here are not the whole truth.
            header.length = MP4Fragments.length(of: song.parts, in: parts, rate: song.rate, source)
        } else if let film = parts.first(where: { $0.name == "mvhd" }), let filmTicks = ticks(film)?.value,
            filmTicks > 0, let filmLength = length(film), song.length > 0
        {
            let userData = parts.first { $0.name == "udta" }
            read(song, filmTicks: Int64(clamping: filmTicks), filmLength, userData.flatMap { note($0) }, into: &header)
        }
        return header == TrackHeader() ? nil : header
    }

    private mutating func track(_ box: Box) -> Track? {
        let parts = file.boxes(box)
        guard let media = parts.first(where: { $0.name == "mdia" }), let head = mediaHead(media) else { return nil }
        let flags = parts.first { $0.name == "tkhd" }.flatMap { source.number(at: $0.body, count: 4) }
        return (box, parts, head.rate, head.length, flags.map { $0 & 1 } != 0)
    }

    /// The patch that says of packets which are all of one size, or of which there is one, that they are packets:
    /// GStreamer takes those of ALAC for plain samples, and hands over none of them whole.
    private mutating func packets(_ track: Track) -> BytePatch? {
        var table: Box?
        for name in ["mdia", "minf", "stbl"] {
            let parts = table.map { file.boxes($0) } ?? track.parts
            guard let found = parts.first(where: { $0.name == name }) else { return nil }
            table = found
        }
        guard let table, let sizes = file.box("stsz", in: table),
            let each = source.number(at: sizes.body + 4, count: 4), each > 0,
            let kinds = file.box("stsd", in: table), source.name(at: kinds.body + 12) == "alac",
            source.number(at: kinds.body + 16 + 8, count: 2).map({ $0 < 2 }) == true
        else { return nil }
        return BytePatch(offset: kinds.body + 8 + 28, bytes: [0xFF, 0xFE])
    }

    private func hidden(_ box: Box) -> BytePatch { BytePatch(offset: box.start + 4, bytes: Array("free".utf8)) }

    private mutating func read(
        _ track: Track, filmTicks: Int64, _ filmLength: Field, _ note: Note?, into header: inout TrackHeader
    ) {
        let list = track.parts.first { $0.name == "edts" }
        let edit = list.flatMap { edits($0) }
        // Several stretches of sound can't be told as one; GStreamer plays them as they are.
        if list == nil || edit != nil {
            header.trim =
                note.flatMap { $0.trim(rate: track.rate) }
                ?? edit.flatMap { trim($0, rate: track.rate, length: track.length, filmTicks: filmTicks) }
        }
        if let trim = header.trim {
            if let list { header.patches.append(hidden(list)) }
            if let note { header.patches.append(BytePatch(offset: note.offset, bytes: Array("--------".utf8))) }
            header.length = trim.duration
        }
        let sound = Double(track.length) / Double(track.rate) * Double(filmTicks)
        guard header.trim != nil || Double(filmLength.value) > sound * Self.maxSound else { return }
        header.length = header.length ?? SampleLayout(rate: track.rate, channels: 1).length(frames: Int(track.length))
        for field in [filmLength] + track.parts.filter({ $0.name == "tkhd" }).compactMap({ trackLength($0) }) {
            let highest: UInt64 = field.size == 8 ? 1 << 60 : 0xFFFF_FFF0
            guard field.value > 0, field.value < highest else { continue }
            let shown = min(length(shownFor: field.value, filmTicks, sound), highest)
            if shown != field.value {
                header.patches.append(BytePatch(offset: field.offset, bytes: big(shown, field.size)))
            }
        }
    }

    /// GStreamer takes sound of less than a fifth of the film for a preview, and leaves it out.
    private static let maxSound = 4.0

    /// The film's length as GStreamer sees it, in ticks: a film that counts the song alone would end the sound before
    /// its last frame. 0 is an unknown length.
    private func length(shownFor told: UInt64, _ filmTicks: Int64, _ sound: Double) -> UInt64 {
        let longer = told.addingClamped(UInt64(clamping: filmTicks).multipliedClamped(by: 2))
        let most = UInt64(saturating: (sound * Self.maxSound).rounded(.down))
        let least = UInt64(saturating: sound.rounded(.up)).addingClamped(1)
        return least > most ? 0 : max(least, min(longer, most))
    }

    private func trim(_ edit: Edit, rate: Int, length: Int64, filmTicks: Int64) -> TrackTrim? {
        guard edit.start >= 0, edit.start < length else { return nil }
        let left = length - edit.start
        guard edit.duration > 0 else { return TrackTrim(skip: edit.start, frames: left, rate: rate) }
        let told = (Double(edit.duration) * Double(rate) / Double(filmTicks)).rounded()
        guard told.isFinite, told >= 1, told <= Double(SoundLimits.frames) else { return nil }
        // A film counted in coarse ticks can't say the length to the frame; what is left after the start can.
        let tick = (Double(rate) / Double(filmTicks)).rounded(.up)
        let isCoarse = filmTicks < rate && abs(told - Double(left)) <= tick
        return TrackTrim(skip: edit.start, frames: isCoarse ? left : min(left, Int64(saturating: told)), rate: rate)
    }

    private func isLong(_ box: Box) -> Bool { source.number(at: box.body, count: 1) == 1 }

    private func field(_ box: Box, at offset: Int64, size: Int) -> Field? {
        let position = box.body.addingClamped(offset)
        guard position.addingClamped(Int64(size)) <= box.end, let value = source.number(at: position, count: size)
        else { return nil }
        return (position, size, value)
    }

    private func ticks(_ box: Box) -> Field? { field(box, at: isLong(box) ? 20 : 12, size: 4) }

    private func length(_ box: Box) -> Field? {
        isLong(box) ? field(box, at: 24, size: 8) : field(box, at: 16, size: 4)
    }

    private func trackLength(_ box: Box) -> Field? {
        isLong(box) ? field(box, at: 28, size: 8) : field(box, at: 20, size: 4)
    }

    private mutating func mediaHead(_ media: Box) -> (rate: Int, length: Int64)? {
        guard let handler = file.box("hdlr", in: media), source.name(at: handler.body.addingClamped(8)) == "soun",
            let head = file.box("mdhd", in: media), let rate = ticks(head)?.value, (1000...768_000).contains(rate),
            let length = length(head)?.value, length <= SoundLimits.frames
        else { return nil }
        return (Int(rate), Int64(length))
    }

    private mutating func edits(_ list: Box) -> Edit? {
        guard let table = file.box("elst", in: list),
            let count = source.number(at: table.body.addingClamped(4), count: 4),
            count < 64
        else { return nil }
        let isLong = isLong(table)
        var found: [Edit] = []
        for index in 0..<Int64(count) {
            let offset = 8 + index * (isLong ? 20 : 12)
            guard let duration = field(table, at: offset, size: isLong ? 8 : 4)?.value,
                let start = field(table, at: offset + (isLong ? 8 : 4), size: isLong ? 8 : 4)?.value
            else { return nil }
            let position = isLong ? Int64(bitPattern: start) : Int64(Int32(truncatingIfNeeded: start))
            if position >= 0 { found.append((duration, position)) }
        }
        return found.count == 1 ? found.first : nil
    }

    private struct Note {
        var text: String
        /// Where the note's name lies, 8 bytes.
        var offset: Int64

        func trim(rate: Int) -> TrackTrim? {
            let words = text.split(separator: " ").prefix(4).map { UInt64($0, radix: 16) }
            guard words.count == 4, let delay = words[1], let padding = words[2], let frames = words[3],
                delay < 1 << 20, padding < 1 << 20, frames > 0, frames <= SoundLimits.frames
            else { return nil }
            return TrackTrim(skip: Int64(delay), frames: Int64(frames), rate: rate)
        }
    }

    private mutating func note(_ userData: Box) -> Note? {
        for item in file.tags(in: userData) where item.name == "----" {
            guard let name = file.box("name", in: item), name.end - name.body == 12,
                source.bytes(at: name.body + 4, count: 8).elementsEqual("iTunSMPB".utf8),
                let data = file.box("data", in: item)
            else { continue }
            let text = source.bytes(at: data.body + 8, count: Int(min(200, max(0, data.end - data.body - 8))))
            return Note(text: String(decoding: text, as: Unicode.ASCII.self), offset: name.body + 4)
        }
        return nil
    }
}
