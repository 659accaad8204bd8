import Glibc

/// A filter of others, which gives back as much as it likes.
protocol PluginFilter: AnyObject {
    /// The name of it for the log.
    var name: String { get }

    /// Filters interleaved samples, and appends what has come out meanwhile: the same, fewer or more.
    ///
    /// - Throws: `PluginFailure` when it has failed for good.
    func process(_ samples: [Float], into output: inout [Float]) throws(PluginFailure)
}

/// Why a filter of others doesn't filter; for a person.
struct PluginFailure: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Lets a filter of others give as many samples as it gets: silence fills up where it is short at first, so that the
/// sound is late by that. One that fails, gives too little, too much or no numbers is passed by from then on.
///
/// - Isolation: one thread, which also has to be the one that made the filter.
final class PluginStage: FilterStage {
    private let filter: any PluginFilter
    private let (rate, channels): (Int, Int)
    /// The samples that have come out and were not given yet.
    private var ready: [Float] = []
    private(set) var latency = 0
    private(set) var problem: String?
    /// How often sound was short after some had come.
    private var shortages = 0
    private var hasBegun = false
    /// True if it is known how much is held back, as far as silence tells.
    private var isPrimed = false
    /// How many frames in a row had samples that are no numbers.
    private var broken = 0

    /// The longest that a filter may hold back, and the most that may lie ready, in seconds.
    private static let longest = 10
    /// With more shortages it gives less than it gets.
    private static let maxShortages = 100
    /// No sample is larger: 24 dB above full scale.
    private static let ceiling: Float = 16

    init(_ filter: any PluginFilter, rate: Int, channels: Int) {
        (self.filter, self.rate, self.channels) = (filter, rate, channels)
        prime()
    }

    /// Finds out with silence how much is held back, so that the first sound is not torn: in short pieces, until no
    /// more is found out or the device would notice how long it takes.
    private func prime() {
        let piece = 64
        let begun = Self.time()
        var (given, foundAt) = (0, 0)
        while problem == nil, given < 2048 || given < foundAt * 2, given < Self.maxPriming {
            if Self.time() - begun > Self.maxPrimingTime { break }
            var silence = [Float](repeating: 0, count: piece * channels)
            let before = latency
            process(&silence)
            given += piece
            if latency > before { foundAt = given }
        }
        (isPrimed, broken) = (true, 0)
        guard latency > 0, problem == nil else { return }
        // Whole windows come out, and the piece that completes one may be any part of a block later on.
        latency += piece
        ready.insert(contentsOf: repeatElement(0, count: piece * channels), at: 0)
    }

    private static let maxPriming = 131_072
    /// How many seconds of the processor's time the silence may take; unoptimised code needs a hundred times more.
    #if DEBUG
        private static let maxPrimingTime = 2.0
    #else
        private static let maxPrimingTime = 0.02
    #endif

    /// The time that the thread has had of the processor, in seconds.
    private static func time() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func process(_ samples: inout [Float]) {
        guard problem == nil, !samples.isEmpty else { return }
        do throws(PluginFailure) {
            let start = ready.count
            try filter.process(samples, into: &ready)
            try check(from: start, frames: samples.count / channels)
            if ready.count > start { hasBegun = true }
            try fill(samples.count)
            samples.replaceSubrange(samples.indices, with: ready[..<samples.count])
            ready.removeFirst(samples.count)
        } catch {
            problem = "\(filter.name) is left out: \(error.reason)"
            (ready, latency) = ([], 0)
        }
    }

    /// Replaces what is no number or far too loud: it would be heard as a bang, or stay in the filters behind.
    private func check(from start: Int, frames: Int) throws(PluginFailure) {
        var isBroken = false
        for index in start..<ready.count {
            let sample = ready[index]
            if abs(sample) <= Self.ceiling { continue }
            isBroken = isBroken || !sample.isFinite
            ready[index] = sample.isFinite ? min(max(sample, -Self.ceiling), Self.ceiling) : 0
        }
        broken = isBroken ? broken + frames : 0
        if broken > rate { throw PluginFailure("it gives samples that are no numbers") }
    }

    /// Puts silence before what is ready where that is too little.
    private func fill(_ count: Int) throws(PluginFailure) {
        guard ready.count < count else {
            if ready.count - count > Self.longest * rate * channels {
                throw PluginFailure("it gives more sound than it gets")
            }
            return
        }
        let missing = count - ready.count
        ready.insert(contentsOf: repeatElement(0, count: missing), at: 0)
        latency += missing / channels
        if hasBegun, isPrimed { shortages += 1 }
        guard shortages <= Self.maxShortages else { throw PluginFailure("it gives less sound than it gets") }
        guard latency <= Self.longest * rate else {
            throw PluginFailure("it holds back more than \(Self.longest) s of sound")
        }
    }
}
