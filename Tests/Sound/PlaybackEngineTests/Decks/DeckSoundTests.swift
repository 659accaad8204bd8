import Coordination
import MusicModel
import Testing

@testable import AudioFiles
@testable import AudioOutputs
@testable import PlaybackEngine

/// Pieces of sound, as a decoder would give them one after the other.
private final class Pieces {
    private var pieces: [DeckSamples]

    init(_ pieces: [DeckSamples]) { self.pieces = pieces }

    func pull() -> DeckSamples? { pieces.isEmpty ? nil : pieces.removeFirst() }
}

@Suite("The sound of a deck")
struct DeckSoundTests {
    private static let mono = SampleLayout(rate: 1000, channels: 1)

    /// A piece whose samples are the numbers of its frames; at 1000 Hz a frame is a millisecond.
    private func piece(_ frames: Range<Int>, at place: Int? = nil, _ layout: SampleLayout = mono) -> DeckSamples {
        let samples = frames.flatMap { Array(repeating: Float($0), count: layout.channels) }
        return DeckSamples(layout: layout, samples: samples, position: place.map { .milliseconds($0) })
    }

    /// All that can be had of pieces from a place on, and where that begins.
    private func heard(
        _ pieces: [DeckSamples], from target: Nanoseconds = .zero, _ bounds: SongFrames.Bounds = .init()
    ) -> (frames: [Int], place: Nanoseconds?, isCut: Bool) {
        var sound = DeckSound(target: target, canRewind: false)
        let source = Pieces(pieces)
        var (frames, place) = ([Int](), Nanoseconds?.none)
        _ = sound.fill(frames: 1_000_000, within: bounds, pull: source.pull)
        while let taken = sound.take(frames: 7) {
            place = place ?? taken.place
            frames += taken.samples.map { Int($0) }
        }
        return (frames, place, sound.isCut)
    }

    @Test("what the encoder put before and after the song is cut, to the sample")
    func trims() {
        let trim = TrackTrim(skip: 10, frames: 30, rate: 1000)
        let heard = heard([piece(0..<25, at: 0), piece(25..<60, at: 25)], .init(trim: trim))
        #expect(heard.frames == Array(10..<40))
        #expect(heard.place == .zero && heard.isCut)
    }

    @Test("a trim counts in its own rate")
    func trimsAtAnotherRate() {
        let trim = TrackTrim(skip: 20, frames: 60, rate: 2000)
        #expect(heard([piece(0..<60, at: 0)], .init(trim: trim)).frames == Array(10..<40))
    }

    @Test("part of a song ends with the part, and places count from the part's beginning")
    func parts() {
        let bounds = SongFrames.Bounds(start: .milliseconds(20), end: .milliseconds(35))
        let heard = heard([piece(0..<100, at: 0)], bounds)
        #expect(heard.frames == Array(20..<35))
        #expect(heard.place == .zero && heard.isCut)
    }

    @Test("after a seek whatever lies before the place is discarded, piece by piece")
    func seeks() {
        let pieces = [piece(0..<10, at: 0), piece(10..<20, at: 10), piece(20..<30, at: 20)]
        let heard = heard(pieces, from: .milliseconds(14))
        #expect(heard.frames == Array(14..<30))
        #expect(heard.place == .milliseconds(14) && !heard.isCut)
    }

    @Test("a decoder that lands behind the place tells the place it has")
    func landsLate() {
        #expect(heard([piece(50..<60, at: 50)], from: .milliseconds(14)).place == .milliseconds(50))
    }

    @Test("an endless stream begins with its first sound, whatever time its decoder gives that")
    func endless() {
        let heard = heard([piece(0..<10, at: 900)], .init(isPlaced: false))
        #expect(heard.frames == Array(0..<10) && heard.place == .zero)
    }

    @Test("places go on where frames are taken, put back and taken again")
    func places() {
        var sound = DeckSound(target: .zero, canRewind: false)
        _ = sound.fill(frames: 20, within: .init(), pull: Pieces([piece(0..<30, at: 0)]).pull)
        #expect(sound.take(frames: 20)?.place == .zero)
        #expect(sound.place == .milliseconds(20))
        sound.putBack([18, 19], Self.mono)
        #expect(sound.place == .milliseconds(18) && sound.waiting == 12)
        #expect(sound.take(frames: 1)?.samples == [18])
    }

    @Test("only as much is pulled as is wanted")
    func pullsNoMore() {
        let source = Pieces([piece(0..<10, at: 0), piece(10..<20, at: 10)])
        var sound = DeckSound(target: .zero, canRewind: false)
        #expect(sound.fill(frames: 5, within: .init(), pull: source.pull) == true)
        #expect(source.pull()?.samples.first == 10)
        #expect(sound.fill(frames: 11, within: .init(), pull: source.pull) == false)
    }

