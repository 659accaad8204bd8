import AudioFiles
import Coordination
import MusicModel

/// Which of the frames that a decoder gives make up a track, and where in it the next one lies.
struct SongFrames {
    /// The bounds of a track within its decoded sound.
    struct Bounds: Equatable {
        /// The padding that the encoder put around the song; nil where nothing is known of that.
        var trim: TrackTrim?
        var start: Nanoseconds = .zero
        /// Where that part ends; nil is the song's end.
        var end: Nanoseconds?
        /// True if the decoder's own positions count; those of a stream without an end don't.
        var isPlaced = true

        fileprivate func skipped(in layout: SampleLayout) -> Int64 {
            (trim?.skip(at: layout.rate) ?? 0).addingClamped(Int64(layout.frames(in: start)))
        }

        /// The frame behind the track's last one, where that is known beforehand.
        fileprivate func end(in layout: SampleLayout) -> Int64? {
            let ends = [trim?.frames(at: layout.rate), end.map { Int64(layout.frames(in: $0)) }]
            return ends.compactMap { $0 }.min().map { $0 - Int64(layout.frames(in: start)) }
        }
    }

    private struct Anchor {
        var place: Nanoseconds
        var layout: SampleLayout
        var taken = 0

        var now: Nanoseconds { place + layout.length(frames: taken) }
    }

    /// Where sound is to continue; earlier sound is discarded.
    var target: Nanoseconds
    /// Where sound began that was not interrupted since; nil until there is some.
    private var anchor: Anchor?
    /// The frame of the track that the next piece starts with.
    private var pulled: Int64 = 0
    /// True if the track's last frame has come, whatever the decoder still gives.
    private(set) var isCut = false

    init(target: Nanoseconds) { self.target = target }

    var place: Nanoseconds { anchor?.now ?? target }
    var layout: SampleLayout? { anchor?.layout }
    mutating func reset(to target: Nanoseconds) { self = SongFrames(target: target) }

    /// Counts from zero on from here, without a break; `layout` is that of the next frame.
    mutating func restart(_ layout: SampleLayout?) {
        target = .zero
        guard let layout = layout ?? anchor?.layout else { return }
        anchor = Anchor(place: .zero, layout: layout)
    }

    /// Counts a piece that the decoder gave, and says which of its frames belong to the track and come after `target`.
    mutating func count(
        _ frames: Int, _ layout: SampleLayout, at position: Nanoseconds?, within bounds: Bounds
    ) -> Range<Int> {
        var wanted = 0..<frames
        if anchor == nil {
            guard let start = start(frames, layout, at: position, within: bounds) else { return 0..<0 }
            wanted = start..<frames
        }
        pulled = pulled.addingClamped(Int64(wanted.count))
        guard let end = bounds.end(in: layout), pulled >= end else { return wanted }
        isCut = true
        return wanted.dropLast(Int(min(Int64(wanted.count), pulled - end)))
    }

    /// How many frames of the first piece lie before the track or before `target`; nil if all of them do.
    private mutating func start(
        _ frames: Int, _ layout: SampleLayout, at position: Nanoseconds?, within bounds: Bounds
    ) -> Int? {
        let wanted = Int64(layout.frames(in: target))
        let counted = bounds.isPlaced ? position : nil
        let first = counted.map { Int64(layout.frames(in: $0)) - bounds.skipped(in: layout) } ?? wanted
        let start = max(first, wanted)
        guard start - first < Int64(frames) else { return nil }
        pulled = start
        anchor = Anchor(place: layout.length(frames: Int(start)), layout: layout)
        return Int(start - first)
    }

    mutating func take(_ frames: Int, _ layout: SampleLayout) -> Nanoseconds {
        let start = place
        if anchor?.layout != layout { anchor = Anchor(place: start, layout: layout) }
        anchor?.taken += frames
        return start
    }

    mutating func putBack(_ frames: Int, _ layout: SampleLayout) {
        if anchor == nil { anchor = Anchor(place: target, layout: layout) }
        anchor?.taken -= frames
    }
}
