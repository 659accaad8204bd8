import AudioFiles
import AudioOutputs
import Coordination
import MusicModel

/// A song that plays at the speed of another one while they overlap, and goes back to its own within a few seconds:
/// then it goes over to the song's very samples, where these are most like the last of the stretched ones.
final class BeatStretch {
    /// A run of the song that was pushed in at one speed, in frames.
    private struct Run {
        var input: Double
        var output: Double
        var speed: Double
    }

    /// How long the speed takes back to 1, in seconds.
    private static let glide = 4.0
    private static let portion = 512
    /// The song's sound that is remembered, in seconds: more than the element holds back.
    private static let memory = 0.5
    /// The sound that goes over into the song's own, and how far that is looked for in each direction, in seconds.
    private static let (overlap, search) = (0.010, 0.025)

    static var isAvailable: Bool { TempoChange.isAvailable }

    private let change: TempoChange
    private let layout: SampleLayout
    private let origin: Nanoseconds
    private let first: Double
    private var speed: Double
    private var isGliding = false
    private var isFinished = false
    private var runs: [Run] = []
    /// The end of the song's sound so far, and the frame behind it.
    private var raw: [Float] = []
    private var pushed = 0
    /// The stretched sound that was not taken, and the frame that it begins with.
    private var output: [Float] = []
    private var taken = 0

    init?(speed: Double, _ layout: SampleLayout, at place: Nanoseconds) {
        guard let change = TempoChange(layout) else { return nil }
        (self.change, self.layout, self.speed, first, origin) = (change, layout, speed, speed, place)
        change.set(speed: speed)
    }

    /// True if the song's own sound follows.
    var isOver: Bool { isFinished && output.isEmpty }
    func blockFrames(in length: Nanoseconds) -> Int { layout.blockFrames(in: length) }
    func glideBack() { isGliding = true }

    func take(frames count: Int, from deck: PlayingDeck) -> SampleBlock? {
        while !isFinished, output.count < (count + reserve) * layout.channels {
            guard let input = pull(from: deck) else {
                if deck.isEnded || deck.sound.layout.map({ $0 != layout }) ?? false { finish(deck) }
                break
            }
            push(input, deck)
        }
        let frames = min(count, output.count / layout.channels - (isFinished ? 0 : reserve))
        guard frames > 0 else { return nil }
        var block = SampleBlock(layout: layout, samples: Array(output[..<(frames * layout.channels)]))
        (block.place, block.speed) = (place(of: taken), run(at: taken)?.speed ?? 1)
        output.removeFirst(frames * layout.channels)
        taken += frames
        return block
    }

    func putBack(_ samples: [Float]) {
        output.insert(contentsOf: samples, at: 0)
        taken -= samples.count / layout.channels
    }

    /// The frames that wait to go over into the song's own.
    private var reserve: Int { Int(Self.overlap * Double(layout.rate)) }

    // MARK: Stretching

    private func pull(from deck: PlayingDeck) -> [Float]? {
        deck.fill(frames: Self.portion)
        guard deck.sound.layout == layout else { return nil }
        return deck.sound.take(frames: Self.portion)?.samples
    }

    private func push(_ samples: [Float], _ deck: PlayingDeck) {
        let frames = samples.count / layout.channels
        if isGliding { glide(frames) }
        let last = runs.last.map { (end(of: $0), $0.speed) }
        if last?.1 != speed { runs.append(Run(input: Double(pushed), output: last?.0 ?? 0, speed: speed)) }
        remember(samples)
        guard let made = change.push(samples) else { return finish(deck) }
        output += made
        forgetRuns()
        if isGliding, speed == 1 { finish(deck) }
    }

    private func glide(_ frames: Int) {
        let step = abs(first - 1) * Double(frames) / (Self.glide * Double(layout.rate))
        speed = abs(speed - 1) <= step ? 1 : speed + (speed > 1 ? -step : step)
        change.set(speed: speed)
    }

    private func remember(_ samples: [Float]) {
        pushed += samples.count / layout.channels
        raw += samples
        let limit = Int(Self.memory * Double(layout.rate)) * layout.channels
        // Not each time, as that moves all of it.
        if raw.count > 2 * limit { raw.removeFirst(raw.count - limit) }
    }

    private func forgetRuns() { while runs.count > 1, runs[1].output <= Double(taken) { runs.removeFirst() } }

    // MARK: Places

    private func end(of run: Run) -> Double { run.output + (Double(pushed) - run.input) / run.speed }
    private func run(at frame: Int) -> Run? { runs.last { $0.output <= Double(frame) } ?? runs.first }

    /// The song's frame that sounds in a stretched one.
    private func source(of frame: Int) -> Double {
        guard let run = run(at: frame) else { return 0 }
        return run.input + (Double(frame) - run.output) * run.speed
    }

    private func place(of frame: Int) -> Nanoseconds { origin + .seconds(source(of: frame) / Double(layout.rate)) }

    // MARK: Back to the song's own sound

    /// Goes over to the song's own samples, and gives those behind back to the deck.
    private func finish(_ deck: PlayingDeck) {
        guard !isFinished else { return }
        isFinished = true
        let (channels, made) = (layout.channels, output.count / layout.channels)
        let width = min(reserve, made)
        let last = raw.count / channels - width
        guard last >= 0 else { return }
        let expected = Int(saturating: source(of: taken + made)) - width - (pushed - raw.count / channels)
        let reach = Int(Self.search * Double(layout.rate))
        let offset = mostAlike(
            width, max(0, min(last, expected - reach))...max(0, min(last, expected + reach)), expected)
        for frame in 0..<width {
            let share = (Float(frame) + 0.5) / Float(width)
            for channel in 0..<channels {
                let place = (made - width + frame) * channels + channel
                output[place] += (raw[(offset + frame) * channels + channel] - output[place]) * share
            }
        }
        deck.sound.giveBack(Array(raw[((offset + width) * channels)...]), layout)
        raw = []
    }

    /// Where the song is most like the end of the stretched sound: where it is expected if all positions are alike.
    private func mostAlike(_ width: Int, _ offsets: ClosedRange<Int>, _ expected: Int) -> Int {
        let (count, tail) = (width * layout.channels, output.count - width * layout.channels)
        var best = max(offsets.lowerBound, min(offsets.upperBound, expected))
        if width == 0 { return best }
        var bestLikeness = -Float.infinity
        raw.withUnsafeBufferPointer { raw in
            output.withUnsafeBufferPointer { output in
                for offset in offsets {
                    let start = offset * layout.channels
                    var distance: Float = 0
                    for index in 0..<count {
                        let off = raw[start + index] - output[tail + index]
                        distance += off * off
                    }
                    if -distance > bestLikeness { (best, bestLikeness) = (offset, -distance) }
                }
            }
        }
        return best
    }
}