    @Test("a reset forgets the sound and goes on elsewhere, and what was taken stays known")
    func resets() {
        var sound = DeckSound(target: .zero, canRewind: false)
        _ = sound.fill(frames: 5, within: .init(), pull: Pieces([piece(0..<10, at: 0)]).pull)
        _ = sound.take(frames: 5)
        sound.reset(to: .milliseconds(3))
        #expect(sound.isEmpty && sound.place == .milliseconds(3) && sound.wasTaken)
    }

    @Suite("of a stream")
    struct Streams {
        private let layout = SampleLayout(rate: 1000, channels: 2)

        private func sound(_ frames: Int) -> DeckSound {
            var sound = DeckSound(target: .zero, canRewind: true)
            let samples = (0..<frames).flatMap { [Float($0), Float($0)] }
            let piece = DeckSamples(layout: layout, samples: samples, position: nil)
            _ = sound.fill(frames: frames, within: .init(isPlaced: false), pull: Pieces([piece]).pull)
            return sound
        }

        @Test("what was taken last can be taken back, and is heard once more from there")
        func rewinds() {
            var sound = sound(100)
            for _ in 0..<10 { _ = sound.take(frames: 9) }
            sound.rewind(.milliseconds(25))
            #expect(sound.place == .milliseconds(65))
            #expect(sound.takeAll(frames: 35) == (65..<100).flatMap { [Float($0), Float($0)] })
        }

        @Test("of what was taken about a second is remembered")
        func forgets() {
            var sound = sound(5000)
            for _ in 0..<50 { _ = sound.take(frames: 100) }
            sound.rewind(.seconds(4))
            #expect(sound.place == .milliseconds(3900))
        }

        @Test("its time counts from zero again without a break")
        func restarts() {
            var sound = sound(100)
            _ = sound.take(frames: 40)
            sound.restartCount()
            let next = sound.take(frames: 1)
            #expect(next?.place == .zero && next?.samples == [40, 40])
        }

        @Test("two pieces are discarded that waited while it was not listened to")
        func stale() {
            var sound = DeckSound(target: .zero, canRewind: true)
            sound.skipStale()
            let pieces = (0..<3).map { DeckSamples(layout: layout, samples: [Float($0), 0], position: nil) }
            _ = sound.fill(frames: 1, within: .init(isPlaced: false), pull: Pieces(pieces).pull)
            #expect(sound.take(frames: 1)?.samples == [2, 0])
        }
    }

    @Test("sound that waits is carried to another layout, and back to its own when that is over")
    func carries() {
        var sound = DeckSound(target: .zero, canRewind: false)
        _ = sound.fill(frames: 20, within: .init(), pull: Pieces([piece(0..<20, at: 0)]).pull)
        _ = sound.take(frames: 5)
        sound.carry(SampleLayout(rate: 1000, channels: 2))
        #expect(sound.layout?.channels == 2 && sound.waiting == 15 && sound.place == .milliseconds(5))
        #expect(sound.lastLayout?.channels == 2)
        _ = sound.take(frames: 15)
        sound.carry(nil)
        _ = sound.fill(frames: 20, within: .init(), pull: Pieces([piece(20..<40, at: 20)]).pull)
        #expect(sound.layout == Self.mono && sound.waiting == 20)
    }
}

extension DeckSound {
    /// The samples of the next frames, over as many pieces as they come in.
    fileprivate mutating func takeAll(frames: Int) -> [Float] {
        var samples: [Float] = []
        while let layout, samples.count < frames * layout.channels,
            let piece = take(frames: frames - samples.count / layout.channels)
        {
            samples += piece.samples
        }
        return samples
    }
}

