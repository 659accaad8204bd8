import Glibc
import Outputs

/// A filter of others, which gives back as much as it likes.
protocol PluginFilter: AnyObject {
    /// The name of it for the log.
    var name: String { get }

    /// Filters interleaved samples, and appends what has come out meanwhile; throws when it has failed for good.
    func process(_ samples: [Float], into output: inout [Float]) throws(SettingProblem)
}

/// Lets a filter of others give as many samples as it gets: silence fills up where it is short at first, so that the
/// sound is late by that. One that fails, gives too little, too much or no numbers is passed by from then on.
/// - Isolation: one thread, which also has to be the one that made the filter.
final class PluginStage: FilterStage {
    private let filter: any PluginFilter
    private let (rate, channels): (Int, Int)
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

    private static func time() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    func process(_ samples: inout [Float]) {
        guard problem == nil, !samples.isEmpty else { return }
        do throws(SettingProblem) {
            let start = ready.count
            try filter.process(samples, into: &ready)
            try check(from: start, frames: samples.count / channels)
            if ready.count > start { hasBegun = true }
            try fill(samples.count)
            samples.replaceSubrange(samples.indices, with: ready[..<samples.count])
            ready.removeFirst(samples.count)
        } catch {
            problem = "\(filter.name) is left out: \(error)"
            (ready, latency) = ([], 0)
        }
    }

    /// Replaces what is no number or far too loud: it would be heard as a bang, or stay in the filters behind.
    private func check(from start: Int, frames: Int) throws(SettingProblem) {
        var isBroken = false
        for index in start..<ready.count {
            let sample = ready[index]
            if abs(sample) <= Self.ceiling { continue }
            isBroken = isBroken || !sample.isFinite
            ready[index] = sample.isFinite ? min(max(sample, -Self.ceiling), Self.ceiling) : 0
        }
        broken = isBroken ? broken + frames : 0
        if broken > rate { throw SettingProblem("it gives samples that are no numbers") }
    }

    private func fill(_ count: Int) throws(SettingProblem) {
        guard ready.count < count else {
            if ready.count - count > Self.longest * rate * channels {
                throw SettingProblem("it gives more sound than it gets")
            }
            return
        }
        let missing = count - ready.count
        ready.insert(contentsOf: repeatElement(0, count: missing), at: 0)
        latency += missing / channels
        if hasBegun, isPrimed { shortages += 1 }
        guard shortages <= Self.maxShortages else { throw SettingProblem("it gives less sound than it gets") }
        guard latency <= Self.longest * rate else {
            throw SettingProblem("it holds back more than \(Self.longest) s of sound")
        }
    }
}

/// Something that a user should know of a filter of others.
struct PluginReport: Hashable {
    /// True if the sound continues without it.
    let isProblem: Bool
    /// A sentence that begins small.
    let text: String
}

/// Follows the plug-ins of a chain, and says each thing once until the settings change.
struct PluginWatch {
    private var plugins: [PluginStage] = []
    private var reports: [PluginReport] = []
    private var said: Set<String> = []
    /// How many frames late they are, for how many frames that has been so, and what was said of it.
    private var latency = 0
    private var steady = 0
    private var told = 0

    mutating func watch(_ plugins: [PluginStage]) {
        self.plugins = plugins
        steady = 0
    }

    /// The settings have changed: what goes wrong is reported again.
    mutating func forget() { said = [] }

    mutating func note(_ problem: String) {
        if said.insert(problem).inserted { reports.append(PluginReport(isProblem: true, text: problem)) }
    }

    /// Checks them after some frames more. How late they are is reported once it has been the same for a second.
    mutating func listen(frames: Int, rate: Int) {
        guard !plugins.isEmpty else { return }
        for plugin in plugins { if let problem = plugin.problem { note(problem) } }
        let now = plugins.reduce(0) { $0 + $1.latency }
        (latency, steady) = (now, now == latency ? steady + frames : 0)
        guard steady >= rate, latency != told else { return }
        told = latency
        reports.append(
            PluginReport(isProblem: false, text: "plug-ins make the sound \(latency * 1000 / max(1, rate)) ms later"))
    }

    mutating func takeReports() -> [PluginReport] {
        guard !reports.isEmpty else { return [] }
        defer { reports = [] }
        return reports
    }
}
