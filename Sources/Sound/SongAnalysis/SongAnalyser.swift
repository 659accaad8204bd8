import AudioFiles
import Glibc
package import MusicModel
package import UserLibrary

/// Measures a song's sound in one decoding: loudness, ramps, tempo, key, energy and timbre.
package enum SongAnalyser {
    /// Moves when what is measured changes; older measurements are made again.
    package static let version: Int64 = 3
    /// The oldest version whose measurements are as good but for beats, which it has none of.
    private static let versionWithoutBeats: Int64 = 2

    /// The oldest version of measurements that needs no new measurement.
    package static func oldestUsable(needsBeats: Bool) -> Int64 { needsBeats ? version : versionWithoutBeats }

    /// How much is measured of longer songs, such as mixes and books, from the beginning.
    package static let longest = Duration.seconds(3 * 3600)

    /// Measures a file or a part; nil when `isCancelled` said so. `whenStarted` runs when the decoder's threads do.
    /// - Throws: `AudioFileError` when it can't be decoded to its end, or holds no sound.
    /// - Isolation: blocks for seconds; call it on a thread that may wait.
    package static func analyse(
        path: String, part: SongRange? = nil, upTo longest: Duration = longest, findsBeats: Bool = true,
        isCancelled: () -> Bool = { false }, whenStarted: () -> Void = {}
    ) throws -> SongFeatures? {
        let (meter, ramps) = (LoudnessMeter(), RampMeter())
        var collector: (features: FeatureCollector?, rate: Int)?
        var beats: BeatTracker?
        var (length, hasSound) = (Duration.zero, false)
        try SongSamples.read(path: path, part: part) { piece in
            if piece.samples.isEmpty { return !isCancelled() }
            piece.samples.withUnsafeBufferPointer { samples in
                meter.take(samples, rate: piece.rate, channels: piece.channels)
                ramps.take(samples, rate: piece.rate, channels: piece.channels)
                if collector == nil {
                    collector = (FeatureCollector(rate: piece.rate), piece.rate)
                    beats = findsBeats ? BeatTracker(rate: piece.rate) : nil
                }
                // A song that changes its rate is measured up to there.
                if collector?.rate == piece.rate {
                    let features = collector?.features.flatMap { $0.isFull ? nil : $0 }
                    if features != nil || beats != nil {
                        let mono = Downmix.mono(samples, channels: piece.channels)
                        features?.take(mono)
                        beats?.take(mono)
                    }
                } else {
                    beats = nil
                }
                hasSound = true
                length += .seconds(samples.count / piece.channels) / piece.rate
            }
            return !isCancelled() && length < longest
        } whenStarted: {
            whenStarted()
        }
        if isCancelled() { return nil }
        guard hasSound else { throw AudioFileError(message: "it holds no sound") }
        var features = features(meter, collector?.features)
        if features.loudness != nil { features.ramps = MixRampTags(start: ramps.start, end: ramps.end) }
        if let tempo = features.tempo, let beats { features.beats = beats.beats(near: tempo) }
        if length >= longest { (features.ramps.end, features.beats.tail) = (nil, nil) }
        return features
    }

    private static func features(_ meter: LoudnessMeter, _ collector: FeatureCollector?) -> SongFeatures {
        var features = SongFeatures()
        features.loudness = meter.loudness
        features.range = meter.range
        features.peak = meter.peak
        guard let loudness = meter.loudness, let collector else { return features }
        let tempo = Tempo(onsets: collector.onsets, perSecond: FeatureCollector.hopsPerSecond)
        features.tempo = tempo?.beatsPerMinute
        features.tempoConfidence = tempo?.confidence
        features.key = MusicalKey.find(collector.chroma).map(MusicalKey.name)
        features.energy = energy(loudness: loudness, activity: collector.activity, brightness: collector.brightness)
        features.vector = collector.vector
        return features
    }

    /// How lively a song sounds, from 0 to 1: loud ones in which much begins and whose spectrum reaches high.
    private static func energy(loudness: Double, activity: Double, brightness: Double) -> Double {
        func share(_ value: Double, _ low: Double, _ high: Double) -> Double {
            min(1, max(0, (value - low) / (high - low)))
        }
        return 0.5 * share(loudness, -30, -8) + 0.3 * share(activity, 0, 8) + 0.2 * share(brightness, 0.02, 0.3)
    }
}