@Suite("Missing sound")
struct ShortageTests {
    @Test("is told once it is heard and has lasted, and only once")
    func told() {
        var shortage = Shortage()
        #expect(shortage.lasts(at: .zero, patience: .milliseconds(100), isHeard: true) == false)
        #expect(
            shortage.lasts(at: .milliseconds(200), patience: .milliseconds(100), isHeard: false) == false,
            "mixed sound bridges it")
        #expect(shortage.lasts(at: .milliseconds(201), patience: .milliseconds(100), isHeard: true) == true)
        #expect(shortage.lasts(at: .milliseconds(300), patience: .milliseconds(100), isHeard: true) == false)
        #expect(shortage.ends() == true)
        #expect(shortage.ends() == false)
    }

    @Test("is told at once where no patience is asked for")
    func join() {
        var shortage = Shortage()
        #expect(shortage.lasts(at: .zero, patience: .zero, isHeard: false) == false)
        #expect(shortage.lasts(at: .milliseconds(1), patience: .zero, isHeard: true) == true)
        #expect(shortage.lasts(at: .milliseconds(2), patience: .zero, isHeard: true) == false)
    }

    @Test("that was bridged first and then heard is told when it ends, but not where playing has just begun")
    func toldAtTheEnd() {
        var bridged = Shortage()
        #expect(bridged.lasts(at: .zero, patience: .milliseconds(100), isHeard: false) == false)
        #expect(bridged.wasHeard(false) == false, "what was mixed before sufficed")
        #expect(bridged.wasHeard(true) == true)
        #expect(bridged.wasHeard(true) == false, "it is told once")
        #expect(bridged.ends() == true)
        #expect(bridged.wasHeard(true) == false, "nothing is missing")
        var begun = Shortage()
        #expect(begun.lasts(at: .zero, patience: .milliseconds(100), isHeard: true) == false)
        #expect(begun.wasHeard(true) == false)
    }

    @Test("holds a track back until enough came, but not without limit")
    func heldBack() {
        var shortage = Shortage()
        func holdsBack(_ queued: Int, after seconds: Int) -> Bool {
            shortage.holdsBack(queued: .milliseconds(queued), enough: .milliseconds(10), at: .seconds(seconds))
        }
        #expect(!holdsBack(0, after: 0), "nothing was missing")
        _ = shortage.lasts(at: .zero, patience: .zero, isHeard: true)
        #expect(holdsBack(9, after: 1))
        #expect(!holdsBack(10, after: 1))
        #expect(!holdsBack(9, after: 6))
    }

    @Test("waits for enough from the first sound on, however long that took to come")
    func gathers() {
        var shortage = Shortage()
        func holdsBack(_ queued: Int, after seconds: Int) -> Bool {
            shortage.holdsBack(queued: .milliseconds(queued), enough: .milliseconds(10), at: .seconds(seconds))
        }
        _ = shortage.lasts(at: .zero, patience: .zero, isHeard: true)
        #expect(holdsBack(0, after: 20), "there is nothing to go on with")
        #expect(holdsBack(1, after: 21))
        #expect(holdsBack(2, after: 25))
        #expect(!holdsBack(2, after: 26))
        #expect(shortage.ends() == true)
        _ = shortage.lasts(at: .seconds(30), patience: .zero, isHeard: true)
        #expect(holdsBack(1, after: 31), "the next one starts anew")
    }

    @Test("at the start is kept short: a little is gathered, for a quarter of a second at most")
    func firstSound() {
        var shortage = Shortage()
        func gathers(_ queued: Int, after milliseconds: Int) -> Bool {
            shortage.gathersFirst(
                queued: .milliseconds(queued), enough: .milliseconds(150), at: .milliseconds(milliseconds))
        }
        #expect(gathers(0, after: 1000))
        #expect(gathers(23, after: 1001))
        #expect(gathers(46, after: 1249))
        #expect(!gathers(46, after: 1250), "a station that sends no faster than it sounds is heard all the same")
        var quick = Shortage()
        #expect(quick.gathersFirst(queued: .milliseconds(23), enough: .milliseconds(150), at: .zero) == true)
        #expect(quick.gathersFirst(queued: .milliseconds(150), enough: .milliseconds(150), at: .zero) == false)
    }

    @Test("of a station counts from its beginning, since a silent one is connected anew")
    func stations() {
        var shortage = Shortage()
        func holdsBack(after seconds: Int) -> Bool {
            shortage.holdsBack(
                queued: .milliseconds(1), enough: .milliseconds(10), countsSilence: true, at: .seconds(seconds))
        }
        _ = shortage.lasts(at: .zero, patience: .zero, isHeard: true)
        #expect(holdsBack(after: 4))
        #expect(!holdsBack(after: 5))
    }

    @Test("of another place starts over, while the player still knows of it")
    func startsOver() {
        var shortage = Shortage()
        _ = shortage.lasts(at: .zero, patience: .zero, isHeard: true)
        shortage.startOver()
        let holdsBack = shortage.holdsBack(queued: .zero, enough: .milliseconds(10), at: .milliseconds(1))
        #expect(shortage.isTold && !holdsBack)
        #expect(shortage.lasts(at: .milliseconds(2), patience: .zero, isHeard: true) == false)
        #expect(shortage.ends() == true)
    }
}
